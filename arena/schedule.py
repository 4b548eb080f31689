"""Who meets whom. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Pairing", "match", "round_robin"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: entrant numbers (from 1), its round (from 0), the opening it shares with its mirror."""

    key: str
    first: int
    second: int
    round: int
    opening: int


def round_robin(entrants: int, *, rounds: int) -> Iterator[Pairing]:
    """Every two entrants meet twice a round, once each as first."""
    pairs = list(_circle(entrants))
    for number in range(rounds):
        for swap in (False, True):
            for index, (one, two) in enumerate(pairs):
                first, second = (two, one) if swap else (one, two)
                yield Pairing(f"{number + 1}:{first}-{second}", first, second, number, number * len(pairs) + index)


def match(games: int) -> Iterator[Pairing]:
    """Two entrants, taking turns in being first."""
    for index in range(games):
        first, second = (1, 2) if index % 2 == 0 else (2, 1)
        yield Pairing(f"{index + 1}:{first}-{second}", first, second, index // 2, index // 2)


def _circle(entrants: int) -> Iterator[tuple[int, int]]:
    """All pairs, in an order that lets everybody play evenly often; sides alternate."""
    seats: list[int | None] = [*range(1, entrants + 1)]
    if entrants % 2:
        seats.append(None)
    half = len(seats) // 2
    for turn in range(len(seats) - 1):
        for one, two in zip(seats[:half], reversed(seats[half:]), strict=True):
            if one is not None and two is not None:
                yield (one, two) if turn % 2 == 0 else (two, one)
        seats.insert(1, seats.pop())
