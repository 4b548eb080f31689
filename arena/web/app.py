"""The site as an ASGI application: the addresses of all its modules, the stream of events, the files."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.web import analysis, api, hand_in, play, reading, sessions, studies, training
from arena.web.context import Context, html, visit_of
from arena.web.security import GuardedSite, is_for_programs
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
    api,
    studies,
    training,
)
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def site(context: Context, *, host: str = "127.0.0.1") -> Starlette:
    """The site about a results file, served at this host."""
    made = Starlette(
        routes=[
            *(route for module in _MODULES for route in module.routes(context)),
            Route("/events", context.events),
            Route("/files/{name}", _file),
        ],
        middleware=[Middleware(GuardedSite, served=host, door=context.door)],
        exception_handlers={HTTPException: _refused, ArenaError: _missing, Exception: _failed},
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


def _refused(request: Request, error: Exception) -> Response:
    """The answer where a module has raised a status, or where there is no such address or method."""
    assert isinstance(error, HTTPException)
    if is_for_programs(request.url.path):
        answer = api.problem(error.detail, error.status_code)
    elif error.status_code == 404:
        return _missing(request, error)
    else:
        answer = PlainTextResponse(f"{error.detail}\n", error.status_code)
    answer.headers.update(error.headers or {})
    return answer


def _failed(request: Request, _error: Exception) -> Response:
    """The answer to our own mistake, which is logged."""
    text = "this failed on our side; the organiser finds the reason on the terminal"
    if is_for_programs(request.url.path):
        return api.problem(text, 500)
    return PlainTextResponse(f"{text}\n", 500)


def _missing(request: Request, error: Exception) -> Response:
    if is_for_programs(request.url.path):
        return api.problem(str(error), 404)
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
