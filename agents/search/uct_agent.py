"""The public path of `UCTAgent`; the agent lives in `agents/uct`."""

from agents.uct.agent import UCTAgent

__all__ = ["UCTAgent"]
