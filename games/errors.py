"""The root of the exception tree and what a rule set may raise."""

__all__ = ["ArenaError", "BadParameters", "BadPosition", "IllegalMove", "UnknownGame"]


class ArenaError(Exception):
    """Anything this project raises on purpose; its text is one line for a person."""


class IllegalMove(ArenaError):
    """A move that the rules do not allow in this position, or text that is no move."""


class BadParameters(ArenaError):
    """Text that is not of the form `name:key=value,…`."""


class BadPosition(ArenaError):
    """A position text that describes no position of the game; says which rule it breaks."""


class UnknownGame(ArenaError):
    """No game of that name, or parameters that the game does not take."""
