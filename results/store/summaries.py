"""What tables and exports show of the moves of a game, and counts of results, kept beside the games.

Both are stored with each game. For the games of an older file they are made once: the summaries, which take longest,
some at a time, so that an interrupted migration goes on where it stopped.
"""

import json
import math
import sqlite3
from collections.abc import Iterator
from typing import Final, TypeAlias, get_args

from results.cpu_load import LEAST_WAIT, STARVED_SHARE
from results.errors import Damaged
from results.record import GameLine, Result, Seat
from results.store import sql
from results.store.codec import one_of, text, whole

__all__ = [
    "Summary",
    "count_game",
    "count_games",
    "fill_summaries",
    "line_of",
    "start_summaries",
    "summaries_left",
    "summary_of",
]

#: The number of turns, and the seconds of first and second; None where the moves cannot be read.
Summary: TypeAlias = tuple[int | None, float | None, float | None]

#: Games that are summarised in one transaction.
_AT_ONCE: Final = 5_000
_STARVED: Final = {"least": LEAST_WAIT, "share": STARVED_SHARE}

# Not in a file of an earlier version, which may have it from a migration that was interrupted.
_CREATE: Final = """
    CREATE TABLE IF NOT EXISTS summary (
        record INTEGER PRIMARY KEY REFERENCES record (id),
        turns INTEGER,
        seconds_first REAL,
        seconds_second REAL
    ) STRICT
"""
_NEXT: Final = """
    SELECT id, moves, mover, unanswered, fault_player FROM record
    WHERE id > (SELECT IFNULL(MAX(record), 0) FROM summary) ORDER BY id LIMIT ?
"""


def summary_of(moves: str, *, mover: str, unanswered: float, culprit: str | None) -> Summary:
    """The summary of a stored game; `culprit` is the seat that lost by a fault."""
    try:
        walls = [move[1] if len(move) > 1 else 0.0 for move in json.loads(moves)]
        own, other = math.fsum(walls[::2]), math.fsum(walls[1::2])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None, None, None
    first, second = (own, other) if mover == "first" else (other, own)
    first += unanswered if culprit == "first" else 0.0
    second += unanswered if culprit == "second" else 0.0
    return len(walls), round(first, 6), round(second, 6)


def count_game(connection: sqlite3.Connection, record: int, *, sign: int) -> None:
    """Add a stored record to the tally of its pair, or take it away with the sign -1."""
    connection.execute(sql.COUNT_ONE, {"record": record, "sign": sign} | _STARVED)


def count_games(connection: sqlite3.Connection) -> None:
    """Count all records of a file."""
    connection.execute(sql.COUNT_ALL, _STARVED)


def line_of(row: sqlite3.Row) -> GameLine:
    """The line in a row that also holds the names of the league and of both entrants, and why it is excluded."""
    try:
        faulty = None
        if row["fault_player"] is not None:
            faulty = text(row, one_of(row, "fault_player", get_args(Seat)))
        return GameLine(
            id=whole(row, "id"), league=text(row, "league"), first=text(row, "first"), second=text(row, "second"),
            result=one_of(row, "result", get_args(Result)), reason=text(row, "reason"), turns=whole(row, "turns"),
            faulty=faulty, rule=None if faulty is None else text(row, "fault_rule"),
            excluded=None if row["excluded"] is None else text(row, "excluded"),
        )  # fmt: skip
    except ValueError as error:
        raise Damaged(f"record {row['id']} cannot be read ({error}); skip it or restore a backup") from error


def start_summaries(connection: sqlite3.Connection) -> None:
    """Make the table, if it is not there."""
    connection.execute(_CREATE)


def summaries_left(connection: sqlite3.Connection) -> Iterator[int]:
    """Summarise the games that are left, some at a time, each in a transaction; yields how many were done."""
    done = 1
    while done:
        connection.execute("BEGIN IMMEDIATE")
        try:
            done = _summarise(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise
        yield done


def fill_summaries(connection: sqlite3.Connection) -> None:
    """The step of the migration: what is left, and nothing of games that were removed meanwhile."""
    start_summaries(connection)
    connection.execute("DELETE FROM summary WHERE record NOT IN (SELECT id FROM record)")
    while _summarise(connection):
        pass


def _summarise(connection: sqlite3.Connection) -> int:
    rows = connection.execute(_NEXT, (_AT_ONCE,)).fetchall()
    connection.executemany(
        sql.ADD_SUMMARY,
        [
            (number, *summary_of(moves, mover=mover, unanswered=unanswered, culprit=culprit))
            for number, moves, mover, unanswered, culprit in rows
        ],
    )
    return len(rows)
