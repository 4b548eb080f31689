"""Standings as people and programs read them."""

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Final, Literal, TypeAlias

from results.standings import Row
from results.text import plain

__all__ = ["Style", "crosstable_text", "standings_csv", "standings_json", "standings_text"]

Style: TypeAlias = Literal["table", "markdown"]

_FORMATS: Final[Mapping[Style, str]] = {"table": "simple", "markdown": "github"}
_COLUMNS: Final = (
    "#", "agent", "points", "games", "W", "D", "L", "faults", "first", "second", "direct", "SB",
)  # fmt: skip
_NAME_LIMIT: Final = 40
_NOTHING: Final = "-"


def standings_text(rows: Sequence[Row], *, style: Style = "table") -> str:
    """The standings as a table for a terminal or a page."""
    points = Counter(row.points for row in rows)
    lines = [
        [
            str(row.rank),
            _name(row.agent, style),
            _points(row.points),
            str(row.games),
            str(row.wins),
            str(row.draws),
            str(row.losses),
            str(row.faults),
            _average(row.score_first),
            _average(row.score_second),
            _points(row.direct) if points[row.points] > 1 else _NOTHING,
            f"{row.sonneborn_berger:.2f}",
        ]
        for row in rows
    ]
    return _drawn(_COLUMNS, lines, style=style)


def crosstable_text(rows: Sequence[Row], table: Mapping[str, Mapping[str, float]], *, style: Style = "table") -> str:
    """Points of each agent against each other one, both in the order of the standings."""
    headers = ["#", "agent", *(str(number) for number in range(1, len(rows) + 1)), "points"]
    lines = [
        [
            str(number),
            _name(row.agent, style),
            *(_cell(table, row=row.agent, column=other.agent) for other in rows),
            _points(row.points),
        ]
        for number, row in enumerate(rows, 1)
    ]
    return _drawn(headers, lines, style=style)


def standings_csv(rows: Sequence[Row]) -> str:
    """The standings as CSV with a header line; what is unknown is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return out.getvalue()


def standings_json(rows: Sequence[Row]) -> str:
    """The standings as a JSON list, best first."""
    return json.dumps([asdict(row) for row in rows], indent=2)


def _cell(table: Mapping[str, Mapping[str, float]], *, row: str, column: str) -> str:
    if row == column:
        return "x"
    points = table[row].get(column)
    return _NOTHING if points is None else _points(points)


def _drawn(headers: Sequence[str], lines: Sequence[Sequence[str]], *, style: Style) -> str:
    import tabulate

    tabulate.MIN_PADDING = 0  # a table of ten numbers must fit into 80 columns
    align = ["left" if header == "agent" else "right" for header in headers]
    # Without lines tabulate has no columns to align.
    return tabulate.tabulate(
        lines, headers, tablefmt=_FORMATS[style], disable_numparse=True, colalign=align if lines else None
    )


def _name(agent: str, style: Style) -> str:
    name = plain(agent, _NAME_LIMIT)
    return name.replace("|", "\\|") if style == "markdown" else name


def _points(points: float) -> str:
    return f"{points:.1f}"


def _average(score: float | None) -> str:
    return _NOTHING if score is None else f"{score:.3f}"
