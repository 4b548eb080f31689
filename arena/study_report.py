"""The report of a study: one set of tables, written as Markdown, as a page and as JSON."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from arena.study import Finding, LeagueFinding, MeasureFinding, Meeting
from arena.study_file import Study
from arena.version import version
from games import live
from games.base import join_parameters
from results.page import document, moment, section, shown, table
from results.plot import Mark, plot
from results.score import Score
from results.standings import Row, crosstable
from results.text import plain

__all__ = ["Report", "Sheet", "markdown", "page", "sheets", "summary"]

_NOTHING: Final = "–"  # noqa: RUF001
_TEXT: Final = 1000
_NAME: Final = 60
#: Columns that hold words; the others hold numbers.
_WORDS: Final = ("part", "one", "two", "agent", "game", "entrants", "league")
_ERRORS: Final = "Scores are points a game with half of the 95 % interval over the games that differ from each other."


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A study with all that was found, the command that did it, and when."""

    study: Study
    findings: Sequence[Finding]
    command: str
    made: str

    @property
    def leagues(self) -> list[LeagueFinding]:
        """What was played."""
        return [found for found in self.findings if isinstance(found, LeagueFinding)]

    @property
    def measures(self) -> list[MeasureFinding]:
        """What was measured."""
        return [found for found in self.findings if isinstance(found, MeasureFinding)]

    @property
    def form(self) -> str:
        """Which of its forms the study had."""
        return "short form" if self.study.is_short else "full form"

    @property
    def versions(self) -> str:
        """What played."""
        games = dict.fromkeys(str(found.league.settings["game"]) for found in self.leagues)
        rules = {"kernel": "native rules", "python": "rules in Python"}
        names = "".join(f", {name} by its {rules[live(name)]}" for name in games)
        return f"arena {version()}, Python {platform.python_version()} on {platform.machine()}{names}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table, all plain text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(report: Report) -> Iterator[Sheet]:
    """All tables of a report, in their order."""
    if report.leagues:
        yield _meetings(report.leagues)
        yield _firsts(report.leagues)
    for found in report.leagues:
        if len(found.league.entrants) > 2:
            yield _standings(found)
            yield _crosstable(found)
    for measured in report.measures:
        rows = tuple(tuple(map(_value, row)) for row in measured.measured.rows)
        yield Sheet(title=measured.part.label, columns=measured.measured.columns, rows=rows)
    if report.leagues:
        yield _settings(report.leagues)


def markdown(report: Report) -> str:
    """The report as Markdown."""
    from tabulate import tabulate

    study = report.study
    lines = [f"# {_marked(study.title)}", "", f"**Question.** {_marked(study.question)}", ""]
    lines += [f"**Earlier claim.** {_marked(study.claim)}", ""]
    for sheet in sheets(report):
        rows = [[_cell(cell) for cell in row] for row in sheet.rows]
        align = ["left" if name in _WORDS else "right" for name in sheet.columns]
        drawn = tabulate(
            rows, [_cell(name) for name in sheet.columns], tablefmt="github", disable_numparse=True,
            colalign=align if rows else None,
        )  # fmt: skip
        lines += [f"## {_marked(sheet.title)}", "", drawn, ""]
    if report.leagues:
        lines += [_ERRORS, ""]
    date = report.made.partition("T")[0]
    return "\n".join([*lines, f"{date}, {report.form}: `{plain(report.command, _TEXT)}`; {report.versions}.", ""])


def page(report: Report) -> str:
    """The report as an HTML page that needs nothing else."""
    study = report.study
    body = [
        "<header>",
        f"<h1>{shown(study.title)}</h1>",
        f"<p>{report.form}, as of {moment(report.made)}</p>",
        "</header>",
        "<main>",
        *section("Question", [f"<p>{shown(study.question, _TEXT)}</p>"], name="question"),
        *section("Earlier claim", [f"<p>{shown(study.claim, _TEXT)}</p>"], name="claim"),
        *_plots(report),
    ]
    for number, sheet in enumerate(sheets(report), 1):
        columns = [shown(name, _NAME) for name in sheet.columns]
        rows = [[f'<span class="prose">{shown(cell)}</span>' for cell in row] for row in sheet.rows]
        drawn = table(shown(sheet.title), columns, rows, words=_WORDS)
        body += section(shown(sheet.title), [drawn], name=f"table-{number}")
    facts = {"command": report.command, "made with": report.versions, "date": report.made}
    listed = "".join(f"<dt>{name}</dt><dd>{shown(value, _TEXT)}</dd>" for name, value in facts.items())
    notes = [f'<p class="quiet">{shown(_ERRORS)}</p>'] if report.leagues else []
    body += section("How this was made", [*notes, f'<dl class="facts">{listed}</dl>'], name="how")
    return document(study.title, [*body, "</main>"])


