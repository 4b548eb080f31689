"""The tables of a study's report, all plain text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.studies.study import LeagueFinding, MeasureFinding, Meeting, Report
from results.standings.score import Score
from results.standings.standings import Row, crosstable

__all__ = ["Sheet", "sheets"]

_NOTHING: Final = "–"  # noqa: RUF001
_WORDS: Final = ("part", "one", "two", "agent", "game", "league")
_ERRORS: Final = "Points a game, ± half of the 95 % interval over the games that differ from each other."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table and a note on it, all plain text; columns not among `words` hold numbers."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = _WORDS


def sheets(report: Report) -> Iterator[Sheet]:
    """All tables of a report, in their order."""
    if report.leagues:
        yield _meetings(report.leagues)
        yield _firsts(report.leagues)
    for found in report.leagues:
        if len(found.league.entrants) > 2:
            yield _standings(found)
            yield _crosstable(found)
    yield from map(_measured, report.measures)
    if report.leagues:
        yield _settings(report.leagues)


def _meetings(leagues: Sequence[LeagueFinding]) -> Sheet:
    met = [(found.part.label, meeting) for found in leagues for meeting in found.meetings]
    columns: dict[str, Callable[[Meeting], str]] = {
        "one": lambda meeting: meeting.match.one,
        "two": lambda meeting: meeting.match.two,
        "games": lambda meeting: str(meeting.match.overall.games),
        "score of one": lambda meeting: f"{meeting.match.overall.mean:.3f} ± {meeting.match.distinct.error:.3f}",
        "as first": lambda meeting: _mean(meeting.match.as_first),
        "as second": lambda meeting: _mean(meeting.match.as_second),
        "Elo": lambda meeting: meeting.match.elo_text().partition(", too")[0],
    }
    if any(meeting.match.distinct.games < meeting.match.overall.games for _, meeting in met):
        columns["distinct"] = lambda meeting: str(meeting.match.distinct.games)
    if any(meeting.margin for _, meeting in met):
        columns["margin"] = _margin
    if any(meeting.faults_one or meeting.faults_two for _, meeting in met):
        columns["faults"] = lambda meeting: f"{meeting.faults_one} : {meeting.faults_two}"
    rows = tuple((label, *(told(meeting) for told in columns.values())) for label, meeting in met)
    note = f"{_ERRORS} Elo is what one has more than two."
    return Sheet(title="Head to head", note=note, columns=("part", *columns), rows=rows)


def _margin(meeting: Meeting) -> str:
    found = meeting.margin
    return _NOTHING if found is None else f"{found.mean:+.1f} ± {found.error:.1f} {found.unit}"


def _firsts(leagues: Sequence[LeagueFinding]) -> Sheet:
    rows = tuple(
        (
            found.part.label, str(found.first.games), f"{found.first.mean:.3f} ± {found.first_distinct.error:.3f}",
            str(found.first.wins), str(found.first.draws), str(found.first.losses),
        )
        for found in leagues
    )  # fmt: skip
    columns = ("part", "games", "score", "won", "drawn", "lost")
    return Sheet(title="First player", note="What all who moved first scored.", columns=columns, rows=rows)


def _standings(found: LeagueFinding) -> Sheet:
    columns: dict[str, Callable[[Row], str]] = {
        "#": lambda row: str(row.rank),
        "agent": lambda row: row.agent,
        "points": lambda row: f"{row.points:.1f}",
        "games": lambda row: str(row.games),
        "Elo": lambda row: _NOTHING if row.elo is None else f"{row.elo:+.0f} ± {row.elo_error or 0:.0f}",
        "as first": lambda row: _NOTHING if row.score_first is None else f"{row.score_first:.3f}",
        "as second": lambda row: _NOTHING if row.score_second is None else f"{row.score_second:.3f}",
        "faults": lambda row: str(row.faults),
    }
    rows = tuple(tuple(told(row) for told in columns.values()) for row in found.table.rows)
    note = "Elo above the average of all, ± half of the 95 % interval."
    return Sheet(title=f"{found.part.label}: standings", note=note, columns=tuple(columns), rows=rows)


def _crosstable(found: LeagueFinding) -> Sheet:
    ranked = [row.agent for row in found.table.rows]
    points = crosstable([entrant.name for entrant in found.league.entrants], found.table.pairs)
    rows = tuple(
        (str(number), agent, *("×" if other == agent else _scored(points[agent].get(other)) for other in ranked))  # noqa: RUF001
        for number, agent in enumerate(ranked, 1)
    )
    columns = ("#", "agent", *(str(number) for number in range(1, len(ranked) + 1)))
    note = "Points of each line against each column."
    return Sheet(title=f"{found.part.label}: crosstable", note=note, columns=columns, rows=rows)


def _measured(found: MeasureFinding) -> Sheet:
    columns, rows = found.measured.columns, found.measured.rows
    words = (name for place, name in enumerate(columns) if any(isinstance(row[place], str) for row in rows))
    shown_rows = tuple(tuple(map(_value, row)) for row in rows)
    note = f"Measured by {' '.join([found.part.module, *found.part.arguments])}."
    return Sheet(title=found.part.label, note=note, columns=columns, rows=shown_rows, words=tuple(words))


def _settings(leagues: Sequence[LeagueFinding]) -> Sheet:
    rows = tuple(
        (
            found.part.label, found.game, f"{found.league.settings['time']:g} s",
            str(found.league.settings["opening turns"]), found.league.name,
        )
        for found in leagues
    )  # fmt: skip
    columns = ("part", "game", "time for a game", "opening turns", "league")
    note = "Every game can be seen: arena report --league LEAGUE makes a page of them."
    return Sheet(title="Settings", note=note, columns=columns, rows=rows)


def _mean(score: Score) -> str:
    return f"{score.mean:.3f}" if score.games else _NOTHING


def _scored(points: float | None) -> str:
    return _NOTHING if points is None else f"{points:.1f}"


def _value(value: object) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4g}" if isinstance(value, float) and abs(value) < 1e4 else _long(value)


def _long(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, float) else str(value)
