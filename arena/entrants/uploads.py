"""Agents that were sent to the site, from their arrival to the decision about them."""

from collections.abc import MutableMapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from arena.entrants.notes import one_writer, open_notes
from arena.errors import BadSettings
from results.errors import Damaged
from results.text import plain

__all__ = ["Upload", "UploadState", "Uploads"]

#: `queued`: its check has not ended. `failed`: it broke a rule, or cannot be tried. `waiting`: it passed, and the
#: organiser has not decided. `accepted`: it is a submission. `refused`: by the organiser.
UploadState: TypeAlias = Literal["queued", "failed", "waiting", "accepted", "refused"]
#: The oldest that are decided are forgotten.
_KEPT: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """An agent that somebody sent. Its text is as it came: escape it where it is shown."""

    number: int
    owner: str
    name: str
    file: str
    hash: str
    entry: str
    about: str
    date: str
    state: UploadState = "queued"
    #: Why it failed or was refused, or a notice about its entry into a league.
    why: str = ""
    #: The number of the version, if it was accepted.
    version: int | None = None
    #: The libraries that it may use.
    needs: tuple[str, ...] = ()
    #: The report of the check, as `arena check --json` prints it; empty before.
    report: dict[str, Any] = field(default_factory=dict)


class Uploads:
    """The uploads in a folder, in the file `uploads.db`. It is created with the first one."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "uploads.db"

    def add(self, upload: Upload) -> Upload:
        """Store a new upload; it gets the next number."""
        self._home.mkdir(parents=True, exist_ok=True)
        with self._locked(), self._open() as notes:
            known = [self._read(note) for note in notes.values()]
            made = replace(upload, number=max((one.number for one in known), default=0) + 1)
            notes[str(made.number)] = asdict(made)
            decided = sorted(one.number for one in known if one.state not in ("queued", "waiting"))
            for number in decided[: max(0, len(known) + 1 - _KEPT)]:
                del notes[str(number)]
        return made

    def change(self, number: int, *, state: UploadState, before: tuple[UploadState, ...], **values: object) -> Upload:
        """Change the state of an upload, and other values; raises `BadSettings` if it was in no state of `before`."""
        if self.find(number) is None:
            raise BadSettings(f"there is no upload {number}")
        with self._locked(), self._open() as notes:
            found = self._read(notes[str(number)])
            if found.state not in before:
                raise BadSettings(f"upload {number} is {found.state} already")
            made = replace(found, state=state, **values)  # type: ignore[arg-type]
            notes[str(number)] = asdict(made)
        return made

    def find(self, number: int) -> Upload | None:
        """The upload with this number; None if there is none."""
        if not self._path.exists():
            return None
        with self._open() as notes:
            note = notes.get(str(number))
        return None if note is None else self._read(note)

    def all(self) -> list[Upload]:
        """All uploads, oldest first."""
        if not self._path.exists():
            return []
        with self._open() as notes:
            return sorted((self._read(note) for note in notes.values()), key=lambda one: one.number)

    def _read(self, note: dict[str, Any]) -> Upload:
        try:
            made = Upload(**{**note, "needs": tuple(note["needs"])})
        except (KeyError, TypeError) as error:
            raise Damaged(f"{self._path} cannot be read: {plain(str(error), limit=100)}") from error
        if made.state not in get_args(UploadState):
            raise Damaged(f"{self._path} has an upload with an unknown state")
        return made

    def _locked(self) -> AbstractContextManager[None]:
        return one_writer(self._home / "uploads.lock")

    def _open(self) -> AbstractContextManager[MutableMapping[str, Any]]:
        return open_notes(self._path, "uploads")
