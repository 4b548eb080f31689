"""What tables and exports show of the moves of a game, and counts of results, kept beside the games.

Both are stored with each game. For the games of an older file they are made once: the summaries, which take longest,
some at a time, so that an interrupted migration goes on where it stopped.
"""

import json
import math
import sqlite3
from collections.abc import Iterator
from typing import Final, TypeAlias

from results.cpu_load import LEAST_WAIT, STARVED_SHARE
from results.store import sql

__all__ = [
    "MovesSummary", "count_game", "count_games", "fill_summaries", "moves_summary", "start_summaries", "summaries_left"
]  # fmt: skip

#: The number of turns, and the seconds of first and second; None where the moves cannot be read.
MovesSummary: TypeAlias = tuple[int | None, float | None, float | None]

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


def moves_summary(moves: str, *, mover: str, unanswered: float, culprit: str | None) -> MovesSummary:
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
            (number, *moves_summary(moves, mover=mover, unanswered=unanswered, culprit=culprit))
            for number, moves, mover, unanswered, culprit in rows
        ],
    )
    return len(rows)
