"""The check of an upload, in a process of its own that the server starts and that ends with it."""

import json
import os
import signal
import sys
from collections.abc import Sequence

from arena.competition.check import MOST_SECONDS, check_entrant
from arena.competition.events import Event, GameStarted, Notice, OnEvent, TurnPlayed
from arena.competition.gradebook import submission_of
from arena.competition.league import depart
from arena.competition.roster import enter_all
from arena.competition.uploading import Intake, approve
from arena.entrants.entrant import Entrant
from arena.entrants.grants import Grants
from arena.entrants.submissions import Submissions
from arena.entrants.uploads import Upload, Uploads
from arena.errors import BadSettings, UnknownAgent
from arena.sandbox import linux
from games.base import load_stored
from games.errors import ArenaError
from results.store import utc
from results.store.store import Store
from results.text import plain

__all__ = ["check_upload", "main"]


def check_upload(intake: Intake, number: int, *, on_event: OnEvent, is_nice: bool = False) -> Upload:
    """Check an upload in the sandbox, as `arena submit` does, and note the result; with a league, let it in."""
    uploads, submissions = Uploads(intake.home), Submissions(intake.home)
    upload = uploads.find(number)
    if upload is None or upload.state != "queued":
        raise BadSettings(f"upload {number} does not wait for its check")
    entrant = Entrant(upload.name, upload.file, upload.entry, True, {}, "", upload.hash, Grants(needs=upload.needs))
    game = load_stored(intake.game)
    # A niced process may wait long for the processor; with a time budget, only the time that it used counts.
    seconds = min(game.seconds, MOST_SECONDS) if is_nice and intake.seconds is None else intake.seconds
    try:
        report = check_entrant(entrant, game, seconds=seconds, on_event=on_event)
    except (BadSettings, UnknownAgent) as error:
        return uploads.change(number, state="failed", before=("queued",), why=plain(str(error), limit=300))
    if not report.passed:
        why, now = plain(report.why_not, limit=300), utc.stamp(utc.now())
        submissions.fail(upload.name, owner=upload.owner, why=why, date=now)
        return uploads.change(number, state="failed", before=("queued",), why=why, report=report.as_json())
    waiting = uploads.change(number, state="waiting", before=("queued",), report=report.as_json())
    if intake.league is None:
        return waiting
    accepted = approve(intake.home, number)
    try:
        notice = _enter(intake, accepted, on_event)
    except ArenaError as error:
        notice = f"it could not enter {plain(intake.league)}: {plain(str(error), limit=300)}"
    return uploads.change(number, state="accepted", before=("accepted",), why=notice)


def _enter(intake: Intake, upload: Upload, on_event: OnEvent) -> str:
    """Let a new version into the league, in place of the one before; returns what happened, in words."""
    assert intake.league is not None
    with Store.open(intake.db, create=False) as store:
        league = store.known(intake.league)
        active = [one for one in league.entrants if one.name not in league.departures]
        former = [one for one in active if submission_of(one) == upload.name]
        if any((one.hash, one.version) == (upload.hash, str(upload.version)) for one in former):
            return f"this version plays in {league.name} already"
        was_there = any(submission_of(one) == upload.name for one in league.entrants)
        named = f"{upload.name}@{upload.version}" if was_there else upload.name
        (entrant,) = enter_all(store, league, [named], on_event=on_event)
        league = store.known(intake.league)
        for old in former:
            league = depart(store, league, old.name, why="withdrawn", detail=f"replaced by {entrant.name}")
        return f"{entrant.name} has entered {league.name}"


def main(arguments: Sequence[str]) -> None:
    """The process of a check: prints a line whenever somebody who waits should see something new."""
    text, number, parent, is_nice = arguments
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        return
    if is_nice == "nice":
        os.nice(10)
    check_upload(Intake.of_text(text), int(number), on_event=_Printed(), is_nice=is_nice == "nice")


class _Printed:
    """Prints each event as a line of JSON: the number of the game and the turn, or a notice."""

    def __init__(self) -> None:
        self._seen = {"game": 0, "turn": 0}

    def __call__(self, event: Event) -> None:
        if isinstance(event, GameStarted):
            self._seen = {"game": self._seen["game"] + 1, "turn": 0}
        elif isinstance(event, TurnPlayed):
            self._seen = {**self._seen, "turn": event.turn}
        found: dict[str, object] = dict(self._seen)
        if isinstance(event, Notice):
            found["notice"] = plain(event.text, limit=400)
        sys.stdout.write(f"{json.dumps(found)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
