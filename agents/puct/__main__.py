"""`python -P -m agents.puct --game microchess --simulations 20000 --profile`: search one position."""

import argparse
import json
import sys
from collections.abc import Sequence

import games
from agents.options import whole
from agents.puct.agent import PuctAgent
from agents.puct.evaluation import EVALUATORS
from agents.puct.profile import PHASES, Profile, profile
from agents.puct.search import PuctSettings
from games.base import State
from games.errors import ArenaError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. A wrong argument prints one line and returns 2."""
    options = _parser().parse_args(arguments)
    try:
        game = games.load(options.game)
        state = game.start() if options.position is None else game.position(options.position)
        text = _profiled(state, options) if options.profile else _searched(state, options)
    except (ArenaError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201
        return 2
    print(text)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -P -m agents.puct", description="Search one position by PUCT.")
    parser.add_argument("--game", default="microchess", help="the game, with parameters (default: microchess)")
    parser.add_argument("--position", help="the position to search (default: the game's start)")
    parser.add_argument("--simulations", type=int, default=20_000, help="(default: 20000)")
    parser.add_argument("--evaluator", choices=EVALUATORS, default="material", help="(default: material)")
    parser.add_argument("--batch", type=int, default=1, help="number of leaves evaluated together (default: 1)")
    parser.add_argument(
        "--cache",
        type=int,
        default=16,
        help="size of the cache of evaluations, as a power of two; 0: no cache (default: 16)",
    )
    parser.add_argument(
        "--profile", action="store_true", help="print time per phase, cache hits, memory per simulation"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


def _profiled(state: State, options: argparse.Namespace) -> str:
    settings = PuctSettings(batch=whole("batch", options.batch, most=4096))
    found = profile(
        state,
        EVALUATORS[options.evaluator],
        settings,
        simulations=whole("simulations", options.simulations),
        cache=whole("cache", options.cache, least=0, most=24),
    )
    if options.json:
        return json.dumps({"columns": found.columns(), "rows": [found.row()]})
    return "\n".join(f"{name:<18}{value}" for name, value in _lines(found))


def _lines(found: Profile) -> list[tuple[str, str]]:
    figures = found.figures
    known = figures.hits / figures.evaluations if figures.evaluations else 0.0
    spent = sum(getattr(figures, phase) for phase in PHASES) or 1.0
    phases = [(phase, getattr(figures, phase)) for phase in PHASES]
    return [
        ("form", found.form),
        ("simulations", f"{found.simulations:>12,}"),
        ("simulations/s", f"{found.simulations / max(found.seconds, 1e-9):>12,.0f}"),
        *((phase, f"{seconds:>12.4f} s {seconds / spent:>6.1%}") for phase, seconds in phases),
        ("evaluations", f"{figures.evaluations:>12,}"),
        ("cache hits", f"{figures.hits:>12,}   {known:>6.1%}"),
        ("nodes", f"{figures.nodes:>12,}"),
        ("bytes/simulation", f"{found.memory / found.simulations:>12,.0f}"),
    ]


def _searched(state: State, options: argparse.Namespace) -> str:
    agent = PuctAgent(
        "puct", state.turn, simulations=options.simulations, evaluator=options.evaluator, batch=options.batch
    )
    agent.act(state)
    report = agent.report
    assert report is not None
    if options.json:
        rows = [[each.move, each.visits, each.mean] for each in report.visits]
        return json.dumps({"columns": ["move", "visits", "mean"], "rows": rows})
    return str(report)


if __name__ == "__main__":
    sys.exit(main())
