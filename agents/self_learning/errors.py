"""What can go wrong in a training run; the text of each error is one line that says what to do."""

from games.errors import ArenaError

__all__ = ["BadRecipe", "TrainingError"]


class BadRecipe(ArenaError):
    """A recipe or a setting that is wrong, or that does not fit the stored run."""


class TrainingError(ArenaError):
    """A run that cannot go on; what it has learned so far is stored."""
