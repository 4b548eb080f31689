"""`arena new`."""

import click

from arena.cli.options import setting_option
from arena.cli.plain_click import Group
from arena.entrants import scaffold

__all__ = ["command"]


@click.group("new", cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Make a folder with a commented agent or game to start from, and a test.

    The commands to go on with are printed. Nothing is overwritten.

    \b
    Examples:
      arena new agent my_agent
      arena new agent my_agent --game othello
      arena new game my_game
    """


@command.command("agent")
@click.argument("name")
@setting_option("game")
def agent(name: str, game: str) -> None:
    """Make a folder NAME with an agent that looks one move ahead.

    \b
    Examples:
      arena new agent my_agent
      arena new agent my_agent --game gomoku:size=15
      arena new agent my_agent --game ./nim.py
    """
    _print(scaffold.new_agent(name, game=game))


@command.command("game")
@click.argument("name")
def game(name: str) -> None:
    """Make a folder NAME with a small game, which every command takes with --game ./NAME/NAME.py.

    \b
    Examples:
      arena new game my_game
    """
    _print(scaffold.new_game(name))


def _print(made: scaffold.Made) -> None:
    click.echo("made " + " and ".join(map(str, made.files)))
    click.echo("go on with:")
    for line in made.commands:
        click.echo(f"  {line}")
