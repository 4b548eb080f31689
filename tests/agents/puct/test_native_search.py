"""The native search equals the search in Python, and refuses invalid input."""

import math
import os
import random
from pathlib import Path

import pytest

import games
from agents.core.native import extension
from agents.puct.evaluation import EVALUATORS, Cached
from agents.puct.native_search import NativePuct
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings, dirichlet
from games.base import WHITE

GAMES = ["chess", "go:size=5", "gomoku:size=6", "microchess", "mushroom:rows=5,columns=6", "othello"]
MATERIAL = EVALUATORS["material"]


def native():
    return extension("agents.puct._native")


def native_puct(state, evaluator=MATERIAL, settings=None):
    found = NativePuct.of(state, evaluator, settings or PuctSettings())
    assert found is not None
    return found


def tree(name="othello"):
    """A native tree at the start of a game."""
    return native_puct(games.load(name).start()).game.native


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("batch", [1, 6])
def test_both_forms_find_the_same_to_the_last_bit(name, evaluator, batch, states):
    heuristic, settings = EVALUATORS[evaluator], PuctSettings(batch=batch)
    for state in states(name, 3, 3):
        native_form = native_puct(state, heuristic, settings).run(state, simulations=90)
        python_form = PythonPuct(heuristic, settings).run(state, simulations=90)
        assert list(native_form.moves) == list(python_form.moves), state.text
        assert (native_form.line, native_form.depth) == (python_form.line, python_form.depth)


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_both_forms_find_the_same_in_many_states(name, states):
    for index, state in enumerate(states(name, 150, 40)):
        heuristic = list(EVALUATORS.values())[index % 4]
        settings = PuctSettings(batch=1 + index % 5, c=0.3 + index % 3, fpu=0.1 * (index % 4), epsilon=0.25)
        noise = dirichlet(len(state.legal_moves), 0.3, random.Random(index))
        native_form = native_puct(state, heuristic, settings).run(state, simulations=600, noise=noise)
        python_form = PythonPuct(heuristic, settings).run(state, simulations=600, noise=noise)
        assert list(native_form.moves) == list(python_form.moves), state.text


@pytest.mark.parametrize("name", GAMES)
def test_an_evaluator_in_python_steers_the_native_tree_as_its_native_form_does(name, states):
    # Behind a cache a heuristic is just any evaluator.
    for state in states(name, 2, 4):
        for batch in (1, 4):
            settings = PuctSettings(batch=batch)
            in_python = native_puct(state, Cached(EVALUATORS["look"], 1000), settings).run(state, simulations=90)
            own = native_puct(state, EVALUATORS["look"], settings).run(state, simulations=90)
            assert in_python == own


@pytest.mark.parametrize("name", GAMES)
def test_both_forms_agree_along_a_whole_game_in_kept_trees(name):
    state, settings = games.load(name).start(seed=9), PuctSettings(epsilon=0.25)
    forms = [native_puct(state, MATERIAL, settings), PythonPuct(MATERIAL, settings)]
    for turn in range(12):
        if state.is_game_over():
            break
        noise = dirichlet(len(state.legal_moves), 0.3, random.Random(turn))
        one, other = (form.run(state, simulations=60, noise=noise) for form in forms)
        assert list(one.moves) == list(other.moves)
        assert one.visits == other.visits
        state = state.forward(state.parse(max(one.moves, key=lambda move: move.visits).move))


@pytest.mark.parametrize("cache", [0, 4, 16])
def test_the_cache_does_not_change_the_result(cache, states):
    for name in GAMES:
        for state in states(name, 2, 5):
            heuristic = EVALUATORS["lead_look"]
            remembering = NativePuct.of(state, heuristic, PuctSettings(), cache=cache)
            assert remembering.run(state, simulations=400) == native_puct(state, heuristic).run(state, simulations=400)
            assert (remembering.figures().hits > 0) == (cache > 0)


def test_a_full_tree_does_not_end_a_native_search():
    state = games.load("othello").start()
    small = native().Tree("othello", room=60)
    small.set(state.text, ())
    small.tune(c=1.0)
    assert small.run(simulations=5000) == 5000
    nodes, memory, *_ = small.figures()
    assert nodes <= 60
    assert memory == 32 * nodes
    visits, _, line, moves = small.told()
    assert (visits, sum(move[1] for move in moves)) == (5000, 4999)
    assert line
    alone = native().Tree("othello", room=1)
    alone.set(state.text, ())
    assert alone.run(simulations=10) == 10
    assert alone.told()[3] == ()


def test_a_tree_without_room_answers_from_priors():
    state = games.load("othello").start()
    search = native_puct(state)
    search.game.native = native().Tree("othello", room=1)
    assert [move.visits for move in search.run(state, simulations=10).moves] == [0, 0, 0, 0]


def test_nodes_take_their_memory_when_a_second_visit_comes():
    state = games.load("microchess").start()
    search = native_puct(state)
    search.run(state, simulations=2000)
    figures = search.figures()
    assert figures.nodes < 2000 * len(state.legal_moves) / 2
    assert figures.memory == 32 * figures.nodes


def test_leaves_are_collected_and_expanded_from_outside():
    here = tree()
    here.tune(c=1.0, loss=1.0)
    assert here.collect(4) == ((),)
    assert here.expand(((0.0, (0.25,) * 4),)) == 1
    ways = here.collect(3)
    assert ways == (("d3",), ("c4",), ("f5",))
    assert here.expand(tuple((0.1 * index, (1 / 3,) * 3) for index in range(3))) == 3
    visits, depth, line, moves = here.told()
    assert (visits, depth, line) == (4, 1, ("d3",))
    assert [move[:3] for move in moves] == [("d3", 1, 0.0), ("c4", 1, -0.1), ("f5", 1, -0.2), ("e6", 0, 0.0)]


