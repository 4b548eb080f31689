"""How strong the self-learning agents are: the matches of their goals, one at a time, and the README's table.

    python -P tests/bench/learning.py --list
    python -P tests/bench/learning.py learned-alphabeta puct-depth-6
    python -P tests/bench/learning.py learned-alphabeta --exported build/seed-2
    python -P tests/bench/learning.py --table

Without names, all matches are played whose weights are there. `--exported` names a folder of `arena train export` that
plays instead of the shipped weights: another seed of the same recipe. Run a command again after an interruption: games
that are stored in `--db` are not played again. A match that is complete replaces the same match of the same seed in
tests/bench/results/learning.json; one with fewer games than its goal asks for is only printed.

Agents are limited in CPU time, so that a busy machine plays the same matches. An engine cannot be: where a goal asks
for equal time, a few games before the match find the number of nodes that costs the engine as much CPU time a move.
They are stored with the match, as is the CPU time that both sides took in the end. `--limit` and `--against` set other
limits:

    python -P tests/bench/learning.py learned-alphabeta --limit nodes=40000 --against alphabeta:nodes=60000
"""

import argparse
import hashlib
import json
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from results.api import load
from results.notation.replay import seat_of
from results.record import GameRecord

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "tests" / "bench" / "results" / "learning.json"
WEIGHTS = ROOT / "agents" / "self_learning" / "weights"
LEVEL_OPENINGS = "arena/training/openings/microchess.txt"
#: A trial that finds out what the nodes of an engine cost; the last trial is followed by the match.
CALIBRATION_GAMES, MOST_TRIALS = 8, 3
ERROR = "half of the 95 % interval over the distinct games"


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A match and the score that it must reach; `beside` is what the score is compared with if nothing is asked.

    `engine_ms` is the CPU time that the opponent, an engine without such a limit, may take for a move.
    """

    name: str
    agent: str
    limit: str
    against: str
    score: float | None = None
    beside: str = ""
    game: str = "microchess"
    games: int = 400
    opening_turns: int = 0
    engine_ms: float | None = None

    @property
    def opponent(self) -> str:
        """The opponent and its limit, for the table."""
        return self.against if self.engine_ms is None else f"{self.against}, {self.engine_ms:g} ms"

    @property
    def weights(self) -> Path | None:
        """The shipped weights of the agent; None for an agent that has learned nothing."""
        if self.agent not in ("learned_alphabeta", "self_learning"):
            return None
        return WEIGHTS / f"{self.agent}-{self.game.partition(':')[0]}.bin"

    @property
    def openings(self) -> list[str]:
        """The option for paired openings. Boards of mushroom are random, and each of them is played twice too."""
        if self.game == "microchess":
            return ["--openings", LEVEL_OPENINGS]
        return ["--opening-turns", str(self.opening_turns)] if self.opening_turns else []

    @property
    def asked(self) -> str:
        """What is asked, for the table."""
        return self.beside if self.score is None else f"≥ {self.score:.2f}"


def goals() -> Iterator[Goal]:
    """All matches: at least 200 games each, 40 where a move takes a second."""
    value, policy, short, tenth = "learned_alphabeta", "self_learning", "cpu_seconds=0.02", "cpu_seconds=0.1"
    fairy, depth = "stockfish:nodes", "alphabeta:depth"
    yield Goal(name="learned-alphabeta", agent=value, limit=short, against=f"alphabeta:{short}", score=0.65, games=200)
    yield Goal(name="learned-fairy-10000", agent=value, limit=short, against=f"{fairy}=10000", score=0.78)
    yield Goal(name="learned-fairy-100000", agent=value, limit=short, against=f"{fairy}=100000", score=0.68, games=200)
    yield Goal(
        name="learned-fairy-time", agent=value, limit=tenth, against="stockfish", engine_ms=100, score=0.70, games=200
    )
    yield Goal(
        name="alphabeta-fairy-time", agent="alphabeta", limit=tenth, against="stockfish", engine_ms=100,
        beside="0.63 before", games=200,
    )  # fmt: skip
    yield Goal(name="puct-depth-6", agent=policy, limit="simulations=1600", against=f"{depth}=6", score=0.60)
    yield Goal(name="puct-depth-8", agent=policy, limit="simulations=1600", against=f"{depth}=8", score=0.50)
    yield Goal(name="puct-fairy-10000", agent=policy, limit="simulations=1600", against=f"{fairy}=10000", score=0.60)
    yield Goal(
        name="puct-standard", agent=policy, limit=short, against="stockfish:backend=standard,level=20", engine_ms=20,
        beside="earlier platform: 0.925 / 0.475",
    )  # fmt: skip
    yield from goals_of_other_games(value, policy)


def goals_of_other_games(value: str, policy: str) -> Iterator[Goal]:
    """Othello and Gomoku by both agents; their goal is reached if one of them reaches it."""
    for kind, agent in (("alphabeta", value), ("puct", policy)):
        yield Goal(
            name=f"othello-{kind}", agent=agent, limit="cpu_seconds=1", against="gtp:command=gtp-rhino", score=0.5,
            game="othello", games=40, opening_turns=6,
        )  # fmt: skip
    for kind, agent in (("alphabeta", value), ("puct", policy)):
        yield Goal(
            name=f"gomoku-{kind}", agent=agent, limit="cpu_seconds=0.1", against="uct:cpu_seconds=0.1", score=0.5,
            game="gomoku:size=11", games=200, opening_turns=4,
        )  # fmt: skip
    yield Goal(
        name="mushroom-puct", agent=policy, limit="cpu_seconds=0.1", against="mushroom_greedy", score=0.5,
        game="mushroom", games=200,
    )  # fmt: skip
    yield Goal(
        name="go-puct", agent=policy, limit="simulations=400", against="uct:simulations=1000", score=0.6,
        game="go:size=9", games=200, opening_turns=4,
    )  # fmt: skip


GOALS = {goal.name: goal for goal in goals()}


def origin(goal: Goal, exported: str | None) -> dict[str, Any] | None:
    """The weights that play: their hash, seed and cost; None for an agent that has learned nothing."""
    if goal.weights is None:
        return None
    place = goal.weights if exported is None else ROOT / exported / "weights.bin"
    about = place.with_suffix(".json") if exported is None else place.with_name("provenance.json")
    facts = json.loads(about.read_text(encoding="utf-8"))
    kept = {key: facts.get(key) for key in ("seed", "cpu_minutes", "games", "commit")}
    return {"sha256": hashlib.sha256(place.read_bytes()).hexdigest(), **kept, "shipped": exported is None}


def measure(goal: Goal, *, exported: str | None, games: int, db: Path, workers: int) -> dict[str, Any]:
    """Play what is missing of a match; returns what is stored about it."""

    def play(against: str, games: int) -> dict[str, Any]:
        return played(replace(goal, against=against), exported=exported, games=games, db=db, workers=workers)

    if goal.engine_ms is None:
        return play(goal.against, games)
    trials: list[dict[str, Any]] = []
    while not settled(trials, goal.engine_ms):
        nodes = next_nodes(trials, goal.engine_ms)
        trials.append({"nodes": nodes, **play(with_nodes(goal.against, nodes), CALIBRATION_GAMES)["two_per_move"]})
    against = with_nodes(goal.against, next_nodes(trials, goal.engine_ms))
    return {**play(against, games), "engine_ms": goal.engine_ms, "calibration": trials}


def with_nodes(engine: str, nodes: int) -> str:
    """The engine with a limit of nodes for a move."""
    return f"{engine}{',' if ':' in engine else ':'}nodes={nodes}"


def settled(trials: Sequence[dict[str, Any]], asked: float) -> bool:
    """Whether the last trial cost the CPU time asked for, but for 3 %, or whether more trials are of no use."""
    return bool(trials) and (abs(trials[-1]["cpu_ms"] / asked - 1) <= 0.03 or len(trials) >= MOST_TRIALS)


def next_nodes(trials: Sequence[dict[str, Any]], asked: float) -> int:
    """The number of nodes that should cost `asked` milliseconds of CPU time, by the last trial."""
    if not trials:
        return round(1000 * asked)
    return round(trials[-1]["nodes"] * asked / trials[-1]["cpu_ms"])


def played(goal: Goal, *, exported: str | None, games: int, db: Path, workers: int) -> dict[str, Any]:
    """Play what is missing of a match whose opponent is known with its limit."""
    weights = origin(goal, exported)
    one = f"{goal.agent if exported is None else exported.rstrip('/') + '/'}:{goal.limit}"
    command = ["arena", "benchmark", one, goal.against, "--game", goal.game, "--games", str(games)]
    command += [*goal.openings, "--seed", "2026", "--json"]
    # Other weights or limits are another match.
    what = hashlib.sha256(shlex.join([*command, weights["sha256"] if weights else ""]).encode()).hexdigest()
    league = f"{goal.name}-{what[:8]}"
    run = [sys.executable, "-P", "-m", *command, "--name", league, "--db", str(db), "--workers", str(workers)]
    done = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    faults = {row["agent"]: row["faults"] for row in summary.pop("standings") if row["faults"]}
    with load(db) as stored:
        records = list(stored.records(league))
    return {
        "name": goal.name, "goal": goal.score, "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(command), "game": goal.game, **summary, "faults": faults, "weights": weights,
        "version_two": version(records, summary["two"]), "workers": workers,
        "one_per_move": cost(records, summary["one"]), "two_per_move": cost(records, summary["two"]),
    }  # fmt: skip


def version(records: Sequence[GameRecord], agent: str) -> str:
    """The name and version of an engine as it reports them, else the version of the arena."""
    record = records[0]
    return record.versions.get("first" if record.first.name == agent else "second", f"arena {record.versions['arena']}")


def cost(records: Sequence[GameRecord], agent: str) -> dict[str, float]:
    """Mean milliseconds of an agent's moves: CPU time, wall time, and time in which it waited for the machine."""
    moves = [
        move
        for record in records
        for turn, move in enumerate(record.moves, 1)
        if turn > len(record.opening)
        and agent == (record.first.name if seat_of(record, turn) == "first" else record.second.name)
    ]
    kinds = {"cpu_ms": "cpu", "wall_ms": "wall", "wait_ms": "wait"}
    return {key: round(1e3 * statistics.fmean(getattr(move, kind) for move in moves), 3) for key, kind in kinds.items()}


