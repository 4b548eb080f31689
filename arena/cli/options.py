"""Options that several commands share, and what completes them in a shell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from agents.names import NAMES
from games import base

__all__ = ["agent_argument", "db_option", "game_options", "json_option", "name_option"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

db_option = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default=Path("arena.db"), show_default=True,
    help="The file that holds the results.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
name_option = click.option("--name", help="The name it is stored under; the same name goes on with it.")


def _complete_agent(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    names = [CompletionItem(name) for name in NAMES if name.startswith(typed)]
    return names or [CompletionItem(typed, type="file")]


def _complete_game(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in base.names() if name.startswith(typed)]


def agent_argument(name: str, *, nargs: int = 1) -> Callable[[_Command], _Command]:
    """An argument that names an agent."""
    return click.argument(name, nargs=nargs, required=True, metavar=name.upper(), shell_complete=_complete_agent)


def game_options(command: _Command) -> _Command:
    """The options that shape a game; the command takes them as keywords of `GameOptions`."""
    options = [
        click.option("--game", default="microchess", show_default=True, shell_complete=_complete_game,
                     help="The game, with parameters: microchess:turns=60."),
        click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                     help="Budget per player and game.  [default: the game's own]"),
        click.option("--turns", type=click.IntRange(min=0), help="Turn limit; 0 for none.  [default: the game's own]"),
        click.option("--opening-turns", type=click.IntRange(min=0), default=0, show_default=True,
                     help="Random turns at the start; each opening is played twice with sides swapped."),
        click.option("--openings", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
                     help="Start positions, one a line; each is played twice with sides swapped."),
        click.option("--position", metavar="TEXT", help="The position that every game starts from."),
        click.option("--seed", metavar="TEXT", help="Where all dice come from.  [default: drawn anew]"),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command
