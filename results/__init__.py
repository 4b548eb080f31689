"""What was played: the store, standings, exports."""

from results.face import Results, load

__all__ = ["Results", "load"]
