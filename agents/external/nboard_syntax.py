"""The text of NBoard's protocol for Othello, for both sides: games in GGF, commands, and an engine's replies.

A game is written `(;GM[Othello]…BO[8 <64 squares> *]B[F5]W[D6//1.2];)`: the board before the first move, row by row
from a1, with `*` for Black and `O` for White, then whose move it is; then the moves, perhaps with a value and seconds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from games.errors import ArenaError

__all__ = ["PASSING", "VERSION", "GameText", "NBoardError", "answer_line", "read_answer", "read_move", "read_name"]

VERSION: Final = 2
PASSING: Final = "pass"
_ANSWER: Final = "==="
_PASSES: Final = ("pa", "pass", "ps", "--")
_LETTERS: Final = str.maketrans({"X": "*"})
_SYMBOLS: Final = str.maketrans({"*": "X", "B": "X", "b": "X", "x": "X", "W": "O", "w": "O", "o": "O", ".": "-"})
_SIDES: Final = {"X": "B", "O": "W"}
_SQUARES: Final = 64
_PROPERTY: Final = re.compile(r"([A-Z]{1,2})\s*\[([^\]]*)\]")
_SQUARE: Final = re.compile(r"[a-h][1-8]")
_NAME_CHARACTERS: Final = 100
_LONGEST_GAME: Final = 16_384


class NBoardError(ArenaError):
    """A line that does not follow the protocol."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game of Othello: its start position and its moves, both as our Othello writes them."""

    start: str
    moves: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """The game in a text in GGF; `NBoardError` if it is not a game of Othello on 8x8 squares."""
        found = _PROPERTY.findall(text[:_LONGEST_GAME])
        board = next((value for name, value in found if name == "BO"), "")
        size, _, rest = board.strip().partition(" ")
        cells = rest.replace(" ", "").translate(_SYMBOLS)
        if size != "8" or len(cells) != _SQUARES + 1 or set(cells) - set("-XO") or cells[-1] == "-":
            raise NBoardError("a game needs BO[8 …]: the 64 squares, and * or O for the side to move")
        moves = [value for name, value in found if name in ("B", "W")]
        return cls(f"{cells[:_SQUARES]} {cells[_SQUARES]}", tuple(map(read_move, moves)))

    def __str__(self) -> str:
        cells, side = self.start.split()
        board = f"BO[8 {cells.translate(_LETTERS)} {side.translate(_LETTERS)}]"
        order = (_SIDES[side], _SIDES["O" if side == "X" else "X"])
        moves = "".join(f"{order[turn % 2]}[{_written(move)}]" for turn, move in enumerate(self.moves))
        return f"(;GM[Othello]PC[arena]PB[?]PW[?]RE[?]TY[8]{board}{moves};)"


def _written(move: str) -> str:
    return "PA" if move == PASSING else move.upper()


def read_move(text: str) -> str:
    """The move in `F5`, `f5/-1.20/0.5` or `PA`, as our Othello writes it; `NBoardError` if there is none."""
    move = re.split(r"[/\s]", text.strip(), maxsplit=1)[0].lower()
    if move in _PASSES:
        return PASSING
    if not _SQUARE.fullmatch(move):
        raise NBoardError(f"{text[:20]!r} is not a move")
    return move


def read_answer(line: str) -> str | None:
    """The text of the move in an engine's `===` line; None for other lines."""
    return line.strip().removeprefix(_ANSWER).strip() if line.strip().startswith(_ANSWER) else None


def answer_line(move: str, *, value: float, seconds: float) -> str:
    """The line in which an engine sends its move; the value is the expected lead in discs."""
    return f"{_ANSWER} {_written(move)}/{value:.2f}/{seconds:.3f}"


def read_name(line: str) -> str:
    """The name in an engine's `set myname` line; empty for other lines."""
    words: Sequence[str] = line.split(maxsplit=2)
    return words[2][:_NAME_CHARACTERS] if list(words[:2]) == ["set", "myname"] and len(words) == 3 else ""
