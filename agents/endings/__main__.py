"""Builds the tables of microchess endings, and looks positions up.

python -P -m agents.endings build [--out FILE]
python -P -m agents.endings show "k3/4/4/4/R2K w - - 0 1"
python -P -m agents.endings measure [--json]
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import games
from agents.core.native import extension
from agents.endings.table import FILE, Answer, BadTables, answer, by_material, packed
from games.errors import ArenaError


def main() -> int:
    """Build the tables or print what they say; the exit code."""
    parser = argparse.ArgumentParser(prog="python -P -m agents.endings", description="Tables of microchess endings.")
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build all tables")
    build.add_argument("--out", type=Path, default=FILE, help="file to write (default: the file that agents use)")
    show = commands.add_parser("show", help="print what the tables say about a position and its moves")
    show.add_argument("position", help="4x5 FEN")
    measure = commands.add_parser("measure", help="count the results of each material")
    measure.add_argument("--json", action="store_true", help="for studies")
    given = parser.parse_args()
    try:
        if given.command == "measure":
            return _measure(as_json=given.json)
        return _build(given.out) if given.command == "build" else _show(given.position)
    except (ArenaError, BadTables, OSError) as error:
        sys.stderr.write(f"Error: {error}\n")
        return 2


def _build(out: Path) -> int:
    native = extension("agents.endings._native")
    if native is None:
        sys.stderr.write("Error: the native module agents.endings._native was not built\n")
        return 1
    began = time.process_time()
    found = native.build()
    seconds = time.process_time() - began
    data = packed(found)
    out.write_bytes(data)
    sys.stdout.write(f"{len(found):,} entries in {seconds:.1f} s of CPU time, {len(data):,} bytes in {out}\n")
    return 0


def _show(text: str) -> int:
    state = games.load("microchess").position(text)
    sys.stdout.write(f"{state.text}: {_words(answer(state))}\n")
    for move in state.legal_moves:
        after = state.forward(move)
        ending = after.ending
        words = f"the game ends by {ending.reason}" if ending else f"for the other side: {_words(answer(after))}"
        sys.stdout.write(f"  {move}: {words}\n")
    return 0


def _measure(*, as_json: bool) -> int:
    columns = ["pieces", "positions", "won", "drawn", "lost", "no answer", "longest win"]
    rows: list[list[object]] = []
    for pieces, answers in by_material().items():
        if not answers:  # neither side could ever mate: the game is over
            continue
        results = Counter(found.result for found in answers)
        longest = max((found.turns for found in answers if found.result == "win"), default=0)
        counted = [results["win"], results["draw"], results["loss"], results[None]]
        rows.append([pieces, len(answers), *counted, longest])
    if as_json:
        sys.stdout.write(json.dumps({"columns": columns, "rows": rows}) + "\n")
    else:
        lines = ["\t".join(columns), *("\t".join(map(str, row)) for row in rows)]
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _words(found: Answer | None) -> str:
    return "not in the tables" if found is None else str(found)


if __name__ == "__main__":
    sys.exit(main())
