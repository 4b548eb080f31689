"""The search in both of its forms: what it finds, what it counts, what it keeps."""

import random

import pytest
from agents.core.kernel import Kernel as Core
from agents.core.report import Limits
from agents.puct.base import Evaluation, Settings

import games
from agents.puct.evaluation import EVALUATORS, Heuristic
from agents.puct.search import Search
from games.base import WHITE

MICROCHESS, OTHELLO = games.load("microchess"), games.load("othello")
GAMES = ["go:size=5", "gomoku:size=6", "microchess", "mushroom:rows=5,columns=6", "othello"]
SETTINGS = Settings()
MATERIAL = EVALUATORS["material"]


def after(state, *moves):
    for move in moves:
        state = state.forward(state.parse(move))
    return state


def best(tally):
    return max(tally.branches, key=lambda branch: (branch.visits, branch.mean))


def level(state):
    """Nobody is ahead, and all moves are alike."""
    return Evaluation(0.0, [1.0] * len(state.legal_moves))


@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
@pytest.mark.parametrize(
    ("position", "mate"),
    [
        ("k2r/4/bpPB/R3/3K w k - 0 5", "a2a3"),
        ("1nb1/2N1/3k/2r1/RK2 b - - 5 11", "b5c3"),
    ],
)
def test_a_mate_in_one_is_found(engine, evaluator, position, mate):
    state = MICROCHESS.position(position)
    found = best(engine(state, evaluator, SETTINGS).run(state, simulations=300))
    assert (found.move, found.mean) == (mate, 1.0)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("k3/2K1/p1n1/4/R1N1 w - - 1 9", "a1a3"),
        ("1k2/4/pK2/N3/R3 w - - 1 13", "a1c1"),
        ("r3/1k2/4/Bbn1/3K b - - 25 28", "b4c3"),
    ],
)
def test_a_mate_in_two_is_found(engine, position, move):
    state = MICROCHESS.position(position)
    found = best(engine(state, EVALUATORS["lead"], SETTINGS).run(state, simulations=4000))
    assert found.move == move
    assert found.mean > 0.8


def test_the_end_of_othello_is_played_as_a_full_search_plays_it(engine):
    dice, seen = random.Random(6), 0
    while seen < 6:
        state = OTHELLO.start()
        while not state.is_game_over() and (state.black | state.white).bit_count() < 59:
            state = state.forward(dice.choice(list(state.legal_moves)))
        if state.is_game_over() or len(state.legal_moves) < 2:
            continue
        seen += 1
        found = best(engine(state, MATERIAL, SETTINGS).run(state, simulations=3000)).move
        values = {move: result(state.forward(move), state.turn) for move in state.legal_moves}
        assert values[found] == max(values.values())


def result(state, color):
    """What a game without mistakes brings a side."""
    if state.ending is not None:
        return state.ending.points(color)
    results = [result(state.forward(move), color) for move in state.legal_moves]
    return max(results) if state.turn == color else min(results)


@pytest.mark.parametrize("side", ["X", "O"])
def test_an_open_four_is_made_and_one_of_the_other_side_is_no_longer_feared(engine, side):
    # Both have an open three: who is to move makes it four, and can make five at either end.
    state = games.load("gomoku:size=9").position(
        f"........./........./...XXX.../........./........./........./...OOO.../........./......... {side}"
    )
    row = 2 if side == "X" else 6
    found = best(engine(state, EVALUATORS["look"], SETTINGS).run(state, simulations=400))
    assert found.move in {f"2,{row}", f"6,{row}"}
    assert found.mean > 0.5


def test_an_open_four_wins_and_a_four_is_stopped(engine):
    gomoku = games.load("gomoku:size=7")
    mine = gomoku.position("......./..XXXX./......./......./..OO.O./......./....... X")
    assert best(engine(mine, MATERIAL, SETTINGS).run(mine, simulations=500)).move in {"1,1", "6,1"}
    theirs = gomoku.position("......./.OXXXX./......./......./..OO.O./......./....... O")
    found = best(engine(theirs, EVALUATORS["look"], SETTINGS).run(theirs, simulations=150))
    assert found.move == "6,1"


