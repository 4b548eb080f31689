"""Options that several commands share, made from `Settings`, and shell completion."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from agents.names import NAMES
from arena.competition.league_file import KEYS, LeagueFile, load, names
from arena.competition.settings import Group, Option, Settings, options
from arena.competition.values import FLAG, LIBRARY_LIST, Kind
from arena.entrants.games import given_game
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from games import base
from games.errors import ArenaError

__all__ = [
    "agent_argument", "check_options", "config_option", "db_option", "game_options", "home_option", "is_typed",
    "json_option", "ladder_options", "league_option", "league_options", "match_options", "name_option",
    "record_argument", "run_options", "setting_option", "stored_game_option", "trust_file_option", "workers_option",
]  # fmt: skip

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Value(click.ParamType[Any]):
    """A kind of value as click reads it: a text from the command line, or a value from a league file."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.name = kind.metavar or "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The checked value."""
        try:
            return self._kind.read(self._kind.parse(value) if isinstance(value, str) else value)
        except ValueError as error:
            self.fail(f"{error}, not {value!r}" if str(error).startswith("must") else str(error), param, ctx)


class _Record(click.ParamType[Any]):
    """The number of a record, or `last`, which is the game that was stored last."""

    name = "record"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        if value != "last" or ctx is None:
            if str(value).isdecimal() and 0 < (number := int(str(value)[:20])) < 2**63:
                return number
            hint = "`arena records` lists them, and `last` is the newest"
            self.fail(f"{str(value)!r:.60} is not the number of a game; {hint}", param, ctx)
        from results.store.store import Store

        with Store.read(ctx.params["db"]) as store:
            return store.last()


def setting_options(*groups: Group) -> Callable[[_Command], _Command]:
    """The options of these groups of settings; the command takes them as keyword arguments."""

    def add(command: _Command) -> _Command:
        for name, option in reversed(options(*groups).items()):
            command = _option(name, option)(command)
        return command

    return add


def setting_option(name: str, *, help: str = "", default: str = "") -> Callable[[_Command], _Command]:  # noqa: A002
    """The option of one setting, for commands that take few of them; with another help text or default if given."""
    option = options()[name]
    return _option(name, replace(option, help=help or option.help, default_text=default or option.default_text))


def _option(name: str, option: Option) -> Callable[[_Command], _Command]:
    flag = f"--{name.replace('_', '-')}"
    default = getattr(Settings(), name)
    shown = option.default_text or ("" if default is None or default is False or default == () else str(default))
    text = f"{option.help}  [default: {shown}]" if shown else option.help
    if option.kind is FLAG:
        return click.option(flag, is_flag=True, help=text)
    if option.kind is LIBRARY_LIST:
        return click.option(flag, type=click.Choice(option.kind.choices), multiple=True, help=text)
    if option.kind.choices:
        return click.option(flag, type=click.Choice(option.kind.choices), default=default, help=text)
    if option.kind.words > 1:
        return click.option(flag, type=int, nargs=option.kind.words, metavar=option.kind.metavar, help=text)
    completion = _complete_game if name == "game" else None
    if option.kind.metavar == "FILE":
        kind: click.ParamType[Any] = click.Path(exists=True, dir_okay=False, path_type=Path)
        return click.option(flag, type=kind, metavar="FILE", help=text)
    return click.option(
        flag, type=_Value(option.kind), metavar=option.kind.metavar, default=default, help=text,
        shell_complete=completion,
    )  # fmt: skip


def _complete_game(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in base.names() if name.startswith(typed)]


game_options = setting_options("game")
run_options = setting_options("run")
league_options = setting_options("league")
ladder_options = setting_options("ladder")
workers_option = setting_options("workers")
match_options = setting_options("game", "run", "workers")
name_option = setting_options("name")


def _check_db(_context: click.Context, _parameter: click.Parameter, value: Path) -> Path:
    if str(value) == "-":
        raise click.BadParameter("results cannot be written to stdout; name a file, or ./- for a file of this name")
    return value


@contextlib.contextmanager
def _home(folder: Path) -> Iterator[None]:
    before = os.environ.get("ARENA_HOME")
    os.environ["ARENA_HOME"] = str(folder.absolute())
    yield
    if before is None:
        del os.environ["ARENA_HOME"]
    else:
        os.environ["ARENA_HOME"] = before


def _use_home(context: click.Context, _parameter: click.Parameter, value: Path | None) -> None:
    if value is not None:
        context.with_resource(_home(value))


home_option = click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", is_eager=True, expose_value=False,
    callback=_use_home, help="Folder of submitted agents; one for each course.  [default: $ARENA_HOME, "
    "else `arena` in your data folder]",
)  # fmt: skip
# Eager: RECORD is read after it, and `last` needs the file.
_db_option = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default=Path("arena.db"), show_default=True,
    is_eager=True, callback=_check_db, help="Results file.",
)  # fmt: skip


def db_option(command: _Command) -> _Command:
    """The options for the results file and for the folder of submitted agents."""
    return _db_option(home_option(command))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
trust_file_option = click.option(
    "--trust-file", is_flag=True,
    help="Let the results file decide how agents run: without the sandbox, if it says so, and with the programs that "
    "it names. Only for a file that you trust.",
)  # fmt: skip


def _give_game(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        base.load(given_game(value))  # from now on the results file can name it


stored_game_option = click.option(
    "--game", metavar="TEXT", expose_value=False, callback=_give_game,
    help="File or dotted path of a game that is not part of arena. Needed if you have never named the game before: a "
    "results file cannot make us run its code.",
)  # fmt: skip
league_option = click.option("--league", metavar="NAME", help="Name of the league.  [default: the newest league]")
record_argument = click.argument("record", type=_Record(), metavar="RECORD")


def _read_config(context: click.Context, _parameter: click.Parameter, value: str | None) -> LeagueFile | None:
    """The settings of the file replace the defaults; options on the command line override both."""
    if value is None:
        return None
    file = load(value)
    context.default_map = {**(context.default_map or {}), **file.settings}
    return file


def _complete_config(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names() if name.startswith(typed)] or [CompletionItem(typed, type="file")]


config_option = click.option(
    "--config", metavar="FILE", is_eager=True, callback=_read_config, shell_complete=_complete_config,
    help=f"League file (TOML), or the name of one that ships with arena: {', '.join(names())}. "
    f"Options given here override the file. Keys of a league file: {', '.join(KEYS)}.",
)  # fmt: skip


def _complete_agent(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    submitted: list[str] = []
    with contextlib.suppress(ArenaError):  # a damaged file must not break completion
        submitted = [found.name for found in Submissions(home()).all_latest()]
    found = [CompletionItem(name) for name in [*NAMES, *submitted] if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


def agent_argument(name: str, *, nargs: int = 1, required: bool = True) -> Callable[[_Command], _Command]:
    """An argument that names an agent."""
    return click.argument(
        name,
        nargs=nargs,
        required=required,
        metavar=name.upper() + ("..." if nargs < 0 else ""),
        shell_complete=_complete_agent,
    )


def is_typed(name: str) -> bool:
    """Whether the user has given this option of the running command, and it is not a default."""
    source = click.get_current_context().get_parameter_source(name)
    return source not in (click.core.ParameterSource.DEFAULT, click.core.ParameterSource.DEFAULT_MAP)


def check_options(command: _Command) -> _Command:
    """The options of `arena check` and `arena submit`."""
    command = setting_option("needs")(command)
    command = setting_option("time", default="60, or less if the game sets less")(command)
    return setting_option("game")(command)
