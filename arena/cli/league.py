"""`arena league`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.dry_run import schedule_text
from arena.cli.options import (
    Share,
    agent_argument,
    config_option,
    db_option,
    game_options,
    json_option,
    name_option,
    run_options,
    workers_option,
)
from arena.cli.runner import Run, default_name, tell_json
from arena.competition.config import Config
from arena.competition.config_values import MOST_ROUNDS
from arena.competition.plan import Options
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.formats.round_robin import FORMATS
from results.standings.ratings import rating_notes
from results.standings.table import table
from results.standings.text_tables import row_dict, standings_text
from results.store.store import Store

__all__ = ["command"]


@click.command("league")
@agent_argument("agent", nargs=-1, required=False)
@config_option
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default="round-robin",
    show_default=True,
    help="Who meets whom: everybody everybody; the first agent all others; those with equal points; winners go on.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1, max=MOST_ROUNDS),
    help="How often two that meet do so twice, once each as first; Swiss: games each.  "
    "[default: 1; Swiss: as many as find a winner]",
)
@game_options
@run_options
@workers_option
@click.option(
    "--suspend-after",
    type=Share(),
    default="10%",
    show_default=True,
    metavar="PERCENT",
    help="Suspend who faults in more than this share of at least 10 games; `never` for nobody.",
)
@click.option("--dry-run", is_flag=True, help="Print the schedule and how long it may take; play nothing.")
@name_option
@db_option
@json_option
def command(
    agent: tuple[str, ...], config: Config | None, rounds: int | None, workers: int | None, dry_run: bool,
    name: str | None, db: Path, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Run a league and print its standings: by default a double round robin.

    Every game is stored as it ends. Interrupt whenever you like: the same command goes on from there.

    \b
    Examples:
      arena league random one_step_search two_step_search --time 5
      arena league ./mine.py ./yours.py:Agent abp_negamax:depth=3 --rounds 5 --opening-turns 2
      arena league --config microchess-ladder ./mine.py
      arena league random greedy --game othello --format swiss --dry-run
    """
    lines = config.entrants if config is not None else ()
    texts = [*(line.text for line in lines), *agent]
    names = {index: line.name for index, line in enumerate(lines) if line.name is not None}
    entrants = resolve_all(texts, home=home(), names=names)
    if len(entrants) < 2:
        raise BadSettings("a league needs at least two entrants; name agents, or a league file with --config")
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings("people play with `arena play`, not in leagues")
    plan = Options(**options).plan("league", entrants, games=rounds)
    if dry_run:
        click.echo(schedule_text(plan, db, workers=workers, as_json=as_json))
        return
    with Store.open(db, create=True) as store:
        run = Run(store=store, plan=plan, name=name or default_name(plan), tell=tell_json if as_json else None)
        league, summary = run.on_workers(workers)
        league = store.league(league.name) or league  # entrants may have come and gone meanwhile
        standings, awards = table(store, league), len(store.awards(league.name))
    if as_json:
        rows = [row_dict(row) for row in standings.rows]
        click.echo(json.dumps({"league": league.name, "games": summary.done, "standings": rows}))
    else:
        awarded = f", {awards} of them decided without a game" if awards else ""
        click.echo(f"{league.name}: {summary.done} of {summary.total} games{awarded}\n")
        click.echo(standings_text(standings.rows, format=league.format))
        said = rating_notes(standings.ratings, [row.agent for row in standings.rows])
        click.echo("".join(f"\n{line}" for line in said))
    if summary.suspended:
        raise click.ClickException(
            f"we failed to play {'; '.join(summary.suspended)}; the same command tries again (with arena -v: why)"
        )
