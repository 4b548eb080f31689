"""Players: the class a participant writes, and the agents that come with the arena.

`base` is the class to derive from, `names` the short names of the bundled agents. `core` holds what searching agents
share; the other packages hold agents and import no agent of another package, except that `search` uses `alphabeta` and
`uct`. Everything here may import `games`, never `results` or `arena`.
"""

from agents.base import BaseAgent

__all__ = ["BaseAgent"]
