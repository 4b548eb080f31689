"""Training runs as they are stored: their folders, configuration, curve, ladder and games."""

import difflib
import fcntl
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.training.learning_process import Line, call
from arena.training.stored import check_folder, checked, examples_of, numbered, texts_of
from results.errors import Damaged, store_errors
from results.store.notes import check_notes, read_notes

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A change of settings without the settings."""

    generation: int
    asked: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run in its folder, which may come from anybody: what is stored in it is checked.

    It cannot name code to run. `given` are the learners, games and agents that the user has named, now or by trusting
    the folder.
    """

    folder: Path
    given: frozenset[str] = field(default=frozenset(), compare=False)

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
            lock = os.open(self.folder / "lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            if stat.S_ISREG(os.fstat(lock).st_mode):
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(lock)
        return False

    def configuration(self) -> dict[str, Any]:
        """What the run was started with."""
        found = self._read("configuration")
        if found:
            found["recipe"] = texts_of(found.get("recipe"), where=self._notes)
            found["made_with"] = texts_of(found.get("made_with", {}), where=self._notes)
        return found

    @property
    def recipe(self) -> dict[str, Any]:
        """The settings in force: those of the start and all changes since."""
        found: dict[str, Any] = dict(self.configuration()["recipe"])
        for change in self.changes():
            found |= change["changes"]
        if not all(isinstance(found.get(key), str) for key in ("game", "learner")):
            raise Damaged(f"{self._notes} is damaged (the recipe names no game); restore a backup")
        return found

    def curve(self) -> list[CurvePoint]:
        """One point for each generation."""
        return [checked(CurvePoint, row, where=self._notes) for row in self._read("curve").values()]

    def changes(self) -> list[dict[str, Any]]:
        """The settings that were changed while it ran."""
        where = self._notes
        return [
            asdict(checked(_Change, row, where=where)) | {"changes": texts_of(row.get("changes"), where=where)}
            for row in self._read("changes").values()
        ]

    def gates(self) -> dict[int, dict[str, Any]]:
        """The verdicts of the gates by generation."""
        found = numbered(self._read("gates"), where=self._notes)
        return {generation: texts_of(verdict, where=self._notes) for generation, verdict in found.items()}

    def examples(self) -> dict[int, list[dict[str, Any]]]:
        """Games of self-play by generation: `moves` are texts, `start` is empty for the game's own start."""
        found = numbered(self._read("examples"), where=self._notes)
        return {generation: examples_of(games, where=self._notes) for generation, games in found.items() if games}

    def ladder(self) -> list[LadderPoint]:
        """All points of the ladder, by generation and in the order of the anchors in the recipe."""
        points = [checked(LadderPoint, row, where=self._notes) for row in self._read("ladder").values()]
        places = {anchor: place for place, anchor in enumerate(self.recipe["anchors"])} if points else {}
        return sorted(points, key=lambda point: (point.generation, places.get(point.anchor, len(places))))

    def add_to_ladder(self, point: LadderPoint) -> None:
        """Store a point; one of the same generation, anchor and player is replaced."""
        with self._open("ladder") as notes:
            notes[point.key] = asdict(point)

    def export(self, target: str | Path, *, generation: int | None = None) -> Line:
        """Write the agent folder of a generation (None: the one that plays now); returns where it comes from."""
        number = [] if generation is None else ["--generation", str(generation)]
        return self.call("export", str(target), *number)

    def call(self, command: str, *words: str) -> Line:
        """Run a short command of the learning process on this run, and return what it says."""
        return call(command, *self.place(), *words)

    def place(self) -> list[str]:
        """The folder as an argument of the learning process, with the names that the user has given."""
        if self.folder.exists():
            check_folder(self.folder)
        return [str(self.folder), *(f"--given={name}" for name in sorted(self.given))]

    def giving(self, names: Iterable[str]) -> "TrainingRun":
        """The run after the user has named these too."""
        return replace(self, given=self.given.union(names))

    def trusted(self) -> "TrainingRun":
        """The run after the user has named all that the folder names."""
        recipe = self.recipe
        return self.giving([recipe["game"], recipe["learner"], *map(str, recipe.get("anchors") or [])])

    @property
    def _notes(self) -> Path:
        return self.folder / "notes.db"

    def _read(self, table: str) -> dict[str, Any]:
        return read_notes(self._notes, table)

    @contextmanager
    def _open(self, table: str) -> Iterator[MutableMapping[str, Any]]:
        """The notes of a table, committed at the end. They are JSON, since a pickle could run code."""
        from sqlitedict import SqliteDict  # type: ignore[import-untyped]

        check_notes(self._notes)
        with store_errors(self._notes):
            notes = SqliteDict(
                str(self._notes), tablename=table, encode=json.dumps, decode=json.loads, outer_stack=False,
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


def find(name: str, *, folder: Path, trust_file: bool = False) -> TrainingRun:
    """The stored run of this name; `BadSettings` names the nearest one if there is none.

    With `trust_file` its folder may name learners and programs to run.
    """
    run = TrainingRun(folder / check_name(name))
    if not run.exists:
        known = [each.name for each in runs(folder)]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"runs are {', '.join(known)}" if known else "there are none"
        raise BadSettings(f"there is no training run {name!r} in {folder}; {hint}")
    return run.trusted() if trust_file else run


def runs(folder: Path) -> Sequence[TrainingRun]:
    """All stored runs, sorted by name."""
    found = sorted(folder.glob("*/notes.db"))
    return [TrainingRun(path.parent) for path in found if _NAME.fullmatch(path.parent.name)]
