"""The command line: one file a command, none of them with logic of its own."""

import importlib
import logging
from collections.abc import Sequence
from typing import Final

import click

from arena.errors import OutputError, Void
from arena.version import DISTRIBUTION, version
from games.errors import ArenaError
from results.errors import StoreError
from results.text import plain

__all__ = ["COMMANDS", "cli", "run"]

COMMANDS: Final = (
    "league", "enter", "withdraw", "standings", "play", "benchmark", "match", "submit", "check", "show", "why", "rerun",
    "exclude", "export", "report", "study", "engine", "agents", "games", "doctor",
)  # fmt: skip
_FAILURE: Final = 1
_USAGE: Final = 2


class _Lazy(click.Group):
    """A group that imports a command when it is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"arena.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version(), prog_name="arena", message=f"%(prog)s %(version)s ({DISTRIBUTION})")
@click.option("-v", "--verbose", is_flag=True, help="Say more on stderr; failures of our own with traceback.")
def cli(verbose: bool) -> None:
    """Fair, fast game-AI competitions: leagues of agents, one standings table.

    \b
    Examples:
      arena league random one_step_search two_step_search --time 5
      arena standings --crosstable
      arena play ./my_agent.py two_step_search
      arena benchmark ./my_agent.py random --games 20
      arena submit ./my_agent.py --name my_bot

    An agent is a short or submitted name (`arena agents` lists them), a dotted path, a file or a folder,
    with options behind a colon: abp_negamax:depth=3
    """
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="arena: %(message)s")
    if not verbose:
        logging.getLogger().handlers[0].addFilter(_without_traceback)


def run(arguments: Sequence[str]) -> int:
    """Run a command; what goes wrong by a user's or the machine's doing becomes one line and an exit code."""
    try:
        return cli.main(args=list(arguments), prog_name="arena", standalone_mode=False) or 0
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return _USAGE
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ArenaError as error:
        click.echo(f"arena: {plain(str(error), limit=2000)}", err=True)  # names of files are text of others too
        return _FAILURE if isinstance(error, StoreError | OutputError | Void) else _USAGE


def _without_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True
