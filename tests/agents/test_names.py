"""Short names lead to agents."""

import importlib
import subprocess
import sys

import pytest

from agents import BaseAgent
from agents.names import NAMES
from games.base import BLACK

#: Each short name and the class it stands for.
PUBLIC = """
human agents.basic.human.Player
malfunction agents.basic.debug_agent.MalfunctionAgent
first_move agents.basic.debug_agent.FirstMoveAgent
random agents.basic.random_agent.RandomAgent
one_step_search agents.search.one_step_search_agent.OneStepSearchAgent
two_step_search agents.search.two_step_search_agent.TwoStepSearchAgent
greedy agents.search.two_step_search_agent.TwoStepSearchAgent
negamax agents.search.negamax_search_agent.NegamaxSearchAgent
abp_negamax agents.search.abp_negamax_search_agent.ABPNegamaxSearchAgent
mcts agents.search.mcts_agent.MCTSAgent
mcts_dev agents.search.mcts_agent.MCTSAgentDev
alphabeta agents.search.alphabeta_agent.AlphaBetaAgent
uct agents.search.uct_agent.UCTAgent
puct agents.puct.agent.PuctAgent
self_learning agents.self_learning.agent.SelfLearningAgent
learned_alphabeta agents.self_learning.learned_alphabeta.LearnedAlphaBetaAgent
othello agents.othello.strong_agent.OthelloAgent
othello_minimax agents.othello.minimax_agent.OthelloMinimaxAgent
othello_alphabeta agents.othello.alphabeta_agent.OthelloAlphaBetaAgent
othello_uct agents.othello.uct_agent.OthelloUCTAgent
gomoku agents.gomoku.agent.GomokuAgent
mushroom agents.mushroom.agent.MushroomAgent
mushroom_greedy agents.mushroom.greedy.GreedyAgent
mushroom_uct agents.mushroom.agent.MushroomUCTAgent
"""


def test_the_table_is_the_public_list_of_names():
    assert dict(NAMES) == dict(line.split() for line in PUBLIC.strip().splitlines())


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"human"}))
def test_every_name_but_human_is_an_agent_that_needs_no_options(name):
    module, _, cls = NAMES[name].rpartition(".")
    agent = getattr(importlib.import_module(module), cls)(name, BLACK)
    assert isinstance(agent, BaseAgent)
    assert (agent.name, agent.color) == (name, BLACK)


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        NAMES["random"] = "elsewhere"  # type: ignore[index]


def test_reading_the_table_imports_no_agent_and_no_rules():
    code = "import sys, agents.names; print([m for m in sys.modules if m.startswith(('agents.', 'chess', 'games.'))])"
    loaded = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout
    assert "basic" not in loaded
    assert "search" not in loaded
    assert "chess" not in loaded
