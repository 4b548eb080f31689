"""The contract of an encoding, and what the encodings of all games have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from games._refusal import illegal
from games.base import Move, State
from games.errors import IllegalMove

__all__ = ["BaseEncoding", "Encoding", "Floats", "Indexes", "Shape", "Symmetry"]

Floats: TypeAlias = NDArray[np.float32]
Indexes: TypeAlias = NDArray[np.intp]
_Array = TypeVar("_Array", bound=NDArray[Any])


class Shape(NamedTuple):
    """The sizes of an encoding."""

    planes: int
    height: int
    width: int
    scalars: int
    actions: int

    @property
    def inputs(self) -> int:
        """The length of one encoded position: the planes, row by row, then the scalars."""
        return self.planes * self.height * self.width + self.scalars


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """A way to rotate or mirror the board that does not change the game; it permutes inputs and actions together.

    `inputs[i]` is the input that moves to place i. `actions[a]` is the action that a becomes: a sparse policy is
    changed by `actions[indexes]`. Where one of the inputs `unless` is not 0, the rules do not allow the symmetry.
    """

    name: str
    inputs: Indexes = field(repr=False)
    actions: Indexes = field(repr=False)
    unless: tuple[int, ...] = ()

    def holds(self, encoded: Floats) -> NDArray[np.bool_]:
        """Which of these positions (one in each row) have the symmetry."""
        return np.asarray(~encoded[..., list(self.unless)].any(axis=-1), dtype=np.bool_)

    def transform(self, encoded: _Array) -> _Array:
        """The inputs of the positions after the symmetry, which they must have."""
        return cast(_Array, encoded[..., self.inputs])

    def transform_policy(self, policy: _Array) -> _Array:
        """The same policy for the transformed positions, with one number for each action."""
        return cast(_Array, policy[..., np.argsort(self.actions)])


class Encoding(Protocol):
    """What a learner needs to know about a game. All views are those of the side to move."""

    @property
    def planes(self) -> int:
        """The number of planes."""
        ...

    @property
    def height(self) -> int:
        """The rows of a plane."""
        ...

    @property
    def width(self) -> int:
        """The columns of a plane."""
        ...

    @property
    def scalars(self) -> int:
        """The number of inputs that follow the planes."""
        ...

    @property
    def actions(self) -> int:
        """The number of actions, over all positions."""
        ...

    @property
    def inputs(self) -> int:
        """The length of one encoded position: the planes, row by row, then the scalars."""
        ...

    def encode(self, states: Sequence[State], out: Floats) -> None:
        """Write each state to a row of `out`; raises `ValueError` for an array of another shape or type."""
        ...

    def action(self, state: State, move: Move) -> int:
        """The index of a legal move, different for every legal move of the state; raises `IllegalMove`."""
        ...

    def legal_actions(self, state: State) -> list[int]:
        """The indexes of the legal moves, in the order of `legal_moves`."""
        ...

    def move(self, state: State, action: int) -> Move:
        """The legal move with this index; raises `IllegalMove` if there is none."""
        ...

    def symmetries(self) -> Sequence[Symmetry]:
        """All symmetries of the game; the first one changes nothing."""
        ...


class BaseEncoding(ABC):
    """An encoding in Python that uses the kernel of the game for native states. Both give the same numbers."""

    #: The class of the states of the game.
    state_class: type

    def __init__(self, shape: Shape, kernel: ModuleType | None = None) -> None:
        self.shape = shape
        self.planes, self.height, self.width, self.scalars, self.actions = shape
        self._kernel = kernel

    @property
    def inputs(self) -> int:
        """The length of one encoded position."""
        return self.shape.inputs

    def encoded(self, states: Sequence[State]) -> Floats:
        """The states as a new array, one row for each."""
        out = np.empty((len(states), self.inputs), dtype=np.float32)
        self.encode(states, out)
        return out

    def encode(self, states: Sequence[State], out: Floats) -> None:
        """Write each state to a row of `out`; raises `ValueError` for an array of another shape or type."""
        self._check_array(out, rows=len(states))
        if self._kernel is not None and self._kernel.encode(states, out, self.shape):
            return
        at = self.planes * self.height * self.width
        out.fill(0)
        for state, row in zip(states, out, strict=True):
            self._check_state(state)
            self._write(state, row[:at].reshape(self.planes, self.height, self.width), row[at:])

    def action(self, state: State, move: Move) -> int:
        """The index of a legal move, different for every legal move of the state; raises `IllegalMove`."""
        self._check_state(state)
        if self._kernel is not None:
            found: int | None = self._kernel.action(state, move)
            if found is not None:
                return found
        if move not in state.legal_moves:
            raise illegal(move, state.text)
        return self._index(state, move)

    def legal_actions(self, state: State) -> list[int]:
        """The indexes of the legal moves, in the order of `legal_moves`."""
        self._check_state(state)
        if self._kernel is not None:
            found: list[int] | None = self._kernel.legal_actions(state)
            if found is not None:
                return found
        return [self._index(state, move) for move in state.legal_moves]

    def move(self, state: State, action: int) -> Move:
        """The legal move with this index; raises `IllegalMove` if there is none."""
        legal = self.legal_actions(state)
        if action not in legal:
            raise IllegalMove(f"no legal move has the index {str(action)[:20]} in {state.text}")
        return state.legal_moves[legal.index(action)]

    @abstractmethod
    def symmetries(self) -> Sequence[Symmetry]:
        """All symmetries of the game; the first one changes nothing."""

    @abstractmethod
    def _size(self, state: Any) -> tuple[int, int]:
        """The rows and columns of the board of a state."""

    @abstractmethod
    def _write(self, state: Any, planes: Floats, scalars: Floats) -> None:
        """Write a state; all numbers are 0 before."""

    @abstractmethod
    def _index(self, state: Any, move: Any) -> int:
        """The index of a move that is known to be legal."""

    def _check_array(self, out: Floats, *, rows: int) -> None:
        shape = (rows, self.inputs)
        if not isinstance(out, np.ndarray) or out.dtype != np.float32 or out.shape != shape:
            given = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise ValueError(f"the states need an array of float32 of shape {shape}, not {given}")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("the array must be contiguous and writable")

    def _check_state(self, state: object) -> None:
        if not isinstance(state, self.state_class):
            raise ValueError(f"a state is a {self.state_class.__name__}, not a {type(state).__name__}")
        if self._size(state) != (self.height, self.width):
            raise ValueError(f"a state is of another board size than {self.height}x{self.width}")
