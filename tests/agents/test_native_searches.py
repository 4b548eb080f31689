"""The native alpha-beta and UCT agree with their twins in Python, and refuse invalid input."""

import chess
import pytest

import games
from agents.alphabeta.search import NativeAlphaBeta, PythonAlphaBeta
from agents.core.engine import DECIDED, Limits
from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from agents.evaluation import balance
from agents.uct.search import NativeUct, PythonUct, UctSettings
from games.base import BLACK, WHITE

#: A game, the number of random states, and the depth of the search.
SAMPLES = [
    ("chess", 8, 2),
    ("chess:turns=30", 8, 2),
    ("microchess", 120, 3),
    ("microchess:turns=20", 60, 3),
    ("othello", 60, 3),
    ("gomoku:size=6", 20, 2),
    ("mushroom:rows=4,columns=5", 40, 3),
    ("go:size=3", 50, 3),
    ("go:size=5,turns=12,komi=0.5", 25, 2),
]
GAMES = ["chess", "go:size=5", "gomoku:size=7", "microchess", "mushroom:rows=5,columns=6", "othello"]


def after(state, *moves):
    for move in moves:
        state = state.forward(state.parse(move))
    return state


def native_alphabeta(state, *, exact=False):
    found = NativeAlphaBeta.of(state, exact=exact)
    assert found is not None
    return found


def python_alphabeta(_state, *, exact=False):
    return PythonAlphaBeta(exact=exact)


def native_uct(state, **settings):
    found = NativeUct.of(state, UctSettings(**settings))
    assert found is not None
    return found


def python_uct(_state, **settings):
    return PythonUct(UctSettings(**settings))


def core():
    return extension("agents.core._core")


def searcher_of(state):
    return native_uct(state).game.native


def exact_report(alphabeta, state, depth):
    return alphabeta(state, exact=True).search(state, Limits(depth=depth))


ALPHABETA = pytest.mark.parametrize("alphabeta", [native_alphabeta, python_alphabeta], ids=["kernel", "python"])
UCT = pytest.mark.parametrize("uct", [native_uct, python_uct], ids=["kernel", "python"])


@pytest.mark.parametrize(("name", "number", "depth"), SAMPLES)
def test_alpha_beta_finds_the_value_of_its_twin(name, number, depth, states):
    for state in states(name, number, seed=1):
        native, python = native_alphabeta(state, exact=True), PythonAlphaBeta(exact=True)
        for turns in range(1, depth + 1):
            limits = Limits(depth=turns)
            assert native.search(state, limits).score == python.search(state, limits).score, state.text


@pytest.mark.soak
@pytest.mark.parametrize(("name", "number", "depth"), SAMPLES)
def test_alpha_beta_finds_the_value_of_its_twin_in_many_games(name, number, depth, states):
    for seed in range(2, 12):
        for state in states(name, number, seed=1000 * seed):
            native, python = (exact_report(form, state, depth) for form in (native_alphabeta, python_alphabeta))
            assert native.score == python.score, state.text


@pytest.mark.parametrize("name", ["microchess", "othello", "go:size=4"])
def test_a_table_filled_during_a_game_does_not_change_a_value(name, states):
    native = native_alphabeta(games.load(name).start(), exact=True)
    for state in states(name, 60, seed=3):
        python = exact_report(python_alphabeta, state, 2)
        assert native.search(state, Limits(depth=2)).score == python.score, state.text


@pytest.mark.parametrize("name", GAMES)
def test_both_forms_count_the_same(name, states):
    for state in states(name, 150, seed=4):
        searcher = searcher_of(state)
        assert searcher.moves == len(state.legal_moves)
        assert searcher.value == knowledge_of(state).lead(state)
        assert searcher.share == pytest.approx((1 + balance(state, WHITE)) / 2, abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("alphabeta", "uct"),
    [(native_alphabeta, native_uct), (python_alphabeta, python_uct)],
    ids=["kernel", "python"],
)
def test_every_search_answers_with_legal_moves(name, alphabeta, uct, states):
    for state in states(name, 12, seed=5):
        simulations = Limits(simulations=40, seed=7)
        for report in (
            alphabeta(state).search(state, Limits(depth=2, seed=7)),
            uct(state).search(state, simulations),
            uct(state, depth=3, amplify=True).search(state, simulations),
        ):
            assert report.move == report.pv[0]
            assert not after(state, *report.pv[:-1]).is_game_over()
            after(state, *report.pv)
            assert report.nodes > 0
            assert report.depth > 0


