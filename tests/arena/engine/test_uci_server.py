"""The UCI server, line by line and without processes."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from agents.base import Limits
from agents.seat import Fault
from arena.engine.uci import UciServer, _limits, _times
from arena.referee.reports import AgentReport
from games.base import WHITE
from stockfish_bridge.uci_syntax import Go

SERVER = UciServer
GAME = "chess"
#: Every answer has a line about the search; the tests below look at the others.
SKIP = "info depth"
TalkTo = Callable[..., Any]  # the fixture `talk_to` of conftest.py


def test_uci_is_answered_with_name_option_and_uciok(talk_to: TalkTo) -> None:
    assert talk_to()("uci") == [
        "id name arena scripted 1.0",
        "id author the author of the agent, served by arena",
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name UCI_Variant type combo default chess var chess var microchess var arenamicro",
        "uciok",
    ]


def test_the_default_variant_is_the_served_game(talk_to: TalkTo) -> None:
    assert any(" default microchess " in line for line in talk_to(game="microchess")("uci"))


def test_isready_is_answered(talk_to: TalkTo) -> None:
    assert talk_to()("isready", "ucinewgame", "isready") == ["readyok", "readyok"]


def test_it_moves_in_the_start_position(talk_to: TalkTo) -> None:
    assert talk_to("e2e4")("position startpos", "go movetime 100") == ["bestmove e2e4"]


def test_without_a_position_it_moves_in_the_start_position(talk_to: TalkTo) -> None:
    assert talk_to("e2e4")("go movetime 100") == ["bestmove e2e4"]


def test_it_moves_after_moves(talk_to: TalkTo) -> None:
    talk = talk_to("e7e5", "b8c6")
    assert talk("position startpos moves e2e4", "go nodes 1") == ["bestmove e7e5"]
    assert talk("position startpos moves e2e4 e7e5 g1f3", "go depth 1") == ["bestmove b8c6"]
    assert len(talk.players) == 1
    assert talk.players[0].asked[1][0].moves == ("e2e4", "e7e5", "g1f3")


def test_it_moves_after_a_fen_and_moves(talk_to: TalkTo) -> None:
    talk = talk_to("a7a8q")
    assert talk("position fen 8/P6k/8/8/8/8/8/K7 w - - 3 40 moves a1a2 h7h6", "go movetime 9") == ["bestmove a7a8q"]
    history = talk.players[0].asked[0][0]
    assert history.start == "8/P6k/8/8/8/8/8/K7 w - - 3 40"
    assert history.moves == ("a1a2", "h7h6")


def test_a_fen_without_counters_is_accepted(talk_to: TalkTo) -> None:
    assert talk_to("a7a8q")("position fen 8/P6k/8/8/8/8/8/K7 w - -", "go movetime 9") == ["bestmove a7a8q"]


@pytest.mark.parametrize(
    "words", ["", "nonsense", "fen", "fen 8/8 w", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "startpos e2e4"]
)
def test_an_invalid_position_is_reported_and_gets_no_move(talk_to: TalkTo, words: str) -> None:
    talk = talk_to("e2e4")
    (reply,) = talk(f"position {words}")
    assert reply.startswith("info string ")
    assert talk("go movetime 9") == ["info string there is no valid position", "bestmove (none)"]
    assert talk("position startpos", "go movetime 9") == ["bestmove e2e4"]


@pytest.mark.parametrize("moves", ["e2e5", "e2e4 e2e4", "0000", "hello", "e2e4 e7e5 \x1b[31m"])
def test_an_illegal_move_is_reported_and_gets_no_move(talk_to: TalkTo, moves: str) -> None:
    talk = talk_to("d2d4")
    (reply,) = talk(f"position startpos moves {moves}")
    assert reply.startswith("info string ")
    assert reply.isprintable()
    assert talk("go movetime 9")[-1] == "bestmove (none)"
    assert talk("position startpos", "go movetime 9") == ["bestmove d2d4"]


def test_after_an_illegal_continuation_the_game_is_read_again(talk_to: TalkTo) -> None:
    talk = talk_to("e7e5", "c7c5")
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
def test_the_agent_gets_the_clock(talk_to: TalkTo, words: str, own: float) -> None:
    talk = talk_to("e2e4")
    assert talk("position startpos", f"go {words}") == ["bestmove e2e4"]
    assert talk.own == [own]


def test_black_gets_its_own_clock(talk_to: TalkTo) -> None:
    talk = talk_to("e7e5")
    talk("position startpos moves e2e4", "go wtime 5000 btime 3000")
    assert (talk.players[0].asked[0][1].own, talk.players[0].asked[0][1].opponent) == (3.0, 5.0)


def test_a_fault_is_reported_and_gets_no_move(talk_to: TalkTo) -> None:
    talk = talk_to(Fault("exception", "ValueError: no\x1b[0m\nmove"))
    assert talk("position startpos", "go movetime 9") == [
        r"info string the agent broke the rule 'exception': ValueError: no\x1b[0m\x0amove",
        "bestmove (none)",
    ]
    assert talk("go movetime 9")[0].startswith("bestmove ")


def test_an_illegal_answer_gets_no_move(talk_to: TalkTo) -> None:
    reply, answer = talk_to("e2e5")("go movetime 9")
    assert reply.startswith("info string the agent broke the rule 'illegal-move': 'e2e5'")
    assert answer == "bestmove (none)"


def test_a_game_that_is_over_has_no_move(talk_to: TalkTo) -> None:
    mated = "position startpos moves f2f3 e7e5 g2g4 d8h4"
    assert talk_to()(mated, "go movetime 9") == ["info string the game is over: checkmate", "bestmove (none)"]


def test_a_new_game_has_a_new_player(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("position startpos", "go movetime 9", "ucinewgame", "position startpos", "go movetime 9")
    assert len(talk.players) == 2


def test_microchess_positions_are_read_in_both_forms(talk_to: TalkTo) -> None:
    for fen in ("knbr/p3/4/3P/RBNK w Qk - 0 1", "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1"):
        talk = talk_to("a4a3", game="microchess")
        assert talk(f"position fen {fen} moves d2d3", "go movetime 9") == ["bestmove a4a3"]
    assert talk_to("d2d3", game="microchess")("position startpos", "go movetime 9") == ["bestmove d2d3"]


@pytest.mark.parametrize("name", ["microchess", "arenamicro", "MicroChess"])
def test_the_variant_can_be_chosen(talk_to: TalkTo, name: str) -> None:
    talk = talk_to("d2d3")
    assert talk(f"setoption name UCI_Variant value {name}", "position startpos", "go movetime 9") == ["bestmove d2d3"]
    assert talk.players[0].asked[0][0].start.startswith("knbr/")
    talk("setoption name UCI_Variant value chess", "position startpos", "go movetime 9")
    assert talk.players[1].asked[0][0].start.startswith("rnbqkbnr/")


def test_returning_to_the_served_game_keeps_its_parameters(talk_to: TalkTo) -> None:
    talk = talk_to(game="chess:turns=2")
    talk("setoption name UCI_Variant value microchess", "setoption name UCI_Variant value chess")
    assert "turn-limit" in talk("position startpos moves e2e4 e7e5", "go movetime 9")[0]


def test_other_options_are_ignored_and_unknown_variants_reported(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("setoption name Hash value 16", "setoption name Clear Hash", "setoption", "setoption name") == []
    assert talk("setoption name UCI_Variant value atomic") == [
        "info string unknown variant 'atomic'; the variants are chess, microchess, arenamicro"
    ]
    assert len(talk("setoption name UCI_Variant")) == 1


@pytest.mark.parametrize(
    "line", ["", "hello", "d", "debug on", "register later", "ponderhit", "stop", "\x00\xff", "GO"]
)
def test_unknown_lines_are_ignored(talk_to: TalkTo, line: str) -> None:
    assert talk_to()(line) == []


def test_words_before_a_command_are_ignored(talk_to: TalkTo) -> None:
    assert talk_to()("joho isready") == ["readyok"]


def test_an_agent_that_says_nothing_still_has_a_line_with_a_score(talk_to: TalkTo) -> None:
    line, answer = talk_to("e2e4", skip="\0")("go movetime 9")
    assert line == "info depth 1 score cp 0 nodes 0 nps 0 time 1000 pv e2e4"
    assert answer == "bestmove e2e4"


def test_what_the_agent_says_is_sent_at_once(talk_to: TalkTo) -> None:
    talk, written = talk_to("e2e4", skip="\0"), []
    talk.server.write = written.append
    talk.server.session.on_report(AgentReport(value=0.64, line=("e2e4", "e7e5"), nodes=500, depth=7))
    assert written == ["info depth 7 score cp 100 nodes 500 nps 500 time 1000 pv e2e4 e7e5"]
    talk.server.session.on_report(AgentReport(text="hello"))
    assert len(written) == 1


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("depth 2", Limits(depth=2, until_stopped=True)),
        ("nodes 500", Limits(nodes=500, until_stopped=True)),
        ("infinite", Limits(until_stopped=True)),
        ("depth 2 wtime 5000 btime 5000", Limits(depth=2)),
        ("movetime 1000", Limits(seconds=0.98)),
        ("wtime 5000 btime 5000", Limits()),
        ("depth 0 nodes -3", Limits()),
        ("", Limits()),
    ],
)
def test_the_limits_of_a_search_are_those_of_the_command(words: str, limits: Limits) -> None:
    go = Go.read(words.split())
    assert _limits(go, _times(go, WHITE)) == limits


def test_searchmoves_is_reported_as_unsupported(talk_to: TalkTo) -> None:
    reply, answer = talk_to("e2e4")("go movetime 9 searchmoves e2e4 d2d4")
    assert "searchmoves" in reply
    assert answer == "bestmove e2e4"


def test_quit_ends_the_conversation(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("quit") == []
    assert talk.server.is_over
    assert talk.server.is_quit("quit")
    assert not talk.server.is_quit("stop")


@pytest.mark.parametrize("how", ["infinite", "ponder wtime 1000 btime 1000"])
@pytest.mark.parametrize("word", ["stop", "ponderhit"])
def test_an_infinite_search_is_answered_after_stop(talk_to: TalkTo, how: str, word: str) -> None:
    talk = talk_to("e2e4")
    answers: list[str] = []
    assert talk.server.reply_at_once(f"go {how}") is None
    thread = threading.Thread(target=lambda: answers.extend(talk.server.reply(f"go {how}")))
    thread.start()
    while not talk.players or not talk.players[0].asked:
        thread.join(0.001)
    assert talk.server.reply_at_once("isready") == ("readyok",)
    assert not [line for line in answers if line.startswith("bestmove")]
    assert talk.server.reply_at_once(word) == ()
    thread.join(30)
    assert answers == ["info depth 1 score cp 0 nodes 0 nps 0 time 1000 pv e2e4", "bestmove e2e4"]


def test_a_stop_that_was_read_before_the_search_began_counts(talk_to: TalkTo) -> None:
    talk = talk_to("e2e4")
    talk.server.reply_at_once("go infinite")
    talk.server.reply_at_once("stop")
    assert list(talk.server.reply("go infinite"))[-1] == "bestmove e2e4"


def test_a_stop_does_not_count_for_a_later_search(talk_to: TalkTo) -> None:
    talk = talk_to("e2e4", "d2d4")
    assert talk("stop", "go movetime 9", "stop") == ["bestmove e2e4"]
    talk.server.reply_at_once("go infinite")
    thread = threading.Thread(target=lambda: [*talk.server.reply("go infinite")])
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    talk.server.reply_at_once("stop")
    thread.join(30)
    assert not thread.is_alive()


def test_isready_after_a_waiting_go_is_answered_when_the_search_begins(talk_to: TalkTo) -> None:
    talk = talk_to("e2e4")
    at_once: Callable[[str], object] = talk.server.reply_at_once
    assert [at_once("uci"), at_once("go movetime 9"), at_once("isready")] == [None, None, ()]
    ready, _, answer = talk.server.reply("go movetime 9")
    assert (ready, answer) == ("readyok", "bestmove e2e4")
    assert at_once("isready") is None
