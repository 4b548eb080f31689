"""A game that was read from a file in another notation."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.base import Game, State

__all__ = ["ReadGame"]


@dataclass(frozen=True, slots=True)
class ReadGame:
    """The tags or properties of the game, its moves as we write them, and the final state under its turn limit."""

    headers: Mapping[str, str]
    game: Game
    start: str
    moves: tuple[str, ...]
    result: str
    state: State
