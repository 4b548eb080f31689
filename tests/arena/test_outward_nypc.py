"""The protocol of the NYPC code battle, spoken as a program that takes part, without processes."""

import random

import pytest

from agents.seat import Answer, Fault
from arena.engine.desk import Desk, NoMove
from arena.engine.nypc import NypcServer
from arena.engine.title import Title
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, WHITE, load

GAME = load("mushroom")
ROWS = GAME.start(1).text.split()[0].split("/")
INIT = f"INIT {' '.join(ROWS)}"
MOVE = str(GAME.start(1).legal_moves[0])
PASSING = "-1 -1 -1 -1"


class Talk:
    """A server with a scripted player."""

    def __init__(self, *script: str | Answer | Exception) -> None:
        self.players: list[ScriptedPlayer] = []
        self._script = list(script)
        self.server = NypcServer(Desk(self._seat, seconds=10.0), GAME, Title("scripted", "1.0"))

    def _seat(self) -> ScriptedPlayer:
        self.players.append(ScriptedPlayer(iter(self._script) if not self.players else ()))
        return self.players[-1]

    def __call__(self, *lines: str) -> list[str]:
        answers: list[str] = []
        for line in lines:
            assert self.server.hear(line) is None
            assert not self.server.ends(line)
            answers.extend(self.server.handle(line))
        return answers


def test_first_moves_first() -> None:
    talk = Talk(MOVE)
    assert talk("READY FIRST", INIT, "TIME 10000 10000") == ["OK", MOVE]
    assert talk.players[0].colors == [WHITE]
    assert talk.players[0].asked[0][0].start == f"{'/'.join(ROWS)} A 0"


def test_second_moves_after_the_opponent() -> None:
    talk = Talk(PASSING)
    assert talk("READY SECOND", INIT, f"OPP {MOVE} 120", "TIME 9500 9880") == ["OK", PASSING]
    assert talk.players[0].colors == [BLACK]
    history, times = talk.players[0].asked[0]
    assert history.moves == (MOVE,)
    assert (times.own, times.opponent, times.opponent_last_move) == (9.5, 9.88, 0.12)


def test_the_agent_is_seated_before_its_clock_runs() -> None:
    talk = Talk()
    talk("READY SECOND", INIT)
    assert len(talk.players) == 1
    assert talk(f"OPP {PASSING} 1", "TIME 1 1")
    assert len(talk.players) == 1
    assert talk.players[0].asked[0][1].own == 0.01


def test_it_ends_with_the_game() -> None:
    talk = Talk(PASSING)
    assert talk("READY FIRST", INIT, "TIME 100 100", f"OPP {PASSING} 5", "FINISH", "") == ["OK", PASSING]
    assert talk.server.is_over


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("INIT 123", "no board to play on: "), (f"{INIT} 1", "no board to play on: "), ("INIT", "no board to play on"),
        ("TIME 100 100", "INIT comes first"), (f"OPP {PASSING} 5", "INIT comes first"), ("TIME x 1", "cannot read"),
        ("TIME 100", "cannot read"), ("READY", "cannot read"), ("READY THIRD", "cannot read"), ("hello", "cannot read"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_ends_it(line: str, words: str) -> None:
    with pytest.raises(NoMove, match=words):
        Talk()(line)


@pytest.mark.parametrize("move", ["0 0 9 16", "0 0 0 0", "9 9 1 1", "-1 -1 -1 0", "99 99 99 99"])
def test_an_opponents_move_that_is_none_ends_it(move: str) -> None:
    with pytest.raises(NoMove, match="the opponent's move is none"):
        Talk()("READY SECOND", INIT, f"OPP {move} 5")


def test_a_fault_ends_it() -> None:
    with pytest.raises(NoMove, match="broke the rule 'exception': ValueError"):
        Talk(Fault("exception", "ValueError"))("READY FIRST", INIT, "TIME 100 100")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seat", ["FIRST", "SECOND"])
def test_whole_games_keep_to_the_rules(seed: int, seat: str) -> None:
    rng = random.Random(seed)
    talk, state = Talk(), GAME.start(seed)
    assert talk(f"READY {seat}", f"INIT {state.text.split()[0].replace('/', ' ')}") == ["OK"]
    while not state.is_game_over():
        if (state.turn == GAME.first) == (seat == "FIRST"):
            (move,) = talk("TIME 5000 5000")
        else:
            move = str(rng.choice([*state.legal_moves]))
            assert talk(f"OPP {move} 7") == []
        state = state.forward(state.parse(move))
    assert talk("FINISH") == []
    assert talk.server.is_over
    assert len(talk.players) == 1
