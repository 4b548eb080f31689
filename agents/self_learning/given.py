"""What the user has named: the folder of a run may come from anybody, so it cannot name other code to import."""

from typing import Final

__all__ = ["give", "is_given"]

_GIVEN: Final[set[str]] = set()


def give(name: str) -> None:
    """From now on the folder of a run can name this learner or game."""
    _GIVEN.add(name)


def is_given(name: str) -> bool:
    """Whether the user has named this learner or game."""
    return name in _GIVEN
