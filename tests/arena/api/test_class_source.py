"""Agents given as classes: their source is staged with what it uses."""

import random
import xml.dom
from pathlib import Path
from typing import Any

import chess
import pytest

from agents import BaseAgent
from arena.entrants.class_source import source_of
from arena.entrants.entrant import entrant_of
from arena.entrants.staging import stage_of
from arena.errors import UnknownAgent

WORTH = {chess.PAWN: 1, chess.QUEEN: 9}
UNWRITABLE = object()


def gain(state: chess.Board, move: chess.Move) -> int:
    piece = state.piece_type_at(move.to_square)
    return WORTH.get(piece or 0, 0)


class Base(BaseAgent):
    """A base class of the same script."""

    def act(self, state: Any) -> Any:
        return max(state.legal_moves, key=lambda move: gain(state, move))


class Derived(Base):
    """Has no method of its own."""


class Random(BaseAgent):
    def act(self, state: Any) -> Any:
        return random.choice(list(state.legal_moves))


class UsesSubmodule(BaseAgent):
    def act(self, state: Any) -> Any:
        return xml.dom.Node


class Unwritable(BaseAgent):
    def act(self, state: Any) -> Any:
        return UNWRITABLE


def run(source: str, name: str) -> Any:
    """The class, made from the source alone."""
    namespace: dict[str, Any] = {"__name__": "staged"}
    exec(compile(source, "staged.py", "exec"), namespace)
    return namespace[name]


def test_functions_constants_and_imports_come_along() -> None:
    source = source_of(Base)
    agent = run(source, "Base")("name", True)
    board = chess.Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert agent.act(board) == chess.Move.from_uci("e4d5")
    assert "import random" not in source


def test_submodules_come_along() -> None:
    assert "import xml.dom\n" in source_of(UsesSubmodule)


def test_base_classes_of_the_same_script_come_along() -> None:
    assert issubclass(run(source_of(Derived), "Derived"), BaseAgent)


def test_the_staged_class_is_an_entrant_named_after_the_class(tmp_path: Path) -> None:
    entrant = entrant_of(Random, home=tmp_path)
    assert (entrant.name, entrant.agent, entrant.path) == ("Random", "Random", "Random.py:Random")
    staged = stage_of(entrant.hash, home=tmp_path)
    assert entrant.is_staged
    assert staged is not None
    assert "\nimport random\n" in (staged.folder / "Random.py").read_text()
    assert entrant_of(Random, home=tmp_path).hash == entrant.hash


def test_a_value_that_cannot_be_written_is_named() -> None:
    with pytest.raises(UnknownAgent, match="Unwritable uses 'UNWRITABLE', a object that cannot be written"):
        source_of(Unwritable)


def test_a_class_without_source_is_refused_in_one_line() -> None:
    made = type("Made", (BaseAgent,), {"act": lambda self, state: None, "__module__": "builtins"})
    with pytest.raises(UnknownAgent, match="the source of class Made cannot be found; define it at the top level"):
        source_of(made)


def test_a_class_inside_a_function_is_refused_in_one_line() -> None:
    class Inner(BaseAgent):
        def act(self, state: Any) -> Any:
            return None

    with pytest.raises(UnknownAgent, match="Inner cannot be found"):
        source_of(Inner)
