"""Who meets whom when nobody has to wait for results: the formats that are known from the start. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from results.pairing import BYE, Format, Meeting, Pairing

__all__ = ["BYE", "FORMATS", "Format", "Meeting", "Pairing", "expected", "gauntlet", "match", "round_robin"]

#: What a league can be.
FORMATS: Final[tuple[Format, ...]] = ("round-robin", "gauntlet", "swiss", "knockout")


def round_robin(entrants: Sequence[int], *, rounds: int) -> Iterator[Pairing]:
    """Every two entrants meet twice a round, once each as first."""
    pairs = list(_circle(entrants))
    for number in range(rounds):
        for swap in (False, True):
            for one, two in pairs:
                first, second = (two, one) if swap else (one, two)
                yield _pairing(number, first=first, second=second)


def gauntlet(entrants: Sequence[int], *, rounds: int) -> Iterator[Pairing]:
    """Entrant 1 meets every other one twice a round, once each as first; without entrant 1 nobody meets."""
    others = [number for number in entrants if number != 1] if 1 in entrants else []
    for number in range(rounds):
        for other in others:
            yield _pairing(number, first=1, second=other)
            yield _pairing(number, first=other, second=1)


def match(games: int) -> Iterator[Pairing]:
    """Two entrants, taking turns in being first."""
    for index in range(games):
        first, second = (1, 2) if index % 2 == 0 else (2, 1)
        yield Pairing(f"{index + 1}:{first}-{second}", first, second, index // 2, str(index // 2))


def expected(format: Format, entrants: int, rounds: int) -> int:  # noqa: A002 - the word of the command line
    """How many games a league of this size has in all; the extra pairs of a knockout come on top."""
    if format == "match":
        return rounds
    if format == "swiss":
        return entrants // 2 * rounds
    others = max(entrants - 1, 0)
    pairs = entrants * others // 2 if format == "round-robin" else others
    return 2 * pairs * rounds


def _pairing(number: int, *, first: int, second: int) -> Pairing:
    # Neither key nor opening depends on the other entrants: who comes or leaves changes no other game.
    low, high = sorted((first, second))
    return Pairing(f"{number + 1}:{first}-{second}", first, second, number, f"{number}:{low}-{high}")


def _circle(entrants: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs, in an order that lets everybody play evenly often; sides alternate."""
    seats: list[int | None] = [*entrants]
    if len(seats) % 2:
        seats.append(None)
    half = len(seats) // 2
    for turn in range(len(seats) - 1):
        for one, two in zip(seats[:half], reversed(seats[half:]), strict=True):
            if one is not None and two is not None:
                yield (one, two) if turn % 2 == 0 else (two, one)
        seats.insert(1, seats.pop())
