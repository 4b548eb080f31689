"""Games and the kernels of games, for the tests of the rules."""

import dataclasses
import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import games
from games.base import Game, State
from games.microchess import Microchess

ROOT = Path(__file__).parents[2]

Perft = Callable[[State, int], int]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """The kernel of a game whose states are frozen dataclasses, and two moves that are legal at the start."""

    name: str
    first_move: str
    second_move: str

    @cached_property
    def module(self) -> Any:
        """The compiled module."""
        return importlib.import_module(f"games._native_{self.name}")

    @cached_property
    def game_class(self) -> Any:
        return getattr(self._rules, self.name.capitalize())

    @cached_property
    def native_class(self) -> Any:
        """The class of the kernel's states."""
        return self._rules.LiveState

    @cached_property
    def python_class(self) -> Any:
        """The class of the specification's states."""
        return getattr(self._rules, f"{self.name.capitalize()}State")

    @cached_property
    def start(self) -> Any:
        return self.game_class().start()

    @cached_property
    def _rules(self) -> Any:
        return importlib.import_module(f"games.{self.name}")

    def fields(self, state: Any) -> dict[str, Any]:
        """The fields of a state as arguments of its class."""
        return {field.name: getattr(state, field.name) for field in dataclasses.fields(self.python_class)}

    def specified(self, state: Any) -> Any:
        """The same state in the specification's form."""
        return self.python_class(**self.fields(state))

    def assert_agrees(self, state: Any, look: Callable[[Any], object]) -> None:
        """The kernel's state and the specification's state are equal, and `look` sees the same in both."""
        twin = self.specified(state)
        assert type(state) is self.native_class
        assert look(state) == look(twin)
        assert state == twin
        assert self.module.key(state) == self.module.key(twin)


KERNELS = {
    "go": Kernel("go", "D4", "E5"),
    "gomoku": Kernel("gomoku", "3,4", "5,5"),
    "mushroom": Kernel("mushroom", games.load("mushroom").start().legal_moves[0], "-1 -1 -1 -1"),
    "othello": Kernel("othello", "d3", "c3"),
}


@pytest.fixture(scope="session", params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel whose states are frozen dataclasses in turn; a test may choose with `indirect`."""
    return KERNELS[request.param]


@pytest.fixture(scope="session")
def kernels() -> Mapping[str, Kernel]:
    """The same kernels by the names of their games."""
    return KERNELS


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """Run a fresh interpreter with arguments and environment variables; return what it prints. It must succeed."""

    def run(*arguments: str, **environment: str) -> str:
        ran = subprocess.run(
            [sys.executable, *arguments], env=os.environ | environment, capture_output=True, text=True, check=False,
            cwd=ROOT,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout.strip()

    return run


@pytest.fixture(scope="session")
def microchess() -> Microchess:
    return Microchess()


@pytest.fixture(scope="session", params=games.names())
def any_game(request: pytest.FixtureRequest) -> Game:
    """Each bundled game in turn."""
    return games.load(request.param)


@pytest.fixture(scope="session")
def perft() -> Perft:
    """The number of move sequences of a given length."""

    def count(state: State, turns: int) -> int:
        if turns == 1:
            return len(state.legal_moves)
        return sum(count(state.forward(move), turns - 1) for move in state.legal_moves)

    return count
