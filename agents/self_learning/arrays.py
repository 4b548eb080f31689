"""Named arrays with a header in one self-describing file: chunks, checkpoints and weights are stored like this.

The file is a magic line, the length of the header, the header as JSON, the bytes of the arrays, and a SHA-256 of all
that. Nothing in it can run code, and a file that is cut off or damaged is noticed.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Damaged", "Packed", "dtype_from_json", "dtype_to_json", "pack", "unpack", "write_atomic"]

_MAGIC: Final = b"arrays1\n"
_ALIGNMENT: Final = 64
_DIGEST: Final = 32


class Damaged(ValueError):
    """The bytes are not what `pack` wrote."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The content of a file: a header of JSON values, and arrays by name."""

    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


def pack(header: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file with these contents; the same contents give the same bytes."""
    entries, pieces, offset = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        padding = -len(data) % _ALIGNMENT
        shape, dtype = list(array.shape), dtype_to_json(array.dtype)
        entries.append({"name": name, "dtype": dtype, "shape": shape, "offset": offset, "bytes": len(data)})
        pieces += [data, bytes(padding)]
        offset += len(data) + padding
    head = json.dumps({"header": dict(header), "arrays": entries}, sort_keys=True).encode()
    head += b" " * (-(len(_MAGIC) + 8 + len(head)) % _ALIGNMENT)
    body = b"".join([_MAGIC, len(head).to_bytes(8, "little"), head, *pieces])
    return body + hashlib.sha256(body).digest()


def unpack(data: bytes) -> Packed:
    """What `pack` wrote; `Damaged` if it is not complete and unchanged."""
    body = memoryview(data)[:-_DIGEST]
    if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != data[-_DIGEST:]:
        raise Damaged("not a file of arrays, or a damaged one")
    try:
        return _unpacked(body)
    except (KeyError, TypeError, ValueError, IndexError, RecursionError) as error:  # the hash is no signature
        raise Damaged(f"a file of arrays that was not written by this program: {error}") from error


def _unpacked(body: memoryview) -> Packed:
    start = len(_MAGIC) + 8
    start += (length := int.from_bytes(body[len(_MAGIC) : start], "little"))
    content = json.loads(bytes(body[start - length : start]))
    arrays = {
        entry["name"]: np.frombuffer(
            body[start + entry["offset"] : start + entry["offset"] + entry["bytes"]],
            dtype=dtype_from_json(entry["dtype"]),
        )
        .reshape(entry["shape"])
        .copy()
        for entry in content["arrays"]
    }
    return Packed(content["header"], arrays)


def dtype_to_json(dtype: np.dtype[Any]) -> Any:
    """A dtype as JSON, structured ones too."""
    return np.lib.format.dtype_to_descr(dtype)


def dtype_from_json(value: Any) -> np.dtype[Any]:
    """The dtype that `dtype_to_json` wrote."""
    return np.lib.format.descr_to_dtype(_tuples(value))


def _tuples(value: Any) -> Any:
    """A description with tuples where numpy wants them and JSON has lists: a list of fields stays a list."""
    if isinstance(value, str):
        return value
    return [(field[0], _tuples(field[1]), *map(tuple, field[2:])) for field in value]


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all, also after a power cut."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
