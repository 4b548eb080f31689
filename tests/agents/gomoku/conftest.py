"""A prover that knows the rules and nothing of threats: it plays a win out against every defence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import games
from games.gomoku import GomokuState


class Win(NamedTuple):
    """A line of wins.txt: the position, in how many turns five can be made, and the moves that lead to it."""

    state: GomokuState
    turns: int
    moves: frozenset[str]


def wins() -> list[Win]:
    lines = (Path(__file__).parent / "wins.txt").read_text().splitlines()
    return [_win(line) for line in lines if line and not line.startswith("#")]


def _win(line: str) -> Win:
    text, turns, moves = (field.strip() for field in line.split(";"))
    return Win(position(text), int(turns), frozenset(moves.split()))


def position(text: str) -> GomokuState:
    """The position of a text, on a board of the size it has."""
    return games.load(f"gomoku:size={text.index('/')}").position(text)


def diagram(drawn: str, side: str = "X") -> GomokuState:
    """The position of rows written one below the other."""
    return position(f"{'/'.join(drawn.split())} {side}")


def fives(state: GomokuState, color: bool) -> list[str]:
    """The points where a stone of `color` would win at once."""
    own = type(state)(state.board, state.black, state.white, color)
    return [move for move in own.legal_moves if (end := own.forward(move).ending) and end.winner == color]


def holds(state: GomokuState, move: str, attack: Callable[[GomokuState], str], turns: int) -> bool:
    """Whether `move` leads to five within so many turns against every answer; `attack` chooses the moves after it."""
    after = state.forward(move)
    if after.ending is not None:
        return after.ending.winner == state.turn
    if turns < 3 or fives(after, after.turn):
        return False
    threats = fives(after, state.turn)
    if len(threats) > 1:
        return True
    # Whatever does not stop a five loses to it.
    for answer in threats or after.legal_moves:
        replied = after.forward(answer)
        if replied.ending is not None or not holds(replied, attack(replied), attack, turns - 2):
            return False
    return True


@pytest.fixture
def prover() -> Callable[..., bool]:
    return holds


@pytest.fixture
def drawn() -> Callable[..., GomokuState]:
    return diagram


@pytest.fixture
def known_wins() -> list[Win]:
    return wins()
