"""What the bridge to chess engines raises."""

from games.errors import ArenaError

__all__ = ["BrokenPosition", "EngineMissing"]


class EngineMissing(ArenaError):
    """No engine binary where one was looked for; says what to install or to write."""


class BrokenPosition(ArenaError):
    """A position that no engine may be given: it breaks a rule of positions, and engines crash on it."""
