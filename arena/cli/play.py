"""`arena play`."""

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.live import print_notice
from arena.cli.options import agent_argument, db_option, game_options, json_option, name_option, run_options
from arena.cli.text import end_text, label, turn_text
from arena.competition import matches
from arena.competition.events import Event, GameStarted, TurnPlayed
from arena.competition.run import entrants_of
from arena.errors import BadSettings, OutputError, Void
from arena.referee.human_player import humans_at_terminal
from results.notation.json_form import brief
from results.record import Seat

__all__ = ["command"]


@click.command("play")
@agent_argument("first")
@agent_argument("second")
@game_options
@run_options
@name_option
@db_option
@json_option
def command(first: str, second: str, db: Path, as_json: bool, **options: Any) -> None:
    """Play one game and show it. FIRST is the side that moves first in the game's start position.

    Each call is a new game. With --name, the same command plays a game that was interrupted, from its start.

    \b
    Examples:
      arena play human two_step_search
      arena play ./my_agent.py random --position "k3/4/4/1R2/3K w - - 0 1"
      arena play mcts:seconds=1 abp_negamax --game othello --json
    """
    if as_json and any(entrant.is_human for entrant in entrants_of([first, second])):
        raise BadSettings("a person needs to see the board; leave --json out")
    on_event = print_notice if as_json else _BoardPrinter()
    try:
        game = matches.play(first, second, db=db, on_event=on_event, players=humans_at_terminal, **options)
    except Void as error:
        if as_json:
            click.echo(json.dumps({"first": first, "second": second, "result": "void"}))
        raise click.ClickException(f"{error}; `arena -v play …` shows why") from error
    click.echo(json.dumps(brief(game.record)) if as_json else end_text(game.record))


class _BoardPrinter:
    """Prints the board after every turn."""

    def __init__(self) -> None:
        self._names: dict[Seat, str] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, GameStarted):
            self._names = {"first": label(event.first), "second": label(event.second)}
        elif isinstance(event, TurnPlayed):
            try:
                click.echo(turn_text(event, self._names))
            except OSError as error:  # our problem, not the game's: it must not be played again
                raise OutputError(f"cannot write the output: {error.strerror}") from error
        else:
            print_notice(event)
