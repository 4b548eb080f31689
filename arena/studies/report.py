"""The report of a study as Markdown, as a page and as JSON."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from arena.studies.file import MOST_CHARACTERS
from arena.studies.sheets import Sheet, sheets
from arena.studies.study import Finding, MeasureFinding, Meeting, Report
from results.pages.page import document, moment, section, shown, table
from results.pages.plot import Mark, plot
from results.text import plain

__all__ = ["markdown", "page", "summary"]

_TEXT: Final = MOST_CHARACTERS
_NAME: Final = 60
#: What Markdown takes for more than text. Within a word an underscore is one.
_LIVE: Final = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")


def markdown(report: Report) -> str:
    """The report as Markdown."""
    from tabulate import tabulate

    study = report.study
    lines = [f"# {_marked(study.title)}", "", f"**Question.** {_marked(study.question)}", ""]
    lines += [f"**Earlier claim.** {_marked(study.claim)}", ""]
    for sheet in sheets(report):
        rows = [[_cell(cell) for cell in row] for row in sheet.rows]
        align = ["left" if name in sheet.words else "right" for name in sheet.columns]
        drawn = tabulate(
            rows, [_cell(name) for name in sheet.columns], tablefmt="github", disable_numparse=True,
            colalign=align if rows else None,
        )  # fmt: skip
        lines += [f"## {_marked(sheet.title)}", "", drawn, "", _marked(sheet.note), ""]
    date = report.made.partition("T")[0]
    return "\n".join([*lines, f"{date}, {report.form}: {_code(report.command)}; {report.versions}.", ""])


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
        body += section(shown(sheet.title), [_table(sheet)], name=f"table-{number}")
    facts = {"command": report.command, "made with": report.versions, "date": report.made}
    listed = "".join(f"<dt>{name}</dt><dd>{shown(value, _TEXT)}</dd>" for name, value in facts.items())
    body += section("How this was made", [f'<dl class="facts">{listed}</dl>'], name="how")
    return document(study.title, [*body, "</main>"])


def _table(sheet: Sheet) -> str:
    rows = [
        [
            f'<span class="prose">{_breakable(shown(cell))}</span>' if name in sheet.words else shown(cell)
            for name, cell in zip(sheet.columns, row, strict=True)
        ]
        for row in sheet.rows
    ]
    columns, words = ([shown(name, _NAME) for name in names] for names in (sheet.columns, sheet.words))
    return table(shown(sheet.note), columns, rows, words=words)


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
        "game": found.game,
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


def _plots(report: Report) -> Iterator[str]:
    marks = [
        Mark(found.part.label, result.elo, result.error)
        for found in report.leagues
        if len(found.meetings) == 1
        for result in [found.meetings[0].match.performance]
        if result.elo is not None and result.error is not None
    ]
    if len(marks) > 1:
        lines = [plot(marks, title="Elo"), '<p class="quiet">Elo of one above two in each part.</p>']
        yield from section("At a glance", lines, name="glance")


def _breakable(html: str) -> str:
    """Entrants with many options may go on in the next line."""
    return html.replace(":", ":<wbr>").replace(",", ",<wbr>")


def _marked(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _dead(plain(text, _TEXT))


def _cell(text: str) -> str:
    return _dead(plain(text))


def _dead(text: str) -> str:
    return _LIVE.sub(r"\\\g<0>", escape(text, quote=False))


def _code(text: str) -> str:
    """Text as code, between more backticks than stand together in it."""
    shown_text = plain(text, _TEXT)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown_text)), default=0))
    gap = " " if len(fence) > 1 else ""
    return f"{fence}{gap}{shown_text}{gap}{fence}"
