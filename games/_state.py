"""What states that are frozen dataclasses have in common."""

from typing import Protocol, Self

from games.base import Ending, Move, State
from games.view import Path, Viewable, draw

__all__ = ["FrozenState"]


class _Decidable(State, Protocol):
    def _decided(self, reason: str) -> Ending: ...


class FrozenState:
    """Methods that follow from the others. It has no slots, so that native kernels can extend the derived classes."""

    __slots__ = ()

    def is_game_over(self: State) -> bool:
        """Whether there is an ending."""
        return self.ending is not None

    def adjudicate(self: _Decidable) -> Ending:
        """The verdict if the game must stop now: the ending, or what the position decides."""
        return self.ending or self._decided("adjudication")

    def svg(self: Viewable, last: Move | None = None) -> str:
        """The board as a picture, with `last` marked."""
        return draw(self.view(), () if last is None else self.path(last))

    def path(self, move: Move) -> Path:
        """The click that makes a move: on the cell, or the button, that it names."""
        return (str(move),)

    def _repr_svg_(self: State) -> str:
        return self.svg()

    def __copy__(self) -> Self:
        return self
