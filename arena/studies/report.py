"""The report of a study: its tables as Markdown, as an HTML page with pictures, and as JSON."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any, Final

from arena.studies.files import write_file
from arena.studies.result import (
    LeaguePartResult,
    MeasurePartResult,
    Meeting,
    PartResult,
    PooledPoint,
    StudyResult,
    TrainingPartResult,
)
from arena.studies.study import MAX_CHARACTERS
from arena.studies.tables import ReportTable, report_tables
from results.pages.curve import CurveMark, Series, curve
from results.pages.page import document, moment, section, shown, table
from results.pages.plot import Mark, plot
from results.text import plain

__all__ = ["as_dict", "html", "markdown", "save"]

_MAX_COLUMN_NAME: Final = 60
#: Characters that Markdown does not show as they are. An underscore within a word is harmless.
_MARKDOWN_SYNTAX: Final = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")


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
        *_curve_sections(result),
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
    return _training_dict(result) if isinstance(result, TrainingPartResult) else _league_dict(result)


def _league_dict(result: LeaguePartResult) -> dict[str, object]:
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


def _training_dict(result: TrainingPartResult) -> dict[str, object]:
    part = result.part
    return {
        "label": part.label,
        "game": part.game,
        "learner": result.learner,
        "minutes": part.minutes,
        "seeds": list(part.seeds),
        "settings": dict(part.settings),
        "variants": {variant.name: dict(variant.settings) for variant in part.variants},
        "points": [_rounded(asdict(point)) for point in result.points],
        "pooled": [_rounded(asdict(point) | {"by_seed": _rounded_list(point.by_seed)}) for point in result.pooled],
    }


def _match_dict(meeting: Meeting) -> dict[str, object]:
    margin = meeting.margin
    margins = {} if margin is None else {f"margin_{margin.unit}": margin.mean, "margin_error": margin.error}
    faults = {"faults_one": meeting.faults_one, "faults_two": meeting.faults_two}
    return _rounded({**meeting.match.as_dict(), **margins, **faults})


def _rounded(values: Mapping[str, Any]) -> dict[str, object]:
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in values.items()}


def _rounded_list(numbers: Sequence[float]) -> list[float]:
    return [round(number, 4) for number in numbers]


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


def _curve_sections(result: StudyResult) -> Iterator[str]:
    """The scores over the CPU time, for training parts with several points: a picture for each variant."""
    for number, training in enumerate(result.trainings, 1):
        part, points = training.part, training.pooled
        if len(part.points) > 1:
            pictures = [
                _curve(variant.name or part.label, [point for point in points if point.variant == variant.name])
                for variant in part.variants
            ]
            note = '<p class="quiet">Points per game against each anchor, over all seeds.</p>'
            yield from section(f"{shown(part.label)}: curve", [*pictures, note], name=f"curve-{number}")


def _curve(title: str, points: Sequence[PooledPoint]) -> str:
    series = [
        Series(anchor, tuple(CurveMark(at.minutes, at.score, at.error) for at in points if at.anchor == anchor))
        for anchor in dict.fromkeys(point.anchor for point in points)
    ]
    picture = curve(series, title=title, x_label="CPU-minutes of self-play and training", y_range=(0.0, 1.0))
    return f"<h3>{shown(title)}</h3>\n{picture}"


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
