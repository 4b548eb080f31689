"""The search in both forms: what it finds, counts and keeps."""

import random

import pytest

import games
from agents.alphabeta.search import NativeAlphaBeta
from agents.core.engine import Limits
from agents.puct.evaluation import EVALUATORS, Evaluation, Heuristic
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings
from games.base import WHITE

MICROCHESS, OTHELLO = games.load("microchess"), games.load("othello")
GAMES = ["go:size=5", "gomoku:size=6", "microchess", "mushroom:rows=5,columns=6", "othello"]
SETTINGS = PuctSettings()
MATERIAL = EVALUATORS["material"]


def after(state, *moves):
    for move in moves:
        state = state.forward(state.parse(move))
    return state


def best(found):
    return max(found.moves, key=lambda move: (move.visits, move.mean))


def level(state):
    """No side is ahead, and all priors are equal."""
    return Evaluation(0.0, [1.0] * len(state.legal_moves))


@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
@pytest.mark.parametrize(
    ("position", "mate"),
    [
        ("k2r/4/bpPB/R3/3K w k - 0 5", "a2a3"),
        ("1nb1/2N1/3k/2r1/RK2 b - - 5 11", "b5c3"),
    ],
)
def test_a_mate_in_one_is_found(make_search, evaluator, position, mate):
    state = MICROCHESS.position(position)
    found = best(make_search(state, evaluator, SETTINGS).run(state, simulations=300))
    assert (found.move, found.mean) == (mate, 1.0)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("k3/2K1/p1n1/4/R1N1 w - - 1 9", "a1a3"),
        ("1k2/4/pK2/N3/R3 w - - 1 13", "a1c1"),
        ("r3/1k2/4/Bbn1/3K b - - 25 28", "b4c3"),
    ],
)
def test_a_mate_in_two_is_found(make_search, position, move):
    state = MICROCHESS.position(position)
    found = best(make_search(state, EVALUATORS["lead"], SETTINGS).run(state, simulations=4000))
    assert found.move == move
    assert found.mean > 0.8


def test_the_end_of_othello_is_played_as_a_full_search_plays_it(make_search):
    rng, seen = random.Random(6), 0
    while seen < 6:
        state = OTHELLO.start()
        while not state.is_game_over() and (state.black | state.white).bit_count() < 59:
            state = state.forward(rng.choice(list(state.legal_moves)))
        if state.is_game_over() or len(state.legal_moves) < 2:
            continue
        seen += 1
        found = best(make_search(state, MATERIAL, SETTINGS).run(state, simulations=3000)).move
        values = {move: result(state.forward(move), state.turn) for move in state.legal_moves}
        assert values[found] == max(values.values())


def result(state, color):
    """The points of a side in a game without mistakes."""
    if state.ending is not None:
        return state.ending.points(color)
    results = [result(state.forward(move), color) for move in state.legal_moves]
    return max(results) if state.turn == color else min(results)


@pytest.mark.parametrize("side", ["X", "O"])
def test_an_open_four_is_made_before_the_opponent_makes_one(make_search, side):
    # Both have an open three: the side to move makes an open four and wins at either end.
    state = games.load("gomoku:size=9").position(
        f"........./........./...XXX.../........./........./........./...OOO.../........./......... {side}"
    )
    row = 2 if side == "X" else 6
    found = best(make_search(state, EVALUATORS["look"], SETTINGS).run(state, simulations=400))
    assert found.move in {f"2,{row}", f"6,{row}"}
    assert found.mean > 0.5


def test_an_open_four_wins_and_a_four_is_stopped(make_search):
    gomoku = games.load("gomoku:size=7")
    mine = gomoku.position("......./..XXXX./......./......./..OO.O./......./....... X")
    assert best(make_search(mine, MATERIAL, SETTINGS).run(mine, simulations=500)).move in {"1,1", "6,1"}
    theirs = gomoku.position("......./.OXXXX./......./......./..OO.O./......./....... O")
    found = best(make_search(theirs, EVALUATORS["look"], SETTINGS).run(theirs, simulations=150))
    assert found.move == "6,1"


