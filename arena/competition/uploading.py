"""Agents that come over the network: what may be sent, its intake, and the organiser's decision."""

import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.competition.arguments import with_copied_game
from arena.competition.resume import check_trusted
from arena.competition.roster import check_open
from arena.competition.settings import Settings
from arena.competition.submission import shown_about, staged_copy
from arena.entrants.archives import unpack
from arena.entrants.grants import check_installed
from arena.entrants.staging import stage_of
from arena.entrants.submissions import Submissions
from arena.entrants.uploads import Upload, Uploads
from arena.errors import BadSettings
from games.base import load, load_stored
from games.errors import ArenaError
from results.store import utc
from results.store.store import Store
from results.text import plain

__all__ = ["MOST_BYTES", "Intake", "Sent", "approve", "make_intake", "receive", "refuse", "sweep"]

MOST_BYTES: Final = 1 << 20
#: All files of an archive together may be larger than the archive by this factor.
_UNPACKED: Final = 4
_DRAFT: Final = "upload-"
_DRAFT_SECONDS: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What may be sent, how it is checked, and where it goes: into a league, or before the organiser."""

    home: Path
    db: Path
    game: str
    seconds: float | None = None
    needs: tuple[str, ...] = ()
    league: str | None = None
    most_bytes: int = MOST_BYTES

    def as_text(self) -> str:
        """The intake as one argument for the process of a check."""
        return json.dumps([str(self.home), str(self.db), self.game, self.seconds, self.needs, self.league])

    @staticmethod
    def of_text(text: str) -> "Intake":
        """The intake that such an argument holds."""
        home, db, game, seconds, needs, league = json.loads(text)
        return Intake(
            home=Path(home), db=Path(db), game=game, seconds=seconds, needs=tuple(needs), league=league
        )  # fmt: skip


def make_intake(
    db: Path, *, home: Path, league: str | None = None, game: str | None = None, time: float | None = None,
    needs: Sequence[str] = (), most_bytes: int = MOST_BYTES,
) -> Intake:  # fmt: skip
    """The intake of a site; with a league, its settings are those of the check."""
    if league is None:
        settings = Settings.of(with_copied_game({"game": game or "microchess", "time": time, "needs": needs}))
        load(settings.game)
    else:
        if game is not None or time is not None or needs:
            raise BadSettings(
                "agents that enter a league are checked as it plays; leave out --game, --time and --needs"
            )
        with Store.read(db) as store:
            known = store.known(league)
            settings = Settings.restored(known.settings)
            check_trusted(settings, trust_file=False)
            check_open(store, known)
            load_stored(settings.game)
    check_installed(settings.needs, where="needs")
    seconds = settings.time.seconds if settings.time else None
    return Intake(
        home=home, db=db.resolve(), game=settings.game, seconds=seconds, needs=settings.needs, league=league,
        most_bytes=most_bytes,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What somebody has sent: a Python file or a zip archive. Without a name it is that of the file."""

    owner: str
    file: str
    data: bytes
    name: str | None = None
    class_name: str = ""
    about: str | None = None


def receive(intake: Intake, sent: Sent) -> Upload:
    """Unpack, stage and note what was sent; nothing of it runs. Raises an `ArenaError` that says what is wrong."""
    if not sent.data:
        raise BadSettings(f"{plain(sent.file, limit=60)!r} is empty")
    stages = intake.home / "stages"
    stages.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=stages))
    try:
        place = unpack(sent.file, sent.data, folder, most=_UNPACKED * intake.most_bytes)
        entrant = staged_copy(place, sent.class_name, name=sent.name or None, needs=intake.needs, home=intake.home)
    except ArenaError as error:  # without the place of the folder, which is nobody's business
        raise BadSettings(str(error).replace(f"{folder}/", "")) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _check_owner(intake.home, entrant.name, sent.owner)
    return Uploads(intake.home).add(
        Upload(
            number=0, owner=sent.owner, name=entrant.name, file=sent.file, hash=entrant.hash, entry=entrant.path,
            about=shown_about(sent.about) or "", date=utc.stamp(utc.now()), needs=intake.needs,
        )
    )  # fmt: skip


def sweep(home: Path) -> None:
    """Remove what a killed server has left of uploads that were just arriving."""
    for draft in (home / "stages").glob(f"{_DRAFT}*"):
        if time.time() - draft.stat().st_mtime > _DRAFT_SECONDS:
            shutil.rmtree(draft, ignore_errors=True)


def _check_owner(home: Path, name: str, owner: str) -> None:
    """Raise `BadSettings` if the name is that of somebody else's agent."""
    latest = Submissions(home).latest(name)
    undecided = [one for one in Uploads(home).all() if one.name == name and one.state in ("queued", "waiting")]
    owners = {one.owner for one in undecided} | ({latest.owner} if latest is not None else set())
    if owners - {plain(owner, limit=80), owner}:
        raise BadSettings(f"the name {name!r} belongs to somebody else; choose another name for your agent")


def approve(home: Path, number: int) -> Upload:
    """Make a submission of an upload that has passed its check: from now on its name can be used."""
    uploads = Uploads(home)
    upload = uploads.find(number)
    if upload is None or upload.state != "waiting":
        raise BadSettings(f"no upload with the number {number} waits for a decision")
    if stage_of(upload.hash, home=home) is None:
        raise BadSettings(f"the copy of upload {number} is gone; it must be sent again")
    latest = Submissions(home).latest(upload.name)
    owner = plain(upload.owner, limit=80)
    if latest is not None and latest.owner != owner:
        raise BadSettings(f"the name {upload.name!r} belongs to {plain(latest.owner) or 'nobody'}; refuse the upload")
    kept = Submissions(home).add(
        upload.name, stage_hash=upload.hash, entry=upload.entry, needs=upload.needs, owner=owner,
        about=upload.about or None, date=utc.stamp(utc.now()), report=upload.report,
    )  # fmt: skip
    return uploads.change(number, state="accepted", before=("waiting",), version=kept.version)


def refuse(home: Path, number: int, *, why: str = "") -> Upload:
    """Note that the organiser does not want an upload."""
    return Uploads(home).change(number, state="refused", before=("waiting", "queued"), why=plain(why, limit=300))
