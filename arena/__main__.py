"""The command `arena`: checks that its packages are its own, runs the command line and sets the exit code."""

import errno
import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import Final, NoReturn

__all__ = ["main"]

_INTERRUPTED: Final = 130
#: Errors of a full or broken output.
_CANNOT_WRITE: Final = frozenset({errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC})
#: Commands that always need a worker process.
_PLAYING: Final = ("league", "benchmark", "match")


def main() -> NoReturn:
    """Run the command line."""
    _open_closed_streams()
    if complaint := _foreign_package():
        sys.exit(complaint)
    # With --detach another process plays, and a worker ends with the process that has started it.
    is_playing = sys.argv[1:2] and sys.argv[1] in _PLAYING and not {"-h", "--help", "--detach"} & set(sys.argv)
    if is_playing and sys.platform == "linux":
        from arena.execution import worker

        worker.start_early()
    # After the check, because it imports the packages that were checked.
    from arena.cli import run

    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no SIGHUP
    for number in ends:  # `kill` and a closed terminal act like Ctrl-C
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(number, _interrupt)
    code = 0
    try:
        code = run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:  # the program that reads our output has ended
        code = _fail_silently()
    except OSError as error:
        if code == 0:  # else `run` has reported it, and only what could not be written is left in the buffer
            sys.stderr.write(f"arena: {_reason(error)}\n")
        code = _fail_silently()
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open /dev/null as stdin, stdout and stderr where they are closed; otherwise other files get their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _reason(error: OSError) -> str:
    """The text for an error of the operating system. Without a file name it is stdout that cannot be written."""
    if error.filename is None and error.errno in _CANNOT_WRITE:
        return f"cannot write the output: {error.strerror}"
    return str(error)


def _fail_silently() -> int:
    """Send the rest of the output to /dev/null, so that Python does not fail again when it flushes; exit code 1."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _foreign_package() -> str:
    """A message about a package of another project that hides one of ours; empty if there is none."""
    ours = Path(__file__).resolve().parent.parent
    for name in ("games", "agents", "results", "stockfish_bridge"):
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).resolve().parent if spec and spec.origin else None
        if place != ours / name:
            return (
                f"arena: the package {name!r} in {place or 'an unknown place'} belongs to another project; "
                f"install arena-league in a virtual environment of its own"
            )
    return ""


if __name__ == "__main__":
    main()
