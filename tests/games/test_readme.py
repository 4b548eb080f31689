"""The README of the games is true and complete."""

import doctest
from pathlib import Path

import games
from games.encoding import of

README = Path(games.__file__).parent / "README.md"


def test_the_examples_are_true():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def rows(game):
    """The rows about a game: its rules, and its encoding."""
    return [line for line in README.read_text().splitlines() if line.startswith(f"| `{game.name}` |")]


def test_every_game_and_its_parameters_are_in_the_table(any_game):
    row, _ = rows(any_game)
    assert all(f"{key}={value}" in row for key, value in any_game.parameters.items())


def test_every_encoding_is_in_the_table_with_its_scalars(any_game):
    _, row = rows(any_game)
    scalars = of(any_game).scalars
    assert row.split("|")[3].strip().startswith(f"{scalars}: " if scalars else "none")
