"""`arena engine`."""

import sys
from typing import Any

import click

from arena.cli.options import run_options, setting_option
from arena.competition.plan import make_plan
from arena.competition.settings import Settings
from arena.engine.protocols import PROTOCOLS, game_of, serve_agent
from arena.engine.server import EngineInfo, LineWriter, read_lines, wait_until_closed
from arena.engine.session import NoMove, OnReport
from arena.entrants.entrant import resolve
from arena.entrants.staging import home
from arena.errors import BadSettings, OutputError
from arena.process.stop_byte import StopByte
from arena.referee.agent_player import AgentPlayer
from arena.referee.players import ProcessPlayers, Setup
from arena.version import version
from results.text import plain

__all__ = ["command"]

_GAMES = "; ".join(f"{name}: {', '.join(games)}" for name, games in PROTOCOLS.items())
_NAME_CHARACTERS = 80
_INTERRUPTED = 130
#: The clock belongs to the other program. A move that comes a little late is still sent; the other program judges it.
_GRACE_SECONDS = 2.0
_STDIN = 0


@click.command("engine")
@click.option("--protocol", type=click.Choice([*PROTOCOLS]), required=True, help="Protocol of the other program.")
@click.option("--agent", metavar="AGENT", required=True, help="The agent that plays, named as in all commands.")
@click.option("--game", help=f"Game, with parameters.  [default: the first one of the protocol; {_GAMES}]")
@setting_option("time", help="Time budget for a game if the other program sends no clock.")
@setting_option("seed", help="Random seed; the same seed repeats the same moves.")
@run_options
def command(protocol: str, agent: str, game: str | None, **options: Any) -> None:
    """Serve an agent to another program: commands on stdin, replies on stdout, everything else on stderr.

    The agent plays in its sandbox, in a fresh process for every game. It gets the clock that the other program sends.
    If the agent breaks a rule, the reply names the rule and has no move.

    \b
    Examples:
      arena engine --protocol uci --agent alphabeta:seconds=0.5
      arena engine --protocol uci --agent ./my_agent.py --game microchess
      arena engine --protocol gtp --agent uct --game go:size=9,komi=7
      arena engine --protocol gtp --agent mcts:seconds=1 --game othello
      arena engine --protocol gomocup --agent uct:seconds=1
      arena engine --protocol nboard --agent othello
      arena engine --protocol nypc --agent my_bot
    """
    entrant = resolve(agent, home=home())
    if entrant.is_human:
        raise BadSettings("a human cannot be served as an engine; name an agent")
    if entrant.protocol:
        raise BadSettings(f"{entrant.name} is an engine already; other programs can run it directly")
    plan = make_plan("play", (entrant,), Settings.of({**options, "game": game_of(protocol, game)}))
    if not plan.time_control.is_plain:
        raise BadSettings("an engine gets its clock from the other program; --time is a plain number of seconds here")
    info = EngineInfo(plain(entrant.name, limit=_NAME_CHARACTERS), version())
    if sys.stdout is None:
        raise OutputError("stdout is closed: replies cannot be written")
    setup = Setup(plan.game, plan.settings.rules, plan.settings.needs, home())
    stop_byte = StopByte()

    def make_player(on_report: OnReport) -> AgentPlayer:
        clock = plan.settings.clock
        return players.served(entrant, charge=clock, on_report=on_report, stop_byte=stop_byte, grace=_GRACE_SECONDS)

    with ProcessPlayers(setup) as players:
        try:
            serve_agent(
                protocol, plan, info, make_player, stop_byte=stop_byte,
                lines=read_lines(_STDIN), write=LineWriter(sys.stdout),
                wait_for_hangup=lambda: wait_until_closed(sys.stdout.fileno()),
            )  # fmt: skip
        except NoMove as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            raise click.exceptions.Exit(_INTERRUPTED) from None  # without a message of click
