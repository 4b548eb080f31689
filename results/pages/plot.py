"""Numbers with error bars as an SVG picture."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from results.pages.page import shown

__all__ = ["Mark", "Plot", "plot", "standalone_plot"]

_WIDTH: Final = 560
_ROW: Final = 26
_LEFT: Final = 180
_RIGHT: Final = 100
_NAME: Final = 20
#: The style of a plot outside our pages, which have a style of their own.
_STYLE: Final = (
    "<style>.plot text{fill:currentColor;font:13px sans-serif}.plot .grid{stroke:#999;stroke-opacity:.4}"
    ".plot .error{stroke:#2563a8;stroke-width:2}.plot circle{fill:#2563a8}</style>"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A named number with its error (half the width of its interval), or None if the error is unknown."""

    name: str
    value: float
    error: float | None = None

    @property
    def reach(self) -> float:
        """The length of the error bar on each side."""
        return self.error if self.error is not None and math.isfinite(self.error) else 0.0


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture that a notebook shows."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def standalone_plot(marks: Sequence[Mark], *, title: str) -> Plot:
    """The same picture as `plot`, with its style inside."""
    head, _, rest = plot(marks, title=title).partition("\n")
    return Plot(f"{head}\n{_STYLE}\n{rest}")


def plot(marks: Sequence[Mark], *, title: str) -> str:
    """One row per mark, in the given order. All values must be finite; the title is plain text."""
    low = min((mark.value - mark.reach for mark in marks), default=0.0)
    high = max((mark.value + mark.reach for mark in marks), default=0.0)
    ticks = _ticks(low, high)
    height = _ROW * (len(marks) + 1) + 8
    spoken = "; ".join(f"{mark.name}: {_label(mark)}" for mark in marks)
    lines = [
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{shown(title)}: {shown(spoken, 20_000)}">'
    ]
    lines += _grid(ticks, height)
    for number, mark in enumerate(marks):
        lines += _line(mark, ticks, y=_ROW * number + _ROW / 2)
    return "\n".join([*lines, "</svg>"])


def _line(mark: Mark, ticks: Sequence[float], *, y: float) -> Iterator[str]:
    x = _x(mark.value, ticks)
    yield f'<text x="{_LEFT - 12}" y="{y + 4:g}" text-anchor="end">{shown(mark.name, _NAME)}</text>'
    if mark.reach:
        left, right = _x(mark.value - mark.reach, ticks), _x(mark.value + mark.reach, ticks)
        yield f'<path class="error" d="M{left} {y - 4:g}v8M{left} {y:g}H{right}M{right} {y - 4:g}v8"/>'
    yield f'<circle cx="{x}" cy="{y:g}" r="4.5"/>'
    yield f'<text x="{_WIDTH - 4}" y="{y + 4:g}" text-anchor="end">{_label(mark)}</text>'


def _grid(ticks: Sequence[float], height: int) -> Iterator[str]:
    for tick in ticks:
        x = _x(tick, ticks)
        yield f'<path class="grid" d="M{x} 0V{height - 22}"/>'
        yield f'<text class="quiet" x="{x}" y="{height - 6}" text-anchor="middle">{tick:.10g}</text>'


def _x(value: float, ticks: Sequence[float]) -> float:
    share = (value - ticks[0]) / (ticks[-1] - ticks[0])
    return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)


def _ticks(low: float, high: float) -> list[float]:
    """Four to nine round numbers that span everything drawn."""
    span = max(high - low, 1.0)
    step = 10 ** math.floor(math.log10(span / 2))
    step = next(step * factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, max(last, first + 1) + 1)]


def _label(mark: Mark) -> str:
    return f"{mark.value:.0f} ± {mark.reach:.0f}" if mark.reach else f"{mark.value:.0f}"
