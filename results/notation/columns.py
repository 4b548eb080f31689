"""The columns of every table with one line a game."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final

from results.league import Exclusion
from results.record import GameRecord

__all__ = ["COLUMNS", "values"]

#: What stands in each column, except in the last one.
_OF_RECORD: Final[Mapping[str, Callable[[GameRecord], object]]] = {
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
    "seconds_first": attrgetter("seconds_first"),
    "seconds_second": attrgetter("seconds_second"),
    "sandbox": attrgetter("sandbox"),
    "rules": attrgetter("rules"),
    "host": attrgetter("host"),
    "started": attrgetter("started"),
    "ended": attrgetter("ended"),
}

COLUMNS: Final = (*_OF_RECORD, "excluded")


def values(record: GameRecord, exclusions: Mapping[int, Exclusion]) -> list[object]:
    """The line of a game: `excluded` is why it does not count, None if it does."""
    exclusion = exclusions.get(record.id) if record.id is not None else None
    return [*(value(record) for value in _OF_RECORD.values()), exclusion and exclusion.because]
