"""`arena agents`."""

import json
from dataclasses import asdict

import click

from arena.cli.options import home_option, json_option
from arena.entrants.catalog import Description, EngineDescription, bundled, engines
from arena.entrants.engines import games_of
from arena.entrants.games import given_game
from arena.entrants.staging import home
from arena.entrants.submissions import Submission, Submissions
from games.base import load
from results.text import plain

__all__ = ["command"]


@click.command("agents")
@click.option("--game", metavar="GAME", help="Only agents and engines that play this game.")
@home_option
@json_option
def command(game: str | None, as_json: bool) -> None:
    """List the bundled and submitted agents and the kinds of engine.

    With --game, only those submitted agents are listed that were checked on this game.

    Other agents are written as a file, a folder or a dotted path: ./my_agent.py, ./my_agent.py:MyAgent,
    ./my_folder/, my_package.my_module.MyAgent

    \b
    Examples:
      arena agents
      arena agents --game othello
      arena agents --json
    """
    wanted = "" if game is None else load(given_game(game)).name
    found = [agent for agent in bundled() if not wanted or agent.game in ("", wanted)]
    programs = [engine for engine in engines() if not wanted or wanted in (games_of(engine.name) or (wanted,))]
    submitted = [one for one in Submissions(home()).all_latest() if not wanted or one.checked_on == wanted]
    if as_json:
        rows: list[dict[str, object]] = [{"kind": "bundled", **asdict(agent)} for agent in found]
        rows += [{"kind": "engine", **asdict(engine)} for engine in programs]
        rows += [{"kind": "submitted", **asdict(submission)} for submission in submitted]
        click.echo(json.dumps(rows, indent=2))
        return
    click.echo(_bundled_table(found))
    click.echo(f"\nengines, in any language:\n\n{_engines_table(programs)}")
    if submitted:
        click.echo(f"\nsubmitted:\n\n{_submitted_table(submitted)}")


def _bundled_table(found: list[Description]) -> str:
    from tabulate import tabulate

    rows = [(agent.name, agent.game or "any", agent.options or "-", agent.summary) for agent in found]
    headers = ["name", "game", "options", "description"]
    return tabulate(rows, headers, disable_numparse=True, maxcolwidths=[None, None, 40, 70])


def _engines_table(found: list[EngineDescription]) -> str:
    from tabulate import tabulate

    rows = [(engine.name, engine.games, engine.example) for engine in found]
    return tabulate(rows, ["name", "games", "example"], disable_numparse=True)


def _submitted_table(submitted: list[Submission]) -> str:
    from tabulate import tabulate

    rows = [
        (
            one.name,
            str(one.version),
            one.hash[:12],
            one.date[:10],
            plain(one.owner, limit=30) or "-",
            plain(one.about, limit=60) or "-",
        )
        for one in submitted
    ]
    return tabulate(rows, ["name", "version", "hash", "date", "owner", "about"], disable_numparse=True)
