"""The GTP server, line by line and without processes."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from agents.seat import Fault
from arena.engine.gtp import GtpServer
from games.base import BLACK, load

REQUIRED = (
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
    "komi", "play", "genmove",
)  # fmt: skip
SERVER = GtpServer
GAME = "go"
TalkTo = Callable[..., Any]  # the fixture `talk_to` of conftest.py


def read_reply(reply: str) -> str:
    """A reply without the empty line that ends it."""
    assert reply.endswith("\n")
    assert "\n\n" not in reply
    return reply.removesuffix("\n").rstrip(" ")


def test_it_reports_its_name_and_version(talk_to: TalkTo) -> None:
    assert talk_to()("protocol_version", "name", "version") == ["= 2", "= arena scripted", "= 1.0"]


def test_it_lists_all_commands_that_gtp_requires(talk_to: TalkTo) -> None:
    talk = talk_to()
    (listed,) = talk("list_commands")
    assert set(REQUIRED) <= set(listed.removeprefix("= ").split("\n"))
    for name in listed.removeprefix("= ").split("\n"):
        assert talk(f"known_command {name}") == ["= true"]
    assert talk("known_command loadsgf", "known_command") == ["= false", "= false"]
    assert talk("loadsgf x") == ["? unknown command"]


def test_a_reply_has_the_number_of_its_command(talk_to: TalkTo) -> None:
    assert talk_to()("17 protocol_version", "18 foo", "007 komi", "5") == [
        "=17 2", "?18 unknown command", "?007 syntax error", "?5 unknown command",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["", "   ", "# a comment", "\t#", "\r", "\x07"])
def test_comments_and_empty_lines_are_ignored(talk_to: TalkTo, line: str) -> None:
    assert talk_to()(line) == []


def test_tabs_control_characters_and_trailing_comments_are_ignored(talk_to: TalkTo) -> None:
    assert talk_to()("1\tprotocol_version\r", "2  play \t b\td4 # the centre", "\x07name") == [
        "=1 2", "=2", "= arena scripted",
    ]  # fmt: skip


def test_quit_is_answered_and_ends_the_conversation(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("3 quit") == ["=3"]
    assert talk.server.is_over


def test_a_game_of_go(talk_to: TalkTo) -> None:
    talk = talk_to("F5", "pass")
    assert talk("boardsize 7", "komi 5.5", "clear_board", "play black D4", "genmove white") == [*["="] * 4, "= F5"]
    assert talk("play b e5", "genmove w") == ["=", "= pass"]
    history = talk.players[0].asked[1][0]
    assert history.moves == ("D4", "F5", "E5")
    assert len(talk.players) == 1


def test_showboard_contains_no_empty_line(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("boardsize 5", "play b a1", "play w e5", "showboard")[-1] == (
        "= \n5 . . . . O\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 X . . . .\n  A B C D E"
    )


@pytest.mark.parametrize("size", [1, 5, 9, 19])
def test_supported_board_sizes(talk_to: TalkTo, size: int) -> None:
    talk = talk_to("pass")
    assert talk(f"boardsize {size}", "genmove b") == ["=", "= pass"]
    assert talk.players[0].asked[0][0].start.count("/") == size - 1


def test_unsupported_board_sizes_are_refused(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("boardsize 0", "boardsize 20", "boardsize 99999") == ["? unacceptable size"] * 3
    assert talk("boardsize", "boardsize x", "boardsize -5", "boardsize 9.5") == ["? syntax error"] * 4
    assert talk_to(game="othello")("boardsize 8", "boardsize 9") == ["=", "? unacceptable size"]


def test_komi_changes_the_score_and_keeps_the_moves(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("boardsize 5", "play b c3", "komi 0.5", "final_score") == ["=", "=", "=", "= B+24.5"]
    assert talk("komi 25", "final_score") == ["=", "= 0"]
    assert talk("komi 26.5", "final_score", "undo", "final_score") == ["=", "= W+1.5", "=", "= W+26.5"]
    assert talk("komi", "komi x") == ["? syntax error"] * 2
    assert talk("komi 1e9", "komi nan", "komi inf") == ["? unacceptable komi"] * 3


@pytest.mark.parametrize("words", ["", "b", "x d4", "b 44", "b i5", "d4", "b d44444", "b resign", "4 b"])
def test_a_move_that_cannot_be_read_is_a_syntax_error(talk_to: TalkTo, words: str) -> None:
    assert talk_to()(f"play {words}") == ["? syntax error"]


def test_an_illegal_move_is_refused(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("play b d4", "play w d4", "play w t19", "play w d0") == ["=", *["? illegal move"] * 3]


def test_superko_is_an_illegal_move(talk_to: TalkTo) -> None:
    ko = ["b b2", "w c2", "b a1", "w d1", "b c1", "w b1"]  # White takes c1; taking back would repeat the board
    talk = talk_to()
    assert talk("boardsize 5", *(f"play {move}" for move in ko), "play b c1") == [*["="] * 7, "? illegal move"]


def test_undo_takes_back_moves_one_by_one(talk_to: TalkTo) -> None:
    talk = talk_to("F5", "G5")
    assert talk("play b d4", "genmove w", "undo", "undo", "undo") == ["=", "= F5", "=", "=", "? cannot undo"]
    assert talk("genmove b") == ["= A9"]


def test_when_a_side_moves_twice_the_other_side_has_passed(talk_to: TalkTo) -> None:
    talk = talk_to("F5")
    assert talk("play b d4", "play b e4", "play b f4", "genmove w") == ["=", "=", "=", "= F5"]
    assert talk.players[0].asked[0][0].moves == ("D4", "pass", "E4", "pass", "F4")


def test_a_game_can_continue_after_its_end(talk_to: TalkTo) -> None:
    talk = talk_to("F5")
    assert talk("play b d4", "play w pass", "play b pass", "genmove w") == ["=", "=", "=", "= pass"]
    assert talk.players == []
    assert talk("play w e5", "undo", "undo", "undo", "genmove b") == ["=", "=", "=", "=", "= F5"]


def test_a_pass_out_of_turn_does_not_end_the_game(talk_to: TalkTo) -> None:
    talk = talk_to("F5")
    assert talk("play b d4", "play w pass", "play w e5", "genmove b") == ["=", "=", "=", "= F5"]
    assert talk.players[0].asked[0][0].state.text.count("O") == 1


def test_a_fault_is_a_failure_and_changes_nothing(talk_to: TalkTo) -> None:
    talk = talk_to(Fault("exception", "ValueError: no\n\nmove"))
    assert talk("play b d4", "1 genmove w") == [
        "=", r"?1 the agent broke the rule 'exception': ValueError: no\x0a\x0amove",
    ]  # fmt: skip
    assert talk("genmove w", "undo", "undo", "undo") == ["= A9", "=", "=", "? cannot undo"]


def test_genmove_needs_a_colour(talk_to: TalkTo) -> None:
    assert talk_to()("genmove", "genmove x") == ["? syntax error"] * 2


def test_without_time_settings_the_agent_gets_its_budget(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("genmove b")
    assert talk.own == [60.0]


def test_main_time_is_counted_down_until_time_left_is_sent(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("time_settings 30 0 0", "genmove b", "play w a1", "genmove b", "time_left b 12 0", "play w a2", "genmove b")
    assert talk.own == [30.0, 29.0, 12.0]
    talk("clear_board", "genmove b")
    assert talk.own[-1] == 30.0


@pytest.mark.parametrize(
    ("settings", "own"), [("0 10 2", 5.0), ("3 10 1", 10.0), ("0 10 0", 60.0), ("30 10 0", 60.0), ("0 0 0", 60.0)]
)
def test_byo_yomi_gives_the_time_of_one_stone(talk_to: TalkTo, settings: str, own: float) -> None:
    talk = talk_to()
    talk(f"time_settings {settings}", "genmove b")
    assert talk.own == [own]


def test_the_agent_gets_the_clock_of_the_opponent(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("time_settings 30 0 0", "time_left w 7 0", "time_left b 0 0", "genmove b")
    (times,) = [times for _, times in talk.players[0].asked]
    assert (times.own, times.opponent) == (0.01, 7.0)


def test_times_that_cannot_be_read_are_syntax_errors(talk_to: TalkTo) -> None:
    lines = ("time_settings", "time_settings 1 2", "time_settings a b c", "time_left", "time_left b", "time_left x 1 0")
    assert talk_to()(*lines) == ["? syntax error"] * 6


def test_set_game_accepts_the_served_game_only(talk_to: TalkTo) -> None:
    assert talk_to()("list_games", "set_game Go", "set_game Othello") == ["= Go", "=", "? unsupported game"]
    assert talk_to(game="othello")("list_games", "set_game Othello") == ["= Othello", "="]


def test_a1_is_the_top_left_in_othello(talk_to: TalkTo) -> None:
    talk = talk_to("C5", game="othello")
    assert talk("play black D3", "genmove white") == ["=", "= C5"]
    assert talk("showboard")[0].split("\n")[1:7] == [
        "  a b c d e f g h", "1 . . . . . . . .", "2 . . . . . . . .", "3 . . . X . . . .", "4 . . . X X . . .",
        "5 . . O O O . . .",
    ]  # fmt: skip


def test_a_pass_with_legal_moves_is_illegal_in_othello(talk_to: TalkTo) -> None:
    talk = talk_to(game="othello")
    assert talk("play w d6", "play b pass", "komi 3", "play b d3") == ["? illegal move", "? illegal move", "=", "="]
    assert talk("genmove b") == ["? it is the other side's turn"]


@pytest.mark.parametrize("sends_passes", [True, False])
def test_a_forced_pass_in_othello_need_not_be_sent(talk_to: TalkTo, sends_passes: bool) -> None:
    game = load("othello")
    rng = random.Random(2)
    state, talk, passes = game.start(), talk_to(game="othello"), 0
    while not state.is_game_over() or not passes:
        if state.is_game_over():
            state = game.start()
            talk("clear_board")
        move = rng.choice([*state.legal_moves])
        passes += move == "pass"
        if sends_passes or move != "pass":
            assert talk(f"play {'b' if state.turn == BLACK else 'w'} {move}") == ["="]
        state = state.forward(move)
    (score,) = talk("final_score")
    margin = state.adjudicate().margin
    assert margin is not None
    ahead = margin.first - margin.second
    assert score == f"= {'B' if ahead > 0 else 'W'}+{abs(ahead):g}"
    assert talk("genmove b") == ["= pass"]


def test_no_line_is_answered_out_of_turn(talk_to: TalkTo) -> None:
    server = talk_to().server
    for line in ("genmove b", "quit", "1 quit", ""):
        assert server.reply_at_once(line) is None
        assert not server.is_quit(line)
