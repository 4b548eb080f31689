"""Go with area scoring and positional superko; with `suicide=yes` these are the rules of Tromp and Taylor."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

from games._go import Stones, area, placements, stifled
from games._grid import SIDES, SYMBOLS, Grid, drawn, grid, stones
from games._live import kernel
from games._parameters import Rules, check_number, check_whole
from games._refusal import illegal
from games._state import FrozenState
from games.base import BLACK, WHITE, Color, Ending, Margin, Move
from games.errors import BadPosition
from games.view import Labels, View

__all__ = ["Go", "GoState", "LiveState", "game", "point_index"]

#: The names of the columns, without I, as is usual in Go.
_COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"
_MOST_TURNS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class GoState(FrozenState):
    """A position of Go: the stones of both colours, whose move it is, and all boards that must not be repeated."""

    board: Grid
    stones: Stones
    turn: Color
    komi: float = field(kw_only=True)
    limit: int = field(default=0, kw_only=True)
    suicide: bool = field(default=False, kw_only=True)
    passes: int = field(default=0, kw_only=True)
    turns: int = field(default=0, kw_only=True)
    seen: frozenset[Stones] = field(kw_only=True, repr=False, hash=False)

    @classmethod
    def read(cls, text: str, board: Grid, *, komi: float, limit: int = 0, suicide: bool = False) -> Self:
        """The position written as rows, side and passes, on a board of any shape; raises `BadPosition`."""
        fields = text.split() if isinstance(text, str) else []
        if len(fields) != 3:
            raise BadPosition(
                "a position is the rows joined by /, X or O for the side to move, and the passes in a row"
            )
        rows, side, passes = fields
        found = board.stones(rows)
        if side not in SIDES:
            raise BadPosition(f"the side to move is X or O, not {side[:20]!r}")
        if passes not in ("0", "1", "2"):
            raise BadPosition(f"the passes in a row are 0, 1 or 2, not {passes[:20]!r}")
        placed = Stones(found[BLACK], found[WHITE])
        if dead := stifled(board, placed):
            raise BadPosition(f"the stone on {_names(board)[dead & -dead]} has no liberty")
        seen = frozenset({placed})
        return cls(board, placed, SIDES[side], komi=komi, limit=limit, suicide=suicide, passes=int(passes), seen=seen)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The points for a stone, row by row from the top left, then `pass`; none when the game is over."""
        if self.ending is not None:
            return ()
        names = _names(self.board)
        return (*(names[point] for point, _ in self._placements()), "pass")

    @property
    def ending(self) -> Ending | None:
        """The verdict after two passes in a row, or at the turn limit."""
        if self.passes == 2:
            return self._decided("passes")
        return self._decided("turn-limit") if 0 < self.limit <= self.turns else None

    @property
    def text(self) -> str:
        """Rows of `.XO` from the top, the side to move, and the number of passes in a row."""
        return f"{'/'.join(self._lines())} {SYMBOLS[self.turn]} {self.passes}"

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        if not isinstance(move, str) or self.ending is not None:
            raise illegal(move, self.text)
        turns = self.turns + 1
        if move == "pass":
            return replace(self, turn=not self.turn, passes=self.passes + 1, turns=turns)
        point = _points(self.board).get(move)
        for placed, after in self._placements():
            if placed == point:
                return replace(self, stones=after, turn=not self.turn, passes=0, turns=turns, seen=self.seen | {after})
        raise illegal(move, self.text)

    def parse(self, text: str) -> str:
        """The legal move written `text`, lower case allowed; `IllegalMove` if there is none."""
        move = text.upper() if isinstance(text, str) else None
        move = "pass" if move == "PASS" else move
        if move not in self.legal_moves:
            raise illegal(text, self.text)
        return move

    def view(self) -> View:
        """The board as data."""
        labels = Labels(tuple(self._columns()), tuple(self._rows()))
        return stones(self._lines(), names=_names(self.board).values(), labels=labels)

    def __str__(self) -> str:
        head, *lines = drawn(self._lines(), above=self._columns(), beside=self._rows())
        return "\n".join([*lines, head])

    def _columns(self) -> str:
        return _COLUMNS[: self.board.columns]

    def _rows(self) -> list[str]:
        return [str(number) for number in range(self.board.rows, 0, -1)]

    def _lines(self) -> list[str]:
        return self.board.lines(black=self.stones.black, white=self.stones.white)

    def _placements(self) -> Iterator[tuple[int, Stones]]:
        """The points where a stone may be placed, each with the stones after that move."""
        black, white = self.stones
        own, other = (black, white) if self.turn == BLACK else (white, black)
        for point, mine, theirs in placements(self.board, own=own, other=other):
            after = Stones(mine, theirs) if self.turn == BLACK else Stones(theirs, mine)
            is_suicide = not mine & point
            if after not in self.seen and (self.suicide or not is_suicide):
                yield point, after

    def _decided(self, reason: str) -> Ending:
        """The ending by the current area, with all stones alive."""
        black, white = self.stones
        first = area(self.board, own=black, other=white)
        second = area(self.board, own=white, other=black) + self.komi
        return Ending.by_count(reason, Margin(first, second, "points"), first=BLACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Go(Rules):
    """The rules of Go on a square board.

    `komi` is the bonus of White, `turns` limits all turns (0 means no limit), `suicide` is `yes` or `no`: whether a
    stone may take the last liberty of its own group without capturing anything.
    """

    size: int = 9
    komi: float = 7
    turns: int = 0
    suicide: str = "no"

    name: ClassVar[str] = "go"
    #: Version 1 had no parameter `suicide`: it was always allowed.
    version: ClassVar[int] = 2
    first: ClassVar[Color] = BLACK

    def __post_init__(self) -> None:
        check_whole("size", self.size, lowest=1, highest=len(_COLUMNS))
        check_number("komi", self.komi, highest=400)
        check_whole("turns", self.turns, lowest=0, highest=_MOST_TURNS)
        if self.suicide not in ("yes", "no"):
            raise ValueError(f"suicide is yes or no, not {self.suicide!r}")

    def start(self, seed: int = 0) -> GoState:  # noqa: ARG002
        """The empty board, the same for every seed."""
        return self.position("/".join(["." * self.size] * self.size) + " X 0")

    def position(self, text: str) -> GoState:
        """The position written as rows, side and passes; raises `BadPosition`, also if a stone has no liberty."""
        board, suicide = grid(self.size, self.size), self.suicide == "yes"
        return LiveState.read(text, board, komi=self.komi, limit=self.turns, suicide=suicide)


game = Go


@functools.cache
def _names(board: Grid) -> dict[int, str]:
    """The names of the points; A1 is at the lower left."""
    names = (f"{column}{row}" for row in range(board.rows, 0, -1) for column in _COLUMNS[: board.columns])
    return dict(zip(board.points, names, strict=True))


@functools.cache
def _points(board: Grid) -> dict[str, int]:
    return {name: point for point, name in _names(board).items()}


def point_index(board: Grid, name: str) -> int:
    """The number of a point, row by row from the top left."""
    row, column = divmod(_points(board)[name].bit_length() - 1, board.stride)
    return row * board.columns + column


_kernel = kernel("go")
#: The class of the states in use: that of the kernel, or the specification above if there is no kernel.
LiveState: type[GoState] = GoState if _kernel is None else _kernel.derived(GoState)
