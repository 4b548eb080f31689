"""How the bundled agents fare against Stockfish: leagues that go on where they were, a summary, the README's table.

    python -P tests/bench/engines.py [--db engines.db] [--workers 2]

About an hour on two cores; run it again after an interruption. Writes tests/bench/results/engines.json.
"""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "engines.json"
AGENTS = (
    "one_step_search", "two_step_search", "abp_negamax:depth=4", "mcts:seconds=0.1", "alphabeta:seconds=0.1",
    "uct:seconds=0.1",
)  # fmt: skip
BACKENDS = ("fairy", "standard")
LEVELS = "5,20"
NODES = 1000
OPENINGS = ("--opening-turns", "2", "--seed", "2026")


def benchmark(name: str, *words: str, db: Path, workers: int) -> dict[str, Any]:
    """One `arena benchmark`: its summary, and the command without what only this run needs."""
    command = ["arena", "benchmark", *words, *OPENINGS, "--json"]
    run = [sys.executable, "-P", "-m", *command, "--name", name, "--db", str(db), "--workers", str(workers)]
    done = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True)
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    faults = {row["agent"]: row["faults"] for row in summary.pop("standings") if row["faults"]}
    return {"command": " ".join(command), **summary, "faults": faults}


def main() -> None:
    """Play what is missing, store the summary, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, default=Path("engines.db"))
    parser.add_argument("--workers", type=int, default=2)
    given = vars(parser.parse_args())
    duels = [
        benchmark("fairy-standard", "stockfish", "stockfish:backend=standard", "--games", "40", **given),
        *(
            benchmark(
                f"{backend}-random", f"stockfish:nodes=500,backend={backend}", "random", "--games", "200", **given
            )
            for backend in BACKENDS
        ),
    ]
    ladders = {
        agent: {
            backend: benchmark(
                f"{agent.partition(':')[0]}-{backend}", agent, f"stockfish:nodes={NODES},backend={backend}",
                "--levels", LEVELS, "--games", "100", **given,
            )
            for backend in BACKENDS
        }
        for agent in AGENTS
    }  # fmt: skip
    date = datetime.now(UTC).date().isoformat()
    found = {"date": date, "game": "microchess", "budget": "400 s per player and game", "duels": duels}
    RESULTS.write_text(json.dumps({**found, "ladders": list(ladders.values())}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(ladders))


def table(ladders: dict[str, dict[str, Any]]) -> str:
    """A row for each agent, a column for each back-end and level."""
    head = [f"{backend}, level {level}" for backend in BACKENDS for level in LEVELS.split(",")]
    lines = [f"| | {' | '.join(head)} |", f"|---|{'---|' * len(head)}"]
    for agent, by_backend in ladders.items():
        cells = [
            f"{level['score']:.3f} ± {level['error']:.3f}"
            for backend in BACKENDS
            for level in by_backend[backend]["levels"]
        ]
        lines.append(f"| `{agent}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


main()
