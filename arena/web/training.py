"""The pages of training runs: a list, and the report of one run, whose curves grow while it learns."""

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import BadSettings
from arena.training.report import report_content
from arena.training.runs import TrainingRun, find, runs, training_folder
from arena.web.context import Context, html, visit_of
from arena.web.pages import part
from arena.web.shell import Visit, framed, link
from results.pages.page import shown, table

__all__ = ["routes", "run_page", "runs_page"]

#: Seconds between two looks at the runs, while somebody watches.
_PAUSE: Final = 2.0
#: Parts of the report that the script keeps up to date; the example games keep their place instead.
_LIVE: Final = ("ladder", "losses", "speed", "profile", "settings")


def routes(context: Context) -> list[Route]:
    """The addresses."""
    context.background.append(functools.partial(_watch, context))
    return [Route("/training", _runs), Route("/training/{name}", _run)]


def _runs(request: Request) -> Response:
    return html(runs_page(visit_of(request)), request)


def _run(request: Request) -> Response:
    return html(run_page(visit_of(request), request.path_params["name"]), request)


async def _watch(context: Context) -> None:
    """Tell those who look when a run has changed."""
    before = await to_thread.run_sync(_state)
    while True:
        if context.hub.is_watched and (now := await to_thread.run_sync(_state)) != before:
            before = now
            context.hub.announce("training", {})
        await asyncio.sleep(_PAUSE)


def _state() -> list[tuple[str, int, bool]]:
    """Something that changes whenever a run does."""
    found = []
    for run in runs(training_folder()):
        notes = run.folder / "notes.db"
        changed = notes.stat().st_mtime_ns if notes.exists() else 0
        found.append((run.name, changed, run.is_running))
    return found


def runs_page(visit: Visit, folder: Path | None = None) -> str:
    """All training runs of this user."""
    text, found = visit.words, runs(training_folder(folder))
    content = _table(found, visit) if found else f"<p>{text['no_runs']}</p>"
    return framed(
        visit,
        text["runs"],
        ['<main id="content" data-training>', f"<h1>{text['runs']}</h1>", *part("runs", [content]), "</main>"],
    )


def _table(found: Sequence[TrainingRun], visit: Visit) -> str:
    text = visit.words
    rows = [
        [link(f"/training/{run.name}", shown(run.name)), shown(str(run.recipe.get("game", ""))),
         text["running" if run.is_running else "stopped"]]
        for run in found
    ]  # fmt: skip
    headers = [text["name"], text["game"], text["state"]]
    return table(text["runs"], headers, rows, words=headers, is_titled=True)


def run_page(visit: Visit, name: str, folder: Path | None = None) -> str:
    """The report of a run: curves, ladder, example games, settings; `BadSettings` if there is none of this name."""
    run = find(name, folder=training_folder(folder))
    if not run.curve():
        raise BadSettings(f"the training run {name!r} has not finished a generation yet")
    page = report_content(run)
    state = f"<p>{visit.words['state']}: {visit.words['running' if run.is_running else 'stopped']}</p>"
    body = [_live(line) for line in page.body]
    body[body.index("</header>")] = f"{state}</div></header>"
    return framed(visit, page.title, body, scripts=page.scripts)


def _live(line: str) -> str:
    """A line of the report, marked for the script if it begins a part that changes."""
    marks = {f'<section id="{name}">': f'<section id="{name}" data-part>' for name in _LIVE}
    marks |= {"<main>": '<main id="content" data-training>', "<header>": '<header><div id="summary" data-part>'}
    return marks.get(line, line)