def test_an_unfinished_round_is_forgotten():
    here, other = tree(), tree()
    for each in (here, other):
        each.tune(c=1.0, loss=1.0)
    here.collect(4)
    here.collect(1)
    here.run(simulations=50)
    other.run(simulations=50)
    assert here.told() == other.told()


@pytest.mark.parametrize(
    "evaluations",
    [(), ((0.0, ()),), ((0.0, (1.0,) * 5),), ((0.0, (0.25,) * 4), (0.0, (0.25,) * 4))],
)
def test_evaluations_that_do_not_fit_are_refused_and_the_round_is_dropped(evaluations):
    here = tree()
    here.collect(1)
    with pytest.raises(ValueError, match="do not fit"):
        here.expand(evaluations)
    assert here.expand(()) == 0
    assert here.told()[0] == 0


@pytest.mark.parametrize("evaluations", [((),), (1,), ((0.0, None),), (("x", ()),), ((0.0, ("x",)),), [(0.0, ())]])
def test_evaluations_of_the_wrong_type_are_refused(evaluations):
    here = tree()
    here.collect(1)
    with pytest.raises(TypeError):
        here.expand(evaluations)


def test_arguments_of_the_wrong_type_or_value_are_refused():
    here = tree()
    for call in (
        lambda: here.set(None, ()), lambda: here.set("x", [1]), lambda: here.set("x", (1,)),
        lambda: here.run(seconds="x"),
        lambda: here.tune(noise=[1.0]), lambda: here.tune(noise=("x",) * 4), lambda: here.collect("x"),
        lambda: native().Tree(1), lambda: here.run(1),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: here.set("x", ()), lambda: here.set("x", (), turns=-1), lambda: native().Tree("checkers"),
        lambda: native().Tree("go", limit=-1), lambda: native().Tree("go", komi=math.nan),
        lambda: native().Tree("go", room=0), lambda: native().Tree("go", room=10**12), lambda: here.tune(batch=0),
        lambda: here.tune(batch=10**6), lambda: here.tune(noise=(1.0,)), lambda: here.collect(0),
        lambda: here.run(cache=-1), lambda: here.run(cache=60),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"no |must be"):
            call()
    with pytest.raises(OverflowError):
        here.collect(10**30)


def test_a_tree_without_a_position_has_no_move_to_choose():
    here = native().Tree("othello")
    for call in (lambda: here.run(simulations=1), lambda: here.collect(1), here.tune):
        with pytest.raises(ValueError, match="the game is over"):
            call()
    assert here.told() == (0, 0, (), ())


def test_numbers_out_of_range_do_no_harm():
    state = games.load("microchess").start()
    for c, fpu, loss in (
        (math.nan, 0.0, 1.0),
        (math.inf, math.inf, math.inf),
        (-5.0, -3.0, -1.0),
        (1.0, math.nan, math.nan),
    ):
        here = tree("microchess")
        here.tune(c=c, fpu=fpu, loss=loss, batch=7, epsilon=math.nan, noise=(math.nan,) * len(state.legal_moves))
        assert here.run(simulations=500, scale=math.nan, look=1e-300) == 500
        assert sum(move[1] for move in here.told()[3]) == 499


def test_unknown_games_and_changed_rules_have_no_native_search(tic_tac_toe):
    class Other(type(games.load("othello").start())):
        __module__ = "elsewhere"

    for state in (tic_tac_toe.start(), Other(1, 2, WHITE)):
        assert NativePuct.of(state, MATERIAL, PuctSettings()) is None
    strange = games.load("microchess").start()
    strange.turn_limit = -1
    assert NativePuct.of(strange, MATERIAL, PuctSettings()) is None


def test_the_environment_can_forbid_the_native_search(monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert native() is None
    assert NativePuct.of(games.load("othello").start(), MATERIAL, PuctSettings()) is None


def test_a_signal_ends_a_search(interrupted):
    here = tree()
    interrupted(lambda: here.run(seconds=600.0))
    assert here.run(simulations=1) == 1


def test_python_goes_on_while_a_search_runs_and_the_tree_is_not_shared(refuses_sharing):
    here = tree()
    refuses_sharing(lambda: here.run(seconds=60.0, simulations=200_000), here.told)


def test_trees_give_their_memory_back():
    state = games.load("othello").start()

    def resident():
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def search():
        found = native_puct(state)
        found.run(state, simulations=20_000)
        for _ in range(30):
            found.run(state, simulations=5)
            found.game.native.told()

    search()
    before = resident()
    for _ in range(20):
        search()
    assert resident() - before < 8_000_000


@pytest.mark.soak
def test_the_tree_touches_no_memory_that_is_not_its_own(passes_watched):
    left_out = "not (give_their_memory_back or whole_games or profile)"  # the watcher keeps what was freed
    options = "detect_leaks=0:allocator_may_return_null=1"
    passes_watched("agents.puct", "native.cpp", "-k", left_out, str(Path(__file__).parent), options=options)


@pytest.mark.parametrize("name", GAMES)
def test_without_time_nothing_is_evaluated_in_python(name, monkeypatch):
    state = games.load(name).start()
    search = native_puct(state, EVALUATORS["look"])
    monkeypatch.setattr(
        "agents.puct.native_search.checked_evaluations", lambda *_: pytest.fail("this takes longer than a search")
    )
    assert search.run(state, seconds=0).moves
