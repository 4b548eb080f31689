"""What the searches know about a game: one record per game, found by the class of a state."""

import ast
from pathlib import Path

import pytest

import agents
import games
from agents.core.knowledge import GameKnowledge, knowledge_of
from agents.puct.evaluation import EVALUATORS
from games.base import BLACK, WHITE
from games.othello import OthelloState

GAMES = ["chess", "go", "gomoku", "microchess", "mushroom", "othello"]


def record(name):
    return knowledge_of(games.load(name).start())


@pytest.mark.parametrize("name", GAMES)
def test_every_bundled_game_has_a_record(name):
    known = record(name)
    assert known != GameKnowledge()
    assert known.half_win > 1
    assert known.puct_evaluator in EVALUATORS


@pytest.mark.parametrize(
    ("name", "uct_depth", "evaluator", "c", "half_win"),
    [
        ("chess", 6, "look", 1.0, 500), ("go", 0, "look", 1.0, 20), ("gomoku", 6, "lead_look", 0.4, 1000),
        ("microchess", 6, "look", 1.0, 500), ("mushroom", 6, "look", 1.0, 10), ("othello", 0, "lead_look", 1.0, 100),
    ],
)  # fmt: skip
def test_the_settings_of_the_searches_suit_the_game(name, uct_depth, evaluator, c, half_win):
    known = record(name)
    assert (known.uct_depth, known.puct_evaluator, known.puct_c, known.half_win) == (uct_depth, evaluator, c, half_win)


@pytest.mark.parametrize("name", GAMES)
def test_the_native_searches_play_every_game(name):
    position_of = record(name).native_position
    assert position_of is not None
    assert position_of(games.load(name).start()).game == name


def test_the_native_position_holds_the_history_that_the_rules_need():
    start = games.load("microchess").start()
    later = start.forward(start.parse("d1c2"))
    position = knowledge_of(later).native_position(later)
    assert (position.text, position.moves) == (start.text, ("d1c2",))
    go = games.load("go:size=5,komi=0.5").start().forward("C3")
    position = knowledge_of(go).native_position(go)
    assert (position.text, position.turns, position.parameters["komi"]) == (go.text, 1, 0.5)
    assert len(position.seen) == len(go.seen)


def test_an_unknown_game_has_a_neutral_record(tic_tac_toe):
    state = tic_tac_toe.position("XX.OO.... X")
    known = knowledge_of(state)
    assert known == GameKnowledge()
    assert (known.balance(state, WHITE), known.lead(state)) == (0.0, 0)
    assert known.native_position is None


def test_a_subclass_shares_the_record_but_its_rules_may_differ_so_it_has_no_native_search():
    class Variant(OthelloState):
        pass

    start = games.load("othello").start()
    known = knowledge_of(Variant(start.black, start.white, start.turn))
    assert known.native_position is None
    assert (known.balance, known.lead, known.half_win) == (record("othello").balance, record("othello").lead, 100)


def test_the_record_of_a_class_is_found_once():
    assert record("go") is record("go")
    assert record("go") is not record("gomoku")


@pytest.mark.parametrize("name", GAMES)
def test_the_lead_of_the_side_to_move_has_the_sign_of_its_balance_when_one_side_is_far_ahead(name):
    positions = {
        "chess": "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1",
        "microchess": "k3/4/4/4/KQQQ w - - 0 1",
        "othello": "O" * 40 + "-" * 22 + "XO" + " O",
        "gomoku": "OOOO.../......./......./......./......./......./XX...X. O",
        "mushroom": "AAAA1/B2345 A 0",
        "go": "OOOOO/OOOOO/.O.O./XX.../..... O 0",
    }
    size = {"gomoku": ":size=7", "mushroom": ":rows=2,columns=5", "go": ":size=5"}.get(name, "")
    state = games.load(name + size).position(positions[name])
    known = knowledge_of(state)
    assert known.balance(state, WHITE) == -known.balance(state, BLACK) > 0
    assert known.lead(state) > 0
    assert state.turn == WHITE


def test_only_one_module_of_agents_holds_tables_by_game():
    """Adding knowledge about a game must touch one place."""
    folder = Path(agents.__file__).parent
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("games.")
    }
    # Books are for every agent, also for those that know nothing of the searches.
    assert found == {"core/knowledge.py", "opening_book.py"}
