"""The command `arena`: makes sure that its packages are its own, runs the command line, chooses the exit code."""

import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from arena.execution import spawn

__all__ = ["main"]

_INTERRUPTED = 130
#: Commands that are sure to need a worker soon.
_PLAYING = ("league", "benchmark", "match")


def main() -> NoReturn:
    """Run the command line."""
    _fill_streams()
    if stranger := _stranger():
        sys.exit(stranger)
    if sys.argv[1:2] and sys.argv[1] in _PLAYING and not {"-h", "--help"} & set(sys.argv):
        spawn.early()
    # Only now: these import agents and results.
    from arena.cli import run

    for number in (signal.SIGTERM, signal.SIGHUP):  # a `kill`, a closed terminal: they end like Ctrl-C
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, _interrupt)
    code = 0
    try:
        code = run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        code = _silenced()
    except OSError as error:
        if code == 0:  # else `run` has reported it, and only what could not be written is left in the buffer
            sys.stderr.write(f"arena: {error}\n")
        code = _silenced()
    sys.exit(code)


def _fill_streams() -> None:
    """Open what is closed of input, output and errors: else the next file opened would be taken for it."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _silenced() -> int:
    """Keep Python from failing once more when it flushes what it could not write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _stranger() -> str:
    """A line about a package of somebody else's that stands in the way; empty if there is none."""
    ours = Path(__file__).resolve().parent.parent
    for name in ("games", "agents", "results", "stockfish_bridge"):
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).resolve().parent if spec and spec.origin else None
        if place != ours / name:
            return (
                f"arena: the package {name!r} is not ours: it comes from {place or 'nowhere'}. "
                f"Install arena-league in a virtual environment of its own."
            )
    return ""


if __name__ == "__main__":
    main()
