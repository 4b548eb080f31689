"""Counts the positions of microchess after each number of turns, and how many of them are decided.

Run as `python -P -m agents.microchess_growth --depth 8`. Depth 8 takes seconds with the native kernel and about 400 MB
of memory, because every position is visited.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.base import State, load

__all__ = ["Level", "levels", "main"]


@dataclass(frozen=True, slots=True)
class Level:
    """The positions after so many turns; positions that differ only in their counters count once."""

    turns: int
    positions: int
    growth: float
    decided: int
    checkmates: int

    @property
    def share(self) -> float:
        """The share of decided positions."""
        return self.decided / self.positions

    def row(self) -> list[int | float]:
        """The level as a row of the table."""
        growth, share = round(self.growth, 3), round(self.share, 6)
        return [self.turns, self.positions, growth, self.decided, share, self.checkmates]


def levels(depth: int) -> Iterator[Level]:
    """One level after the other, without continuing finished games."""
    edge: list[State] = [load("microchess").start()]
    before = 1
    for turns in range(1, depth + 1):
        seen: set[int] = set()
        edge_after: list[State] = []
        decided = checkmates = 0
        for state in edge:
            for move in state.legal_moves:
                child = state.forward(move)
                # A hash of 64 bits instead of the text: a collision among millions is less likely than a memory error.
                key = hash(child.text.rsplit(" ", 2)[0])
                if key in seen:
                    continue
                seen.add(key)
                ending = child.ending
                if ending is not None:
                    decided += 1
                    checkmates += ending.reason == "checkmate"
                elif turns < depth:
                    edge_after.append(child)
        yield Level(turns, len(seen), len(seen) / before, decided, checkmates)
        edge, before = edge_after, len(seen)


_COLUMNS: Final = ("turns", "positions", "growth", "decided", "share decided", "checkmates")
#: At greater depths the positions do not fit into the memory of a small machine.
_DEEPEST: Final = 9


def main(arguments: list[str] | None = None) -> None:
    """Print the table as text or JSON."""
    parser = argparse.ArgumentParser(prog="agents.microchess_growth", description=__doc__)
    parser.add_argument("--depth", type=int, default=6, choices=range(1, _DEEPEST + 1), help="turns from the start")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    rows = [level.row() for level in levels(given.depth)]
    if given.json:
        sys.stdout.write(json.dumps({"columns": _COLUMNS, "rows": rows}) + "\n")
        return
    widths = [max(len(name), 10) for name in _COLUMNS]
    for row in [_COLUMNS, *rows]:
        cells = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells) + "\n")


if __name__ == "__main__":
    main()
