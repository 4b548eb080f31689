"""Forks processes that run `arena`: each is spared the second of imports that `python -m arena` begins with.

What runs in them is the module `arena.__main__`, as `python -m arena` runs it, with its own arguments, environment,
folder, standard streams and signals. Heavy libraries that commands import only when they need them are not here.
"""

import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import socket
import sys
from typing import Any

import arena.cli

__all__ = ["serve"]

_REQUEST_BYTES = 1 << 20


def _prepare() -> None:
    for module in pkgutil.iter_modules(arena.cli.__path__):
        importlib.import_module(f"arena.cli.{module.name}")
    for name in ("chess.svg", "numpy", "arena.execution.executor", "games.microchess"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a collection in a command would copy every page that it touches


def serve(wire: socket.socket) -> list[str]:
    """Fork a process for each request. Returns in the new process, with the words of its command."""
    while True:
        request, streams, _, _ = socket.recv_fds(wire, _REQUEST_BYTES, 3)
        if not request:
            os._exit(0)
        between = os.fork()
        if between:
            os.waitpid(between, 0)
            for stream in streams:
                os.close(stream)
            continue
        between = os.getpid()
        if os.fork():
            os._exit(0)
        while os.getppid() == between:
            os.sched_yield()  # it is about to end; then the test is our parent
        return _become_command(wire, json.loads(request), streams)


def _become_command(wire: socket.socket, request: dict[str, Any], streams: list[int]) -> list[str]:
    if request["leads"]:
        os.setsid()
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    wire.send(str(os.getpid()).encode())
    os.closerange(3, 1 << 16)
    wire.detach()
    _open_streams()
    words: list[str] = request["words"]
    return words


def _open_streams() -> None:
    """Files of Python like those that it starts with."""
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        old = getattr(sys, name)
        raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
        raw.name = f"<{name}>"
        file = io.TextIOWrapper(
            io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw),
            encoding=old.encoding, errors=old.errors, newline="\n", line_buffering=number == 2 or os.isatty(number),
        )  # fmt: skip
        setattr(sys, name, file)
        setattr(sys, f"__{name}__", file)


if __name__ == "__main__":
    _prepare()
    words = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv[1:] = words
    runpy.run_module("arena", run_name="__main__", alter_sys=True)
