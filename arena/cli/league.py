"""`arena league`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.options import agent_argument, db_option, game_options, json_option, name_option, run_options
from arena.cli.runner import default_name, run_all, tell_json
from arena.entrants import resolve_all
from arena.errors import BadSettings
from arena.plan import Options
from arena.staging import home
from results.standings import standings
from results.store import Store
from results.tables import standings_text

__all__ = ["command"]


@click.command("league")
@agent_argument("agent", nargs=-1)
@game_options
@run_options
@click.option("--rounds", type=click.IntRange(min=1, max=100_000), default=1, show_default=True,
              help="How often every two entrants meet twice, once each as first.")  # fmt: skip
@name_option
@db_option
@json_option
def command(agent: tuple[str, ...], rounds: int, name: str | None, db: Path, as_json: bool, **options: Any) -> None:
    """Run a double round-robin league and print its standings.

    Every game is stored as it ends. Interrupt whenever you like: the same command goes on from there.

    \b
    Examples:
      arena league random one_step_search two_step_search --time 5
      arena league ./mine.py ./yours.py:Agent abp_negamax:depth=3 --rounds 5 --opening-turns 2
      arena league random greedy --game othello --name thursday
    """
    entrants = resolve_all(agent, home=home())
    if len(entrants) < 2:
        raise BadSettings("a league needs at least two entrants")
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings("people play with `arena play`, not in leagues")
    plan = Options(**options).plan("league", entrants, games=rounds)
    with Store.open(db, create=True) as store:
        league, summary = run_all(store, name or default_name(plan), plan, tell=tell_json if as_json else None)
        rows = standings([entrant.name for entrant in league.entrants], store.pairs(league.name))
    if as_json:
        click.echo(
            json.dumps({"league": league.name, "games": summary.done, "standings": [asdict(row) for row in rows]})
        )
    else:
        click.echo(f"{league.name}: {summary.done} of {summary.total} games\n")
        click.echo(standings_text(rows))
    if summary.suspended:
        raise click.ClickException(
            f"we failed to play {'; '.join(summary.suspended)}; the same command tries again (with arena -v: why)"
        )
