"""What was played: the store, standings, exports."""

from results.api import Results, load

__all__ = ["Results", "load"]
