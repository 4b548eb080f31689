"""Running games for those who watch: one small file per game in the user's runtime folder, a line for every turn.

The process that plays a game appends to its file; whoever watches reads it. Nothing that happens here changes a game:
without a folder, or with a full disk, nobody can watch, and that is all.
"""

import json
import os
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from arena.process.spawn import is_alive, start_time
from arena.referee.referee import Job, Turn
from arena.referee.reports import AgentReport
from games.base import join_parameters
from results.record import Seat

__all__ = ["LiveGame", "LiveTurn", "Sheet", "live_folder", "live_games", "open_sheet"]

_SUFFIX: Final = ".game"
#: The most that is read of a file: more than the longest game needs.
_MOST_BYTES: Final = 1 << 20
#: Bytes of reports; then the file begins anew. Otherwise an agent that says much would fill the folder, which is often
#: in memory, and what is read of a file.
_MOST_REPORTED: Final = 1 << 18
#: Reports about one move that are kept.
_SAID: Final = 20
_numbers: Final = count(1)


def live_folder() -> Path:
    """The folder of the running games of this user: below `$XDG_RUNTIME_DIR`, else in the folder of temporary files."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and Path(runtime).is_dir():
        return Path(runtime, "arena-games")
    return Path(tempfile.gettempdir(), f"arena-games-{_user()}")


def _user() -> int:
    """The number of the user; -1 on Windows, where no folder is known to be private."""
    return os.getuid() if hasattr(os, "getuid") else -1


def _is_private(folder: Path) -> bool:
    """Whether it is a real folder that belongs to us and that nobody else can read or write."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _user() and not found.st_mode & 0o077


class Sheet:
    """The file of one running game. Its methods never raise because of the file."""

    def __init__(self, folder: Path, place: Path, job: Job) -> None:
        self._place = place
        self._descriptor = _created(folder, place)
        self._first = job.game.first
        self._turns: list[bytes] = []
        self._reported = 0  # bytes of reports in the file
        self._said: dict[Seat, bytes] = {}

    def begin(self, head: Mapping[str, object]) -> None:
        """Write what is known before the first turn."""
        self._keep(head)

    def turn(self, turn: Turn) -> None:
        """Append a turn with both clocks; before the first move, the state in which the players begin."""
        first, second = turn.times[self._first], turn.times[not self._first]
        line = [turn.move, round(first, 3), round(second, 3), round(time.time(), 3)]
        self._keep([*line, turn.taken_back] if turn.taken_back else line)

    def report(self, seat: Seat, report: AgentReport) -> None:
        """Append what a player says about its search."""
        said = {key: value for key, value in asdict(report).items() if value}
        line = _as_line({"seat": seat, **said, "value": report.value})
        if self._reported + len(line) > _MOST_REPORTED:
            self._begin_anew(seat)
        self._said[seat] = line
        self._reported += len(line)
        self._write(line)

    def _begin_anew(self, speaker: Seat) -> None:
        """Replace the file by one without its reports, but for the last one of the player that does not speak now."""
        said = [line for seat, line in self._said.items() if seat != speaker]
        draft = self._place.with_suffix(".draft")
        if self._descriptor >= 0:
            self.close()
            self._descriptor = _opened(draft)
        self._reported = sum(map(len, said))
        self._write(b"".join((*self._turns[:-1], *said, *self._turns[-1:])))
        with suppress(OSError):
            draft.replace(self._place)

    def _keep(self, line: object) -> None:
        self._turns.append(_as_line(line))
        self._write(self._turns[-1])

    def _write(self, lines: bytes) -> None:
        if self._descriptor < 0:
            return
        try:
            os.write(self._descriptor, lines)
        except OSError:  # a full disk: from now on nobody can watch this game
            self.close()

    def close(self) -> None:
        """Close the file."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


@contextmanager
def open_sheet(job: Job, *, results: str, folder: Path | None = None) -> Iterator[Sheet]:
    """The sheet of a game while it is played; `results` is the results file that it belongs to."""
    folder = folder or live_folder()
    pid = os.getpid()
    place = folder / f"{pid}-{next(_numbers)}{_SUFFIX}"
    sheet = Sheet(folder, place, job)
    head = {
        "results": results, "league": job.league, "key": job.key, "first": job.first.name, "second": job.second.name,
        "game": join_parameters(job.game.name, job.game.parameters), "start": job.start, "opening": job.opening,
        "seconds": job.seconds, "pid": pid, "began": start_time(pid),
    }  # fmt: skip
    try:
        sheet.begin(head)
        yield sheet
    finally:
        sheet.close()
        with suppress(OSError):
            place.unlink()


def _created(folder: Path, place: Path) -> int:
    """A descriptor of a new file that only we can read; -1 if it cannot be made."""
    with suppress(FileExistsError, OSError):
        folder.mkdir(mode=0o700)
    return _opened(place) if _is_private(folder) else -1


def _opened(place: Path) -> int:
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(place, flags, 0o600)
    except OSError:
        return -1


def _as_line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """A move, the seconds that both players have left after it, and when it was made (seconds since 1970).

    The first has no move: both players are ready. Nor has one that says that moves were taken back, and how many.
    """

    move: str | None
    first: float
    second: float
    at: float
    taken_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveGame:
    """A running game as far as its file tells. `claims` are the last reports of both players.

    `said` are the last reports about the move that is being searched now, oldest first.
    """

    id: str
    results: str
    league: str
    key: str
    game: str
    first: str
    second: str
    start: str
    opening: tuple[str, ...]
    seconds: float
    turns: tuple[LiveTurn, ...]
    claims: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    said: Sequence[Mapping[str, object]] = ()

    @property
    def moves(self) -> list[str]:
        """All moves, opening included."""
        moves = list(self.opening)
        for turn in self.turns:
            moves = moves[: len(moves) - turn.taken_back] + ([] if turn.move is None else [turn.move])
        return moves


def live_games(folder: Path | None = None) -> list[LiveGame]:
    """The running games of this user, sorted by process and age; files of processes that are gone are removed."""
    folder = folder or live_folder()
    if not _is_private(folder):
        return []
    found = []
    for place in sorted(folder.glob(f"*{_SUFFIX}"), key=_number):
        with suppress(OSError, ValueError, TypeError, KeyError, IndexError):
            lines = _lines(place)
            if not is_alive(int(lines[0]["pid"]), str(lines[0]["began"])):
                place.unlink()
                continue
            found.append(_live_game(place.stem, lines))
    return found


def _number(place: Path) -> tuple[int, ...]:
    """The PID and the number of the game in the name of its file."""
    return tuple(int(part) for part in place.stem.split("-") if part.isdigit())


def _lines(place: Path) -> Sequence[Any]:
    """The complete lines of a file, as JSON; the last one may still be being written."""
    with place.open("rb") as file:
        text = file.read(_MOST_BYTES)
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def _live_game(name: str, lines: Sequence[Any]) -> LiveGame:
    head = lines[0]
    turns, claims, said = [], {}, []
    for line in lines[1:]:
        if isinstance(line, dict):
            claims[line["seat"]] = line
            said.append(line)
        else:
            said.clear()
            first, second, at = map(float, line[1:4])
            turns.append(LiveTurn(line[0], first, second, at, int(line[4]) if line[4:] else 0))
    texts = {key: str(head[key]) for key in ("results", "league", "key", "game", "first", "second", "start")}
    return LiveGame(
        id=name, **texts, opening=tuple(map(str, head["opening"])), seconds=float(head["seconds"]),
        turns=tuple(turns), claims=claims, said=said[-_SAID:],
    )  # fmt: skip
