"""The contracts of the C++ kernels are checked by the compiler, and its error names what is missing."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BOARD = """
#include "othello.hpp"
struct Board : arena::othello::Board {
    using arena::othello::Board::Board;
    %s
};
static_assert(arena::GameBoard<Board>);
"""
POSITION = """
#include "othello.hpp"
struct Position : arena::othello::Position {
    Position after(Move) const;
    %s
};
static_assert(arena::HasPositionValue<Position>);
"""
SEARCH = """
#include "games.hpp"
struct Game : arena::search::Othello { %s };
static_assert(arena::search::SearchGame<Game>);
"""
ENTRY = """
#include "table.hpp"
struct Entry : arena::search::ScoreEntry { %s };
static_assert(arena::search::TableEntry<Entry>);
"""


def compile_errors(source: str, tmp_path: Path) -> str:
    file = tmp_path / "contract.cpp"
    file.write_text(source)
    includes = [f"-I{ROOT / 'games' / '_kernel'}", f"-I{ROOT / 'agents' / 'core'}"]
    command = ["g++", "-std=c++20", "-fsyntax-only", *includes, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"}).stderr


@pytest.mark.parametrize("contract", [BOARD, SEARCH], ids=["board", "search"])
def test_a_game_with_all_members_keeps_the_contract(contract: str, tmp_path: Path) -> None:
    assert compile_errors(contract % "", tmp_path) == ""


@pytest.mark.parametrize(
    ("contract", "change", "concept", "member"),
    [
        (BOARD, "void push(Move) = delete;", "HasPushAndPop", "push"),
        (BOARD, "int moves(Move*, int) const;", "HasLegalMoves", "moves"),
        (BOARD, "double result() const;", "HasEnding", "result"),
        (BOARD, "int evaluate(int) const;", "HasEvaluation", "evaluate"),
        (POSITION, "int key() const;", "HasPositionValue", "key"),
        (SEARCH, "static void table_key(const Board&);", "HasTableKeys", "table_key"),
        (SEARCH, "static int balance(const Board&);", "HasValues", "balance"),
        (SEARCH, "int promise;", "HasMoveOrder", "promise"),
        (ENTRY, "int worth() const;", "TableEntry", "worth"),
    ],
)
def test_the_compiler_names_the_missing_member(
    contract: str, change: str, concept: str, member: str, tmp_path: Path
) -> None:
    errors = compile_errors(contract % change, tmp_path)
    assert "static assertion failed" in errors
    assert concept in errors
    assert re.search(rf"note: .*\b{member}\b", errors), errors


@pytest.mark.parametrize("game", ["go", "gomoku", "microchess", "mushroom", "othello"])
def test_every_kernel_asserts_the_contract(game: str) -> None:
    text = (ROOT / "games" / "_kernel" / f"{game}.hpp").read_text(encoding="utf-8")
    assert "static_assert(GameBoard<Board>);" in text
    assert re.search(r"static_assert\((SelfContained|Kernel)Position<Position>\);", text)
    adapters = (ROOT / "agents" / "core" / "games.hpp").read_text(encoding="utf-8")
    assert f"static_assert(SearchGame<{game.capitalize()}>" in adapters