def test_threes_in_a_row_are_made_and_stopped_without_any_knowledge(tic_tac_toe):
    for text in ("XX.OO.... X", "XX.O..... O"):
        state = tic_tac_toe.position(text)
        assert best(PythonPuct(MATERIAL, SETTINGS).run(state, simulations=300)).move == "2"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("evaluator", ["material", "lead_look"])
@pytest.mark.parametrize("batch", [1, 7])
def test_the_visits_of_the_root_are_those_of_its_moves_and_one(make_search, name, evaluator, batch, states):
    for state in states(name, 2, 5):
        found = make_search(state, EVALUATORS[evaluator], PuctSettings(batch=batch)).run(state, simulations=100)
        assert found.simulations == found.visits == 100
        assert sum(move.visits for move in found.moves) + 1 == 100
        assert [move.move for move in found.moves] == [str(move) for move in state.legal_moves]
        assert sum(move.prior for move in found.moves) == pytest.approx(1)
        assert all(-1 <= move.mean <= 1 for move in found.moves)
        after(state, *found.line)


def test_the_visits_of_every_node_are_those_of_its_children_and_one():
    search = PythonPuct(MATERIAL, PuctSettings(batch=5))
    search.run(MICROCHESS.start(), simulations=500)
    nodes = [search.root]
    for node in nodes:
        children = [child for child in node.children if child is not None]
        nodes.extend(children)
        assert node.pending == 0
        if node.expanded:
            assert node.visits == 1 + sum(child.visits for child in children)


@pytest.mark.parametrize("name", [*GAMES, "chess"])
def test_the_python_form_searches_every_game(name, states):
    for state in states(name, 3, 6):
        found = PythonPuct(EVALUATORS["look"], PuctSettings(batch=3)).run(state, simulations=40)
        assert sum(move.visits for move in found.moves) == 39
        assert found.line


@pytest.mark.parametrize("name", GAMES)
def test_with_one_leaf_at_a_time_virtual_loss_changes_nothing(make_search, name, states):
    for state in states(name, 4, 7):
        tallies = [
            make_search(state, EVALUATORS["lead"], PuctSettings(batch=1, virtual_loss=loss)).run(state, simulations=200)
            for loss in (0.0, 1.0, 3.0)
        ]
        assert tallies[0] == tallies[1] == tallies[2]


def test_values_are_turned_round_by_the_side_to_move(make_search, scripted):
    # The evaluator says that White is ahead in every state: good for White and bad for Black, at every depth.
    def ahead(state):
        return Evaluation(0.75 if state.turn == WHITE else -0.75, [1.0] * len(state.legal_moves))

    start = OTHELLO.start()
    for state, expected in ((start, -0.75), (after(start, "d3"), 0.75)):
        found = make_search(state, scripted(ahead), SETTINGS).run(state, simulations=150)
        assert found.depth > 1
        assert {move.mean for move in found.moves if move.visits} == {expected}


def test_a_forced_pass_is_searched_and_keeps_the_sides_apart(make_search):
    passing = OTHELLO.position("XO" + "-" * 62 + " O")
    found = make_search(passing, MATERIAL, SETTINGS).run(passing, simulations=30)
    assert found.line == ("pass", "c1")
    # After the pass Black takes White's last disc; the pass itself was valued once, by the discs.
    assert found.moves[0].visits == 29
    assert found.moves[0].mean == pytest.approx(-28 / 29)


@pytest.mark.parametrize(
    ("game", "text"), [(MICROCHESS, "k3/1Q2/1K2/4/4 b - - 0 1"), (OTHELLO, "X" * 40 + "O" * 24 + " X")]
)
def test_a_finished_game_is_refused(make_search, game, text):
    state = game.position(text)
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        make_search(state, MATERIAL, SETTINGS).run(state, simulations=1)


