"""Training runs as they are stored: their folders, configuration, curve, ladder and games."""

import difflib
import fcntl
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.training.learning_process import Line, call
from results.errors import store_errors

__all__ = ["CurvePoint", "LadderPoint", "TrainingRun", "check_name", "find", "runs", "training_folder"]

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_TIMEOUT_SECONDS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One generation of a run. Seconds are CPU time; `waited` is wall time that the trainer waited for games."""

    generation: int
    games: int
    positions: int
    nodes: int
    rows: int
    steps: int
    play_seconds: float
    train_seconds: float
    stages: Mapping[str, float]
    losses: Mapping[str, float]
    validation: Mapping[str, float]
    memory: int
    total_games: int
    total_positions: int
    total_seconds: float
    rate: float
    player: int
    waited: float
    workers_waited: float
    wall: float
    workers: int
    when: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """A point from a row of the notes; keys that we do not know are ignored."""
        return cls(**{key: value for key, value in row.items() if key in cls.__slots__})

    @property
    def minutes(self) -> float:
        """CPU time of the run so far."""
        return self.total_seconds / 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPoint:
    """The score of a generation against an anchor: points per game, with half of the 95 % interval."""

    generation: int
    minutes: float
    anchor: str
    games: int
    score: float
    error: float
    as_first: float | None = None
    as_second: float | None = None
    player: str = ""

    @property
    def key(self) -> str:
        """The key of this point in the notes."""
        return f"{self.generation:06} {self.anchor} {self.player}"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run in its folder."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.folder.name

    @property
    def exists(self) -> bool:
        """Whether the run was started."""
        return bool(self.configuration())

    @property
    def db(self) -> Path:
        """The results file of its gates and ladder."""
        return self.folder / "games.db"

    @property
    def is_running(self) -> bool:
        """Whether a process trains it now."""
        try:
            with (self.folder / "lock").open("r") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    def configuration(self) -> dict[str, Any]:
        """What the run was started with."""
        return self._read("configuration")

    @property
    def recipe(self) -> dict[str, Any]:
        """The settings in force: those of the start and all changes since."""
        changes = [change["changes"] for change in self.changes()]
        found: dict[str, Any] = dict(self.configuration()["recipe"])
        for change in changes:
            found |= change
        return found

    def curve(self) -> list[CurvePoint]:
        """One point for each generation."""
        return [CurvePoint.of(row) for row in self._read("curve").values()]

    def changes(self) -> list[dict[str, Any]]:
        """The settings that were changed while it ran."""
        return list(self._read("changes").values())

    def gates(self) -> dict[int, dict[str, Any]]:
        """The verdicts of the gates by generation."""
        return {int(key): verdict for key, verdict in self._read("gates").items()}

    def examples(self) -> dict[int, list[dict[str, Any]]]:
        """Games of self-play by generation: `moves` are texts, `start` is empty for the game's own start."""
        return {int(key): games for key, games in self._read("examples").items() if games}

    def ladder(self) -> list[LadderPoint]:
        """All points of the ladder, by generation and in the order of the anchors in the recipe."""
        points = [LadderPoint(**row) for row in self._read("ladder").values()]
        places = {anchor: place for place, anchor in enumerate(self.recipe["anchors"])} if points else {}
        return sorted(points, key=lambda point: (point.generation, places.get(point.anchor, len(places))))

    def add_to_ladder(self, point: LadderPoint) -> None:
        """Store a point; one of the same generation, anchor and player is replaced."""
        with self._open("ladder") as notes:
            notes[point.key] = asdict(point)

    def export(self, target: str | Path, *, generation: int | None = None) -> Line:
        """Write the agent folder of a generation (None: the one that plays now); returns where it comes from."""
        number = [] if generation is None else ["--generation", str(generation)]
        return call("export", str(self.folder), str(target), *number)

    def _read(self, table: str) -> dict[str, Any]:
        if not (self.folder / "notes.db").exists():
            return {}
        with self._open(table) as notes:
            return dict(sorted((str(key), value) for key, value in notes.items()))

    @contextmanager
    def _open(self, table: str) -> Iterator[MutableMapping[str, Any]]:
        """The notes of a table, committed at the end. They are JSON, since a pickle could run code."""
        from sqlitedict import SqliteDict  # type: ignore[import-untyped]

        path = self.folder / "notes.db"
        with store_errors(path):
            with sqlite3.connect(path) as tried:
                tried.execute("PRAGMA schema_version")  # so that a foreign file fails here and not in a thread
            tried.close()
            notes = SqliteDict(
                str(path), tablename=table, encode=json.dumps, decode=json.loads, outer_stack=False,
                timeout=_TIMEOUT_SECONDS,
            )  # fmt: skip
            try:
                yield notes
                notes.commit()
            finally:
                notes.close()


def training_folder(given: Path | None = None) -> Path:
    """The folder of all runs: the given one, else `training` in `$ARENA_HOME`."""
    return given if given is not None else home() / "training"


def check_name(name: str) -> str:
    """The name itself; `BadSettings` if it cannot be that of a run."""
    if _NAME.fullmatch(name) is None:
        raise BadSettings(f"{name!r} cannot be the name of a run: use 1 to 64 letters, digits, _ . and -")
    return name


def find(name: str, *, folder: Path) -> TrainingRun:
    """The stored run of this name; `BadSettings` names the nearest one if there is none."""
    run = TrainingRun(folder / check_name(name))
    if not run.exists:
        known = [each.name for each in runs(folder)]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"runs are {', '.join(known)}" if known else "there are none"
        raise BadSettings(f"there is no training run {name!r} in {folder}; {hint}")
    return run


def runs(folder: Path) -> Sequence[TrainingRun]:
    """All stored runs, sorted by name."""
    return [TrainingRun(path.parent) for path in sorted(folder.glob("*/notes.db"))]
