"""The native searches agree with their twin in Python, and take whatever they are given."""

import random
import threading

import chess
import pytest

import games
from agents.core.kernel import Kernel, core
from agents.core.lead import lead
from agents.core.plain import Plain
from agents.core.report import DECIDED, Limits, Recipe
from agents.evaluation import balance
from games.base import BLACK, WHITE

#: A game, how many random states of it, and how deep to search them.
SAMPLES = [
    ("microchess", 120, 3),
    ("microchess:turns=20", 60, 3),
    ("othello", 60, 3),
    ("gomoku:size=6", 20, 2),
    ("mushroom:rows=4,columns=5", 40, 3),
    ("go:size=3", 50, 3),
    ("go:size=5,turns=12,komi=0.5", 25, 2),
]
GAMES = ["go:size=5", "gomoku:size=7", "microchess", "mushroom:rows=5,columns=6", "othello"]


def states(name, number, seed=0):
    """States on random ways through the game that are not over."""
    game, dice = games.load(name), random.Random(seed)
    state = game.start(seed=seed)
    for index in range(number):
        yield state
        state = state.forward(dice.choice(list(state.legal_moves)))
        if state.is_game_over():
            state = game.start(seed=seed + index + 1)


def after(state, *moves):
    for move in moves:
        state = state.forward(state.parse(move))
    return state


def kernel(state):
    found = Kernel.of(state)
    assert found is not None
    return found


def exact(engine, state, depth):
    return engine.alphabeta(state, Limits(depth=depth, exact=True))


@pytest.mark.parametrize(("name", "number", "depth"), SAMPLES)
def test_alpha_beta_finds_the_value_that_its_twin_finds(name, number, depth):
    for state in states(name, number, seed=1):
        engine = kernel(state)
        for deep in range(1, depth + 1):
            assert exact(engine, state, deep).score == exact(Plain(), state, deep).score, state.text


@pytest.mark.soak
@pytest.mark.parametrize(("name", "number", "depth"), SAMPLES)
def test_alpha_beta_finds_the_value_that_its_twin_finds_in_many_games(name, number, depth):
    for seed in range(2, 12):
        for state in states(name, number, seed=1000 * seed):
            assert exact(kernel(state), state, depth).score == exact(Plain(), state, depth).score, state.text


@pytest.mark.parametrize("name", ["microchess", "othello", "go:size=4"])
def test_what_was_learned_in_a_game_does_not_change_a_value(name):
    engine = kernel(games.load(name).start())
    for state in states(name, 60, seed=3):
        assert exact(engine, state, 2).score == exact(Plain(), state, 2).score, state.text


@pytest.mark.parametrize("name", GAMES)
def test_both_forms_count_the_same(name):
    for state in states(name, 150, seed=4):
        searcher = kernel(state)._searcher
        assert searcher.moves == len(state.legal_moves)
        assert searcher.value == lead(state)
        assert searcher.share == pytest.approx((1 + balance(state, WHITE)) / 2, abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_every_search_answers_with_legal_moves(name, engine):
    for state in states(name, 12, seed=5):
        searches = engine(state)
        for report in (
            searches.alphabeta(state, Limits(depth=2, seed=7)),
            searches.uct(state, Recipe(simulations=40, seed=7)),
            searches.uct(state, Recipe(simulations=40, depth=3, amplify=True, seed=7)),
        ):
            assert report.move == report.pv[0]
            assert not after(state, *report.pv[:-1]).is_game_over()
            after(state, *report.pv)
            assert report.nodes > 0
            assert report.depth > 0


@pytest.mark.parametrize("name", GAMES)
def test_the_visits_add_up_to_the_simulations(name):
    state = games.load(name).start()
    report = kernel(state).uct(state, Recipe(simulations=500, seed=1))
    assert report.nodes == 500
    assert sum(move.visits for move in report.visits) == 500
    assert all(0 <= move.mean <= 1 for move in report.visits)
    assert [move.visits for move in report.visits] == sorted((move.visits for move in report.visits), reverse=True)
    assert {move.move for move in report.visits} <= set(map(str, state.legal_moves))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "recipe",
    [Recipe(), Recipe(weighted=True), Recipe(rave=300), Recipe(depth=4, weighted=True, rave=50), Recipe(depth=1)],
    ids=["random", "weighted", "rave", "all", "one-turn"],
)
def test_every_recipe_runs_in_every_game(name, recipe):
    for state in states(name, 4, seed=6):
        engine = kernel(state)
        options = {field: getattr(recipe, field) for field in ("depth", "weighted", "rave")}
        report = engine.uct(state, Recipe(simulations=200, seed=3, **options))
        assert sum(move.visits for move in report.visits) == 200
        state.parse(report.move)


def test_the_tree_is_kept_for_the_moves_that_follow():
    state = games.load("othello").start()
    engine = kernel(state)
    first = engine.uct(state, Recipe(simulations=2000, seed=1))
    later = after(state, *first.pv[:2])
    kept = sum(move.visits for move in engine.uct(later, Recipe(simulations=10, seed=1)).visits) - 10
    assert 100 < kept < 2000


