"""Options that several commands share, and what completes them in a shell."""

import contextlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from agents.names import NAMES
from arena.competition.config import KEYS, Config, load, names
from arena.competition.config_values import MOST_SECONDS
from arena.entrants.entrant import LIBRARIES
from arena.entrants.size import read_share, read_size
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.execution.workers import check_count
from games import base
from games.errors import ArenaError

__all__ = [
    "Share", "Size", "agent_argument", "check_options", "config_option", "db_option", "game_options", "json_option",
    "league_option", "name_option", "record_argument", "run_options", "workers_option",
]  # fmt: skip

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _named(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and (not value.strip() or not value.isprintable()):
        raise click.BadParameter("a name needs visible characters")
    return value


def _finite(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("it must be a number of seconds")
    return value


def _counted(_context: click.Context, _parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None:
        check_count(value)
    return value


db_option = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default=Path("arena.db"), show_default=True,
    help="The file that holds the results.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
league_option = click.option("--league", metavar="NAME", help="Which one.  [default: the newest league]")
record_argument = click.argument("record", type=click.IntRange(min=1, max=2**63 - 1), metavar="RECORD")
workers_option = click.option(
    "--workers", type=click.IntRange(min=1), callback=_counted,
    help="Games at a time, each on a core of its own.  [default: all cores]",
)  # fmt: skip
name_option = click.option(
    "--name", callback=_named, help="The name it is stored under; the same name goes on with it."
)


def _read_config(context: click.Context, _parameter: click.Parameter, value: str | None) -> Config | None:
    """What the file says stands behind what the command line says, and before the defaults."""
    if value is None:
        return None
    config = load(value)
    context.default_map = {**(context.default_map or {}), **config.options()}
    return config


def _complete_config(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names() if name.startswith(typed)] or [CompletionItem(typed, type="file")]


config_option = click.option(
    "--config", metavar="FILE", is_eager=True, callback=_read_config, shell_complete=_complete_config,
    help=f"A league file (TOML), or one that ships: {', '.join(names())}. Options given here go before it. "
    f"Keys of a league file: {', '.join(KEYS)}.",
)  # fmt: skip


def _complete_agent(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    submitted: list[str] = []
    with contextlib.suppress(ArenaError):  # a file that cannot be read is no matter of completion
        submitted = [found.name for found in Submissions(home()).all_latest()]
    names = [CompletionItem(name) for name in [*NAMES, *submitted] if name.startswith(typed)]
    return names or [CompletionItem(typed, type="file")]


def _complete_game(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in base.names() if name.startswith(typed)]


def agent_argument(name: str, *, nargs: int = 1, required: bool = True) -> Callable[[_Command], _Command]:
    """An argument that names an agent."""
    return click.argument(
        name,
        nargs=nargs,
        required=required,
        metavar=name.upper() + ("..." if nargs < 0 else ""),
        shell_complete=_complete_agent,
    )


def game_options(command: _Command) -> _Command:
    """The options that shape a game; the command takes them as keywords of `Options`."""
    options = [
        click.option("--game", default="microchess", show_default=True, shell_complete=_complete_game,
                     help="The game, with parameters: microchess:turns=60."),
        click.option("--time", type=click.FloatRange(min=0, min_open=True, max=MOST_SECONDS), metavar="SECONDS",
                     callback=_finite, help="Budget per player and game.  [default: the game's own]"),
        click.option("--turns", type=click.IntRange(min=0), help="Turn limit; 0 for none.  [default: the game's own]"),
        click.option("--opening-turns", type=click.IntRange(min=0), default=0, show_default=True,
                     help="Random turns at the start; leagues and matches play each opening twice, sides swapped."),
        click.option("--openings", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
                     help="Start positions, one a line, a round each; played twice, sides swapped."),
        click.option("--position", metavar="TEXT",
                     help="The position that every game starts from, as `arena games --json` writes them."),
        click.option("--seed", metavar="TEXT", help="Where all dice come from.  [default: drawn anew]"),
    ]  # fmt: skip
    return _all(command, options)


def run_options(command: _Command) -> _Command:
    """The options that say how games are run; the command takes them as keywords of `Options`."""
    options = [
        click.option("--clock", type=click.Choice(["fair", "wall", "cpu"]), default="fair", show_default=True,
                     help="What is charged: fair leaves out the time the machine ran something else."),
        click.option("--memory", type=Size(), default="1G", show_default=True, help="Memory per player."),
        click.option("--scratch", type=Size(), default="0", show_default=True,
                     help="A folder in memory for each player, this large; 0 for none."),
        click.option("--needs", type=click.Choice(LIBRARIES), multiple=True,
                     help="A library to load before players start; may be given again."),
        click.option("--trust-agents", is_flag=True, help="Run agents unconfined. Only for code that you trust."),
    ]  # fmt: skip
    return _all(command, options)


def check_options(command: _Command) -> _Command:
    """The options of a check."""
    options = [
        click.option("--game", default="microchess", show_default=True, shell_complete=_complete_game,
                     help="The game it is checked on, with parameters: microchess:turns=60."),
        click.option("--time", type=click.FloatRange(min=0, min_open=True, max=MOST_SECONDS), metavar="SECONDS",
                     callback=_finite, help="Budget per player and game.  [default: 60 or the game's own]"),
        click.option("--needs", type=click.Choice(LIBRARIES), multiple=True,
                     help="A library to load before it starts; may be given again."),
    ]  # fmt: skip
    return _all(command, options)


def _all(command: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command


class Share(click.ParamType[float]):
    """A share: 10%, or never."""

    name = "PERCENT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Of one; None for never."""
        try:
            return read_share(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Size(click.ParamType[int]):
    """An amount of memory: 512M, 1G."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Bytes."""
        try:
            return read_size(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
