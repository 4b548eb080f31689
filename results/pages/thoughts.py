"""Moves that a search looks at, as marks on the board: which cells, and how strongly. `board.js` draws them."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from games.base import State
from games.view import Viewable
from results.notation.replay import BROKEN

__all__ = ["Mark", "marks_of"]

#: One cell for a spot, two for an arrow, two corners and a zero for a rectangle; and a share from 0 to 1.
Mark: TypeAlias = tuple[list[int], float]


def marks_of(state: State, moves: Iterable[tuple[str, float]]) -> list[Mark]:
    """The marks of these moves with their shares; moves that are not legal, and buttons such as "pass", have none."""
    try:
        if not isinstance(state, Viewable):
            return []
        view = state.view()
    except BROKEN:
        return []
    numbers = {cell.name: number for number, cell in enumerate(view.cells)}
    found = []
    for text, share in moves:
        try:
            cells = _cells(state.path(state.parse(text)), numbers, areas=view.areas)
        except BROKEN:
            continue
        if cells:
            found.append((cells, round(min(max(share, 0.0), 1.0), 3)))
    return found


def _cells(path: Sequence[str], numbers: dict[str, int], *, areas: bool) -> list[int]:
    cells = [numbers[name] for name in path if name in numbers][:2]
    return [*cells, 0] if areas and len(cells) > 1 else cells
