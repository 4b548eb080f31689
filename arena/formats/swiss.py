"""The Swiss system: each round, entrants with equally many points meet, and nobody meets another twice. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from arena.errors import BadSettings
from arena.formats.matching import largest_matching
from arena.formats.round_robin import BYE, Meeting, Pairing

__all__ = ["BYE_POINTS", "check_swiss", "swiss", "swiss_rounds"]

#: What a bye is worth.
BYE_POINTS: Final = 1.0

#: What a draw may do to the seats, from best to worst. Nobody ever has one seat three times more than the other.
_EVEN, _UNEVEN, _THIRD_IN_A_ROW = range(3)
_NEVER: Final = 3


@dataclass(slots=True)
class _Card:
    """What an entrant has done so far. Seats: 1 for each game as first, -1 as second."""

    number: int
    points: float = 0.0
    buchholz: float = 0.0
    byes: int = 0
    met: set[int] = field(default_factory=set)
    seats: list[int] = field(default_factory=list)


def swiss_rounds(entrants: int) -> int:
    """The usual number of rounds: enough to leave one who has won everything."""
    return max(entrants - 1, 0).bit_length()


def check_swiss(entrants: int, rounds: int) -> None:
    """`BadSettings` if there may be no way to draw so many rounds without a second meeting."""
    most = (entrants + 1) // 2
    if rounds > most:
        raise BadSettings(
            f"a Swiss league of {entrants} has at most {most} rounds, so that nobody meets another twice; "
            f"{swiss_rounds(entrants)} are usual"
        )


def swiss(entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int) -> list[Pairing]:
    """The next round, drawn from the settled ones before; empty when it is over.

    Entrants are ordered by points, Buchholz and number. From the top down, the upper half of those with equally many
    points meets the lower half, in the order that leaves everybody below an opponent too. Of an odd number, the last
    who had no bye yet has one. If so many have met that some find no opponent, these have a bye; if all have, it is
    over. Even seats go before equal points: a difference of two comes only where nothing else is left.
    """
    if not all(meeting.settled for meeting in past):
        raise ValueError("a round is drawn when all meetings before it are settled")
    number = 1 + max((meeting.pairing.round for meeting in past), default=-1)
    if number >= rounds:
        return []
    order = _order(entrants, past)
    costs = {one.number: {two.number: _cost(one, two) for two in order if two is not one} for one in order}
    byes = _byes(order, costs)
    if len(byes) == len(order):
        return []
    playing = [card for card in order if card not in byes]
    drawn = [_seated(*couple, board=board) for board, couple in enumerate(_couples(playing, costs))]
    return [
        *(_pairing(number, first.number, second.number) for first, second in drawn),
        *(_pairing(number, card.number, BYE) for card in byes),
    ]


def _pairing(number: int, first: int, second: int) -> Pairing:
    return Pairing(f"s{number + 1}:{first}-{second or 'bye'}", first, second, number, f"s{number}")


def _order(entrants: Sequence[int], past: Sequence[Meeting]) -> list[_Card]:
    """The cards of those who are still here, best first."""
    numbers = {number for meeting in past for number in (meeting.pairing.first, meeting.pairing.second)}
    cards = {number: _Card(number) for number in numbers.union(entrants)}
    for meeting in sorted(past, key=lambda meeting: meeting.pairing.round):
        first, second = cards[meeting.pairing.first], cards[meeting.pairing.second]
        if meeting.pairing.is_bye:
            first.byes += 1
            first.points += BYE_POINTS
            continue
        first.met.add(second.number)
        second.met.add(first.number)
        if meeting.score is not None:
            first.points += meeting.score
            second.points += 1 - meeting.score
            first.seats.append(1)
            second.seats.append(-1)
    for card in cards.values():
        # A bye counts like a game against somebody with as many points as oneself.
        card.buchholz = fsum(cards[other].points for other in card.met) + card.byes * card.points
    return sorted((cards[number] for number in entrants), key=lambda card: (-card.points, -card.buchholz, card.number))


def _byes(order: Sequence[_Card], costs: Mapping[int, Mapping[int, int]]) -> list[_Card]:
    """Who has no opponent: as few as possible, the last first, and again only when all have had a bye."""
    playing, byes = list(order), []
    mate = _matching(playing, costs, _THIRD_IN_A_ROW)
    lone = len(playing) - len(mate)
    for card in sorted(order, key=lambda card: (card.byes, -order.index(card))):
        if lone == 0:
            break
        others = [other for other in playing if other is not card]
        mate = _matching(others, costs, _THIRD_IN_A_ROW)
        if len(others) - len(mate) < lone:
            playing, lone = others, lone - 1
            byes.append(card)
    return byes


def _couples(order: Sequence[_Card], costs: Mapping[int, Mapping[int, int]]) -> Iterable[tuple[_Card, _Card]]:
    """Who meets whom: from the top down, each the best opponent that leaves all others one too."""
    level = _EVEN
    while len(mate := _matching(order, costs, level)) < len(order):
        level += 1
    waiting = list(order)
    while waiting:
        card, *rest = waiting
        own = costs[card.number]
        for other in sorted(_wanted(card, rest), key=lambda other: own[other.number]):
            if own[other.number] > level:
                continue
            others = [left for left in rest if left is not other]
            start = _without(mate, card.number, other.number)
            kept = start if len(start) == len(others) else _matching(others, costs, level, start=start)
            if len(kept) == len(others):
                yield card, other
                waiting, mate = others, kept
                break


def _wanted(card: _Card, rest: Sequence[_Card]) -> Iterable[_Card]:
    """The opponents for the first of the waiting, best first."""
    equals = [other for other in rest if other.points == card.points]
    upper = max((len(equals) + 1) // 2 - 1, 0)
    yield from equals[upper:]
    yield from reversed(equals[:upper])
    yield from (other for other in rest if other.points != card.points)


def _without(mate: Mapping[int, int], one: int, two: int) -> dict[int, int]:
    gone = {one, two, mate[one], mate[two]}
    return {vertex: other for vertex, other in mate.items() if vertex not in gone}


def _matching(
    cards: Sequence[_Card],
    costs: Mapping[int, Mapping[int, int]],
    level: int,
    *,
    start: Mapping[int, int] | None = None,
) -> dict[int, int]:
    numbers = [card.number for card in cards]
    graph = {one: [two for two in numbers if two != one and costs[one][two] <= level] for one in numbers}
    return largest_matching(graph, start=start)


def _cost(one: _Card, two: _Card) -> int:
    return _NEVER if two.number in one.met else min(_seat_cost(one, two), _seat_cost(two, one))


def _seat_cost(first: _Card, second: _Card) -> int:
    uneven = max(abs(sum(first.seats) + 1), abs(sum(second.seats) - 1))
    if uneven > 2:
        return _NEVER
    if first.seats[-2:] == [1, 1] or second.seats[-2:] == [-1, -1]:
        return _THIRD_IN_A_ROW
    return _UNEVEN if uneven > 1 else _EVEN


def _seated(one: _Card, two: _Card, *, board: int) -> tuple[_Card, _Card]:
    """Who is first: by even seats, then who was second when they last differed; else the better one in turns."""

    def unwanted(seats: tuple[_Card, _Card]) -> tuple[int, int, list[int]]:
        first, second = seats
        apart = (sum(first.seats) + 1) ** 2 + (sum(second.seats) - 1) ** 2
        return _seat_cost(first, second), apart, first.seats[::-1]

    choices = [(one, two), (two, one)]
    return min(choices if board % 2 == 0 else choices[::-1], key=unwanted)
