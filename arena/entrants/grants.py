"""What an entrant is given besides its options: threads, memory, libraries, readable files and trust."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Self

from arena.errors import BadSettings, UnknownAgent

__all__ = ["LIBRARIES", "Grants", "check_installed", "check_memory", "read_size", "take_grants"]

#: Heavy libraries that an entrant can declare. They are loaded before the process of the entrant is forked.
LIBRARIES: Final = ("numpy", "onnxruntime", "scipy", "torch")

_LEAST_MEMORY: Final = 64 << 20
_MOST_MEMORY: Final = 1 << 40
_MOST_THREADS: Final = 1024
_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_ENGINE_KEYS: Final = frozenset({"read", "trusted"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """Threads and memory in bytes (None: the same as all entrants), and libraries that are loaded in advance.

    For engines also: the files and folders that it may read, and whether the organiser trusts it.
    """

    threads: int | None = None
    memory: int | None = None
    needs: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    trusted: bool = False

    def as_dict(self) -> dict[str, int | str]:
        """The grants that are set, in the form that is stored."""
        given: dict[str, int | str | None] = {
            "threads": self.threads,
            "memory": self.memory,
            "needs": " ".join(self.needs) or None,
            "read": os.pathsep.join(self.read) or None,
            "trusted": "yes" if self.trusted else None,
        }
        return {key: value for key, value in given.items() if value is not None}

    @classmethod
    def of(cls, stored: Mapping[str, int | str]) -> Self:
        """The grants that `as_dict` returned, checked again: they come from a file."""
        threads, memory = stored.get("threads"), stored.get("memory")
        needs = tuple(str(stored.get("needs", "")).split())
        try:
            if memory is not None:
                check_memory(read_size(str(memory)))
            if threads is not None and not 1 <= int(threads) <= _MOST_THREADS:
                raise ValueError("threads")
            if not set(needs) <= set(LIBRARIES):
                raise ValueError("needs")
        except ValueError as error:
            raise BadSettings(f"the stored grants of an entrant make no sense: {dict(stored)!r:.100}") from error
        return cls(
            threads=None if threads is None else int(threads), memory=None if memory is None else int(memory),
            needs=needs,
            read=tuple(filter(None, str(stored.get("read", "")).split(os.pathsep))), trusted="trusted" in stored,
        )  # fmt: skip


def take_grants(text: str, options: dict[str, int | float | str], *, is_engine: bool) -> Grants:
    """Remove the keys of grants from the options, so that they never reach an agent. Errors quote `text`."""
    if not is_engine and (reserved := sorted(_ENGINE_KEYS & options.keys())):
        raise UnknownAgent(f"{text!r}: {' and '.join(reserved)} can only be set for engines")
    try:
        memory = _read_memory(str(options.pop("memory"))) if "memory" in options else None
        threads = int(options.pop("threads")) if "threads" in options else None
        if threads is not None and threads < 1:
            raise ValueError("threads must be at least 1")
    except ValueError as error:
        raise UnknownAgent(f"{text!r}: {error}") from error
    needs = tuple(str(options.pop("needs", "")).replace("+", " ").split())
    if unknown := [name for name in needs if name not in LIBRARIES]:
        raise UnknownAgent(
            f"{text!r}: unknown library {unknown[0]!r} in needs; "
            f"the known ones are {', '.join(LIBRARIES)} (join several with +)"
        )
    read = tuple(str(Path(place).resolve()) for place in str(options.pop("read", "")).split(os.pathsep) if place)
    if missing := [place for place in read if not Path(place).exists()]:
        raise UnknownAgent(f"{text!r}: there is no file or folder {missing[0]!r} to read")
    trusted = options.pop("trusted", "no")
    if trusted not in ("yes", "no"):
        raise UnknownAgent(f"{text!r}: trusted must be yes or no, not {trusted!r}")
    return Grants(threads=threads, memory=memory, needs=needs, read=read, trusted=trusted == "yes")


def _read_memory(text: str) -> int:
    try:
        size = read_size(text)
        check_memory(size)
    except ValueError as error:
        raise ValueError(f"memory {error}, not {text!r}") from error
    return size


def read_size(text: str) -> int:
    """The number of bytes in `512M`, `1G` or a plain number, at most 1024G; raises `ValueError` for other texts.

    >>> read_size("16M")
    16777216
    """
    found = re.fullmatch(r"(\d{1,15})([KMG]?)(i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise ValueError('must be an amount of memory such as "512M" or "1G"')
    size = int(found[1]) * _UNITS[found[2].upper()]
    if size > _MOST_MEMORY:
        raise ValueError(f"must be at most {_MOST_MEMORY >> 30}G")
    return size


def check_memory(size: int) -> None:
    """Raises `ValueError` if a process cannot start with so little memory."""
    if size < _LEAST_MEMORY:
        raise ValueError(f"must be at least {_LEAST_MEMORY >> 20}M")


def check_installed(libraries: Iterable[str], *, where: str) -> None:
    """Raises `BadSettings` for a library that is not installed; `where` names its origin. Nothing is imported here."""
    for library in libraries:
        # `find_spec` imports the package around a dotted name, so only top-level names are looked up.
        if not library.isidentifier() or find_spec(library) is None:
            raise BadSettings(f"{where}: the library {library} is not installed")
