"""The processes of a run: `python -m agents.self_learning COMMAND …`; `arena train` starts them.

`ship FOLDER` is for maintainers: it makes the weights of a run those that come with the arena.
Results are lines of JSON on stdout. A mistake is one line on stderr and exit code 2, any other failure exit code 1.
"""

import argparse
import errno
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.self_learning.errors import BadRecipe, TrainingError
from agents.self_learning.given import give
from agents.self_learning.workers import die_with, serve
from games.errors import ArenaError

if TYPE_CHECKING:
    from agents.self_learning.recipe import Recipe
    from agents.self_learning.run import Challenge, Verdict

_FAILURE: Final = 1
_USAGE: Final = 2
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code."""
    given = _parser().parse_args(arguments)
    if given.parent:
        die_with(given.parent)
    try:
        for name in getattr(given, "given", []):
            give(name)
        _COMMANDS[given.command](given)
    except TrainingError as error:
        return _failed(str(error), _FAILURE)
    except ArenaError as error:
        return _failed(str(error), _USAGE)
    except OSError as error:
        if error.errno not in _FULL:
            return _failed(f"{error.filename or given.folder}: {error.strerror or error}", _FAILURE)
        return _failed("the disk is full; make room and run the same command again: the run goes on", _FAILURE)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agents.self_learning")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in _COMMANDS:
        command = commands.add_parser(name)
        command.add_argument("--parent", type=int, default=0, help="die when this process ends")
        if name not in ("self-play", "recipe"):
            command.add_argument("folder", type=Path)
            command.add_argument(
                "--given", action="append", default=[], help="learner or game that the folder may name"
            )
        if name in ("run", "check", "recipe"):
            command.add_argument("--game")
            command.add_argument("--learner")
            command.add_argument("--recipe", type=Path)
            command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
        if name == "run":
            command.add_argument("--minutes", type=float)
            command.add_argument("--workers", type=int, default=1)
        if name == "set":
            command.add_argument("changes", nargs="+", metavar="KEY=VALUE")
        if name == "export":
            command.add_argument("target", type=Path)
        if name in ("export", "ship"):
            command.add_argument("--generation", type=int)
    return parser


def _run(given: argparse.Namespace) -> None:
    from agents.self_learning.checkpoint import newest
    from agents.self_learning.run import Run, RunOptions
    from agents.self_learning.run_folder import RunFolder
    from agents.self_learning.trainer import find_torch

    find_torch()
    folder = RunFolder(given.folder)
    if given.game:
        folder.create(_recipe(given))
    recipe = folder.known_recipe()
    with folder.locked():
        state = newest(folder.checkpoints)
        generation = state.generation if state else 0
        _print({"event": "started", "run": folder.path.name, "recipe": recipe.as_dict(), "generation": generation})
        gate = _ask_gate if recipe.run.gate != "none" else None
        options = RunOptions(minutes=given.minutes, workers=given.workers)
        final = Run(folder, options, report=_print, gate=gate).train()
    _print({"event": "finished", "generation": final.generation, "seconds": final.totals.seconds})


def _check(given: argparse.Namespace) -> None:
    """See that `run` could start or continue a run, without changing anything."""
    from agents.self_learning.run_folder import RunFolder
    from agents.self_learning.trainer import find_torch

    find_torch()
    recipe = _recipe(given)
    recipe.make_learner()
    RunFolder(given.folder).compare(recipe)
    _print({"event": "checked", "recipe": recipe.as_dict()})


def _ask_gate(challenge: "Challenge") -> "Verdict":
    """Ask whoever started us to play the match; the answer is a line of JSON on stdin."""
    from agents.self_learning.run import Verdict

    _print({"event": "gate", **asdict(challenge)})
    line = sys.stdin.readline()
    if not line:
        raise TrainingError("nobody plays the matches of the gate; start the run with `arena train run`")
    answer = json.loads(line)
    return Verdict(**{each.name: answer[each.name] for each in fields(Verdict)})


def _self_play(_given: argparse.Namespace) -> None:
    serve()


def _set(given: argparse.Namespace) -> None:
    from agents.self_learning.run_folder import RunFolder

    _print({"event": "asked", "changes": RunFolder(given.folder).request(_pairs(given.changes))})


def _export(given: argparse.Namespace) -> None:
    from agents.self_learning.export import export, newest_player, provenance
    from agents.self_learning.run_folder import RunFolder

    folder = RunFolder(given.folder)
    folder.known_recipe()
    generation = newest_player(folder) if given.generation is None else given.generation
    export(folder, generation=generation, target=given.target)
    _print({"event": "exported", "folder": str(given.target), **provenance(folder, generation)})


def _ship(given: argparse.Namespace) -> None:
    from agents.self_learning.export import newest_player, ship
    from agents.self_learning.run_folder import RunFolder

    folder = RunFolder(given.folder)
    folder.known_recipe()
    generation = newest_player(folder) if given.generation is None else given.generation
    _print({"event": "shipped", "weights": str(ship(folder, generation=generation)), "generation": generation})


def _show_recipe(given: argparse.Namespace) -> None:
    from agents.self_learning.recipe import RunSettings
    from agents.self_learning.settings import settings_of

    recipe = _recipe(given)
    known = {**settings_of(RunSettings), **settings_of(type(recipe.own))}
    about = {key: {"help": each.help, "live": each.live} for key, each in known.items()}
    _print({"event": "recipe", "recipe": recipe.as_dict(), "settings": about})


def _recipe(given: argparse.Namespace) -> "Recipe":
    """The recipe that is named: a file, else the shipped one for the game, else the defaults of the learner."""
    from agents.self_learning.recipe import Recipe, shipped

    path = given.recipe or shipped(given.game, given.learner)
    if path is None:
        recipe = Recipe.of({}, game=given.game, learner=given.learner)
    else:
        recipe = Recipe.from_file(path, game=given.game, learner=given.learner)
    return recipe.with_texts(_pairs(given.set))


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise BadRecipe(f"write a setting as key=value, not {text!r}")
        found[key.strip()] = value.strip()
    return found


def _print(event: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def _failed(text: str, code: int) -> int:
    sys.stderr.write(f"{text}\n")
    return code


_COMMANDS: Final = {
    "run": _run, "check": _check, "self-play": _self_play, "set": _set, "export": _export, "ship": _ship,
    "recipe": _show_recipe,
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