def stored() -> list[dict[str, Any]]:
    """The stored matches, in the order of the goals."""
    if not RESULTS.exists():
        return []
    found: list[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))["matches"]
    return found


def merged(matches: Sequence[dict[str, Any]], new: dict[str, Any]) -> list[dict[str, Any]]:
    """The matches with a new one, which replaces the same match of the same seed."""
    order = list(GOALS)
    kept = [match for match in matches if key(match) != key(new)]
    return sorted([*kept, new], key=lambda match: (order.index(match["name"]), key(match)))


def key(match: dict[str, Any]) -> tuple[str, int]:
    """What a match is of: its goal and the seed of the weights."""
    return match["name"], (match["weights"] or {}).get("seed") or 0


def table(matches: Sequence[dict[str, Any]]) -> list[str]:
    """The lines of a Markdown table: a row for each stored match, and one for each goal that was not measured yet."""
    columns = ("match", "agent", "against", "asked", "seed", "games", "score", "as first", "as second", "CPU ms a move")
    rows: list[Sequence[object]] = [columns]
    for goal in GOALS.values():
        found = [match for match in matches if match["name"] == goal.name]
        goal_only = (goal.name, f"`{goal.agent}:{goal.limit}`", f"`{goal.opponent}`", goal.asked, *"------")
        rows += [cells(goal, match) for match in found] or [goal_only]
    head, *lines = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return [head, f"|{'---|' * len(columns)}", *lines]


