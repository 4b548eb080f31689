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
    from arena.execution.executor import attempt
    from arena.execution.link import READY, Setup, receive, send
    from arena.referee.player_factory import PlayerFactory
    from arena.sandbox import linux

    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    os.set_inheritable(descriptor, False)
    with socket.socket(fileno=descriptor) as wire, contextlib.suppress(EOFError, ConnectionError):
        setup = receive(wire)
        assert isinstance(setup, Setup)
        with PlayerFactory(setup.game, setup.rules, needs=setup.needs) as factory:
            boot.discard()
            send(wire, READY)
            while True:
                send(wire, attempt(receive(wire), factory))  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
