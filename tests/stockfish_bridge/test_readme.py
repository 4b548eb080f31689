"""The README of the bridge is complete."""

from pathlib import Path

import pytest

import stockfish_bridge
from stockfish_bridge.binary import FAIRY_STOCKFISH, STOCKFISH
from stockfish_bridge.stockfish import BACKENDS, OPTIONS, plan

FOLDER = Path(stockfish_bridge.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def row(name: str) -> str:
    (found,) = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
    return found


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_in_the_table(option):
    assert row(option)


def test_the_defaults_in_the_table_are_true(microchess):
    for option, value in plan(microchess, {}).options.items():
        assert row(option).rstrip(" |").endswith(str(value) if isinstance(value, int) else f"`{value}`")


def test_every_back_end_and_variable_is_in_the_readme():
    for name in (*BACKENDS, STOCKFISH.variable, FAIRY_STOCKFISH.variable, STOCKFISH.name, FAIRY_STOCKFISH.name):
        assert f"`{name}`" in README


def test_every_module_is_in_the_readme():
    modules = README.partition("## Modules")[2]
    for path in FOLDER.glob("[a-z]*.py"):
        assert f"`{path.stem}`" in modules
