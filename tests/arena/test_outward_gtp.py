"""GTP version 2, spoken as an engine, line by line and without processes."""

import random

import pytest

from agents.seat import Answer, Fault
from arena.engine.desk import Desk
from arena.engine.gtp import GtpServer
from arena.engine.title import Title
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, load

REQUIRED = (
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
    "komi", "play", "genmove",
)  # fmt: skip


class Ticks:
    """A clock that goes on by a second whenever it is read."""

    seconds = 0.0

    def now(self) -> float:
        self.seconds += 1.0
        return self.seconds


class Talk:
    """A server with a scripted player. Answers come without the empty line that ends them."""

    def __init__(self, *script: str | Answer | Exception, game: str = "go") -> None:
        self.players: list[ScriptedPlayer] = []
        self._script = list(script)
        desk = Desk(self._seat, seconds=60.0, now=Ticks().now)
        self.server = GtpServer(desk, load(game), Title("scripted", "1.0"))

    def _seat(self) -> ScriptedPlayer:
        self.players.append(ScriptedPlayer(iter(self._script) if not self.players else ()))
        return self.players[-1]

    def __call__(self, *lines: str) -> list[str]:
        answers: list[str] = []
        for line in lines:
            assert self.server.hear(line) is None
            assert not self.server.ends(line)
            answers.extend(self.server.handle(line))
        assert all(answer.endswith("\n") and "\n\n" not in answer for answer in answers)
        return [answer.removesuffix("\n").rstrip(" ") for answer in answers]

    @property
    def own(self) -> list[float]:
        return [times.own for player in self.players for _, times in player.asked]


def test_it_says_what_it_is() -> None:
    assert Talk()("protocol_version", "name", "version") == ["= 2", "= arena scripted", "= 1.0"]


def test_it_knows_every_command_that_gtp_requires_and_no_other() -> None:
    talk = Talk()
    (listed,) = talk("list_commands")
    assert set(REQUIRED) <= set(listed.removeprefix("= ").split("\n"))
    for name in listed.removeprefix("= ").split("\n"):
        assert talk(f"known_command {name}") == ["= true"]
    assert talk("known_command loadsgf", "known_command") == ["= false", "= false"]
    assert talk("loadsgf x") == ["? unknown command"]


def test_numbers_come_back() -> None:
    assert Talk()("17 protocol_version", "18 foo", "007 komi", "5") == [
        "=17 2", "?18 unknown command", "?007 syntax error", "?5 unknown command",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["", "   ", "# a comment", "\t#", "\r", "\x07"])
def test_comments_and_empty_lines_are_passed_over(line: str) -> None:
    assert Talk()(line) == []


def test_tabs_controls_and_comments_do_not_matter() -> None:
    assert Talk()("1\tprotocol_version\r", "2  play \t b\td4 # the centre", "\x07name") == [
        "=1 2", "=2", "= arena scripted",
    ]  # fmt: skip


def test_quit_is_answered_and_ends() -> None:
    talk = Talk()
    assert talk("3 quit") == ["=3"]
    assert talk.server.is_over


def test_a_game_of_go() -> None:
    talk = Talk("F5", "pass")
    assert talk("boardsize 7", "komi 5.5", "clear_board", "play black D4", "genmove white") == [*["="] * 4, "= F5"]
    assert talk("play b e5", "genmove w") == ["=", "= pass"]
    history = talk.players[0].asked[1][0]
    assert history.moves == ("D4", "F5", "E5")
    assert len(talk.players) == 1


def test_the_board_is_shown_without_empty_lines() -> None:
    talk = Talk()
    assert talk("boardsize 5", "play b a1", "play w e5", "showboard")[-1] == (
        "= \n5 . . . . O\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 X . . . .\n  A B C D E"
    )


@pytest.mark.parametrize("size", [1, 5, 9, 19])
def test_sizes_that_there_are(size: int) -> None:
    talk = Talk("pass")
    assert talk(f"boardsize {size}", "genmove b") == ["=", "= pass"]
    assert talk.players[0].asked[0][0].start.count("/") == size - 1


def test_sizes_that_there_are_not() -> None:
    talk = Talk()
    assert talk("boardsize 0", "boardsize 20", "boardsize 99999") == ["? unacceptable size"] * 3
    assert talk("boardsize", "boardsize x", "boardsize -5", "boardsize 9.5") == ["? syntax error"] * 4
    assert Talk(game="othello")("boardsize 8", "boardsize 9") == ["=", "? unacceptable size"]


def test_komi_counts_and_keeps_the_moves() -> None:
    talk = Talk()
    assert talk("boardsize 5", "play b c3", "komi 0.5", "final_score") == ["=", "=", "=", "= B+24.5"]
    assert talk("komi 25", "final_score") == ["=", "= 0"]
    assert talk("komi 26.5", "final_score", "undo", "final_score") == ["=", "= W+1.5", "=", "= W+26.5"]
    assert talk("komi", "komi x") == ["? syntax error"] * 2
    assert talk("komi 1e9", "komi nan", "komi inf") == ["? unacceptable komi"] * 3


@pytest.mark.parametrize("words", ["", "b", "x d4", "b 44", "b i5", "d4", "b d44444", "b resign", "4 b"])
def test_moves_that_cannot_be_read(words: str) -> None:
    assert Talk()(f"play {words}") == ["? syntax error"]


def test_moves_that_are_not_allowed() -> None:
    talk = Talk()
    assert talk("play b d4", "play w d4", "play w t19", "play w d0") == ["=", *["? illegal move"] * 3]


