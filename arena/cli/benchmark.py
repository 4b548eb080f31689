"""`arena benchmark`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.live import live_events
from arena.cli.options import agent_argument, db_option, json_option, match_options, name_option
from arena.cli.plain_click import Whole
from arena.competition import matches
from arena.errors import BadSettings
from results.standings.match import ladder_text

__all__ = ["command"]


@click.command("benchmark")
@agent_argument("a")
@agent_argument("b")
@match_options
@click.option("--games", type=Whole(min=1, max=100_000), default=20, show_default=True,
              help="Number of games, or of games at each level. The two agents alternate as first.")  # fmt: skip
@click.option("--levels", metavar="N,N,…", help="Play against stockfish at each of these levels, 0 to 20.")
@name_option
@db_option
@json_option
def command(a: str, b: str, games: int, levels: str | None, db: Path, as_json: bool, **options: Any) -> None:
    """Play a match of A against B. Print the scores, by colour and overall, with a 95 % error bar.

    Agents without randomness repeat the same games. Repeated games are counted and reported,
    and the error bar uses the distinct ones only. --opening-turns 2 makes the games differ.

    Each call is a new match. With --name, the same command continues an interrupted match.

    \b
    Examples:
      arena benchmark random one_step_search
      arena benchmark ./my_agent.py two_step_search --games 40 --opening-turns 2
      arena benchmark mcts:simulations=200 greedy --game othello --json
      arena benchmark uct stockfish --levels 0,5,10,15,20 --opening-turns 2
    """
    with live_events(db, as_json=as_json) as on_event:
        result = matches.benchmark(a, b, games=games, levels=_levels(levels), db=db, on_event=on_event, **options)
    played = result.matches
    if as_json:
        found = played[0].as_dict() if levels is None else {"levels": [match.as_dict() for match in played]}
        rows = result.standings.as_dicts()
        click.echo(json.dumps({"league": result.summary.league, **found, "standings": rows}))
    else:
        click.echo(played[0].text() if levels is None else ladder_text(played))
    if result.summary.suspended:
        raise click.ClickException("we failed to play some games; the same command with --name tries again")


def _levels(text: str | None) -> list[int]:
    if text is None:
        return []
    given = [level.strip() for level in text.split(",")]
    if not all(level.isdecimal() for level in given):
        raise BadSettings(f"--levels must be whole numbers separated by commas, as in 0,5,10, not {text!r}")
    return [int(level) for level in given]
