"""The command line: one module for each command, which parses options, calls the Python API and prints the result.

This room may import all other rooms. Commands are imported when they run: `arena --help` imports none of them.
"""

import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from arena.version import DISTRIBUTION, version

if TYPE_CHECKING:
    import logging

__all__ = ["COMMANDS", "cli", "run"]

#: The commands, in the order of `arena --help`, with the first sentence of their help.
COMMANDS: Final = {
    "league": "Run a league and print its standings; by default a double round robin",
    "ladder": "Run a ladder: a league without end, in which agents meet opponents of about their strength",
    "stop": "Stop a running league or match as Ctrl-C does, and wait until it has ended",
    "enter": "Add agents to a stored league, also while it runs",
    "withdraw": "Withdraw an entrant from a league, also while it runs",
    "replace": "Bring a new version of an entrant into a league, also while it runs",
    "extend": "Add rounds to a league, or games to a benchmark or a ladder, also while it runs",
    "rename": "Give a stored league another name; it must not be running",
    "remove": "Remove leagues, matches or single games with all their games from the results file",
    "standings": "Print the standings of a league, also while it runs",
    "play": "Play one game and show it",
    "benchmark": "Play a match of A against B",
    "match": "Play A against B until a sequential test (SPRT) has decided, in pairs of games with sides swapped",
    "submit": "Check agents and keep a copy of each under a name that can be used wherever an agent is named",
    "submissions": "List submitted agents; remove them, export a gradebook, approve what was handed in",
    "new": "Make a folder with a commented agent or game to start from, and a test",
    "check": "Find out what would disqualify AGENT before a league",
    "leagues": "List the stored leagues, matches and single games, and whether they run",
    "records": "List stored games with the numbers that `show`, `why`, `rerun` and `exclude` take",
    "show": "Show a stored game: its moves, last position, result and faults",
    "why": "Explain how a stored game ended, with the evidence of a fault",
    "rerun": "Play a stored game again and compare it with the stored one",
    "exclude": "Exclude a stored game from the standings, or count it again",
    "export": "Write stored games in a format for other programs",
    "report": "Write an HTML page about a league",
    "token": "Make a token for a person, who can then hand in agents on the site; list or revoke tokens",
    "serve": "Serve a site about a results file: leagues, running games, replays and agents",
    "study": "Run a study: play its leagues, take its measures, train its runs, write a report",
    "engine": "Serve an agent to another program: commands on stdin, replies on stdout, everything else on stderr",
    "train": "Train an agent by self-play, measure it on a ladder, and export it",
    "agents": "List the bundled and submitted agents and the kinds of engine",
    "games": "List the games with their parameters and time budgets",
    "doctor": "Test what this machine can prevent agents from doing",
}
#: The commands that work on every system: they list what there is, read results and count games; `play` only with
#: agents that are trusted, which it says itself.
_ANYWHERE: Final = frozenset(
    {"agents", "exclude", "export", "games", "leagues", "play", "records", "report", "show", "standings", "why"}
)
_FAILURE: Final = 1
_USAGE: Final = 2
_INTERRUPTED: Final = 130


class _LazyGroup(click.Group):
    """A group that imports a command when it is used, and lists the commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature of click
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in COMMANDS:
            return None
        if sys.platform != "linux" and cmd_name not in _ANYWHERE:
            raise click.ClickException(
                f"`arena {cmd_name}` needs Linux, and this is {sys.platform}: use WSL2, a container or a virtual "
                "machine (see arena/README.md)"
            )
        command = importlib.import_module(f"arena.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`arena --help` lists the commands"
            ctx.fail(f"no such command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click would print an empty line after our last message
            raise click.exceptions.Exit(_INTERRUPTED) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:
    if is_given and not context.resilient_parsing:
        click.echo(f"arena {version()} ({DISTRIBUTION})")
        context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
              help="Show the version and exit.")  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Print more details, and tracebacks if arena itself fails.")
def cli(verbose: bool) -> None:
    """Fair, fast game-AI competitions: leagues of agents, one standings table.

    \b
    Examples:
      arena league random one_step_search two_step_search --time 5
      arena standings --crosstable
      arena play ./my_agent.py two_step_search
      arena benchmark ./my_agent.py random --games 20
      arena submit ./my_agent.py --name my_bot

    Write an agent as a bundled or submitted name (`arena agents` lists them), a dotted path, a file or a folder.
    Options follow after a colon: abp_negamax:depth=3
    """
    import logging

    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="arena: %(message)s")
    if not verbose:
        logging.getLogger().handlers[0].addFilter(_without_traceback)


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Errors of the user or the machine are printed as one line."""
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
    except Exception as error:
        code = _print_error(error)
        if code is None:
            raise
        return code


def _print_error(error: Exception) -> int | None:
    """Print an error of our exception tree and return its exit code; None for other exceptions."""
    # Here and not at the top: these imports take longer than the rest of `arena --help`.
    from arena.errors import OutputError, TrainingFailed, Void
    from games.errors import ArenaError
    from results.errors import StoreError
    from results.text import plain

    if not isinstance(error, ArenaError):
        return None
    click.echo(f"arena: {plain(str(error), limit=2000)}", err=True)  # file names in it may contain any character
    return _FAILURE if isinstance(error, StoreError | OutputError | TrainingFailed | Void) else _USAGE


def _without_traceback(record: "logging.LogRecord") -> bool:
    record.exc_info = None
    return True
