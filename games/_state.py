"""What states that are frozen dataclasses have in common."""

from typing import Protocol, Self

from games.base import Ending, State

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

    def _repr_svg_(self: State) -> str:
        return self.svg()

    def __copy__(self) -> Self:
        return self
