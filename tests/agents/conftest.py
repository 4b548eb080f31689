"""A toy game, a clock that stands still, and a loop that plays one game."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from agents.base import BaseAgent
from games.base import BLACK, WHITE, Color, Ending, State
from games.errors import BadPosition, IllegalMove

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class TicTacToeState:
    """Noughts and crosses; X is White. Cells 0-8; counts nothing that an evaluation could know."""

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

    def is_game_over(self) -> bool:
        return self.ending is not None

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
    """Each look at it takes `tick` seconds."""

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


@pytest.fixture(params=["kernel", "python"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both forms of the searches, one after the other."""
    if request.param == "python":
        monkeypatch.setenv("ARENA_KERNEL", "python")
    form: str = request.param
    return form


@pytest.fixture
def passes_watched(tmp_path: Path) -> Callable[..., None]:
    """Run tests again on a native module that was built to notice memory that is not its own."""

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
