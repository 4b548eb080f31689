"""The page where a visitor gives a token and gets a session, and where the session ends."""

import functools

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.web.bodies import read_form
from arena.web.context import Context, html, visit_of
from arena.web.door import COOKIE, SESSION_SECONDS
from arena.web.shell import Visit, framed
from results.pages.page import shown

__all__ = ["routes"]

_NAME = 80


def routes(context: Context) -> list[Route]:
    """The addresses."""
    return [
        Route("/session", functools.partial(_show, context)),
        Route("/session", functools.partial(_enter, context), methods=["POST"]),
        Route("/session/end", functools.partial(_leave, context), methods=["POST"]),
    ]


def _show(context: Context, request: Request) -> Response:
    visit, who = visit_of(request), context.writer(request)
    if who is None:
        return html(_page(visit, _form(visit)), request)
    text = visit.words
    signed_in = [
        f"<p>{text['signed_in_as']} <strong>{shown(who.name, _NAME)}</strong> ({text[who.role]})</p>",
        f'<form method="post" action="/session/end"><button>{text["sign_out"]}</button></form>',
    ]
    return html(_page(visit, signed_in), request)


def _form(visit: Visit, *, wrong: bool = False) -> list[str]:
    text = visit.words
    return [
        f"<p>{text['about_tokens']}</p>",
        *([f'<p class="bad" role="alert">{text["wrong_token"]}</p>'] if wrong else []),
        '<form method="post" action="/session">',
        '<input name="user" autocomplete="username" value="arena" hidden>',  # what browsers store passwords with
        f'<label for="token">{text["token"]}</label>',
        '<input id="token" name="token" type="password" autocomplete="current-password" required>',
        f"<button>{text['sign_in']}</button>",
        "</form>",
    ]


def _page(visit: Visit, lines: list[str]) -> str:
    title = visit.words["token"]
    return framed(visit, title, ['<main id="content">', f"<h1>{title}</h1>", *lines, "</main>"])


async def _enter(context: Context, request: Request) -> Response:
    """Exchange a token for a session."""
    session = context.door.enter((await read_form(request)).get("token", ""))
    if session is None:
        visit = visit_of(request)
        return html(_page(visit, _form(visit, wrong=True)), request, 401)
    response = RedirectResponse("/session", 303)
    response.set_cookie(
        COOKIE, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


async def _leave(context: Context, request: Request) -> Response:
    context.door.leave(request.headers)
    response = RedirectResponse("/session", 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response
