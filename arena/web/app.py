"""The site as an ASGI application: its addresses, and what each of them answers."""

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Callable
from importlib import resources
from pathlib import Path
from typing import Final

from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from arena.web import games, pages, training
from arena.web.boards import Followed
from arena.web.hub import Full, Hub, signature
from arena.web.security import ReadOnlySite
from arena.web.shell import SCRIPTS, STYLES, Visit, framed
from arena.web.texts import LANGUAGES, chosen
from games.errors import ArenaError
from results.pages.page import shown
from results.store.store import Store

__all__ = ["site"]

#: Pages that are kept until the results file changes.
_KEPT: Final = 256
_YEAR: Final = 31_536_000
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_Page = Callable[[Store, Visit], str]


def site(hub: Hub, *, host: str = "127.0.0.1") -> Starlette:
    """The site about the results file of this hub."""
    return _Site(hub).application(host)


class _Site:
    def __init__(self, hub: Hub) -> None:
        self._db = hub.db
        self._hub = hub
        self._rendering = threading.Lock()
        self._cached = functools.lru_cache(maxsize=_KEPT)(self._rendered)

    def application(self, host: str) -> Starlette:
        routes = [
            Route("/", self.home),
            Route("/league", self.league),
            Route("/games", self.games),
            Route("/game/{number:int}", self.game),
            Route("/game/{number:int}/download", self.download),
            Route("/agent", self.agent),
            Route("/compare", self.compare),
            Route("/live", self.live),
            Route("/training", self.runs),
            Route("/training/{name}", self.run),
            Route("/events", self.events),
            Route("/files/{name}", _file),
        ]
        return Starlette(
            routes=routes,
            middleware=[Middleware(ReadOnlySite, served=host)],
            exception_handlers={404: _missing, ArenaError: _missing},
            lifespan=self._lifespan,
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        looking = asyncio.create_task(self._hub.run())
        try:
            yield
        finally:
            looking.cancel()

    # Pages are functions and not coroutines: they run in threads, so that the events go on meanwhile.
    def home(self, request: Request) -> Response:
        visit = _visit(request)
        running = games.running_games(self._running(), visit)
        with Store.read(self._db) as store:
            return _html(pages.home_page(store, visit, running=running), request)

    def league(self, request: Request) -> Response:
        name = request.query_params.get("name", "")
        return self._page(request, lambda store, visit: pages.league_page(store, visit, name))

    def games(self, request: Request) -> Response:
        league = request.query_params.get("league")
        page = request.query_params.get("page", "0")
        number = int(page) if page.isdecimal() and len(page) < 9 else 0
        return self._page(request, lambda store, visit: pages.games_page(store, visit, league, number))

    def game(self, request: Request) -> Response:
        number = request.path_params["number"]
        return self._page(request, lambda store, visit: games.replay_page(store, visit, number))

    def download(self, request: Request) -> Response:
        with Store.read(self._db) as store:
            number, form = request.path_params["number"], request.query_params.get("format", "")
            text, name = games.download(store, number, form)
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})

    def agent(self, request: Request) -> Response:
        name = request.query_params.get("name", "")
        return self._page(request, lambda store, visit: pages.agent_page(store, visit, name))

    def compare(self, request: Request) -> Response:
        given = request.query_params
        one, two, league = given.get("one", ""), given.get("two", ""), given.get("league")
        return self._page(
            request, lambda store, visit: pages.compare_page(store, visit, one=one, two=two, league=league)
        )

    def live(self, request: Request) -> Response:
        return _html(games.live_page(self._running(), _visit(request)), request)

    def runs(self, request: Request) -> Response:
        return _html(training.runs_page(_visit(request)), request)

    def run(self, request: Request) -> Response:
        return _html(training.run_page(_visit(request), request.path_params["name"]), request)

    async def events(self, request: Request) -> Response:
        """The events of running games and stored results, for `site.js`."""
        try:
            self._hub.check()
        except Full:
            return PlainTextResponse("too many viewers\n", 503, {"retry-after": "60"})
        return EventSourceResponse(self._hub.events(request.headers.get("last-event-id")), ping=15)

    def _running(self) -> list[Followed]:
        return [Followed(game) for game in self._hub.games()]

    def _page(self, request: Request, page: _Page) -> Response:
        """A page that changes only with the results file."""
        visit = _visit(request)
        key = (str(request.url.path), str(request.url.query), visit.language, signature(self._db))
        with self._rendering:  # so that many viewers who ask at once cost one page
            return _html(self._cached(_Key(key, visit, page)), request)

    def _rendered(self, key: "_Key") -> str:
        with Store.read(self._db) as store:
            return key.page(store, key.visit)


class _Key:
    """What makes a page what it is, for the cache; the function that makes the page is not part of it."""

    def __init__(self, key: tuple[object, ...], visit: Visit, page: _Page) -> None:
        self._key = key
        self.visit = visit
        self.page = page

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key


def _visit(request: Request) -> Visit:
    wanted = request.query_params.get("lang") or request.cookies.get("lang")
    language = chosen(wanted=wanted, accepted=request.headers.get("accept-language"))
    return Visit(language, request.url.path, dict(request.query_params))


def _html(text: str, request: Request, status: int = 200) -> HTMLResponse:
    response = HTMLResponse(text, status, {"cache-control": "no-cache", "vary": "accept-language, cookie"})
    if (wanted := request.query_params.get("lang")) in LANGUAGES:
        assert wanted is not None
        response.set_cookie("lang", wanted, max_age=_YEAR, httponly=True, samesite="strict")
    return response


def _missing(request: Request, error: Exception) -> Response:
    visit = _visit(request)
    why = [f"<p>{shown(str(error), 500)}</p>"] if isinstance(error, ArenaError) else []
    body = ['<main id="content">', f"<h1>{visit.words['not_found']}</h1>", *why, "</main>"]
    return _html(framed(visit, visit.words["not_found"], body), request, 404)


def _file(request: Request) -> Response:
    """A script or a style sheet; the names are ours, no path is built from what was asked."""
    name = request.path_params["name"]
    if name not in (*STYLES, *SCRIPTS, "icon.svg"):
        return PlainTextResponse("no such file\n", 404)
    return Response(_text_of(name), media_type=_KINDS[Path(name).suffix], headers={"cache-control": "no-cache"})


@functools.cache
def _text_of(name: str) -> str:
    ours = resources.files("arena.web") / "files" / name
    return (ours if ours.is_file() else resources.files("results.pages") / name).read_text(encoding="utf-8")
