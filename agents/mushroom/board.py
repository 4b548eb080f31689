"""A Mushroom board on which moves are made and taken back, and the gain of each move."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.base import WHITE, Color
from games.mushroom import LiveState

__all__ = ["PASS", "Board", "Choice", "written"]

#: A move is an integer: top, left, bottom and right with five bits each. In the pass all bits are set.
PASS: Final = (1 << 20) - 1

_OWNERS: Final = {WHITE: "A", (not WHITE): "B"}
_PASSING: Final = "-1 -1 -1 -1"
_MASK: Final = (1 << 64) - 1


class Choice(NamedTuple):
    """A move, its gain (own cells won plus opposing cells taken), and the number of opposing cells taken."""

    move: int
    gain: int
    taken: int


class _Made(NamedTuple):
    """A move that was made, and what it changed."""

    move: int
    covered: list[list[str]]
    owned: tuple[int, int]
    passes: int


class Board:
    """A game in progress. `pop` takes back the last `push`."""

    __slots__ = ("_line", "owned", "passes", "rows", "turn")

    def __init__(self, rows: Sequence[Sequence[str]], turn: Color, passes: int) -> None:
        self.rows = [list(row) for row in rows]
        self.turn = turn
        self.passes = passes
        #: The number of cells of Black and of White.
        self.owned = [sum(row.count(_OWNERS[color]) for row in self.rows) for color in (not WHITE, WHITE)]
        self._line: list[_Made] = []

    @classmethod
    def read(cls, text: str) -> "Board":
        """The board of a position in the text form of the game."""
        rows, side, passes = text.split()
        return cls(rows.split("/"), WHITE if side == "A" else not WHITE, int(passes))

    @property
    def text(self) -> str:
        """The position in the text form of the game."""
        return f"{'/'.join(map(''.join, self.rows))} {_OWNERS[self.turn]} {self.passes}"

    @property
    def over(self) -> bool:
        """Whether both sides passed."""
        return self.passes == 2

    @property
    def lead(self) -> int:
        """The cells of the side to move minus those of the opponent."""
        return self.owned[self.turn] - self.owned[not self.turn]

    def copy(self) -> "Board":
        """The same position without its history."""
        return Board(self.rows, self.turn, self.passes)

    def push(self, move: int) -> None:
        """Make a legal move."""
        covered: list[list[str]] = []
        owned = (self.owned[0], self.owned[1])
        passes = self.passes + 1
        if move != PASS:
            passes = 0
            own, other = _OWNERS[self.turn], _OWNERS[not self.turn]
            top, left, bottom, right = _corners(move)
            for row in self.rows[top : bottom + 1]:
                cells = row[left : right + 1]
                covered.append(cells)
                self.owned[self.turn] += len(cells) - cells.count(own)
                self.owned[not self.turn] -= cells.count(other)
                row[left : right + 1] = own * len(cells)
        self._line.append(_Made(move, covered, owned, self.passes))
        self.passes = passes
        self.turn = not self.turn

    def pop(self) -> None:
        """Take the last move back."""
        move, covered, owned, self.passes = self._line.pop()
        self.owned[:] = owned
        self.turn = not self.turn
        if move != PASS:
            top, left, bottom, right = _corners(move)
            for row, cells in zip(self.rows[top : bottom + 1], covered, strict=True):
                row[left : right + 1] = cells

    def choices(self, seed: int = 0) -> list[Choice]:
        """All moves, the greatest gain first; the seed orders equal gains. The pass comes last."""
        state = LiveState(tuple(map("".join, self.rows)), self.turn, self.passes)
        found = [self._choice(_number(text)) for text in state.legal_moves if text != _PASSING]
        found.sort(key=lambda choice: (-choice.gain, seed * (2 * choice.move + 1) & _MASK))
        return [*found, Choice(PASS, 0, 0)]

    def _choice(self, move: int) -> Choice:
        own, other = _OWNERS[self.turn], _OWNERS[not self.turn]
        top, left, bottom, right = _corners(move)
        inside = [cell for row in self.rows[top : bottom + 1] for cell in row[left : right + 1]]
        taken = inside.count(other)
        return Choice(move, len(inside) - inside.count(own) + taken, taken)


class _Corners(NamedTuple):
    top: int
    left: int
    bottom: int
    right: int


def _corners(move: int) -> _Corners:
    return _Corners(move >> 15, move >> 10 & 31, move >> 5 & 31, move & 31)


def _number(text: str) -> int:
    top, left, bottom, right = map(int, text.split())
    return top << 15 | left << 10 | bottom << 5 | right


def written(move: int) -> str:
    """A move in the text form of the game."""
    return _PASSING if move == PASS else " ".join(map(str, _corners(move)))
