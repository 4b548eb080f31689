"""What both clocks showed at every turn of a record. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

from results.record import GameRecord, MoveRecord, Seat

__all__ = ["Clocks", "Cost", "clocks", "seat_of"]

Cost: TypeAlias = Callable[[MoveRecord], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Seconds left to both, and what the move before cost its player."""

    first: float
    second: float
    cost: float = 0.0


def seat_of(record: GameRecord, turn: int) -> Seat:
    """Who made this turn's move, or was asked for it; turns are counted from 1."""
    if turn % 2:
        return record.mover
    return "second" if record.mover == "first" else "first"


def clocks(record: GameRecord, cost: Cost = attrgetter("wall")) -> list[Clocks]:
    """Both clocks at the start and after each move; after a fault one more, with what its player used in vain.

    `cost` says what a move was charged, its wall-clock time if nothing else.
    """
    left: dict[Seat, float] = {"first": record.seconds, "second": record.seconds}
    shown = [Clocks(first=record.seconds, second=record.seconds)]

    def charge(seat: Seat, seconds: float) -> None:
        left[seat] = max(0.0, left[seat] - seconds)
        shown.append(Clocks(first=left["first"], second=left["second"], cost=seconds))

    for turn, move in enumerate(record.moves, 1):
        charge(seat_of(record, turn), cost(move))
    if record.fault is not None:
        charge(record.fault.player, record.unanswered)
    return shown
