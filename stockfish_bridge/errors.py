"""The exceptions of the bridge to chess engines."""

from games.errors import ArenaError

__all__ = ["BrokenPosition", "EngineMissing"]


class EngineMissing(ArenaError):
    """No engine binary was found; the text says what to install or to write."""


class BrokenPosition(ArenaError):
    """A position that must not be sent to an engine: it is not valid, and engines crash on it."""
