"""Where an agent's code was: tracebacks with the participant's own file names, and stack dumps of a hang."""

import faulthandler
import importlib
import itertools
import pkgutil
import re
import signal
import traceback
from typing import Final, NamedTuple

__all__ = ["DUMP_SIGNAL", "Place", "dump_stack_on_signal", "formatted", "places"]

#: Asks a player's process to write what it is running into the file that it was given for this.
DUMP_SIGNAL: Final[int] = getattr(signal, "SIGUSR2", 0)  # 0 where there are no players
#: Files of frames that load and call an agent: a participant has no use for them.
_LOOP: Final = __file__.replace("tracebacks.py", "child.py")
_OURS: Final = (_LOOP, importlib.__file__, pkgutil.__file__, "<frozen ")
_FRAME: Final = re.compile(r'(?P<indent>[ |]*)File "(?P<file>[^"\n]*)", line (?P<line>\d+)(?:, (?P<where>in .*))?')
_DUMPED: Final = re.compile(r'^  File "([^"\n]{1,500})", line (\d{1,7}) in ([^\n]{1,100})$', re.MULTILINE)
_LIBRARY: Final = re.compile(r"^.*/(?:site-packages|dist-packages|lib/python3\.\d+)/")


class Place(NamedTuple):
    """A line of code that was running; `is_own` if it is in a file of the participant."""

    file: str
    line: int
    function: str
    is_own: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


def formatted(error: BaseException, *, stage: str) -> str:
    """The traceback of an exception, with places as in `my_agent.py:12 in act`."""
    left_out = tuple(f'  File "{file}' for file in _OURS)
    parts = traceback.TracebackException.from_exception(error).format()
    return "".join(_renamed(part, stage) for part in parts if not part.startswith(left_out))


def _renamed(part: str, stage: str) -> str:
    """A part of a traceback with a shorter name of the file, if it is a frame."""
    if (frame := _FRAME.match(part)) is None:
        return part
    where = f" {frame['where']}" if frame["where"] else ""
    return f"{frame['indent']}{_short(frame['file'], stage)}:{frame['line']}{where}{part[frame.end() :]}"


def _short(file: str, stage: str) -> str:
    """The name of a file as the participant knows it; of files in a library what comes after its folder."""
    return file[len(stage) + 1 :] if _is_below(file, stage) else _LIBRARY.sub("", file)


def _is_below(file: str, stage: str) -> bool:
    return bool(stage) and file.startswith(f"{stage}/")


def dump_stack_on_signal(descriptor: int) -> None:
    """Write the stack of this process into a file whenever `DUMP_SIGNAL` arrives, also while native code runs."""
    faulthandler.register(DUMP_SIGNAL, file=descriptor, all_threads=False, chain=False)


def places(dump: str, *, stage: str) -> list[Place]:
    """What such a dump says, the innermost place first. It may say anything: the process that wrote it is hostile."""
    frames = itertools.takewhile(lambda frame: frame[0] != _LOOP, _DUMPED.findall(dump))
    return [
        Place(_short(file, stage), int(line), function, _is_below(file, stage))
        for file, line, function in frames
        if not file.startswith(_OURS)
    ]
