"""Alpha-beta chooses as negamax does, and looks at less."""

import itertools
import random

import pytest

import games
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.base import NOISE
from agents.search.negamax_search_agent import FREEDOM, SOONER, NegamaxSearchAgent
from agents.search.two_step_search_agent import TwoStepSearchAgent

INFINITY = float("inf")


def positions(game, number, seed=1):
    """Undecided states with a choice, up to thirty random turns from the start."""
    rng = random.Random(seed)
    found = []
    while len(found) < number:
        state = game.start()
        for _ in range(rng.randrange(30)):
            if state.is_game_over():
                break
            state = state.forward(rng.choice(list(state.legal_moves)))
        if len(state.legal_moves) > 1:
            found.append(state)
    return found


def chosen(agent, state, **options):
    player = agent("x", state.turn, **options)
    player.rng.seed(11)
    return player.act(state), player.nodes


@pytest.mark.parametrize(
    ("name", "depth", "number"),
    [("microchess", 2, 60), ("microchess", 3, 25), ("othello", 3, 25), ("chess", 2, 10)],
)
def test_alpha_beta_plays_the_move_of_negamax_and_visits_fewer_nodes(name, depth, number):
    plain_nodes = pruned_nodes = 0
    for state in positions(games.load(name), number):
        plain, plain_count = chosen(NegamaxSearchAgent, state, depth=depth)
        pruned, pruned_count = chosen(ABPNegamaxSearchAgent, state, depth=depth)
        assert plain == pruned
        assert pruned_count <= plain_count
        plain_nodes += plain_count
        pruned_nodes += pruned_count
    assert pruned_nodes < 0.7 * plain_nodes


def test_alpha_beta_gives_every_state_the_value_of_negamax():
    for state in positions(games.load("microchess"), 30, seed=2):
        plain = NegamaxSearchAgent("x", state.turn)
        pruned = ABPNegamaxSearchAgent("x", state.turn)
        plain.deadline = pruned.deadline = type(plain.deadline)(INFINITY)
        value = plain.negamax(state, 3)
        assert pruned.alpha_beta(state, 3, alpha=-INFINITY, beta=INFINITY) == value
        assert pruned.alpha_beta(state, 3, alpha=value - 1e-6, beta=value + 1e-6) == value
        assert pruned.alpha_beta(state, 3, alpha=-INFINITY, beta=value - 1e-6) >= value - 1e-6
        assert pruned.alpha_beta(state, 3, alpha=value + 1e-6, beta=INFINITY) <= value + 1e-6


def test_two_step_plays_what_is_best_for_negamax_of_depth_two():
    for state in positions(games.load("microchess"), 40, seed=3):
        judge = NegamaxSearchAgent("x", state.turn, depth=2)
        judge.deadline = type(judge.deadline)(INFINITY)
        values = {move: judge.score(state, move, depth=2, floor=-INFINITY) for move in state.legal_moves}
        # Two-step knows neither sooner nor freer, so it may play what is a little less than best.
        assert values[chosen(TwoStepSearchAgent, state)[0]] > max(values.values()) - 2 * SOONER


@pytest.mark.parametrize("agent", [NegamaxSearchAgent, ABPNegamaxSearchAgent])
def test_of_states_worth_the_same_the_freer_one_is_preferred(agent):
    state = games.load("microchess").start()
    player = agent("x", state.turn)
    assert player.leaf(state, 0, choices=10) > player.leaf(state, 0, choices=9)


def test_freedom_weighs_less_than_any_difference_of_material():
    sums = range(4, 104)
    shares = sorted({(mine - theirs) / (mine + theirs) for mine in sums for theirs in sums})
    smallest = min(after - before for before, after in itertools.pairwise(shares))
    most_moves_in_chess = 218
    assert most_moves_in_chess * FREEDOM < smallest
    assert NOISE < FREEDOM / 10


@pytest.mark.parametrize("agent", [NegamaxSearchAgent, ABPNegamaxSearchAgent])
def test_a_lost_game_is_lost_as_late_as_possible(tic_tac_toe, agent):
    # X threatens 1 and 3; O is lost, but taking 4 makes a threat that X must answer first.
    state = tic_tac_toe.position("X.X...X.O O")
    move, _ = chosen(agent, state, depth=5)
    assert move == 4


@pytest.mark.parametrize("agent", [NegamaxSearchAgent, ABPNegamaxSearchAgent])
def test_noughts_and_crosses_is_a_draw_when_nobody_errs(tic_tac_toe, play, agent):
    start = tic_tac_toe.position("X...O.... X")
    end = play(start, agent("x", True, depth=7), agent("o", False, depth=7))
    assert end.ending.winner is None
