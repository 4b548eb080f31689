"""The search in both forms: the same moves, the same counts."""

import random

import pytest

import games
from agents.core.engine import DECIDED, Limits
from agents.core.native import NativeTextSearch, extension
from agents.gomoku.agent import GomokuAgent
from agents.gomoku.search import PythonGomokuSearch


def native():
    return extension("agents.gomoku._native")


def native_search():
    return NativeTextSearch(native().Searcher().search)


def both(state, **limits):
    found, twin = (search.search(state, Limits(**limits)) for search in (native_search(), PythonGomokuSearch()))
    return [(report.move, report.nodes, report.depth, report.score, [*report.pv]) for report in (found, twin)]


@pytest.mark.parametrize("size", [5, 7, 11, 15])
def test_both_forms_find_the_same_by_the_same_nodes(size):
    rng = random.Random(size)
    state = games.load(f"gomoku:size={size}").start()
    while not state.is_game_over() and state.turns < 30:
        found, twin = both(state, depth=2, nodes=400, seed=rng.getrandbits(60))
        assert found == twin
        state = state.forward(found[0] if rng.random() < 0.7 else rng.choice(state.legal_moves))
    assert state.turns > 5


def test_both_forms_agree_in_a_kept_table():
    searches = native_search(), PythonGomokuSearch()
    state = games.load("gomoku:size=9").start().forward("4,4").forward("3,3")
    for _ in range(8):
        found, twin = (search.search(state, Limits(depth=2)) for search in searches)
        assert (found.move, found.nodes, found.score) == (twin.move, twin.nodes, twin.score)
        state = state.forward(found.move)


def test_a_limit_on_nodes_is_kept():
    state = games.load("gomoku").start().forward("5,5")
    for report in (
        native_search().search(state, Limits(nodes=500)),
        PythonGomokuSearch().search(state, Limits(nodes=500)),
    ):
        assert report.nodes <= 501


def test_a_limit_on_seconds_is_kept_by_the_clock_that_was_given(fake_clock):
    state = games.load("gomoku").start().forward("5,5")
    report = PythonGomokuSearch(now=fake_clock(0.01)).search(state, Limits(seconds=1.0))
    assert 90 <= report.nodes <= 101
    state.parse(report.move)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_without_time_there_is_still_a_legal_move(seconds):
    state = games.load("gomoku").start().forward("5,5")
    for search in (native_search(), PythonGomokuSearch()):
        assert search.search(state, Limits(seconds=seconds)).move in state.legal_moves


def test_a_finished_game_is_refused(drawn):
    state = drawn("XXXXX ..... OOOO. ..... .....", "O")
    with pytest.raises(ValueError, match="the game is over"):
        native_search().search(state, Limits(depth=1))


@pytest.mark.parametrize(
    "text", ["", "nonsense", "..../..../.../.... X", "." * 40 + " X", "../../.. X", "...../.....  X"]
)
def test_a_text_that_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match="no position of this game"):
        native().Searcher().search(text)


def test_arguments_of_the_wrong_type_are_refused():
    searcher = native().Searcher()
    for call in (lambda: searcher.search(None), lambda: searcher.search("x", depth="y"), lambda: native().Searcher(1)):
        with pytest.raises(TypeError):
            call()


def test_depths_out_of_range_do_no_harm():
    state = games.load("gomoku:size=5").start().forward("2,2")
    for depth in (-5, 0, 10**6):
        assert native().Searcher().search(state.text, depth=depth, nodes=2000)[0] in state.legal_moves


def test_the_environment_can_forbid_the_native_search(monkeypatch):
    state = games.load("gomoku").start()
    assert GomokuAgent("x", state.turn).engine(state).form == "kernel"
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert native() is None
    assert GomokuAgent("x", state.turn).engine(state).form == "python"


def test_a_signal_ends_a_search(interrupted):
    state = games.load("gomoku:size=15").start().forward("7,7")
    interrupted(lambda: native().Searcher().search(state.text, seconds=600.0))


def test_a_searcher_is_not_shared_while_it_searches(refuses_sharing):
    searcher = native().Searcher()
    text = games.load("gomoku:size=15").start().forward("7,7").text
    refuses_sharing(lambda: searcher.search(text, seconds=60.0, nodes=400_000), lambda: searcher.search(text, nodes=1))


@pytest.mark.soak
def test_the_search_touches_no_memory_that_is_not_its_own(passes_watched):
    passes_watched("agents.gomoku", "native.cpp", __file__, "-k", "both or text or depths or finished")


def test_a_won_game_scores_by_its_turns(drawn):
    state = drawn("XXXX. ..... OOO.. ..... .....")
    for report in (search.search(state, Limits(depth=1)) for search in (native_search(), PythonGomokuSearch())):
        assert (report.move, report.score) == ("4,0", DECIDED - 1)
