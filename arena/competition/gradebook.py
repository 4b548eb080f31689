"""The gradebook of a course: for each submitted name its owner, versions, check, place in a league, and faults."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

from arena.entrants.submissions import Submission, Submissions
from games.base import split_parameters
from results.league import League
from results.record import EntrantRecord
from results.standings.table import Row, rows
from results.store.store import Store
from results.text import cell

__all__ = ["Line", "as_csv", "gradebook", "submission_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One submitted name. Place, points and games are None if it is not in the league."""

    name: str
    owner: str
    versions: int
    check: str
    place: int | None = None
    points: float | None = None
    games: int | None = None
    faults: int | None = None
    status: str = ""


def submission_of(entrant: EntrantRecord) -> str:
    """The name under which an entrant was submitted; empty if it was not."""
    is_submitted = bool(entrant.version) and not entrant.path.startswith("agents.")
    return split_parameters(entrant.agent)[0].partition("@")[0] if is_submitted else ""


def gradebook(submissions: Submissions, store: Store | None, league: League | None) -> list[Line]:
    """A line for each name that was submitted or whose check failed, sorted by name."""
    versions: dict[str, list[Submission]] = {}
    for submission in submissions.all_versions():
        versions.setdefault(submission.name, []).append(submission)
    failures = submissions.failures()
    placed = {} if store is None or league is None else _placed(store, league)
    lines = []
    for name in sorted({*versions, *failures}):
        found, failed = versions.get(name, []), failures.get(name)
        check = "passed" if found else ""
        if failed is not None:
            check = f"{'passed; a later version ' if found else ''}failed: {failed.why}"
        owner = found[-1].owner if found else failed.owner if failed is not None else ""
        line = Line(name=name, owner=owner, versions=len(found), check=check)
        if name in placed:
            row, faults = placed[name]
            line = Line(
                name=name, owner=owner, versions=len(found), check=check, place=row.rank, points=row.points,
                games=row.games, faults=faults, status=row.status,
            )  # fmt: skip
        lines.append(line)
    return lines


def as_csv(lines: Sequence[Line]) -> str:
    """The lines for a spreadsheet, which takes no cell for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(Line)]
    writer.writerow(names)
    for line in lines:
        values = (getattr(line, name) for name in names)
        writer.writerow(["" if value is None else cell(value) for value in values])
    return out.getvalue()


def _placed(store: Store, league: League) -> dict[str, tuple[Row, int]]:
    """The row of each submitted name, that of the version that plays now, and the faults of all its versions."""
    ranked = {row.agent: row for row in rows(store, league, store.pairs(league.name))}
    faults: Counter[str] = Counter()
    for number in store.ids(league.name, faults=True):
        record = store.record(number)
        assert record.fault is not None
        faults[(record.first if record.fault.player == "first" else record.second).name] += 1
    found: dict[str, tuple[Row, int]] = {}
    for entrant in sorted(league.entrants, key=lambda entrant: entrant.name not in league.departures):
        if name := submission_of(entrant):
            _, before = found.get(name, (None, 0))
            found[name] = ranked[entrant.name], before + faults[entrant.name]
    return found
