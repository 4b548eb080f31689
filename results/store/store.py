"""The leagues and games of a results file; each game is stored exactly once."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, cast

from results.errors import (
    AlreadyStored,
    BadEntrants,
    Damaged,
    LeagueExists,
    Locked,
    NoLeague,
    NoRecord,
)
from results.league import KINDS, Absence, Award, Exclusion, Kind, League, VoidAttempt
from results.pairing import PairCount, Pairing
from results.record import EntrantRecord, GameRecord
from results.store import sql, utc
from results.store.codec import award_of, league_of, moment, pair_of, pairing_of, record_of, row_of, text, to_json
from results.store.file import ResultsFile
from results.text import storable

__all__ = ["Store"]

#: Records that are read at a time; between two such reads no transaction stays open.
_PAGE: Final = 200


class Store(ResultsFile):
    """The leagues and games in one results file; opened by `Store.open` or `Store.read`."""

    def create_league(
        self,
        name: str,
        *,
        kind: Kind,
        settings: Mapping[str, object],
        secret: str,
        entrants: Sequence[EntrantRecord],
        dice: str = "",
    ) -> League:
        """Store a new league with its entrants, numbered from 1 in this order."""
        names = [storable(entrant.name) for entrant in entrants]
        twice = next((entrant for entrant in names if names.count(entrant) > 1), None)
        if twice is not None:
            raise BadEntrants(f"two entrants are called {twice!r}; give one of them another name")
        with self._writing():
            if self._league(name) is not None:
                raise LeagueExists(f"there is already a league called {name!r} in {self.path}; choose another name")
            cursor = self._connection.execute(
                "INSERT INTO league (name, kind, created, settings, secret, dice) VALUES (?, ?, ?, ?, ?, ?)",
                (storable(name), kind, utc.stamp(self._now()), to_json(settings), storable(secret), dice),
            )
            self._connection.executemany(
                sql.ADD_ENTRANT,
                [_entrant_row(cursor.lastrowid, number, entrant, None) for number, entrant in enumerate(entrants, 1)],
            )
            return self._known(name)

    def enter(self, league: str, entrant: EntrantRecord) -> League:
        """Add an entrant to a league; the league may be running."""
        with self._writing():
            known = self._known(league)
            if storable(entrant.name) in {other.name for other in known.entrants}:
                raise BadEntrants(f"{known.name} already has an entrant called {entrant.name!r}")
            row = _entrant_row(known.id, len(known.entrants) + 1, entrant, utc.stamp(self._now()))
            self._connection.execute(sql.ADD_ENTRANT, row)
            return self._known(league)

    def depart(
        self, league: str, entrant: str, *, why: Absence, detail: str, stands: bool, awards: Sequence[Award] = ()
    ) -> League:
        """Store that an entrant no longer plays, and the awards for its opponents."""
        with self._writing():
            known = self._known(league)
            number = _number(known, entrant)
            if known.entrants[number - 1].name in known.departures:
                raise BadEntrants(f"{entrant!r} has already left {known.name}")
            row = (known.id, number, why, storable(detail), stands, utc.stamp(self._now()))
            self._connection.execute(sql.ADD_DEPARTURE, row)
            self._award(known, awards)
            return self._known(league)

    def claim(self, league: str, *, pid: int, began: str, is_alive: Callable[[int, str], bool]) -> None:
        """Reserve a league for one process; raises `Locked` while another live process holds it."""
        with self._writing():
            known = self._known(league)
            row = self._coordinator(known)
            if row is not None and (row["pid"], row["began"]) != (pid, began) and is_alive(row["pid"], row["began"]):
                raise Locked(f"process {row['pid']} is already playing {known.name}; wait for it, or stop it")
            self._connection.execute("INSERT OR REPLACE INTO coordinator VALUES (?, ?, ?)", (known.id, pid, began))

    def is_claimed(self, league: str, *, is_alive: Callable[[int, str], bool]) -> bool:
        """Whether a live process has reserved this league."""
        with self._reading():
            row = self._coordinator(self._known(league))
        return row is not None and is_alive(row["pid"], row["began"])

    def draw(self, league: str, pairings: Sequence[Pairing], awards: Sequence[Award] = ()) -> None:
        """Store the pairings of a round and its awards, all or nothing."""
        with self._writing():
            known = self._known(league)
            self._connection.executemany(
                sql.ADD_PAIRING,
                [(known.id, pair.key, pair.first, pair.second, pair.round, pair.opening) for pair in pairings],
            )
            self._award(known, awards)

    def drawn(self, league: str) -> list[Pairing]:
        """The pairings stored so far, oldest first."""
        with self._reading():
            known = self._known(league)
            rows = self._connection.execute(sql.PAIRINGS, (known.id,)).fetchall()
            return [pairing_of(row, entrants=len(known.entrants)) for row in rows]

    def awards(self, league: str) -> list[Award]:
        """The points given for pairings that are not played."""
        with self._reading():
            rows = self._connection.execute(sql.AWARDS, {"league": self._known(league).id}).fetchall()
            return [award_of(row) for row in rows]

    def _award(self, league: League, awards: Sequence[Award]) -> None:
        rows = [
            {"league": league.id, "key": award.key, "entrant": _number(league, award.entrant),
             "points": award.points, "because": storable(award.because), "at": utc.stamp(self._now())}
            for award in awards
        ]  # fmt: skip
        self._connection.executemany(sql.ADD_AWARD, rows)

    def league(self, name: str) -> League | None:
        """The league of this name."""
        with self._reading():
            return self._league(name)

    def known(self, name: str) -> League:
        """The league of this name; raises `NoLeague` if there is none."""
        with self._reading():
            return self._known(name)

    def leagues(self) -> list[League]:
        """All leagues, newest last."""
        with self._reading():
            rows = self._connection.execute(f"{sql.LEAGUES} ORDER BY id").fetchall()
            return [self._league_of(row) for row in rows]

    def latest(self, kinds: Collection[Kind] = KINDS) -> League | None:
        """The newest league of these kinds."""
        with self._reading():
            rows = self._connection.execute(f"{sql.LEAGUES} ORDER BY id DESC")
            row = next((row for row in rows if row["kind"] in kinds), None)
            return None if row is None else self._league_of(row)

    def find_league(self, name: str | None) -> League:
        """The league with this name; without a name the newest league, or else the newest benchmark or game.

        Raises `NoLeague` if there is none.
        """
        if name is not None:
            return self.known(name)
        found = self.latest(["league"]) or self.latest()
        if found is None:
            raise NoLeague(f"no league is stored in {self.path} yet; play one first")
        return found

    def free_name(self, prefix: str) -> str:
        """A league name that is not used yet: `play-1`, `play-2`, …"""
        with self._reading():
            rows = self._connection.execute("SELECT name FROM league")
            taken = {row["name"] for row in rows}
        number = 1
        while storable(f"{prefix}-{number}") in taken:
            number += 1
        return f"{prefix}-{number}"

    def add(self, record: GameRecord) -> GameRecord:
        """Store one finished game, durable when this returns; returns it as stored, with its id."""
        with self._writing():
            league = self._known(record.league)
            row = row_of(record)
            row["league"] = league.id
            row["first"] = _number(league, record.first.name)
            row["second"] = _number(league, record.second.name)
            stored = self._connection.execute(
                "SELECT id FROM record WHERE league = ? AND key = ?", (league.id, row["key"])
            ).fetchone()
            if stored is not None:
                raise AlreadyStored(
                    f"game {record.key} of {league.name} is already stored as record {stored['id']}; "
                    "does another process run this league?"
                )
            self._connection.execute("DELETE FROM award WHERE league = ? AND key = ?", (league.id, row["key"]))
            cursor = self._connection.execute(sql.ADD_RECORD, row)
            return self._record(cursor.lastrowid)

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
                (kind, self._known(league).id, *map(storable, texts), utc.stamp(self._now())),
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
            number = self._known(league).id
            rows = self._connection.execute(
                "SELECT key FROM record WHERE league = ? UNION ALL SELECT key FROM award WHERE league = ?",
                (number, number),
            )
            return {text(row, "key") for row in rows}

    def scores(self, league: str) -> dict[str, float | None]:
        """The points of first in each played pairing; None if the game does not count."""
        with self._reading():
            rows = self._connection.execute(sql.SCORES, (self._known(league).id,))
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
            wanted = None if league is None else self._known(league).id
        return self._pages(wanted)

    def ids(self, league: str | None = None, *, agent: str | None = None, faults: bool = False) -> list[int]:
        """The numbers of the records: of one league, of one entrant, or only those that ended by a fault."""
        with self._reading():
            known = None if league is None else self._known(league)
            name = None if agent is None else storable(agent)
            if name is not None and known is not None:
                _number(known, name)
            elif name is not None and not self._connection.execute(sql.HAS_ENTRANT, (name,)).fetchone()[0]:
                raise BadEntrants(f"no league in {self.path} has an entrant called {agent!r}")
            wanted = {"league": None if known is None else known.id, "agent": name, "faults": faults}
            return [row["id"] for row in self._connection.execute(sql.IDS, wanted)]

    def count(self, league: str, *, departed: bool) -> int:
        """The number of games of a league, excluded ones too; with or without those of departed entrants."""
        with self._reading():
            wanted = {"league": self._known(league).id, "departed": departed}
            return int(self._connection.execute(sql.COUNT, wanted).fetchone()[0])

    def counted(self, league: str) -> Iterator[GameRecord]:
        """The records of a league without the excluded ones."""
        excluded = self.exclusions(league)
        return (record for record in self.records(league) if record.id not in excluded)

    def pairs(self, league: str) -> list[PairCount]:
        """The results of each entrant against each other one, per seat, counted by the database."""
        with self._reading():
            rows = self._connection.execute(sql.PAIRS, {"league": self._known(league).id}).fetchall()
            return [pair_of(row) for row in rows]

    def paces(self, game: str, *, seconds: float) -> dict[tuple[str, str], float]:
        """Average seconds per game of two agents, by the names that first and second were given as."""
        with self._reading():
            rows = self._connection.execute(sql.PACES, (storable(game), seconds)).fetchall()
        return {(row["first"], row["second"]): row["pace"] for row in rows}

    def exclude(self, number: int, *, because: str) -> GameRecord:
        """Keep a record but do not count it, until `include`."""
        with self._writing():
            record = self._record(number)
            if self._excluded(record):
                raise AlreadyStored(f"record {number} is already excluded")
            row = (number, storable(because), utc.stamp(self._now()))
            self._connection.execute(sql.ADD_EXCLUSION, row)
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
            return record

    def exclusions(self, league: str | None = None) -> dict[int, Exclusion]:
        """The records of one or all leagues that do not count, by their number."""
        with self._reading():
            wanted = None if league is None else self._known(league).id
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

    def _coordinator(self, league: League) -> sqlite3.Row | None:
        query = "SELECT pid, began FROM coordinator WHERE league = ?"
        return cast("sqlite3.Row | None", self._connection.execute(query, (league.id,)).fetchone())

    def _known(self, name: str) -> League:
        league = self._league(name)
        if league is not None:
            return league
        there = [row["name"] for row in self._connection.execute("SELECT name FROM league ORDER BY id DESC LIMIT 5")]
        listed = f"the latest are {', '.join(there)}" if there else "there are none yet"
        raise NoLeague(f"no league called {name!r} in {self.path}; {listed}")

    def _league(self, name: str) -> League | None:
        row = self._connection.execute(f"{sql.LEAGUES} WHERE name = ?", (storable(name),)).fetchone()
        return None if row is None else self._league_of(row)

    def _league_of(self, row: sqlite3.Row) -> League:
        entrants = self._connection.execute(sql.ENTRANTS, (row["id"],)).fetchall()
        departures = self._connection.execute(sql.DEPARTURES, (row["id"],)).fetchall()
        try:
            return league_of(row, entrants, departures)
        except (ValueError, TypeError, RecursionError) as error:
            raise Damaged(
                f"league {row['name']!r} of {self.path} cannot be read ({error}); restore a backup"
            ) from error


def _entrant_row(
    league: int | None, number: int, entrant: EntrantRecord, entered: str | None
) -> tuple[str | int | None, ...]:
    texts = map(storable, (entrant.name, entrant.agent, entrant.version, entrant.hash))
    return (
        league, number, *texts, to_json(entrant.options), storable(entrant.path), to_json(entrant.grants), entered
    )  # fmt: skip


def _number(league: League, entrant: str) -> int:
    for number, known in enumerate(league.entrants, 1):
        if known.name == storable(entrant):
            return number
    raise BadEntrants(f"{entrant!r} is not an entrant of {league.name}; there are {', '.join(_names(league))}")


def _names(league: League) -> list[str]:
    return [entrant.name for entrant in league.entrants]
