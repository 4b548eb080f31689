"""The short names of the bundled agents. This module is data: it imports none of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ENGINES", "NAMES", "SPECIALISTS"]

#: Engines that the arena can talk to. All except the first are named with the command that runs them.
ENGINES: Final = ("stockfish", "uci", "gtp", "gomocup", "nboard", "nypc", "json")

#: Packages of agents that play only one game, with the name of that game.
SPECIALISTS: Final[Mapping[str, str]] = MappingProxyType(
    {"agents.gomoku": "gomoku", "agents.mushroom": "mushroom", "agents.othello": "othello"}
)

#: Short name to dotted path. `human` is a seat of the arena itself; its path is only a name, not a module.
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "human": "agents.basic.human.Player",
        "malfunction": "agents.basic.debug_agent.MalfunctionAgent",
        "first_move": "agents.basic.debug_agent.FirstMoveAgent",
        "random": "agents.basic.random_agent.RandomAgent",
        "one_step_search": "agents.search.one_step_search_agent.OneStepSearchAgent",
        "two_step_search": "agents.search.two_step_search_agent.TwoStepSearchAgent",
        "greedy": "agents.search.two_step_search_agent.TwoStepSearchAgent",
        "negamax": "agents.search.negamax_search_agent.NegamaxSearchAgent",
        "abp_negamax": "agents.search.abp_negamax_search_agent.ABPNegamaxSearchAgent",
        "mcts": "agents.search.mcts_agent.MCTSAgent",
        "mcts_dev": "agents.search.mcts_agent.MCTSAgentDev",
        "alphabeta": "agents.search.alphabeta_agent.AlphaBetaAgent",
        "uct": "agents.search.uct_agent.UCTAgent",
        "puct": "agents.puct.agent.PuctAgent",
        "learned_alphabeta": "agents.self_learning.learned_alphabeta.LearnedAlphaBetaAgent",
        "self_learning": "agents.self_learning.agent.SelfLearningAgent",
        "othello": "agents.othello.strong_agent.OthelloAgent",
        "othello_minimax": "agents.othello.minimax_agent.OthelloMinimaxAgent",
        "othello_alphabeta": "agents.othello.alphabeta_agent.OthelloAlphaBetaAgent",
        "othello_uct": "agents.othello.uct_agent.OthelloUCTAgent",
        "gomoku": "agents.gomoku.agent.GomokuAgent",
        "mushroom": "agents.mushroom.agent.MushroomAgent",
        "mushroom_greedy": "agents.mushroom.greedy.GreedyAgent",
        "mushroom_uct": "agents.mushroom.agent.MushroomUCTAgent",
    }
)
