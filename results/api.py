"""Results for notebooks and scripts."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from results.errors import NoLeague
from results.league import League
from results.notation.columns import COLUMNS, values
from results.record import GameRecord
from results.standings.standings import Row
from results.standings.table import table
from results.store.store import Store

if TYPE_CHECKING:
    import pandas

__all__ = ["Results", "load"]


def load(db: str | Path = "arena.db") -> "Results":
    """Open the results in this file for reading."""
    return Results(Store.read(Path(db)))


class Results:
    """What is stored in one file. Without a league's name, `standings` takes the newest and the others take all."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def leagues(self) -> list[League]:
        """All leagues, newest last."""
        return self._store.leagues()

    def records(self, league: str | None = None) -> Iterator[GameRecord]:
        """The games in the order they were stored."""
        return self._store.records(league)

    def standings(self, league: str | None = None) -> list[Row]:
        """The standings of a league, best first, with ratings, awards and who has left."""
        found = self._store.latest() if league is None else self._store.league(league)
        if found is None:
            wanted = "no league is stored yet" if league is None else f"no league called {league!r}"
            raise NoLeague(f"{wanted}; `leagues()` lists what there is")
        return table(self._store, found).rows

    def to_pandas(self, league: str | None = None) -> "pandas.DataFrame":
        """One row per game, in the order they were stored; `excluded` says of those that do not count why."""
        import pandas

        exclusions = self._store.exclusions(league)
        games = (values(record, exclusions) for record in self._store.records(league))
        frame = pandas.DataFrame(games, columns=list(COLUMNS))
        for column in ("started", "ended"):
            frame[column] = pandas.to_datetime(frame[column], format="ISO8601", utc=True)
        # A column of nothing but None has no type of its own.
        return frame.astype({"margin_first": "float64", "margin_second": "float64", "fault_turn": "Int64"})
