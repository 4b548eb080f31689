"""`arena submit`."""

import csv
import json
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from arena.cli.live import check_events
from arena.cli.options import check_options, home_option, json_option
from arena.cli.output import terminal_width
from arena.cli.text import check_text, label, names_text, wrapped_table
from arena.competition import submission
from arena.competition.check import CheckFailed, Report
from arena.competition.submission import HandIn
from arena.entrants.likeness import alike
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings
from results.text import plain

__all__ = ["command"]


@click.command("submit")
@click.argument("source", metavar="FILE_OR_FOLDER...", nargs=-1)
@click.option("--all", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Submit every agent in this folder: its Python files and its folders.")  # fmt: skip
@click.option("--name", help="Name of the submission: small letters, digits, _ and -.  [default: name of the file]")
@click.option("--owner", metavar="TEXT", help="Name of the participant.  [default: unchanged]")
@click.option("--owners", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="CSV file with the columns name and owner, for several agents.")  # fmt: skip
@click.option("--about", metavar="TEXT", help="Description in one line.  [default: unchanged]")
@check_options
@home_option
@json_option
def command(
    source: tuple[str, ...], folder: Path | None, name: str | None, owner: str | None, owners: Path | None,
    about: str | None, game: str, time: float | None, needs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Check agents and keep a copy of each under a name that can be used wherever an agent is named.

    The copy plays two games in the sandbox, as in `arena check`. An agent that breaks a rule is refused (exit code 1).
    Submitting under the same name again creates a new version if the agent has changed. If a file holds several
    agents, write file.py:Class. Several agents are checked at the same time, and a table says who passed and why not.
    Code that is equal or nearly equal to that of another name is pointed out: a hint, not a verdict.

    \b
    Examples:
      arena submit my_agent.py --owner "Ada" --about "captures when it can"
      arena submit my_folder --name my_bot --needs torch
      arena submit my_agent.py:MyAgent --game othello
      arena submit --all hand-ins --home course
    """
    sources = [*source, *(submission.sources_in(folder) if folder is not None else ())]
    if not sources:
        raise BadSettings("name a file or a folder, or several; or a folder of them with --all")
    if folder is not None or len(sources) > 1 or owners is not None:
        if name is not None or owner is not None or about is not None:
            raise BadSettings("--name, --owner and --about are for a single agent; for several there is --owners")
        known = None if owners is None else _read_owners(owners)
        hand_ins = _submit_all(sources, owners=known or {}, game=game, time=time, needs=needs, as_json=as_json)
        if folder is not None and (left := submission.left_out(folder)):
            click.echo(f"left out, neither a Python file nor a folder with one: {names_text(left)}", err=True)
        if known is not None:
            _print_missing(known, [hand_in.name for hand_in in hand_ins], is_class=folder is not None)
        if any(hand_in.submitted is None for hand_in in hand_ins):
            raise click.exceptions.Exit(1)
        return
    try:
        with check_events() as on_event:
            done = submission.submit(
                sources[0], name=name, owner=owner, about=about, game=game, time=time, needs=needs, on_event=on_event
            )
    except CheckFailed as error:
        _print(error.report, as_json, name=error.report.agent, version=None)
        raise click.ClickException(f"{error.report.agent} is not submitted") from error
    _print(done.report, as_json, name=done.name, version=done.version)
    if not as_json:
        same = " (no change: it is the same agent)" if not done.is_new else ""
        click.echo(f"submitted  {done.name}, version {done.version}{same}")
    _print_hints([done.name])


def _submit_all(
    sources: Sequence[str], *, owners: Mapping[str, str], game: str, time: float | None, needs: tuple[str, ...],
    as_json: bool,
) -> list[HandIn]:  # fmt: skip
    shown: list[HandIn] = []

    def report(hand_in: HandIn) -> None:
        shown.append(hand_in)
        verdict = "passed" if hand_in.submitted is not None else "failed"
        click.echo(f"{len(shown)}/{len(sources)}  {label(hand_in.name)}: {verdict}", err=True)

    try:
        done = submission.submit_all(sources, owners=owners, game=game, time=time, needs=needs, on_done=report)
    except KeyboardInterrupt:
        passed = sum(hand_in.submitted is not None for hand_in in shown)
        click.echo(f"interrupted: {passed} of {len(sources)} are submitted; give the same command again", err=True)
        raise
    kept = [hand_in for hand_in in done if hand_in.submitted is not None]
    if as_json:
        click.echo(json.dumps([_as_json(hand_in) for hand_in in done], indent=2))
    else:
        rows = [(label(one.name), _version(one), _verdict(one)) for one in done]
        click.echo(wrapped_table(rows, ["name", "version", "check"], width=terminal_width()))
        click.echo(f"\n{len(kept)} of {len(done)} submitted")
    _print_hints([hand_in.name for hand_in in kept])
    return done


def _verdict(hand_in: HandIn) -> str:
    return "passed" if hand_in.submitted is not None else f"failed: {plain(hand_in.why_not, limit=300)}"


def _version(hand_in: HandIn) -> str:
    if hand_in.submitted is None:
        return "-"
    return f"{hand_in.submitted.version}{'' if hand_in.submitted.is_new else ' (no change)'}"


def _as_json(hand_in: HandIn) -> dict[str, object]:
    found = {"name": hand_in.name, "source": hand_in.source, "why_not": hand_in.why_not}
    if hand_in.submitted is None:
        return {**found, "version": None, "is_new": False}
    return {**found, "version": hand_in.submitted.version, "is_new": hand_in.submitted.is_new}


def _read_owners(file: Path) -> dict[str, str]:
    """The owners by the name of the submission."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.DictReader(opened)
            rows, columns = list(reader), reader.fieldnames or ()
    except (OSError, ValueError, csv.Error) as error:
        raise BadSettings(f"cannot read {str(file)!r}: {plain(str(error))}") from error
    if not {"name", "owner"} <= set(columns) or any(not row["name"] or row["owner"] is None for row in rows):
        raise BadSettings(f"{str(file)!r} must be a CSV file with the columns name and owner in its first line")
    return {_name(row["name"]): row["owner"].strip() for row in rows}


def _name(written: str) -> str:
    """The name of the submission, which may be written as the name of its file: My_Bot.py."""
    return unicodedata.normalize("NFC", written.strip().lower().removesuffix(".py"))


def _print_missing(owners: Mapping[str, str], names: Sequence[str], *, is_class: bool) -> None:
    """Say who has no owner, and for a whole class who is listed and has handed in nothing."""
    if without := [name for name in names if name not in owners]:
        click.echo(f"no owner is listed for {names_text(without)}", err=True)
    if is_class and (missing := [name for name in owners if name not in names]):
        click.echo(f"listed with an owner, but not handed in: {names_text(missing)}", err=True)


def _print_hints(names: Sequence[str]) -> None:
    for likeness in alike(Submissions(home()).all_versions(), home=home(), names=names):
        click.echo(f"hint: {likeness}", err=True)


def _print(report: Report, as_json: bool, *, name: str, version: int | None) -> None:
    found = {"name": name, "version": version, **report.as_json()}
    click.echo(json.dumps(found, indent=2) if as_json else check_text(report))
