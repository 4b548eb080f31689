"""Removing leagues from a results file, with a backup of what it was before."""

from collections.abc import Collection
from itertools import count
from pathlib import Path

from arena.process.spawn import is_alive
from results.store import utc
from results.store.store import Store

__all__ = ["remove"]


def remove(store: Store, leagues: Collection[str], *, backup: bool = True) -> Path | None:
    """Remove leagues with all their games; returns the copy of the results file that was made before.

    Raises `NoLeague` if one does not exist and `Locked` if one is running; then none is removed.
    """
    store.check_idle(leagues, is_alive=is_alive)
    place = _free_place(store.path) if backup else None
    if place is not None:
        store.back_up(place)
    store.remove(leagues, is_alive=is_alive)
    return place


def _free_place(path: Path) -> Path:
    """A file beside the results file that does not exist yet, named after the date."""
    stem = f"{path.stem}-backup-{utc.stamp(utc.now())[:10]}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}{path.suffix}" for number in count(1))
    return next(place for place in map(path.with_name, names) if not place.exists())