def test_one_simulation_looks_at_the_root_only_and_priors_remain(make_search):
    state = MICROCHESS.position("k2r/4/4/4/K2R w - - 0 1")
    found = make_search(state, EVALUATORS["look"], SETTINGS).run(state, simulations=1)
    assert (found.visits, found.depth, found.line) == (1, 0, ())
    assert {move.visits for move in found.moves} == {0}
    assert max(found.moves, key=lambda move: move.prior).move == "d1d5"


def test_when_all_priors_are_0_every_move_is_tried(make_search, scripted):
    state = MICROCHESS.start()
    nothing = scripted(lambda state: Evaluation(0.0, [0.0] * len(state.legal_moves)))
    found = make_search(state, nothing, PuctSettings(fpu=0.0)).run(state, simulations=len(state.legal_moves) + 1)
    assert {move.visits for move in found.moves} == {1}


def test_a_prior_of_0_is_followed_only_when_the_others_disappoint(make_search, scripted):
    state = OTHELLO.start()

    def first_only(state):
        return Evaluation(0.0, [1.0] + [0.0] * (len(state.legal_moves) - 1))

    found = make_search(state, scripted(first_only), SETTINGS).run(state, simulations=50)
    assert [move.visits for move in found.moves] == [49, 0, 0, 0]


def test_noise_changes_the_root_only(make_search, scripted):
    state = OTHELLO.start()
    settings = PuctSettings(epsilon=1.0, fpu=0.0)
    search = make_search(state, scripted(level), settings)
    found = search.run(state, simulations=14, noise=(0.0, 0.0, 1.0, 0.0))
    assert [move.visits for move in found.moves] == [0, 0, 13, 0]
    assert {move.prior for move in found.moves} == {0.25}
    # Three replies: with noise only one of them would be tried.
    below = search.run(after(state, found.moves[2].move), simulations=1)
    assert [move.visits for move in below.moves] == [5, 4, 4]


def test_noise_does_not_stay(make_search, scripted):
    state = OTHELLO.start()
    search = make_search(state, scripted(level), PuctSettings(epsilon=0.5, fpu=0.0))
    search.run(state, simulations=11, noise=(0.0, 0.0, 1.0, 0.0))
    found = search.run(state, simulations=200)
    assert max(move.visits for move in found.moves) - min(move.visits for move in found.moves) <= 1


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_below_a_later_state_is_kept(make_search, name):
    start = games.load(name).start(seed=2)
    search = make_search(start, MATERIAL, SETTINGS)
    found = search.run(start, simulations=600)
    assert len(found.line) >= 2
    later = after(start, *found.line[:2])
    known = search.run(later, simulations=1)
    fresh = make_search(later, MATERIAL, SETTINGS).run(later, simulations=1)
    assert known.visits >= fresh.visits
    assert 3 < known.visits < 600
    # The first visit evaluated the state itself, all others went on: in a kept tree too.
    assert known.visits == 1 + sum(move.visits for move in known.moves)


def test_a_kept_tree_still_counts_for_the_right_side(make_search, scripted):
    def ahead(state):
        return Evaluation(0.5 if state.turn == WHITE else -0.5, [1.0] * len(state.legal_moves))

    start = OTHELLO.start()
    search = make_search(start, scripted(ahead), SETTINGS)
    line = search.run(start, simulations=300).line
    for turns in (1, 2):
        state = after(start, *line[:turns])
        found = search.run(state, simulations=40)
        assert {move.mean for move in found.moves if move.visits} == {0.5 if state.turn == WHITE else -0.5}


def test_the_same_state_again_adds_to_what_was_found(make_search):
    state = MICROCHESS.start()
    search = make_search(state, MATERIAL, SETTINGS)
    search.run(state, simulations=100)
    twice = search.run(state, simulations=100)
    assert (twice.simulations, twice.visits) == (100, 200)
    assert twice.moves == make_search(state, MATERIAL, SETTINGS).run(state, simulations=200).moves


