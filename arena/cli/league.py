"""`arena league`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.background import detach as to_background
from arena.cli.background import reporting, wait_for_start
from arena.cli.live import live_events
from arena.cli.options import (
    agent_argument,
    config_option,
    db_option,
    game_options,
    is_typed,
    json_option,
    league_options,
    name_option,
    run_options,
    trust_file_option,
    workers_option,
)
from arena.cli.output import terminal_width
from arena.cli.text import label
from arena.competition import run
from arena.competition.events import Summary
from arena.competition.forecast import Forecast
from arena.competition.league_file import LeagueFile
from arena.competition.outcome import LeagueResult
from arena.competition.plan import Plan
from results.text import display_width, padded, plain, share_of

__all__ = ["check_played", "command", "result_json", "result_text", "schedule_json", "schedule_text"]


@click.command("league")
@agent_argument("agent", nargs=-1, required=False)
@config_option
@league_options
@game_options
@run_options
@workers_option
@click.option("--dry-run", is_flag=True, help="Print settings, schedule and expected duration; play nothing.")
@click.option(
    "--detach", is_flag=True, help="Run on in the background, also after the terminal closes; see `arena stop`."
)
@name_option
@db_option
@trust_file_option
@json_option
def command(
    agent: tuple[str, ...], config: LeagueFile | None, dry_run: bool, detach: bool, db: Path, trust_file: bool,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Run a league and print its standings; by default a double round robin.

    Every game is stored as it ends. You can interrupt at any time: the same command continues, and so does the name
    of the league alone. A stored league goes on with its copies of submitted agents; see `arena replace`.

    \b
    Examples:
      arena league random one_step_search two_step_search --time 5
      arena league ./mine.py ./yours.py:Agent abp_negamax:depth=3 --rounds 5 --opening-turns 2
      arena league --config microchess-ladder ./mine.py
      arena league random greedy --game othello --format swiss --dry-run
      arena league --name thursday
      arena league --config microchess-ladder --name night --detach
    """
    if not agent and config is None:  # only what was typed: the rest is stored with the league
        options = {name: value for name, value in options.items() if is_typed(name)}
    if dry_run and detach:
        raise click.UsageError("--dry-run plays nothing, so there is nothing to --detach; leave out one of the two")
    if dry_run:
        plan, forecast = run.schedule(agent, config=config, db=db, **options)
        click.echo(schedule_json(plan, forecast) if as_json else schedule_text(plan, forecast))
        return
    background = to_background(db) if detach else None
    if background is not None and background.pid:
        wait_for_start(background, db, as_json=as_json)
        return
    with live_events(db, as_json=as_json) as on_event:
        if background is not None:
            on_event = reporting(background, on_event)
        result = run.league(agent, config=config, db=db, on_event=on_event, trust_file=trust_file, **options)
    click.echo(json.dumps(result_json(result)) if as_json else result_text(result))
    check_played(result.summary)


def result_json(result: LeagueResult) -> dict[str, object]:
    """A league that was played, for `--json`."""
    rows, starved = result.standings.as_dicts(), result.standings.table.load.starved
    return {"league": result.name, "games": result.summary.done, "starved": starved, "standings": rows}


def result_text(result: LeagueResult) -> str:
    """A league that was played: how many games, and its table."""
    summary = result.summary
    awarded = f", {result.awards} of them decided without a game" if result.awards else ""
    head = f"{plain(result.name)}: {share_of(summary.done, summary.total, 'game')}{awarded}"
    return f"{head}\n\n{result.standings.text(width=terminal_width())}"


def check_played(summary: Summary) -> None:
    """Fail if there are games that we failed to play."""
    if summary.suspended:
        raise click.ClickException(
            f"we failed to play {'; '.join(summary.suspended)}; the same command tries again (`arena -v` shows why)"
        )


def schedule_json(plan: Plan, forecast: Forecast) -> str:
    """What would be played, for `--json`."""
    names = [label(entrant.name) for entrant in plan.entrants]
    pairings = [
        {"key": pairing.key, "first": names[pairing.first - 1],
         "second": None if pairing.is_bye else names[pairing.second - 1], "round": pairing.round + 1}
        for pairing in forecast.pairings
    ]  # fmt: skip
    return json.dumps(asdict(forecast) | {"settings": plan.settings.stored(), "pairings": pairings})


def schedule_text(plan: Plan, forecast: Forecast) -> str:
    """What would be played: settings, pairings that are known, and the expected duration."""
    names = [label(entrant.name) for entrant in plan.entrants]
    width = max(display_width(name) for name in names)
    settings = [f"{key:<14} {text}" for key, text in plan.settings.shown().items() if text != "none"]
    lines = [
        f"{pairing.key:<9} {padded(names[pairing.first - 1], width)}  "
        + ("has a bye" if pairing.is_bye else f"- {names[pairing.second - 1]}")
        for pairing in forecast.pairings
    ]
    return "\n".join([*settings, "", *lines, *([""] if lines else []), forecast.text()])
