"""`arena study`."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from arena.cli.options import db_option, json_option, name_option, run_options, workers_option
from arena.cli.output import cannot_write, write
from arena.cli.runner import Run
from arena.cli.studies import Remembering, extent, list_json, list_text, typed
from arena.errors import BadSettings
from arena.studies import file as study_file
from arena.studies.file import LeaguePart, MeasurePart, Study
from arena.studies.measure import Kept, MeasureFailed, measure
from arena.studies.report import markdown, page, summary
from arena.studies.study import Finding, MeasureFinding, Report, finding_of, plan_of
from results.store import utc
from results.store.store import Store
from results.text import plain

__all__ = ["command"]

_FAILURE: Final = 1
_INTERRUPTED: Final = 130
_LONGEST_NAME: Final = 200  # bytes; a file's name has 255


def _complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    found = [CompletionItem(name) for name in study_file.names() if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


@click.command("study", cls=Remembering)
@click.argument("study", metavar="[NAME]", required=False, shell_complete=_complete)
@click.option("--short", is_flag=True, help="The short form: fewer games, under two minutes on two cores.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("studies"), show_default=True,
              metavar="FOLDER", help="Where the report goes: a page, Markdown and JSON.")  # fmt: skip
@run_options
@workers_option
@name_option
@db_option
@json_option
@click.pass_context
def command(
    context: click.Context, /, study: str | None, short: bool, out: Path, workers: int | None, name: str | None,
    db: Path, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Run a study, one that ships or a file (TOML): play its leagues, take its measures, write a report.

    Without a name, list the studies. Every game is stored as it ends and measures by modules of ours are
    kept: the same command goes on after an interruption. What is given here goes before what the study says.
    With --name, leagues and files are called after it.

    \b
    Examples:
      arena study
      arena study othello-2 --short
      arena study othello-2 --db studies.db --out reports
      arena study ./mine.toml --json
    """
    if study is None:
        click.echo(list_json() if as_json else list_text())
        return
    _check_name(name)
    wanted = study_file.load(study, short=short)
    given = {key: value for key, value in options.items() if _is_given(context, key)}
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(out, error) from error
    measures = out / f"{name or wanted.name}.measures.json"
    findings, failures = _carry_out(
        wanted, given, prefix=name or f"study-{wanted.stem}", measures=measures, db=db, workers=workers
    )
    report = Report(study=wanted, findings=findings, command=typed(context), made=utc.stamp(utc.now()))
    stem = name or wanted.stem
    told = summary(report)
    for ending, text in {
        "html": page(report),
        "md": markdown(report),
        "json": json.dumps(told, indent=1) + "\n",
    }.items():
        write(out / f"{stem}.{ending}", [text])
    click.echo(json.dumps(told) if as_json else markdown(report), nl=as_json)
    click.echo(f"written to {plain(str(out / stem))}.html, .md and .json", err=True)
    if failures:
        _fail(f"we failed to play {'; '.join(failures)}; the same command tries again")


def _check_name(name: str | None) -> None:
    """Files are called after it: what cannot be written is told before the first game."""
    if name is not None and (os.sep in name or len(os.fsencode(name)) > _LONGEST_NAME):
        raise BadSettings(f"the report is called after --name: no {os.sep!r} in it, {_LONGEST_NAME} bytes at most")


def _fail(text: str) -> NoReturn:
    click.echo(f"arena: {plain(text, limit=2000)}", err=True)
    raise click.exceptions.Exit(_FAILURE)


def _is_given(context: click.Context, key: str) -> bool:
    return context.get_parameter_source(key) == ParameterSource.COMMANDLINE


def _carry_out(
    study: Study, given: Mapping[str, object], *, prefix: str, measures: Path, db: Path, workers: int | None
) -> tuple[Sequence[Finding], Sequence[str]]:
    """What was found, part by part, and the pairings that we failed to play."""
    plans = {part.name: plan_of(part, given) for part in study.leagues}  # all of them first: slips are told at once
    findings: list[Finding] = []
    failures: list[str] = []
    with Store.open(db, create=True) as store:
        click.echo(extent(study), err=True)
        runs = {name: Run(store=store, plan=plan, name=f"{prefix}-{name}").rehearse() for name, plan in plans.items()}
        for number, part in enumerate(study.parts, 1):
            click.echo(f"{plain(study.stem)}, part {number} of {len(study.parts)}: {plain(part.label)}", err=True)
            if isinstance(part, LeaguePart):
                league, ended = runs[part.name].on_workers(workers)
                failures += ended.suspended
                findings.append(finding_of(part, store, league.name))
            else:
                findings.append(_measured(part, Kept(measures)))
    return findings, failures


def _measured(part: MeasurePart, kept: Kept) -> MeasureFinding:
    known = kept.get(part)
    if known is not None:
        click.echo(f"kept from an earlier run: {plain(part.label)}", err=True)
    else:
        try:
            known = measure(part)
        except MeasureFailed as error:
            _fail(str(error))
        except KeyboardInterrupt:
            click.echo(
                "interrupted: all games before this measure are stored; the same command goes on from there", err=True
            )
            raise click.exceptions.Exit(_INTERRUPTED) from None
        kept.put(part, known)
    return MeasureFinding(part=part, measured=known)
