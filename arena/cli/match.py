"""`arena match`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.live import live_events
from arena.cli.options import agent_argument, db_option, json_option, match_options, name_option
from arena.cli.plain_click import Number, Whole
from arena.competition import matches
from arena.errors import BadSettings
from results.standings.sprt import Model, Sprt
from results.text import plain

__all__ = ["command"]


@click.command("match")
@agent_argument("a")
@agent_argument("b")
@click.option("--sprt", type=float, nargs=2, required=True, metavar="ELO0 ELO1",
              help="Play until the test decides whether A is ELO0 or ELO1 stronger than B.")  # fmt: skip
@click.option("--alpha", type=Number(), default=0.05, show_default=True,
              help="Allowed probability of deciding for ELO1 although ELO0 is true.")  # fmt: skip
@click.option("--beta", type=Number(), default=0.05, show_default=True,
              help="Allowed probability of deciding for ELO0 although ELO1 is true.")  # fmt: skip
@click.option("--model", type=click.Choice(["logistic", "normalized"]), default="logistic", show_default=True,
              help="Unit of Elo: logistic uses the score, normalized the score divided by the standard deviation "
              "of a game.")  # fmt: skip
@match_options
@click.option("--games", type=Whole(min=2, max=100_000), default=20_000, show_default=True,
              help="Largest number of games, including stored ones. A match without a decision can be continued with "
              "--name and a larger number.")  # fmt: skip
@name_option
@db_option
@json_option
def command(
    a: str, b: str, sprt: tuple[float, float], alpha: float, beta: float, model: Model, games: int, db: Path,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Play A against B until a sequential test (SPRT) has decided, in pairs of games with sides swapped.

    Agents without randomness repeat the same games, and repeated games decide nothing: use --opening-turns.
    For a fixed number of games use `arena benchmark`.

    Each call is a new match. With --name, the same command continues an interrupted match.

    \b
    Examples:
      arena match abp_negamax:depth=4 abp_negamax:depth=3 --sprt 0 50 --opening-turns 4
      arena match ./new.py ./old.py --sprt -5 5 --opening-turns 4 --time 10 --name candidate
    """
    try:
        test = Sprt(*sprt, alpha=alpha, beta=beta, model=model)
    except ValueError as error:
        raise BadSettings(str(error)) from error
    with live_events(db, as_json=as_json) as on_event:
        result = matches.match(a, b, sprt=test, games=games, db=db, on_event=on_event, **options)
    if as_json:
        found = {"league": result.summary.league, **result.match.as_dict(), "sprt": result.course.as_dict()}
        click.echo(json.dumps(found))
    else:
        click.echo(f"stored as {plain(result.summary.league)}\n{result.match.text()}\n{result.verdict}")
    if result.course.repeats():
        raise click.ClickException("the games repeat each other and decide nothing; try --opening-turns 4")
    if result.summary.suspended:
        raise click.ClickException("we failed to play some games; the same command with --name tries again")
