"""The request loop inside a player's process: one datagram in, one datagram out."""

import copy
import ctypes
import difflib
import importlib
import importlib.machinery
import importlib.util
import inspect
import io
import json
import math
import mmap
import os
import pkgutil
import random
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from agents import tracebacks, watch
from agents.base import OPEN, BaseAgent, Limits, UnknownOption, no_such_option, option_names
from games.base import WHITE, Clocked, Color, State, load
from games.errors import ArenaError

__all__ = [
    "DONE",
    "ERROR",
    "ERROR_BYTES",
    "FRAME",
    "MOVE",
    "MOVE_BYTES",
    "NO_AGENT",
    "OUT_OF_MEMORY",
    "REPORT",
    "REPORT_BYTES",
    "STACK",
    "TAG_BYTES",
    "WIRE",
    "Loop",
    "main",
    "map_stop_byte",
    "seed_all",
    "serve",
    "serve_pipes",
]

#: The file descriptors of the socket to the referee, and of the file for stack dumps.
WIRE: Final = 3
STACK: Final = 4
TAG_BYTES: Final = 8
#: The kinds of a reply. An error, also one of memory, has a headline and then the traceback; `NO_AGENT` has a message.
MOVE, DONE, ERROR, OUT_OF_MEMORY, NO_AGENT = b"m", b"k", b"e", b"o", b"n"
#: A message between a request and its reply: what the agent's search says, as JSON.
REPORT: Final = b"i"
REPORT_BYTES: Final = watch.REPORT_BYTES
MOVE_BYTES: Final = 64
ERROR_BYTES: Final = 16 * 1024
#: Before each message over a pipe: its length, and the seconds of CPU that the player has used.
FRAME: Final = struct.Struct("!Id")
_HEADLINE_BYTES: Final = 300
_REQUEST_BYTES: Final = 1 << 20
_PR_SET_PDEATHSIG: Final = 1


class NoAgent(ArenaError):
    """The class of the agent was not found, or cannot be used; the text says why."""


class Loop:
    """One agent that plays one game. `handle` is the whole interface; `send` sends reports, if somebody listens."""

    def __init__(self, send: Callable[[bytes], object] = lambda _: None) -> None:
        self._send = send
        self._tag = b""
        self._agent: BaseAgent
        self._state: State
        self._color: Color
        self._is_clocked = False
        self._played = 0
        self._stage = ""

    def handle(self, datagram: bytes) -> bytes:
        """Return the reply to one request of the referee. An exception of the agent becomes the reply."""
        tag, body = datagram[:TAG_BYTES], datagram[TAG_BYTES:]
        self._tag = tag
        try:
            ((request, arguments),) = json.loads(body).items()
            reply: bytes = getattr(self, f"_{request}")(**arguments)
            return tag + reply
        except NoAgent as error:
            return tag + NO_AGENT + str(error).encode("utf-8", "backslashreplace")[:ERROR_BYTES]
        except MemoryError as error:
            return tag + OUT_OF_MEMORY + _explain(error, self._stage)
        except BaseException as error:  # noqa: BLE001 - the border to agent code: sys.exit is an exception too
            return tag + ERROR + _explain(error, self._stage)

    def _load(
        self, *, game: str, start: str, agent: str, stage: str, name: str,
        options: Mapping[str, int | float | str], color: Color, seed: int, reports: bool = False,
    ) -> bytes:  # fmt: skip
        watch.reporter = watch.Reporter(lambda report: self._send(self._tag + REPORT + report)) if reports else None
        self._state = load(game).position(start)
        self._is_clocked = isinstance(self._state, Clocked)  # looks at many attributes: not before every move
        self._color = color
        self._stage = stage
        seed_all(seed)
        if stage:
            os.chdir(Path(stage) / Path(agent).parent)  # so that an agent finds its files: open("weights.bin")
        found = _find(agent, stage)
        seed_all(seed)  # again: the agent may have imported libraries with random generators of their own
        _check_signature(found, "__init__", "(self, name, color, **options)", name, color, **options)
        try:
            self._agent = found(name, color, **options)
        except UnknownOption as error:
            raise NoAgent(str(error)) from error
        return DONE

    def _reset(self) -> bytes:
        self._agent.reset()
        return DONE

    def _act(
        self, *, moves: list[str], own: float | None, opponent: float | None, increment: float = 0.0,
        moves_to_go: int | None = None, limits: Mapping[str, int | float | bool] | None = None,
    ) -> bytes:  # fmt: skip
        own, opponent = (math.inf if left is None else left for left in (own, opponent))
        for text in moves[self._played :]:
            self._state = self._state.forward(self._state.parse(text))
        self._played = len(moves)
        state = copy.copy(self._state)  # the agent may change its copy
        if self._is_clocked:
            clocked, mine_is_white = cast("Clocked", state), self._color == WHITE
            clocked.white_remain_sec, clocked.black_remain_sec = (own, opponent) if mine_is_white else (opponent, own)
        self._agent.time_left, self._agent.increment, self._agent.moves_to_go = own, increment, moves_to_go
        if limits is not None:
            self._agent.limits = Limits(**limits) if limits else OPEN  # type: ignore[arg-type]
        move = self._agent.act(state)
        if watch.reporter is not None:
            watch.reporter.flush()
        return MOVE + str(move).encode("ascii", "replace")[:MOVE_BYTES]

    def _close(self) -> bytes:
        self._agent.close()
        return DONE


