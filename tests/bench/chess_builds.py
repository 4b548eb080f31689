"""Two searches of chess against each other at equal nodes: what a feature, or a change of the code, is worth.

    python -P tests/bench/chess_builds.py --without null_moves        # this build against itself without a feature
    python -P tests/bench/chess_builds.py --without all               # the same for every feature
    python -P tests/bench/chess_builds.py --build build/before/_core.so --name "before this change"

They meet in this process, from the level openings, each twice with sides swapped. Results are kept by name in
tests/bench/results/chess-builds.json; a feature that is there already is not measured again.
"""

import argparse
import importlib.util
import json
import math
import statistics
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import games
from agents.alphabeta.search import FEATURES
from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from games.base import WHITE

ROOT = Path(__file__).parent.parent.parent
OPENINGS = ROOT / "arena" / "training" / "openings" / "chess.txt"
RESULTS = ROOT / "tests" / "bench" / "results" / "chess-builds.json"
TURNS = 300

#: A native module, and further options of its search.
Side = tuple[Any, Mapping[str, int]]


def module(path: Path) -> Any:
    """The native module in this file."""
    spec = importlib.util.spec_from_file_location("agents.core._core", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def points(opening: str, sides: Sequence[Side], *, nodes: int, seed: int) -> float:
    """White's points in one game of Black and White."""
    state: Any = games.load(f"chess:turns={TURNS}").position(opening)
    searchers = [(made.Searcher("chess", limit=TURNS), options) for made, options in sides]
    while state.ending is None:
        position = knowledge_of(state).native_position(state)
        searcher, options = searchers[state.turn == WHITE]
        searcher.set(position.text, position.moves)
        state = state.forward(state.parse(searcher.alphabeta(nodes=nodes, seed=seed, **options)[0]))
    return float(state.ending.points(WHITE))


def match(one: Side, two: Side, *, number: int, nodes: int) -> dict[str, Any]:
    """The score of `one`, with half of its 95 % interval over pairs of games."""
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    firsts, seconds = [], []
    for index in range(number // 2):
        opening, seed = lines[index % len(lines)], index + 1
        firsts.append(points(opening, [two, one], nodes=nodes, seed=seed))
        seconds.append(1 - points(opening, [one, two], nodes=nodes, seed=seed))
    pairs = [(one + two) / 2 for one, two in zip(firsts, seconds, strict=True)]
    error = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs))
    return {
        "date": datetime.now(UTC).date().isoformat(), "games": 2 * len(pairs), "nodes": nodes,
        "score": round(statistics.fmean(pairs), 4), "error": round(error, 4),
        "score_white": round(statistics.fmean(firsts), 4), "score_black": round(statistics.fmean(seconds), 4),
    }  # fmt: skip


def stored() -> dict[str, Any]:
    """The stored results by name."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return found


def main() -> None:
    """Play the matches that are asked for and print their results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked = parser.add_mutually_exclusive_group(required=True)
    names = sorted(set(FEATURES) - {"nothing"})
    asked.add_argument("--without", choices=[*names, "all"], help="the feature to measure")
    asked.add_argument("--build", type=Path, help="the file _core.….so of another build")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--name", default="another build", help="the name under which another build is kept")
    given = parser.parse_args()
    if given.games < 4 or given.games % 2:
        parser.error("--games must be even and at least 4: each opening is played twice")
    present = extension("agents.core._core")
    if given.build:
        others: dict[str, Side] = {given.name: (module(given.build), {})}
    else:
        features = [name for name in names if given.without in (name, "all")]
        others = {f"without {name}": (present, {"without": FEATURES[name]}) for name in features}
    for name, other in others.items():
        if name in stored() and not given.build:
            continue
        found = match((present, {}), other, number=given.games, nodes=given.nodes)
        RESULTS.write_text(json.dumps({**stored(), name: found}, indent=2) + "\n", encoding="utf-8")
        print(f"{name}: {found['score']:.3f} ± {found['error']:.3f} of {found['games']}", flush=True)


if __name__ == "__main__":
    main()
