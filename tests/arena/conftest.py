"""Games played for real, in the fewest words."""

import fcntl
import json
import os
import random
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agents.seat import Player
from arena.entrants.entrant import resolve
from arena.execution.executor import Lost, Ok, Outcome
from arena.process.charge import Charge
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.referee.task import GameTask
from arena.sandbox import linux
from arena.sandbox.launch import Rules
from games.base import Game, load
from results.record import EntrantRecord, FaultRecord, GameRecord
from results.store.store import Store

#: A player's time where the clock is not what is tested: a busy machine may run it a hundred times slower.
PATIENCE_SECONDS = 600.0


def make_job(game: Game, **changes: Any) -> Job:
    settings: dict[str, Any] = {
        "league": "test", "key": "1:1-2", "game": game,
        "first": EntrantRecord("one", "one", "", "h1", {}), "second": EntrantRecord("two", "two", "", "h2", {}),
        "seconds": 10.0, "start": game.start().text, "opening": (), "seed": 1, "seed_first": 2, "seed_second": 3,
    }  # fmt: skip
    return Job(**settings | changes)


@pytest.fixture
def job() -> Callable[..., Job]:
    """A job on microchess, or on another game, with some of its settings changed."""

    def make(game: str = "microchess", **changes: Any) -> Job:
        return make_job(load(game), **changes)

    return make


@pytest.fixture
def contest(job: Callable[..., Job], tmp_path: Path) -> Callable[..., GameRecord]:
    """Play two agents, named as on the command line, in real processes (or two players) against each other.

    They are confined if there are rules, else trusted.
    """

    def run(
        first: str | Player, second: str | Player, *,
        rules: Rules | None = None, startup: float = PATIENCE_SECONDS, charge: Charge = "wall",
        needs: tuple[str, ...] = (), **changes: Any,
    ) -> GameRecord:  # fmt: skip
        made = job(**{"seconds": PATIENCE_SECONDS} | changes)
        clock = Clock(made.seconds, charge=charge)

        def seat(who: str | Player) -> Player:
            if isinstance(who, str):
                entrant = resolve(who, home=tmp_path / "home")
                return players.program(entrant, charge=charge, startup=startup)
            return who

        with ProcessPlayers(Setup(made.game, rules, needs, tmp_path / "home")) as players:
            return play(made, {"first": seat(first), "second": seat(second)}, clock, sandbox=players.level)

    return run


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Every line of its output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> str:
        """The one line of an error without output; before it, click may print how to get help."""
        *before, line = self.err.splitlines()
        assert [text.split(" ")[0] for text in before] in ([], ["Usage:", "Try", ""])
        assert self.out == ""
        return line


#: Seconds after which a command that has not ended has failed: a guard against waiting for ever.
GUARD_SECONDS = 1800
#: Put before a command, it lets file permissions apply to root too. What it may read stays the same: the project may
#: lie in a folder that only its owner can enter.
UNPRIVILEGED = ("setpriv", "--bounding-set=-all,+dac_read_search", "--inh-caps=-all") if os.getuid() == 0 else ()
UNUSUAL = ("PYTHONUNBUFFERED", "PYTHONDEVMODE", "PYTHONWARNINGS", "FORCE_COLOR", "NO_COLOR")
#: A command that prints more than this waits for its reader, so a league does not run away from its test.
PIPE_BYTES = 4096


#: Variables that commands read while they run. All others must be those of the server, else a command starts afresh.
READ_LATE = frozenset({"ARENA_HOME", "COLUMNS", "PYTEST_CURRENT_TEST", "TERM"})
PR_SET_CHILD_SUBREAPER = 36  # a number of the Linux kernel
COMMAND_SERVER = Path(__file__).parent / "command_server.py"


def usual_environment() -> dict[str, str]:
    """Our environment without settings that change how Python prints."""
    return {name: value for name, value in os.environ.items() if name not in UNUSUAL}


