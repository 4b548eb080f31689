"""The report of a study: tables as plain text, rendered as Markdown, as an HTML page and as JSON."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from arena.studies.files import write_file
from arena.studies.result import LeaguePartResult, MeasurePartResult, Meeting, PartResult, StudyResult
from arena.studies.study import MAX_CHARACTERS
from results.pages.page import document, moment, section, shown, table
from results.pages.plot import Mark, plot
from results.standings.score import Score
from results.standings.table import Row, crosstable
from results.text import plain

__all__ = ["ReportTable", "as_dict", "html", "markdown", "report_tables", "save"]

_EMPTY: Final = "–"  # noqa: RUF001
_TEXT_COLUMNS: Final = ("part", "one", "two", "agent", "game", "league")
_MAX_COLUMN_NAME: Final = 60
#: Characters that Markdown does not show as they are. An underscore within a word is harmless.
_MARKDOWN_SYNTAX: Final = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """One table with a note, all plain text. Columns outside `text_columns` hold numbers and are right-aligned."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: tuple[str, ...] = _TEXT_COLUMNS


def save(result: StudyResult, folder: Path) -> list[Path]:
    """Write the report as NAME.html, NAME.md and NAME.json; return the paths."""
    texts = {"html": html(result), "md": markdown(result), "json": json.dumps(as_dict(result), indent=1) + "\n"}
    paths = [folder / f"{result.name}.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_file(path, text)
    return paths


def markdown(result: StudyResult) -> str:
    """The report as Markdown."""
    from tabulate import tabulate

    study = result.study
    lines = [f"# {_markdown_text(study.title)}", "", f"**Question.** {_markdown_text(study.question)}", ""]
    lines += [f"**Earlier claim.** {_markdown_text(study.claim)}", ""]
    for each in report_tables(result):
        rows = [[_escaped(plain(cell)) for cell in row] for row in each.rows]
        align = ["left" if name in each.text_columns else "right" for name in each.columns]
        drawn = tabulate(
            rows, [_escaped(plain(name)) for name in each.columns], tablefmt="github", disable_numparse=True,
            colalign=align if rows else None,
        )  # fmt: skip
        lines += [f"## {_markdown_text(each.title)}", "", drawn, "", _markdown_text(each.note), ""]
    command = f": {_code(result.command)}" if result.command else ""
    return "\n".join([*lines, f"{result.date}, {result.form}{command}; {result.versions}.", ""])


def html(result: StudyResult) -> str:
    """The report as one HTML page that loads nothing else."""
    study = result.study
    body = [
        "<header>",
        f"<h1>{shown(study.title)}</h1>",
        f"<p>{result.form}, as of {moment(result.finished)}</p>",
        "</header>",
        "<main>",
        *section("Question", [f"<p>{shown(study.question, MAX_CHARACTERS)}</p>"], name="question"),
        *section("Earlier claim", [f"<p>{shown(study.claim, MAX_CHARACTERS)}</p>"], name="claim"),
        *_plot_section(result),
    ]
    for number, each in enumerate(report_tables(result), 1):
        body += section(shown(each.title), [_html_table(each)], name=f"table-{number}")
    facts = {"command": result.command, "made with": result.versions, "date": result.finished}
    items = "".join(f"<dt>{name}</dt><dd>{shown(text, MAX_CHARACTERS)}</dd>" for name, text in facts.items() if text)
    body += section("How this was made", [f'<dl class="facts">{items}</dl>'], name="how")
    return document(study.title, [*body, "</main>"])


def as_dict(result: StudyResult) -> dict[str, object]:
    """The report as a dictionary for JSON."""
    study = result.study
    return {
        "date": result.date,
        "study": study.name,
        "title": study.title,
        "form": "short" if study.is_short else "full",
        "command": result.command,
        "versions": result.versions,
        "error": "half of the 95 % interval over the distinct games",
        "parts": [_part_dict(part) for part in result.parts],
    }


def report_tables(result: StudyResult) -> Iterator[ReportTable]:
    """All tables of a report, in their order."""
    if result.leagues:
        yield _meetings_table(result.leagues)
        yield _first_player_table(result.leagues)
    for league in result.leagues:
        if len(league.league.entrants) > 2:
            yield _standings_table(league)
            yield _crosstable(league)
    yield from map(_measure_table, result.measures)
    if result.leagues:
        yield _settings_table(result.leagues)


def _meetings_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    meetings = [(league.part.label, meeting) for league in leagues for meeting in league.meetings]
    columns: dict[str, Callable[[Meeting], str]] = {
        "one": lambda meeting: meeting.match.one,
        "two": lambda meeting: meeting.match.two,
        "games": lambda meeting: str(meeting.match.overall.games),
        "score of one": lambda meeting: f"{meeting.match.overall.mean:.3f} ± {meeting.match.distinct.error:.3f}",
        "as first": lambda meeting: _mean(meeting.match.as_first),
        "as second": lambda meeting: _mean(meeting.match.as_second),
        "Elo": lambda meeting: meeting.match.elo_text(),
    }
    if any(meeting.match.distinct.games < meeting.match.overall.games for _, meeting in meetings):
        columns["distinct"] = lambda meeting: str(meeting.match.distinct.games)
    if any(meeting.margin for _, meeting in meetings):
        columns["margin"] = _margin
    if any(meeting.faults_one or meeting.faults_two for _, meeting in meetings):
        columns["faults"] = lambda meeting: f"{meeting.faults_one} : {meeting.faults_two}"
    rows = tuple((label, *(column(meeting) for column in columns.values())) for label, meeting in meetings)
    note = (
        "Points per game, ± half of the 95 % interval; games that repeat another one do not narrow it. "
        "Elo is the rating of one minus the rating of two."
    )
    return ReportTable(title="Head to head", note=note, columns=("part", *columns), rows=rows)


def _margin(meeting: Meeting) -> str:
    margin = meeting.margin
    return _EMPTY if margin is None else f"{margin.mean:+.1f} ± {margin.error:.1f} {margin.unit}"


def _first_player_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    rows = tuple(
        (
            league.part.label, str(league.first.games), f"{league.first.mean:.3f} ± {league.first_distinct.error:.3f}",
            str(league.first.wins), str(league.first.draws), str(league.first.losses),
        )
        for league in leagues
    )  # fmt: skip
    columns = ("part", "games", "score", "won", "drawn", "lost")
    note = "The score of all players that moved first."
    return ReportTable(title="First player", note=note, columns=columns, rows=rows)


def _standings_table(league: LeaguePartResult) -> ReportTable:
    columns: dict[str, Callable[[Row], str]] = {
        "#": lambda row: str(row.rank),
        "agent": lambda row: row.agent,
        "points": lambda row: f"{row.points:.1f}",
        "games": lambda row: str(row.games),
        "Elo": lambda row: _EMPTY if row.elo is None else f"{row.elo:+.0f} ± {row.elo_error or 0:.0f}",
        "as first": lambda row: _EMPTY if row.score_first is None else f"{row.score_first:.3f}",
        "as second": lambda row: _EMPTY if row.score_second is None else f"{row.score_second:.3f}",
        "faults": lambda row: str(row.faults),
    }
    rows = tuple(tuple(column(row) for column in columns.values()) for row in league.table.rows)
    note = "Elo relative to the average entrant, ± half of the 95 % interval."
    return ReportTable(title=f"{league.part.label}: standings", note=note, columns=tuple(columns), rows=rows)


def _crosstable(league: LeaguePartResult) -> ReportTable:
    ranked = [row.agent for row in league.table.rows]
    points = crosstable([entrant.name for entrant in league.league.entrants], league.table.pairs)
    rows = tuple(
        (str(number), agent, *("×" if other == agent else _points(points[agent].get(other)) for other in ranked))  # noqa: RUF001
        for number, agent in enumerate(ranked, 1)
    )
    columns = ("#", "agent", *(str(number) for number in range(1, len(ranked) + 1)))
    note = "Points of each row against each column."
    return ReportTable(title=f"{league.part.label}: crosstable", note=note, columns=columns, rows=rows)


def _measure_table(measure: MeasurePartResult) -> ReportTable:
    columns, rows = measure.table.columns, measure.table.rows
    texts = tuple(name for place, name in enumerate(columns) if any(isinstance(row[place], str) for row in rows))
    return ReportTable(
        title=measure.part.label, note=f"Measured by {measure.part.command}.", columns=columns,
        rows=tuple(tuple(map(_value, row)) for row in rows), text_columns=texts,
    )  # fmt: skip


def _settings_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    rows = tuple(
        (
            league.part.label, league.settings.game, f"{league.settings.seconds:g} s",
            str(league.settings.opening_turns), league.league.name,
        )
        for league in leagues
    )  # fmt: skip
    columns = ("part", "game", "time per player", "opening turns", "league")
    note = "To see every game of a league as a page: arena report --league LEAGUE."
    return ReportTable(title="Settings", note=note, columns=columns, rows=rows)


def _mean(score: Score) -> str:
    return f"{score.mean:.3f}" if score.games else _EMPTY


def _points(points: float | None) -> str:
    return _EMPTY if points is None else f"{points:.1f}"


def _value(value: object) -> str:
    if value is None:
        return _EMPTY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)


