"""What every answer of the site says to the browser, and which requests it refuses."""

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.door import Door, Refusal

__all__ = ["POLICY", "SIGN_IN", "GuardedSite", "is_for_programs", "is_own_host"]

#: Only our own files; no inline code or style, no frames, and no text becomes HTML by a script.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
#: The only address that may be written to without a token where all others need one.
SIGN_IN: Final = "/session"
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_own_host(host: str, *, served: str) -> bool:
    """Whether a header `Host` can be ours. DNS rebinding needs a name, so a number is always allowed.

    >>> [is_own_host(host, served="127.0.0.1") for host in ("127.0.0.1:8000", "[::1]:80", "localhost", "evil.example")]
    [True, True, True, False]
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in {"localhost", served.lower(), socket.gethostname().lower()}
    return True


def is_for_programs(path: str) -> bool:
    """Whether the answers at an address are JSON, errors too."""
    return path.startswith("/api/") or path in ("/periodic_status", "/prompt_status")


class GuardedSite:
    """Middleware: refuses requests that another site has caused and writes that the door refuses; adds our headers.

    It stands before all addresses, so that none can be forgotten.
    """

    def __init__(self, app: ASGIApp, *, served: str, door: Door) -> None:
        self._app = app
        self._served = served
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = _refusal(scope, self._served, self._door)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)


def _refusal(scope: Scope, served: str, door: Door) -> Response | None:
    """The answer to a request that is not served; None if it is."""
    refusal = _why_refused(scope, served, door)
    if refusal is None:
        return None
    if is_for_programs(scope["path"]):
        return JSONResponse({"error": refusal.text}, refusal.status)
    return PlainTextResponse(f"{refusal.text}\n", refusal.status)


def _why_refused(scope: Scope, served: str, door: Door) -> Refusal | None:
    headers = Headers(scope=scope)
    if not is_own_host(headers.get("host", ""), served=served):
        return Refusal(400, "this is not a name of this site")
    if scope["method"] not in ("GET", "HEAD"):
        refused = door.refusal(headers)
        # The sign-in is the way to a session: it asks for the token itself.
        is_sign_in = scope["path"] == SIGN_IN and refused is not None and refused.status == 401
        return None if is_sign_in else refused
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return Refusal(403, "a foreign origin is refused")
    # A link from elsewhere may lead here, but no other site may read or embed what is here.
    if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
        return Refusal(403, "a request from another site is refused")
    return None
