"""Results for notebooks and scripts: a results file, its leagues and standings; games are in `played_games`.

pandas is imported only by the calls to `to_pandas`. Text that agents wrote is escaped wherever it becomes HTML.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, overload

from results.errors import NoLeague
from results.league import League
from results.notation.export import frame
from results.pages.page import moment, shown, table
from results.pages.plot import Plot
from results.pages.report_page import ratings_plot, standings_table
from results.played_games import FaultRow, Faults, Games, PlayedGame
from results.record import GameRecord
from results.standings.table import Row, Table
from results.standings.table import table as table_of
from results.standings.text_tables import row_dict, standings_text
from results.store.store import Store
from results.text import counted, plain

if TYPE_CHECKING:
    import pandas

__all__ = ["FaultRow", "Faults", "Games", "PlayedGame", "Results", "Standings", "load", "standings"]


#: The HTML form shows this many leagues.
_ROWS: Final = 100


def load(db: str | Path = "arena.db") -> "Results":
    """Open a results file for reading."""
    return Results(Store.read(db))


def standings(db: str | Path = "arena.db", *, league: str | None = None) -> "Standings":
    """The standings of a league in a results file; without a name, of the newest league, as `arena standings`."""
    with load(db) as results:
        return results.standings(league)


class Results:
    """One results file, closed by `close` or at the end of a `with` block.

    Without the name of a league, `league` and `standings` take the newest league, or else the newest benchmark or
    game, as the command line does; all other calls take all leagues. Each thread opens the file for itself.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def leagues(self) -> list[League]:
        """All leagues, newest last."""
        return self._store.leagues()

    def league(self, name: str | None = None) -> League:
        """One league; raises `NoLeague` if there is none of this name."""
        store = self._store
        found = store.latest(["league"]) or store.latest() if name is None else store.league(name)
        if found is None:
            wanted = "no league is stored yet" if name is None else f"no league called {name!r}"
            raise NoLeague(f"{wanted}; `leagues()` lists what there is")
        return found

    def standings(self, league: str | None = None) -> "Standings":
        """The standings of a league, with ratings, awards, and the entrants that were withdrawn or suspended."""
        found = self.league(league)
        return Standings(found, table_of(self._store, found))

    def games(self, league: str | None = None, *, agent: str | None = None, faults: bool = False) -> "Games":
        """The games in the order they were stored: of one entrant, or only those that ended by a fault."""
        return Games(self._store, self._store.ids(league, agent=agent, faults=faults))

    def game(self, number: int) -> "PlayedGame":
        """The game with this record number."""
        record = self._store.record(number)
        return PlayedGame(record, self._store.known(record.league))

    def records(self, league: str | None = None) -> Iterator[GameRecord]:
        """The plain records of the games, in the order they were stored."""
        return self._store.records(league)

    def faults(self, league: str | None = None) -> "Faults":
        """The faults that ended a game."""
        return Faults(tuple(FaultRow.of(game.record) for game in self.games(league, faults=True)))

    def to_pandas(self, league: str | None = None) -> "pandas.DataFrame":
        """One row per game; `excluded` is the reason why a game does not count."""
        return frame(self._store.rows(league))

    def __repr__(self) -> str:
        return f"<results in {plain(str(self._store.path))}{'' if self._store.is_open else ', closed'}>"

    def _repr_html_(self) -> str:
        """The leagues of the file, the newest first."""
        if not self._store.is_open:
            return f"<p>{shown(repr(self)[1:-1])}</p>"
        found = self.leagues()
        rows = [
            [shown(league.name), league.kind, shown(str(league.settings.get("game", ""))),
             str(len(league.entrants)), str(self._store.count(league.name, departed=True)), moment(league.created)]
            for league in found[: -_ROWS - 1 : -1]
        ]  # fmt: skip
        caption = f"{shown(str(self._store.path))}: {counted(len(found), 'league')}"
        caption += f", the newest {_ROWS} of them" if len(found) > _ROWS else ""
        headers = ("name", "kind", "game", "entrants", "games", "created")
        return table(caption, headers, rows, words=("name", "kind", "game", "created"))


@dataclass(frozen=True, slots=True)
class Standings(Sequence[Row]):
    """The standings of a league as they were when they were read: a sequence of rows, best first."""

    league: League
    table: Table

    @property
    def rows(self) -> list[Row]:
        """The rows, best first."""
        return self.table.rows

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self.rows[index]

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per entrant, with the columns of `arena standings --format csv`."""
        import pandas

        return pandas.DataFrame([row_dict(row) for row in self.rows], columns=list(Row.__dataclass_fields__))

    def plot(self) -> Plot:
        """The ratings with their 95 % intervals; a notebook shows the picture."""
        return ratings_plot(self.table.ratings)

    def as_dicts(self) -> list[dict[str, object]]:
        """The rows as JSON."""
        return [row_dict(row) for row in self.rows]

    def text(self, *, width: int | None = None) -> str:
        """The table as text, with notes on what it says. A table that is wider than `width` loses columns."""
        return "\n".join([standings_text(self.rows, format=self.league.format, width=width), "", *self.table.notes])

    def __str__(self) -> str:
        """The text that `arena standings` prints."""
        played = sum(pair.games for pair in self.table.pairs)
        return f"{plain(self.league.name)}: {counted(played, 'game')}\n\n{self.text()}"

    def __repr__(self) -> str:
        return f"<standings of {plain(self.league.name)}: {counted(len(self), 'entrant')}>"

    def _repr_html_(self) -> str:
        return standings_table(self.rows, format=self.league.format)
