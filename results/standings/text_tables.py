"""Standings as text tables, CSV and JSON."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from results.pairing import RATED
from results.standings.recent_form import RECENT_GAMES
from results.standings.table import Row, decided_by
from results.text import cell, display_width, plain

__all__ = ["Style", "crosstable_text", "row_dict", "standings_csv", "standings_json", "standings_text"]

Style: TypeAlias = Literal["table", "markdown"]

_FORMATS: Final[Mapping[Style, str]] = {"table": "simple", "markdown": "github"}
#: A wider table gets narrow gaps between its columns.
_WIDTH: Final = 80
#: Columns that a table for a narrow terminal leaves out, the first ones first.
_LEFT_OUT: Final = ("SB", "BH", "second", "first", "±", "Elo", "D", "L", "W", "faults", "games", "round")
#: The same where ratings decide.
_LEFT_OUT_RATED: Final = ("D", "L", "W", "CPU", "faults", "trend", "games")
_NAME_LIMIT: Final = 40
_NOTHING: Final = "-"
#: The deciding tie-break is named for this many places from the top.
_TIES: Final = 5


def standings_text(
    rows: Sequence[Row],
    *,
    style: Style = "table",
    format: str = "round-robin",  # noqa: A002 - as everywhere
    width: int | None = None,
) -> str:
    """The standings as a table for a terminal or as Markdown, with notes below it.

    Ratings are shown if there are any. The tie-break column is the most important one of the format. A text
    table that is wider than `width` loses columns.
    """
    columns = _columns(style, rated=any(row.elo is not None for row in rows), format=format)
    drawn = _drawn_rows(rows, columns, style=style, width=width)
    for header in _LEFT_OUT_RATED if format in RATED else _LEFT_OUT:
        if width is None or style == "markdown" or display_width(drawn.partition("\n")[0]) <= width:
            break
        columns.pop(header, None)
        drawn = _drawn_rows(rows, columns, style=style, width=width)
    notes = list(_notes(rows, style, format))
    return "\n".join([drawn, "", *_listed(notes, style)]) if notes else drawn


def _drawn_rows(
    rows: Sequence[Row], columns: Mapping[str, Callable[[Row], str]], *, style: Style, width: int | None
) -> str:
    lines = [[shown(row) for shown in columns.values()] for row in rows]
    return _drawn(list(columns), lines, style=style, width=min(width or _WIDTH, _WIDTH))


def _notes(rows: Sequence[Row], style: Style, format: str) -> Iterator[str]:  # noqa: A002 - as everywhere
    """Facts that the columns do not show."""
    sharing = [row for row in rows if row.cpu_share is not None and not row.status]
    if format in RATED and sharing:
        yield (
            f"trend: Elo of the last {RECENT_GAMES} games above the rating; CPU: share of the last games "
            f"(an equal share is {100 / len(sharing):.0f} %)"
        )
    if awarded := [f"{_name(row.agent, style)} {_points(row.awarded)}" for row in rows if row.awarded]:
        yield f"points without a game: {', '.join(awarded)}"
    for upper, lower in [] if format in RATED else list(pairwise(rows))[:_TIES]:
        if decider := decided_by(upper, lower, format=format):
            yield f"{_name(upper.agent, style)} is ahead of {_name(lower.agent, style)} by {decider}"
    for row in rows:
        if row.status:
            counted = "its games still count" if row.games or row.awarded else "its games do not count"
            why = f" ({plain(row.why)})" if row.why else ""
            yield f"{_name(row.agent, style)} was {row.status}{why}; {counted}"


def _columns(style: Style, *, rated: bool, format: str) -> dict[str, Callable[[Row], str]]:  # noqa: A002
    """The headers, each with the function that gives its cell for a row."""
    columns: dict[str, Callable[[Row], str]] = {
        "#": lambda row: str(row.rank),
        "agent": lambda row: f"{_name(row.agent, style)} ({row.status})" if row.status else _name(row.agent, style),
        "points": lambda row: _points(row.points),
        "games": lambda row: str(row.games),
        "W": lambda row: str(row.wins),
        "D": lambda row: str(row.draws),
        "L": lambda row: str(row.losses),
        "faults": lambda row: str(row.faults),
    }
    if format in RATED:
        return _rated_columns(columns)
    if rated:
        columns |= {"Elo": lambda row: _whole(row.elo), "±": lambda row: _whole(row.elo_error)}
    columns |= {"first": lambda row: _average(row.score_first), "second": lambda row: _average(row.score_second)}
    if format == "knockout":
        columns = {"round": lambda row: str(row.stage), **columns}
        columns = {"#": columns.pop("#"), "agent": columns.pop("agent"), **columns}
    if format == "swiss":
        return columns | {"BH": lambda row: _points(row.buchholz)}
    return columns | {"SB": lambda row: f"{row.sonneborn_berger:.2f}"}


def _rated_columns(usual: Mapping[str, Callable[[Row], str]]) -> dict[str, Callable[[Row], str]]:
    """The columns of a ladder: the rating, its error, the trend, and the share of CPU time."""
    return {
        "#": usual["#"], "agent": usual["agent"],
        "Elo": lambda row: _whole(row.elo), "±": lambda row: _whole(row.elo_error),
        "games": usual["games"],
        "trend": lambda row: _NOTHING if row.trend is None else f"{row.trend:+.0f}",
        "W": usual["W"], "D": usual["D"], "L": usual["L"], "faults": usual["faults"],
        "CPU": lambda row: _NOTHING if row.cpu_share is None else f"{100 * row.cpu_share:.0f} %",
    }  # fmt: skip


def _listed(notes: Sequence[str], style: Style) -> list[str]:
    return [f"- {note}" for note in notes] if style == "markdown" else list(notes)


def crosstable_text(rows: Sequence[Row], table: Mapping[str, Mapping[str, float]], *, style: Style = "table") -> str:
    """Points of each agent against each other agent, in the order of the standings."""
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
    """The standings as CSV with a header line; unknown values are empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row_dict(row).items()} for row in rows)
    return out.getvalue()


