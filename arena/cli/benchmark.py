"""`arena benchmark`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    agent_argument,
    db_option,
    game_options,
    json_option,
    name_option,
    run_options,
    workers_option,
)
from arena.cli.runner import Run, tell_json, tell_line
from arena.entrants import resolve_all
from arena.errors import BadSettings
from arena.plan import Options
from arena.staging import home
from results.match import Match
from results.standings import standings
from results.store import Store
from results.tables import row_dict

__all__ = ["command"]


@click.command("benchmark")
@agent_argument("a")
@agent_argument("b")
@game_options
@run_options
@workers_option
@click.option("--games", type=click.IntRange(min=1, max=100_000), default=20, show_default=True,
              help="Games in all; the two take turns in being first.")  # fmt: skip
@name_option
@db_option
@json_option
def command(
    a: str, b: str, games: int, workers: int | None, name: str | None, db: Path, as_json: bool, **options: Any
) -> None:
    """Play a match of A against B and print the scores, per colour and overall, with a 95 % error bar.

    Agents without chance repeat themselves: games equal to an earlier one are counted but named,
    and the error bar uses the distinct ones. --opening-turns 2 makes games differ.

    \b
    Examples:
      arena benchmark random one_step_search
      arena benchmark ./my_agent.py two_step_search --games 40 --opening-turns 2
      arena benchmark mcts:simulations=200 greedy --game othello --json
    """
    entrants = resolve_all((a, b), home=home())
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings("people play with `arena play`, not in benchmarks")
    plan = Options(**options).plan("benchmark", entrants, games=games)
    with Store.open(db, create=True) as store:
        run = Run(store=store, plan=plan, name=name, tell=tell_json if as_json else tell_line)
        league, summary = run.on_workers(workers)
        match = Match.of(list(store.counted(league.name)), one=entrants[0].name, two=entrants[1].name)
        rows = standings([entrant.name for entrant in league.entrants], store.pairs(league.name))
    if as_json:
        click.echo(json.dumps({"league": league.name, **match.as_dict(), "standings": [row_dict(row) for row in rows]}))
    else:
        click.echo(match.text())
    if summary.suspended:
        raise click.ClickException("we failed to play some games; the same command with --name tries again")
