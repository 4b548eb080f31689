"""Scripted and real engines for the tests of the bridge."""

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest

import games
from agents.external.protocol import ScriptedChannel
from agents.seat import Channel, History, Times
from games.base import Game, Parameters, State
from games.errors import BadPosition
from stockfish_bridge.stockfish import Stockfish, plan

HERE = Path(__file__).parent


def helper(path: Path) -> ModuleType:
    """A module beside the tests, loaded by path: the tests are not a package."""
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
    """A channel to a fake engine; takes the arguments of `FakeEngine`."""
    return lambda *search, **settings: ScriptedChannel(helper(HERE / "fake.py").FakeEngine(*search, **settings))


@pytest.fixture(scope="session")
def castler() -> type:
    return helper(HERE / "castler.py").Castler


@pytest.fixture(scope="session")
def history() -> Callable[..., History]:
    """The history of a game from its start, or from a position, with these moves."""

    def made(game: Game, *moves: str, start: str | None = None) -> History:
        text = game.start().text if start is None else start
        state = game.position(text)
        for move in moves:
            state = state.forward(state.parse(move))
        return History(text, moves, state)

    return made


class Engine:
    """A real engine after the handshake."""

    def __init__(self, game: Game, options: Parameters, channel: Channel) -> None:
        self.game, self.channel = game, channel
        self.protocol = Stockfish(game, options)
        self.protocol.greet(channel, time.monotonic() + 600)

    def begin(self, color: bool) -> None:
        start = self.game.start().text
        self.protocol.begin(self.channel, color, start=start, seed=1, deadline=time.monotonic() + 600)

    def ask(self, history: History) -> str:
        times = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)
        return self.protocol.ask(self.channel, history, times, time.monotonic() + 600)


@pytest.fixture(scope="module")
def engine() -> Iterator[Callable[..., Engine]]:
    """Starts the engine of an entrant; one process per game and options, all killed at the end."""
    pipe_channel = helper(HERE.parent / "agents" / "external" / "pipe_channel.py")
    known: dict[tuple[str, str], Engine] = {}
    with ExitStack() as running:

        def started(game: Game, **options: int | str) -> Engine:
            key = (game.name, repr(options))
            if key not in known:
                made = plan(game, options)
                known[key] = Engine(game, made.options, running.enter_context(pipe_channel.PipeChannel(made.command)))
            return known[key]

        yield started


@pytest.fixture(scope="session")
def placed() -> Callable[[Game, Sequence[str], str], State | None]:
    """A microchess position with these 20 squares (`1` is empty); None if the rules refuse it."""

    def make(game: Game, squares: Sequence[str], fields: str) -> State | None:
        rows = ("".join(squares[rank : rank + 4]) for rank in range(0, 20, 4))
        board = "/".join(row.replace("1111", "4").replace("111", "3").replace("11", "2") for row in rows)
        try:
            return game.position(f"{board} {fields}")
        except BadPosition:
            return None

    return make