def test_threes_in_a_row_are_made_and_stopped_without_any_knowledge(tic_tac_toe):
    for text in ("XX.OO.... X", "XX.O..... O"):
        state = tic_tac_toe.position(text)
        assert best(Search(MATERIAL, SETTINGS).run(state, simulations=300)).move == "2"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("evaluator", ["material", "lead_look"])
@pytest.mark.parametrize("batch", [1, 7])
def test_the_visits_of_the_root_are_those_of_its_moves_and_one(engine, name, evaluator, batch, states):
    for state in states(name, 2, 5):
        tally = engine(state, EVALUATORS[evaluator], Settings(batch=batch)).run(state, simulations=100)
        assert tally.simulations == tally.visits == 100
        assert sum(branch.visits for branch in tally.branches) + 1 == 100
        assert [branch.move for branch in tally.branches] == [str(move) for move in state.legal_moves]
        assert sum(branch.prior for branch in tally.branches) == pytest.approx(1)
        assert all(-1 <= branch.mean <= 1 for branch in tally.branches)
        after(state, *tally.line)


def test_the_visits_of_every_node_are_those_of_its_children_and_one():
    search = Search(MATERIAL, Settings(batch=5))
    search.run(MICROCHESS.start(), simulations=500)
    nodes = [search.root]
    for node in nodes:
        children = [child for child in node.children if child is not None]
        nodes.extend(children)
        assert node.pending == 0
        if node.expanded:
            assert node.visits == 1 + sum(child.visits for child in children)


@pytest.mark.parametrize("name", [*GAMES, "chess"])
def test_the_python_form_plays_every_game(name, states):
    for state in states(name, 3, 6):
        tally = Search(EVALUATORS["look"], Settings(batch=3)).run(state, simulations=40)
        assert sum(branch.visits for branch in tally.branches) == 39
        assert tally.line


@pytest.mark.parametrize("name", GAMES)
def test_with_one_leaf_at_a_time_virtual_loss_changes_nothing(engine, name, states):
    for state in states(name, 4, 7):
        tallies = [
            engine(state, EVALUATORS["lead"], Settings(batch=1, virtual_loss=loss)).run(state, simulations=200)
            for loss in (0.0, 1.0, 3.0)
        ]
        assert tallies[0] == tallies[1] == tallies[2]


def test_values_are_turned_round_by_the_side_to_move(engine, scripted):
    # White is said to be ahead wherever it is looked: that is good for White and bad for Black, at every depth.
    def told(state):
        return Evaluation(0.75 if state.turn == WHITE else -0.75, [1.0] * len(state.legal_moves))

    start = OTHELLO.start()
    for state, expected in ((start, -0.75), (after(start, "d3"), 0.75)):
        tally = engine(state, scripted(told), SETTINGS).run(state, simulations=150)
        assert tally.depth > 1
        assert {branch.mean for branch in tally.branches if branch.visits} == {expected}


def test_a_forced_pass_is_searched_and_keeps_the_sides_apart(engine):
    passing = OTHELLO.position("XO" + "-" * 62 + " O")
    tally = engine(passing, MATERIAL, SETTINGS).run(passing, simulations=30)
    assert tally.line == ("pass", "c1")
    # After the pass Black takes White's last disc; the pass itself was valued once, by the discs.
    assert tally.branches[0].visits == 29
    assert tally.branches[0].mean == pytest.approx(-28 / 29)


@pytest.mark.parametrize(
    ("game", "text"), [(MICROCHESS, "k3/1Q2/1K2/4/4 b - - 0 1"), (OTHELLO, "X" * 40 + "O" * 24 + " X")]
)
def test_a_finished_game_is_refused_in_words(engine, game, text):
    state = game.position(text)
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        engine(state, MATERIAL, SETTINGS).run(state, simulations=1)


