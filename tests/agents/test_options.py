"""A wrong option is refused in one line that says what would be right."""

import pytest

from agents.basic.debug_agent import MalfunctionAgent
from agents.basic.random_agent import RandomAgent
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.mcts_agent import MCTSAgent, MCTSAgentDev
from agents.search.negamax_search_agent import NegamaxSearchAgent
from agents.search.one_step_search_agent import OneStepSearchAgent
from agents.search.two_step_search_agent import TwoStepSearchAgent
from games.base import WHITE

EVALUATIONS = "evaluation must be one of share, signed, outcome, not 'best'"


@pytest.mark.parametrize(
    ("agent", "options", "words"),
    [
        (MalfunctionAgent, {"probability": 1.5}, "probability must be a number from 0 to 1, not 1.5"),
        (MalfunctionAgent, {"probability": "often"}, "probability must be a number from 0 to 1, not 'often'"),
        (OneStepSearchAgent, {"evaluation": "best"}, EVALUATIONS),
        (TwoStepSearchAgent, {"evaluation": "best"}, EVALUATIONS),
        (NegamaxSearchAgent, {"evaluation": "best"}, EVALUATIONS),
        (NegamaxSearchAgent, {"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        (ABPNegamaxSearchAgent, {"evaluation": "best"}, EVALUATIONS),
        (ABPNegamaxSearchAgent, {"depth": 2.5}, "depth must be a whole number of at least 1, not 2.5"),
        (ABPNegamaxSearchAgent, {"depth": "deep"}, "depth must be a whole number of at least 1, not 'deep'"),
        (MCTSAgent, {"evaluation": 3}, "evaluation must be one of share, signed, outcome, not 3"),
        (MCTSAgent, {"simulations": 0}, "simulations must be a whole number of at least 1, not 0"),
        (MCTSAgent, {"seconds": -1}, "seconds must be a number of at least 0, not -1"),
        (MCTSAgent, {"seconds": float("inf")}, "seconds must be a number of at least 0, not inf"),
        (MCTSAgent, {"seconds": float("nan")}, "seconds must be a number of at least 0, not nan"),
        (MCTSAgent, {"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        (MCTSAgent, {"c": -0.1}, "c must be a number of at least 0, not -0.1"),
        (MCTSAgent, {"amplify": 2}, "amplify must be a whole number from 0 to 1, not 2"),
        (MCTSAgentDev, {"simulations": -5}, "simulations must be a whole number of at least 1, not -5"),
    ],
)
def test_a_bad_value_is_refused_in_words(agent, options, words):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011
        agent("x", WHITE, **options)
    assert str(refusal.value) == words


@pytest.mark.parametrize("agent", [RandomAgent, OneStepSearchAgent, NegamaxSearchAgent, MCTSAgent])
def test_an_unknown_option_is_refused(agent):
    with pytest.raises(TypeError, match="strength"):
        agent("x", WHITE, strength=3)
