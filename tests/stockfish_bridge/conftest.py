"""Engines, false and true, for the tests of the bridge."""

import importlib.util
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest

import games
from agents.external.scripted import ScriptedChannel
from agents.seat import Channel, History, Times
from games.base import Game, Parameters
from stockfish_bridge.stockfish import Stockfish, plan

HERE = Path(__file__).parent


def helper(path: Path) -> ModuleType:
    """A module beside the tests: they are no package."""
    name = f"bridge_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def microchess() -> Game:
    return games.load("microchess")


@pytest.fixture(scope="session")
def chess_game() -> Game:
    return games.load("chess")


@pytest.fixture
def times() -> Times:
    return Times(own=100.0, opponent=90.0, opponent_last_move=1.0)


@pytest.fixture(scope="session")
def scripted() -> Callable[..., ScriptedChannel]:
    """A channel to a fake engine; takes what the engine takes."""
    return lambda *search, **settings: ScriptedChannel(helper(HERE / "fake.py").FakeEngine(*search, **settings))


@pytest.fixture(scope="session")
def castler() -> type:
    return helper(HERE / "castler.py").Castler


@pytest.fixture(scope="session")
def history() -> Callable[..., History]:
    """A game from its start, or from a position, and moves."""

    def made(game: Game, *moves: str, start: str | None = None) -> History:
        text = game.start().text if start is None else start
        state = game.position(text)
        for move in moves:
            state = state.forward(state.parse(move))
        return History(text, moves, state)

    return made


class Engine:
    """A real engine that has been greeted."""

    def __init__(self, game: Game, options: Parameters, channel: Channel) -> None:
        self.game, self.channel = game, channel
        self.dialect = Stockfish(game, options)
        self.dialect.greet(channel, time.monotonic() + 60)

    def begin(self, color: bool) -> None:
        start = self.game.start().text
        self.dialect.begin(self.channel, color, start=start, seed=1, deadline=time.monotonic() + 60)

    def ask(self, history: History) -> str:
        times = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)
        return self.dialect.ask(self.channel, history, times, time.monotonic() + 60)


@pytest.fixture(scope="module")
def engine() -> Iterator[Callable[..., Engine]]:
    """Starts the engine of an entrant; one process per game and options, all killed at the end."""
    real = helper(HERE.parent / "agents" / "external" / "real.py")
    known: dict[tuple[str, str], Engine] = {}
    with ExitStack() as running:

        def started(game: Game, **options: int | str) -> Engine:
            key = (game.name, repr(options))
            if key not in known:
                made = plan(game, options)
                known[key] = Engine(game, made.options, running.enter_context(real.PipeChannel(made.command)))
            return known[key]

        yield started


@pytest.fixture(scope="session")
def walk() -> Callable[[Game, int], Iterator]:
    """All states of a random game; the seed decides the moves."""

    def states(game: Game, seed: int) -> Iterator:
        rng = random.Random(seed)
        state = game.start()
        yield state
        while moves := list(state.legal_moves):
            state = state.forward(rng.choice(moves))
            yield state

    return states
