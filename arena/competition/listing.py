"""The stored leagues in a list: how many of their games are played, and whether they run."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from arena.competition.league import count_missing
from arena.process.spawn import is_alive
from results.league import Kind, League
from results.store.store import Store

__all__ = ["LeagueState", "ListedLeague", "listed_league", "listed_leagues"]

LeagueState: TypeAlias = Literal["running", "finished", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLeague:
    """One line of the list. `total` is None if only the games themselves decide when it ends."""

    name: str
    kind: Kind
    game: str
    format: str
    entrants: tuple[str, ...]
    games: int
    total: int | None
    state: LeagueState
    created: str


def listed_leagues(store: Store) -> list[ListedLeague]:
    """All leagues, matches and single games of a results file, newest last."""
    return [listed_league(store, league) for league in store.leagues()]


def listed_league(store: Store, league: League) -> ListedLeague:
    """The line of one league."""
    done = store.count(league.name, departed=True)
    missing = None if league.settings.get("sprt") is not None else count_missing(store, league)
    return ListedLeague(
        name=league.name, kind=league.kind, game=str(league.settings.get("game", "")), format=league.format,
        entrants=tuple(league.entrants[number - 1].name for number in league.active), games=done,
        total=None if missing is None else done + missing, created=league.created,
        state="running" if store.is_claimed(league.name, is_alive=is_alive)
        else "finished" if league.ended or missing == 0 else "stopped",
    )  # fmt: skip
