"""How a simulation selects moves, and how the move to play is chosen."""

import math
import random
from collections import Counter

import pytest

from agents.core.engine import Visits
from agents.puct.search import PuctSettings, choose, dirichlet
from agents.puct.tree import Node, select
from games.base import BLACK, WHITE

SETTINGS = PuctSettings(c=1.0, fpu=0.1, virtual_loss=1.0)


@pytest.fixture
def node(tic_tac_toe):
    """X is to move on three free cells; the state was visited once and is worth nothing to either side."""
    node = Node(tic_tac_toe.position("XOXOXO... X"), WHITE)
    node.expand([0.5, 0.3, 0.2])
    node.visits = 1
    return node


def visited(node, index, visits, total, pending=0):
    child = node.child(index)
    child.visits, child.total, child.pending = visits, total, pending
    node.visits += visits
    node.pending += pending


def test_the_greatest_prior_goes_first_and_of_equals_the_first(node):
    assert select(node, SETTINGS) == 0
    node.priors = [0.2, 0.4, 0.4]
    assert select(node, SETTINGS) == 1
    node.priors = [0.0, 0.0, 0.0]
    assert select(node, SETTINGS) == 0


def test_the_bound_is_the_mean_and_a_width_that_shrinks_with_visits(node):
    visited(node, 0, 3, 1.5)
    visited(node, 1, 5, 3.0)
    bounds = [
        0.5 + math.sqrt(9) * 0.5 / 4,
        0.6 + math.sqrt(9) * 0.3 / 6,
        -0.1 + math.sqrt(9) * 0.2,
    ]
    assert bounds.index(max(bounds)) == 0
    assert select(node, SETTINGS) == 0
    assert select(node, PuctSettings(c=0.0)) == 1
    assert select(node, PuctSettings(c=10.0)) == 2


def test_an_untried_move_counts_as_its_parent_less_the_reduction(node):
    visited(node, 0, 1, 0.15)
    node.total = 0.4  # 0.2 for the side that chose it: X, who is to move
    assert select(node, PuctSettings(c=0.0, fpu=0.0)) == 1
    assert select(node, PuctSettings(c=0.0, fpu=0.1)) == 0


def test_the_urgency_is_seen_from_the_side_to_move(node):
    visited(node, 0, 1, 0.1)
    node.total = 0.4
    node.chosen_by = BLACK  # the same is now good for the other side
    assert select(node, PuctSettings(c=0.0, fpu=0.0)) == 0


def test_simulations_under_way_count_as_losses(node):
    visited(node, 0, 4, 2.0)
    visited(node, 1, 4, 1.6)
    greedy = PuctSettings(c=0.0, fpu=1.0)
    assert select(node, greedy) == 0
    node.child(0).pending = 1  # (2 - 1) / 5 is less than 1.6 / 4
    assert select(node, greedy) == 1
    assert select(node, PuctSettings(c=0.0, fpu=1.0, virtual_loss=0.0)) == 0


def test_noise_is_mixed_into_the_priors(node):
    assert select(node, PuctSettings(epsilon=0.25), [0.0, 0.0, 1.0]) == 2
    assert select(node, PuctSettings(epsilon=0.0), [0.0, 0.0, 1.0]) == 0


@pytest.mark.parametrize("alpha", [1e-9, 0.03, 0.3, 10.0])
def test_noise_adds_up_to_one_however_unequal(alpha):
    noise = dirichlet(20, alpha, random.Random(4))
    assert len(noise) == 20
    assert sum(noise) == pytest.approx(1)
    assert min(noise) >= 0


def test_noise_is_the_more_unequal_the_smaller_alpha_is():
    assert max(dirichlet(20, 0.03, random.Random(1))) > 0.5
    assert max(dirichlet(20, 100.0, random.Random(1))) < 0.1


MOVES = [Visits("a", 10, 0.1, 0.2), Visits("b", 30, 0.0, 0.2), Visits("c", 60, -0.1, 0.6)]


def test_at_temperature_0_the_most_visited_move_is_chosen():
    assert {choose(MOVES, 0, random.Random(seed)).move for seed in range(20)} == {"c"}


def test_of_equally_visited_moves_the_better_is_chosen_and_then_the_likelier():
    same = [Visits("a", 5, 0.1, 0.9), Visits("b", 5, 0.2, 0.1), Visits("c", 5, 0.2, 0.2)]
    assert choose(same, 0, random.Random(0)).move == "c"


def test_at_temperature_1_moves_are_drawn_by_their_visits():
    rng = random.Random(3)
    drawn = Counter(choose(MOVES, 1.0, rng).move for _ in range(2000))
    assert drawn["c"] == pytest.approx(1200, abs=100)
    assert drawn["a"] == pytest.approx(200, abs=60)


def test_a_small_temperature_comes_close_to_the_most_visited():
    rng = random.Random(3)
    assert {choose(MOVES, 0.01, rng).move for _ in range(100)} == {"c"}
    huge = [Visits("a", 10**9, 0.0, 0.5), Visits("b", 1, 0.0, 0.5)]
    assert choose(huge, 0.001, rng).move == "a"


def test_when_no_move_was_visited_priors_decide():
    fresh = [Visits("a", 0, 0.0, 0.2), Visits("b", 0, 0.0, 0.8)]
    assert choose(fresh, 0, random.Random(0)).move == "b"
    drawn = Counter(choose(fresh, 1.0, random.Random(seed)).move for seed in range(500))
    assert drawn["b"] == pytest.approx(400, abs=40)


def test_without_visits_and_priors_any_move_will_do():
    nothing = [Visits("a", 0, 0.0, 0.0), Visits("b", 0, 0.0, 0.0)]
    assert {choose(nothing, 1.0, random.Random(seed)).move for seed in range(30)} == {"a", "b"}
    assert choose(nothing, 0, random.Random(0)).move == "a"