def standings_json(rows: Sequence[Row]) -> str:
    """The standings as a JSON list, best first."""
    return json.dumps([row_dict(row) for row in rows], indent=2)


def row_dict(row: Row) -> dict[str, object]:
    """A row for JSON and CSV; floats are rounded to six digits."""
    return {name: round(value, 6) + 0.0 if isinstance(value, float) else value for name, value in asdict(row).items()}


def _cell(table: Mapping[str, Mapping[str, float]], *, row: str, column: str) -> str:
    if row == column:
        return "x"
    points = table[row].get(column)
    return _NOTHING if points is None else _points(points)


def _drawn(headers: Sequence[str], lines: Sequence[Sequence[str]], *, style: Style, width: int = _WIDTH) -> str:
    import tabulate

    align = ["left" if header == "agent" else "right" for header in headers]
    gap = tabulate.DataRow("", " ", "")
    narrow = tabulate.TableFormat(None, tabulate.Line("", "-", " ", ""), None, None, gap, gap, 0, None)
    text = ""
    padding = tabulate.MIN_PADDING
    tabulate.MIN_PADDING = 0  # a table with ten numbers must fit into 80 columns
    try:
        for form in (_FORMATS[style], narrow):
            # Without rows tabulate has no columns to align.
            text = tabulate.tabulate(
                lines, headers, tablefmt=form, disable_numparse=True, colalign=align if lines else None
            )
            if style == "markdown" or display_width(text.partition("\n")[0]) <= width:
                break
    finally:
        tabulate.MIN_PADDING = padding
    return text


def _name(agent: str, style: Style) -> str:
    name = plain(agent, _NAME_LIMIT)
    return name.replace("|", "\\|") if style == "markdown" else name


def _points(points: float) -> str:
    return f"{points:.1f}"


def _average(score: float | None) -> str:
    return _NOTHING if score is None else f"{score:.3f}"


def _whole(number: float | None) -> str:
    return _NOTHING if number is None else str(round(number))