def test_one_simulation_looks_at_the_root_only_and_priors_remain(engine):
    state = MICROCHESS.position("k2r/4/4/4/K2R w - - 0 1")
    tally = engine(state, EVALUATORS["look"], SETTINGS).run(state, simulations=1)
    assert (tally.visits, tally.depth, tally.line) == (1, 0, ())
    assert {branch.visits for branch in tally.branches} == {0}
    assert max(tally.branches, key=lambda branch: branch.prior).move == "d1d5"


def test_when_all_priors_are_0_every_move_is_tried(engine, scripted):
    state = MICROCHESS.start()
    nothing = scripted(lambda state: Evaluation(0.0, [0.0] * len(state.legal_moves)))
    tally = engine(state, nothing, Settings(fpu=0.0)).run(state, simulations=len(state.legal_moves) + 1)
    assert {branch.visits for branch in tally.branches} == {1}


def test_a_prior_of_0_is_followed_only_when_the_others_disappoint(engine, scripted):
    state = OTHELLO.start()

    def first_only(state):
        return Evaluation(0.0, [1.0] + [0.0] * (len(state.legal_moves) - 1))

    tally = engine(state, scripted(first_only), SETTINGS).run(state, simulations=50)
    assert [branch.visits for branch in tally.branches] == [49, 0, 0, 0]


def test_noise_sways_the_root_and_nothing_below_it(engine, scripted):
    state = OTHELLO.start()
    settings = Settings(epsilon=1.0, fpu=0.0)
    search = engine(state, scripted(level), settings)
    tally = search.run(state, simulations=14, noise=(0.0, 0.0, 1.0, 0.0))
    assert [branch.visits for branch in tally.branches] == [0, 0, 13, 0]
    assert {branch.prior for branch in tally.branches} == {0.25}
    # Three replies: were there noise, it would be one of them that is tried.
    below = search.run(after(state, tally.branches[2].move), simulations=1)
    assert [branch.visits for branch in below.branches] == [5, 4, 4]


def test_noise_does_not_stay(engine, scripted):
    state = OTHELLO.start()
    search = engine(state, scripted(level), Settings(epsilon=0.5, fpu=0.0))
    search.run(state, simulations=11, noise=(0.0, 0.0, 1.0, 0.0))
    tally = search.run(state, simulations=200)
    assert max(branch.visits for branch in tally.branches) - min(branch.visits for branch in tally.branches) <= 1


@pytest.mark.parametrize("name", GAMES)
def test_what_is_known_of_a_later_state_is_kept(engine, name):
    start = games.load(name).start(seed=2)
    search = engine(start, MATERIAL, SETTINGS)
    tally = search.run(start, simulations=600)
    assert len(tally.line) >= 2
    later = after(start, *tally.line[:2])
    known = search.run(later, simulations=1)
    fresh = engine(later, MATERIAL, SETTINGS).run(later, simulations=1)
    assert known.visits >= fresh.visits
    assert 3 < known.visits < 600
    # The first visit looked at the state itself, all others went on: that is so in a kept tree as well.
    assert known.visits == 1 + sum(branch.visits for branch in known.branches)


def test_a_kept_tree_still_counts_for_the_right_side(engine, scripted):
    def told(state):
        return Evaluation(0.5 if state.turn == WHITE else -0.5, [1.0] * len(state.legal_moves))

    start = OTHELLO.start()
    search = engine(start, scripted(told), SETTINGS)
    line = search.run(start, simulations=300).line
    for turns in (1, 2):
        state = after(start, *line[:turns])
        tally = search.run(state, simulations=40)
        assert {branch.mean for branch in tally.branches if branch.visits} == {0.5 if state.turn == WHITE else -0.5}


def test_the_same_state_again_adds_to_what_was_found(engine):
    state = MICROCHESS.start()
    search = engine(state, MATERIAL, SETTINGS)
    search.run(state, simulations=100)
    twice = search.run(state, simulations=100)
    assert (twice.simulations, twice.visits) == (100, 200)
    assert twice.branches == engine(state, MATERIAL, SETTINGS).run(state, simulations=200).branches