def summary(report: Report) -> dict[str, object]:
    """The report as JSON says it."""
    study = report.study
    return {
        "date": report.made.partition("T")[0],
        "study": study.name,
        "title": study.title,
        "form": "short" if study.is_short else "full",
        "command": report.command,
        "versions": report.versions,
        "error": "half of the 95 % interval over the distinct games",
        "parts": [_part(found) for found in report.findings],
    }


def _part(found: Finding) -> dict[str, object]:
    if isinstance(found, MeasureFinding):
        part, measured = found.part, found.measured
        told = {"label": part.label, "module": part.module, "arguments": list(part.arguments)}
        return {**told, "columns": list(measured.columns), "rows": [list(row) for row in measured.rows]}
    settings = found.league.settings
    return {
        "label": found.part.label,
        "league": found.league.name,
        "game": _game(found),
        "time": settings["time"],
        "opening_turns": settings["opening turns"],
        "first": _rounded({"score": found.first.mean, "error": found.first_distinct.error, "games": found.first.games}),
        "matches": [_match(meeting) for meeting in found.meetings],
    }


def _match(meeting: Meeting) -> dict[str, object]:
    margin = meeting.margin
    margins = {} if margin is None else {f"margin_{margin.unit}": margin.mean, "margin_error": margin.error}
    faults = {"faults_one": meeting.faults_one, "faults_two": meeting.faults_two}
    return _rounded({**meeting.match.as_dict(), **margins, **faults})


def _rounded(told: Mapping[str, Any]) -> dict[str, object]:
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in told.items()}


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
    return Sheet(title="Head to head", columns=("part", *columns), rows=rows)


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
    return Sheet(title="First player", columns=("part", "games", "score", "won", "drawn", "lost"), rows=rows)


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
    return Sheet(title=f"{found.part.label}: standings", columns=tuple(columns), rows=rows)


def _crosstable(found: LeagueFinding) -> Sheet:
    ranked = [row.agent for row in found.table.rows]
    points = crosstable([entrant.name for entrant in found.league.entrants], found.table.pairs)
    rows = tuple(
        (str(number), agent, *("×" if other == agent else _scored(points[agent].get(other)) for other in ranked))  # noqa: RUF001
        for number, agent in enumerate(ranked, 1)
    )
    columns = ("#", "agent", *(str(number) for number in range(1, len(ranked) + 1)))
    return Sheet(title=f"{found.part.label}: points of each line against each column", columns=columns, rows=rows)


def _settings(leagues: Sequence[LeagueFinding]) -> Sheet:
    rows = tuple(
        (
            found.part.label, _game(found), f"{found.league.settings['time']:g} s",
            str(found.league.settings["opening turns"]), found.league.name,
        )
        for found in leagues
    )  # fmt: skip
    columns = ("part", "game", "time for a game", "opening turns", "league")
    return Sheet(title="Settings", columns=columns, rows=rows)


def _game(found: LeagueFinding) -> str:
    settings: Mapping[str, Any] = found.league.settings
    return join_parameters(settings["game"], settings["parameters"])


def _plots(report: Report) -> Iterator[str]:
    marks = [
        Mark(found.part.label, result.elo, result.error)
        for found in report.leagues
        if len(found.meetings) == 1
        for result in [found.meetings[0].match.performance]
        if result.elo is not None
    ]
    if len(marks) > 1:
        lines = [plot(marks, title="Elo"), '<p class="quiet">Elo of one above two in each part.</p>']
        yield from section("At a glance", lines, name="glance")


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


def _marked(text: str) -> str:
    """Text that Markdown shows as it is, apart from its own emphasis."""
    return escape(plain(text, _TEXT), quote=False)


def _cell(text: str) -> str:
    return escape(plain(text), quote=False).replace("|", "\\|")
