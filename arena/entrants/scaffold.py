"""A new agent or game: a folder with a commented file to start from and a test, made from templates."""

import importlib.util
import itertools
import json
import keyword
import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from agents.names import ENGINES, NAMES
from arena.entrants.games import given_game
from arena.errors import BadSettings, OutputError
from games.base import load, names
from results.text import plain

__all__ = ["Made", "agent_texts", "new_agent", "new_game"]

_NAME: Final = re.compile("[a-z][a-z0-9_]{0,31}")
_MOVES: Final = 3
_POSITION_CHARACTERS: Final = 60
_CHESS_HINT: Final = """\
        # The state is a `chess.Board` of python-chess: state.piece_map(), state.is_capture(move), state.is_check(), ...
"""


@dataclass(frozen=True, slots=True)
class Made:
    """A new folder with its files, and the commands to go on with."""

    folder: Path
    files: tuple[Path, ...]
    commands: tuple[str, ...]


def new_agent(name: str, *, game: str) -> Made:
    """Make a folder with an agent for this game (as `--game` names it) and a test."""
    folder = _new_folder(name, taken=(*NAMES, *ENGINES), what="agent")
    loaded = given_game(game)
    rules = load(loaded)
    state = rules.start()
    moves = [str(move) for move in itertools.islice(state.legal_moves, _MOVES)]
    words = {
        "name": name, "folder": name, "class_name": _class_name(name),
        "rules": rules.name, "game": json.dumps(loaded), "position": plain(state.text, limit=_POSITION_CHARACTERS),
        "count": str(len(state.legal_moves)), "moves": plain(", ".join(moves), limit=_POSITION_CHARACTERS),
        "hint": _CHESS_HINT.rstrip() if hasattr(state, "piece_map") else "        # print(state) shows the board.",
    }  # fmt: skip
    made = _write(folder, {"agent.py": "agent", f"test_{name}.py": "test_agent"}, words)
    option = "" if game == "microchess" else f" --game {shlex.quote(game)}"
    commands = f"python {name}/test_{name}.py", f"arena check {name}/{option}", f"arena play {name}/ random{option}"
    return Made(folder, made, commands)


def agent_texts() -> Iterator[str]:
    """What `new_agent` writes, for every bundled game, with other words in names and comments."""
    words = dict.fromkeys(("name", "folder", "class_name", "rules", "position", "count", "moves"), "x")
    yield _filled("agent", words | {"hint": ""})
    for game in names():
        yield _filled("test_agent", words | {"game": json.dumps(game)})


def new_game(name: str) -> Made:
    """Make a folder with a small game and a test of its contract."""
    folder = _new_folder(name, taken=names(), what="game")
    words = {"name": name, "folder": name, "class_name": _class_name(name)}
    made = _write(folder, {f"{name}.py": "game", f"test_{name}.py": "test_game"}, words)
    file = f"--game ./{name}/{name}.py"
    commands = f"python {name}/test_{name}.py", f"arena play human random {file}", f"arena league random greedy {file}"
    return Made(folder, made, commands)


def _new_folder(name: str, *, taken: Collection[str], what: str) -> Path:
    """The folder to make; `BadSettings` if the name cannot be used."""
    shown = plain(name, limit=60)
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise BadSettings(
            f"{shown!r} cannot name a Python module: use at most 32 small letters, digits and _: my_{what}"
        )
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise BadSettings(f"{shown!r} exists already; nothing was changed: remove it, or choose another name")
    if name in taken:
        raise BadSettings(f"{shown!r} is the name of a bundled {what}; choose another name")
    if importlib.util.find_spec(name) is not None:
        raise BadSettings(f"{shown!r} is the name of an installed Python module; choose another name")
    return folder


def _class_name(name: str) -> str:
    """The name of a class for a module: MyAgent for my_agent."""
    return "".join(word.capitalize() for word in name.split("_"))


def _write(folder: Path, wanted: Mapping[str, str], words: Mapping[str, str]) -> tuple[Path, ...]:
    """Write files into a new folder, each from its template."""
    made = []
    try:
        folder.mkdir()
        for file, template in wanted.items():
            path = folder / file
            path.write_text(_filled(template, words), encoding="utf-8")
            made.append(path)
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror}") from error
    return tuple(made)


def _filled(template: str, words: Mapping[str, str]) -> str:
    text = (files("arena.entrants") / "templates" / f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(words)
