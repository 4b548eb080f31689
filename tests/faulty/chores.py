"""Tasks for tests of executors; most of them fail. Workers import this module, so it imports no test."""

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
    """Returns the PID of the process that performs it."""

    def perform(self, players):
        return os.getpid()


@dataclass(frozen=True)
class Raises:
    starved: bool = False

    def perform(self, players):
        raise Starved("no CPU") if self.starved else ValueError("not today")


@dataclass(frozen=True)
class Fills:
    """Returns more bytes than fit into the buffer of a socket."""

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
    """Writes the PID of its process to a file, then waits until another file exists."""

    told: Path
    let_go: Path

    def perform(self, players):
        draft = self.told.with_suffix(".draft")
        draft.write_text(str(os.getpid()))
        draft.rename(self.told)
        while not self.let_go.exists():
            time.sleep(0.005)
        return "stayed"
