"""The site as an ASGI application: the addresses of all its modules, the stream of events, the files."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path
from typing import Final

from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.web import analysis, hand_in, play, reading, sessions
from arena.web.context import Context, html, visit_of
from arena.web.hub import Full
from arena.web.security import GuardedSite
from arena.web.shell import SCRIPTS, STYLES, framed
from games.errors import ArenaError
from results.pages.page import shown

__all__ = ["site"]

#: Each module brings its own addresses, by a function `routes(context)`.
_MODULES: Final = (
    reading,
    play,
    analysis,
    sessions,
    hand_in,
)
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def site(context: Context, *, host: str = "127.0.0.1") -> Starlette:
    """The site about a results file, served at this host."""
    made = Starlette(
        routes=[
            *(route for module in _MODULES for route in module.routes(context)),
            Route("/events", functools.partial(_events, context)),
            Route("/files/{name}", _file),
        ],
        middleware=[Middleware(GuardedSite, served=host, door=context.door)],
        exception_handlers={404: _missing, ArenaError: _missing},
        lifespan=functools.partial(_lifespan, context),
    )
    made.state.can_hand_in = context.checks is not None
    return made


@contextlib.asynccontextmanager
async def _lifespan(context: Context, _app: Starlette) -> AsyncIterator[None]:
    running = [asyncio.ensure_future(run()) for run in (context.hub.run, *context.background)]
    try:
        yield
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _events(context: Context, request: Request) -> Response:
    """The events of running games and stored results, for `site.js`."""
    try:
        context.hub.check()
    except Full:
        return PlainTextResponse("too many viewers\n", 503, {"retry-after": "60"})
    return EventSourceResponse(context.hub.events(request.headers.get("last-event-id")), ping=15)


def _missing(request: Request, error: Exception) -> Response:
    visit = visit_of(request)
    why = [f"<p>{shown(str(error), 500)}</p>"] if isinstance(error, ArenaError) else []
    body = ['<main id="content">', f"<h1>{visit.words['not_found']}</h1>", *why, "</main>"]
    return html(framed(visit, visit.words["not_found"], body), request, 404)


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
