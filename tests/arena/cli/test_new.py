"""`arena new`: folders to start from, which pass their own tests and what arena demands."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import games
from arena.entrants.games import given_game
from games.base import split_parameters
from games.contract import check

#: Every bundled game, made small.
SMALL = (
    "chess:turns=12", "go:size=3,turns=12", "gomoku:size=5", "microchess:turns=12", "mushroom:rows=3,columns=4",
    "othello",
)  # fmt: skip
CANNOT_NAME = "cannot name a Python module: use at most 32 small letters, digits and _: my_game"


def run_test(folder: Path, name: str) -> None:
    ran = subprocess.run(
        [sys.executable, f"{name}/test_{name}.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "OK" in ran.stderr


def test_every_bundled_game_is_tried() -> None:
    assert [split_parameters(game)[0] for game in SMALL] == sorted(games.names())


@pytest.mark.parametrize("game", SMALL)
def test_a_new_agent_passes_its_test_and_the_check(arena: Any, tmp_path: Path, game: str) -> None:
    made = arena("new", "agent", "my_agent", "--game", game)
    assert made.code == 0, made.err
    assert made.out.splitlines() == [
        "made my_agent/agent.py and my_agent/test_my_agent.py",
        "go on with:",
        "  python my_agent/test_my_agent.py",
        f"  arena check my_agent/ --game {game}",
        f"  arena play my_agent/ random --game {game}",
    ]
    text = (tmp_path / "my_agent" / "agent.py").read_text()
    assert "$" not in text
    assert ("chess.Board" in text) == ("chess" in game)
    run_test(tmp_path, "my_agent")
    checked = arena("check", "my_agent/", "--game", game)
    assert (checked.code, "verdict    passed" in checked.out) == (0, True), checked.out


def test_a_new_agent_wins_at_once_if_it_can(arena: Any) -> None:
    assert "  arena check my_agent/\n" in arena("new", "agent", "my_agent").out  # the default game needs no option
    (game,) = arena(
        "play", "my_agent/", "random", "--position", "k3/8/1K2/2Q1/4 w - - 0 1".replace("8", "4"), "--json"
    ).json
    assert (game["result"], game["turns"]) == ("1-0", 1)


def test_a_new_game_keeps_the_contract_and_can_be_played(
    arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = arena("new", "game", "my_game")
    assert made.out.splitlines() == [
        "made my_game/my_game.py and my_game/test_my_game.py",
        "go on with:",
        "  python my_game/test_my_game.py",
        "  arena play human random --game ./my_game/my_game.py",
        "  arena league random greedy --game ./my_game/my_game.py",
    ]
    run_test(tmp_path, "my_game")
    league = arena("league", "random", "greedy", "--game", "./my_game/my_game.py:stones=5", "--json")
    assert league.code == 0, league.err
    assert [row["faults"] for row in league.json[-1]["standings"]] == [0, 0]
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    check(games.load(given_game(str(tmp_path / "my_game" / "my_game.py"))), games=3)


def test_an_agent_for_a_game_of_ones_own(arena: Any, tmp_path: Path) -> None:
    arena("new", "game", "my_game")
    made = arena("new", "agent", "my_agent", "--game", "./my_game/my_game.py")
    assert "  arena check my_agent/ --game ./my_game/my_game.py" in made.out.splitlines()
    checked = arena("check", "my_agent/", "--game", "./my_game/my_game.py")
    assert "verdict    passed" in checked.out


@pytest.mark.parametrize(
    ("kind", "name", "error"),
    [
        ("agent", "here", "arena: 'here' exists already; nothing was changed: remove it, or choose another name"),
        ("game", "here", "arena: 'here' exists already; nothing was changed: remove it, or choose another name"),
        ("agent", "greedy", "arena: 'greedy' is the name of a bundled agent; choose another name"),
        ("game", "othello", "arena: 'othello' is the name of a bundled game; choose another name"),
        ("game", "../a", f"arena: '../a' {CANNOT_NAME}"),
        ("game", "if", f"arena: 'if' {CANNOT_NAME}"),
        ("agent", "numpy", "arena: 'numpy' is the name of an installed Python module; choose another name"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused_and_nothing_is_written(
    arena: Any, tmp_path: Path, kind: str, name: str, error: str
) -> None:
    (tmp_path / "here").mkdir()
    ran = arena("new", kind, name)
    assert (ran.code, ran.error) == (2, error)
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["here"]
    assert list((tmp_path / "here").iterdir()) == []


def test_an_unknown_game_is_refused_before_anything_is_written(arena: Any, tmp_path: Path) -> None:
    ran = arena("new", "agent", "my_agent", "--game", "othelo")
    assert ran.code == 2
    assert "no game called 'othelo'" in ran.error
    assert not (tmp_path / "my_agent").exists()
