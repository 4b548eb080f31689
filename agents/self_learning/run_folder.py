"""The folder of a run: where its files are, who may write to it, and which changes of settings wait."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from agents.self_learning.arrays import write_atomic
from agents.self_learning.errors import BadRecipe, TrainingError
from agents.self_learning.notes import Notes
from agents.self_learning.recipe import Recipe

__all__ = ["RunFolder", "key_of", "now"]

_VERSION: Final = 1


def key_of(number: int) -> str:
    """A number as a key that sorts like it."""
    return f"{number:06}"


def now() -> str:
    """The time now, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one run."""

    path: Path

    @property
    def notes(self) -> Notes:
        """Configuration, curve and events."""
        return Notes(self.path / "notes.db")

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def log(self) -> Path:
        """What workers print to stderr."""
        return self.path / "log.txt"

    @property
    def memory(self) -> Path:
        """The replay memory."""
        return self.path / "memory.bin"

    @property
    def validation(self) -> Path:
        """The samples that are never trained on."""
        return self.path / "validation.bin"

    def weights(self, generation: int) -> Path:
        """What players of a generation use."""
        return self.path / "weights" / f"{generation:06}.bin"

    def chunk(self, generation: int, number: int) -> Path:
        """A chunk of self-play."""
        return self.path / "chunks" / f"{generation:06}-{number:04}.chunk"

    def create(self, recipe: Recipe) -> None:
        """Make the folder of a new run, or see that the stored run has the same recipe; `BadRecipe` if it has not."""
        self.compare(recipe)
        if self.recipe() is None:
            for name in ("weights", "chunks", "checkpoints", "requests", "agents"):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            about = {"version": _VERSION, "recipe": recipe.as_dict(), "created": now(), "made_with": made_with()}
            self.notes.write("configuration", about)

    def compare(self, recipe: Recipe) -> None:
        """See that no run with another recipe is stored here; `BadRecipe` if there is one."""
        stored = self.recipe()
        if stored is not None and (differs := recipe.differences(stored)):
            raise BadRecipe(
                f"the run {self.path.name} has other settings ({'; '.join(differs[:3])}): choose another --name, or "
                f"continue it as it is with `arena train resume {self.path.name}`"
            )

    def recipe(self) -> Recipe | None:
        """The recipe that the run was started with; None if there is no run here."""
        about = self.notes.read("configuration")
        return Recipe.stored(about["recipe"]) if "recipe" in about else None

    def known_recipe(self) -> Recipe:
        """The recipe of a run that must be there."""
        found = self.recipe()
        if found is None:
            raise BadRecipe(f"there is no run in {self.path}")
        return found

    def planned_minutes(self, minutes: float | None) -> float | None:
        """The CPU-minutes that the run was first started with; the first call stores those that it is given."""
        about = self.notes.read("configuration")
        if "minutes" not in about:
            self.notes.write("configuration", {"minutes": minutes})
            return minutes
        planned: float | None = about["minutes"]
        return planned

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Allow one process at a time to train; `TrainingError` if another one does."""
        with (self.path / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                lock.seek(0)
                raise TrainingError(f"the run {self.path.name} is already running (PID {lock.read()})") from error
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    def request(self, changes: Mapping[str, str]) -> dict[str, object]:
        """Ask the run, now or when it goes on, to change settings; returns the checked values."""
        checked = self.known_recipe().parse_changes(changes)
        stamp = now()
        name = f"{stamp.replace(':', '')}-{os.getpid()}"
        write_atomic(self.path / "requests" / f"{name}.json", json.dumps({"changes": checked, "asked": stamp}).encode())
        return checked

    def take_requests(self, generation: int) -> list[dict[str, Any]]:
        """Make the waiting requests changes from this generation on; returns them. None is lost or made twice."""
        taken = []
        for path in sorted((self.path / "requests").glob("*.json")):
            change = json.loads(path.read_text(encoding="utf-8")) | {"generation": generation, "request": path.stem}
            if path.stem not in self.notes.read("changes"):
                self.notes.write("changes", {path.stem: change})
                taken.append(change)
            path.unlink()  # only now: a kill before this line finds it in the notes
        return taken

    def recipe_at(self, generation: int) -> Recipe:
        """The recipe with all changes up to this generation."""
        recipe = self.known_recipe()
        for change in self.notes.read("changes").values():
            if change["generation"] <= generation:
                recipe = recipe.changed(change["changes"])
        return recipe


def made_with() -> dict[str, str]:
    """The versions of what the run is made with, and the commit of the code if it is known."""
    found = {"python": sys.version.split()[0]}
    for name in ("numpy", "torch"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    except OSError:
        return found
    return found | ({"commit": ran.stdout.strip()} if ran.returncode == 0 else {})
