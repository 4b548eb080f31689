"""A game as another program tells it."""

from dataclasses import dataclass, replace
from typing import Self

from games.base import Game, State

__all__ = ["Line"]


@dataclass(frozen=True, slots=True)
class Line:
    """Where a game began, every move since, and where it stands."""

    game: Game
    start: str
    moves: tuple[str, ...]
    state: State

    @classmethod
    def begun(cls, game: Game, start: str = "") -> Self:
        """A game without a move, from this position or the game's own; `BadPosition` if it is none."""
        state = game.position(start) if start else game.start()
        return cls(game, state.text, (), state)

    def forward(self, text: str) -> Self:
        """One move further; `IllegalMove` if the rules do not allow it."""
        move = self.state.parse(text)
        return replace(self, moves=(*self.moves, str(move)), state=self.state.forward(move))

    def extends(self, other: "Line") -> bool:
        """Whether `other` is the same game at an earlier moment, or at this one."""
        same = (self.game, self.start) == (other.game, other.start)
        return same and self.moves[: len(other.moves)] == other.moves
