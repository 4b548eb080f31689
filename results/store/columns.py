"""The columns of all tables with one row per game: CSV, Parquet, pandas."""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final, TypeAlias

from games.base import upgraded
from results.time_control import TimeControl

__all__ = ["COLUMNS", "ROWS", "Value", "values"]

Value: TypeAlias = str | int | float | None

#: Each column with its SQL expression. New columns are added at the end: programs may read columns by their position.
_EXPRESSIONS: Final = {
    "id": "record.id",
    "league": "league.name",
    "key": "record.key",
    "game": "game",
    "game_version": "game_version",
    "first": "one.name",
    "second": "two.name",
    "first_hash": "first_hash",
    "second_hash": "second_hash",
    "result": "result",
    "score_first": "CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END",
    "reason": "reason",
    "detail": "record.detail",
    "fault_player": "fault_player",
    "fault_rule": "fault_rule",
    "turns": "turns",
    "opening_turns": "json_array_length(opening)",
    "seconds": "seconds",
    "control": "control",
    "seconds_first": "seconds_first",
    "seconds_second": "seconds_second",
    "sandbox": "sandbox",
    "rules": "rules",
    "host": "host",
    "started": "started",
    "ended": "record.ended",
    "excluded": "exclusion.because",
    "margin_first": "margin_first",
    "margin_second": "margin_second",
    "margin_unit": "margin_unit",
    "fault_phase": "fault_phase",
    "fault_turn": "fault_turn",
}
COLUMNS: Final = tuple(_EXPRESSIONS)

ROWS: Final = f"""
    SELECT {", ".join(_EXPRESSIONS.values())}, parameters
    FROM record
    JOIN league ON league.id = record.league
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
    JOIN summary ON summary.record = record.id
    LEFT JOIN exclusion ON exclusion.record = record.id AND lifted IS NULL
"""  # noqa: S608 - all parts are ours

_GAME, _VERSION, _TURNS, _SECONDS, _CONTROL, _STARTED, _ENDED = map(
    COLUMNS.index, ("game", "game_version", "turns", "seconds", "control", "started", "ended")
)


def values(rows: Iterator[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
    """The values of each game in the order of `COLUMNS`, from rows of the query; `ValueError` for damaged games."""
    for *row, parameters in rows:
        if row[_TURNS] is None:
            raise ValueError(f"the moves of record {row[0]} cannot be read")
        for time in (row[_STARTED], row[_ENDED]):
            datetime.fromisoformat(str(time))
        row[_VERSION] = _current_version(row[_GAME], row[_VERSION], parameters)
        row[_CONTROL] = row[_CONTROL] or _plain_control(row[_SECONDS])
        yield tuple(row)


@lru_cache(maxsize=1024)
def _current_version(game: Value, version: Value, parameters: Value) -> int:
    """The version of the rules as today's game counts it."""
    if not isinstance(game, str) or not isinstance(version, int) or not isinstance(parameters, str):
        raise ValueError("a game is not a name, a version and parameters")
    found = json.loads(parameters)
    return upgraded(game, found if isinstance(found, dict) else {}, version)[1]


@lru_cache(maxsize=1024)
def _plain_control(seconds: Value) -> str:
    return str(TimeControl(float(seconds or 0)))
