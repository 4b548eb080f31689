"""The leagues of a results file: their entrants, settings, drawn pairings and awards."""

import difflib
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from results.errors import BadEntrants, Damaged, LeagueExists, Locked, NoLeague
from results.league import KINDS, Absence, Award, Kind, League
from results.pairing import Pairing
from results.record import EntrantRecord
from results.store import sql, utc
from results.store.codec import award_of, league_of, pairing_of, text, to_json, whole
from results.store.file import ResultsFile
from results.text import storable

__all__ = ["Leagues", "entrant_number"]

#: An error message names at most this many entrants.
_NAMED: Final = 100


class Leagues(ResultsFile):
    """What a results file holds of leagues; `Store` adds the games."""

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
        names = Counter(storable(entrant.name) for entrant in entrants)
        twice = next((entrant for entrant, times in names.items() if times > 1), None)
        if twice is not None:
            raise BadEntrants(f"two entrants are called {twice!r}; give one of them another name")
        with self._writing():
            if self._league(name) is not None:
                raise LeagueExists(f"there is already a league called {name!r} in {self.path}; choose another name")
            stored = "play" if kind == "web" else kind
            created = utc.stamp(self._now())
            cursor = self._connection.execute(
                "INSERT INTO league (name, kind, is_web, created, settings, secret, dice) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (storable(name), stored, kind == "web", created, to_json(settings), storable(secret), dice),
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

    def renew(self, league: str, entrant: EntrantRecord) -> League:
        """Let the entrant of this name go on with other code; its stored games keep the code that played them."""
        with self._writing():
            known = self._known(league)
            number = entrant_number(known, entrant.name)
            _, _, _, *values, _ = _entrant_row(known.id, number, entrant, None)
            self._connection.execute(sql.RENEW_ENTRANT, (*values, known.id, number))
            return self._known(league)

    def change_settings(self, league: str, changes: Mapping[str, object]) -> League:
        """Replace some of the settings of a league; the league may be running."""
        with self._writing():
            known = self._known(league)
            settings = to_json({**known.settings, **changes})
            self._connection.execute("UPDATE league SET settings = ? WHERE id = ?", (settings, known.id))
            return self._known(league)

    def end(self, league: str) -> None:
        """Store that a match has come to its end; it begins again when it is claimed."""
        with self._writing():
            row = (utc.stamp(self._now()), self._number_of(league))
            self._connection.execute("UPDATE league SET ended = ? WHERE id = ?", row)

    def rename(self, league: str, name: str, *, is_alive: Callable[[int, str], bool]) -> League:
        """Give a league another name; raises `Locked` while it runs."""
        with self._writing():
            known = self._idle(league, is_alive)
            if self._league(name) is not None:
                raise LeagueExists(f"there is already a league called {name!r} in {self.path}; choose another name")
            self._connection.execute("UPDATE league SET name = ? WHERE id = ?", (storable(name), known.id))
            return self._known(name)

    def check_idle(self, leagues: Collection[str], *, is_alive: Callable[[int, str], bool]) -> None:
        """Raise `NoLeague` if one of these leagues does not exist, `Locked` if one is running."""
        with self._reading():
            for league in leagues:
                self._idle(league, is_alive)

    def remove(self, leagues: Collection[str], *, is_alive: Callable[[int, str], bool]) -> None:
        """Remove leagues with all their games, all or none; raises `Locked` while one of them runs."""
        with self._writing():
            for league in leagues:
                known = self._idle(league, is_alive)
                for statement in sql.REMOVALS:
                    self._connection.execute(statement, (known.id,))

    def hashes(self) -> set[str]:
        """The content hashes of all entrants and of the agents in all records."""
        with self._reading():
            return {text(row, "hash") for row in self._connection.execute(sql.HASHES)}

    def depart(
        self, league: str, entrant: str, *, why: Absence, detail: str, stands: bool, awards: Sequence[Award] = ()
    ) -> League:
        """Store that an entrant no longer plays, and the awards for its opponents."""
        with self._writing():
            known = self._known(league)
            number = entrant_number(known, entrant)
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
            holder = self._coordinator(known.id)
            if holder is not None and holder != (pid, began) and is_alive(*holder):
                raise Locked(f"process {holder[0]} is already playing {known.name}; wait for it, or stop it")
            self._connection.execute("INSERT OR REPLACE INTO coordinator VALUES (?, ?, ?)", (known.id, pid, began))
            self._connection.execute("UPDATE league SET ended = NULL WHERE id = ?", (known.id,))

    def is_claimed(self, league: str, *, is_alive: Callable[[int, str], bool]) -> bool:
        """Whether a live process has reserved this league."""
        holder = self.coordinator(league)
        return holder is not None and is_alive(*holder)

    def coordinator(self, league: str) -> tuple[int, str] | None:
        """PID and start time of the process that reserved this league last; it may have ended. The file may lie."""
        with self._reading():
            return self._coordinator(self._number_of(league))

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

    def rounds(self, league: str) -> int:
        """The number of rounds whose pairings are stored."""
        with self._reading():
            row = self._connection.execute(sql.ROUNDS, (self._number_of(league),)).fetchone()
            return whole(row, "rounds")

    def unplayed(self, league: str) -> list[Pairing]:
        """The stored pairings that have neither a game nor an award, oldest first."""
        with self._reading():
            known = self._known(league)
            rows = self._connection.execute(sql.UNPLAYED, {"league": known.id}).fetchall()
            return [pairing_of(row, entrants=len(known.entrants)) for row in rows]

    def awards(self, league: str) -> list[Award]:
        """The points given for pairings that are not played."""
        with self._reading():
            rows = self._connection.execute(sql.AWARDS, {"league": self._number_of(league)}).fetchall()
            return [award_of(row) for row in rows]

    def _award(self, league: League, awards: Sequence[Award]) -> None:
        rows = [
            {"league": league.id, "key": award.key, "entrant": entrant_number(league, award.entrant),
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

    def _idle(self, name: str, is_alive: Callable[[int, str], bool]) -> League:
        known = self._known(name)
        holder = self._coordinator(known.id)
        if holder is not None and is_alive(*holder):
            raise Locked(f"process {holder[0]} is playing {known.name}; wait for it, or stop it")
        return known

    def _coordinator(self, league: int) -> tuple[int, str] | None:
        query = "SELECT pid, began FROM coordinator WHERE league = ?"
        row = self._connection.execute(query, (league,)).fetchone()
        if row is None or not isinstance(row["pid"], int) or not isinstance(row["began"], str):
            return None  # a value that we did not write names no process
        return row["pid"], row["began"]

    def _known(self, name: str) -> League:
        league = self._league(name)
        if league is not None:
            return league
        there = [text(row, "name") for row in self._connection.execute("SELECT name FROM league ORDER BY id DESC")]
        near = difflib.get_close_matches(name, there, n=1, cutoff=0.75)
        listed = f"the latest are {', '.join(there[:5])}" if there else "there are none yet"
        hint = f"did you mean {near[0]!r}?" if near else listed
        raise NoLeague(f"no league called {name!r} in {self.path}; {hint}")

    def _number_of(self, name: str) -> int:
        """The number of a league; its entrants are not read."""
        query = "SELECT id FROM league WHERE name = ?"
        row = self._connection.execute(query, (storable(name),)).fetchone()
        return self._known(name).id if row is None else whole(row, "id")

    def _seat_number(self, league: int, entrant: str) -> int:
        """The number of an entrant of the league with this number."""
        query = "SELECT number FROM entrant WHERE league = ? AND name = ?"
        row = self._connection.execute(query, (league, storable(entrant))).fetchone()
        if row is not None:
            return whole(row, "number")
        name = self._connection.execute("SELECT name FROM league WHERE id = ?", (league,)).fetchone()["name"]
        return entrant_number(self._known(name), entrant)

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


def entrant_number(league: League, entrant: str) -> int:
    """The number of the entrant with this name, from 1; raises `BadEntrants` if there is none."""
    for number, known in enumerate(league.entrants, 1):
        if known.name == storable(entrant):
            return number
    raise BadEntrants(f"{entrant!r} is not an entrant of {league.name}; there are {_names(league)}")


def _names(league: League) -> str:
    more = f" and {len(league.entrants) - _NAMED} more" if len(league.entrants) > _NAMED else ""
    return ", ".join(entrant.name for entrant in league.entrants[:_NAMED]) + more
