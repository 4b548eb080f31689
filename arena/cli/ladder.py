"""`arena ladder`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.background import detach as to_background
from arena.cli.background import reporting, wait_for_start
from arena.cli.league import check_played, result_json, result_text, schedule_json, schedule_text
from arena.cli.live import live_events
from arena.cli.options import (
    agent_argument,
    config_option,
    db_option,
    game_options,
    is_typed,
    json_option,
    ladder_options,
    run_options,
    setting_option,
    trust_file_option,
    workers_option,
)
from arena.cli.plain_click import Whole
from arena.competition import ladder
from arena.competition.league_file import LeagueFile

__all__ = ["command"]


@click.command("ladder")
@agent_argument("agent", nargs=-1, required=False)
@click.option("--name", required=True, metavar="TEXT", help="Name of the ladder. The same name continues it.")
@config_option
@ladder_options
@click.option("--hours", type=click.FloatRange(min=0, min_open=True), metavar="HOURS",
              help="End this run after so many hours; running games are played to their end.")  # fmt: skip
@click.option("--season", type=Whole(min=1), default=1, show_default=True, metavar="NUMBER",
              help="Season to play. A new one begins with the entrants of the one before and new ratings.")  # fmt: skip
@click.option("--final", type=Whole(min=2), metavar="NUMBER",
              help="At its end, let so many of the best play a round robin, stored as NAME-final.")  # fmt: skip
@click.option("--final-rounds", type=Whole(min=1), default=1, show_default=True, metavar="NUMBER",
              help="Number of double rounds of the final.")  # fmt: skip
@game_options
@run_options
@setting_option("suspend_after")
@workers_option
@click.option("--dry-run", is_flag=True, help="Print settings and expected duration; play nothing.")
@click.option(
    "--detach", is_flag=True, help="Run on in the background, also after the terminal closes; see `arena stop`."
)
@db_option
@trust_file_option
@json_option
def command(
    agent: tuple[str, ...], name: str, config: LeagueFile | None, hours: float | None, season: int, final: int | None,
    final_rounds: int, dry_run: bool, detach: bool, db: Path, trust_file: bool, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Run a ladder: a league without end, in which agents meet opponents of about their strength.

    Agents enter, are replaced and leave while it runs (`arena enter`, `replace`, `withdraw`). New ones play more often
    until they are placed. The table ranks by Elo. You can interrupt at any time: the same command continues, and so
    does the name alone.

    \b
    Examples:
      arena ladder random one_step_search two_step_search --name club --time 5
      arena ladder --name club --hours 8 --detach
      arena ladder --name club --until settled
      arena ladder --name club --games 5000 --final 8
      arena ladder --name club --season 2
    """
    if config is None and not agent:  # only what was typed: the rest is stored with the ladder
        options = {name: value for name, value in options.items() if is_typed(name)}
    if dry_run and detach:
        raise click.UsageError("--dry-run plays nothing, so there is nothing to --detach; leave out one of the two")
    if dry_run:
        plan, forecast = ladder.schedule(agent, name=name, config=config, db=db, season=season, **options)
        click.echo(schedule_json(plan, forecast) if as_json else schedule_text(plan, forecast))
        return
    background = to_background(db) if detach else None
    if background is not None and background.pid:
        wait_for_start(background, db, as_json=as_json)
        return
    with live_events(db, as_json=as_json) as on_event:
        if background is not None:
            on_event = reporting(background, on_event)
        result = ladder.ladder(
            agent, name=name, config=config, db=db, season=season, hours=hours, final=final, final_rounds=final_rounds,
            on_event=on_event, trust_file=trust_file, **options,
        )  # fmt: skip
    parts = [part for part in (result.ladder, result.final) if part is not None]
    if as_json:
        told = [result_json(part) for part in parts]
        click.echo(json.dumps({**told[0], "final": told[1] if len(told) > 1 else None}))
    else:
        click.echo("\n\n".join(map(result_text, parts)))
    for part in parts:
        check_played(part.summary)
