"""`arena play`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.game_text import end_report, turn_text
from arena.cli.lines import label
from arena.cli.options import agent_argument, db_option, game_options, json_option, name_option, run_options
from arena.cli.runner import Run, say
from arena.competition.plan import Options
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.referee.referee import Turn
from results.notation.json_form import brief
from results.store.store import Store

__all__ = ["command"]


@click.command("play")
@agent_argument("first")
@agent_argument("second")
@game_options
@run_options
@name_option
@db_option
@json_option
def command(first: str, second: str, name: str | None, db: Path, as_json: bool, **options: Any) -> None:
    """Play one game and show it: FIRST moves first in the game's start position.

    \b
    Examples:
      arena play human two_step_search
      arena play ./my_agent.py random --position "k3/4/4/1R2/3K w - - 0 1"
      arena play mcts:seconds=1 abp_negamax --game othello --json
    """
    entrants = resolve_all((first, second), home=home())
    if as_json and any(entrant.is_human for entrant in entrants):
        raise BadSettings("people see boards, not JSON; leave --json out")
    plan = Options(**options).plan("play", entrants, games=1)
    names = {plan.game.first: label(entrants[0].name), not plan.game.first: label(entrants[1].name)}

    def show(turn: Turn) -> None:
        if not as_json:
            say(turn_text(turn, names))

    with Store.open(db, create=True) as store:
        league, summary = Run(store=store, plan=plan, name=name, tell=lambda _: None).here(watch=show)
        records = list(store.records(league.name))
    for record in records:
        click.echo(json.dumps(brief(record)) if as_json else end_report(record))
    if summary.suspended:
        if as_json:
            click.echo(json.dumps({"first": entrants[0].name, "second": entrants[1].name, "result": "void"}))
        raise click.ClickException("we failed to play this game; `arena -v play …` says why")
