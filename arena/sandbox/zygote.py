"""The zygote: a process with the libraries loaded, from which every player is forked; it runs no agent code.

It never reads what a player is to do: the player reads that itself, after the fork. Otherwise each player would find
in its memory what the zygote had read for its opponent.
"""

import contextlib
import gc
import importlib
import json
import os
import platform
import signal
import socket
import sys
from pathlib import Path

from agents import child, tracebacks
from arena.sandbox import linux, policy
from arena.sandbox.boot import CONTROL
from arena.sandbox.calls import this_machine
from arena.sandbox.lockdown import Confinement, lock_down
from games.base import load

__all__ = ["main"]

_REQUEST_BYTES = 1 << 16
_ERROR_BYTES = 1000
#: The descriptors of a Python player whose search can be asked to stop: control, output, stack and the byte that asks.
_WITH_STOP_BYTE = 4
#: Loaded for all players: agents use them, and the last one imports hashlib.
_LIBRARIES = ("chess", "numpy", "numpy.random")


def main(parent: int) -> None:
    """Fork players for the referee on descriptor 3 until it is closed; the first message names game and libraries."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    linux.drop_bounding_set()  # once here: players inherit it
    for library in _LIBRARIES:
        importlib.import_module(library)
    with socket.socket(fileno=CONTROL) as control, contextlib.suppress(ConnectionError):  # the referee has ended
        if first := control.recv(_REQUEST_BYTES):
            game, place, *needs = json.loads(first)
            try:
                _prepare(game, needs, place=Path(place))
            except Exception as error:  # noqa: BLE001 - a library can raise anything; the referee reports it
                loaded = ", ".join([game, *needs])
                control.send(f"it could not load {loaded}: {type(error).__name__}: {error}".encode()[:_ERROR_BYTES])
                return
            _serve(control, parent=parent)


def _prepare(game: str, needs: list[str], *, place: Path) -> None:
    """Load everything that players use, so that they start faster."""
    load(game, place=place).start()  # imports the game and its libraries
    load(game)  # as players call it: the result is kept
    for library in needs:
        importlib.import_module(library)
    platform.processor()  # Python starts a process to find it, and then caches it
    child.seed_all(0)  # libraries create their random generators on first use
    if (machine := this_machine()) is not None:
        policy.first_filter(machine, pid=0)
    gc.collect()
    gc.freeze()  # a collection in a player would copy every page that it touches


def _serve(control: socket.socket, *, parent: int) -> None:
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 4)
        if not message:
            return
        _fork(descriptors, parent=parent)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork(descriptors: list[int], *, parent: int) -> None:
    """Fork a player; the referee is its parent, as it is ours."""
    if linux.fork_sibling():
        return
    try:
        _become_player(descriptors, parent=parent)
    finally:
        os._exit(1)


def _become_player(descriptors: list[int], *, parent: int) -> None:
    request = json.loads(os.read(descriptors[0], _REQUEST_BYTES))
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in request.items()}
    confinement = Confinement(**fields)  # type: ignore[arg-type]
    is_program = bool(confinement.command)
    if not is_program and len(descriptors) == _WITH_STOP_BYTE:  # before the lock-down, which refuses shared memory
        child.map_stop_byte(descriptors.pop())
    targets = _targets(descriptors, is_program=is_program)
    for target, descriptor in enumerate(targets):  # all are above 3, and 4 is the last one: nothing is overwritten
        os.dup2(descriptor, target)
    os.closerange(len(targets), 1 << 16)
    if not is_program:
        tracebacks.dump_stack_on_signal(child.STACK)
    # Python searches every entry of its path: entries that a player may not read must be removed.
    sys.path[:] = [entry for entry in sys.path if _is_below(entry, confinement.read)]
    try:
        lock_down(confinement, parent=parent)
    except OSError as error:
        with socket.socket(fileno=CONTROL) as control:
            control.send(f"lock-down failed: {error}".encode())
        return
    if is_program:
        os.set_inheritable(CONTROL, False)
        os.execv(confinement.command[0], confinement.command)  # noqa: S606 - the one exec of a native program
    child.serve(CONTROL)


def _is_below(entry: str, places: tuple[str, ...]) -> bool:
    return any(entry == place or entry.startswith(f"{place}/") for place in places)


def _targets(descriptors: list[int], *, is_program: bool) -> list[int]:
    """The descriptors that become 0 to 3, input, output, errors and control, and of a Python player 4, its stack."""
    if not is_program:  # no input, one pipe for all output
        control, output, stack = descriptors
        return [os.open(os.devnull, os.O_RDONLY), output, output, control, stack]
    control, errors, output, entry = descriptors
    return [entry, output, errors, control]


if __name__ == "__main__":
    main(int(sys.argv[1]))
