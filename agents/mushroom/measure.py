"""Measures three ways to keep states in UCT on five kinds of boards: `python -P -m agents.mushroom.measure boards`."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from agents.budget import Clock
from agents.core.engine import Limits
from agents.mushroom.uct import STATES, MushroomUct, MushroomUctResult, MushroomUctSettings, mushroom_uct
from games.base import WHITE
from games.mushroom import LiveState, Mushroom, MushroomState

__all__ = ["BOARDS", "COLUMNS", "Row", "main", "measured", "rows"]

COLUMNS: Final = ("board", "states", "form", "simulations/s", "cache hits", "bytes/simulation")

_SEED: Final = 1


class Row(NamedTuple):
    """One row of the table. Only `rebuild` has a cache, and a board without rectangles never uses it."""

    board: str
    states: str
    form: str
    simulations_per_second: int
    cache_hits: float | str
    bytes_per_simulation: int


def _random() -> MushroomState:
    return Mushroom().start(_SEED)


def _filled(digit: Callable[[int, int], int]) -> Callable[[], MushroomState]:
    """A board of the default size, with a digit for each row and column."""
    shape = Mushroom()

    def board() -> MushroomState:
        cells = ((str(digit(row, column)) for column in range(shape.columns)) for row in range(shape.rows))
        return LiveState(tuple(map("".join, cells)), WHITE)

    return board


#: The kinds of boards of the earlier report.
BOARDS: Final[Mapping[str, Callable[[], MushroomState]]] = {
    "random": _random,
    "all ones": _filled(lambda _row, _column: 1),
    "all nines": _filled(lambda _row, _column: 9),
    "checkerboard": _filled(lambda row, column: 1 + 8 * ((row + column) % 2)),
    "gradient": _filled(lambda row, column: 1 + (row + column) % 9),
}


def measured(
    uct: MushroomUct, board: str, states: str, *, simulations: int, seconds: float, now: Clock = time.process_time
) -> Row:
    """Search a board repeatedly for so many seconds, at least once."""
    state = BOARDS[board]()
    limits = Limits(simulations=simulations, seed=_SEED)
    began = now()
    done = 0
    while True:
        result = uct.run(state, limits)
        done += result.report.nodes
        spent = now() - began
        if spent >= seconds:
            return _row(board, states, result, pace=done / spent if spent else 0.0)


def _row(board: str, states: str, result: MushroomUctResult, *, pace: float) -> Row:
    report, costs = result
    hits: float | str = round(costs.cached / costs.asked, 3) if costs.asked else "-"
    return Row(board, states, report.form, round(pace), hits, round(costs.bytes / report.nodes))


def rows(*, simulations: int, seconds: float) -> list[Row]:
    """All boards with all three ways to keep states."""
    searches = {states: mushroom_uct(MushroomUctSettings(states=states)) for states in STATES}
    return [
        measured(search, board, states, simulations=simulations, seconds=seconds)
        for board in BOARDS
        for states, search in searches.items()
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(prog="python -P -m agents.mushroom.measure", description=__doc__)
    parser.add_argument("what", choices=["boards"], help="what to measure")
    parser.add_argument(
        "--simulations", type=_positive(int), default=200, metavar="N", help="simulations per search (200)"
    )
    parser.add_argument("--seconds", type=_positive(float), default=0.2, metavar="S", help="CPU seconds per row (0.2)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(arguments)
    found = rows(simulations=options.simulations, seconds=options.seconds)
    if options.json:
        sys.stdout.write(json.dumps({"columns": COLUMNS, "rows": found}) + "\n")
        return
    widths = [max(len(str(cell)) for cell in column) for column in zip(COLUMNS, *found, strict=True)]
    for line in (COLUMNS, *found):
        sys.stdout.write("  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)) + "\n")


def _positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = kind(0)
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError("must be a number greater than 0")
        return value

    return read


if __name__ == "__main__":
    main()
