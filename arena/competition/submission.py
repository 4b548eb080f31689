"""Submitting an agent: it is staged and named first, and kept after its check."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.names import ENGINES
from arena.competition.check import CheckFailed, Report, check_entrant
from arena.competition.settings import Settings
from arena.entrants.entrant import Agent, Entrant, entrant_of
from arena.entrants.grants import Grants
from arena.entrants.staging import entry, home, stage
from arena.entrants.submissions import Submission, Submissions, check_name
from arena.errors import BadSettings, UnknownAgent
from games.base import load
from results.pages.page import shown
from results.store import utc
from results.text import plain

__all__ = ["Submitted", "submit"]

_OWNER_CHARACTERS = 80
_ABOUT_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Submitted:
    """A submission that was accepted, with the report of its check. `is_new` is False for the same agent again."""

    submission: Submission
    report: Report
    is_new: bool

    @property
    def name(self) -> str:
        """The name that now stands for the agent wherever an agent is named."""
        return self.submission.name

    @property
    def version(self) -> int:
        """The number of this version, from 1."""
        return self.submission.version

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}{'' if self.is_new else ' (no change: it is the same agent)'}"

    def __repr__(self) -> str:
        return f"<submission {self}>"

    def _repr_html_(self) -> str:
        return f"<p>submitted: {shown(str(self))}</p>{self.report._repr_html_()}"


def submit(
    agent: Agent, *, name: str | None = None, owner: str | None = None, about: str | None = None,
    game: str = "microchess", time: float | None = None, needs: Sequence[str] = (),
) -> Submitted:  # fmt: skip
    """Check an agent and keep a copy of it under a name. Raises `CheckFailed`, with the report, if it breaks a rule.

    The agent is a file (`"file.py"`, `"file.py:Class"`), a folder or a class; options are given where it plays.
    """
    for key, text in (("name", name), ("owner", owner), ("about", about)):
        if text is not None and not isinstance(text, str):
            raise BadSettings(f"{key} must be a text, not {text!r:.60}")
    settings = Settings.of({"game": game, "time": time, "needs": needs})
    place = home()
    entrant = _stage(agent, name=name, needs=settings.needs, home=place)
    before = Submissions(place).latest(entrant.name)
    report = check_entrant(entrant, load(settings.game), seconds=settings.time.seconds if settings.time else None)
    if not report.passed:
        raise CheckFailed(f"{entrant.name} is not submitted: {report.why_not}", report)
    kept = Submissions(place).add(
        entrant.name, stage_hash=entrant.hash, entry=entrant.path, needs=entrant.grants.needs,
        owner=_shown(owner, _OWNER_CHARACTERS), about=_shown(about, _ABOUT_CHARACTERS),
        date=utc.stamp(utc.now()), report=report.as_json(),
    )  # fmt: skip
    return Submitted(submission=kept, report=report, is_new=before is None or kept.version != before.version)


def _stage(agent: Agent, *, name: str | None, needs: tuple[str, ...], home: Path) -> Entrant:
    """Stage a class, `file.py`, `file.py:Class` or a folder, under a name that a submission may have."""
    grants = Grants(needs=needs)
    if isinstance(agent, type):
        chosen = check_name(agent.__name__.lower() if name is None else name)
        return replace(entrant_of(agent, home=home), name=chosen, grants=grants)
    if not isinstance(agent, str | Path):
        raise UnknownAgent(f"submit a file, a folder or a class, not {agent!r:.60}")
    source = str(agent)
    if not source.isprintable():
        raise UnknownAgent(f"{source!r} is not the name of a file or folder")
    path, class_name = _split(source)
    place = Path(path)
    if not place.exists():
        raise UnknownAgent(f"no file or folder {path!r}")
    place = place.resolve()
    if place.is_file() and place.suffix != ".py":
        raise UnknownAgent(f"{path!r} is not a Python file; give a .py file or a folder")
    chosen = check_name(place.stem.lower() if name is None else name)
    file = entry(place)
    copy = stage(place, home=home)
    found = f"{file}:{class_name}" if class_name else file
    return Entrant(chosen, source, found, True, {}, "", copy.hash, grants)


def _shown(text: str | None, limit: int) -> str | None:
    return None if text is None else plain(text.strip(), limit=limit)


def _split(source: str) -> tuple[str, str]:
    path, _, class_name = source.partition(":")
    if path in ENGINES:
        raise BadSettings(f"{source!r}: engines cannot be submitted; name them where they play")
    if "=" in class_name or ":" in class_name:
        raise BadSettings(
            f"{source!r}: submit the file without options; give them where it plays, as in my_bot:depth=3"
        )
    if class_name and not class_name.isidentifier():
        raise BadSettings(f"{class_name!r} is not the name of a class")
    return path, class_name
