"""The stored leagues in a list: how many of their games are played, and whether they run."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from arena.competition.rated_queue import games_of
from arena.formats.schedule import count_games
from arena.process.spawn import is_alive
from results.league import Kind, League
from results.pairing import RATED
from results.store.store import Store

__all__ = ["LeagueState", "ListedLeague", "listed_league", "listed_leagues"]

LeagueState: TypeAlias = Literal["running", "finished", "stopped"]
#: Formats in which the entrants that are left decide how many games there are.
_COUNTED: Final = ("round-robin", "gauntlet")


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
    names = tuple(league.entrants[number - 1].name for number in league.active)
    counts = league.format in _COUNTED
    done = store.count(league.name, departed=not counts)
    total = None
    if league.format in RATED:
        total = None if league.ended else games_of(league)
    elif league.settings.get("sprt") is None:
        total = count_games(league.format, len(names if counts else league.entrants), league.rounds)
    return ListedLeague(
        name=league.name, kind=league.kind, game=str(league.settings.get("game", "")), format=league.format,
        entrants=names, games=done, total=total, created=league.created,
        state="running" if store.is_claimed(league.name, is_alive=is_alive)
        else "finished" if league.ended or (total is not None and done >= total) else "stopped",
    )  # fmt: skip
