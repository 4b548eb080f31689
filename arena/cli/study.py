"""`arena study`."""

import json
import shlex
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from arena.cli.live import live_events, print_notice
from arena.cli.options import db_option, json_option, name_option, run_options, workers_option
from arena.cli.training_view import live_training
from arena.competition.events import OnEvent
from arena.studies import report
from arena.studies import study as study_file
from arena.studies.measure import MeasureFailed
from arena.studies.run import (
    MeasureReused,
    PartFinished,
    PartStarted,
    RunOptions,
    StudyEvent,
    StudyStarted,
    TrainingStarted,
    run,
)
from arena.studies.study import LeaguePart, MeasurePart, Study
from arena.training.events import OnTraining, TrainingEvent
from results.text import counted, plain

__all__ = ["command"]

_FAILURE: Final = 1
#: The key of `click.Context.meta` that holds the arguments as they were given.
_ARGUMENTS: Final = "arena.cli.study.arguments"
#: Options that do not change what a study finds.
_NOT_IN_REPORT: Final = ("out", "db", "workers", "as_json")


class _StudyCommand(click.Command):
    """A command that keeps its arguments as they were given; the report shows them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)


def _complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    found = [CompletionItem(name) for name in study_file.names() if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


@click.command("study", cls=_StudyCommand)
@click.argument("study", metavar="[NAME]", required=False, shell_complete=_complete)
@click.option("--short", is_flag=True, help="The short form: fewer games, under two minutes on two cores.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("studies"), show_default=True,
              metavar="FOLDER", help="Folder for the report: an HTML page, Markdown and JSON.")  # fmt: skip
@click.option("--trust-modules", is_flag=True, help="Also run measures of the study file that are not part of arena. "
              "They run without the sandbox: only for files that you trust.")  # fmt: skip
@run_options
@workers_option
@name_option
@db_option
@json_option
@click.pass_context
def command(
    context: click.Context, /, study: str | None, short: bool, out: Path, trust_modules: bool, workers: int | None,
    name: str | None, db: Path, as_json: bool, **settings: Any,
) -> None:  # fmt: skip
    """Run a study: play its leagues, take its measures, train its runs, write a report.

    NAME is a bundled study or a study file (TOML). Without it, list the bundled studies. Every game is stored as
    it ends, tables of bundled measures and training runs are kept: run the same command again to continue after
    an interruption. Options given here override the file. With --name, leagues and report files have that name.

    \b
    Examples:
      arena study
      arena study othello-2 --short
      arena study othello-2 --db studies.db --out reports
      arena study ./mine.toml --json
    """
    if study is None:
        click.echo(_list_json() if as_json else _list_text())
        return
    wanted = study_file.load(study, short=short)
    overrides = {key: value for key, value in settings.items() if _is_given(context, key)}
    options = RunOptions(
        db=db, folder=out, name=name, workers=workers, overrides=overrides, command=_command_line(context),
        trust_modules=trust_modules,
    )  # fmt: skip
    view = _View(db)
    try:
        with view:
            result = run(wanted, options, on_event=view.show)
    except MeasureFailed as error:
        raise _failure(str(error)) from error
    except KeyboardInterrupt:
        if view.stored:
            click.echo(f"interrupted: {view.stored}; the same command continues", err=True)
        raise
    report.save(result, out)
    click.echo(json.dumps(report.as_dict(result)) if as_json else report.markdown(result), nl=as_json)
    click.echo(f"written to {plain(str(out / result.name))}.html, .md and .json", err=True)
    if result.unplayed:
        raise _failure(f"we failed to play {'; '.join(result.unplayed)}; run the same command to try again")


class _View:
    """Shows the events of a run on stderr. A context manager."""

    def __init__(self, db: Path) -> None:
        self.stored = ""  # what an interruption keeps; a league says it by itself
        self._db = db
        self._stack = ExitStack()
        self._show_game: OnEvent = print_notice
        self._show_training: OnTraining = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def show(self, event: StudyEvent) -> None:
        """Show one event."""
        if isinstance(event, StudyStarted):
            sizes = " and ".join(_sizes(event.study))
            _echo(f"{event.study.stem}: {sizes} in {counted(len(event.study.parts), 'part')}")
        elif isinstance(event, PartStarted):
            self._start(event)
        elif isinstance(event, MeasureReused):
            _echo(f"kept from an earlier run: {plain(event.part.label)}")
        elif isinstance(event, TrainingStarted):
            self._start_training(event)
        elif isinstance(event, PartFinished):
            self._stack.close()
            self._show_game = print_notice
        elif isinstance(event, TrainingEvent):
            self._show_training(event)
        else:
            self._show_game(event)

    def _start(self, event: PartStarted) -> None:
        _echo(f"{event.study.stem}, part {event.number} of {event.total}: {plain(event.part.label)}")
        if isinstance(event.part, LeaguePart):
            self.stored = ""
            self._show_game = self._stack.enter_context(live_events(self._db, as_json=False))
        elif isinstance(event.part, MeasurePart):
            self.stored = "all games before this measure are stored"
        else:
            self.stored = "everything that was trained and played is stored"

    def _start_training(self, event: TrainingStarted) -> None:
        self._stack.close()
        variant = f"{plain(event.variant)}, " if event.variant else ""
        _echo(f"training run {event.number} of {event.total}: {variant}seed {event.seed}")
        self._show_training = self._stack.enter_context(live_training(event.run, as_json=False))


def _echo(text: str) -> None:
    click.echo(plain(text, limit=300), err=True)


def _failure(text: str) -> click.exceptions.Exit:
    click.echo(f"arena: {plain(text, limit=2000)}", err=True)
    return click.exceptions.Exit(_FAILURE)


def _is_given(context: click.Context, key: str) -> bool:
    return context.get_parameter_source(key) == ParameterSource.COMMANDLINE


def _command_line(context: click.Context) -> str:
    """The command as it was given, without the options that do not change what is found."""
    given, _, order = context.command.make_parser(context).parse_args(list(context.meta[_ARGUMENTS]))
    words = ["arena", "study", given["study"]]
    for option in dict.fromkeys(order):
        if not isinstance(option, click.Option) or option.name is None or option.name in _NOT_IN_REPORT:
            continue
        value = given[option.name]
        if option.is_flag:
            words.append(option.opts[0])
        else:
            words += [word for one in (value if option.multiple else [value]) for word in (option.opts[0], one)]
    return shlex.join(words)


def _list_text() -> str:
    from tabulate import tabulate

    rows = [
        (full.name, ", ".join(_sizes(full)), ", ".join(_sizes(short)), plain(full.title))
        for full, short in _bundled()
    ]  # fmt: skip
    return tabulate(rows, ("study", "full", "short", "about"), disable_numparse=True)


def _list_json() -> str:
    return json.dumps(
        [
            {
                "study": full.name,
                "title": full.title,
                "question": full.question,
                "claim": full.claim,
                "games": full.games,
                "games_short": short.games,
                "measures": len(full.measures),
                "cpu_minutes": full.minutes,
                "cpu_minutes_short": short.minutes,
            }
            for full, short in _bundled()
        ]
    )


def _bundled() -> list[tuple[Study, Study]]:
    """The bundled studies, each in its full and its short form."""
    return [(study_file.load(name), study_file.load(name, short=True)) for name in study_file.names()]


def _sizes(study: Study) -> list[str]:
    games = [counted(study.games, "game")] if study.games else []
    measures = [counted(len(study.measures), "measure")] if study.measures else []
    training = [f"{study.minutes:.3g} CPU-minutes"] if study.minutes else []
    return [*games, *measures, *training]
