"""Two builds of the native searches against each other in chess, at equal nodes: what a change of the code is worth.

    python -P tests/bench/chess_builds.py build/before/_core.so --games 200 --nodes 5000

The present build plays the given one from the level openings, each twice with sides swapped. With `--name` the result
is kept in tests/bench/results/chess-builds.json.
"""

import argparse
import importlib.util
import json
import math
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import games
from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from games.base import WHITE

ROOT = Path(__file__).parent.parent.parent
OPENINGS = ROOT / "arena" / "training" / "openings" / "chess.txt"
RESULTS = ROOT / "tests" / "bench" / "results" / "chess-builds.json"
TURNS = 300


def module(path: Path) -> Any:
    """The native module in this file."""
    spec = importlib.util.spec_from_file_location("agents.core._core", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def points(opening: str, searchers: Sequence[Any], *, nodes: int, seed: int) -> float:
    """White's points in one game; `searchers` are Black's and White's."""
    state: Any = games.load(f"chess:turns={TURNS}").position(opening)
    while state.ending is None:
        position = knowledge_of(state).native_position(state)
        searcher = searchers[state.turn == WHITE]
        searcher.set(position.text, position.moves)
        state = state.forward(state.parse(searcher.alphabeta(nodes=nodes, seed=seed)[0]))
    return float(state.ending.points(WHITE))


def match(one: Any, two: Any, *, number: int, nodes: int) -> dict[str, Any]:
    """The score of `one`, with half of its 95 % interval over pairs of games."""
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    firsts, seconds = [], []
    for index in range(number // 2):
        opening, seed = lines[index % len(lines)], index + 1
        limit = {"limit": TURNS}
        firsts.append(points(opening, [make.Searcher("chess", **limit) for make in (two, one)], nodes=nodes, seed=seed))
        black = points(opening, [make.Searcher("chess", **limit) for make in (one, two)], nodes=nodes, seed=seed)
        seconds.append(1 - black)
    pairs = [(one + two) / 2 for one, two in zip(firsts, seconds, strict=True)]
    error = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs))
    return {
        "date": datetime.now(UTC).date().isoformat(), "games": 2 * len(pairs), "nodes": nodes,
        "score": round(statistics.fmean(pairs), 4), "error": round(error, 4),
        "score_white": round(statistics.fmean(firsts), 4), "score_black": round(statistics.fmean(seconds), 4),
    }  # fmt: skip


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the file _core.….so of the other build")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--name", help="keep the result under this name")
    given = parser.parse_args()
    if given.games < 4 or given.games % 2:
        parser.error("--games must be even and at least 4: each opening is played twice")
    found = match(extension("agents.core._core"), module(given.build), number=given.games, nodes=given.nodes)
    print(json.dumps(found))
    if given.name:
        kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps({**kept, given.name: found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