def _explain(error: BaseException, stage: str) -> bytes:
    """The headline of an exception and, from the next line on, its traceback."""
    trace = tracebacks.formatted(error, stage=stage).encode("utf-8", "backslashreplace")
    head = _headline(error).encode("utf-8", "backslashreplace")[:_HEADLINE_BYTES]
    return head + b"\n" + trace[-(ERROR_BYTES - len(head) - 1) :]


def _headline(error: BaseException) -> str:
    """The type of an exception and the first line of its message; for a missing module, where it was looked for."""
    if isinstance(error, ModuleNotFoundError):
        return f"ModuleNotFoundError: {error}: it is not installed, and not in the folder of the agent"
    last = traceback.format_exception_only(type(error), error)[-1 if isinstance(error, SyntaxError) else 0]
    return " ".join(last.partition("\n")[0].split())


def seed_all(seed: int) -> None:
    """Seed the random generators of Python, numpy and torch, as far as they are loaded."""
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed % 2**32)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(seed)


class _EarlierPlatform(MetaPathFinder):
    """Finds `scripts.run_game` for agents of the earlier platform, if nothing else has that name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The package `scripts`, which is empty, and its one module."""
        del path, target
        if fullname == "scripts":
            return ModuleSpec(fullname, None, is_package=True)
        if fullname == "scripts.run_game":
            return importlib.util.spec_from_file_location(fullname, Path(__file__).with_name("earlier_platform.py"))
        return None


def _find(agent: str, stage: str) -> type[BaseAgent]:
    """Import the class named by `pkg.module.Class`, `pkg.module` or, below the stage, `file.py` or `file.py:Class`."""
    if stage:
        sys.path.insert(0, stage)
    if not any(isinstance(finder, _EarlierPlatform) for finder in sys.meta_path):
        sys.meta_path.append(_EarlierPlatform())  # last: a participant's own `scripts` comes first
    path, _, class_name = agent.partition(":")
    found = _load_file(Path(stage) / path, Path(stage)) if path.endswith(".py") else pkgutil.resolve_name(path)
    if class_name:
        if not hasattr(found, class_name):
            near = difflib.get_close_matches(class_name, dir(found), n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise NoAgent(f"{path} has no class {class_name}{hint}")
        found = getattr(found, class_name)
    elif isinstance(found, ModuleType):
        found = _only_agent(found, where=_given_name(path))
    if not (isinstance(found, type) and issubclass(found, BaseAgent)):
        raise NoAgent(f"{class_name or agent} is not a subclass of BaseAgent")
    if inspect.isabstract(found):
        raise NoAgent(_incomplete(found))
    _check_signature(found, "act", "(self, state)", None)
    return found


def _check_signature(found: type[BaseAgent], method: str, right: str, *arguments: object, **options: object) -> None:
    """Raise `NoAgent` if a method of the class does not take these arguments."""
    try:
        own = inspect.signature(getattr(found, method))
    except (TypeError, ValueError):  # it cannot be known before the call
        return
    try:
        own.bind(None, *arguments, **options)
    except TypeError as error:
        unknown = min(options.keys() - own.parameters.keys(), default="")
        if unknown and _takes(own, *arguments):
            raise NoAgent(no_such_option(f"class {found.__name__}", unknown, option_names(found))) from error
        where = f"class {found.__name__} must have the method `def {method}{right}`"
        raise NoAgent(f"{where}; it has `def {method}{own}`") from error


def _takes(signature: inspect.Signature, *arguments: object) -> bool:
    """Whether it takes these arguments after the object; others may be missing."""
    try:
        signature.bind_partial(None, *arguments)
    except TypeError:
        return False
    return True


def _load_file(path: Path, stage: Path) -> ModuleType:
    if path.parent != stage and path.name != "__init__.py":  # in a folder: its modules can import each other
        return _load_from_folder(path)
    is_package = path.name == "__init__.py"
    name = _free_name(path.parent.name if is_package else path.stem, stage)
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(path.parent)] if is_package else None
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _load_from_folder(path: Path) -> ModuleType:
    """Import a module as part of a package that has the name of its folder."""
    name = _free_name(path.parent.name, path.parents[1])
    sys.path.insert(0, str(path.parent))
    if name != path.parent.name:
        package = ModuleType(name)
        package.__path__ = [str(path.parent)]
        sys.modules[name] = package
    return importlib.import_module(f"{name}.{path.stem}")


