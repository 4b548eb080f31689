"""Makes the opening books, prints them as trees, and checks them by deeper search.

python -P -m agents.books make microchess [--positions 400] [--out FILE]
python -P -m agents.books show othello [--turns 6]
python -P -m agents.books check microchess [--positions 50] [--effort 2000000]
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import games
from agents.books.make import EFFORTS, LOSING, make, search_of
from agents.opening_book import BadBook, book, book_file, book_move
from games.errors import ArenaError

__all__ = ["check", "main", "positions_of", "tree"]

_POSITIONS: Final = {"microchess": 400, "othello": 200}


def tree(state: Any, *, turns: int, indent: str = "") -> Iterator[str]:
    """The lines of the tree below a state: the move of the book, and after it the replies that the book answers."""
    found = book_move(state)
    if found is None or turns < 1:
        return
    after = state.forward(found.move)
    yield f"{indent}{found.move} {found.value:.3f}"
    for reply in after.legal_moves if after.ending is None else ():
        below = list(tree(after.forward(reply), turns=turns - 2, indent=f"{indent}    "))
        if below:
            yield f"{indent}  {reply}"
            yield from below


def positions_of(game: str) -> Iterator[Any]:
    """A state for each position of a book."""
    rules, counters = games.load(game), " 0 1" if game == "microchess" else ""
    return (rules.position(key + counters) for key in book(game))


def check(game: str, *, effort: int, most: int | None = None, seed: int = 1) -> Iterator[tuple[str, str, float]]:
    """Positions of a book, its moves there, and what a search of this effort expects after them for the mover."""
    search, states = search_of(game, effort), list(positions_of(game))
    if most is not None and most < len(states):
        states = random.Random(seed).sample(states, most)
    for state in states:
        found = book_move(state)
        after = None if found is None else state.forward(found.move)
        if found is None or after is None:
            continue
        value = 1 - search(after)[1] if after.ending is None else after.ending.points(state.turn)
        yield state.text, str(found.move), value


def main() -> int:
    """Make, print or check a book; the exit code."""
    given = _parser().parse_args()
    try:
        return {"make": _make, "show": _show, "check": _check}[given.command](given)
    except (ArenaError, BadBook, OSError) as error:
        sys.stderr.write(f"Error: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -P -m agents.books", description="Opening books.")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="search the most likely positions and write a book")
    making.add_argument("--positions", type=_count, help="positions to search (default: microchess 400, othello 200)")
    making.add_argument("--out", type=Path, help="file to write (default: the file that agents use)")
    showing = commands.add_parser("show", help="print a book as a tree")
    showing.add_argument("--turns", type=_count, default=6, help="turns from the start (default 6)")
    checking = commands.add_parser("check", help="look for moves that a deeper search calls losing")
    checking.add_argument("--positions", type=_count, help="so many positions drawn at random (default: all)")
    checking.add_argument("--effort", type=_count, help="nodes in microchess, turns in Othello (default: as when made)")
    for command in (making, showing, checking):
        command.add_argument("game", choices=sorted(EFFORTS))
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _make(given: argparse.Namespace) -> int:
    game, effort = given.game, EFFORTS[given.game]
    positions = given.positions or _POSITIONS[game]
    began = time.process_time()
    rows = [f"{entry.key}\t{entry.move}\t{entry.value}\n" for entry in make(game, positions=positions, effort=effort)]
    seconds = time.process_time() - began
    told = [
        f"# Opening book of {game}: position, move, expected score of the side to move.",
        f"# Made by `python -P -m agents.books make {game} --positions {positions}` on {datetime.now(UTC).date()}",
        f"# in {seconds:.0f} s of CPU time; effort of short, deep and checking searches: "
        f"{effort.short}, {effort.deep}, {effort.check}.",
    ]
    out = given.out or book_file(game)
    out.write_text("\n".join([*told, *sorted(rows)]).replace("\n\n", "\n"), encoding="utf-8")
    sys.stdout.write(f"{len(rows)} of {positions} positions in {out}, {seconds:.0f} s of CPU time\n")
    return 0


def _show(given: argparse.Namespace) -> int:
    start = games.load(given.game).start()
    sys.stdout.write(f"{given.game}: {len(book(given.game))} positions\n")
    for line in tree(start, turns=given.turns):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write("as second player\n")
    for move in start.legal_moves:
        below = list(tree(start.forward(move), turns=given.turns - 1, indent="    "))
        if below:
            sys.stdout.write("\n".join([f"  {move}", *below]) + "\n")
    return 0


def _check(given: argparse.Namespace) -> int:
    effort = given.effort or EFFORTS[given.game].check
    found = list(check(given.game, effort=effort, most=given.positions))
    losing = [row for row in found if row[2] < LOSING]
    for text, move, value in losing:
        sys.stdout.write(f"{text}: {move} {value:.3f}\n")
    least = min((value for _, _, value in found), default=0.5)
    sys.stdout.write(f"{len(found)} moves searched with effort {effort}; losing (below {LOSING}): {len(losing)}; ")
    sys.stdout.write(f"least {least:.3f}\n")
    return 1 if losing else 0


if __name__ == "__main__":
    sys.exit(main())
