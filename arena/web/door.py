"""Who may write: the one place that decides whether a request may change something."""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.datastructures import Headers

from arena.entrants.tokens import Token, Tokens

__all__ = ["COOKIE", "SESSION_SECONDS", "Door", "Refusal"]

COOKIE: Final = "arena_session"
SESSION_SECONDS: Final = 30 * 86_400
_MOST_SESSIONS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: a status and one line."""

    status: int
    text: str


class Door:
    """Decides about writes: always from our own pages; with a token if somebody beyond this machine can ask.

    A browser exchanges its token for a session, so that no script and no disk of a browser ever holds the token.
    """

    def __init__(self, tokens: Tokens, *, needs_token: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.needs_token = needs_token
        self._tokens = tokens
        self._clock = clock
        self._lock = threading.Lock()
        #: Digest of a session -> digest of the token and the end of the session.
        self._sessions: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def refusal(self, headers: Headers) -> Refusal | None:
        """Why a request that would change something is refused; None if it is allowed.

        Browsers name the page that writes, in `Origin` or `Sec-Fetch-Site`, and it must be ours. Programs name none;
        they send a token, which the page of another site cannot do.
        """
        origin, site, host = headers.get("origin"), headers.get("sec-fetch-site"), headers.get("host", "")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return Refusal(403, "a foreign origin is refused")
        if site is not None and site != "same-origin":
            return Refusal(403, "a request from another site is refused")
        who = self.who(headers)
        if who is None and _bearer(headers) is not None:
            return Refusal(401, "this token is not known, or it was revoked")
        if origin is None and site is None and _bearer(headers) is None:
            return Refusal(403, "a program must send a token: Authorization: Bearer TOKEN")
        if self.needs_token and who is None:
            return Refusal(401, "this needs a token; the organiser makes one with `arena token NAME`")
        return None

    def who(self, headers: Headers) -> Token | None:
        """Whose token or session came with a request; None without a valid one."""
        if (text := _bearer(headers)) is not None:
            return self._tokens.find(text)
        session = _digest(_cookie(headers))
        with self._lock:
            token, end = self._sessions.get(session, ("", 0.0))
        return self._tokens.holds(token) if self._clock() < end else None

    def enter(self, text: str) -> str | None:
        """A new session for a token, for the cookie; None if the token is wrong."""
        if (token := self._tokens.find(text.strip())) is None:
            return None
        session = secrets.token_urlsafe(32)
        with self._lock:
            self._sessions[_digest(session)] = token.digest, self._clock() + SESSION_SECONDS
            while len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session

    def leave(self, headers: Headers) -> None:
        """End the session of a request."""
        with self._lock:
            self._sessions.pop(_digest(_cookie(headers)), None)


def _bearer(headers: Headers) -> str | None:
    scheme, _, text = headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
