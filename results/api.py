"""Results for notebooks and scripts: tables and games that show themselves, step by step or as pandas frames.

pandas is imported only by the calls to `to_pandas`. Text that agents wrote is escaped wherever it becomes HTML.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, overload

from games.base import State
from results.errors import NoLeague
from results.league import Exclusion, League
from results.notation.columns import COLUMNS, values
from results.notation.replay import Replay, clocks, cost_of, replay, seat_of
from results.pages.boards import picture, text_board
from results.pages.page import result_text, shown, table
from results.pages.plot import Plot
from results.pages.report_page import ratings_plot, standings_table
from results.record import FaultRecord, GameRecord, Phase
from results.standings.ratings import rating_notes
from results.standings.table import Row, Table
from results.standings.table import table as table_of
from results.standings.text_tables import row_dict, standings_text
from results.store.store import Store
from results.text import counted, plain

if TYPE_CHECKING:
    import pandas

__all__ = ["FaultRow", "Faults", "Games", "PlayedGame", "Results", "Standings", "load", "standings"]

_NAME: Final = 60
#: The HTML form of a long list shows this many rows.
_ROWS: Final = 100


def load(db: str | Path = "arena.db") -> "Results":
    """Open a results file for reading."""
    return Results(Store.read(Path(db)))


def standings(db: str | Path = "arena.db", *, league: str | None = None) -> "Standings":
    """The standings of a league in a results file; without a name, of the newest league."""
    with load(db) as results:
        return results.standings(league)


class Results:
    """One results file, closed by `close` or at the end of a `with` block.

    Without the name of a league, `league` and `standings` take the newest one; all other calls take all leagues.
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
        found = self._store.latest() if name is None else self._store.league(name)
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
        return _frame(self._store.records(league), self._store.exclusions(league))


