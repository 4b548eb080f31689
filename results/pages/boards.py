"""The boards of a replay as HTML, packed so that shared parts are written only once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final
from xml.parsers.expat import ExpatError, ParserCreate

from games.base import Move, State
from results.notation.replay import BROKEN, Replay
from results.text import plain

__all__ = ["Packed", "board", "boards", "pack", "picture", "ratio", "text_board", "texts"]

_NO_BOARD: Final = "no board"
_TEXT_CHARACTERS: Final = 20_000
_VIEW: Final = re.compile(r'^<svg[^>]*\sviewBox="\s*\S+[\s,]+\S+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*"')


@dataclass(frozen=True, slots=True)
class Packed:
    """Texts as runs of shared pieces; each run is a start index and a length in `pieces`."""

    pieces: tuple[str, ...]
    runs: tuple[tuple[int, ...], ...]

    def unpacked(self) -> list[str]:
        """The texts again; the script of the page does the same."""
        return ["".join(self._text(runs)) for runs in self.runs]

    def _text(self, runs: Sequence[int]) -> list[str]:
        pairs = zip(runs[::2], runs[1::2], strict=True)
        return [piece for start, length in pairs for piece in self.pieces[start : start + length]]


def boards(played: Replay, turns: int) -> list[str]:
    """The board at the start and after each turn; a message where the rules cannot replay the turn."""
    lasts: list[Move | None] = [None, *played.moves]
    drawn = [board(state, last) for state, last in zip(played.states, lasts, strict=False)]
    missing = f'<p class="missing">There is no board here: {escape(played.broken)}.</p>'
    return drawn + [missing] * (turns + 1 - len(drawn))


def texts(played: Replay, turns: int) -> list[str]:
    """The same boards as plain text."""
    found = [text_board(state) for state in played.states]
    return found + [_NO_BOARD] * (turns + 1 - len(found))


def board(state: State, last: Move | None) -> str:
    """The picture of a state, or its text where the game draws none."""
    return picture(state, last) or f"<pre>{escape(text_board(state))}</pre>"


def picture(state: State, last: Move | None) -> str | None:
    """The SVG of a state with the last move marked; None where the game draws none."""
    try:
        drawn = state.svg(last)
    except BROKEN:
        return None
    return drawn if _is_picture(drawn) else None


def ratio(html: str) -> float:
    """Width divided by height of a board; 1 if it is unknown."""
    found = _VIEW.match(html)
    width, height = map(float, found.groups()) if found else (1.0, 1.0)
    return round(width / height, 4) if width and height else 1.0


def pack(wholes: Sequence[str]) -> Packed:
    """Split the texts after each tag and number the pieces, so that a board mostly repeats runs of the one before."""
    numbers: dict[str, int] = {}
    runs = []
    for whole in wholes:
        found: list[int] = []
        for piece in re.findall(r"[^>]*>|[^>]+", whole):
            number = numbers.setdefault(piece, len(numbers))
            if found and found[-2] + found[-1] == number:
                found[-1] += 1
            else:
                found += [number, 1]
        runs.append(tuple(found))
    return Packed(tuple(numbers), tuple(runs))


def text_board(state: State) -> str:
    """The board as plain text, safe to show."""
    try:
        return plain(str(state), limit=_TEXT_CHARACTERS, multiline=True) or _NO_BOARD
    except BROKEN:
        return _NO_BOARD


def _is_picture(text: object) -> bool:
    """Whether this is one complete <svg> with content: an unclosed one would swallow the rest of the page."""
    if not isinstance(text, str) or not text.startswith("<svg"):
        return False
    names: list[str] = []
    parser = ParserCreate()
    parser.StartElementHandler = lambda name, _: names.append(name)
    try:
        parser.Parse(text.encode(), True)
    except (ExpatError, UnicodeError):
        return False
    return names[0] == "svg" and len(names) > 1