class CommandServer:
    """A process that has imported `arena` and forks itself for each command: most of a short command is imports."""

    def __init__(self) -> None:
        self.environment = usual_environment()
        self.wire, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-P", COMMAND_SERVER, str(theirs.fileno())], pass_fds=[theirs.fileno()],
            env=self.environment, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()

    def close(self) -> None:
        self.wire.close()
        self._process.wait()

    def fits(self, environment: dict[str, str]) -> bool:
        """Whether a command with this environment may have what was imported with ours."""
        names = (environment.keys() | self.environment.keys()) - READ_LATE
        return all(environment.get(name) == self.environment.get(name) for name in names)


class ForkedCommand(subprocess.Popen[str]):
    """A process of ours as `Popen` starts it, except that the server forks it."""

    def __init__(self, server: CommandServer, words: Sequence[str], **how: Any) -> None:
        self._server = server
        super().__init__(words, **how)

    def _execute_child(self, words: Sequence[str], *how: Any) -> None:
        cwd, env, streams, leads = how[4], how[5], how[9:15], how[20]
        request = {"words": words, "environment": env, "folder": str(cwd), "leads": leads}
        own = [stream if stream != -1 else number for number, stream in enumerate((streams[0], streams[3], streams[5]))]
        linux.prctl(PR_SET_CHILD_SUBREAPER, 1)  # a grandchild of the server becomes our child
        try:
            socket.send_fds(self._server.wire, [json.dumps(request).encode()], own)
            self.pid = int(self._server.wire.recv(100))
        finally:
            linux.prctl(PR_SET_CHILD_SUBREAPER, 0)
        self._child_created = True
        self._close_pipe_fds(*streams)


@dataclass(frozen=True)
class Shell:
    """`arena` as a person runs it: a real process in a folder of its own."""

    UNPRIVILEGED: ClassVar = UNPRIVILEGED
    folder: Path
    server: CommandServer
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """That of a shell, with submissions kept apart, and without settings that change how Python prints."""
        return usual_environment() | {"ARENA_HOME": str(self.folder / "home"), "COLUMNS": "160"}

    def start(self, *words: str, **how: Any) -> subprocess.Popen[str]:
        """Run a command in the background; it ends with the test."""
        before, environment = how.pop("before", ()), self.environment
        ways: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE) | {
            "stdin": subprocess.DEVNULL, "pipesize": PIPE_BYTES, "text": True, "cwd": self.folder, "env": environment,
        } | how  # fmt: skip
        process: subprocess.Popen[str]
        if before or "preexec_fn" in how or not self.server.fits(environment):
            process = subprocess.Popen([*before, sys.executable, "-P", "-m", "arena", *words], **ways)
        else:
            process = ForkedCommand(self.server, words, **ways)
        if process.stderr is not None:
            fcntl.fcntl(process.stderr, fcntl.F_SETPIPE_SZ, 1 << 16)  # a test may read it last
        self.started.append(process)
        return process

    @staticmethod
    def next_line(process: subprocess.Popen[str]) -> str:
        """The next line of its output, read byte by byte: `readline` takes more, and `communicate` would miss that."""
        assert process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], GUARD_SECONDS)
            assert ready, "the command does not go on"
            byte = os.read(process.stdout.fileno(), 1)
            assert byte, f"the command has ended: {line!r}"
            line += byte
        return line.decode()

    def end_all(self) -> None:
        """End what a failed test has left running: its garbage would be reported as a failure of a later test."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with suppress(OSError):  # a pipe that nobody reads
                        stream.close()

    def unprivileged(self, *words: str) -> Ran:
        """Run a command to its end as a user whom file permissions concern."""
        return self(*words, before=UNPRIVILEGED)

    def __call__(self, *words: str, typed: str | None = None, before: Sequence[str] = ()) -> Ran:
        """Run a command to its end."""
        stdin = subprocess.PIPE if typed is not None else subprocess.DEVNULL
        process = self.start(*words, stdin=stdin, before=before)
        out, err = process.communicate(typed, timeout=GUARD_SECONDS)
        return Ran(process.returncode, out, err)


@pytest.fixture(scope="session")
def command_server() -> Iterator[CommandServer]:
    server = CommandServer()
    yield server
    server.close()


@pytest.fixture
def arena(tmp_path: Path, command_server: CommandServer) -> Iterator[Shell]:
    """The command line, in an empty folder."""
    shell = Shell(tmp_path, command_server)
    yield shell
    shell.end_all()


@pytest.fixture(scope="session")
def arena_in(command_server: CommandServer) -> Callable[[Path], Shell]:
    """The command line in another folder, for commands whose results several tests read."""
    return lambda folder: Shell(folder, command_server)


@pytest.fixture
def processes_of(processes: Any) -> Callable[[int | Path], Sequence[int]]:
    """The pids of the processes that carry out games of the referee with this pid, or in this folder."""
    return lambda owner: [process.pid for process in processes.of_games(owner)]


@pytest.fixture
def is_gone(processes: Any) -> Callable[[Path], bool]:
    """Whether the workers, zygotes and players in a folder are gone, or will be in a moment."""
    return lambda folder: processes.until(lambda: not processes.of_games(folder))


@pytest.fixture
def traces(processes: Any) -> Callable[[], dict[str, set[str]]]:
    """What games could leave behind on this machine. Other tests run at the same time: only what can be ours counts."""
    own, began = Path("/proc/self"), time.clock_gettime(time.CLOCK_BOOTTIME)

    def children() -> set[str]:
        """Also those that have ended. Orphans of an earlier test may become our children only now."""
        found = {pid for task in (own / "task").iterdir() for pid in (task / "children").read_text().split()}
        return {pid for pid in found if processes(int(pid)).began >= began}

    def segments() -> set[str]:
        """Segments of shared memory whose creator has ended."""
        _, *lines = Path("/proc/sysvipc/shm").read_text().splitlines()
        return {line.split()[1] for line in lines if not processes(int(line.split()[4])).runs}

    def look() -> dict[str, set[str]]:
        links = {entry.name: entry for entry in (own / "fd").iterdir() if entry.is_symlink()}
        folders = [Path(folder) for folder in ("/dev/shm", "/tmp", "/var/tmp")]
        return {
            "descriptors": {f"{name} {entry.readlink()}" for name, entry in links.items()},
            "children": children(),
            "segments": segments(),
            "files": {str(entry) for folder in folders for entry in folder.glob("hostile*")},
        }

    return look


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new results file."""
    with Store.open(tmp_path / "arena.db", create=True) as opened:
        yield opened


