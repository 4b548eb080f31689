"""The NYPC server, line by line and without processes."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from agents.seat import Fault
from arena.engine.nypc import NypcServer
from arena.engine.session import NoMove
from games.base import BLACK, WHITE, load

MUSHROOM = load("mushroom")
ROWS = MUSHROOM.start(1).text.split()[0].split("/")
INIT = f"INIT {' '.join(ROWS)}"
MOVE = str(MUSHROOM.start(1).legal_moves[0])
PASSING = "-1 -1 -1 -1"
SERVER = NypcServer
GAME = "mushroom"
TalkTo = Callable[..., Any]  # the fixture `talk_to` of conftest.py


def test_the_first_player_moves_at_the_start(talk_to: TalkTo) -> None:
    talk = talk_to(MOVE)
    assert talk("READY FIRST", INIT, "TIME 10000 10000") == ["OK", MOVE]
    assert talk.players[0].colors == [WHITE]
    assert talk.players[0].asked[0][0].start == f"{'/'.join(ROWS)} A 0"


def test_the_second_player_moves_after_the_opponent(talk_to: TalkTo) -> None:
    talk = talk_to(PASSING)
    assert talk("READY SECOND", INIT, f"OPP {MOVE} 120", "TIME 9500 9880") == ["OK", PASSING]
    assert talk.players[0].colors == [BLACK]
    history, times = talk.players[0].asked[0]
    assert history.moves == (MOVE,)
    assert (times.own, times.opponent, times.opponent_last_move) == (9.5, 9.88, 0.12)


def test_the_agent_starts_before_its_clock_runs(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("READY SECOND", INIT)
    assert len(talk.players) == 1
    assert talk(f"OPP {PASSING} 1", "TIME 1 1")
    assert len(talk.players) == 1
    assert talk.players[0].asked[0][1].own == 0.01


def test_finish_ends_the_conversation(talk_to: TalkTo) -> None:
    talk = talk_to(PASSING)
    assert talk("READY FIRST", INIT, "TIME 100 100", f"OPP {PASSING} 5", "FINISH", "") == ["OK", PASSING]
    assert talk.server.is_over


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("INIT 123", "INIT without a valid board: "), (f"{INIT} 1", "INIT without a valid board: "),
        ("INIT", "INIT without a valid board"), ("TIME 100 100", "INIT must come first"),
        (f"OPP {PASSING} 5", "INIT must come first"), ("TIME x 1", "cannot read"), ("TIME 100", "cannot read"),
        ("READY", "cannot read"), ("READY THIRD", "cannot read"), ("hello", "cannot read"),
    ],
)  # fmt: skip
def test_an_unreadable_line_raises_no_move(talk_to: TalkTo, line: str, words: str) -> None:
    with pytest.raises(NoMove, match=words):
        talk_to()(line)


@pytest.mark.parametrize("move", ["0 0 9 16", "0 0 0 0", "9 9 1 1", "-1 -1 -1 0", "99 99 99 99"])
def test_an_illegal_move_of_the_opponent_raises_no_move(talk_to: TalkTo, move: str) -> None:
    with pytest.raises(NoMove, match="the opponent's move is not legal"):
        talk_to()("READY SECOND", INIT, f"OPP {move} 5")


def test_a_fault_raises_no_move(talk_to: TalkTo) -> None:
    with pytest.raises(NoMove, match="broke the rule 'exception': ValueError"):
        talk_to(Fault("exception", "ValueError"))("READY FIRST", INIT, "TIME 100 100")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seat", ["FIRST", "SECOND"])
def test_whole_games_follow_the_rules(talk_to: TalkTo, seed: int, seat: str) -> None:
    rng = random.Random(seed)
    talk, state = talk_to(), MUSHROOM.start(seed)
    assert talk(f"READY {seat}", f"INIT {state.text.split()[0].replace('/', ' ')}") == ["OK"]
    while not state.is_game_over():
        if (state.turn == MUSHROOM.first) == (seat == "FIRST"):
            (move,) = talk("TIME 5000 5000")
        else:
            move = str(rng.choice([*state.legal_moves]))
            assert talk(f"OPP {move} 7") == []
        state = state.forward(state.parse(move))
    assert talk("FINISH") == []
    assert talk.server.is_over
    assert len(talk.players) == 1


def test_no_line_is_answered_out_of_turn(talk_to: TalkTo) -> None:
    server = talk_to().server
    for line in ("READY FIRST", INIT, "TIME 1 1", "FINISH", ""):
        assert server.reply_at_once(line) is None
        assert not server.is_quit(line)
