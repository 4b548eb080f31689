"""Submitted agents: for each version its files, owner, date and the report of its check."""

import unicodedata
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from agents.names import ENGINES, NAMES
from arena.entrants.notes import one_writer, open_notes
from arena.errors import BadSettings, UnknownAgent
from games.base import split_parameters
from results.errors import Damaged
from results.text import plain

__all__ = ["Failure", "Submission", "Submissions", "check_name"]

_LONGEST_NAME: Final = 32
_TABLE: Final = "submissions"
#: The names whose last check failed.
_FAILURES: Final = "failures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One version of a submitted agent. All its text is safe to print."""

    name: str
    version: int
    hash: str
    entry: str
    needs: tuple[str, ...]
    owner: str
    about: str
    date: str
    report: Mapping[str, object]

    @property
    def checked_on(self) -> str:
        """The game, without parameters, on which it was checked; empty if that is not known."""
        return split_parameters(str(self.report.get("game", "")))[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A check that failed, and was not followed by one that passed. All its text is safe to print."""

    owner: str
    why: str
    date: str


def check_name(name: str) -> str:
    """The name in the form that is stored; raises `BadSettings` if an agent cannot be submitted under it."""
    name = _composed(name)
    if not _is_name(name):
        near = "".join(char if char in "_-" or char.isalnum() else "_" for char in name.lower())
        near = near.strip("_-")[:_LONGEST_NAME]
        example = f"for example {near}" if _is_name(near) and near not in (*NAMES, *ENGINES) else "choose another name"
        raise BadSettings(
            f"{name!r} cannot be the name of a submission: use 1 to {_LONGEST_NAME} small letters, digits, _ and -, "
            f"with a letter or digit first; {example}"
        )
    if name in NAMES or name in ENGINES:
        raise BadSettings(f"{name!r} is the name of a bundled agent or engine; choose another name")
    return name


class Submissions:
    """The submissions in a folder. No file is created before the first submission is added."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "submissions.db"

    def latest(self, name: str) -> Submission | None:
        """The newest version of this name; None if there is none."""
        name = _composed(name)
        if not self._path.exists() or not _is_name(name):
            return None
        with self._open() as notes:
            versions = notes.get(name)
        return self._read(name, versions[-1]) if versions else None

    def version(self, name: str, number: str) -> Submission | None:
        """The version of this name with this number; None if nothing was submitted under the name."""
        found = self.versions(name)
        if not found:
            return None
        for submission in found:
            if str(submission.version) == number:
                return submission
        there = ", ".join(str(submission.version) for submission in found)
        raise UnknownAgent(f"there is no version {plain(number, limit=20)!r} of {name!r}; there are {there}")

    def versions(self, name: str) -> list[Submission]:
        """All versions of this name, newest last."""
        name = _composed(name)
        if not self._path.exists() or not _is_name(name):
            return []
        with self._open() as notes:
            return [self._read(name, note) for note in notes.get(name, [])]

    def all_latest(self) -> list[Submission]:
        """The newest version of each name, sorted by name."""
        if not self._path.exists():
            return []
        with self._open() as notes:
            found = {str(name): versions[-1] for name, versions in notes.items()}
        return [self._read(name, found[name]) for name in sorted(found)]

    def all_versions(self) -> list[Submission]:
        """All versions of all names, sorted by name, newest last."""
        if not self._path.exists():
            return []
        with self._open() as notes:
            found = {str(name): versions for name, versions in notes.items()}
        return [self._read(name, note) for name in sorted(found) for note in found[name]]

    def remove(self, name: str, version: int | None = None) -> list[Submission]:
        """Remove a name, or one version of it; returns what was removed. The stages stay."""
        kept = [one for one in self.versions(name) if version is not None and one.version != version]
        gone = [one for one in self.versions(name) if one not in kept]
        if gone:
            with self._locked(), self._open() as notes:
                if kept:
                    notes[name] = [asdict(one) for one in kept]
                else:
                    del notes[name]
        return gone

    def fail(self, name: str, *, owner: str | None, why: str, date: str) -> None:
        """Note that the check of an agent has failed; the next version that passes ends the note."""
        self._home.mkdir(parents=True, exist_ok=True)
        with self._locked():
            with self._open() as notes:
                known = (notes.get(name) or [{}])[-1].get("owner", "")
            with self._open(_FAILURES) as notes:
                notes[name] = {"owner": known if owner is None else owner, "why": why, "date": date}

    def failures(self) -> dict[str, Failure]:
        """The names whose last check failed."""
        if not self._path.exists():
            return {}
        with self._open(_FAILURES) as notes:
            found = dict(notes.items())
        try:
            return {str(name): Failure(**note) for name, note in found.items()}
        except TypeError as error:
            raise Damaged(f"{self._path}: the notes on failed checks cannot be read") from error

    def add(
        self, name: str, *, stage_hash: str, entry: str, needs: tuple[str, ...], owner: str | None, about: str | None,
        date: str, report: Mapping[str, object],
    ) -> Submission:  # fmt: skip
        """Store a new version; it is durable when this returns. Earlier versions are kept.

        If files, entry and needs equal those of the newest version, that version is updated instead. An owner or a
        description of None stays unchanged.
        """
        name = check_name(name)
        self._home.mkdir(parents=True, exist_ok=True)
        with self._locked(), self._open() as notes:
            versions = notes.get(name, [])
            last = versions[-1] if versions else {}
            number = last.get("version", 0) + 1
            if (last.get("hash"), last.get("entry"), last.get("needs")) == (stage_hash, entry, list(needs)):
                versions, date, number = versions[:-1], last.get("date", date), last.get("version", 1)
            made = Submission(
                name=name, version=number, hash=stage_hash, entry=entry, needs=needs,
                owner=last.get("owner", "") if owner is None else owner,
                about=last.get("about", "") if about is None else about, date=date, report=report,
            )  # fmt: skip
            notes[name] = [*versions, asdict(made)]
        if name in self.failures():
            with self._locked(), self._open(_FAILURES) as notes:
                notes.pop(name, None)
        return made

    def _read(self, name: str, note: Mapping[str, Any]) -> Submission:
        try:
            return Submission(**{**note, "needs": tuple(note["needs"])})
        except (TypeError, KeyError) as error:
            raise Damaged(f"{self._path}: the notes on {name!r} cannot be read; submit it again") from error

    def _locked(self) -> AbstractContextManager[None]:
        """Allow one writer at a time, so that two submissions of the same name become two versions."""
        return one_writer(self._home / "submissions.lock")

    def _open(self, table: str = _TABLE) -> AbstractContextManager[MutableMapping[str, Any]]:
        return open_notes(self._path, table)


def _composed(name: str) -> str:
    """The name with each accented letter or Korean syllable as one character: macOS writes file names in parts."""
    return unicodedata.normalize("NFC", name)


def _is_name(name: str) -> bool:
    """Whether it has only small letters of any script, digits, _ and -, with a letter or digit first."""
    words = name.replace("-", "_")  # so it is the end of a Python identifier, which knows the letters of all scripts
    is_written_so = name == name.lower() and f"a{words}".isidentifier() and name[:1] not in ("", "_", "-")
    return is_written_so and len(name) <= _LONGEST_NAME
