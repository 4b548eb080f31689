"""Stages that nothing names any more: which there are, and their removal."""

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.entrants.staging import remove_stage, stage_folders
from arena.entrants.submissions import Submissions
from arena.entrants.uploads import Uploads
from arena.process.spawn import is_alive
from results.errors import Locked, NoResults
from results.store.store import Store

__all__ = ["Unused", "known_results", "remember_results", "remove_unused", "unused_stages"]

#: A younger stage may be of an agent that is about to be submitted or to play.
_YOUNGEST_SECONDS: Final = 3600.0
_FILE: Final = "results-files"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """The stages that no version, league or record names; the results files that were looked at, or are missing."""

    stages: tuple[Path, ...]
    looked_at: tuple[Path, ...]
    missing: tuple[Path, ...]


def remember_results(home: Path, db: Path) -> None:
    """Note that this results file names stages in this folder."""
    place, line = home / _FILE, str(db.resolve())
    if "\n" in line or db.resolve() in known_results(home):
        return
    home.mkdir(parents=True, exist_ok=True)
    with place.open("a", encoding="utf-8", errors="surrogateescape") as file:
        with suppress(ImportError):  # only Unix has it; elsewhere no two leagues run at a time
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        file.write(f"{line}\n")


def known_results(home: Path) -> list[Path]:
    """The results files that are known to name stages in this folder."""
    try:
        lines = (home / _FILE).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except FileNotFoundError:
        return []
    return [Path(line) for line in dict.fromkeys(lines)]


def unused_stages(home: Path, dbs: Iterable[Path]) -> Unused:
    """The stages that no version or undecided upload names, nor a league or record of known results files and `dbs`.

    Raises `Locked` while one of these leagues runs.
    """
    kept = {submission.hash for submission in Submissions(home).all_versions()}
    kept |= {upload.hash for upload in Uploads(home).all() if upload.state in ("queued", "waiting")}
    looked_at, missing = [], []
    for db in dict.fromkeys([*known_results(home), *(db.resolve() for db in dbs)]):
        try:
            kept |= _hashes(db)
            looked_at.append(db)
        except NoResults:
            missing.append(db)
    oldest = time.time() - _YOUNGEST_SECONDS
    stages = [path for path in stage_folders(home) if path.name not in kept and path.stat().st_mtime < oldest]
    return Unused(stages=tuple(sorted(stages)), looked_at=tuple(looked_at), missing=tuple(missing))


def remove_unused(unused: Unused) -> int:
    """Remove the stages; returns the number of bytes that are free now."""
    size = sum(_sizes(unused.stages))
    for path in unused.stages:
        remove_stage(path)
    return size


def _hashes(db: Path) -> set[str]:
    with Store.read(db) as store:
        for league in store.leagues():
            if store.is_claimed(league.name, is_alive=is_alive):
                raise Locked(f"{league.name} in {db} is running; wait for it")
        return store.hashes()


def _sizes(folders: Iterable[Path]) -> Iterator[int]:
    return (path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
