"""UCI, spoken as an engine, line by line and without processes."""

import threading
from collections.abc import Callable

import pytest

from agents.seat import Answer, Fault
from arena.engine.desk import Desk
from arena.engine.title import Title
from arena.engine.uci import UciServer
from arena.referee.scripted_player import ScriptedPlayer
from games.base import load

Script = list[str | Answer | Exception]


class Talk:
    """A server with a scripted player; every line is heard, then handled."""

    def __init__(self, *script: str | Answer | Exception, game: str = "chess") -> None:
        self.players: list[ScriptedPlayer] = []
        self._script: Script = list(script)
        self.server = UciServer(Desk(self._seat, seconds=60.0), load(game), Title("scripted", "1.0"))

    def _seat(self) -> ScriptedPlayer:
        self.players.append(ScriptedPlayer(iter(self._script) if not self.players else ()))
        return self.players[-1]

    def __call__(self, *lines: str) -> list[str]:
        answers: list[str] = []
        for line in lines:
            heard = self.server.hear(line)
            answers.extend(self.server.handle(line) if heard is None else heard)
        return answers

    @property
    def own(self) -> list[float]:
        return [times.own for player in self.players for _, times in player.asked]


def test_it_introduces_itself_and_ends_with_uciok() -> None:
    assert Talk()("uci") == [
        "id name arena scripted 1.0",
        "id author the author of the agent, served by arena",
        "option name UCI_Variant type combo default chess var chess var microchess var arenamicro",
        "uciok",
    ]


def test_a_game_of_microchess_is_announced() -> None:
    assert any(" default microchess " in line for line in Talk(game="microchess")("uci"))


def test_it_is_ready() -> None:
    assert Talk()("isready", "ucinewgame", "isready") == ["readyok", "readyok"]


def test_it_moves_from_the_start() -> None:
    assert Talk("e2e4")("position startpos", "go movetime 100") == ["bestmove e2e4"]


def test_it_moves_without_a_position() -> None:
    assert Talk("e2e4")("go movetime 100") == ["bestmove e2e4"]


def test_it_moves_after_moves() -> None:
    talk = Talk("e7e5", "b8c6")
    assert talk("position startpos moves e2e4", "go nodes 1") == ["bestmove e7e5"]
    assert talk("position startpos moves e2e4 e7e5 g1f3", "go depth 1") == ["bestmove b8c6"]
    assert len(talk.players) == 1
    assert talk.players[0].asked[1][0].moves == ("e2e4", "e7e5", "g1f3")


def test_it_moves_in_a_position() -> None:
    talk = Talk("a7a8q")
    assert talk("position fen 8/P6k/8/8/8/8/8/K7 w - - 3 40 moves a1a2 h7h6", "go movetime 9") == ["bestmove a7a8q"]
    history = talk.players[0].asked[0][0]
    assert history.start == "8/P6k/8/8/8/8/8/K7 w - - 3 40"
    assert history.moves == ("a1a2", "h7h6")


def test_a_fen_may_lack_its_counters() -> None:
    assert Talk("a7a8q")("position fen 8/P6k/8/8/8/8/8/K7 w - -", "go movetime 9") == ["bestmove a7a8q"]


@pytest.mark.parametrize(
    "words", ["", "nonsense", "fen", "fen 8/8 w", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "startpos e2e4"]
)
def test_a_bad_position_is_told_and_gets_no_move(words: str) -> None:
    talk = Talk("e2e4")
    (told,) = talk(f"position {words}")
    assert told.startswith("info string ")
    assert talk("go movetime 9") == ["info string there is no position to move in", "bestmove (none)"]
    assert talk("position startpos", "go movetime 9") == ["bestmove e2e4"]


@pytest.mark.parametrize("moves", ["e2e5", "e2e4 e2e4", "0000", "hello", "e2e4 e7e5 \x1b[31m"])
def test_an_illegal_move_is_told_and_gets_no_move(moves: str) -> None:
    talk = Talk("d2d4")
    (told,) = talk(f"position startpos moves {moves}")
    assert told.startswith("info string ")
    assert told.isprintable()
    assert talk("go movetime 9")[-1] == "bestmove (none)"
    assert talk("position startpos", "go movetime 9") == ["bestmove d2d4"]


def test_a_known_game_that_goes_on_wrongly_is_read_anew() -> None:
    talk = Talk("e7e5", "c7c5")
    talk("position startpos moves e2e4", "go movetime 9")
    talk("position startpos moves e2e4 e7e5 e4e5")
    assert talk("position startpos moves e2e4", "go movetime 9") == ["bestmove c7c5"]


@pytest.mark.parametrize(
    ("words", "own"),
    [
        ("wtime 5000 btime 3000 winc 100 binc 100", 5.0), ("btime 3000 wtime 7000 movestogo 10", 7.0),
        ("movetime 250", 0.25), ("wtime 5000 btime 5000 movetime 250", 0.25), ("wtime 100 btime 9 movetime 250", 0.1),
        ("wtime -30 btime 9", 0.01), ("wtime 0 btime 9", 0.01), ("btime 9", 60.0), ("", 60.0), ("depth 3", 60.0),
        ("nodes 1000", 60.0), ("wtime", 60.0), ("wtime x btime y", 60.0), ("mate 3", 60.0),
    ],
)  # fmt: skip
def test_the_agent_is_told_the_clock(words: str, own: float) -> None:
    talk = Talk("e2e4")
    assert talk("position startpos", f"go {words}") == ["bestmove e2e4"]
    assert talk.own == [own]


def test_black_is_told_its_own_clock() -> None:
    talk = Talk("e7e5")
    talk("position startpos moves e2e4", "go wtime 5000 btime 3000")
    assert (talk.players[0].asked[0][1].own, talk.players[0].asked[0][1].opponent) == (3.0, 5.0)


