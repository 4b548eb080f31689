"""`arena play`."""

import json
import sys
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

import click

from arena.cli.board import board_text, has_colors
from arena.cli.live import print_notice
from arena.cli.options import agent_argument, db_option, game_options, json_option, name_option, run_options
from arena.cli.plain_click import Whole
from arena.cli.text import end_text, label, report_text, turn_text
from arena.competition import matches
from arena.competition.events import Event, GameStarted, Reported, TurnPlayed
from arena.competition.run import entrants_of
from arena.errors import BadSettings, OutputError, Void
from arena.referee.human_player import humans_at_terminal
from arena.referee.reports import AgentReport
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
@click.option("--tree", type=Whole(min=1), metavar="LEVELS",
              help="With --reports, also print the search tree to this level, if an agent reports one.")  # fmt: skip
def command(first: str, second: str, db: Path, as_json: bool, tree: int | None, **options: Any) -> None:
    """Play one game and show it. FIRST is the side that moves first in the game's start position.

    `human` is you: type moves in coordinates or, in chess, in algebraic notation (Nf3); `help` lists what else you
    can type: hint, undo, resign and more. You have no clock unless you give --time or --move-time.

    With --reports, what the agents claim about their search stands before each move: value (the expected score of the
    player to move, from 0 to 1), depth, nodes, line and most visited moves.

    Each call is a new game. With --name, the same command plays a game that was interrupted, from its start.

    \b
    Examples:
      arena play human two_step_search
      arena play random human --game othello --time 60
      arena play ./my_agent.py random --position "k3/4/4/1R2/3K w - - 0 1"
      arena play mcts:seconds=1 abp_negamax --game othello --json
      arena play uct alphabeta --reports --tree 2
    """
    if sys.platform != "linux" and not options["trust_agents"]:
        raise BadSettings(
            f"agents are confined only on Linux, and this is {sys.platform}: play agents that you trust with "
            "--trust-agents, or use WSL2, a container or a virtual machine (see arena/README.md)"
        )
    seats: tuple[Seat, Seat] = ("first", "second")
    people = [seat for seat, one in zip(seats, entrants_of([first, second]), strict=True) if one.is_human]
    if as_json and people:
        raise BadSettings("a person needs to see the board; leave --json out")
    if tree and (as_json or not options["reports"]):
        raise BadSettings("--tree shows what agents report: add --reports, and leave --json out")
    is_timed = options["time"] is not None or options["move_time"] is not None
    on_event = print_notice if as_json else _BoardPrinter(levels=tree or 0, untimed=() if is_timed else people)
    draw = partial(board_text, colored=has_colors(sys.stderr))
    players = partial(humans_at_terminal, is_timed=is_timed, draw=draw)
    try:
        game = matches.play(first, second, db=db, on_event=on_event, players=players, **options)
    except Void as error:
        if as_json:
            click.echo(json.dumps({"first": first, "second": second, "result": "void"}))
        raise click.ClickException(f"{error}; `arena -v play …` shows why") from error
    click.echo(json.dumps(brief(game.record)) if as_json else end_text(game.record))


class _BoardPrinter:
    """Prints the board after every turn."""

    def __init__(self, *, levels: int, untimed: Collection[Seat]) -> None:
        self._names: dict[Seat, str] = {}
        self._levels = levels
        self._untimed = untimed
        self._colored = has_colors(sys.stdout)
        self._claim: AgentReport | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, GameStarted):
            self._names = {"first": label(event.first), "second": label(event.second)}
        elif isinstance(event, TurnPlayed):
            try:
                if self._claim is not None:
                    click.echo(report_text(self._claim, levels=self._levels))
                self._claim = None
                board = board_text(event.state, colored=self._colored)
                click.echo(turn_text(event, self._names, board=board, untimed=self._untimed))
            except OSError as error:  # our problem, not the game's: it must not be played again
                raise OutputError(f"cannot write the output: {error.strerror}") from error
        elif isinstance(event, Reported):
            self._claim = event.report
        else:
            print_notice(event)