def _free_name(name: str, stage: Path) -> str:
    """The name for a participant's module: its own, unless another module has it or a package cannot have it.

    A participant's random.py must not replace Python's random, and in a folder `chess` there is no `chess.agent`.
    """
    is_taken = name in sys.modules or name in sys.stdlib_module_names or "." in name
    if not is_taken:
        others = [entry for entry in sys.path if entry != str(stage)]
        is_taken = importlib.machinery.PathFinder.find_spec(name, others) is not None
    return f"agent_{name}".replace(".", "_") if is_taken else name


def _given_name(path: str) -> str:
    """How an agent at this path of the stage is named: `my_agent.py`, `my_folder/`, or a dotted path."""
    folder, slash, _ = path.partition("/")
    return f"{folder}{slash}" if path.endswith(".py") else path


def _only_agent(module: ModuleType, *, where: str) -> type[BaseAgent]:
    """The one agent class of a module. Its own classes come first, then imported ones that are not bundled agents."""
    classes = {value for value in vars(module).values() if isinstance(value, type) and issubclass(value, BaseAgent)}
    own = {value for value in classes if value.__module__ == module.__name__}
    complete = {value for value in classes if not inspect.isabstract(value)}
    candidates = own & complete or {value for value in complete if value.__module__.split(".")[0] != "agents"}
    if len(candidates) == 1:
        return candidates.pop()
    if candidates:
        names = sorted(value.__name__ for value in candidates)
        raise NoAgent(f"{where} has several agent classes ({', '.join(names)}); choose one, as in {where}:{names[0]}")
    if own:
        raise NoAgent(_incomplete(min(own, key=lambda value: value.__name__)))
    first = min((name for name, value in vars(module).items() if _is_own_class(value, module)), default="MyAgent")
    raise NoAgent(f"{where} has no class that is a subclass of BaseAgent; write `class {first}(BaseAgent):`")


def _is_own_class(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def _incomplete(found: type[BaseAgent]) -> str:
    missing = found.__abstractmethods__
    name = "act" if "act" in missing else min(missing)
    parameters = ", ".join(inspect.signature(getattr(found, name)).parameters)
    return f"class {found.__name__} has no method {name}({parameters})"


def serve(descriptor: int) -> None:
    """Reply to the referee at the other end of this socket until it closes the socket."""
    _keep_prints()
    wire = socket.socket(fileno=descriptor)
    loop = Loop(lambda message: wire.send(message, socket.MSG_DONTWAIT))
    request = memoryview(bytearray(_REQUEST_BYTES))  # one for all: a new one for each request costs more than the move
    while size := wire.recv_into(request):
        wire.send(loop.handle(bytes(request[:size])))


def _keep_prints() -> None:
    """Write every line at once, so that none is lost when the process is killed."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def serve_pipes() -> None:
    """Reply to the referee on standard input and output until it closes them; for systems other than Linux."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the agent prints must not get between the replies
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _keep_prints()

    def send(message: bytes) -> None:
        replies.write(FRAME.pack(len(message), time.process_time()) + message)
        replies.flush()

    loop = Loop(send)
    while len(head := requests.read(FRAME.size)) == FRAME.size:
        send(loop.handle(requests.read(FRAME.unpack(head)[0])))


def map_stop_byte(descriptor: int) -> None:
    """Let searches see the byte that asks them to stop: the first of this file, which can only be read."""
    watch.stop_byte = mmap.mmap(descriptor, 1, mmap.MAP_SHARED, mmap.PROT_READ)


def main(parent: int, stop_byte: int | None = None) -> None:
    """Serve on descriptor 3; end when the parent process ends. Stack dumps go to descriptor 4."""
    tracebacks.dump_stack_on_signal(STACK)
    if stop_byte is not None:
        map_stop_byte(stop_byte)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == parent:  # otherwise the parent ended before the call above
        serve(WIRE)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if sys.argv[1:] else serve_pipes()
