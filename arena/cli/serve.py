"""`arena serve`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.entrants.staging import home
from arena.errors import BadSettings
from results.store.store import Store

__all__ = ["command"]


@click.command("serve")
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Address to listen on. 0.0.0.0 lets other machines look.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port; 0 for any free one.")  # fmt: skip
@click.option("--open", "is_opened", is_flag=True, help="Open the site in the browser.")
def command(db: Path, host: str, port: int, is_opened: bool) -> None:
    """Serve a site about a results file: leagues, running games, replays and agents.

    The site shows games as they are played and results as they are stored. It only reads: nobody who looks can change
    a game or a result. It runs until Ctrl-C, beside leagues that run in other terminals. Needs the extra `web`.

    \b
    Examples:
      arena serve --open
      arena serve --db course.db --port 8080
      arena serve --host 0.0.0.0
    """
    try:
        from arena.web.server import is_local, serve
    except ImportError as error:
        how = "run `make serve`, or in the folder of arena: pip install -e '.[web]'"
        raise BadSettings(f"the site needs {error.name}; {how}") from error
    with Store.read(db):  # a mistake shows before the server starts
        pass

    def on_ready(url: str) -> None:
        if not is_local(host):
            click.echo(
                "warning: everybody who can reach this machine can see the results; every write needs a token", err=True
            )
        click.echo(f"{url} shows {db}; Ctrl-C ends it", err=True)
        if is_opened:
            click.launch(url)

    serve(db, host=host, port=port, home=home(), on_ready=on_ready)
