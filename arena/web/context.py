"""What every module of the site needs to answer a request: the results file, the visitor, the cache of pages."""

import functools
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from sse_starlette.sse import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.entrants.tokens import Token
from arena.web.checks import Checks
from arena.web.door import Door
from arena.web.hub import Full, Hub, signature
from arena.web.shell import Visit
from arena.web.tables import Tables
from arena.web.texts import LANGUAGES, chosen
from results.store.store import Store

__all__ = ["Context", "PageOfStore", "html", "new_owner", "visit_of"]

#: Pages that are kept until the results file changes.
_KEPT: Final = 256
_YEAR: Final = 31_536_000
_MONTH: Final = 30 * 86_400
#: The cookie that says whose table it is, where nobody needs a token.
_PLAYER: Final = "arena_player"
_PLAYER_CHARACTERS: Final = 43
PageOfStore: TypeAlias = Callable[[Store, Visit], str]


class Context:
    """Given to the function `routes` of every module that has pages.

    Pages are functions and not coroutines: they run in threads, so that the events go on meanwhile.
    """

    def __init__(
        self, hub: Hub, door: Door, *, opponents: Sequence[str] = (), idle: float = 600.0, checks: Checks | None = None
    ) -> None:
        self.db: Path = hub.db
        #: Agents and engines that the organiser offers to visitors, as on the command line.
        self.opponents = tuple(opponents)
        #: The processes that visitors have started: games, analyses.
        self.tables = Tables(hub, idle=idle)
        #: What modules do while the site is served.
        self.background: list[Callable[[], Awaitable[None]]] = [self.tables.run]
        self.hub = hub
        self.door = door
        #: Takes uploads; None if the site takes none.
        self.checks = checks
        self._rendering = threading.Lock()
        self._cached = functools.lru_cache(maxsize=_KEPT)(self._rendered)

    def writer(self, request: Request) -> Token | None:
        """Whose token came with the request; None without a valid one."""
        return self.door.who(request.headers)

    def owner(self, request: Request) -> str | None:
        """Who has started a table: the holder of a token, else the browser; None if it has started none yet."""
        if (who := self.writer(request)) is not None:
            return who.digest
        found = request.cookies.get(_PLAYER, "")
        return found if len(found) == _PLAYER_CHARACTERS else None

    def to_table(self, path: str, request: Request, owner: str) -> Response:
        """Send the browser to the page of its table, and let it remember that the table is its own."""
        response = RedirectResponse(path, 303)
        if self.writer(request) is None:
            response.set_cookie(
                _PLAYER, owner, max_age=_MONTH, httponly=True, samesite="strict", secure=request.url.scheme == "https"
            )
        return response

    def page(self, request: Request, page: PageOfStore) -> Response:
        """A page that changes only with the results file, and is the same for everybody with one language."""
        visit = visit_of(request)
        return html(self.stored(request, lambda store: page(store, visit), visit.language), request)

    def stored(self, request: Request, make: Callable[[Store], str], *more: object) -> str:
        """What `make` gives for this address and `more`; kept until the results file changes, at most a minute.

        A minute, because the file does not say when the process of a league has died.
        """
        minute = int(time.monotonic() // 60)
        key = (str(request.url.path), str(request.url.query), signature(self.db), minute, *more)
        with self._rendering:  # so that many viewers who ask at once cost one page
            return self._cached(_Key(key, make))

    def _rendered(self, key: "_Key") -> str:
        with Store.read(self.db) as store:
            return key.make(store)

    async def events(self, request: Request) -> Response:
        """The stream of events of running games and stored results."""
        try:
            self.hub.check()
        except Full as error:
            raise HTTPException(503, "too many viewers", {"retry-after": "60"}) from error
        return EventSourceResponse(self.hub.events(request.headers.get("last-event-id")), ping=15)


class _Key:
    """What makes an answer what it is, for the cache; the function that makes it is not part of it."""

    def __init__(self, key: tuple[object, ...], make: Callable[[Store], str]) -> None:
        self._key = key
        self.make = make

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key


def new_owner() -> str:
    """A secret for a browser that has none yet."""
    return secrets.token_urlsafe(32)


def visit_of(request: Request) -> Visit:
    """Who looks, and at which page."""
    wanted = request.query_params.get("lang") or request.cookies.get("lang")
    language = chosen(wanted=wanted, accepted=request.headers.get("accept-language"))
    can_hand_in = getattr(request.app.state, "can_hand_in", False)
    return Visit(language, request.url.path, dict(request.query_params), can_hand_in)


def html(text: str, request: Request, status: int = 200) -> HTMLResponse:
    """A complete page as an answer."""
    response = HTMLResponse(text, status, {"cache-control": "no-cache", "vary": "accept-language, cookie"})
    if (wanted := request.query_params.get("lang")) in LANGUAGES:
        assert wanted is not None
        response.set_cookie("lang", wanted, max_age=_YEAR, httponly=True, samesite="strict")
    return response
