"""`arena train`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from arena.cli.options import json_option
from arena.cli.output import output_option, write
from arena.cli.plain_click import Group, Number, Whole
from arena.cli.training_view import curve_lines, ladder_text, live_training, point_text
from arena.entrants.submissions import check_name
from arena.errors import BadSettings
from arena.training.comparison import compare
from arena.training.events import LadderGame, TrainingEvent
from arena.training.ladder import Ladder
from arena.training.report import as_dict, profile, report_page
from arena.training.runs import TrainingRun, find, runs, training_folder
from arena.training.session import TrainOptions, change, recipe_of, train
from results.text import counted, plain

__all__ = ["command"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_MOST_CHARACTERS: Final = 100_000

_home_option = click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Folder of the training runs.  [default: training in $ARENA_HOME]",
)  # fmt: skip
_workers_option = click.option(
    "--workers", type=Whole(min=1, max=256), default=2, show_default=True,
    help="Number of processes that play, each on one core. It does not change the result.",
)  # fmt: skip
_ladder_option = click.option(
    "--ladder-minutes", type=Number(min=0), metavar="MINUTES",
    help="CPU time between two measurements on the ladder; 0 for none.  [default: a sixth of --minutes]",
)  # fmt: skip
_trust_option = click.option(
    "--trust-file", is_flag=True,
    help="Let the folder of the run name learners and programs that are not part of arena. Only for a folder that you "
    "trust.",
)  # fmt: skip
_profile_option = click.option("--profile", "is_profiled", is_flag=True, help="Print where the time went.")


def _minutes_option(default: float | None) -> Callable[[_Command], _Command]:
    return click.option(
        "--minutes", type=Number(min=0, min_open=True), default=default, show_default=default is not None,
        help="CPU time of self-play and training, all workers together, since the start of the run.",
    )  # fmt: skip


@click.group("train", cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Train an agent by self-play, measure it on a ladder, and export it.

    A run has a folder in which everything is stored; the same command continues it after Ctrl-C, a kill or a full
    disk. Training needs PyTorch; in the folder of arena: pip install -e '.[learn]'

    \b
    Examples:
      arena train run microchess --minutes 60
      arena train status microchess
      arena train set microchess lr=1e-4
      arena train export microchess --name my_net
    """


@command.command("run")
@click.argument("game")
@click.option("--learner", metavar="NAME", help="What learns: learned_alphabeta or self_learning.  [default: as the "
              "recipe says]")  # fmt: skip
@click.option("--recipe", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="Settings (TOML).  [default: the shipped recipe; see `arena train recipe`]")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
              help="Override a setting of the recipe. Can be given several times.")  # fmt: skip
@_minutes_option(60.0)
@_workers_option
@click.option("--name", metavar="RUN", help="Name of the run; the same name continues it.  [default: game and learner]")
@_ladder_option
@_profile_option
@_home_option
@json_option
def run_command(as_json: bool, is_profiled: bool, **options: Any) -> None:
    """Train an agent for GAME from zero, or continue the run.

    \b
    Examples:
      arena train run microchess --minutes 5 --workers 2
      arena train run othello --learner learned_alphabeta --name othello-2 --set seed=2
      arena train run microchess --recipe mine.toml --name mine --profile
    """
    _train(TrainOptions(**options), as_json=as_json, is_profiled=is_profiled)


@command.command("resume")
@click.argument("run")
@_minutes_option(None)
@_workers_option
@_ladder_option
@_profile_option
@_trust_option
@_home_option
@json_option
def resume(
    run: str, minutes: float | None, as_json: bool, is_profiled: bool, home: Path | None, **options: Any
) -> None:
    """Continue a run with the settings it has, also for longer than it was meant to.

    Without --minutes it goes on for 60 CPU-minutes more, or until its generations are done. A schedule of the
    learning rate that has ended stays at its end; schedule_length of `arena train set` changes it.

    \b
    Examples:
      arena train resume microchess
      arena train resume microchess --minutes 120
    """
    found = find(run, folder=training_folder(home))
    if minutes is None and not found.recipe["generations"]:
        points = found.curve()
        minutes = 60.0 + (points[-1].minutes if points else 0.0)
    given = TrainOptions(name=run, minutes=minutes, home=home, **options)
    _train(given, as_json=as_json, is_profiled=is_profiled)


