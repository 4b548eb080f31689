"""The words for a move that is refused."""

from games.errors import IllegalMove

__all__ = ["illegal"]


def illegal(move: object, position: str) -> IllegalMove:
    """The error for a move's text, or any other object, that is no legal move in `position`."""
    # Foreign objects are named by their type only: what they say of themselves may be long, or fail.
    named = repr(move[:20]) if isinstance(move, str) else f"an object of type {type(move).__name__}"
    return IllegalMove(f"{named} is not a legal move in {position}")
