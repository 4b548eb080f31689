"""The pages of training runs: a list, and the report of one run."""

from collections.abc import Sequence
from pathlib import Path

from arena.errors import BadSettings
from arena.training.report import report_content
from arena.training.runs import TrainingRun, find, runs, training_folder
from arena.web.shell import Visit, framed, link
from results.pages.page import shown, table

__all__ = ["run_page", "runs_page"]


def runs_page(visit: Visit, folder: Path | None = None) -> str:
    """All training runs of this user."""
    text, found = visit.words, runs(training_folder(folder))
    content = _table(found, visit) if found else f"<p>{text['no_runs']}</p>"
    return framed(visit, text["runs"], ['<main id="content">', f"<h1>{text['runs']}</h1>", content, "</main>"])


def _table(found: Sequence[TrainingRun], visit: Visit) -> str:
    text = visit.words
    rows = [
        [link(f"/training/{run.name}", shown(run.name)), shown(str(run.recipe.get("game", ""))),
         text["running" if run.is_running else "stopped"]]
        for run in found
    ]  # fmt: skip
    headers = [text["name"], text["game"], text["state"]]
    return table(text["runs"], headers, rows, words=headers)


def run_page(visit: Visit, name: str, folder: Path | None = None) -> str:
    """The report of a run: curves, ladder, example games, settings; `BadSettings` if there is none of this name."""
    run = find(name, folder=training_folder(folder))
    if not run.curve():
        raise BadSettings(f"the training run {name!r} has not finished a generation yet")
    page = report_content(run)
    body = ['<main id="content">' if line == "<main>" else line for line in page.body]
    return framed(visit, page.title, body, scripts=page.scripts)
