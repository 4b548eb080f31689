"""Which studies there are, and how long."""

import json

from arena import study_file
from arena.study_file import Study
from results.text import plain

__all__ = ["list_json", "list_text"]


def list_text() -> str:
    """A line a study: its name, what its two forms play and measure, what it is about."""
    from tabulate import tabulate

    rows = [(full.name, _size(full), _size(short), plain(full.title)) for full, short in _both()]
    return tabulate(rows, ("study", "full", "short", "about"), disable_numparse=True)


def list_json() -> str:
    """The same as a list."""
    return json.dumps([_told(full, short) for full, short in _both()])


def _told(full: Study, short: Study) -> dict[str, object]:
    return {
        "study": full.name,
        "title": full.title,
        "question": full.question,
        "claim": full.claim,
        "games": full.games,
        "games_short": short.games,
        "measures": len(full.measures),
    }


def _both() -> list[tuple[Study, Study]]:
    return [(study_file.load(name), study_file.load(name, short=True)) for name in study_file.names()]


def _size(study: Study) -> str:
    games = [_count(study.games, "game")] if study.games else []
    measures = [_count(len(study.measures), "measure")] if study.measures else []
    return ", ".join([*games, *measures])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