@command.command("status")
@click.argument("run", required=False)
@_profile_option
@_home_option
@json_option
def status(run: str | None, home: Path | None, as_json: bool, is_profiled: bool) -> None:
    """Show how far a run is, its curve and its ladder; without RUN, list all runs.

    \b
    Examples:
      arena train status
      arena train status microchess --profile
    """
    folder = training_folder(home)
    if run is None:
        found = [as_dict(each) for each in runs(folder)]
        brief = ("run", "running", "generation", "cpu_minutes", "games")
        rows = [{key: one[key] for key in brief} | {"game": one["recipe"]["game"]} for one in found]
        text = plain(_table(rows), _MOST_CHARACTERS, multiline=True) or f"there are no runs in {folder}"
        click.echo(json.dumps(rows) if as_json else text)
        return
    chosen = find(run, folder=folder)
    click.echo(json.dumps(as_dict(chosen)) if as_json else _status_text(chosen, is_profiled=is_profiled))


@command.command("set")
@click.argument("run")
@click.argument("changes", nargs=-1, required=True, metavar="KEY=VALUE...")
@_trust_option
@_home_option
@json_option
def set_command(run: str, changes: Sequence[str], home: Path | None, trust_file: bool, as_json: bool) -> None:
    """Change settings of a run, also while it trains; the change is recorded.

    It holds from the next generation on whose games have not begun.

    \b
    Examples:
      arena train set microchess lr=1e-4
      arena train set microchess lr=1e-4 most_nodes=800
    """
    found = find(run, folder=training_folder(home), trust_file=trust_file)
    made = change(found, changes)
    text = ", ".join(f"{key}={value}" for key, value in made.items())
    when = "from one of the next generations on" if found.is_running else "when the run goes on"
    click.echo(json.dumps({"run": run, "changes": dict(made)}) if as_json else f"{run}: {text} {when}")


@command.command("ladder")
@click.argument("run")
@click.option("--generation", "generations", type=Whole(min=0), multiple=True,
              help="Generation to measure. Can be given several times.  [default: the one that plays now]")  # fmt: skip
@click.option("--against", "anchors", multiple=True, metavar="AGENT",
              help="Agent to play against. Can be given several times.  [default: those of the recipe]")  # fmt: skip
@click.option("--games", type=Whole(min=2), help="Games against each, half of them as first.  [default: "
              "ladder_games of the recipe]")  # fmt: skip
@click.option("--player", metavar="OPTIONS", help="Options of the trained agent, such as nodes=2000.  [default: "
              "player of the recipe]")  # fmt: skip
@_workers_option
@_trust_option
@_home_option
@json_option
def ladder(
    run: str, generations: Sequence[int], anchors: Sequence[str], games: int | None, player: str | None, workers: int,
    home: Path | None, trust_file: bool, as_json: bool,
) -> None:  # fmt: skip
    """Measure a run against fixed agents, in ordinary matches from level openings.

    Each opening is played twice, with sides swapped. What was measured with as many games is not played again.

    \b
    Examples:
      arena train ladder microchess
      arena train ladder microchess --generation 10 --against alphabeta:depth=6 --games 200
    """
    found = find(run, folder=training_folder(home), trust_file=trust_file)
    points = found.curve()
    if not points:
        raise BadSettings(f"the run {run} has not finished its first generation yet")
    way = Ladder(run=found, games=games, anchors=anchors, player=player, workers=workers, on_game=_print_game)
    measured = [point for generation in generations or [points[-1].player] for point in way.play(generation)]
    click.echo(json.dumps([asdict(one) for one in measured]) if as_json else "\n".join(map(ladder_text, measured)))


@command.command("report")
@click.argument("run")
@output_option
@_home_option
@json_option
def report(run: str, output: Path | None, home: Path | None, as_json: bool) -> None:
    """Write an HTML page about a run: curves, ladder, games to step through, settings, origin.

    \b
    Examples:
      arena train report microchess -o microchess.html
    """
    found = find(run, folder=training_folder(home))
    place = None if output is None or str(output) == "-" else output
    write(place, [json.dumps(as_dict(found)) + "\n" if as_json else report_page(found)])


@command.command("export")
@click.argument("run")
@click.option("--name", required=True, help="Name of the agent and of its folder.")
@click.option("--generation", type=Whole(min=0), help="Generation.  [default: the one that plays now]")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), metavar="FOLDER",
              help="Where to write the agent folder.  [default: here]")  # fmt: skip
