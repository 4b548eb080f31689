"""Games from outside the repository, named by a file or by a module of the folder: the example of `games/README.md`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
QUICK = ("--workers", "1", "--rounds", "1")


@pytest.fixture
def nim(arena: Any) -> Path:
    """The example of the README as `nim.py`, and as a module of a package that imports it from there."""
    text = (ROOT / "games" / "README.md").read_text(encoding="utf-8")
    (source,) = [block for block in re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M) if "class Nim" in block]
    file: Path = arena.folder / "nim.py"
    file.write_text(source)
    package = arena.folder / "mypackage"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(source)
    (package / "nim.py").write_text("from .rules import game\n")
    return file


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("game", ["./nim.py:stones=5", "mypackage.nim:stones=5"])
def test_a_game_of_ones_own_is_played_in_workers_and_shown_without_naming_it_again(arena: Any, game: str) -> None:
    ran = arena("league", "random", "first_move", "--game", game, "--name", "cup", *QUICK)
    assert ran.code == 0, ran.err
    assert "0 faults" not in ran.err
    told = json.loads(arena("show", "last", "--format", "json").out)
    assert re.fullmatch(r"(mypackage\.)?nim@[0-9a-f]{16}", told["game"])
    assert told["reason"] == "last-stone"
    assert arena("rerun", "last").out.startswith("identical: ")
    assert arena("report", "--output", "report.html").code == 0
    assert arena("league", "--name", "cup").code == 0


@pytest.mark.usefixtures("nim")
def test_agents_of_participants_and_trusted_ones_play_it(arena: Any) -> None:
    lines = ["from agents import BaseAgent", "class Mine(BaseAgent):", "    def act(self, state):"]
    (arena.folder / "mine.py").write_text("\n".join([*lines, "        return state.legal_moves[-1]", ""]))
    assert arena("check", "./mine.py", "--game", "./nim.py").code == 0
    assert arena("play", "./mine.py", "random", "--game", "./nim.py", "--trust-agents").code == 0


def test_a_changed_file_is_another_game_and_the_league_is_not_continued_with_it(arena: Any, nim: Path) -> None:
    league = ("league", "random", "first_move", "--game", "./nim.py", "--name", "cup", *QUICK)
    assert arena(*league).code == 0
    nim.write_text(nim.read_text().replace("min(3,", "min(2,"))
    ran = arena(*league)
    assert ran.code == 2
    assert "game" in ran.err
    assert arena("rerun", "1").code == 0  # with the rules that it was played with


@pytest.mark.usefixtures("nim")
def test_a_results_file_names_no_game_that_its_reader_has_never_named(arena: Any) -> None:
    arena("play", "random", "random", "--game", "./nim.py")
    name = json.loads(arena("show", "1", "--format", "json").out)["game"]
    (arena.folder / "home").rename(arena.folder / "other")  # another user
    ran = arena("rerun", "1")
    assert ran.code == 2
    assert ran.error == (
        f"arena: the game {name!r} is not part of arena, and a file cannot name code to run; "
        f"if you trust the game, give it again: --game ./nim.py"
    )
    assert arena("rerun", "1", "--game", "./nim.py").code == 0


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("./nix.py", "arena: there is no Python file './nix.py'; a game is a file, as in ./nim.py"),
        ("nim", "arena: no game called 'nim'; there is a file nim.py: write ./nim.py"),
        ("./nim.py:stone=3", "arena: nim has no parameter 'stone'; did you mean 'stones'?"),
        ("./broken.py", "arena: no game at 'broken': ZeroDivisionError: division by zero"),
        ("./empty.py", "arena: no game at 'empty': it defines no `game`"),
    ],
)
@pytest.mark.usefixtures("nim")
def test_a_game_that_cannot_be_loaded_is_one_line(arena: Any, game: str, says: str) -> None:
    (arena.folder / "broken.py").write_text("1 / 0\n")
    (arena.folder / "empty.py").write_text("")
    ran = arena("play", "random", "random", "--game", game)
    assert (ran.code, ran.error) == (2, says)
