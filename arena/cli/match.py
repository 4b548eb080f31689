"""`arena match`."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

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
from arena.competition.league import Event, Progress
from arena.competition.plan import Options
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.execution.workers import cores
from results.standings.match import Match
from results.standings.sprt import Model, Sequential, Sprt
from results.store.store import Store
from results.text import plain

__all__ = ["command"]

#: The games that a stored match may come to. How many are wanted is no setting of it, so that it can go on.
_MOST: Final = 100_000


@click.command("match")
@agent_argument("a")
@agent_argument("b")
@click.option(
    "--sprt",
    type=float,
    nargs=2,
    required=True,
    metavar="ELO0 ELO1",
    help="Play until it is decided whether A is ELO0 or ELO1 better than B.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance to decide for ELO1 wrongly.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Chance to decide for ELO0 wrongly.")
@click.option(
    "--model",
    type=click.Choice(["logistic", "normalized"]),
    default="logistic",
    show_default=True,
    help="What Elo means: of the score, or of the score in standard deviations of a game.",
)
@game_options
@run_options
@workers_option
@click.option(
    "--games",
    type=click.IntRange(min=2, max=_MOST),
    default=20_000,
    show_default=True,
    help="The most games, those stored before included; undecided after these. More go on with --name.",
)
@name_option
@db_option
@json_option
def command(
    a: str, b: str, sprt: tuple[float, float], alpha: float, beta: float, model: Model, workers: int | None,
    games: int, name: str | None, db: Path, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Play A against B until a sequential test (SPRT) has decided, in pairs of games with the sides swapped.

    Agents without chance repeat themselves, and repeated games decide nothing: --opening-turns makes games differ.
    For a fixed number of games there is `arena benchmark`.

    \b
    Examples:
      arena match abp_negamax:depth=4 abp_negamax:depth=3 --sprt 0 50 --opening-turns 4
      arena match ./new.py ./old.py --sprt -5 5 --opening-turns 4 --time 10 --name candidate
    """
    try:
        test = Sprt(*sprt, alpha=alpha, beta=beta, model=model)
    except ValueError as error:
        raise BadSettings(str(error)) from error
    entrants = resolve_all((a, b), home=home())
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings("people play with `arena play`, not in matches")
    plan = Options(**options, sprt=asdict(test)).plan("benchmark", entrants, games=_MOST)
    with Store.open(db, create=True) as store:
        known = store.counted(name) if name is not None and store.league(name) is not None else ()
        course = Sequential(test, agent=entrants[0].name, records=known)
        tell = _teller(course, games, as_json=as_json)
        run = Run(store=store, plan=plan, name=name, prefix="match", most=games, tell=tell)
        league, summary = run.on_workers(workers or min(len(cores()), games), is_over=_end(course, games))
        match = Match.of(list(store.counted(league.name)), one=entrants[0].name, two=entrants[1].name)
    if as_json:
        click.echo(json.dumps({"league": league.name, **match.as_dict(), "sprt": course.as_dict()}))
    else:
        click.echo(f"stored as {plain(league.name)}\n{match.text()}\n{course.outcome()}")
    if course.repeats():
        raise click.ClickException("the games repeat each other and decide nothing; try --opening-turns 4")
    if summary.suspended:
        raise click.ClickException("we failed to play some games; the same command with --name tries again")


def _end(course: Sequential, most: int) -> Callable[[], bool]:
    """Says before each game whether there is to be none. Those under way count, so that there are never too many."""
    begun = count(course.games)
    return lambda: course.is_over() or next(begun) >= most


def _teller(course: Sequential, most: int, *, as_json: bool) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        is_time = False
        if isinstance(event, Progress):
            is_time = course.add(event.record)
            event = replace(event, done=course.games, total=most)
        (tell_json if as_json else tell_line)(event)
        if is_time:
            click.echo(course.text(), err=True)

    return tell
