"""A toy game, a fake clock, loops that play whole games, and helpers for native searches."""

from __future__ import annotations

import copy
import os
import random
import subprocess
import sys
import sysconfig
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

import games
from agents.base import BaseAgent
from agents.basic.random_agent import RandomAgent
from agents.self_learning.value_weights import ValueWeights
from games.base import BLACK, WHITE, Color, Ending, State
from games.errors import BadPosition, IllegalMove

#: Positions of microchess and the move that mates.
MATES_IN_ONE = [
    ("k2r/4/bpPB/R3/3K w k - 0 5", "a2a3"),
    ("k1rB/p2P/4/1b2/1nNK w - - 0 8", "d4c5q"),
    ("1nb1/2N1/3k/2r1/RK2 b - - 5 11", "b5c3"),
    ("Nn2/2r1/k2B/1b1P/3K b - - 15 13", "c4c1"),
]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class TicTacToeState:
    """Noughts and crosses with cells 0 to 8; X is White. The agents know nothing about this game."""

    cells: str = "." * 9
    turn: Color = WHITE
    turns: int = 0

    @property
    def legal_moves(self) -> list[int]:
        return [] if self.ending else [cell for cell in range(9) if self.cells[cell] == "."]

    @property
    def ending(self) -> Ending | None:
        for a, b, c in LINES:
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return Ending(WHITE if self.cells[a] == "X" else BLACK, "three")
        return None if "." in self.cells else Ending(None, "full-board")

    @property
    def text(self) -> str:
        return f"{self.cells} {'X' if self.turn == WHITE else 'O'}"

    def forward(self, move: object) -> TicTacToeState:
        if move not in self.legal_moves:
            raise IllegalMove(f"{move} is not free")
        mark = "X" if self.turn == WHITE else "O"
        cells = self.cells[:move] + mark + self.cells[move + 1 :]
        return TicTacToeState(cells, not self.turn, self.turns + 1)

    def parse(self, text: str) -> int:
        return int(text)

    def adjudicate(self) -> Ending:
        return self.ending or Ending(None, "stopped")

    def is_game_over(self) -> bool:
        return self.ending is not None

    def __copy__(self) -> TicTacToeState:
        return self

    def __str__(self) -> str:
        return "\n".join(self.cells[row : row + 3] for row in (0, 3, 6))

    def svg(self, last: object = None) -> str:
        return "<svg/>"


class TicTacToe:
    """The toy game."""

    name = "tic-tac-toe"
    version = 1
    first = WHITE
    seconds = 10.0
    parameters: Mapping[str, int] = MappingProxyType({})

    def start(self, seed: int = 0) -> TicTacToeState:
        return TicTacToeState()

    def position(self, text: str) -> TicTacToeState:
        cells, _, side = text.partition(" ")
        if len(cells) != 9 or side not in ("X", "O"):
            raise BadPosition(f"not nine cells and a side: {text!r}")
        return TicTacToeState(cells, side == "X", 9 - cells.count("."))


class FakeClock:
    """Each call takes `tick` seconds."""

    def __init__(self, tick: float) -> None:
        self.tick = tick
        self.seconds = 1000.0

    def __call__(self) -> float:
        self.seconds += self.tick
        return self.seconds


@pytest.fixture
def tic_tac_toe() -> TicTacToe:
    return TicTacToe()


@pytest.fixture
def fake_clock() -> type[FakeClock]:
    return FakeClock


def _play(state: State, white: BaseAgent, black: BaseAgent, most: int = 10_000) -> State:
    """The state after the game, or after `most` turns; an illegal move raises."""
    players = {WHITE: white, BLACK: black}
    for agent in players.values():
        agent.reset()
    for _ in range(most):
        if state.is_game_over():
            break
        move = players[state.turn].act(copy.copy(state))
        assert move in state.legal_moves
        state = state.forward(move)
    for agent in players.values():
        agent.close()
    return state


@pytest.fixture
def play() -> Callable[..., State]:
    return _play


def _plays_against_random(start: State, agents: Callable[[Color], BaseAgent], *, seed: int = 2) -> None:
    """Play a whole game with each colour against a random agent."""
    for color in (WHITE, BLACK):
        player, opponent = agents(color), RandomAgent("y", not color)
        opponent.rng.seed(seed)
        white, black = (player, opponent) if color == WHITE else (opponent, player)
        assert _play(start, white, black).is_game_over()


