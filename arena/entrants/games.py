"""Games that the user names by a file or a module of its own: copied like agents, and named by the hash of the copy."""

from pathlib import Path

from arena.entrants.staging import home, own_path, stage
from games.base import join_parameters, names, split_parameters
from games.errors import UnknownGame
from games.outside import HASH_CHARACTERS

__all__ = ["given_game"]


def given_game(text: str, *, folder: Path | None = None) -> str:
    """The name under which every process can load the game that the user names; bundled games keep theirs.

    A file (`./nim.py`) and a module of this folder (`mypackage.nim`) are copied, which gives `nim@HASH`. The text must
    come from the user: what it names will be imported. Paths are relative to `folder`.
    """
    name, parameters = split_parameters(text)
    found = _source(name, folder or Path())
    if name in names() or found is None:
        return text
    source, module = found
    copy = stage(own_path(source), home=home() / "games")
    return join_parameters(f"{module}@{copy.hash[:HASH_CHARACTERS]}", parameters)


def _source(name: str, folder: Path) -> tuple[Path, str] | None:
    """The file or package to copy, and the game's module in the copy; None for what is not in a file of the user."""
    if name.endswith(".py") or "/" in name:
        path = folder / Path(name).expanduser()
        if not path.is_file() or path.suffix != ".py":
            raise UnknownGame(f"there is no Python file {name!r}; a game is a file, as in ./nim.py")
        if not path.stem.isidentifier():
            raise UnknownGame(f"the file of a game must be named like a Python module, not {path.name!r}")
        return path, path.stem
    top = name.partition(".")[0]
    if not name.replace(".", "").isidentifier():
        return None
    if name == top and (folder / f"{top}.py").is_file() and name not in names():
        raise UnknownGame(f"no game called {name!r}; there is a file {top}.py: write ./{top}.py")
    inside = folder.joinpath(*name.split("."))
    is_here = "." in name and (inside.with_suffix(".py").is_file() or (inside / "__init__.py").is_file())
    return (folder / top, name) if is_here else None
