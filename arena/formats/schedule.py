"""Formats whose games are all known from the start: round robin, gauntlet and match. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from results.pairing import Format, Pairing

__all__ = ["SCHEDULES", "count_games", "gauntlet", "match", "mirrored", "round_robin"]


def round_robin(entrants: Sequence[int], *, rounds: int) -> Iterator[Pairing]:
    """Every two entrants meet twice a round, once each as first."""
    pairs = list(_circle(entrants))
    for number in range(rounds):
        for swap in (False, True):
            for one, two in pairs:
                first, second = (two, one) if swap else (one, two)
                yield _pairing(number, first=first, second=second)


def gauntlet(entrants: Sequence[int], *, rounds: int) -> Iterator[Pairing]:
    """Entrant 1 meets every other entrant twice a round, once each as first. Without entrant 1 there are no games."""
    others = [number for number in entrants if number != 1] if 1 in entrants else []
    for number in range(rounds):
        for other in others:
            yield _pairing(number, first=1, second=other)
            yield _pairing(number, first=other, second=1)


def match(entrants: Sequence[int], *, rounds: int) -> Iterator[Pairing]:
    """Entrants 1 and 2 play `rounds` games and take turns as first. Without one of them there are no games."""
    for index in range(rounds if {1, 2} <= set(entrants) else 0):
        first, second = (1, 2) if index % 2 == 0 else (2, 1)
        yield Pairing(f"{index + 1}:{first}-{second}", first, second, index // 2, str(index // 2))


#: The function that yields the pairings of each of these formats.
SCHEDULES: Final[Mapping[str, Callable[..., Iterator[Pairing]]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "match": match,
}


def count_games(format: Format, entrants: int, rounds: int) -> int:  # noqa: A002 - named like the option
    """The number of games in a league of this size: without extra games of a knockout, the most of an adaptive one."""
    if format == "match":
        return rounds
    if format == "swiss":
        return entrants // 2 * rounds
    others = max(entrants - 1, 0)
    pairs = entrants * others // 2 if format in ("round-robin", "adaptive") else others
    return 2 * pairs * rounds


def mirrored(number: int, *, first: int, second: int) -> tuple[Pairing, Pairing]:
    """The two games of two entrants in a round, with seats swapped."""
    return _pairing(number, first=first, second=second), _pairing(number, first=second, second=first)


def _pairing(number: int, *, first: int, second: int) -> Pairing:
    # Key and opening do not depend on the other entrants: an entrant that enters or leaves changes no other game.
    low, high = sorted((first, second))
    return Pairing(f"{number + 1}:{first}-{second}", first, second, number, f"{number}:{low}-{high}")


def _circle(entrants: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs by the circle method: at any time all entrants have played about equally often, on both sides."""
    seats: list[int | None] = [*entrants]
    if len(seats) % 2:
        seats.append(None)
    half = len(seats) // 2
    for turn in range(len(seats) - 1):
        for one, two in zip(seats[:half], reversed(seats[half:]), strict=True):
            if one is not None and two is not None:
                yield (one, two) if turn % 2 == 0 else (two, one)
        seats.insert(1, seats.pop())
