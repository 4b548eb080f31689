"""The columns of all tables with one row per game."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final, TypeAlias

from results.league import Exclusion
from results.record import GameRecord

__all__ = ["COLUMNS", "values"]

_Values: TypeAlias = Mapping[str, Callable[[GameRecord], object]]

#: The columns before `excluded`, each with the value it takes from a record.
_BEFORE: Final[_Values] = {
    "id": attrgetter("id"),
    "league": attrgetter("league"),
    "key": attrgetter("key"),
    "game": attrgetter("game"),
    "game_version": attrgetter("game_version"),
    "first": attrgetter("first.name"),
    "second": attrgetter("second.name"),
    "first_hash": attrgetter("first.hash"),
    "second_hash": attrgetter("second.hash"),
    "result": attrgetter("result"),
    "score_first": attrgetter("score_first"),
    "reason": attrgetter("reason"),
    "detail": attrgetter("detail"),
    "fault_player": lambda record: record.fault and record.fault.player,
    "fault_rule": lambda record: record.fault and record.fault.rule,
    "turns": attrgetter("turns"),
    "opening_turns": lambda record: len(record.opening),
    "seconds": attrgetter("seconds"),
    "control": lambda record: str(record.time_control),
    "seconds_first": attrgetter("seconds_first"),
    "seconds_second": attrgetter("seconds_second"),
    "sandbox": attrgetter("sandbox"),
    "rules": attrgetter("rules"),
    "host": attrgetter("host"),
    "started": attrgetter("started"),
    "ended": attrgetter("ended"),
}

#: The columns after it. New columns are added at the end: programs may read columns by their position.
_AFTER: Final[_Values] = {
    "margin_first": lambda record: record.margin and float(record.margin.first),
    "margin_second": lambda record: record.margin and float(record.margin.second),
    "margin_unit": lambda record: record.margin and record.margin.unit,
    "fault_phase": lambda record: record.fault and record.fault.phase,
    "fault_turn": lambda record: record.fault and record.fault.turn,
}

COLUMNS: Final = (*_BEFORE, "excluded", *_AFTER)


def values(record: GameRecord, exclusions: Mapping[int, Exclusion]) -> list[object]:
    """The row of a game, in the order of `COLUMNS`; `excluded` is the reason why it does not count, or None."""
    exclusion = exclusions.get(record.id) if record.id is not None else None
    return [
        *(value(record) for value in _BEFORE.values()),
        exclusion and exclusion.because,
        *(value(record) for value in _AFTER.values()),
    ]
