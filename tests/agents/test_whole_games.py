"""Every bundled agent plays every game to its end by legal moves."""

import pytest

import games
from agents.basic.debug_agent import FirstMoveAgent, MalfunctionAgent
from agents.basic.random_agent import RandomAgent
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.mcts_agent import MCTSAgent, MCTSAgentDev
from agents.search.negamax_search_agent import NegamaxSearchAgent
from agents.search.one_step_search_agent import OneStepSearchAgent
from agents.search.two_step_search_agent import TwoStepSearchAgent

AGENTS = [
    (RandomAgent, {}),
    (FirstMoveAgent, {}),
    (MalfunctionAgent, {"probability": 0}),
    (OneStepSearchAgent, {}),
    (TwoStepSearchAgent, {}),
    (NegamaxSearchAgent, {"depth": 2}),
    (ABPNegamaxSearchAgent, {"depth": 2}),
    (MCTSAgent, {"simulations": 20}),
    (MCTSAgentDev, {"simulations": 20}),
]


@pytest.mark.parametrize(("agent", "options"), AGENTS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("name", ["microchess", "chess:turns=24", "othello", "tic-tac-toe"])
def test_a_whole_game_by_legal_moves_on_both_sides(name, agent, options, tic_tac_toe, plays_against_random):
    def player(color):
        made = agent("x", color, **options)
        made.rng.seed(1)
        return made

    plays_against_random(tic_tac_toe.start() if name == "tic-tac-toe" else games.load(name).start(), player)


def test_a_search_does_not_change_the_state_it_is_given():
    for name in ("microchess", "chess", "othello"):
        state = games.load(name).start()
        for agent, options in AGENTS:
            agent("x", state.turn, **options).act(state)
        assert state.text == games.load(name).start().text
        assert state.turns == 0