class Games(Sequence["PlayedGame"]):
    """Games of a results file; each is read from the file when it is asked for."""

    def __init__(self, store: Store, numbers: Sequence[int]) -> None:
        self._store = store
        self._numbers = numbers
        self._leagues: dict[str, League] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> "PlayedGame": ...
    @overload
    def __getitem__(self, index: slice) -> "Games": ...
    def __getitem__(self, index: int | slice) -> "PlayedGame | Games":
        if isinstance(index, slice):
            return Games(self._store, self._numbers[index])
        record = self._store.record(self._numbers[index])
        if record.league not in self._leagues:
            self._leagues[record.league] = self._store.known(record.league)
        return PlayedGame(record, self._leagues[record.league])

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per game, with the columns of `Results.to_pandas`."""
        return _frame((game.record for game in self), self._store.exclusions())

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'game')}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                str(game.id), shown(game.first, _NAME), result_text(game.result), shown(game.second, _NAME),
                shown(game.reason), str(len(game)),
            ]
            for game in self[:_ROWS]
        ]  # fmt: skip
        caption = counted(len(self), "game") + (f", the first {_ROWS} of them" if len(self) > _ROWS else "")
        headers = ("game", "first", "result", "second", "reason", "turns")
        return table(caption, headers, rows, words=("first", "result", "second", "reason"))


class PlayedGame:
    """A stored game to step through: `game[12]` is the state after 12 turns, `game[0]` the start, `game[-1]` the end.

    Iterating gives all states from the start on. The states come from the current rules: if these no longer accept a
    move, or the game is unknown here, the states stop before it and `broken` is the reason.
    """

    def __init__(self, record: GameRecord, league: League | None = None) -> None:
        self.record = record
        self._league = league

    @property
    def id(self) -> int | None:
        """The record number; None for a game that is not stored."""
        return self.record.id

    @property
    def first(self) -> str:
        """The name of the first player."""
        return self.record.first.name

    @property
    def second(self) -> str:
        """The name of the second player."""
        return self.record.second.name

    @property
    def result(self) -> str:
        """`1-0` if first won, `0-1` if second won, else `1/2-1/2`."""
        return self.record.result

    @property
    def winner(self) -> str | None:
        """The name of the winner; None for a draw."""
        return {"1-0": self.first, "0-1": self.second, "1/2-1/2": None}[self.record.result]

    @property
    def reason(self) -> str:
        """The rule that ended the game, or `fault`."""
        return self.record.reason

    @property
    def fault(self) -> FaultRecord | None:
        """The fault that ended the game, if one did."""
        return self.record.fault

    @property
    def broken(self) -> str:
        """Why the current rules cannot replay the whole game; empty if they can."""
        return self._replay.broken

    @cached_property
    def _replay(self) -> Replay:
        return replay(self.record)

    def __len__(self) -> int:
        """The number of turns."""
        return self.record.turns

    def __bool__(self) -> bool:
        return True  # also a game that ended before its first turn

    def __getitem__(self, turn: int) -> State:
        """The state after this many turns; negative numbers count from the end."""
        turns = len(self)
        index = turn + turns + 1 if turn < 0 else turn
        if not 0 <= index <= turns:
            raise IndexError(
                f"this game has {counted(turns, 'turn')}: use 0 (the start) to {turns} (the end), or -1 (the end) to "
                f"{-turns - 1} (the start), not {turn}"
            )
        if index >= len(self._replay.states):
            raise IndexError(f"turn {index} cannot be shown: {self.broken}")
        return self._replay.states[index]

    def __iter__(self) -> Iterator[State]:
        return iter(self._replay.states)

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per turn; `clock_left` is what its player had left after it, in seconds, as the league charged it."""
        import pandas

        left = clocks(self.record, cost_of(self._league.settings.get("clock") if self._league else None))
        rows = []
        for turn, move in enumerate(self.record.moves, 1):
            seat = seat_of(self.record, turn)
            rows.append(
                (turn, self.first if seat == "first" else self.second, move.text, move.wall, move.cpu,
                 left[turn].first if seat == "first" else left[turn].second)
            )  # fmt: skip
        return pandas.DataFrame(rows, columns=["turn", "player", "move", "wall", "cpu", "clock_left"])

    def __repr__(self) -> str:
        return f"<{self._line()}>"

    def __str__(self) -> str:
        board = f"no board: {self.broken}" if self.broken else text_board(self._replay.states[-1])
        return f"{self._line()}\n\n{board}"

    def _repr_svg_(self) -> str | None:
        """The last position with the last move marked; None where there is no picture of it."""
        if self.broken:
            return None
        moves = self._replay.moves
        return picture(self._replay.states[-1], moves[-1] if moves else None)

    def _line(self) -> str:
        number = "game" if self.id is None else f"game {self.id}"
        why = plain(self.reason)
        if self.fault is not None:
            faulty = self.first if self.fault.player == "first" else self.second
            why = f"fault of {plain(faulty, _NAME)} ({plain(self.fault.rule)})"
        return (
            f"{number}: {plain(self.first, _NAME)} {self.result} {plain(self.second, _NAME)}, {why}, "
            f"{counted(len(self), 'turn')} of {plain(self.record.game)}"
        )


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
        notes = rating_notes(self.table.ratings, [row.agent for row in self.rows])
        return "\n".join([standings_text(self.rows, format=self.league.format, width=width), "", *notes])

    def __str__(self) -> str:
        """The text that `arena standings` prints."""
        played = sum(pair.games for pair in self.table.pairs)
        return f"{plain(self.league.name)}: {counted(played, 'game')}\n\n{self.text()}"

    def __repr__(self) -> str:
        return f"<standings of {plain(self.league.name)}: {counted(len(self), 'entrant')}>"

    def _repr_html_(self) -> str:
        return standings_table(self.rows, format=self.league.format)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault that ended a game: who broke which rule, what it was asked to do, and on which turn."""

    game: int | None
    agent: str
    rule: str
    phase: Phase
    turn: int | None
    detail: str

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """The fault of a record that has one."""
        fault = record.fault
        assert fault is not None
        agent = record.first.name if fault.player == "first" else record.second.name
        return cls(record.id, agent, fault.rule, fault.phase, fault.turn, fault.detail)


@dataclass(frozen=True, slots=True)
class Faults(Sequence[FaultRow]):
    """The faults of a league, in the order the games were stored."""

    rows: tuple[FaultRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> FaultRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FaultRow, ...]: ...
    def __getitem__(self, index: int | slice) -> FaultRow | tuple[FaultRow, ...]:
        return self.rows[index]

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per fault."""
        import pandas

        frame = pandas.DataFrame([asdict(row) for row in self.rows], columns=list(FaultRow.__dataclass_fields__))
        return frame.astype({"turn": "Int64"})

    def __str__(self) -> str:
        lines = [
            f"game {row.game}: {plain(row.agent, _NAME)} broke {plain(row.rule)} in {row.phase}"
            f"{'' if row.turn is None else f', turn {row.turn}'}: {plain(row.detail)}"
            for row in self.rows
        ]
        return "\n".join(lines) or "no faults"

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'fault')}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                str(row.game), shown(row.agent, _NAME), shown(row.rule), row.phase,
                "" if row.turn is None else str(row.turn), shown(row.detail),
            ]
            for row in self.rows[:_ROWS]
        ]  # fmt: skip
        caption = counted(len(self), "fault") + (f", the first {_ROWS} of them" if len(self) > _ROWS else "")
        return table(caption, list(FaultRow.__dataclass_fields__), rows, words=("agent", "rule", "phase", "detail"))


def _frame(records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion]) -> "pandas.DataFrame":
    import pandas

    frame = pandas.DataFrame((values(record, exclusions) for record in records), columns=list(COLUMNS))
    for column in ("started", "ended"):
        frame[column] = pandas.to_datetime(frame[column], format="ISO8601", utc=True)
    # A column that holds only None has no type of its own.
    return frame.astype({"margin_first": "float64", "margin_second": "float64", "fault_turn": "Int64"})
