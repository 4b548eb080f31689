"""`arena benchmark`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    agent_argument,
    db_option,
    game_options,
    json_option,
    name_option,
    run_options,
    workers_option,
)
from arena.cli.runner import Run, tell_json, tell_line
from arena.competition.plan import Options
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from games.base import join_parameters, split_parameters
from results.record import GameRecord
from results.standings.match import Match, ladder_text
from results.standings.standings import standings
from results.standings.text_tables import row_dict
from results.store.store import Store

__all__ = ["command"]


@click.command("benchmark")
@agent_argument("a")
@agent_argument("b")
@game_options
@run_options
@workers_option
@click.option("--games", type=click.IntRange(min=1, max=100_000), default=20, show_default=True,
              help="Games in all, or at each level; the two take turns in being first.")  # fmt: skip
@click.option("--levels", metavar="N,N,…", help="Play against stockfish at each of these levels, 0 to 20.")
@name_option
@db_option
@json_option
def command(
    a: str, b: str, games: int, levels: str | None, workers: int | None, name: str | None, db: Path, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Play a match of A against B and print the scores, per colour and overall, with a 95 % error bar.

    Agents without chance repeat themselves: games equal to an earlier one are counted but named,
    and the error bar uses the distinct ones. --opening-turns 2 makes games differ.

    \b
    Examples:
      arena benchmark random one_step_search
      arena benchmark ./my_agent.py two_step_search --games 40 --opening-turns 2
      arena benchmark mcts:simulations=200 greedy --game othello --json
      arena benchmark uct stockfish --levels 0,5,10,15,20 --opening-turns 2
    """
    texts, rounds = ((a, b), games) if levels is None else ((a, *_at(b, levels)), _rounds(games))
    entrants = resolve_all(texts, home=home())
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings("people play with `arena play`, not in benchmarks")
    wanted = Options(**options, format="match" if levels is None else "gauntlet")
    plan = wanted.plan("benchmark", entrants, games=rounds)
    with Store.open(db, create=True) as store:
        run = Run(store=store, plan=plan, name=name, tell=tell_json if as_json else tell_line)
        league, summary = run.on_workers(workers)
        records = list(store.counted(league.name))
        rows = standings([entrant.name for entrant in league.entrants], store.pairs(league.name), format=league.format)
    matches = [_match(records, entrants[0].name, other.name) for other in entrants[1:]]
    if as_json:
        found = matches[0].as_dict() if levels is None else {"levels": [match.as_dict() for match in matches]}
        click.echo(json.dumps({"league": league.name, **found, "standings": [row_dict(row) for row in rows]}))
    else:
        click.echo(matches[0].text() if levels is None else ladder_text(matches))
    if summary.suspended:
        raise click.ClickException("we failed to play some games; the same command with --name tries again")


def _match(records: Sequence[GameRecord], one: str, two: str) -> Match:
    return Match.of([record for record in records if two in (record.first.name, record.second.name)], one=one, two=two)


def _at(engine: str, levels: str) -> list[str]:
    """The engine at each of its levels."""
    name, options = split_parameters(engine)
    if name != "stockfish" or "level" in options:
        raise BadSettings(f"--levels needs stockfish without a level of its own, not {engine!r}")
    given = [level.strip() for level in levels.split(",")]
    if len(set(given)) < len(given) or not all(level.isdecimal() for level in given):
        raise BadSettings(f"--levels are whole numbers, each once, as in 0,5,10, not {levels!r}")
    return [join_parameters(name, options | {"level": int(level)}) for level in given]


def _rounds(games: int) -> int:
    if games % 2:
        raise BadSettings(f"against several levels the number of games must be even, not {games}")
    return games // 2
