"""What searching agents share: limits and reports, knowledge about games, native searches, the base class of agents.

Imports `agents.base`, `agents.budget`, `agents.options` and `games`, never an agent or a search.
"""