def test_a_state_of_another_game_begins_a_new_tree(make_search):
    state = MICROCHESS.start()
    search = make_search(state, MATERIAL, SETTINGS)
    search.run(state, simulations=100)
    assert search.run(MICROCHESS.position("k2r/4/4/4/K2R w - - 0 1"), simulations=5).visits == 5


def test_leaves_are_evaluated_together_and_no_leaf_twice(make_search, scripted):
    state = MICROCHESS.start()
    evaluator = scripted(level)
    make_search(state, evaluator, PuctSettings(batch=8)).run(state, simulations=200)
    sizes = [len(batch) for batch in evaluator.batches]
    assert sizes[0] == 1  # the root
    assert max(sizes) == 8
    assert sum(sizes) <= 200 < 8 * len(sizes)
    for batch in evaluator.batches:
        histories = [tuple(map(str, state.move_stack)) for state in batch]
        assert len(set(histories)) == len(histories)


def test_without_virtual_loss_a_batch_does_not_spread(make_search, scripted):
    state = MICROCHESS.start()
    spread, narrow = scripted(level), scripted(level)
    make_search(state, spread, PuctSettings(batch=8, c=0.1)).run(state, simulations=100)
    make_search(state, narrow, PuctSettings(batch=8, c=0.1, virtual_loss=0.0)).run(state, simulations=100)
    assert len(spread.batches) < len(narrow.batches)


@pytest.mark.parametrize("batch", [1, 3, 64])
def test_simulations_are_an_exact_limit(make_search, batch):
    state = MICROCHESS.start()
    for simulations in (1, 2, 10, 101):
        found = make_search(state, MATERIAL, PuctSettings(batch=batch)).run(state, simulations=simulations)
        assert found.simulations == found.visits == simulations


def test_an_evaluator_that_fails_leaves_the_tree_as_it_was(make_search, scripted):
    evaluator = scripted(level)
    state = OTHELLO.start()
    search = make_search(state, evaluator, PuctSettings(batch=4))
    search.run(state, simulations=20)
    evaluator.evaluate_one = lambda state: Evaluation(5.0, [])
    with pytest.raises(ValueError, match=r"the value 5\.0"):
        search.run(state, simulations=20)
    evaluator.evaluate_one = level
    found = search.run(state, simulations=20)
    assert found.visits == 40
    assert found.moves == make_search(state, scripted(level), PuctSettings(batch=4)).run(state, simulations=40).moves


def test_without_any_time_there_is_one_round(make_search):
    state = OTHELLO.start()
    for seconds in (0.0, -1.0):
        assert make_search(state, MATERIAL, SETTINGS).run(state, seconds=seconds).simulations >= 1


def test_the_clock_ends_a_search_in_python(fake_clock):
    found = PythonPuct(MATERIAL, SETTINGS, now=fake_clock(0.01)).run(OTHELLO.start(), seconds=1.0)
    assert 5 < found.simulations < 100


def test_a_full_tree_ends_a_search_in_python():
    search = PythonPuct(MATERIAL, SETTINGS, room=50)
    assert search.run(OTHELLO.start(), simulations=1000).simulations == 50
    assert search.figures().nodes == 50
    # There is room again when the game has gone on.
    assert search.run(after(OTHELLO.start(), "d3"), simulations=1000).simulations > 10


def exact_score(state, *, depth):
    return NativeAlphaBeta.of(state, exact=True).search(state, Limits(depth=depth)).score


def test_it_sees_what_alpha_beta_sees_in_a_few_turns(states):
    agreed = 0
    for state in states("microchess", 30, 8):
        if len(state.legal_moves) < 2:
            continue
        move = best(PythonPuct(Heuristic(), SETTINGS).run(state, simulations=300)).move
        best_value = -exact_score(state, depth=3)
        child = after(state, move)
        value = 0 if child.is_game_over() else exact_score(child, depth=2)
        agreed += value <= best_value + 150
    assert agreed >= 20
