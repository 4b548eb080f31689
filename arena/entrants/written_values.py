"""Values of a script or a notebook, written as Python source."""

import collections
import dataclasses
import enum
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

__all__ = ["ValueWriter"]

_BRACKETS: Final[Mapping[type, str]] = {list: "[{}]", tuple: "({})", set: "{{{}}}", frozenset: "frozenset([{}])"}
_MOST_DIGITS: Final = 4000  # Python writes no longer numbers as decimals


class ValueWriter:
    """Writes values as they are now. `name_of` gives the name of a class in the written module, or None."""

    def __init__(self, name_of: Callable[[type], str | None]) -> None:
        self.imports: set[str] = set()
        self._name_of = name_of

    def write(self, value: Any) -> str | None:
        """The source of a value; None if it cannot be written."""
        try:
            return self._write(value)
        except (RecursionError, _Unwritable):
            return None

    def _write(self, value: Any) -> str:
        kind = type(value)
        if value is None or value is ... or kind in (bool, str, bytes, range):
            return repr(value)
        if kind in (int, float, complex):
            return _number(value)
        if kind in _BRACKETS:
            return self._collection(value, kind)
        if kind is dict:
            pairs = (f"{self._write(key)}: {self._write(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        if kind.__module__ == "collections":
            return self._from_collections(value, kind)
        if kind is re.Pattern:
            self.imports.add("import re")
            return f"re.compile({value.pattern!r}, {value.flags})"
        if kind.__module__ == "numpy" and hasattr(value, "tolist"):
            return self._numpy(value, kind)
        return self._object(value, kind)

    def _collection(self, value: Iterable[Any], kind: type) -> str:
        items = [self._write(item) for item in value]
        if kind in (set, frozenset):
            if not items and kind is set:
                return "set()"
            items.sort()  # their order differs from one process to the next
        return _BRACKETS[kind].format(", ".join(items) + ("," if kind is tuple and len(items) == 1 else ""))

    def _from_collections(self, value: Any, kind: type) -> str:
        self.imports.add("import collections")
        if kind is collections.deque:
            return f"collections.deque({self._write(list(value))}, {value.maxlen})"
        if kind is collections.defaultdict:
            factory = None if value.default_factory is None else self._class(value.default_factory)
            return f"collections.defaultdict({factory}, {self._write(dict(value))})"
        if kind in (collections.Counter, collections.OrderedDict):
            return f"collections.{kind.__name__}({self._write(dict(value))})"
        raise _Unwritable

    def _numpy(self, value: Any, kind: type) -> str:
        self.imports.add("import numpy")
        if value.dtype.kind not in "biufcSU":
            raise _Unwritable
        if kind.__name__ == "ndarray":
            return f"numpy.array({self._write(value.tolist())}, dtype={value.dtype.str!r}).reshape({value.shape})"
        return f"numpy.dtype({value.dtype.str!r}).type({self._write(value.item())})"

    def _object(self, value: Any, kind: type) -> str:
        if isinstance(value, enum.Enum):
            if value.name not in kind.__members__:  # type: ignore[attr-defined]
                raise _Unwritable
            return f"{self._class(kind)}[{value.name!r}]"
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self._class(kind)}({', '.join(self._write(item) for item in value)})"
        if dataclasses.is_dataclass(value) and all(field.init for field in dataclasses.fields(value)):
            items = (f"{each.name}={self._write(getattr(value, each.name))}" for each in dataclasses.fields(value))
            return f"{self._class(kind)}({', '.join(items)})"
        raise _Unwritable

    def _class(self, kind: Any) -> str:
        name = self._name_of(kind) if isinstance(kind, type) else None
        if name is None:
            raise _Unwritable
        return name


class _Unwritable(Exception):
    """The value, or a part of it, cannot be written."""


def _number(value: complex) -> str:
    if isinstance(value, int):
        return hex(value) if value.bit_length() > _MOST_DIGITS else repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float('{value}')"
    return f"complex({_number(value.real)}, {_number(value.imag)})"
