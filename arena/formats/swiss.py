"""The Swiss system: in each round, entrants with the same points meet, and no two entrants meet twice. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from arena.errors import BadSettings
from arena.formats.matching import largest_matching
from results.pairing import BYE, Meeting, Pairing

__all__ = ["BYE_POINTS", "check_swiss", "swiss", "swiss_rounds"]

#: The points for a bye.
BYE_POINTS: Final = 1.0

#: What a pairing does to the balance of seats, from best to worst. No entrant ever has one seat three times more often
#: than the other.
_EVEN, _UNEVEN, _THIRD_IN_A_ROW = range(3)
_NEVER: Final = 3


@dataclass(slots=True)
class _Card:
    """The history of one entrant. Seats: 1 for each game as first, -1 for each game as second."""

    number: int
    points: float = 0.0
    buchholz: float = 0.0
    byes: int = 0
    met: set[int] = field(default_factory=set)
    seats: list[int] = field(default_factory=list)


def swiss_rounds(entrants: int) -> int:
    """The usual number of rounds: after it, at most one entrant has won all its games."""
    return max(entrants - 1, 0).bit_length()


def check_swiss(entrants: int, rounds: int) -> None:
    """Raises `BadSettings` if so many rounds might not be possible without two entrants meeting twice."""
    most = (entrants + 1) // 2
    if rounds > most:
        raise BadSettings(
            f"a Swiss league of {entrants} entrants has at most {most} round{'s' * (most != 1)}, "
            f"so that no two meet twice; "
            f"the usual number is {swiss_rounds(entrants)}"
        )


def swiss(entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int) -> list[Pairing]:
    """The next round, drawn from the settled rounds before it; empty when the league is over.

    Entrants are ordered by points, Buchholz and number. From the top down, among entrants with the same points the
    upper half meets the lower half, in an order that leaves an opponent for everyone below. If the number of entrants
    is odd, the last one without an earlier bye gets a bye. Entrants that have already met everyone left get a bye too;
    if all have, the league is over. Balanced seats count more than equal points: a difference of two occurs only if
    there is no other way.
    """
    if not all(meeting.settled for meeting in past):
        raise ValueError("a round can be drawn only when all earlier games are settled")
    number = 1 + max((meeting.pairing.round for meeting in past), default=-1)
    if number >= rounds:
        return []
    order = _order(entrants, past)
    costs = {one.number: {two.number: _cost(one, two) for two in order if two is not one} for one in order}
    byes = _byes(order, costs)
    if len(byes) == len(order):
        return []
    playing = [card for card in order if card not in byes]
    drawn = [_seated(*pair, board=board) for board, pair in enumerate(_pairs(playing, costs))]
    return [
        *(_pairing(number, first.number, second.number) for first, second in drawn),
        *(_pairing(number, card.number, BYE) for card in byes),
    ]


def _pairing(number: int, first: int, second: int) -> Pairing:
    return Pairing(f"s{number + 1}:{first}-{second or 'bye'}", first, second, number, f"s{number}")


def _order(entrants: Sequence[int], past: Sequence[Meeting]) -> list[_Card]:
    """The cards of the entrants, best first."""
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
        # A bye counts like a game against an opponent with the same points.
        card.buchholz = fsum(cards[other].points for other in card.met) + card.byes * card.points
    return sorted((cards[number] for number in entrants), key=lambda card: (-card.points, -card.buchholz, card.number))


def _byes(order: Sequence[_Card], costs: Mapping[int, Mapping[int, int]]) -> list[_Card]:
    """The entrants without an opponent: as few as possible, the last first; no second bye before all had one."""
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


def _pairs(order: Sequence[_Card], costs: Mapping[int, Mapping[int, int]]) -> Iterable[tuple[_Card, _Card]]:
    """Who meets whom: from the top down, each gets the best opponent that leaves an opponent for all others."""
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
    """The opponents for an entrant among the rest, best first."""
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
    """First and second: balanced seats, then first for the one that was second when their seats last differed.

    Otherwise the better entrant is first on every other board.
    """

    def unwanted(seats: tuple[_Card, _Card]) -> tuple[int, int, list[int]]:
        first, second = seats
        apart = (sum(first.seats) + 1) ** 2 + (sum(second.seats) - 1) ** 2
        return _seat_cost(first, second), apart, first.seats[::-1]

    choices = [(one, two), (two, one)]
    return min(choices if board % 2 == 0 else choices[::-1], key=unwanted)
