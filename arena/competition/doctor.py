"""Tests what this machine can enforce: a hostile agent runs in the sandbox and tries to break each rule."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents.seat import Fault, History, Times
from arena.entrants.engines import installed_engines
from arena.entrants.entrant import resolve
from arena.entrants.staging import stage_of
from arena.errors import Void
from arena.referee.agent_player import AgentPlayer
from arena.sandbox import level as level_module
from arena.sandbox import linux
from arena.sandbox.launch import Rules, Zygote
from arena.sandbox.level import Level, level
from arena.version import version
from games import live, names
from games.base import Game, load
from results.notation.json_form import JsonObject
from results.text import plain

__all__ = ["PROBES", "Denial", "Diagnosis", "Probe", "diagnose"]

_HOSTILE: Final = Path(level_module.__file__).with_name("hostile.py")
_GAME: Final = "microchess"
_SECONDS: Final = 10.0
_HANG_SECONDS: Final = 0.3
_OFF_TURN_SECONDS: Final = 0.3


@dataclass(frozen=True, slots=True)
class Probe:
    """One attempt of the hostile agent: its name, a description, and the rule that must stop it.

    Without a rule the attempt is not a fault, but it must have no effect.
    """

    name: str
    attempt: str
    rule: str = ""


PROBES: Final = (
    Probe("read", "open /etc/passwd", "file"),
    Probe("read_quietly", "open /etc/passwd, with only Landlock"),
    Probe("write", "write a file outside its folder", "file"),
    Probe("list", "list the root folder", "file"),
    Probe("chmod", "change the mode of its own source", "file"),
    Probe("socket", "open a socket", "network"),
    Probe("fork", "fork", "process"),
    Probe("exec", "execute a program", "process"),
    Probe("kill", "send a signal to the referee", "tamper"),
    Probe("ptrace", "call ptrace", "tamper"),
    Probe("peek", "read the referee's memory", "tamper"),
    Probe("priority", "raise its priority", "tamper"),
    Probe("memory", "take 64 GB of memory", "memory"),
    Probe("threads", "start 40 threads", "threads"),
    Probe("hang", "never answer and ignore signals", "time"),
    Probe("ponder", "compute in the opponent's turn"),
    Probe("descriptors", "find an open file of arena"),
    Probe("capabilities", "find a Linux capability"),
)


@dataclass(frozen=True, slots=True)
class Denial:
    """Whether an attempt was stopped here, and what was seen if it was not."""

    probe: Probe
    is_proven: bool
    seen: str = ""

    def as_json(self) -> JsonObject:
        """The denial in the output of `arena doctor --json`."""
        probe = {"name": self.probe.name, "words": self.probe.attempt, "rule": self.probe.rule}
        return {**probe, "proven": self.is_proven, "seen": self.seen}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What this machine can enforce."""

    level: Level
    landlock: int
    denials: tuple[Denial, ...]

    @property
    def proven(self) -> int:
        """The number of proven denials."""
        return sum(denial.is_proven for denial in self.denials)

    @property
    def is_fit(self) -> bool:
        """Whether untrusted agents can be run here: there is a sandbox, and all denials are proven."""
        return self.level != "none" and self.proven == len(self.denials)

    def brief(self) -> str:
        """The diagnosis in one line."""
        landlock = f"Landlock {self.landlock}" if self.landlock else "no Landlock"
        return (
            f"arena {version()}: sandbox {self.level} ({landlock}), "
            f"{self.proven} of {len(self.denials)} forbidden actions were stopped, {_rules()}"
        )

    def as_json(self) -> JsonObject:
        """The output of `arena doctor --json`."""
        return {
            "arena": version(),
            "level": self.level,
            "landlock": self.landlock,
            "fit": self.is_fit,
            "proven": self.proven,
            "denials": [denial.as_json() for denial in self.denials],
            "rules": {name: live(name) for name in names()},
            "engines": installed_engines(),
        }


def _rules() -> str:
    """The games that run on their native kernel, and those that run on Python rules."""
    native = [name for name in names() if live(name) == "kernel"]
    python = [name for name in names() if live(name) == "python"]
    parts = [f"kernels of {', '.join(native)}"] if native else []
    return "; ".join([*parts, f"Python rules of {', '.join(python)}"] if python else parts)


def diagnose(rules: Rules | None = None) -> Diagnosis:
    """Make each attempt once, in a sandboxed process of its own; takes about two seconds."""
    enforced, abi = level(), linux.landlock_abi()
    if enforced == "none":
        return Diagnosis(
            enforced, abi, tuple(Denial(probe, False, "not tried: there is no sandbox") for probe in PROBES)
        )
    with tempfile.TemporaryDirectory(prefix="arena-doctor-") as folder, contextlib.closing(Zygote(_GAME)) as zygote:
        denials = (_try(probe, zygote, rules or Rules(), Path(folder)) for probe in PROBES)
        return Diagnosis(enforced, abi, tuple(denials))


def _try(probe: Probe, zygote: Zygote, rules: Rules, folder: Path) -> Denial:
    marker = folder / "marker"
    rule = detail = ""
    try:
        with _player(probe, zygote, rules, marker) as player:
            _play(player, load(_GAME), seconds=_HANG_SECONDS if probe.name == "hang" else _SECONDS)
    except Fault as fault:
        rule, detail = fault.rule, fault.detail
    except Void as error:
        return Denial(probe, False, plain(str(error)))
    if marker.exists():
        marker.unlink()
        return Denial(probe, False, "the file was written")
    if rule == probe.rule:
        return Denial(probe, True)
    return Denial(probe, False, f"{rule}: {plain(detail)}" if rule else "nothing stopped it")


@contextlib.contextmanager
def _player(probe: Probe, zygote: Zygote, rules: Rules, marker: Path) -> Iterator[AgentPlayer]:
    home = marker.with_name("home")
    entrant = resolve(f'{_HOSTILE}:tries={probe.name},marker="{marker}"', home=home)
    staged = stage_of(entrant.hash, home=home)
    assert staged is not None
    if probe.name == "read_quietly":
        rules = replace(rules, seccomp=False)  # without notifications of opened files, only Landlock is left
    player = AgentPlayer(entrant, lambda: zygote.start(staged.folder, rules), stage=staged.folder)
    try:
        yield player
    finally:
        player.close()


def _play(player: AgentPlayer, game: Game, *, seconds: float) -> None:
    """Request two moves, with a pause between them for the opponent's turn."""
    state = game.start()
    start, moves = state.text, ()
    times = Times(own=seconds, opponent=seconds, opponent_last_move=0.0)
    player.open(game, game.first, start=start, seed=1)
    own = player.ask(History(start, moves, state), times).text
    time.sleep(_OFF_TURN_SECONDS)
    state = state.forward(state.parse(own))
    reply = state.legal_moves[0]
    player.ask(History(start, (own, str(reply)), state.forward(reply)), times)
