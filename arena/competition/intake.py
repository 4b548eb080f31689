"""Taking a participant's agent in: staged and named first, kept only after its check."""

from dataclasses import dataclass
from pathlib import Path

from agents.names import ENGINES
from arena.competition.inspection import Report
from arena.entrants.entrant import Entrant, Grants
from arena.entrants.staging import entry, stage
from arena.entrants.submissions import Submission, Submissions, check_name
from arena.errors import BadSettings, UnknownAgent
from results.store import utc
from results.text import plain

__all__ = ["Draft", "draft", "keep"]

_OWNER_CHARACTERS = 80
_ABOUT_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """An agent that is staged and may be checked, but is not kept yet."""

    name: str
    entrant: Entrant
    #: The newest version under this name so far, 0 if there is none.
    version: int


def draft(source: str, *, name: str | None, needs: tuple[str, ...], home: Path) -> Draft:
    """Stage `file.py`, `file.py:Class` or a folder, under a name that it may have."""
    if not source.isprintable():
        raise UnknownAgent(f"{source!r} is no name of a file or folder")
    path, class_name = _split(source)
    place = Path(path)
    if not place.exists():
        raise UnknownAgent(f"no file or folder {path!r}")
    place = place.resolve()
    if place.is_file() and place.suffix != ".py":
        raise UnknownAgent(f"{path!r} is no Python file; give a .py file or a folder")
    chosen = check_name(place.stem.lower() if name is None else name)
    file = entry(place)
    copy = stage(place, home=home)
    found = f"{file}:{class_name}" if class_name else file
    entrant = Entrant(chosen, source, found, True, {}, "", copy.hash, Grants(needs=needs))
    return Draft(chosen, entrant, Submissions(home).versions(chosen))


def keep(taken: Draft, report: Report, *, owner: str | None, about: str | None, home: Path) -> Submission:
    """Keep an agent that passed its check; see `Submissions.add`."""
    if not report.passed:
        raise BadSettings(f"{taken.name} is not submitted: {report.why_not}")
    return Submissions(home).add(
        taken.name, stage_hash=taken.entrant.hash, entry=taken.entrant.path, needs=taken.entrant.grants.needs,
        owner=_shown(owner, _OWNER_CHARACTERS), about=_shown(about, _ABOUT_CHARACTERS),
        date=utc.stamp(utc.now()), report=report.as_json(),
    )  # fmt: skip


def _shown(text: str | None, limit: int) -> str | None:
    return None if text is None else plain(text.strip(), limit=limit)


def _split(source: str) -> tuple[str, str]:
    path, _, class_name = source.partition(":")
    if path in ENGINES:
        raise BadSettings(f"{source!r}: engines are not submitted; name them where they play")
    if "=" in class_name or ":" in class_name:
        raise BadSettings(f"{source!r}: options are given where it plays, as in my_bot:depth=3; submit the file alone")
    if class_name and not class_name.isidentifier():
        raise BadSettings(f"{class_name!r} is no name of a class")
    return path, class_name
