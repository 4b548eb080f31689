"""Starts confined players: the referee's side of a zygote."""

import contextlib
import functools
import json
import os
import select
import socket
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Final, Self

import agents
import games
from arena.errors import BadSettings, Void
from arena.process.spawned_process import SpawnedProcess
from arena.process.stack_dump import StackDump
from arena.sandbox import boot, linux
from arena.sandbox.lockdown import Confinement
from arena.sandbox.watch import Watch
from games import outside

__all__ = ["DEFAULT_MEMORY", "ENGINE_THREADS", "Rules", "Zygote", "check_hidden", "confine", "readable"]

DEFAULT_MEMORY: Final = 1 << 30
DEFAULT_THREADS: Final = 8
ENGINE_THREADS: Final = 32  # a JavaScript runtime starts ten before it does anything
_BOOT_SECONDS: Final = 60.0
_LOCK_SECONDS: Final = 20.0
_SYSTEM: Final = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom",
    # The features of the processor: without them torch computes without vector instructions.
    "/proc/cpuinfo", *(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible", "present")),
)  # fmt: skip

#: Engines keep their data in /usr/share; a JavaScript runtime does not start without the OpenSSL settings.
_FOR_PROGRAMS: Final = ("/usr/share", "/etc/ssl/openssl.cnf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the organiser grants each player. Sizes are in bytes."""

    memory: int = DEFAULT_MEMORY
    scratch: int = 0
    threads: int = DEFAULT_THREADS
    landlock: bool = True
    seccomp: bool = True

    def granting(self, *, threads: int | None, memory: int | None) -> Self:
        """The same rules with the threads and the memory that one entrant is given, if any."""
        return replace(
            self, threads=self.threads if threads is None else threads, memory=self.memory if memory is None else memory
        )


def confine(stage: Path | None, rules: Rules, *, game: str) -> Confinement:
    """The confinement of a Python player: it may read its stage, Python, the game and the system's libraries."""
    own = [str(stage.resolve())] if stage is not None else []
    return Confinement(
        read=tuple(dict.fromkeys((*own, *readable(game)))),
        memory=rules.memory, scratch=rules.scratch, abi=linux.landlock_abi(),
        landlock=rules.landlock, seccomp=rules.seccomp,
    )  # fmt: skip


@functools.cache
def readable(game: str) -> tuple[str, ...]:
    """What every Python player of a game may read: Python's libraries, our packages, the game, the system's libraries.

    Not all of `sys.prefix`: a virtual environment can be in the folder of a league, beside its results.
    """
    packages = [str(Path(package.__path__[0]).resolve()) for package in (agents, games)]
    if (copy := outside.find(game.partition(":")[0])) is not None:
        packages.append(str(copy))
    elif (module := sys.modules.get(game.partition(":")[0].partition(".")[0])) is not None and "." in game:
        packages.append(str(_place(module)))
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    standard = [sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")]
    installed = [sysconfig.get_path(name) for name in ("purelib", "platlib")]
    libraries = [str(path) for path in Path(sys.base_prefix, "lib").glob("*.so*") if not _is_of_system(path)]
    places = (*standard, *installed, *packages, *libraries, *_SYSTEM)
    return tuple(dict.fromkeys(place for path in places for place in (path, os.path.realpath(path))))


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _SYSTEM)


def check_hidden(places: Mapping[str, Path], *, game: str, granted: Iterable[str] = ()) -> None:
    """Raise `BadSettings` if players could read one of these places: results, or the code of others.

    The keys say what a place is and how to move it. `granted` are paths that engines may read besides.
    """
    open_places = [Path(os.path.realpath(place)) for place in (*readable(game), *_FOR_PROGRAMS, *granted)]
    for what, place in places.items():
        real = Path(os.path.realpath(place))
        if found := next((path for path in open_places if real.is_relative_to(path)), None):
            raise BadSettings(f"{what} is {real}, which players can read, as everything in {found}; use another folder")


def _place(module: ModuleType) -> Path:
    """The file or folder of a top-level module or package."""
    assert module.__file__ is not None
    file = Path(module.__file__).resolve()
    return file.parent if file.name == "__init__.py" else file


class Zygote:
    """A process from which players are forked. It is ready when it is first used, and replaced if it ends."""

    def __init__(self, game: str, *, needs: Sequence[str] = ()) -> None:
        self._game = game
        self._needs = tuple(dict.fromkeys(needs))
        self._pid = 0
        self._boot()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._pid

    def start(self, stage: Path | None, rules: Rules, *, stop_byte: int | None = None) -> SpawnedProcess:
        """Start a Python player that has locked itself down and has not imported any agent code yet.

        `stop_byte` is the descriptor of a file whose first byte asks its search to stop.
        """
        confinement = confine(stage, rules, game=self._game)
        stack = StackDump()
        more = (stack.descriptor,) if stop_byte is None else (stack.descriptor, stop_byte)
        try:
            return replace(self._fork(confinement, rules, lenient=False, more=more), stack=stack)
        except BaseException:
            stack.close()
            raise

    def start_program(
        self, command: Sequence[str], rules: Rules, *, read: Sequence[str] = (), trusted: bool
    ) -> SpawnedProcess:
        """Start a native program, named by its absolute path, in the same lock-down; it may call exec once, for itself.

        It may read its binary, the system's libraries, /usr/share and the paths in `read`. Calls that break a rule are
        faults, or only refused if the organiser trusts it.
        """
        binary = Path(command[0])
        confinement = Confinement(
            read=(str(binary), *_SYSTEM, *_FOR_PROGRAMS, *(str(Path(path).resolve()) for path in read)),
            execute=(str(binary), *_loaders()), command=(str(binary), *command[1:]),
            memory=rules.memory, scratch=rules.scratch, abi=linux.landlock_abi(),
        )  # fmt: skip
        return self._fork(confinement, rules, lenient=trusted)

    def _fork(
        self, confinement: Confinement, rules: Rules, *, lenient: bool, more: Sequence[int] = ()
    ) -> SpawnedProcess:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        kept, given = [ours], [theirs]
        for _ in range(2 if confinement.command else 0):  # standard output, standard input
            stream, program = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            kept.append(stream)
            given.append(program)
        try:
            fields = {name: getattr(confinement, name) for name in Confinement.__slots__}
            ours.send(json.dumps(fields).encode())  # read by the player, never by the zygote
            numbers = [given[0].fileno(), writing, *(end.fileno() for end in given[1:]), *more]
            self._request(numbers)
            for end in given:
                end.close()
            pid, listener = _receive_player(ours)
        except BaseException:
            for end in kept:
                end.close()
            os.close(reading)
            raise
        finally:
            os.close(writing)
            for end in given:
                end.close()
        watch = listener and Watch(
            listener, pid=pid, read=confinement.read, has_scratch=confinement.scratch > 0,
            threads=rules.threads, execs=bool(confinement.command), lenient=lenient,
        )  # fmt: skip
        if not confinement.command:
            return SpawnedProcess(pid, ours, reading, watch or None, confinement.memory)
        _, wire, inlet = kept
        ours.close()
        return SpawnedProcess(pid, wire, reading, watch or None, confinement.memory, inlet)

    def close(self) -> None:
        """End the zygote; never raises."""
        if self._pid:
            self._socket.close()  # it ends when the socket is closed
            os.kill(self._pid, 9)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _boot(self) -> None:
        self._pid, self._socket = boot.start()
        self._is_ready = False
        with contextlib.suppress(OSError):  # if it has ended, the first request reports that
            self._socket.send(
                json.dumps([self._game, str((outside.home() / "games" / "stages").absolute()), *self._needs]).encode()
            )

    def _request(self, descriptors: list[int]) -> None:
        """Ask for a new process with these descriptors."""
        try:
            if not self._is_ready:
                message, _ = _receive(self._socket, seconds=_BOOT_SECONDS)
                if message != b"ready":
                    raise Void(message.decode("utf-8", "replace"))
                self._is_ready = True
            socket.send_fds(self._socket, [b"f"], descriptors)
        except (OSError, Void) as error:
            self.close()
            self._boot()  # for the next attempt
            raise Void(f"the process that starts players ended: {error}") from error


def _receive(channel: socket.socket, *, seconds: float) -> tuple[bytes, list[int]]:
    ready, _, _ = select.select([channel], [], [], seconds)
    if not ready:
        raise Void("no answer in time")
    message, descriptors, _, _ = socket.recv_fds(channel, 4096, 1)
    if not message:
        raise Void("it closed its connection")
    return message, descriptors


def _receive_player(control: socket.socket) -> tuple[int, int]:
    """The PID of a player that has locked itself down, and the descriptor of its refused calls (0: none)."""
    try:
        message, descriptors = _receive(control, seconds=_LOCK_SECONDS)
        if not message.isdigit():
            raise Void(message.decode("utf-8", "replace"))
    except (OSError, Void) as error:
        raise Void(f"a player's process could not be locked down: {error}") from error
    return int(message), descriptors[0] if descriptors else 0


def _loaders() -> list[str]:
    """The dynamic loaders, which the Linux kernel starts to load the libraries of a program."""
    found = (path for folder in ("/lib", "/lib64") for path in Path(folder).glob("ld-linux*.so.*"))
    return sorted({str(path.resolve()) for path in found})