def test_a_fault_is_told_and_gets_no_move() -> None:
    talk = Talk(Fault("exception", "ValueError: no\x1b[0m\nmove"))
    assert talk("position startpos", "go movetime 9") == [
        r"info string the agent broke the rule 'exception': ValueError: no\x1b[0m\x0amove",
        "bestmove (none)",
    ]
    assert talk("go movetime 9")[0].startswith("bestmove ")


def test_an_illegal_answer_gets_no_move() -> None:
    told, answer = Talk("e2e5")("go movetime 9")
    assert told.startswith("info string the agent broke the rule 'illegal-move': 'e2e5'")
    assert answer == "bestmove (none)"


def test_a_game_that_is_over_has_no_move() -> None:
    mated = "position startpos moves f2f3 e7e5 g2g4 d8h4"
    assert Talk()(mated, "go movetime 9") == ["info string the game is over: checkmate", "bestmove (none)"]


def test_a_new_game_has_a_new_player() -> None:
    talk = Talk()
    talk("position startpos", "go movetime 9", "ucinewgame", "position startpos", "go movetime 9")
    assert len(talk.players) == 2


def test_microchess_is_told_in_both_forms() -> None:
    for fen in ("knbr/p3/4/3P/RBNK w Qk - 0 1", "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1"):
        talk = Talk("a4a3", game="microchess")
        assert talk(f"position fen {fen} moves d2d3", "go movetime 9") == ["bestmove a4a3"]
    assert Talk("d2d3", game="microchess")("position startpos", "go movetime 9") == ["bestmove d2d3"]


@pytest.mark.parametrize("name", ["microchess", "arenamicro", "MicroChess"])
def test_the_variant_can_be_chosen(name: str) -> None:
    talk = Talk("d2d3")
    assert talk(f"setoption name UCI_Variant value {name}", "position startpos", "go movetime 9") == ["bestmove d2d3"]
    assert talk.players[0].asked[0][0].start.startswith("knbr/")
    talk("setoption name UCI_Variant value chess", "position startpos", "go movetime 9")
    assert talk.players[1].asked[0][0].start.startswith("rnbqkbnr/")


def test_going_back_to_the_given_game_keeps_its_parameters() -> None:
    talk = Talk(game="chess:turns=2")
    talk("setoption name UCI_Variant value microchess", "setoption name UCI_Variant value chess")
    assert "turn-limit" in talk("position startpos moves e2e4 e7e5", "go movetime 9")[0]


def test_other_options_are_taken_and_unknown_variants_told() -> None:
    talk = Talk()
    assert talk("setoption name Hash value 16", "setoption name Clear Hash", "setoption", "setoption name") == []
    assert talk("setoption name UCI_Variant value atomic") == [
        "info string no variant 'atomic'; there are chess, microchess, arenamicro"
    ]
    assert len(talk("setoption name UCI_Variant")) == 1


@pytest.mark.parametrize(
    "line", ["", "hello", "d", "debug on", "register later", "ponderhit", "stop", "\x00\xff", "GO"]
)
def test_what_needs_no_answer_gets_none(line: str) -> None:
    assert Talk()(line) == []


def test_words_before_a_command_do_not_matter() -> None:
    assert Talk()("joho isready") == ["readyok"]


def test_searchmoves_is_told_to_be_unknown() -> None:
    told, answer = Talk("e2e4")("go movetime 9 searchmoves e2e4 d2d4")
    assert "searchmoves" in told
    assert answer == "bestmove e2e4"


def test_quit_ends() -> None:
    talk = Talk()
    assert talk("quit") == []
    assert talk.server.is_over
    assert talk.server.ends("quit")
    assert not talk.server.ends("stop")


@pytest.mark.parametrize("how", ["infinite", "ponder wtime 1000 btime 1000"])
@pytest.mark.parametrize("word", ["stop", "ponderhit"])
def test_an_endless_thought_is_answered_when_it_is_stopped(how: str, word: str) -> None:
    talk = Talk("e2e4")
    answers: list[str] = []
    assert talk.server.hear(f"go {how}") is None
    thread = threading.Thread(target=lambda: answers.extend(talk.server.handle(f"go {how}")))
    thread.start()
    while not talk.players or not talk.players[0].asked:
        thread.join(0.001)
    assert talk.server.hear("isready") == ("readyok",)
    assert answers == []
    assert talk.server.hear(word) == ()
    thread.join(30)
    assert answers == ["bestmove e2e4"]


def test_a_stop_that_was_read_before_the_thought_began_counts() -> None:
    talk = Talk("e2e4")
    talk.server.hear("go infinite")
    talk.server.hear("stop")
    assert list(talk.server.handle("go infinite")) == ["bestmove e2e4"]


def test_a_stop_does_not_count_for_a_later_thought() -> None:
    talk = Talk("e2e4", "d2d4")
    assert talk("stop", "go movetime 9", "stop") == ["bestmove e2e4"]
    talk.server.hear("go infinite")
    thread = threading.Thread(target=lambda: [*talk.server.handle("go infinite")])
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    talk.server.hear("stop")
    thread.join(30)
    assert not thread.is_alive()


def test_isready_behind_a_go_that_waits_is_answered_when_its_turn_comes() -> None:
    talk = Talk("e2e4")
    hear: Callable[[str], object] = talk.server.hear
    assert [hear("uci"), hear("go movetime 9"), hear("isready")] == [None, None, ()]
    assert list(talk.server.handle("go movetime 9")) == ["readyok", "bestmove e2e4"]
    assert hear("isready") is None