@pytest.mark.parametrize("name", GAMES)
def test_the_visits_add_up_to_the_simulations(name):
    state = games.load(name).start()
    report = native_uct(state).search(state, Limits(simulations=500, seed=1))
    assert report.nodes == 500
    assert sum(move.visits for move in report.visits) == 500
    assert all(0 <= move.mean <= 1 for move in report.visits)
    assert [move.visits for move in report.visits] == sorted((move.visits for move in report.visits), reverse=True)
    assert {move.move for move in report.visits} <= set(map(str, state.legal_moves))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "settings",
    [{}, {"weighted": True}, {"rave": 300}, {"depth": 4, "weighted": True, "rave": 50}, {"depth": 1}],
    ids=["random", "weighted", "rave", "all", "one-turn"],
)
def test_all_settings_of_uct_run_in_every_game(name, settings, states):
    for state in states(name, 4, seed=6):
        report = native_uct(state, **settings).search(state, Limits(simulations=200, seed=3))
        assert sum(move.visits for move in report.visits) == 200
        state.parse(report.move)


def test_the_tree_is_kept_for_the_moves_that_follow():
    state = games.load("othello").start()
    uct = native_uct(state)
    first = uct.search(state, Limits(simulations=2000, seed=1))
    later = after(state, *first.pv[:2])
    kept = sum(move.visits for move in uct.search(later, Limits(simulations=10, seed=1)).visits) - 10
    assert 100 < kept < 2000


def test_a_tree_is_not_kept_when_the_amplified_reward_changes():
    start = games.load("microchess").start()
    uct = native_uct(start, depth=4, amplify=True)
    uct.search(start, Limits(simulations=2000, seed=1))
    # The rook takes the pawn: from now on, other states are better than the present one.
    later = after(start, "a1a4", "a5a4")
    assert sum(move.visits for move in uct.search(later, Limits(simulations=10)).visits) == 10


def test_the_same_seed_finds_the_same_move_and_other_seeds_find_others():
    state = games.load("othello").start()
    for search in (
        lambda seed: native_alphabeta(state).search(state, Limits(depth=1, seed=seed)),
        lambda seed: native_uct(state).search(state, Limits(simulations=4, seed=seed)),
    ):
        assert search(5) == search(5)
        assert len({search(seed).move for seed in range(1, 20)}) > 1


@ALPHABETA
def test_a_mate_is_worth_less_the_later_it_comes(alphabeta):
    state = games.load("microchess").position("k2r/4/bpPB/R3/3K w k - 0 5")
    report = alphabeta(state).search(state, Limits(depth=4))
    assert (report.move, report.score, report.depth) == ("a2a3", DECIDED - 1, 1)
    mated = games.load("microchess").position("1k2/4/1K2/3R/4 b - - 0 9")
    assert exact_report(alphabeta, mated, 4).score == 4 - DECIDED


@ALPHABETA
def test_the_search_sees_the_turn_limit(alphabeta):
    # Black has the last turn: taking the twice guarded pawn makes it 8:7, and White cannot take back.
    state = games.load("microchess").position("k3/p3/1n2/3P/1N1K b - - 0 40")
    report = alphabeta(state).search(state, Limits(depth=5))
    assert (report.move, report.score) == ("b3d2", DECIDED - 1)


@ALPHABETA
def test_repetition_is_counted_from_the_start_of_the_game(alphabeta):
    start = games.load("microchess").position("k2r/4/4/4/K2R w - - 0 1")
    shuffle = ["d1c1", "d5c5", "c1d1", "c5d5"]
    before = after(start, *shuffle * 3, *shuffle[:3])
    # Moves count, so every state one turn later is good for the opponent, except the fifth repetition of this one.
    report = exact_report(alphabeta, before, 1)
    assert (report.move, report.score) == ("c5d5", 0)
    forgotten = games.load("microchess").position(before.text)
    assert exact_report(alphabeta, forgotten, 1).score < 0


@UCT
def test_a_board_of_go_is_not_repeated(uct):
    ko = games.load("go:size=4").position(".XO./X.XO/.XO./.... O 0")
    # White takes on B3; Black may not take back at once.
    taken = after(ko, "B3")
    assert "C3" not in taken.legal_moves
    report = uct(taken, depth=1).search(taken, Limits(simulations=300, seed=1))
    assert {move.move for move in report.visits} == set(taken.legal_moves)


@pytest.mark.parametrize(
    ("alphabeta", "uct"),
    [(native_alphabeta, native_uct), (python_alphabeta, python_uct)],
    ids=["kernel", "python"],
)
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_either_side_plays_to_win(alphabeta, uct, color):
    stones = "..XXXX./......./......./......./......./......./..OOOO. " + ("O" if color == WHITE else "X")
    state = games.load("gomoku:size=7").position(stones)
    assert state.turn == color
    wins = {"1,6", "6,6"} if color == WHITE else {"1,0", "6,0"}
    assert alphabeta(state).search(state, Limits(depth=1)).move in wins
    for depth in (0, 2):
        report = uct(state, depth=depth).search(state, Limits(simulations=400, seed=2))
        assert report.move in wins
        assert report.score == 1.0


