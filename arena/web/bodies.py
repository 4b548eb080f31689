"""Reading what a request sends: never more than a limit, whatever its headers say."""

import asyncio
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["SentFile", "read_body", "read_form", "read_parts"]

_MOST_FORM: Final = 64 << 10
_MOST_PARTS: Final = 20
_BODY_SECONDS: Final = 60.0
_BOUNDARY: Final = re.compile(r'multipart/form-data;\s*boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?\s*')
_FIELD: Final = re.compile(
    rb'content-disposition:\s*form-data;\s*name="([^"\r\n]*)"(?:;\s*filename="([^"\r\n]*)")?', re.I
)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file in a form, with the name that the browser gives it."""

    name: str
    data: bytes


async def read_body(request: Request, *, most: int) -> bytes:
    """The body of a request; answers 413 if it is longer than `most` bytes, and 408 if it comes too slowly."""
    try:
        return await asyncio.wait_for(_read_body(request, most), _BODY_SECONDS)
    except TimeoutError as error:
        raise HTTPException(408, f"not sent in {_BODY_SECONDS:.0f} s", headers={"connection": "close"}) from error


async def _read_body(request: Request, most: int) -> bytes:
    said = request.headers.get("content-length", "")
    if said.isdecimal() and (len(said) > 18 or int(said) > most):
        raise _too_long(most)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise _too_long(most)
    return bytes(data)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form that was sent as `application/x-www-form-urlencoded`; the last value of each."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "send application/x-www-form-urlencoded")
    data = await read_body(request, most=_MOST_FORM)
    try:
        return dict(parse_qsl(data.decode(), keep_blank_values=True, strict_parsing=bool(data), max_num_fields=100))
    except ValueError as error:
        raise HTTPException(400, "the form cannot be read") from error


async def read_parts(request: Request, *, most: int) -> tuple[dict[str, str], dict[str, SentFile]]:
    """The fields and the files of a form that was sent as `multipart/form-data`, in `most` bytes together."""
    boundary = _BOUNDARY.fullmatch(request.headers.get("content-type", "").strip())
    if boundary is None:
        raise HTTPException(415, "send multipart/form-data")
    parts = (b"\r\n" + await read_body(request, most=most)).split(b"\r\n--" + boundary[1].encode())
    if len(parts) > _MOST_PARTS or not parts[-1].startswith(b"--"):
        raise HTTPException(400, "the form cannot be read")
    fields: dict[str, str] = {}
    files: dict[str, SentFile] = {}
    for part in parts[1:-1]:
        head, blank, data = part.partition(b"\r\n\r\n")
        found = next(filter(None, map(_FIELD.match, head.split(b"\r\n"))), None)
        if found is None or not blank:
            raise HTTPException(400, "the form cannot be read")
        name = found[1].decode(errors="replace")
        if found[2] is None:
            fields[name] = data.decode(errors="replace")
        else:
            files[name] = SentFile(found[2].decode(errors="replace"), data)
    return fields, files


def _too_long(most: int) -> HTTPException:
    return HTTPException(413, f"too large: at most {most:,} bytes are accepted", headers={"connection": "close"})
