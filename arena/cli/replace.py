"""`arena replace`."""

from pathlib import Path

import click

from arena.cli.continuing import say_how_to_continue
from arena.cli.live import print_notice
from arena.cli.options import agent_argument, db_option, stored_game_option, trust_file_option
from arena.competition.roster import replace_entrant
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("replace")
@click.argument("league", metavar="LEAGUE")
@agent_argument("agent")
@click.option(
    "--keep", is_flag=True,
    help="Let the entrant go on under its name: its games so far count, the new version plays the others.",
)  # fmt: skip
@db_option
@stored_game_option
@trust_file_option
def command(league: str, agent: str, keep: bool, db: Path, trust_file: bool) -> None:
    """Bring a new version of an entrant into a league, also while it runs.

    AGENT is the name of the entrant in the standings and stands for its newest version; my_bot@2 names a version.
    The old version is withdrawn, with the same rule for its games as in `arena withdraw`, and the new one enters as
    my_bot@2. With --keep there is one entrant, which goes on with the new code.

    \b
    Examples:
      arena replace thursday my_bot
      arena replace thursday my_bot@2 --keep
      arena replace thursday ./student.py
    """
    with Store.open(db, create=False) as store:
        known = store.known(league)
        done = replace_entrant(store, known, agent, keep=keep, on_event=print_notice, trust_file=trust_file)
        version = f"version {done.new.version}" if done.new.version else "its new code"
        if done.departure is None:
            click.echo(f"{plain(done.old)} goes on with {version} in {plain(league)}; its games still count")
        else:
            verdict = "still count" if done.departure.stands else "do not count"
            click.echo(f"{plain(done.new.name)} has replaced {plain(done.old)} in {plain(league)}; games of "
                       f"{plain(done.old)} {verdict}")  # fmt: skip
        say_how_to_continue(store, known)
