"""Curves over time as an SVG picture: several series, each point with an error bar if it has an error."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from results.pages.page import shown

__all__ = ["CurveMark", "Series", "curve"]

_WIDTH: Final = 640
_HEIGHT: Final = 280
_LEFT: Final = 56
_RIGHT: Final = 12
_TOP: Final = 12
_BOTTOM: Final = 40
#: The style sheet has a class for each colour.
_COLORS: Final = 7
#: The longest name that fits into a third of the legend.
_NAME: Final = 22


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A point of a curve; the error is half the width of its interval."""

    x: float
    y: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve."""

    name: str
    marks: tuple[CurveMark, ...]


def curve(series: Sequence[Series], *, title: str, x_label: str, y_range: tuple[float, float] | None = None) -> str:
    """The picture; all numbers must be finite. Names and labels are plain text; empty without points."""
    marks = [mark for one in series for mark in one.marks]
    if not marks:
        return ""
    low, high = y_range or (min(mark.y - mark.error for mark in marks), max(mark.y + mark.error for mark in marks))
    axes = _Axes(_ticks(0.0, max(mark.x for mark in marks)), _ticks(low, high))
    spoken = "; ".join(f"{one.name}: {one.marks[-1].y:.3g} at {one.marks[-1].x:.3g}" for one in series if one.marks)
    height = _HEIGHT + 20 * math.ceil(len(series) / 3)
    lines = [
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{shown(title)}: {shown(spoken, 20_000)}">',
        *axes.grid(x_label),
    ]
    for number, one in enumerate(series):
        lines += _drawn(one, axes, f"c{number % _COLORS}")
        lines += _legend(one.name, number)
    return "\n".join([*lines, "</svg>"])


@dataclass(frozen=True, slots=True)
class _Axes:
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]

    def x(self, value: float) -> float:
        share = (value - self.x_ticks[0]) / (self.x_ticks[-1] - self.x_ticks[0])
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.y_ticks[0]) / (self.y_ticks[-1] - self.y_ticks[0])
        return round(_HEIGHT - _BOTTOM - min(max(share, 0.0), 1.0) * (_HEIGHT - _TOP - _BOTTOM), 1)

    def grid(self, x_label: str) -> Iterator[str]:
        for tick in self.y_ticks:
            y = self.y(tick)
            yield f'<path class="grid" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>'
            yield f'<text class="quiet" x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">{tick:.6g}</text>'
        for tick in self.x_ticks:
            yield (
                f'<text class="quiet" x="{self.x(tick)}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
                f"{tick:.6g}</text>"
            )
        yield f'<text class="quiet" x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 8}" text-anchor="end">{shown(x_label)}</text>'


def _drawn(one: Series, axes: _Axes, color: str) -> Iterator[str]:
    places = [(axes.x(mark.x), axes.y(mark.y)) for mark in one.marks]
    path = "M" + "L".join(f"{x} {y}" for x, y in places) if places else ""
    yield f'<path class="series {color}" d="{path}"/>'
    has_errors = any(mark.error for mark in one.marks)
    for mark, (x, y) in zip(one.marks, places, strict=True):
        if mark.error:
            top, bottom = axes.y(mark.y + mark.error), axes.y(mark.y - mark.error)
            yield f'<path class="spread {color}" d="M{x} {top}V{bottom}"/>'
        if has_errors or len(places) == 1:
            yield f'<circle class="{color}" cx="{x}" cy="{y}" r="3"/>'


def _legend(name: str, number: int) -> Iterator[str]:
    x, y = _LEFT + 196 * (number % 3), _HEIGHT + 10 + 20 * (number // 3)
    yield f'<path class="series c{number % _COLORS}" d="M{x} {y}h18"/>'
    yield f'<text x="{x + 24}" y="{y + 4}">{shown(name, _NAME)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Three to eight round numbers that span the values."""
    span = (high - low) or abs(high) or 1.0
    step: float = 10.0 ** math.floor(math.log10(span / 2))
    step = next(step * factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, max(last, first + 1) + 1)]