def test_a_tree_is_not_kept_when_rewards_mean_something_else():
    start = games.load("microchess").start()
    recipe = Recipe(simulations=2000, depth=4, amplify=True, seed=1)
    engine = kernel(start)
    engine.uct(start, recipe)
    # The rook takes the pawn: from now on, other states are better than the present one.
    later = after(start, "a1a4", "a5a4")
    assert sum(move.visits for move in engine.uct(later, Recipe(simulations=10, depth=4, amplify=True)).visits) == 10


def test_the_same_seed_finds_the_same_and_another_one_other_moves():
    state = games.load("othello").start()
    for search in (
        lambda seed: kernel(state).alphabeta(state, Limits(depth=1, seed=seed)),
        lambda seed: kernel(state).uct(state, Recipe(simulations=4, seed=seed)),
    ):
        assert search(5) == search(5)
        assert len({search(seed).move for seed in range(1, 20)}) > 1


@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_a_mate_is_worth_less_the_later_it_comes(engine):
    state = games.load("microchess").position("k2r/4/bpPB/R3/3K w k - 0 5")
    report = engine(state).alphabeta(state, Limits(depth=4))
    assert (report.move, report.score, report.depth) == ("a2a3", DECIDED - 1, 1)
    mated = games.load("microchess").position("1k2/4/1K2/3R/4 b - - 0 9")
    report = engine(mated).alphabeta(mated, Limits(depth=4, exact=True))
    assert report.score == 4 - DECIDED


@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_the_turn_limit_is_seen_coming(engine):
    # Black's is the last turn: a pawn that is guarded twice makes it 8:7, and nobody takes back.
    state = games.load("microchess").position("k3/p3/1n2/3P/1N1K b - - 0 40")
    report = engine(state).alphabeta(state, Limits(depth=5))
    assert (report.move, report.score) == ("b3d2", DECIDED - 1)


@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_repetition_is_counted_from_the_start_of_the_game(engine):
    start = games.load("microchess").position("k2r/4/4/4/K2R w - - 0 1")
    shuffle = ["d1c1", "d5c5", "c1d1", "c5d5"]
    before = after(start, *shuffle * 3, *shuffle[:3])
    # Every state one turn on is good for the other side, whose moves count, but for the fifth time of this one.
    report = exact(engine(before), before, 1)
    assert (report.move, report.score) == ("c5d5", 0)
    forgotten = games.load("microchess").position(before.text)
    assert exact(engine(forgotten), forgotten, 1).score < 0


@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_a_board_of_go_does_not_come_again(engine):
    ko = games.load("go:size=4").position(".XO./X.XO/.XO./.... O 0")
    # White takes on B3; Black may not take back at once.
    taken = after(ko, "B3")
    assert "C3" not in taken.legal_moves
    report = engine(taken).uct(taken, Recipe(simulations=300, depth=1, seed=1))
    assert {move.move for move in report.visits} == set(taken.legal_moves)


@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_either_side_wants_to_win(engine, color):
    stones = "..XXXX./......./......./......./......./......./..OOOO. " + ("O" if color == WHITE else "X")
    state = games.load("gomoku:size=7").position(stones)
    assert state.turn == color
    wins = {"1,6", "6,6"} if color == WHITE else {"1,0", "6,0"}
    searches = engine(state)
    assert searches.alphabeta(state, Limits(depth=1)).move in wins
    for recipe in (Recipe(simulations=400, seed=2), Recipe(simulations=400, depth=2, seed=2)):
        report = searches.uct(state, recipe)
        assert report.move in wins
        assert report.score == 1.0


def test_a_forced_pass_is_searched():
    state = games.load("othello").position("XO" + "-" * 62 + " O")
    assert list(state.legal_moves) == ["pass"]
    engine = kernel(state)
    assert engine.alphabeta(state, Limits(depth=4)).pv[0] == "pass"
    report = engine.uct(state, Recipe(simulations=30))
    assert report.pv[:2] == ("pass", "c1")
    assert report.score == 0.0  # Black takes the last disc


@pytest.mark.parametrize("name", ["microchess", "othello"])
@pytest.mark.parametrize("engine", [kernel, lambda _: Plain()], ids=["kernel", "python"])
def test_a_finished_game_is_refused_in_words(name, engine):
    text = {"microchess": "k3/1Q2/1K2/4/4 b - - 0 1", "othello": "X" * 40 + "O" * 24 + " X"}[name]
    state = games.load(name).position(text)
    for search in (
        lambda: engine(state).alphabeta(state, Limits(depth=2)),
        lambda: engine(state).uct(state, Recipe(simulations=2)),
    ):
        with pytest.raises(ValueError, match="no move to choose: the game is over"):
            search()


def test_nodes_and_simulations_are_limits():
    state = games.load("microchess").start()
    report = kernel(state).alphabeta(state, Limits(nodes=5000))
    assert 4000 < report.nodes <= 5001
    assert kernel(state).uct(state, Recipe(simulations=1)).nodes == 1


