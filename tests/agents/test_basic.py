"""Agents that do not look ahead."""

from collections import Counter

import pytest

from agents.basic.debug_agent import FirstMoveAgent, MalfunctionAgent
from agents.basic.random_agent import RandomAgent
from games.base import WHITE


def test_random_plays_every_legal_move_about_equally_often(tic_tac_toe):
    state = tic_tac_toe.position("XO.XO.... X")
    agent = RandomAgent("random", WHITE)
    agent.rng.seed(1)
    played = Counter(agent.act(state) for _ in range(1000))
    assert set(played) == set(state.legal_moves)
    assert min(played.values()) > 150


def test_random_repeats_itself_with_the_same_seed(tic_tac_toe):
    def moves(seed):
        agent = RandomAgent("random", WHITE)
        agent.rng.seed(seed)
        return [agent.act(tic_tac_toe.start()) for _ in range(20)]

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


def test_first_move_plays_the_first_move_of_the_rules(tic_tac_toe):
    assert FirstMoveAgent("first", WHITE).act(tic_tac_toe.position("XO....... X")) == 2


def test_malfunction_raises_about_every_second_time(tic_tac_toe):
    state = tic_tac_toe.start()
    agent = MalfunctionAgent("malfunction", WHITE)
    agent.rng.seed(2)
    broken = 0
    for _ in range(1000):
        try:
            assert agent.act(state) in state.legal_moves
        except RuntimeError:
            broken += 1
    assert 400 < broken < 600


@pytest.mark.parametrize(("probability", "broken"), [(0, 0), (1, 50)])
def test_malfunction_can_be_told_never_or_always(tic_tac_toe, probability, broken):
    agent = MalfunctionAgent("malfunction", WHITE, probability=probability)
    raised = 0
    for _ in range(50):
        try:
            agent.act(tic_tac_toe.start())
        except RuntimeError:
            raised += 1
    assert raised == broken
