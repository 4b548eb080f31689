"""The pages of studies: what they ask, and the reports in the folder `studies` beside the results file."""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import BadSettings
from arena.studies import study as study_file
from arena.web.context import Context, html, visit_of
from arena.web.plain_files import read_plain
from arena.web.shell import Visit, framed, link
from results.pages.page import section, shown, table
from results.store.store import Store

__all__ = ["routes"]

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST_BYTES: Final = 2 << 20
_MOST_REPORTS: Final = 200
_MOST_ROWS: Final = 200
_LONG: Final = 4000
#: What a report from elsewhere may make our own code raise.
_BROKEN: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def routes(context: Context) -> list[Route]:
    """The addresses."""
    folder = context.db.parent / "studies"
    return [
        Route("/studies", functools.partial(_list, folder)),
        Route("/study/{name}", functools.partial(_study, context, folder)),
    ]


def _list(folder: Path, request: Request) -> Response:
    visit = visit_of(request)
    text, reported = visit.words, _reports(folder)
    body = [
        '<main id="content">',
        f"<h1>{text['studies']}</h1>",
        f"<p>{text['about_studies']}</p>",
        *section(text["reports"], [_reported(reported, visit)]),
        *section(text["bundled_studies"], [_bundled(visit)]),
        "</main>",
    ]
    return html(framed(visit, text["studies"], body), request)


def _reports(folder: Path) -> list[str]:
    try:
        found = sorted(path.stem for path in folder.glob("*.json"))
    except OSError:
        return []
    return [name for name in found if _NAME.fullmatch(name)][:_MOST_REPORTS]


def _reported(names: Sequence[str], visit: Visit) -> str:
    if not names:
        return f"<p>{visit.words['no_reports']}</p>"
    return f"<ul>{''.join(f'<li>{_link(name)}</li>' for name in names)}</ul>"


def _link(name: str) -> str:
    return link(f"/study/{name}", shown(name))


@functools.cache
def _shipped() -> dict[str, study_file.Study]:
    return {name: study_file.load(name) for name in study_file.names()}


def _bundled(visit: Visit) -> str:
    text = visit.words
    rows = [
        [_link(name), f'<span class="prose wider">{shown(study.question, _LONG)}</span>']
        for name, study in _shipped().items()
    ]
    return table(
        text["bundled_studies"], [text["name"], text["question"]], rows, words=[text["name"], text["question"]]
    )


def _study(context: Context, folder: Path, request: Request) -> Response:
    visit, name = visit_of(request), request.path_params["name"]
    study = _shipped().get(name)
    report = _read(folder / f"{name}.json") if _NAME.fullmatch(name) else None
    if study is None and report is None:
        raise HTTPException(404)
    body = ['<main id="content">', f"<h1>{shown(study.title if study else name)}</h1>"]
    if study is not None:
        body += section(visit.words["question"], [f"<p>{shown(study.question, _LONG)}</p>"])
        body += section(visit.words["claim"], [f"<p>{shown(study.claim, _LONG)}</p>"])
        body += [f"<p>{visit.words['how_to_run']} <code>arena study {shown(name)}</code></p>"]
    body += _report(report, visit)
    with Store.read(context.db) as store:
        leagues = [league.name for league in store.leagues() if league.name.startswith(f"study-{name}")]
    if leagues:
        listed = " ".join(link("/league", shown(one, 60), name=one) for one in leagues[:_MOST_ROWS])
        body += section(visit.words["leagues"], [f"<p>{listed}</p>"])
    return html(framed(visit, study.title if study else name, [*body, "</main>"]), request)


def _read(place: Path) -> Any:
    """The report in a file, which may come from anybody; None if there is none."""
    file = read_plain(place, most=_MOST_BYTES + 1)
    if file is None:
        return None
    try:
        return json.loads(file.data) if len(file.data) <= _MOST_BYTES else {}
    except (ValueError, RecursionError):
        return {}


def _report(report: Any, visit: Visit) -> list[str]:
    if report is None:
        return [f"<p>{visit.words['not_run']}</p>"]
    try:
        about = f"{_cell(report['date'])}, {_cell(report['form'])}: <code>{_cell(report['command'])}</code>"
        parts = [line for part in report["parts"] for line in _part(part)]
    except _BROKEN as error:
        raise BadSettings("this is not a report of `arena study`; run the study again") from error
    made = [f"<p>{about}</p>", f'<p class="quiet">{_cell(report["versions"])}</p>']
    return [*section(visit.words["report"], made), *parts]


def _part(part: Mapping[str, Any]) -> list[str]:
    label = _cell(part["label"])
    if "matches" in part:
        return section(label, [_matches(label, part["matches"])])
    if "rows" in part:
        columns = [_cell(name) for name in part["columns"]]
        rows = [[_cell(value) for value in row] for row in part["rows"][:_MOST_ROWS]]
        return section(label, [table(label, columns, rows, words=[], is_titled=True)])
    return section(label, [_points(label, part["pooled"])])


def _matches(label: str, matches: Sequence[Mapping[str, Any]]) -> str:
    headers = ["one", "two", "games", "score", "first", "second"]
    rows = [
        [
            _cell(one["one"]), _cell(one["two"]), _cell(one["games"]), f"{_cell(one['score'])} ± {_cell(one['error'])}",
            _cell(one["score_first"]), _cell(one["score_second"]),
        ]
        for one in matches[:_MOST_ROWS]
    ]  # fmt: skip
    return table(label, headers, rows, words=headers[:2], is_titled=True)


def _points(label: str, points: Sequence[Mapping[str, Any]]) -> str:
    headers = ["variant", "CPU-minutes", "against", "score"]
    rows = [
        [
            _cell(one["variant"]), _cell(one["minutes"]), _cell(one["anchor"]),
            f"{_cell(one['score'])} ± {_cell(one['error'])}",
        ]
        for one in points[:_MOST_ROWS]
    ]  # fmt: skip
    return table(label, headers, rows, words=["variant", "against"], is_titled=True)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else shown(str(value), 300)
