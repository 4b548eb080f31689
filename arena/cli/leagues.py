"""Which league a command speaks of."""

from results.errors import NoLeague
from results.league import League
from results.store.store import Store
from results.text import plain

__all__ = ["find_league"]


def find_league(store: Store, name: str | None) -> League:
    """The league of this name; without one the newest league, or else the newest of any kind."""
    found = store.league(name) if name is not None else store.latest(["league"]) or store.latest()
    if found is None:
        there = ", ".join(league.name for league in store.leagues()) or "none yet"
        raise NoLeague(f"no league called {name or ''!r} in {store.path}; there are: {plain(there)}")
    return found
