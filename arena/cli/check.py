"""`arena check`."""

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import click

from agents.names import ENGINES, NAMES
from arena.cli.live import check_events
from arena.cli.options import agent_argument, check_options, home_option, json_option
from arena.cli.output import terminal_width
from arena.cli.text import check_text, label, wrapped_table
from arena.competition import check, submission
from arena.competition.class_check import Checked, check_several
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings
from results.text import plain

__all__ = ["command"]


@click.command("check")
@agent_argument("agent", nargs=-1, required=False)
@click.option("--all", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Check every agent in this folder: its Python files and its folders.")  # fmt: skip
@check_options
@home_option
@json_option
def command(
    agent: tuple[str, ...], folder: Path | None, game: str, time: float | None, needs: tuple[str, ...], as_json: bool
) -> None:
    """Find out what would disqualify AGENT before a league. Nothing is stored.

    The agent starts in the sandbox and plays two games, against itself and against random, to its first
    fault. What it prints is shown, and every refused system call, including harmless calls that libraries
    make by habit. After 5 s without an answer you see which line is running; after 20 s the game is lost
    (with --time only when the time is used up). Several agents are checked at the same time, and a table says
    who passed and why not. Exit code 1 if an agent breaks a rule.

    \b
    Examples:
      arena check ./my_agent.py
      arena check ./my_agent.py:MyAgent --game othello
      arena check abp_negamax:depth=3 --json
      arena check --all hand-ins
    """
    agents = list(map(_with_slash, [*agent, *(submission.sources_in(folder) if folder is not None else ())]))
    if not agents:
        raise BadSettings("name an agent, or several; or a folder of them with --all")
    if folder is not None or len(agents) > 1:
        _check_all(agents, game=game, time=time, needs=needs, as_json=as_json)
        return
    with check_events() as on_event:
        report = check.check(agents[0], game=game, time=time, needs=needs, on_event=on_event)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else check_text(report))
    if not report.passed:
        raise click.exceptions.Exit(1)


def _check_all(agents: Sequence[str], *, game: str, time: float | None, needs: tuple[str, ...], as_json: bool) -> None:
    number = count(1)

    def report(checked: Checked) -> None:
        verdict = "passed" if checked.passed else "failed"
        click.echo(f"{next(number)}/{len(agents)}  {label(checked.name)}: {verdict}", err=True)

    done = check_several(agents, game=game, time=time, needs=needs, on_done=report)
    if as_json:
        click.echo(json.dumps([one.as_json() for one in done], indent=2))
    else:
        rows = [(label(one.name), _verdict(one)) for one in done]
        click.echo(wrapped_table(rows, ["name", "check"], width=terminal_width()))
        click.echo(f"\n{sum(one.passed for one in done)} of {len(done)} passed")
    if not all(one.passed for one in done):
        raise click.exceptions.Exit(1)


def _verdict(checked: Checked) -> str:
    return "passed" if checked.passed else f"failed: {plain(checked.why_not, limit=300)}"


def _with_slash(agent: str) -> str:
    """A folder may be written without its slash, as in `arena submit`, unless an agent has that name."""
    if agent in (*NAMES, *ENGINES) or not Path(agent).is_dir() or Submissions(home()).latest(agent) is not None:
        return agent
    return f"{agent}/"