@pytest.fixture
def plays_against_random() -> Callable[..., None]:
    return _plays_against_random


def _points(start: State, color: Color, player: BaseAgent, opponent: BaseAgent, most: int = 10_000) -> float:
    """The points of `player`, who has this colour, in one game; a game that is not over is adjudicated."""
    white, black = (player, opponent) if color == WHITE else (opponent, player)
    return _play(start, white, black, most).adjudicate().points(color)


@pytest.fixture
def points() -> Callable[..., float]:
    return _points


def _states(name: str, number: int, seed: int = 0) -> Iterator[State]:
    game, rng = games.load(name), random.Random(seed)
    state = game.start(seed=seed)
    for index in range(number):
        yield state
        state = state.forward(rng.choice(list(state.legal_moves)))
        if state.is_game_over():
            state = game.start(seed=seed + index + 1)


@pytest.fixture
def states() -> Callable[..., Iterator[State]]:
    """States of random games that are not over."""
    return _states


def _value_weights(game: str, features: int, *, first: int = 64, second: int = 16, seed: int = 0) -> ValueWeights:
    rng = random.Random(seed)

    def layer(kind: str, size: int, mean: float, spread: float) -> array[int]:
        return array(kind, [round(rng.gauss(mean, spread)) for _ in range(size)])

    return ValueWeights(
        game=game, first=layer("h", features * first, 0, 80), first_bias=layer("h", first, 100, 100),
        second=layer("b", second * first, 0, 15), second_bias=layer("i", second, 0, 500),
        output=layer("h", second, 0, 80), output_bias=rng.randrange(-50_000, 50_000),
    )  # fmt: skip


@pytest.fixture
def value_weights() -> Callable[..., ValueWeights]:
    """Weights of a learned value that mean nothing."""
    return _value_weights


@pytest.fixture
def refuses_sharing() -> Callable[[Callable[[], object], Callable[[], object]], None]:
    """Checks that Python goes on while a native search runs, and that a second call is refused meanwhile."""

    def check(search: Callable[[], object], call: Callable[[], object]) -> None:
        running = threading.Thread(target=search)
        running.start()
        refused = 0
        while running.is_alive():
            try:
                call()
            except RuntimeError:
                refused += 1
        running.join()
        assert refused > 0

    return check


@pytest.fixture(params=["kernel", "python"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test runs with the native searches, and again with those in Python."""
    if request.param == "python":
        monkeypatch.setenv("ARENA_KERNEL", "python")
    form: str = request.param
    return form


@pytest.fixture
def passes_watched(tmp_path: Path) -> Callable[..., None]:
    """Runs tests again with a native module that was built with the address sanitizer."""

    def run(package: str, source: str, *arguments: str, options: str = "detect_leaks=0") -> None:
        root = Path(__file__).parents[2]
        name = "_" + source.removesuffix(".cpp")
        library = tmp_path / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        watching = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        folders = [f"-I{root / 'games' / '_kernel'}", f"-I{sysconfig.get_paths()['include']}"]
        file = str(root.joinpath(*package.split("."), source))
        built = ["g++", "-std=c++20", "-O1", "-g", "-fPIC", "-shared", *watching, *folders, file, "-o", str(library)]
        subprocess.run(built, check=True)
        preload = [
            subprocess.run(
                ["g++", f"-print-file-name={each}"], check=True, capture_output=True, text=True
            ).stdout.strip()
            for each in ("libasan.so", "libstdc++.so")
        ]
        code = f"""
import importlib.util, sys, {package}, pytest
spec = importlib.util.spec_from_file_location("{package}.{name}", {str(library)!r})
sys.modules[spec.name] = {package}.{name} = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
        environment = {**os.environ, "LD_PRELOAD": " ".join(preload), "ASAN_OPTIONS": options}
        command = [sys.executable, "-P", "-c", code, *arguments]
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert " passed" in ran.stdout

    return run


@pytest.fixture(params=MATES_IN_ONE, ids=[move for _, move in MATES_IN_ONE])
def mate_in_one(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Each position of microchess with a mate in one, and the move."""
    return request.param
