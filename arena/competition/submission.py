"""Submitting an agent: it is staged and named first, and kept after its check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.names import ENGINES, NAMES
from arena.competition.arguments import with_copied_game
from arena.competition.check import CheckFailed, Report, check_entrant
from arena.competition.class_check import check_all
from arena.competition.events import OnEvent
from arena.competition.settings import Settings
from arena.entrants.entrant import Agent, Entrant, entrant_of
from arena.entrants.grants import Grants
from arena.entrants.staging import entry, home, own_path, stage
from arena.entrants.submissions import Submission, Submissions, check_name
from arena.errors import BadSettings, UnknownAgent
from games.base import load, split_parameters
from games.errors import ArenaError
from results.pages.page import shown
from results.store import utc
from results.text import plain

__all__ = ["HandIn", "Submitted", "left_out", "shown_about", "sources_in", "staged_copy", "submit", "submit_all"]

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
    game: str = "microchess", time: float | None = None, needs: Sequence[str] = (), on_event: OnEvent | None = None,
) -> Submitted:  # fmt: skip
    """Check an agent and keep a copy of it under a name. Raises `CheckFailed`, with the report, if it breaks a rule.

    The agent is a file (`"file.py"`, `"file.py:Class"`), a folder or a class; options are given where it plays.
    `on_event` receives what `check` sends.
    """
    for key, text in (("name", name), ("owner", owner), ("about", about)):
        if text is not None and not isinstance(text, str):
            raise BadSettings(f"{key} must be a text, not {text!r:.60}")
    settings = Settings.of(with_copied_game({"game": game, "time": time, "needs": needs}))
    place = home()
    entrant = _stage(agent, name=name, needs=settings.needs, home=place)
    seconds = settings.time.seconds if settings.time else None
    report = check_entrant(entrant, load(settings.game), seconds=seconds, on_event=on_event)
    return _keep(entrant, report, owner=owner, about=about, home=place)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """One of several agents that were handed in; without `submitted` it was not kept, and `why_not` says why."""

    source: str
    name: str
    submitted: Submitted | None = None
    why_not: str = ""


def submit_all(
    sources: Sequence[str], *, owners: Mapping[str, str] | None = None, game: str = "microchess",
    time: float | None = None, needs: Sequence[str] = (), on_done: Callable[[HandIn], None] = lambda _: None,
) -> list[HandIn]:  # fmt: skip
    """Check several agents, one on each core at a time, and keep those that break no rule.

    `owners` are the participants by the name of the submission. `on_done` is called after each check.
    """
    settings = Settings.of(with_copied_game({"game": game, "time": time, "needs": needs}))
    place, played, owners = home(), load(settings.game), owners or {}
    seconds = settings.time.seconds if settings.time else None
    done, waiting = _staged(sources, needs=settings.needs, home=place)
    for hand_in in done:
        on_done(hand_in)
    checked = check_all(tuple(waiting.values()), played, seconds=seconds, needs=settings.needs)
    for entrant, report in checked:
        if isinstance(report, str):
            hand_in = HandIn(source=entrant.agent, name=entrant.name, why_not=f"{report}; submit it again")
        else:
            hand_in = _handed_in(entrant, report, owner=owners.get(entrant.name), home=place)
        done.append(hand_in)
        on_done(hand_in)
    order = {source: number for number, source in enumerate(sources)}
    return sorted(done, key=lambda hand_in: order[hand_in.source])


def sources_in(folder: Path) -> list[str]:
    """The files and folders of a folder that may be agents."""
    if not folder.is_dir():
        raise UnknownAgent(f"there is no folder {str(folder)!r}")
    return [str(path) for path in _visible(folder) if _may_be_agent(path)]


def left_out(folder: Path) -> list[str]:
    """The names of the files and folders of a folder that cannot be agents, such as an archive."""
    return [path.name for path in _visible(folder) if not _may_be_agent(path)]


def _visible(folder: Path) -> list[Path]:
    found = (path for path in folder.iterdir() if not path.name.startswith((".", "_")))
    return sorted(found, key=lambda path: (path.name.casefold(), path.name))


def _may_be_agent(path: Path) -> bool:
    return path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))


def _staged(sources: Sequence[str], *, needs: tuple[str, ...], home: Path) -> tuple[list[HandIn], dict[str, Entrant]]:
    """The agents that can be checked, by name; and those that cannot be staged, or whose name is taken."""
    refused: list[HandIn] = []
    staged: dict[str, Entrant] = {}
    for source in dict.fromkeys(sources):
        try:
            entrant = _stage(source, name=None, needs=needs, home=home)
        except ArenaError as error:
            refused.append(HandIn(source=source, name=Path(source).stem, why_not=plain(str(error), limit=300)))
            continue
        if entrant.name in staged:
            why = f"{staged[entrant.name].agent} has the same name; rename one of them"
            refused.append(HandIn(source=source, name=entrant.name, why_not=why))
        else:
            staged[entrant.name] = entrant
    return refused, staged


def _handed_in(entrant: Entrant, report: Report, *, owner: str | None, home: Path) -> HandIn:
    try:
        kept = _keep(entrant, report, owner=owner, about=None, home=home)
    except CheckFailed:
        return HandIn(source=entrant.agent, name=entrant.name, why_not=report.why_not)
    return HandIn(source=entrant.agent, name=entrant.name, submitted=kept)


def _keep(entrant: Entrant, report: Report, *, owner: str | None, about: str | None, home: Path) -> Submitted:
    """Keep an agent that passed its check; raise `CheckFailed` for others, after a note for the gradebook."""
    submissions, now = Submissions(home), utc.stamp(utc.now())
    shown_owner = _shown(owner, _OWNER_CHARACTERS)
    if not report.passed:
        submissions.fail(entrant.name, owner=shown_owner, why=plain(report.why_not, limit=300), date=now)
        raise CheckFailed(f"{entrant.name} is not submitted: {report.why_not}", report)
    before = submissions.latest(entrant.name)
    kept = submissions.add(
        entrant.name, stage_hash=entrant.hash, entry=entrant.path, needs=entrant.grants.needs,
        owner=shown_owner, about=shown_about(about), date=now, report=report.as_json(),
    )  # fmt: skip
    is_new = before is None or kept.version != before.version
    return Submitted(submission=kept, report=report, is_new=is_new)


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
        raise UnknownAgent(_not_found(source, home))
    place = own_path(place)
    if place.is_file() and place.suffix != ".py":
        raise UnknownAgent(f"{path!r} is not a Python file; give a .py file or a folder")
    return replace(staged_copy(place, class_name, name=name, needs=needs, home=home), agent=source)


def staged_copy(place: Path, class_name: str, *, name: str | None, needs: tuple[str, ...], home: Path) -> Entrant:
    """The staged copy of a file or folder, under a name that a submission may have; no name is that of the file."""
    if class_name and not class_name.isidentifier():
        raise BadSettings(f"{class_name!r} is not the name of a class")
    chosen = check_name(place.stem.lower() if name is None else name)
    file = entry(place)
    copy = stage(place, home=home)
    found = f"{file}:{class_name}" if class_name else file
    return Entrant(chosen, place.name, found, True, {}, "", copy.hash, Grants(needs=needs))


def shown_about(text: str | None) -> str | None:
    """A description as it is stored."""
    return _shown(text, _ABOUT_CHARACTERS)


def _not_found(source: str, home: Path) -> str:
    """Why there is nothing to submit; an agent that has a name already needs no submission."""
    name = split_parameters(source)[0]
    if name in NAMES:
        return f"{name!r} is a bundled agent and can play without a submission; submit a file or a folder"
    if (known := Submissions(home).latest(name.partition("@")[0])) is not None:
        return f"{known.name!r} is submitted already (version {known.version}); for a new version name its file"
    return f"no file or folder {_split(source)[0]!r}"


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
    return path, class_name
