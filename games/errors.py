"""The root of the exception tree, and the errors of games."""

__all__ = ["ArenaError", "BadParameters", "BadPosition", "IllegalMove", "NoEncoding", "UnknownGame"]


class ArenaError(Exception):
    """The base of all errors that this project raises on purpose; the message is one line for the user."""


class IllegalMove(ArenaError):
    """The move is not legal in this position, or the text is not a move."""


class BadParameters(ArenaError):
    """The text does not have the form `name:key=value,…`."""


class BadPosition(ArenaError):
    """The text does not describe a position of the game; the message says why."""


class UnknownGame(ArenaError):
    """There is no game of this name, or it does not accept these parameters."""


class NoEncoding(ArenaError):
    """The game has no encoding, so that nothing can learn it."""
