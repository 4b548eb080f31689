"""The contracts of the C++ kernels are checked by the compiler, and its error names what is missing."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: A contract, and a type that keeps it unless something is changed.
CONTRACTS = {
    "GameBoard": "arena::othello::Board { using arena::othello::Board::Board;",
    "HasPositionValue": "arena::othello::Position { {name} after(Move) const;",
    "search::SearchGame": "arena::search::Othello {",
    "search::TableEntry": "arena::search::ScoreEntry {",
}
#: A contract, a change that breaks it, and what the error must name: the part of the contract, and the member.
BROKEN = [
    ("GameBoard", "void push(Move) = delete;", "HasPushAndPop", "push"),
    ("GameBoard", "int moves(Move*, int) const;", "HasLegalMoves", "moves"),
    ("GameBoard", "double result() const;", "HasEnding", "result"),
    ("GameBoard", "int evaluate(int) const;", "HasEvaluation", "evaluate"),
    ("HasPositionValue", "int key() const;", "HasPositionValue", "key"),
    ("search::SearchGame", "static void table_key(const Board&);", "HasTableKeys", "table_key"),
    ("search::SearchGame", "static int balance(const Board&);", "HasValues", "balance"),
    ("search::SearchGame", "int promise;", "HasMoveOrder", "promise"),
    ("search::TableEntry", "int worth() const;", "TableEntry", "worth"),
]


def checked(contract: str, name: str, change: str = "") -> str:
    """A type and the assertion that it keeps a contract."""
    body = CONTRACTS[contract].replace("{name}", name)
    return f"struct {name} : {body} {change} }};\nstatic_assert(arena::{contract}<{name}>);\n"


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the compiler says about sound types, then about each broken one."""
    source = '#include "games.hpp"\n#include "table.hpp"\n'
    source += "".join(checked(contract, f"Sound{index}") for index, contract in enumerate(CONTRACTS))
    source += "".join(
        checked(contract, f"Broken{index}", change) for index, (contract, change, *_) in enumerate(BROKEN)
    )
    file = tmp_path_factory.mktemp("contracts") / "contracts.cpp"
    file.write_text(source)
    includes = [f"-I{ROOT / 'games' / '_kernel'}", f"-I{ROOT / 'agents' / 'core'}"]
    command = ["g++", "-std=c++20", "-fsyntax-only", *includes, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr.split("static assertion failed")


def test_only_broken_types_are_refused(errors: list[str]) -> None:
    assert len(errors) == 1 + len(BROKEN)
    assert not any("Sound" in error for error in errors)


@pytest.mark.parametrize("case", range(len(BROKEN)), ids=[member for *_, member in BROKEN])
def test_the_error_names_the_missing_member(case: int, errors: list[str]) -> None:
    _, _, part, member = BROKEN[case]
    assert part in errors[1 + case]
    assert re.search(rf"note: .*\b{member}\b", errors[1 + case]), errors[1 + case]


@pytest.mark.parametrize("game", ["chess", "go", "gomoku", "microchess", "mushroom", "othello"])
def test_every_kernel_asserts_the_contract(game: str) -> None:
    text = (ROOT / "games" / "_kernel" / f"{game}.hpp").read_text(encoding="utf-8")
    assert "static_assert(GameBoard<Board>);" in text
    assert re.search(r"static_assert\((SelfContained|Kernel)Position<Position>\);", text)
    adapters = (ROOT / "agents" / "core" / "games.hpp").read_text(encoding="utf-8")
    assert f"static_assert(SearchGame<{game.capitalize()}>" in adapters
