"""Real processes and whole games for the tests of the protocols."""

import importlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.external.protocol import EngineProtocol
from agents.seat import Channel, History, Times
from games.base import Color, State

#: Enough for a game on a machine under heavy load.
GAME_SECONDS = 300.0


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Sequence[str]], Channel]]:
    """Starts a process and returns the channel to it; all processes are killed after the test."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    pipe_channel = importlib.import_module("pipe_channel")
    with ExitStack() as running:
        yield lambda command: running.enter_context(pipe_channel.PipeChannel(command))


@pytest.fixture(scope="session")
def whole_game() -> Callable[..., State]:
    """Plays a game of an engine against random moves; returns the last state. Random moves pass if the engine does."""

    def play(
        protocol: EngineProtocol, channel: Channel, start: State, color: Color, *, seed: int, seconds: float = 60.0
    ) -> State:
        rng, state, moves = random.Random(seed), start, tuple[str, ...]()
        times = Times(own=seconds, opponent=seconds, opponent_last_move=0.0)
        deadline = time.monotonic() + GAME_SECONDS
        protocol.begin(channel, color, start=start.text, seed=seed, deadline=deadline)
        while not state.is_game_over():
            if state.turn == color:
                move = protocol.ask(channel, History(start.text, moves, state), times, deadline)
            else:
                legal = [str(move) for move in state.legal_moves]
                move = "pass" if moves[-1:] == ("pass",) and "pass" in legal else rng.choice(legal)
            state = state.forward(state.parse(move))
            moves = (*moves, move)
        return state

    return play
