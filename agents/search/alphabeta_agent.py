"""The public path of `AlphaBetaAgent`; the agent lives in `agents/alphabeta`."""

from agents.alphabeta.agent import AlphaBetaAgent

__all__ = ["AlphaBetaAgent"]
