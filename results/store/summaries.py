"""Rows of games without their moves: one line of each, and what its players claimed."""

import sqlite3
from typing import cast, get_args

from results.errors import Damaged
from results.record import ClaimedGame, GameLine, GameSummary, Result, Seat
from results.store.codec import claims_of, margin_of, number, one_of, text, whole

__all__ = ["claimed_of", "line_of", "summary_of"]


def summary_of(row: sqlite3.Row) -> GameSummary:
    """A game in one line; `ValueError` if the row is damaged."""
    faulty = None if row["fault_player"] is None else _seat(row, "fault_player")
    return GameSummary(
        id=whole(row, "id"), league=text(row, "league"), game=text(row, "game"), first=text(row, "first"),
        second=text(row, "second"), score_first=_score(row), reason=text(row, "reason"), turns=whole(row, "turns"),
        seconds=number(row, "wall"), margin=margin_of(row), faulty=faulty,
        rule=None if faulty is None else text(row, "fault_rule"),
    )  # fmt: skip


def line_of(row: sqlite3.Row) -> GameLine:
    """The line in a row that also holds the names of the league and of both entrants, and why it is excluded."""
    try:
        faulty = None
        if row["fault_player"] is not None:
            faulty = text(row, _seat(row, "fault_player"))
        return GameLine(
            id=whole(row, "id"), league=text(row, "league"), first=text(row, "first"), second=text(row, "second"),
            result=one_of(row, "result", get_args(Result)), reason=text(row, "reason"), turns=whole(row, "turns"),
            faulty=faulty, rule=None if faulty is None else text(row, "fault_rule"),
            excluded=None if row["excluded"] is None else text(row, "excluded"),
        )  # fmt: skip
    except ValueError as error:
        raise Damaged(f"record {row['id']} cannot be read ({error}); skip it or restore a backup") from error


def claimed_of(row: sqlite3.Row) -> ClaimedGame:
    """A game with its claims; `ValueError` if the row is damaged."""
    return ClaimedGame(
        id=whole(row, "id"), first=text(row, "first"), second=text(row, "second"), mover=_seat(row, "mover"),
        score_first=_score(row), claims=claims_of(row),
    )  # fmt: skip


def _seat(row: sqlite3.Row, name: str) -> Seat:
    return cast(Seat, one_of(row, name, get_args(Seat)))


def _score(row: sqlite3.Row) -> float:
    return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[one_of(row, "result", get_args(Result))]
