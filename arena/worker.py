"""A worker: a process of ours that performs tasks on one core, with a zygote of its own."""

import contextlib
import os
import signal
import socket
import sys

from arena.sandbox import boot

__all__ = ["main"]


def main(parent: int, descriptor: int, core: int) -> None:
    """Perform tasks until the coordinator hangs up; end with it."""
    os.sched_setaffinity(0, {core})  # before the zygote: what it forks stays there too
    boot.early()
    # Only now: these take as long to import as a zygote takes to boot.
    from arena.executor import attempt
    from arena.link import READY, Setup, hear, say
    from arena.sandbox import linux
    from arena.seating import Seating

    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    os.set_inheritable(descriptor, False)
    with socket.socket(fileno=descriptor) as wire, contextlib.suppress(EOFError, ConnectionError):
        setup = hear(wire)
        assert isinstance(setup, Setup)
        with Seating(setup.game, setup.rules, needs=setup.needs) as seating:
            boot.discard()
            say(wire, READY)
            while True:
                say(wire, attempt(hear(wire), seating))  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
