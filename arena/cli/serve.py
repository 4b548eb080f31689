"""`arena serve`."""

from pathlib import Path

import click

from arena.cli.options import check_options, db_option, is_typed
from arena.cli.plain_click import Whole
from arena.competition.uploading import make_intake
from arena.entrants.staging import home
from arena.errors import BadSettings
from results.store.store import Store

__all__ = ["command"]


@click.command("serve")
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Address to listen on. 0.0.0.0 lets other machines look.")  # fmt: skip
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True,
              help="Port; 0 for any free one.")  # fmt: skip
@click.option("--open", "is_opened", is_flag=True, help="Open the site in the browser.")
@click.option("--allow-submissions", "is_taking", is_flag=True,
              help="Let people with a token hand in agents; see `arena token`.")  # fmt: skip
@click.option("--enter", "league", metavar="LEAGUE",
              help="Let agents that pass their check straight into this league, without approval.")  # fmt: skip
@click.option("--most-bytes", type=Whole(1), default=1 << 20, show_default=True,
              help="Size of the largest file that can be handed in.")  # fmt: skip
@click.option("--opponent", "opponents", multiple=True, metavar="AGENT",
              help="Agent or engine that visitors may choose too, named as for `arena play`; repeatable.")  # fmt: skip
@click.option("--idle", type=click.FloatRange(min=1), default=600.0, show_default=True, metavar="SECONDS",
              help="End games and analyses of visitors that nobody has looked at for so long.")  # fmt: skip
@check_options
def command(
    db: Path, host: str, port: int, is_opened: bool, is_taking: bool, league: str | None, most_bytes: int,
    opponents: tuple[str, ...], idle: float, game: str, time: float | None, needs: tuple[str, ...],
) -> None:  # fmt: skip
    """Serve a site about a results file: leagues, running games, replays and agents.

    The site shows games as they are played and results as they are stored. Nobody who looks can change a league or
    a result. It runs until Ctrl-C, beside leagues that run in other terminals. Programs read JSON below
    /api/. Needs the extra `web`.

    Visitors play against bundled and submitted agents and those of --opponent, let agents analyse positions of replays
    and watch exhibitions. Each runs in a process of its own, at most one on each core. The games are stored and
    change no rating.

    With --allow-submissions, whoever has a token can hand in an agent. It is checked as by `arena submit`, with the
    same --game, --time and --needs. Then you approve it on the page or with `arena submissions approve`.

    \b
    Examples:
      arena serve --open
      arena serve --db course.db --port 8080
      arena serve --host 0.0.0.0
      arena serve --opponent 'uci:command=./my_engine'
      arena serve --allow-submissions --game othello
      arena serve --allow-submissions --enter thursday
    """
    try:
        from arena.web.server import is_local, serve
    except ImportError as error:
        how = "run `make serve`, or in the folder of arena: pip install -e '.[web]'"
        raise BadSettings(f"the site needs {error.name}; {how}") from error
    with Store.read(db):  # a mistake shows before the server starts
        pass
    if not is_taking and any(map(is_typed, ("league", "most_bytes", "game", "time", "needs"))):
        raise BadSettings("--enter, --most-bytes, --game, --time and --needs are for --allow-submissions")
    intake = None
    if is_taking:
        typed_game = game if is_typed("game") else None
        intake = make_intake(
            db, home=home(), league=league, game=typed_game, time=time, needs=needs, most_bytes=most_bytes
        )

    def on_ready(url: str) -> None:
        if not is_local(host):
            click.echo(
                "warning: everybody who can reach this machine can see the results; every write needs a token", err=True
            )
        click.echo(f"{url} shows {db}; Ctrl-C ends it", err=True)
        if is_opened:
            click.launch(url)

    serve(db, host=host, port=port, home=home(), on_ready=on_ready, intake=intake, opponents=opponents, idle=idle)
