"""What the players of a game claimed, turn by turn: values as a graph, and where the two disagree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

from results.notation.replay import seat_of
from results.pages.page import shown
from results.record import GameRecord, Seat

__all__ = ["DISAGREE", "Claimed", "claimed", "disagreements", "graph"]

#: Two players disagree if their values differ by more than this.
DISAGREE: Final = 0.25
_WIDTH: Final = 480
_HEIGHT: Final = 200
_LEFT: Final = 40
_RIGHT: Final = 12
_TOP: Final = 10
_BOTTOM: Final = 34
_NAME: Final = 26
_LISTED: Final = 12
#: A long game has a line without circles; of a very long one not every value is drawn.
_MOST_CIRCLES: Final = 100
_MOST_DRAWN: Final = 1000


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a player claimed about its move of this turn: the expected score of first, from 0 to 1."""

    turn: int
    seat: Seat
    first: float

    @classmethod
    def of(cls, turn: int, seat: Seat, value: float) -> Self:
        """The claim of a player about its own expected score."""
        return cls(turn, seat, value if seat == "first" else 1 - value)


def claimed(record: GameRecord) -> list[Claimed]:
    """The values that were stored with a game."""
    return [
        Claimed.of(claim.turn, seat_of(record, claim.turn), claim.value)
        for claim in record.claims
        if claim.value is not None and claim.turn <= record.turns + 1
    ]


def disagreements(values: Sequence[Claimed]) -> list[tuple[int, float]]:
    """The turns whose player judges differently from the player of the turn before, and by how much."""
    return [
        (after.turn, abs(after.first - before.first))
        for before, after in pairwise(values)
        if after.turn == before.turn + 1 and after.seat != before.seat and abs(after.first - before.first) > DISAGREE
    ]


def graph(values: Sequence[Claimed], *, names: tuple[str, str], turns: int) -> list[str]:
    """The graph as HTML, with links to the turns where the players disagree; nothing without values."""
    if not values:
        return []
    apart = disagreements(values)
    axes = _Axes(max(turns, values[-1].turn, 1))
    spoken = "; ".join(
        f"{name}: {last.first:.2f} at turn {last.turn}"
        for seat, name in zip(("first", "second"), names, strict=True)
        if (last := next((one for one in reversed(values) if one.seat == seat), None)) is not None
    )
    return [
        f'<svg class="plot evaluation" viewBox="0 0 {_WIDTH} {_HEIGHT + 24}" role="img" data-left="{_LEFT}" '
        f'data-step="{axes.x(1) - _LEFT:.2f}" '
        f'aria-label="{shown(f"Expected score of first, as claimed. {spoken}", 1000)}">',
        *axes.grid(),
        *(axes.band(turn) for turn, _ in apart[:_MOST_CIRCLES]),
        *axes.line(values, "first", "c0"),
        *axes.line(values, "second", "c1"),
        f'<line class="now" x1="{axes.x(turns)}" x2="{axes.x(turns)}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>',
        *_legend(names),
        "</svg>",
        *_where(apart),
    ]


def _where(apart: Sequence[tuple[int, float]]) -> Iterator[str]:
    if apart:
        largest = sorted(sorted(apart, key=lambda one: -one[1])[:_LISTED])
        links = (f'<a href="#turn-{turn}">turn {turn}</a> ({difference:.2f} apart)' for turn, difference in largest)
        yield f"<p>The players disagree: {', '.join(links)}</p>"


@dataclass(frozen=True, slots=True)
class _Axes:
    turns: int

    def x(self, turn: float) -> float:
        return round(_LEFT + turn / self.turns * (_WIDTH - _LEFT - _RIGHT), 1)

    @staticmethod
    def y(value: float) -> float:
        return round(_TOP + (1 - value) * (_HEIGHT - _TOP - _BOTTOM), 1)

    def grid(self) -> Iterator[str]:
        for value in (0.0, 0.5, 1.0):
            yield f'<path class="grid" d="M{_LEFT} {self.y(value)}H{_WIDTH - _RIGHT}"/>'
            yield f'<text class="quiet" x="{_LEFT - 6}" y="{self.y(value) + 4:g}" text-anchor="end">{value:g}</text>'
        step = max(1, round(self.turns / 6))
        for turn in range(0, self.turns + 1, step):
            y = _HEIGHT - _BOTTOM + 16
            yield f'<text class="quiet" x="{self.x(turn)}" y="{y}" text-anchor="middle">{turn}</text>'

    def band(self, turn: int) -> str:
        """Where the players disagree."""
        left, right = self.x(turn - 1), self.x(turn)
        height = _HEIGHT - _TOP - _BOTTOM
        return f'<rect class="apart" x="{left}" y="{_TOP}" width="{max(right - left, 2):.1f}" height="{height}"/>'

    def line(self, values: Sequence[Claimed], seat: Seat, color: str) -> Iterator[str]:
        places = [(self.x(one.turn), self.y(one.first)) for one in values if one.seat == seat]
        places = places[:: -(-len(places) // _MOST_DRAWN) or 1]
        if places:
            yield f'<path class="series {color}" d="M{"L".join(f"{x} {y}" for x, y in places)}"/>'
            if len(places) <= _MOST_CIRCLES:
                yield from (f'<circle class="{color}" cx="{x}" cy="{y}" r="2.5"/>' for x, y in places)


def _legend(names: tuple[str, str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x, y = _LEFT + 220 * number, _HEIGHT + 10
        yield f'<path class="series c{number}" d="M{x} {y}h18"/>'
        yield f'<text x="{x + 24}" y="{y + 4}">{shown(name, _NAME)}</text>'