def test_a_forced_pass_is_searched():
    state = games.load("othello").position("XO" + "-" * 62 + " O")
    assert list(state.legal_moves) == ["pass"]
    assert native_alphabeta(state).search(state, Limits(depth=4)).pv[0] == "pass"
    report = native_uct(state).search(state, Limits(simulations=30))
    assert report.pv[:2] == ("pass", "c1")
    assert report.score == 0.0  # Black takes the last disc


@pytest.mark.parametrize("name", ["microchess", "othello"])
@pytest.mark.parametrize("search", [native_alphabeta, python_alphabeta, native_uct, python_uct])
def test_a_finished_game_is_refused(name, search):
    text = {"microchess": "k3/1Q2/1K2/4/4 b - - 0 1", "othello": "X" * 40 + "O" * 24 + " X"}[name]
    state = games.load(name).position(text)
    with pytest.raises(ValueError, match="no move to choose: the game is over"):
        search(state).search(state, Limits(depth=2, simulations=2))


def test_nodes_and_simulations_are_limits():
    state = games.load("microchess").start()
    report = native_alphabeta(state).search(state, Limits(nodes=5000))
    assert 4000 < report.nodes <= 5001
    assert native_uct(state).search(state, Limits(simulations=1)).nodes == 1


@pytest.mark.parametrize("name", GAMES)
def test_without_any_time_there_is_still_a_legal_move(name):
    state = games.load(name).start()
    for seconds in (0.0, -1.0):
        for search in (native_alphabeta(state), native_uct(state), python_alphabeta(state), python_uct(state)):
            report = search.search(state, Limits(seconds=seconds))
            assert report.move in {str(move) for move in state.legal_moves}
            assert report.pv[0] == report.move


def has_native_search(state):
    found = NativeAlphaBeta.of(state) is not None
    assert found == (NativeUct.of(state, UctSettings()) is not None)
    return found


def test_unknown_games_and_states_with_changed_rules_have_no_native_search(tic_tac_toe):
    class Other(type(games.load("othello").start())):
        __module__ = "elsewhere"

    assert not has_native_search(tic_tac_toe.start())
    assert not has_native_search(Other(1, 2, WHITE))


def test_a_state_that_no_game_leads_to_has_no_native_search():
    state = games.load("microchess").start()
    state.push(chess.Move.null())
    assert not has_native_search(state)
    for limit in (-1, 10**30, "eighty"):
        state = games.load("microchess").start()
        state.turn_limit = limit
        assert not has_native_search(state)


def test_the_environment_can_forbid_the_native_search(monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert core() is None
    assert not has_native_search(games.load("othello").start())


@pytest.mark.parametrize("game", ["", "checkers", "othello ", "x" * 10_000])
def test_other_games_are_refused(game):
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
    searcher = searcher_of(state)
    for move in ("nonsense", "", "pass" if name == "othello" else "a1a1", "é" * 50):
        with pytest.raises(ValueError, match="no position of this game"):
            searcher.set(state.text, (move,))
    state.parse(searcher.uct(simulations=2)[0])


def test_arguments_of_the_wrong_type_or_value_are_refused():
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
    searcher = searcher_of(state)
    found = [searcher.alphabeta(depth=depth, nodes=2000) for depth in (-5, 0, 10**6)]
    found += [searcher.uct(depth=depth, simulations=20) for depth in (-5, 0, 10**6)]
    found.append(searcher.uct(c=float("nan"), simulations=200))
    found.append(searcher.uct(c=float("inf"), rave=float("nan"), simulations=200))
    legal = {str(move) for move in state.legal_moves}
    assert {move for move, *_ in found} <= legal


@pytest.mark.parametrize("search", ["alphabeta", "uct"])
def test_a_signal_ends_a_search(search, interrupted):
    searcher = searcher_of(games.load("othello").start())
    interrupted(lambda: getattr(searcher, search)(seconds=600.0))


def test_python_goes_on_while_a_search_runs_and_the_searcher_is_not_shared(refuses_sharing):
    state = games.load("othello").start()
    searcher = searcher_of(state)
    refuses_sharing(lambda: searcher.alphabeta(seconds=60.0, nodes=3_000_000), lambda: searcher.set(state.text, ()))


@pytest.mark.soak
def test_the_searches_touch_no_memory_that_is_not_theirs(passes_watched):
    passes_watched("agents.core", "core.cpp", __file__)
