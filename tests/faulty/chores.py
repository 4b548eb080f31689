"""Tasks for executors, most of which go wrong. Performed in workers, so nothing of a test is in here."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from arena.errors import Starved


@dataclass(frozen=True)
class Adds:
    one: int
    two: int = 0

    def perform(self, players):
        return self.one + self.two


@dataclass(frozen=True)
class Tells:
    """Who performs it."""

    def perform(self, players):
        return os.getpid()


@dataclass(frozen=True)
class Raises:
    starved: bool = False

    def perform(self, players):
        raise Starved("no CPU") if self.starved else ValueError("not today")


@dataclass(frozen=True)
class Fills:
    """More than fits into a socket."""

    size: int

    def perform(self, players):
        return b"x" * self.size


@dataclass(frozen=True)
class Dies:
    def perform(self, players):
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Exits:
    code: int

    def perform(self, players):
        os._exit(self.code)


@dataclass(frozen=True)
class Stays:
    """Says who performs it, then stays until it is let go."""

    told: Path
    let_go: Path

    def perform(self, players):
        draft = self.told.with_suffix(".draft")
        draft.write_text(str(os.getpid()))
        draft.rename(self.told)
        while not self.let_go.exists():
            time.sleep(0.005)
        return "stayed"
