"""UCT, RAVE and every kind of playout."""

from collections import Counter

import pytest

from agents.othello import _native
from agents.othello.classic import MAP_B, square
from agents.othello.uct import PLAYOUTS, OthelloUctTree, Xoshiro
from games.othello import START, Othello


def grown(state, playout, *, seed=0, simulations=40, rave=0.0, c=1.4):
    tree = OthelloUctTree(state, PLAYOUTS[playout], Xoshiro(seed), c, rave)
    for _ in range(simulations):
        tree.simulate()
    return tree


def tried(tree):
    return tree.root.visits, tuple((node.move, node.visits, node.mean) for node in tree.ranked())


@pytest.mark.parametrize("playout", PLAYOUTS)
def test_a_playout_is_legal_to_its_end_and_the_seed_decides_it(playout, positions):
    def played(state, seed):
        rng, moves = Xoshiro(seed), []
        while not state.is_game_over():
            legal = state.legal_moves
            move = "pass" if legal == ("pass",) else PLAYOUTS[playout](state, len(moves), rng)
            assert move in legal
            moves.append(move)
            state = state.forward(move)
        return moves

    for state in positions(3, seed=1, empties=range(20, 30)):
        assert played(state, 5) == played(state, 5)
    assert len({tuple(played(Othello().start(), seed)) for seed in range(4)}) > 1


@pytest.mark.parametrize("rave", [0.0, 60.0])
@pytest.mark.parametrize("playout", PLAYOUTS)
def test_both_forms_agree_to_the_visit(playout, rave, positions):
    for seed, state in enumerate(positions(5, seed=2)):
        found = _native.uct(state.text, playout=playout, simulations=40, c=0.9, rave=rave, seed=seed)
        assert tried(grown(state, playout, seed=seed, rave=rave, c=0.9)) == found


def test_the_random_numbers_are_fair():
    counts = Counter(Xoshiro(seed).below(6) for seed in range(6000))
    assert set(counts) == set(range(6))
    assert min(counts.values()) > 850
    rng = Xoshiro(1)
    assert len({rng.below(2**32) for _ in range(100)}) == 100


def test_a_light_playout_draws_squares_by_their_weight():
    state = Othello().position("-XO-----" + "--------" * 2 + "---OX---" + "---XO---" + "--------" * 2 + "-------- O")
    moves = state.legal_moves
    rng = Xoshiro(3)
    counts = Counter(PLAYOUTS["light"](state, 0, rng) for _ in range(4000))
    room = {move: MAP_B.weights[square(move)] + 26 for move in moves}
    assert moves[0] == "a1"
    for move in moves:
        assert counts[move] / 4000 == pytest.approx(room[move] / sum(room.values()), abs=0.03)


def test_a_playout_that_searches_takes_the_corner_but_searches_ten_moves_at_most():
    state = Othello().position("-XO-----" + "--------" * 2 + "---OX---" + "---XO---" + "--------" * 2 + "-------- O")
    for playout in ("heavy", "adaptive", "combined"):
        assert {PLAYOUTS[playout](state, 9, Xoshiro(seed)) for seed in range(30)} == {"a1"}
    for playout in ("adaptive", "combined"):
        assert len({PLAYOUTS[playout](state, 10, Xoshiro(seed)) for seed in range(60)}) > 1


@pytest.mark.parametrize("rave", [0.0, 100.0])
def test_visits_add_up_on_every_level(rave):
    tree = grown(Othello().start(), "random", simulations=200, rave=rave)
    nodes = [tree.root]
    while nodes:
        node = nodes.pop()
        if node.children and node.visits > 1:
            # The visit that made the node went no further.
            assert sum(child.visits for child in node.children) == node.visits - (node is not tree.root)
            nodes += node.children


def test_a_won_ending_is_seen_from_either_side(positions):
    for state in positions(12, seed=4, empties=range(4, 7)):
        _, moves = _native.uct(state.text, simulations=20_000, seed=1)
        leads = {move: -_native_solved(state.forward(move)) for move in state.legal_moves}
        if max(leads.values()) > 0:
            assert leads[moves[0][0]] > 0


def _native_solved(state):
    if state.is_game_over():
        lead = state.black.bit_count() - state.white.bit_count()
        return -lead if state.turn else lead
    if state.legal_moves == ("pass",):
        return -_native_solved(state.forward("pass"))
    return _native.minimax(state.text, (1,) * 64, depth=14)[1]


def test_rave_counts_moves_that_were_made_later():
    tree = grown(Othello().start(), "random", simulations=50, rave=300.0)
    assert all(child.rave_visits >= child.visits for child in tree.root.children)
    assert sum(child.rave_visits for child in tree.root.children) > 50


def test_a_native_search_without_time_still_has_a_move():
    simulations, moves = _native.uct(START, seconds=0.0)
    assert simulations == 1
    assert len(moves) == 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [("?", {}, "no position"), (START, {"playout": "wild"}, "no playout is called wild")],
)
def test_invalid_arguments_are_refused(text, options, message):
    with pytest.raises(ValueError, match=message):
        _native.uct(text, **options)