@_trust_option
@_home_option
@json_option
def export_command(
    run: str, name: str, generation: int | None, out: Path, home: Path | None, trust_file: bool, as_json: bool
) -> None:
    """Write the trained agent as a folder that `arena submit` takes; it plays without PyTorch.

    \b
    Examples:
      arena train export microchess --name my_net
      arena train export microchess --name early --generation 10
    """
    found = find(run, folder=training_folder(home), trust_file=trust_file)
    target = out / check_name(name)
    if target.exists() and not (target / "provenance.json").exists():
        raise BadSettings(f"{target} exists and is not an exported agent; choose another --name")
    made = {**found.export(target, generation=generation)}
    text = f"written to {target}: generation {made['generation']}, {made['cpu_minutes']:.1f} CPU-minutes"
    click.echo(json.dumps(made) if as_json else text)


@command.command("compare")
@click.argument("run", nargs=-1, required=True, metavar="RUN RUN...")
@_home_option
@json_option
def compare_command(run: Sequence[str], home: Path | None, as_json: bool) -> None:
    """Compare runs: settings that differ, games, losses, and the ladder at the same CPU time.

    \b
    Examples:
      arena train compare microchess microchess-2
    """
    if len(run) < 2:
        raise BadSettings("name at least two runs to compare")
    folder = training_folder(home)
    found = compare([find(name, folder=folder) for name in run])
    click.echo(json.dumps(found) if as_json else plain(_compared(found, run), _MOST_CHARACTERS, multiline=True))


@command.command("recipe")
@click.argument("game")
@click.option("--learner", metavar="NAME", help="What learns.  [default: as the recipe for the game says]")
@json_option
def recipe(game: str, learner: str | None, as_json: bool) -> None:
    """Print the recipe for a game as TOML, with an explanation of every setting.

    \b
    Examples:
      arena train recipe microchess > mine.toml
      arena train recipe othello --learner self_learning
    """
    found = recipe_of(TrainOptions(game=game, learner=learner))
    click.echo(json.dumps(found) if as_json else _toml(found["recipe"], found["settings"]))


def _train(options: TrainOptions, *, as_json: bool, is_profiled: bool) -> None:
    run = options.run
    try:
        with live_training(run, as_json=as_json) as on_event:
            train(options, on_event=on_event)
    except KeyboardInterrupt:
        done = len(run.curve())
        click.echo(f"interrupted: {counted(done, 'generation')} stored; the same command continues", err=True)
        raise
    if not as_json:
        click.echo(_status_text(run, is_profiled=is_profiled))
    elif is_profiled:
        click.echo(json.dumps({"event": "profile", **profile(run.curve())}))


def _status_text(run: TrainingRun, *, is_profiled: bool) -> str:
    points, measured = run.curve(), run.ladder()
    state = "running" if run.is_running else "not running"
    lines = [f"{run.name}: {run.recipe['game']}, learner {run.recipe['learner']}, {state}"]
    lines.append(point_text(points[-1]) if points else "no generation is finished yet")
    lines += [ladder_text(point) for point in {point.anchor: point for point in measured}.values()]
    lines += ["", *curve_lines(points, measured)]
    if is_profiled:
        spent = profile(points)
        whole = sum(spent.values()) or 1.0
        rows = [{"stage": name, "seconds": f"{one:.1f}", "share": f"{one / whole:.1%}"} for name, one in spent.items()]
        lines += ["", _table(rows)]
    return plain("\n".join(lines), _MOST_CHARACTERS, multiline=True)


def _print_game(event: TrainingEvent) -> None:
    if isinstance(event, LadderGame):
        click.echo(f"{plain(event.anchor, 60)}: game {event.done} of {event.total}", err=True)


def _table(rows: Sequence[Mapping[str, object]]) -> str:
    from tabulate import tabulate

    return tabulate(rows, headers="keys", floatfmt=".1f")


def _compared(found: Mapping[str, Any], names: Sequence[str]) -> str:
    parts = [_table(found["runs"])]
    settings = [
        {"setting": key, **dict(zip(names, map(str, values), strict=True))}
        for key, values in found["settings"].items()
    ]  # fmt: skip
    parts += [_table(settings)] if settings else []
    scores = []
    for one in found["ladder"]:
        cells = [f"{score['score']:.3f} ± {score['error']:.3f}" for score in one["scores"]]
        row = {"against": one["anchor"], "CPU-minutes": one["cpu_minutes"]}
        scores.append(row | dict(zip(names, cells, strict=True)))
    return "\n\n".join([*parts, *([_table(scores)] if scores else [])])


def _toml(recipe: Mapping[str, object], settings: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f"{key} = {json.dumps(recipe[key])}" for key in ("game", "learner")]
    for key, about in settings.items():
        live = " May change while the run goes on." if about["live"] else ""
        lines += ["", f"# {about['help']}{live}", f"{key} = {json.dumps(recipe[key])}"]
    return "\n".join(lines)