def test_a_state_of_another_game_begins_a_new_tree(engine):
    state = MICROCHESS.start()
    search = engine(state, MATERIAL, SETTINGS)
    search.run(state, simulations=100)
    assert search.run(MICROCHESS.position("k2r/4/4/4/K2R w - - 0 1"), simulations=5).visits == 5


def test_leaves_are_evaluated_together_and_no_leaf_twice(engine, scripted):
    state = MICROCHESS.start()
    evaluator = scripted(level)
    engine(state, evaluator, Settings(batch=8)).run(state, simulations=200)
    sizes = [len(batch) for batch in evaluator.batches]
    assert sizes[0] == 1  # the root, which everybody waits for
    assert max(sizes) == 8
    assert sum(sizes) <= 200 < 8 * len(sizes)
    for batch in evaluator.batches:
        histories = [tuple(map(str, state.move_stack)) for state in batch]
        assert len(set(histories)) == len(histories)


def test_without_virtual_loss_a_batch_does_not_spread(engine, scripted):
    state = MICROCHESS.start()
    spread, narrow = scripted(level), scripted(level)
    engine(state, spread, Settings(batch=8, c=0.1)).run(state, simulations=100)
    engine(state, narrow, Settings(batch=8, c=0.1, virtual_loss=0.0)).run(state, simulations=100)
    assert len(spread.batches) < len(narrow.batches)


@pytest.mark.parametrize("batch", [1, 3, 64])
def test_simulations_are_an_exact_limit(engine, batch):
    state = MICROCHESS.start()
    for simulations in (1, 2, 10, 101):
        tally = engine(state, MATERIAL, Settings(batch=batch)).run(state, simulations=simulations)
        assert tally.simulations == tally.visits == simulations


def test_an_evaluator_that_fails_leaves_the_tree_as_it_was(engine, scripted):
    evaluator = scripted(level)
    state = OTHELLO.start()
    search = engine(state, evaluator, Settings(batch=4))
    search.run(state, simulations=20)
    evaluator.told = lambda state: Evaluation(5.0, [])
    with pytest.raises(ValueError, match=r"the value 5\.0"):
        search.run(state, simulations=20)
    evaluator.told = level
    tally = search.run(state, simulations=20)
    assert tally.visits == 40
    assert tally.branches == engine(state, scripted(level), Settings(batch=4)).run(state, simulations=40).branches


def test_without_any_time_there_is_one_round(engine):
    state = OTHELLO.start()
    for seconds in (0.0, -1.0):
        assert engine(state, MATERIAL, SETTINGS).run(state, seconds=seconds).simulations >= 1


def test_the_clock_ends_a_search_in_python(fake_clock):
    tally = Search(MATERIAL, SETTINGS, now=fake_clock(0.01)).run(OTHELLO.start(), seconds=1.0)
    assert 5 < tally.simulations < 100


def test_a_full_tree_ends_a_search_in_python():
    search = Search(MATERIAL, SETTINGS, room=50)
    assert search.run(OTHELLO.start(), simulations=1000).simulations == 50
    assert search.figures().nodes == 50
    # There is room again when the game has gone on.
    assert search.run(after(OTHELLO.start(), "d3"), simulations=1000).simulations > 10


def test_it_sees_what_alpha_beta_sees_in_a_few_turns(states):
    agreed = 0
    for state in states("microchess", 30, 8):
        if len(state.legal_moves) < 2:
            continue
        move = best(Search(Heuristic(), SETTINGS).run(state, simulations=300)).move
        deep = Limits(depth=2, exact=True)
        values = [-Core.of(state).alphabeta(state, Limits(depth=3, exact=True)).score]
        child = after(state, move)
        values.append(0 if child.is_game_over() else Core.of(child).alphabeta(child, deep).score)
        agreed += values[1] <= values[0] + 150
    assert agreed >= 20
