"""Amounts of memory and shares as people write them."""

import re

__all__ = ["check_memory", "read_share", "read_size"]

_LEAST_MEMORY = 64 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_size(text: str) -> int:
    """Bytes from `512M`, `1G` or a plain number; `ValueError` for anything else.

    >>> read_size("16M")
    16777216
    """
    found = re.fullmatch(r"(\d{1,12})([KMG]?)(i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise ValueError(f"{text!r} is no amount of memory; write 512M or 1G")
    return int(found[1]) * _UNITS[found[2].upper()]


def check_memory(size: int | None) -> None:
    """`ValueError` for less than a process needs to start; None is no limit of its own."""
    if size is not None and size < _LEAST_MEMORY:
        raise ValueError(f"{size} bytes of memory are too few to start with; give at least {_LEAST_MEMORY >> 20}M")


def read_share(text: str) -> float | None:
    """A share of one from `10%`; None from `never`; `ValueError` for anything else.

    >>> read_share("12.5%")
    0.125
    """
    if text.strip().lower() == "never":
        return None
    found = re.fullmatch(r"(\d{1,3}(\.\d{1,6})?) ?%", text.strip())
    if found is None or float(found[1]) > 100:
        raise ValueError(f"{text!r} is no share; write 10% or never")
    return float(found[1]) / 100
