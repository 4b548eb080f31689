"""`arena submissions`."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.options import db_option, home_option, json_option
from arena.cli.output import check_output, output_option, write
from arena.cli.plain_click import Group, Whole
from arena.competition import uploading
from arena.competition.gradebook import as_csv, gradebook
from arena.competition.stages import remove_unused, unused_stages
from arena.entrants.likeness import alike
from arena.entrants.staging import home
from arena.entrants.submissions import Submission, Submissions
from arena.entrants.uploads import Uploads
from arena.errors import UnknownAgent
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.group(
    "submissions", cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--names", is_flag=True, help="Print only the names, one per line.")
@home_option
@json_option
@click.pass_context
def command(context: click.Context, names: bool, as_json: bool) -> None:
    """List submitted agents; remove them, export a gradebook, approve what was handed in.

    Below the list, pairs of names with equal or nearly equal code are pointed out: a hint, not a verdict. All play in
    one league with: arena league $(arena submissions --names)

    \b
    Examples:
      arena submissions
      arena submissions --home course --json
      arena submissions --names
      arena submissions remove my_bot@1
      arena submissions gradebook --league thursday -o grades.csv
      arena submissions clean
      arena submissions approve 3
    """
    if context.invoked_subcommand is not None:
        return
    found = Submissions(home()).all_versions()
    if names:
        click.echo("".join(f"{name}\n" for name in dict.fromkeys(one.name for one in found)), nl=False)
        return
    hints = alike(found, home=home())
    if as_json:
        listed = [asdict(one) for one in found]
        pairs = [{"one": hint.one.name, "two": hint.two.name, "is_equal": hint.is_equal} for hint in hints]
        click.echo(json.dumps({"submissions": listed, "alike": pairs}, indent=2))
        return
    if found:
        from tabulate import tabulate

        headers = ["name", "version", "date", "owner", "hash", "about"]
        click.echo(tabulate([_cells(one) for one in found], headers, disable_numparse=True))
    else:
        click.echo(f"nothing is submitted in {plain(str(home()))} yet", err=True)
    for hint in hints:
        click.echo(f"hint: {hint}", err=True)


@command.command("remove")
@click.argument("name", nargs=-1, required=True, metavar="NAME...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@home_option
def remove(name: tuple[str, ...], yes: bool) -> None:
    """Remove submitted agents: my_bot with all its versions, or only my_bot@2.

    Stored leagues and games keep their copies; see `arena submissions clean`.

    \b
    Examples:
      arena submissions remove my_bot
      arena submissions remove my_bot@1 --yes
    """
    submissions = Submissions(home())
    found = [(given, one) for given in dict.fromkeys(name) for one in _versions(submissions, given)]
    shown = ", ".join(f"{one.name}@{one.version}" for _, one in found)
    if not yes:
        click.confirm(f"remove {shown}?", abort=True, err=True)
    for _, one in found:
        submissions.remove(one.name, one.version)
    click.echo(f"removed {shown}")


@command.command("gradebook")
@click.option("--league", metavar="NAME", help="League for places, points and faults.  [default: the newest league]")
@db_option
@output_option
def grades(league: str | None, db: Path, output: Path | None) -> None:
    """Write a table (CSV) with owner, versions, check, league place and faults of each submitted name.

    Without a results file, or before the first league, the columns about the league are empty. Names whose check
    failed are listed too.

    \b
    Examples:
      arena submissions gradebook -o grades.csv
      arena submissions gradebook --league thursday --home course
    """
    place, submissions = check_output(output, db=db), Submissions(home())
    if db.exists() or league is not None:
        with Store.read(db) as store:
            chosen = store.known(league) if league is not None else store.latest(["league"])
            lines = gradebook(submissions, store, chosen)
    else:
        lines = gradebook(submissions, None, None)
    write(place, [as_csv(lines)])


@command.command("clean")
@click.option("--yes", is_flag=True, help="Do not ask.")
@db_option
def clean(yes: bool, db: Path) -> None:
    """Remove copies of agents that no submitted version, stored league or stored game needs any more.

    All results files that have played with agents of this folder are looked at, and that of --db. Copies that are
    younger than an hour stay.

    \b
    Examples:
      arena submissions clean
    """
    unused = unused_stages(home(), [db] if db.exists() else [])
    for path in unused.looked_at:
        click.echo(f"looked at {plain(str(path))}", err=True)
    for path in unused.missing:
        click.echo(f"missing: {plain(str(path))}; if it was moved, its games may lose their agents", err=True)
    count = len(unused.stages)
    if count and not yes:
        click.confirm(f"remove {count} copies of agents?", abort=True, err=True)
    size = remove_unused(unused)
    click.echo(f"removed {'1 copy' if count == 1 else f'{count} copies'}, {size / 1e6:.1f} MB")


@command.command("waiting")
@json_option
@home_option
def waiting(as_json: bool) -> None:
    """List what was handed in on the site and passed its check, and waits for your decision."""
    found = [one for one in Uploads(home()).all() if one.state == "waiting"]
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=2))
    elif found:
        from tabulate import tabulate

        rows = [(one.number, one.name, one.date[:16].replace("T", " "), plain(one.owner, limit=30)) for one in found]
        click.echo(tabulate(rows, ["number", "name", "date", "owner"], disable_numparse=True))
    else:
        click.echo("nothing waits for a decision", err=True)


@command.command("approve")
@click.argument("number", nargs=-1, required=True, type=Whole(1), metavar="NUMBER...")
@home_option
def approve(number: tuple[int, ...]) -> None:
    """Accept agents that were handed in on the site: from now on their names can be used like submitted ones."""
    for one in dict.fromkeys(number):
        accepted = uploading.approve(home(), one)
        click.echo(f"submitted  {accepted.name}, version {accepted.version}")


@command.command("refuse")
@click.argument("number", nargs=-1, required=True, type=Whole(1), metavar="NUMBER...")
@click.option("--because", default="", metavar="TEXT", help="Reason, which its owner sees.")
@home_option
def refuse(number: tuple[int, ...], because: str) -> None:
    """Refuse agents that were handed in on the site."""
    for one in dict.fromkeys(number):
        click.echo(f"refused {uploading.refuse(home(), one, why=because).name}")


def _versions(submissions: Submissions, given: str) -> list[Submission]:
    name, at, number = given.partition("@")
    found = submissions.versions(name)
    if at and (one := submissions.version(name, number)) is not None:
        return [one]
    if not found:
        raise UnknownAgent(f"nothing is submitted as {given!r}; `arena submissions` lists names")
    return found


def _cells(one: Submission) -> list[str]:
    owner, about = plain(one.owner, limit=30) or "-", plain(one.about, limit=50) or "-"
    return [one.name, str(one.version), one.date[:16].replace("T", " "), owner, one.hash[:12], about]