def test_superko_is_kept() -> None:
    ko = ["b b2", "w c2", "b a1", "w d1", "b c1", "w b1"]  # White takes c1; taking back would repeat the board
    talk = Talk()
    assert talk("boardsize 5", *(f"play {move}" for move in ko), "play b c1") == [*["="] * 7, "? illegal move"]


def test_undo_takes_back_one_move_after_the_other() -> None:
    talk = Talk("F5", "G5")
    assert talk("play b d4", "genmove w", "undo", "undo", "undo") == ["=", "= F5", "=", "=", "? cannot undo"]
    assert talk("genmove b") == ["= A9"]


def test_a_side_that_moves_twice_was_passed_to() -> None:
    talk = Talk("F5")
    assert talk("play b d4", "play b e4", "play b f4", "genmove w") == ["=", "=", "=", "= F5"]
    assert talk.players[0].asked[0][0].moves == ("D4", "pass", "E4", "pass", "F4")


def test_a_game_may_go_on_after_it_ended() -> None:
    talk = Talk("F5")
    assert talk("play b d4", "play w pass", "play b pass", "genmove w") == ["=", "=", "=", "= pass"]
    assert talk.players == []
    assert talk("play w e5", "undo", "undo", "undo", "genmove b") == ["=", "=", "=", "=", "= F5"]


def test_a_pass_out_of_turn_does_not_end_the_game() -> None:
    talk = Talk("F5")
    assert talk("play b d4", "play w pass", "play w e5", "genmove b") == ["=", "=", "=", "= F5"]
    assert talk.players[0].asked[0][0].state.text.count("O") == 1


def test_a_fault_is_a_refusal_and_changes_nothing() -> None:
    talk = Talk(Fault("exception", "ValueError: no\n\nmove"))
    assert talk("play b d4", "1 genmove w") == [
        "=", r"?1 the agent broke the rule 'exception': ValueError: no\x0a\x0amove",
    ]  # fmt: skip
    assert talk("genmove w", "undo", "undo", "undo") == ["= A9", "=", "=", "? cannot undo"]


def test_genmove_needs_a_colour() -> None:
    assert Talk()("genmove", "genmove x") == ["? syntax error"] * 2


def test_without_settings_there_is_the_budget() -> None:
    talk = Talk()
    talk("genmove b")
    assert talk.own == [60.0]


def test_main_time_is_counted_down_until_it_is_told() -> None:
    talk = Talk()
    talk("time_settings 30 0 0", "genmove b", "play w a1", "genmove b", "time_left b 12 0", "play w a2", "genmove b")
    assert talk.own == [30.0, 29.0, 12.0]
    talk("clear_board", "genmove b")
    assert talk.own[-1] == 30.0


@pytest.mark.parametrize(
    ("settings", "own"), [("0 10 2", 5.0), ("3 10 1", 10.0), ("0 10 0", 60.0), ("30 10 0", 60.0), ("0 0 0", 60.0)]
)
def test_byo_yomi(settings: str, own: float) -> None:
    talk = Talk()
    talk(f"time_settings {settings}", "genmove b")
    assert talk.own == [own]


def test_the_clock_of_the_opponent_is_told() -> None:
    talk = Talk()
    talk("time_settings 30 0 0", "time_left w 7 0", "time_left b 0 0", "genmove b")
    (times,) = [times for _, times in talk.players[0].asked]
    assert (times.own, times.opponent) == (0.01, 7.0)


def test_times_that_cannot_be_read() -> None:
    lines = ("time_settings", "time_settings 1 2", "time_settings a b c", "time_left", "time_left b", "time_left x 1 0")
    assert Talk()(*lines) == ["? syntax error"] * 6


def test_it_plays_one_game() -> None:
    assert Talk()("list_games", "set_game Go", "set_game Othello") == ["= Go", "=", "? unsupported game"]
    assert Talk(game="othello")("list_games", "set_game Othello") == ["= Othello", "="]


def test_othello_has_its_first_square_at_the_top_left() -> None:
    talk = Talk("C5", game="othello")
    assert talk("play black D3", "genmove white") == ["=", "= C5"]
    assert talk("showboard")[0].split("\n")[1:7] == [
        "  a b c d e f g h", "1 . . . . . . . .", "2 . . . . . . . .", "3 . . . X . . . .", "4 . . . X X . . .",
        "5 . . O O O . . .",
    ]  # fmt: skip


def test_who_can_move_in_othello_must() -> None:
    talk = Talk(game="othello")
    assert talk("play w d6", "play b pass", "komi 3", "play b d3") == ["? illegal move", "? illegal move", "=", "="]
    assert talk("genmove b") == ["? it is the other side's turn"]


@pytest.mark.parametrize("says_passes", [True, False])
def test_a_pass_in_othello_may_go_without_saying(says_passes: bool) -> None:
    game = load("othello")
    rng = random.Random(2)
    state, talk, passes = game.start(), Talk(game="othello"), 0
    while not state.is_game_over() or not passes:
        if state.is_game_over():
            state = game.start()
            talk("clear_board")
        move = rng.choice([*state.legal_moves])
        passes += move == "pass"
        if says_passes or move != "pass":
            assert talk(f"play {'b' if state.turn == BLACK else 'w'} {move}") == ["="]
        state = state.forward(move)
    (score,) = talk("final_score")
    black, white = state.adjudicate().detail.removeprefix("discs ").split("-")
    margin = int(black) - int(white)
    assert score == f"= {'B' if margin > 0 else 'W'}+{abs(margin)}"
    assert talk("genmove b") == ["= pass"]