def cells(goal: Goal, match: dict[str, Any]) -> list[object]:
    """The row of a stored match."""
    seed = (match["weights"] or {}).get("seed") or "-"
    score = f"{match['score']:.3f} ± {match['error']:.3f}"
    seats = [f"{match[seat]:.3f}" for seat in ("score_first", "score_second")]
    times = " / ".join(f"{match[side]['cpu_ms']:.1f}" for side in ("one_per_move", "two_per_move"))
    return [goal.name, f"`{match['one']}`", f"`{match['two']}`", goal.asked, seed, match["games"], score, *seats, times]


def arguments() -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="matches to play; see --list")
    parser.add_argument("--exported", metavar="FOLDER", help="exported agent, by its path from the repository")
    parser.add_argument("--limit", help="other options of the agent, such as nodes=40000")
    parser.add_argument(
        "--against", metavar="AGENT", help="the opponent with another limit, such as alphabeta:nodes=60000"
    )
    parser.add_argument("--games", type=int, help="fewer or more games than the goal asks for; an even number")
    parser.add_argument("--db", type=Path, default=Path("learning.db"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the matches and stop")
    parser.add_argument("--table", action="store_true", help="print the table of the README and stop")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in GOALS]:
        parser.error(f"unknown match {unknown[0]!r}; matches are {', '.join(GOALS)}")
    if given.games is not None and (given.games < 2 or given.games % 2):
        parser.error("--games must be even: each opening is played twice")
    if (given.exported or given.limit or given.against) and not given.names:
        parser.error("--exported, --limit and --against need the names of matches")
    if given.exported is not None and Path(given.exported).is_absolute():
        parser.error("--exported must be a path relative to the repository: it is stored with the command")
    if given.exported is not None and not (ROOT / given.exported / "provenance.json").exists():
        parser.error(f"there is no exported agent in {given.exported}; make it with `arena train export`")
    return given


def chosen(given: argparse.Namespace) -> Iterator[Goal]:
    """The matches to play, with the limits that were given; those without weights are left out."""
    for goal in [GOALS[name] for name in given.names] or GOALS.values():
        if given.exported is None and goal.weights is not None and not goal.weights.exists():
            print(f"{goal.name}: there are no weights {goal.weights.name}", file=sys.stderr)
            continue
        yield replace(
            goal,
            limit=given.limit or goal.limit,
            against=given.against or goal.against,
            engine_ms=None if given.against else goal.engine_ms,
        )


def main() -> None:
    """Play the matches that were named; store and print each when it is complete."""
    given = arguments()
    if given.list or given.table:
        print("\n".join(table(stored()) if given.table else GOALS))
        return
    for goal in chosen(given):
        games = given.games or goal.games
        match = measure(goal, exported=given.exported, games=games, db=given.db.resolve(), workers=given.workers)
        print(json.dumps(match), flush=True)
        if games >= goal.games:
            found = {"error": ERROR, "matches": merged(stored(), match)}
            RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