def _part_dict(result: PartResult) -> dict[str, object]:
    if isinstance(result, MeasurePartResult):
        part, measured = result.part, result.table
        return {
            "label": part.label,
            "module": part.module,
            "arguments": list(part.arguments),
            "columns": list(measured.columns),
            "rows": [list(row) for row in measured.rows],
        }
    first = {"score": result.first.mean, "error": result.first_distinct.error, "games": result.first.games}
    return {
        "label": result.part.label,
        "league": result.league.name,
        "game": result.settings.game,
        "time": result.settings.seconds,
        "opening_turns": result.settings.opening_turns,
        "first": _rounded(first),
        "matches": [_match_dict(meeting) for meeting in result.meetings],
    }


def _match_dict(meeting: Meeting) -> dict[str, object]:
    margin = meeting.margin
    margins = {} if margin is None else {f"margin_{margin.unit}": margin.mean, "margin_error": margin.error}
    faults = {"faults_one": meeting.faults_one, "faults_two": meeting.faults_two}
    return _rounded({**meeting.match.as_dict(), **margins, **faults})


def _rounded(values: Mapping[str, Any]) -> dict[str, object]:
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in values.items()}


def _plot_section(result: StudyResult) -> Iterator[str]:
    marks = [
        Mark(league.part.label, performance.elo, performance.error)
        for league in result.leagues
        if len(league.meetings) == 1
        for performance in [league.meetings[0].match.performance]
        if performance.elo is not None and performance.error is not None
    ]
    if len(marks) > 1:
        lines = [plot(marks, title="Elo"), '<p class="quiet">Elo of one above two in each part.</p>']
        yield from section("At a glance", lines, name="glance")


def _html_table(each: ReportTable) -> str:
    rows = [
        [
            f'<span class="prose">{_breakable(shown(cell))}</span>' if name in each.text_columns else shown(cell)
            for name, cell in zip(each.columns, row, strict=True)
        ]
        for row in each.rows
    ]
    columns, texts = ([shown(name, _MAX_COLUMN_NAME) for name in names] for names in (each.columns, each.text_columns))
    return table(shown(each.note), columns, rows, words=texts)


def _breakable(escaped: str) -> str:
    """Allow a line break within the options of an entrant."""
    return escaped.replace(":", ":<wbr>").replace(",", ",<wbr>")


def _markdown_text(text: str) -> str:
    return _escaped(plain(text, MAX_CHARACTERS))


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN_SYNTAX.sub(r"\\\g<0>", escape(text, quote=False))


def _code(text: str) -> str:
    """Text as code, between more backticks than it contains in a row."""
    visible = plain(text, MAX_CHARACTERS)
    fence = "`" * (1 + max(map(len, re.findall("`+", visible)), default=0))
    gap = " " if len(fence) > 1 else ""
    return f"{fence}{gap}{visible}{gap}{fence}"
