"""Reading what a request sends: never more than a limit, whatever its headers say."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["read_body", "read_form"]

_MOST_FORM: Final = 64 << 10


async def read_body(request: Request, *, most: int) -> bytes:
    """The body of a request; answers 413 as soon as it is longer than `most` bytes."""
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


def _too_long(most: int) -> HTTPException:
    return HTTPException(413, f"too large: at most {most:,} bytes are accepted", headers={"connection": "close"})
