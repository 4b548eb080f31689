"""The error for an illegal move."""

from games.errors import IllegalMove

__all__ = ["illegal"]


def illegal(move: object, position: str) -> IllegalMove:
    """The error for a text, or any other object, that is not a legal move in `position`."""
    # Other objects are named only by their type: their repr may be long, or fail.
    named = repr(move[:20]) if isinstance(move, str) else f"an object of type {type(move).__name__}"
    return IllegalMove(f"{named} is not a legal move in {position}")
