"""How strong `alphabeta` and two teaching agents are in chess: matches by name, and the README's table.

    python -P tests/bench/chess.py --list
    python -P tests/bench/chess.py gnuchess stockfish-5
    python -P tests/bench/chess.py --games 40 mcts
    python -P tests/bench/chess.py --table
    python -P tests/bench/chess.py --plain                       # the agents in Python on the kernel
    ARENA_KERNEL=python python -P tests/bench/chess.py --plain   # and on the rules in Python

Matches start from the level openings of `arena/training/openings/chess.txt`, each played twice with sides swapped. Run
a command again after an interruption: games that are stored in `--db` are not played again. Each run of a match
replaces its entry in tests/bench/results/chess.json, also one of fewer games than planned: their number stands there.

Against engines both sides have a number of seconds for a move by the clock. On a busy machine both get less CPU time;
what they really took is stored with the match.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import games
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.mcts_agent import MCTSAgent
from games.base import WHITE
from results.api import load
from results.notation.replay import seat_of
from results.record import GameRecord

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "tests" / "bench" / "results" / "chess.json"
MIDDLEGAME = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
OPENINGS = "arena/training/openings/chess.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match to play: two entrants and the number of games."""

    name: str
    one: str
    two: str
    games: int = 100


def matches() -> Iterator[Match]:
    """All matches."""
    ours, seconds = "alphabeta:seconds=0.2", "seconds=0.2"
    yield Match(name="gnuchess", one=ours, two=f'uci:command="gnuchess --uci",{seconds}')
    yield Match(name="stockfish-5", one=ours, two=f"stockfish:level=5,{seconds}")
    yield Match(name="stockfish-10", one=ours, two=f"stockfish:level=10,{seconds}")
    yield Match(name="toga2", one=ours, two=f"uci:command=toga2,OwnBook=no,{seconds}")
    yield Match(name="mcts", one="mcts:seconds=0.2", two="two_step_search")
    yield Match(name="abp_negamax", one="abp_negamax:depth=3", two="two_step_search")


MATCHES = {match.name: match for match in matches()}


def played(match: Match, *, games: int, db: Path, workers: int) -> dict[str, Any]:
    """Play what is missing of a match; returns what is stored about it."""
    command = ["arena", "benchmark", match.one, match.two, "--game", "chess", "--games", str(games)]
    command += ["--openings", OPENINGS, "--seed", "2026", "--json"]
    run = [sys.executable, "-P", "-m", *command, "--name", match.name, "--db", str(db), "--workers", str(workers)]
    done = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    summary["faults"] = {row["agent"]: row["faults"] for row in summary.pop("standings") if row["faults"]}
    with load(db) as stored:
        records = list(stored.records(match.name))
    return {
        "name": match.name, "date": datetime.now(UTC).date().isoformat(), "command": shlex.join(command), **summary,
        "workers": workers, "one_per_move": cost(records, summary["one"]),
        "two_per_move": cost(records, summary["two"]),
    }  # fmt: skip


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


def plain() -> dict[str, float]:
    """How fast the agents in Python are: simulations a CPU-second of `mcts`, and a search of `abp_negamax`."""
    state = games.load("chess").position(MIDDLEGAME)
    found = {}
    for key, agent, work in (
        ("mcts: simulations a second", MCTSAgent("a", WHITE, simulations=1000), 1000),
        ("abp_negamax:depth=4: searches a second", ABPNegamaxSearchAgent("a", WHITE, depth=4), 1),
    ):
        agent.reset()
        began = time.process_time()
        agent.act(state)
        found[key] = round(work / (time.process_time() - began), 2)
    return found


def stored() -> list[dict[str, Any]]:
    """The stored matches."""
    if not RESULTS.exists():
        return []
    found: list[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))["matches"]
    return found


def store(new: dict[str, Any]) -> None:
    """Write a match in the place of the same one."""
    order = list(MATCHES)
    kept = [match for match in stored() if match["name"] != new["name"]]
    rows = sorted([*kept, new], key=lambda match: order.index(match["name"]))
    RESULTS.write_text(json.dumps({"matches": rows}, indent=2) + "\n", encoding="utf-8")


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The lines of a Markdown table of these matches."""
    columns = ("match", "agent", "against", "games", "score", "as first", "as second", "CPU ms a move")
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for row in rows:
        score = f"{row['score']:.3f} ± {row['error']:.3f}"
        seats = [f"{row[seat]:.3f}" for seat in ("score_first", "score_second")]
        times = " / ".join(f"{row[side]['cpu_ms']:.1f}" for side in ("one_per_move", "two_per_move"))
        cells = [row["name"], f"`{row['one']}`", f"`{row['two']}`", row["games"], score, *seats, times]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def main() -> None:
    """Play the named matches, or print the list or the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="matches to play; see --list")
    parser.add_argument("--games", type=int, help="fewer or more games than planned; an even number")
    parser.add_argument("--db", type=Path, default=Path("chess.db"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="measure the agents in Python and stop")
    parser.add_argument("--list", action="store_true", help="print the matches and stop")
    parser.add_argument("--table", action="store_true", help="print the table of the README and stop")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in MATCHES]:
        parser.error(f"unknown match {unknown[0]!r}; matches are {', '.join(MATCHES)}")
    if given.games is not None and (given.games < 2 or given.games % 2):
        parser.error("--games must be even: each opening is played twice")
    if given.list:
        print("\n".join(f"{match.name}: {match.one} against {match.two}" for match in MATCHES.values()))
    elif given.plain:
        print(json.dumps(plain()))
    elif given.table:
        print("\n".join(table(stored())))
    else:
        for match in [MATCHES[name] for name in given.names or MATCHES]:
            found = played(match, games=given.games or match.games, db=given.db, workers=given.workers)
            store(found)
            print(f"{match.name}: {found['score']:.3f} ± {found['error']:.3f} of {found['games']}", flush=True)


if __name__ == "__main__":
    main()
