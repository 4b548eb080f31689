"""`arena engine`."""

import math
import sys
from typing import Any

import click

from arena.cli.options import run_options
from arena.competition.config_values import MOST_SECONDS
from arena.competition.plan import Options
from arena.engine.desk import Desk, NoMove
from arena.engine.line import Line
from arena.engine.post import Break, Speaker, read_lines, serve, wait_for_hangup
from arena.engine.protocols import PROTOCOLS, game_of, server_of
from arena.engine.title import Title
from arena.entrants.entrant import resolve
from arena.entrants.staging import home
from arena.errors import BadSettings, OutputError
from arena.referee.players import ProcessPlayers, Setup
from arena.version import version
from results.text import plain

__all__ = ["command"]

_GAMES = "; ".join(f"{name}: {', '.join(games)}" for name, games in PROTOCOLS.items())
_NAME_CHARACTERS = 80
_INTERRUPTED = 130
_STDIN = 0


def _number(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("it must be a number of seconds")
    return value


@click.command("engine")
@click.option("--protocol", type=click.Choice([*PROTOCOLS]), required=True, help="What the other program speaks.")
@click.option("--agent", metavar="AGENT", required=True, help="Who plays: any agent, named as everywhere.")
@click.option("--game", help=f"The game, with parameters.  [default: the first of its protocol; {_GAMES}]")
@click.option(
    "--time", type=click.FloatRange(min=0, min_open=True, max=MOST_SECONDS), metavar="SECONDS", callback=_number,
    help="Budget for a game in which nobody tells a clock.  [default: the game's own]",
)  # fmt: skip
@click.option("--seed", metavar="TEXT", help="Where all dice come from.  [default: drawn anew]")
@run_options
def command(protocol: str, agent: str, game: str | None, **options: Any) -> None:
    """Serve an agent to another program: commands on stdin, answers on stdout, everything else on stderr.

    The agent plays in its sandbox, in a fresh process for every game. It is told the time that the other program
    tells; when it breaks a rule, the other program is told so and gets no move.

    \b
    Examples:
      arena engine --protocol uci --agent alphabeta:seconds=0.5
      arena engine --protocol uci --agent ./my_agent.py --game microchess
      arena engine --protocol gtp --agent uct --game go:size=9,komi=7
      arena engine --protocol gtp --agent mcts:seconds=1 --game othello
      arena engine --protocol gomocup --agent uct:seconds=1
      arena engine --protocol nypc --agent my_bot
    """
    entrant = resolve(agent, home=home())
    if entrant.is_human:
        raise BadSettings("people are not served as engines; name an agent")
    if entrant.protocol:
        raise BadSettings(f"{entrant.name} is an engine already, which other programs can run; name an agent")
    plan = Options(game=game_of(protocol, game), **options).plan("play", (entrant,), games=1)
    title = Title(plain(entrant.name, limit=_NAME_CHARACTERS), version())
    if sys.stdout is None:
        raise OutputError("nobody can hear the answers: stdout is closed")
    stop = Break()
    with ProcessPlayers(Setup(plan.game, plan.rules, plan.needs, home())) as players:
        desk = Desk(
            lambda: players.program(entrant, charge=plan.charge),
            seconds=plan.seconds, seed=plan.seed, thought=stop.thought,
        )  # fmt: skip
        try:
            desk.prepare(Line.begun(plan.game), plan.game.first)
            serve(
                server_of(protocol, desk, plan.game, title), read_lines(_STDIN), Speaker(sys.stdout),
                stop=stop, hangup=lambda: wait_for_hangup(sys.stdout.fileno()),
            )  # fmt: skip
        except NoMove as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            raise click.exceptions.Exit(_INTERRUPTED) from None  # without a word of click's
        finally:
            desk.leave()
