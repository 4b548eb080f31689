"""The native alpha-beta of chess: it sees tactics, counts what its twin counts, and draws when it is behind."""

import chess
import pytest

import games
from agents.alphabeta.agent import AlphaBetaAgent
from agents.alphabeta.search import FEATURES, NativeAlphaBeta
from agents.core.chess_evaluation import chess_lead
from agents.core.engine import DECIDED, Limits
from agents.core.native import extension

CHESS = games.load("chess")


def search(text, *, moves=(), **limits):
    state = CHESS.position(text)
    for move in moves:
        state = state.forward(state.parse(move))
    found = NativeAlphaBeta.of(state)
    assert found is not None
    return found.search(state, Limits(**limits))


@pytest.mark.parametrize(
    ("text", "moves", "depth"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 6),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 6),  # the only way begins with an offer of the rook
        ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 2, 6),
    ],
)
def test_it_finds_a_mate(text, moves, depth):
    report = search(text, depth=depth)
    assert report.score == DECIDED - (2 * moves - 1)
    state = CHESS.position(text)
    for move in report.pv:
        state = state.forward(state.parse(move))
    assert state.is_checkmate()


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("4k3/8/2n5/8/1B6/8/8/4K2R b K - 0 1", "c6b4"),  # a piece for nothing
        ("8/P7/8/8/8/8/k7/7K w - - 0 1", "a7a8q"),
        ("7k/4P3/8/8/8/8/r6r/5K2 w - - 0 1", "e7e8q"),
    ],
)
def test_it_takes_what_is_to_be_had(text, best):
    assert search(text, depth=6).move == best


def test_it_does_not_give_a_queen_for_a_guarded_pawn():
    text = "r1bqkbnr/ppp2ppp/2np4/4p3/4P3/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 0 4"
    assert search(text, depth=5).move not in {"f3f7", "f3f6", "f3a3"}


def test_it_takes_a_perpetual_check_when_it_is_behind():
    # Without the checks on e8 and h5 White is lost.
    report = search("6k1/6p1/8/8/8/8/1qr3PP/4Q2K w - - 0 1", depth=8)
    assert report.move == "e1e8"
    assert report.score == 0


def test_it_does_not_repeat_a_position_when_it_is_ahead():
    shuffle = ["h1g1", "h8g8", "g1h1", "g8h8"]
    report = search("7k/8/8/8/8/8/2Q5/7K w - - 0 1", moves=[*shuffle, *shuffle], depth=6)
    assert report.score > 500


@pytest.mark.parametrize("text", ["7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "k7/2Q5/8/1K6/8/8/8/8 w - - 0 1"])
def test_it_avoids_a_stalemate(text):
    state = CHESS.position(text)
    assert not state.forward(state.parse(search(text, depth=4).move)).is_stalemate()


def test_the_evaluation_is_the_same_for_both_colours(states):
    for state in states("chess", 40, seed=11):
        assert chess_lead(state) == chess_lead(state.mirror())


def test_an_exact_search_leaves_nothing_out():
    state = CHESS.position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    counts = []
    for exact in (True, False):
        found = NativeAlphaBeta.of(state, exact=exact)
        assert found is not None
        counts.append(found.search(state, Limits(depth=5)).nodes)
    assert counts[0] > counts[1]


@pytest.mark.parametrize("name", sorted(set(FEATURES) - {"nothing"}))
def test_a_search_without_a_feature_finds_the_same_mate_by_other_nodes(name):
    state = CHESS.position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
    reports = []
    for without in (0, FEATURES[name]):
        found = NativeAlphaBeta.of(state, without=without)
        assert found is not None
        assert found.search(state, Limits(depth=7)).score == DECIDED - 5
        reports.append(found.search(CHESS.start(), Limits(depth=7)))
    assert reports[0].nodes != reports[1].nodes


def test_the_agent_names_the_features_that_it_can_do_without():
    agent = AlphaBetaAgent("a", True, depth=4, without="null_moves")
    assert agent.act(CHESS.start()) in CHESS.start().legal_moves
    with pytest.raises(ValueError, match=r"without must be one of nothing, null_moves, .*, not 'luck'"):
        AlphaBetaAgent("a", True, without="luck")


def test_a_side_that_loses_because_it_has_to_move_is_seen():
    # After a1a6 Black has only a bishop and pawns: it would hold the game if it could pass.
    assert search("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", depth=5).move == "a1a6"


def test_chess960_is_searched_with_its_own_castling():
    text = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"
    searcher = extension("agents.core._core").Searcher("chess")
    searcher.set(text, ("b1a1",))
    with pytest.raises(ValueError, match="no position of this game"):
        searcher.set(text, ("b1g1",))
    assert CHESS.position(text).parse(search(text, depth=3).move)


def test_a_standard_position_that_was_called_chess960_by_hand_is_left_to_the_python_search():
    state = type(CHESS.start())(chess.STARTING_FEN, chess960=True)
    assert NativeAlphaBeta.of(state) is None
