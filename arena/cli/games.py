"""`arena games`."""

import json
import sys

import click

from arena.cli.options import json_option
from games.base import WHITE, Game, join_parameters, load, names

__all__ = ["command"]


@click.command("games")
@json_option
def command(as_json: bool) -> None:
    """List the games with their parameters and time budgets.

    Parameters follow after a colon. The time budget is that of one player for a whole game.

    \b
    Examples:
      arena games
      arena play random random --game microchess:turns=40
    """
    found = [load(name) for name in names()]
    if as_json:
        rows = [
            {
                "name": game.name, "version": game.version, "first": "white" if game.first == WHITE else "black",
                "seconds": game.seconds, "description": _description(game), "parameters": dict(game.parameters),
                "start": game.start().text,
            }
            for game in found
        ]  # fmt: skip
        click.echo(json.dumps(rows, indent=2))
        return
    from tabulate import tabulate

    table = [
        (
            join_parameters(game.name, game.parameters),
            "white" if game.first == WHITE else "black",
            f"{game.seconds:g} s",
            _description(game),
        )
        for game in found
    ]
    click.echo(tabulate(table, ["game", "first", "time", "description"], disable_numparse=True))


def _description(game: Game) -> str:
    """The first line of the documentation of its module."""
    return (sys.modules[f"games.{game.name}"].__doc__ or "").partition("\n")[0]