@dataclass
class Imagined:
    """An executor without processes: games have the results it is told, and end in an order of its dice.

    `verdict` says of first and second how their game ends: a result, who faults ("first" or "second"), or "lost".
    `meanwhile` is called with the number of ended games before each further one ends; `taken` are the keys of all
    games that it was given.
    """

    verdict: Callable[[str, str], str]
    hands: int = 1
    seed: int = 0
    meanwhile: Callable[[int], None] = lambda _: None
    taken: list[str] = field(default_factory=list)

    def run(self, tasks: Iterator[Any]) -> Iterator[Outcome[GameRecord]]:
        """One outcome for each task; a task is taken before the last outcome is given, as workers do."""
        rng, held = random.Random(self.seed), self._fill([], tasks)
        ended = 0
        while held:
            self.meanwhile(ended)
            task = held.pop(rng.randrange(len(held)))
            held = self._fill(held, tasks)
            yield self._outcome(task)
            ended += 1
            held = self._fill(held, tasks)

    def _fill(self, held: list[GameTask], tasks: Iterator[GameTask | None]) -> list[GameTask]:
        while len(held) < self.hands and (task := next(tasks, None)) is not None:
            self.taken.append(task.job.key)
            held.append(task)
        return held

    def _outcome(self, task: GameTask) -> Outcome[GameRecord]:
        said = self.verdict(task.first.name, task.second.name)
        if said == "lost":
            return Lost(task, "imagined")
        played = play(
            task.prepared(), {"first": ScriptedPlayer(), "second": ScriptedPlayer()}, Clock(1.0, charge="wall")
        )
        if said in ("first", "second"):
            fault = FaultRecord(said, "exit", "imagined", {})
            return Ok(task, replace(played, result="0-1" if said == "first" else "1-0", reason="fault", fault=fault))
        return Ok(task, replace(played, result=said))


@pytest.fixture
def imagine() -> type[Imagined]:
    """Leagues without processes."""
    return Imagined
