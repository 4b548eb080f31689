"""The games of a results file, and the leagues they belong to; each game is stored exactly once."""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from results.cpu_load import Load
from results.errors import AlreadyStored, BadEntrants, NoRecord
from results.league import Exclusion, VoidAttempt
from results.pairing import PairCount, RatedGame, RecentGame
from results.record import ClaimedGame, GameLine, GameRecord, GameSummary
from results.store import sql, utc
from results.store.codec import control_text, moment, pair_of, record_of, row_of, text
from results.store.columns import ROWS, Value, values
from results.store.leagues import Leagues
from results.store.summaries import claimed_of, line_of, summary_of
from results.store.tallies import count_game, moves_summary
from results.text import storable
from results.time_control import TimeControl

__all__ = ["Newest", "Store"]

#: Records that are read at a time; between two such reads no transaction stays open.
_PAGE: Final = 200
#: Rows of a table are smaller than records.
_ROWS: Final = 2000
#: The same for what ratings need of records, which is little.
_RATED_PAGE: Final = 10_000
_MOST_ID: Final = 2**63 - 1


class Newest(NamedTuple):
    """Numbers of records, the newest first, and how many such records there are altogether."""

    numbers: list[int]
    total: int


class Store(Leagues):
    """The leagues and games in one results file; opened by `Store.open` or `Store.read`."""

    def add(self, record: GameRecord) -> GameRecord:
        """Store one finished game, durable when this returns; returns it as stored, with its id."""
        with self._writing():
            league = self._number_of(record.league)
            row = row_of(record)
            row["league"] = league
            row["first"] = self._seat_number(league, record.first.name)
            row["second"] = self._seat_number(league, record.second.name)
            stored = self._connection.execute(
                "SELECT id FROM record WHERE league = ? AND key = ?", (league, row["key"])
            ).fetchone()
            if stored is not None:
                raise AlreadyStored(
                    f"game {record.key} of {record.league} is already stored as record {stored['id']}; "
                    "does another process run this league?"
                )
            self._connection.execute("DELETE FROM award WHERE league = ? AND key = ?", (league, row["key"]))
            number = cast(int, self._connection.execute(sql.ADD_RECORD, row).lastrowid)
            summary = moves_summary(
                cast(str, row["moves"]), mover=record.mover, unanswered=record.unanswered,
                culprit=record.fault.player if record.fault else None,
            )  # fmt: skip
            self._connection.execute(sql.ADD_SUMMARY, (number, *summary))
            count_game(self._connection, number, sign=1)
            return self._record(number)

    def void(self, league: str, key: str, *, reason: str, detail: str) -> None:
        """Store an attempt that failed without a fault of a player."""
        self._attempt("void", league, key, reason, detail)

    def rerun(self, league: str, key: str, *, reason: str, detail: str) -> None:
        """Store that a game was played again for comparison, and the outcome."""
        self._attempt("rerun", league, key, reason, detail)

    def _attempt(self, kind: str, league: str, *texts: str) -> None:
        with self._writing():
            self._connection.execute(
                "INSERT INTO attempt (kind, league, key, reason, detail, at) VALUES (?, ?, ?, ?, ?, ?)",
                (kind, self._number_of(league), *map(storable, texts), utc.stamp(self._now())),
            )

    def voids(self, league: str, key: str | None = None) -> list[VoidAttempt]:
        """The void attempts of a pairing, or of the whole league, oldest first."""
        with self._reading():
            known = self._known(league)
            rows = self._connection.execute(
                "SELECT key, reason, detail, at FROM attempt "
                "WHERE kind = 'void' AND league = ? AND key = IFNULL(?, key) ORDER BY id",
                (known.id, None if key is None else storable(key)),
            ).fetchall()
            names = ("key", "reason", "detail", "at")
            return [VoidAttempt(league=known.name, **{name: text(row, name) for name in names}) for row in rows]

    def keys(self, league: str) -> set[str]:
        """The keys of the pairings that are settled, by a game or by an award."""
        with self._reading():
            number = self._number_of(league)
            query = "SELECT key FROM record WHERE league = ? UNION ALL SELECT key FROM award WHERE league = ?"
            cursor = self._connection.cursor()
            cursor.row_factory = None  # there may be a million
            found = {key for (key,) in cursor.execute(query, (number, number))}
            if not all(type(key) is str for key in found):
                raise ValueError("a key is not a text")
            return found

    def scores(self, league: str) -> dict[str, float | None]:
        """The points of first in each played pairing; None if the game does not count."""
        with self._reading():
            rows = self._connection.execute(sql.SCORES, (self._number_of(league),))
            return {text(row, "key"): None if row["excluded"] else row["score"] for row in rows}

    def record(self, number: int) -> GameRecord:
        """The record of this number."""
        with self._reading():
            return self._record(number)

    def last(self) -> int:
        """The number of the record that was stored last; raises `NoRecord` if there is none."""
        with self._reading():
            if (number := self._last()) is None:
                raise NoRecord(f"no game is stored in {self.path} yet; play one first")
            return number

    def records(self, league: str | None = None) -> Iterator[GameRecord]:
        """The records of one or all leagues in the order they were stored; a few are read at a time."""
        with self._reading():
            wanted = None if league is None else self._number_of(league)
        return self._pages(wanted)

    def ids(self, league: str | None = None, *, agent: str | None = None, faults: bool = False) -> list[int]:
        """The numbers of the records: of one league, of one entrant, or only those that ended by a fault."""
        with self._reading():
            query, given = self._numbers(league, agent, None, faults=faults)
            return sorted(row["id"] for row in self._connection.execute(query, given))

    def newest(
        self, league: str | None = None, *, agent: str | None = None, opponent: str | None = None,
        faults: bool = False, before: int | None = None, limit: int, skip: int = 0,
    ) -> Newest:  # fmt: skip
        """The numbers of the newest records, and how many there are altogether.

        The `skip` newest of all are left out, or those from the number `before` on.
        """
        with self._reading():
            query, given = self._numbers(league, agent, opponent, faults=faults)
            counting = f"SELECT COUNT(*) FROM ({query})"  # noqa: S608 - a query of ours
            total = self._connection.execute(counting, given).fetchone()[0]
            paged = f"SELECT id FROM ({query}) WHERE id < :before ORDER BY id DESC LIMIT :limit OFFSET :skip"  # noqa: S608
            given |= {"before": _MOST_ID if before is None else before, "limit": limit, "skip": skip}
            rows = self._connection.execute(paged, given)
            return Newest([row["id"] for row in rows], total)

    def _numbers(
        self, league: str | None, agent: str | None, opponent: str | None, *, faults: bool
    ) -> tuple[str, dict[str, object]]:
        """The query for the numbers of these records, and what it is given."""
        known = None if league is None else self._number_of(league)
        for name in (agent, opponent):
            if name is not None and known is not None:
                self._seat_number(known, name)
            elif name is not None and not self._connection.execute(sql.HAS_ENTRANT, (storable(name),)).fetchone()[0]:
                raise BadEntrants(f"no league in {self.path} has an entrant called {name!r}")
        query = sql.numbers(
            league=known is not None, agent=agent is not None, opponent=opponent is not None, faults=faults
        )
        names = {"agent": agent, "opponent": opponent}
        return query, {"league": known} | {key: None if name is None else storable(name) for key, name in names.items()}

    def lines(self, numbers: Sequence[int]) -> list[GameLine]:
        """What lists show of these records, in the order they were stored; their moves are not read."""
        found: list[GameLine] = []
        with self._reading():
            for low in range(0, len(numbers), _PAGE):
                wanted = json.dumps(numbers[low : low + _PAGE])
                found += map(line_of, self._connection.execute(sql.LINES, (wanted,)).fetchall())
        return found

    def rows(self, league: str | None = None, *, numbers: Sequence[int] | None = None) -> Iterator[tuple[Value, ...]]:
        """The values of `COLUMNS` for the games of a league, of all, or for these records, in the order of storing.

        Some are read at a time; their moves are not.
        """
        with self._reading():
            wanted = None if league is None else self._number_of(league)
        after, where = 0, "TRUE" if league is None else "record.league = :league"
        if numbers is not None:
            where += " AND record.id IN (SELECT value FROM json_each(:numbers))"
        query = f"{ROWS} WHERE {where} AND record.id > :after ORDER BY record.id LIMIT {_ROWS}"
        given = {"league": wanted, "numbers": json.dumps(numbers)}
        while True:
            with self._reading():
                cursor = self._connection.cursor()
                cursor.row_factory = None
                found = list(values(cursor.execute(query, given | {"after": after})))
            if not found:
                return
            yield from found
            after = cast(int, found[-1][0])

    def summaries(self, league: str | None = None, *, most: int) -> list[GameSummary]:
        """The newest games that count, without their moves, oldest first."""
        with self._reading():
            rows = self._connection.execute(sql.SUMMARIES, self._wanted(league, most)).fetchall()
            return [summary_of(row) for row in reversed(rows)]

    def claimed(self, league: str | None = None, *, most: int) -> list[ClaimedGame]:
        """The newest games that count and in which a player claimed something, oldest first."""
        with self._reading():
            rows = self._connection.execute(sql.CLAIMED, self._wanted(league, most)).fetchall()
            return [claimed_of(row) for row in reversed(rows)]

    def _wanted(self, league: str | None, most: int) -> dict[str, int | None]:
        return {"league": None if league is None else self._known(league).id, "most": most}

    def count(self, league: str, *, departed: bool) -> int:
        """The number of games of a league, excluded ones too; with or without those of departed entrants."""
        with self._reading():
            wanted = {"league": self._number_of(league), "departed": departed}
            return int(self._connection.execute(sql.COUNT, wanted).fetchone()[0])

    def counted(self, league: str) -> Iterator[GameRecord]:
        """The records of a league without the excluded ones."""
        excluded = self.exclusions(league)
        return (record for record in self.records(league) if record.id not in excluded)

    def pairs(self, league: str) -> list[PairCount]:
        """The results of each entrant against each other one, per seat, counted by the database."""
        with self._reading():
            rows = self._connection.execute(sql.PAIRS, {"league": self._number_of(league)}).fetchall()
            return [pair_of(row) for row in rows]

    def rated_games(self, league: str) -> Iterator[RatedGame]:
        """What ratings need of the games of a league, without excluded ones, in the order they were stored."""
        with self._reading():
            given = {"league": self._number_of(league), "after": 0, "most": _RATED_PAGE}
        while True:
            with self._reading():
                rows = self._connection.execute(sql.RATED_GAMES, given).fetchall()
            for row in rows:
                codes = text(row, "first_hash"), text(row, "second_hash")
                yield RatedGame(first=row["first"], second=row["second"], points=row["points"], codes=codes)
            if not rows:
                return
            given["after"] = rows[-1]["id"]

    def recent(self, league: str, *, most: int) -> list[RecentGame]:
        """The last games of a league without excluded ones, newest first."""
        with self._reading():
            rows = self._connection.execute(sql.RECENT, {"league": self._number_of(league), "most": most}).fetchall()
            return [RecentGame(**{**row, "first": text(row, "first"), "second": text(row, "second")}) for row in rows]

    def load(self, league: str) -> Load:
        """How much CPU the players of the counted games of a league got."""
        with self._reading():
            row = self._connection.execute(sql.LOAD, (self._number_of(league),)).fetchone()
        return Load(games=int(row["games"]), starved=int(row["starved"]), wall=row["wall"], wait=row["wait"])

    def paces(self, game: str, control: TimeControl) -> dict[tuple[str, str], float]:
        """Average seconds per game of two agents with this time control, by what first and second were given as."""
        with self._reading():
            given = (storable(game), control.seconds, control_text(None if control.is_plain else control))
            rows = self._connection.execute(sql.PACES, given).fetchall()
        return {(row["first"], row["second"]): row["pace"] for row in rows}

    def exclude(self, number: int, *, because: str) -> GameRecord:
        """Keep a record but do not count it, until `include`."""
        with self._writing():
            record = self._record(number)
            if self._excluded(record):
                raise AlreadyStored(f"record {number} is already excluded")
            row = (number, storable(because), utc.stamp(self._now()))
            self._connection.execute(sql.ADD_EXCLUSION, row)
            count_game(self._connection, number, sign=-1)
            return record

    def include(self, number: int) -> GameRecord:
        """Count an excluded record again; the exclusion stays in the file as lifted."""
        with self._writing():
            record = self._record(number)
            if not self._excluded(record):
                raise NoRecord(f"record {number} is not excluded")
            self._connection.execute(
                "UPDATE exclusion SET lifted = ? WHERE record = ? AND lifted IS NULL",
                (utc.stamp(self._now()), number),
            )
            count_game(self._connection, number, sign=1)
            return record

    def exclusions(self, league: str | None = None) -> dict[int, Exclusion]:
        """The records of one or all leagues that do not count, by their number."""
        with self._reading():
            wanted = None if league is None else self._number_of(league)
            rows = self._connection.execute(sql.EXCLUSIONS, (wanted,)).fetchall()
            return {row["record"]: Exclusion(because=text(row, "because"), at=moment(row, "at")) for row in rows}

    def changes(self) -> int:
        """A number that changes when another connection has written to the file."""
        with self._reading():
            number: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
            return number

    def _excluded(self, record: GameRecord) -> bool:
        rows = self._connection.execute("SELECT 1 FROM exclusion WHERE record = ? AND lifted IS NULL", (record.id,))
        return rows.fetchone() is not None

    def _pages(self, league: int | None) -> Iterator[GameRecord]:
        where = "record.id > :after" if league is None else "record.league = :league AND record.id > :after"
        query = f"{sql.RECORDS} WHERE {where} ORDER BY record.id LIMIT {_PAGE}"
        after = 0
        while True:
            with self._reading():
                rows = self._connection.execute(query, {"league": league, "after": after}).fetchall()
            if not rows:
                return
            yield from map(record_of, rows)
            after = rows[-1]["id"]

    def _record(self, number: int | None) -> GameRecord:
        row = self._connection.execute(f"{sql.RECORDS} WHERE record.id = ?", (number,)).fetchone()
        if row is not None:
            return record_of(row)
        last = self._last()
        there = "there are none yet" if last is None else f"there are 1 to {last}"
        raise NoRecord(f"no record {number}; {there}")

    def _last(self) -> int | None:
        return cast("int | None", self._connection.execute("SELECT MAX(id) AS last FROM record").fetchone()["last"])
