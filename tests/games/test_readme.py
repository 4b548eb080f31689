"""The README of the games is true and complete."""

import doctest
from pathlib import Path

import games

README = Path(games.__file__).parent / "README.md"


def test_the_examples_are_true():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_every_game_and_its_parameters_are_in_the_table(any_game):
    [row] = [line for line in README.read_text().splitlines() if line.startswith(f"| `{any_game.name}` |")]
    assert all(f"{key}={value}" in row for key, value in any_game.parameters.items())
