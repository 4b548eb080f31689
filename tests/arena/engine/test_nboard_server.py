"""The NBoard server, line by line and without processes."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from agents.external.nboard import NBoard
from agents.external.nboard_syntax import GameText
from agents.external.protocol import ScriptedChannel
from agents.seat import Fault, History, Times
from arena.engine.nboard import NBoardServer
from arena.referee.reports import AgentReport
from games.base import BLACK, load

SERVER = NBoardServer
GAME = "othello"
TalkTo = Callable[..., Any]  # the fixture `talk_to` of conftest.py
START = load(GAME).start().text


def test_it_names_itself_and_answers_pings(talk_to: TalkTo) -> None:
    assert talk_to()("nboard 2", "ping 7", "learn") == ["set myname arena scripted", "pong 7", "learned"]


def test_it_moves_in_the_game_that_it_is_sent(talk_to: TalkTo) -> None:
    talk = talk_to("c5")
    assert talk("nboard 2", "set depth 4", f"set game {GameText(START, ('d3',))}", "go")[1:] == [
        "status thinking", "=== C5/0.00/1.000", "status waiting",
    ]  # fmt: skip
    history = talk.players[0].asked[0][0]
    assert (history.start, history.moves) == (START, ("d3",))


def test_moves_continue_the_game(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk(f"set game {GameText(START)}", "move F5/0.00/1.0", "move d6//", "go")[1].startswith("=== ")
    assert talk.players[0].asked[0][0].moves == ("f5", "d6")


def test_a_hint_is_one_line_with_what_the_agent_said(talk_to: TalkTo) -> None:
    talk = talk_to("d3")
    assert talk("hint 3") == ["status thinking", "search d3 0.00 0 1", "status waiting"]
    talk.server.session.on_report(AgentReport(value=0.75, line=("d3", "c5"), depth=9))
    assert talk.server._discs() == 32


def test_the_depth_is_a_limit_of_the_search(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("set depth 12", "set depth x", "set contempt 3")
    assert talk.server._limits.depth == 12


@pytest.mark.parametrize("line", ["set game nonsense", "move Z9", "move a1"])
def test_what_cannot_be_read_is_reported_in_one_line(talk_to: TalkTo, line: str) -> None:
    (reply,) = talk_to()(line)
    assert reply.startswith("status ")


def test_a_fault_is_reported_and_gets_no_move(talk_to: TalkTo) -> None:
    assert talk_to(Fault("exception", "ValueError"))("go") == [
        "status thinking", "status the agent broke the rule 'exception': ValueError",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["", "hello", "analyze", "set", "\x00"])
def test_unknown_lines_are_ignored(talk_to: TalkTo, line: str) -> None:
    assert talk_to()(line) == []


def test_our_adapter_and_our_server_play_a_whole_game_with_each_other(talk_to: TalkTo) -> None:
    talk, game, rng = talk_to(), load(GAME), random.Random(4)
    channel = ScriptedChannel(lambda line: talk(line))
    protocol, state = NBoard(game, {}), game.start()
    protocol.greet(channel, 1e12)
    assert protocol.name == "arena scripted"
    protocol.begin(channel, BLACK, start=state.text, seed=1, deadline=1e12)
    moves: tuple[str, ...] = ()
    times = Times(own=9.0, opponent=9.0, opponent_last_move=0.0)
    while not state.is_game_over():
        answer = protocol.ask(channel, History(START, moves, state), times, 1e12)
        move = answer if state.turn == BLACK else str(rng.choice(list(state.legal_moves)))
        state, moves = state.forward(state.parse(move)), (*moves, move)
    assert state.ending is not None
    assert len(moves) > 50


def test_quit_ends_the_conversation(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("quit") == []
    assert talk.server.is_over
    assert talk.server.is_quit("quit")
