"""The bracket of a knockout: the pairings, the entrants still in, the round each entrant reached. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from results.pairing import Meeting, Pairing

__all__ = ["MOST_EXTRA", "Bracket", "stages"]

#: The most extra pairs of games after a level tie; if it is still level, the better seed advances.
MOST_EXTRA: Final = 3


def stages(entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int) -> dict[int, int]:
    """The number of rounds that each entrant reached; the winner has one more."""
    bracket = Bracket(entrants, past, rounds=rounds)
    reached = dict.fromkeys(bracket.field, 0)
    for standing in bracket.standing():
        for number in standing:
            reached[number] += 1
    return reached


class Bracket:
    """The bracket as far as the games so far decide it."""

    def __init__(self, entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int) -> None:
        self._present = frozenset(entrants)
        self._rounds = rounds
        self._games: dict[tuple[int, int, int], list[Meeting]] = {}
        for meeting in past:
            low, high = sorted((meeting.pairing.first, meeting.pairing.second))
            self._games.setdefault((meeting.pairing.round, low, high), []).append(meeting)
        self.field = _field(entrants, past)

    def due(self) -> list[Pairing]:
        """The games to play next: what the current round still needs, or else the next round."""
        for number, slots in enumerate(self._slots()):
            if due := [pairing for tie in _ties(slots) for pairing in self._more(number, *tie)]:
                return due
        return []

    def standing(self) -> Iterator[list[int]]:
        """The entrants in each round; the last one is the winner alone if the knockout is over."""
        for slots in self._slots():
            yield [number for number in slots if number is not None]

    def _slots(self) -> Iterator[list[int | None]]:
        """The slots of each round, up to the first round that is not decided; None is an empty slot."""
        size = 1 << max(len(self.field) - 1, 0).bit_length()
        slots = [self.field[seed] if seed < len(self.field) else None for seed in _seeds(size)]
        number = 0
        while True:
            yield slots
            if len(slots) == 1 or any(list(self._more(number, *tie)) for tie in _ties(slots)):
                return
            slots = [self._winner(number, *tie) for tie in _ties(slots)]
            number += 1

    def _winner(self, number: int, one: int | None, two: int | None) -> int | None:
        if one is None or two is None:
            return two if one is None else one
        choice = self._chosen(number, one, two)
        if len(choice) != 2:
            return choice[0] if choice else None
        low, high = sorted(choice)
        return high if self._lead(number, low, high) < 0 else low

    def _chosen(self, number: int, one: int, two: int) -> list[int]:
        """Who of the two can have won the tie.

        An entrant with a pairing in a later round has won it. An entrant that left has not, unless this was the final
        and it was already decided.
        """
        later = {player for (at, *players) in self._games if at > number for player in players}
        if drawn := [player for player in (one, two) if player in later]:
            return drawn
        low, high = sorted((one, two))
        is_final = 2 << number >= len(self.field)
        if is_final and (self._lead(number, low, high) or self._pairs(number, low, high) >= self._rounds + MOST_EXTRA):
            return [one, two]
        return [player for player in (one, two) if player in self._present]

    def _pairs(self, number: int, low: int, high: int) -> int:
        """The number of pairs of games in a tie."""
        return len(self._games.get((number, low, high), [])) // 2

    def _lead(self, number: int, low: int, high: int) -> float:
        """The lead of the better seed in a tie, in points."""
        lead = 0.0
        for meeting in self._games.get((number, low, high), []):
            if meeting.score is not None:
                lead += (2 * meeting.score - 1) * (1 if meeting.pairing.first == low else -1)
        return lead

    def _more(self, number: int, one: int | None, two: int | None) -> Iterator[Pairing]:
        """The games that a tie still needs."""
        if one is None or two is None or len(self._chosen(number, one, two)) != 2:
            return
        low, high = sorted((one, two))
        played = self._pairs(number, low, high)
        wanted = self._rounds - played
        if wanted <= 0:
            wanted = int(self._lead(number, low, high) == 0 and played < self._rounds + MOST_EXTRA)
        for pair in range(played, played + wanted):
            for game, (first, second) in enumerate(((low, high), (high, low)), 2 * pair + 1):
                yield Pairing(
                    f"k{number + 1}.{game}:{first}-{second}", first, second, number, f"k{number}:{low}-{high}:{pair}"
                )


def _ties(slots: Sequence[int | None]) -> Iterator[tuple[int | None, int | None]]:
    return zip(slots[::2], slots[1::2], strict=True) if len(slots) > 1 else iter(())


def _seeds(size: int) -> list[int]:
    """The seeds, from 0, in bracket order: neighbours meet, then the winners of neighbours."""
    seeds = [0]
    while len(seeds) < size:
        seeds = [seed for low in seeds for seed in (low, 2 * len(seeds) - 1 - low)]
    return seeds


def _field(entrants: Sequence[int], past: Sequence[Meeting]) -> list[int]:
    """The entrants of the first round, best seed first."""
    opened = {
        number
        for meeting in past
        if meeting.pairing.round == 0
        for number in (meeting.pairing.first, meeting.pairing.second)
    }
    if not opened:
        return sorted(entrants)
    # Only the best seeds had a bye, so their numbers are below all others. Some of them may have left since.
    drawn = {number for meeting in past for number in (meeting.pairing.first, meeting.pairing.second)}
    seeded = {number for number in drawn.union(entrants) if number < min(opened)}
    gone = [number for number in range(1, min(opened)) if number not in seeded]
    ties = len(opened) // 2
    half = 1 << (ties - 1).bit_length()
    while half - ties < len(seeded):
        half *= 2
    return sorted([*seeded, *gone[: half - ties - len(seeded)], *opened])