@pytest.mark.parametrize("name", GAMES)
def test_without_any_time_there_is_still_a_legal_move(name):
    state = games.load(name).start()
    for seconds in (0.0, -1.0):
        for report in (
            kernel(state).alphabeta(state, Limits(seconds=seconds)),
            kernel(state).uct(state, Recipe(seconds=seconds)),
        ):
            assert report.move in {str(move) for move in state.legal_moves}


def test_chess_foreign_games_and_states_with_changed_rules_have_no_kernel(tic_tac_toe):
    class Other(type(games.load("othello").start())):
        __module__ = "elsewhere"

    assert Kernel.of(games.load("chess").start()) is None
    assert Kernel.of(tic_tac_toe.start()) is None
    assert Kernel.of(Other(1, 2, WHITE)) is None


def test_a_state_that_no_game_leads_to_has_no_kernel():
    state = games.load("microchess").start()
    state.push(chess.Move.null())
    assert Kernel.of(state) is None
    for limit in (-1, 10**30, "eighty"):
        state = games.load("microchess").start()
        state.turn_limit = limit
        assert Kernel.of(state) is None


def test_the_environment_can_forbid_the_kernel(monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert core() is None
    assert Kernel.of(games.load("othello").start()) is None


@pytest.mark.parametrize("game", ["", "chess", "othello ", "x" * 10_000])
def test_other_games_are_refused_in_words(game):
    with pytest.raises(ValueError, match="no native search"):
        core().Searcher(game)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("microchess", "knbr/p3/4/3P/RBNK w Qk - 0"), ("microchess", "8/8 w - - 0 1"),
        ("microchess", "k3/4/4/4/4 w - - 0 1"), ("othello", "-" * 63 + " X"), ("othello", "-" * 64 + " Z"),
        ("gomoku", "..../..../.../.... X"), ("gomoku", "." * 40 + " X"), ("gomoku", ""), ("mushroom", "12/3a A 0"),
        ("mushroom", "12/34 A"), ("mushroom", "1" * 31 + " A 0"), ("go", "../. X 0"), ("go", "../.. Y 0"),
        ("go", "../.. X 9"), ("go", "/" * 500),
    ],
)  # fmt: skip
def test_a_text_that_is_no_position_is_refused(game, text):
    searcher = core().Searcher(game)
    with pytest.raises(ValueError, match="no position of this game"):
        searcher.set(text, ())
    with pytest.raises(ValueError, match="over"):
        searcher.uct(simulations=1)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_that_is_not_legal_is_refused_and_the_position_before_it_stays(name):
    state = games.load(name).start()
    searcher = kernel(state)._searcher
    for move in ("nonsense", "", "pass" if name == "othello" else "a1a1", "é" * 50):
        with pytest.raises(ValueError, match="no position of this game"):
            searcher.set(state.text, (move,))
    state.parse(searcher.uct(simulations=2)[0])


def test_foreign_objects_are_refused():
    searcher = core().Searcher("go", limit=10, komi=7.0)
    for call in (
        lambda: searcher.set(None, ()), lambda: searcher.set("x", [1]), lambda: searcher.set("x", (1,)),
        lambda: searcher.set("x", (), seen=(None,)), lambda: searcher.uct(seconds="x"), lambda: core().Searcher(1),
        lambda: searcher.alphabeta(depth=object()),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: searcher.set("../.. X 0", (), turns=-1), lambda: core().Searcher("go", limit=-1),
        lambda: core().Searcher("go", komi=float("nan")), lambda: searcher.set("../.. X 0", (), seen=("ff 0",)),
        lambda: searcher.set("../.. X 0", (), seen=("1 1",)), lambda: searcher.set("../.. X 0", (), seen=("zz",)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"no (such|position)"):
            call()


def test_depths_and_numbers_out_of_range_do_no_harm():
    state = games.load("microchess").start()
    searcher = kernel(state)._searcher
    found = [searcher.alphabeta(depth=depth, nodes=2000) for depth in (-5, 0, 10**6)]
    found += [searcher.uct(depth=depth, simulations=20) for depth in (-5, 0, 10**6)]
    found.append(searcher.uct(c=float("nan"), simulations=200))
    found.append(searcher.uct(c=float("inf"), rave=float("nan"), simulations=200))
    legal = {str(move) for move in state.legal_moves}
    assert {move for move, *_ in found} <= legal


@pytest.mark.parametrize("search", ["alphabeta", "uct"])
def test_a_signal_ends_a_search(interrupted, search):
    searcher = kernel(games.load("othello").start())._searcher
    interrupted(lambda: getattr(searcher, search)(seconds=600.0))


def test_python_goes_on_while_a_search_runs_and_the_searcher_is_not_shared():
    state = games.load("othello").start()
    searcher = kernel(state)._searcher
    running = threading.Thread(target=lambda: searcher.alphabeta(seconds=60.0, nodes=3_000_000))
    running.start()
    refused = 0
    while running.is_alive():
        try:
            searcher.set(state.text, ())
        except RuntimeError:
            refused += 1
    running.join()
    assert refused > 0


@pytest.mark.soak
def test_the_searches_touch_no_memory_that_is_not_theirs(passes_watched):
    passes_watched("agents.core", "core.cpp", __file__)
