"""The addresses where agents are handed in: the form, an upload for a program, its check, the organiser's decision."""

import functools
from collections.abc import Callable
from typing import Final

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.competition.uploading import Sent, approve, refuse
from arena.entrants.submissions import Submissions
from arena.entrants.tokens import Token
from arena.entrants.uploads import Upload
from arena.web.bodies import read_body, read_parts
from arena.web.checks import Checks, TooMany
from arena.web.context import Context, html, visit_of
from arena.web.hand_in_pages import Shown, hand_in_page, upload_as_json, upload_page
from games.errors import ArenaError

__all__ = ["routes"]

#: What a form holds beside the file.
_FORM_BYTES: Final = 64 << 10
_NEWEST: Final = 50


def routes(context: Context) -> list[Route]:
    """The addresses; none unless the organiser allows submissions."""
    if context.checks is None:
        return []
    desk = _Desk(context, context.checks)
    return [
        Route("/hand-in", desk.form),
        Route("/hand-in", desk.upload, methods=["POST"]),
        Route("/hand-in/{number:int}", desk.show),
        Route("/hand-in/{number:int}/approve", functools.partial(desk.decide, decision=approve), methods=["POST"]),
        Route("/hand-in/{number:int}/refuse", functools.partial(desk.decide, decision=refuse), methods=["POST"]),
    ]


class _Desk:
    def __init__(self, context: Context, checks: Checks) -> None:
        self._context = context
        self._checks = checks

    def form(self, request: Request) -> Response:
        return self._form(request)

    def _form(self, request: Request, *, problem: str = "") -> Response:
        who, intake = self._context.writer(request), self._checks.intake
        if who is None:
            return html(hand_in_page(visit_of(request), None, intake, site=_site(request)), request)
        uploads = self._checks.uploads.all()[::-1]
        versions = [one for one in Submissions(intake.home).all_versions()[::-1] if one.owner == who.name]
        found = Shown(
            who=who, own=[one for one in uploads if one.owner == who.name][:_NEWEST], versions=versions[:_NEWEST],
            waiting=[one for one in uploads if one.state == "waiting"] if who.role == "organiser" else [],
        )  # fmt: skip
        page = hand_in_page(visit_of(request), found, intake, site=_site(request), problem=problem)
        return html(page, request)

    async def upload(self, request: Request) -> Response:
        """Take an upload: the form of the page, or the file itself as the body."""
        who = self._context.writer(request)
        if who is None:
            return PlainTextResponse("an upload needs a token; the organiser makes one with `arena token NAME`\n", 401)
        is_form = request.headers.get("content-type", "").startswith("multipart/")
        try:
            with self._checks.place(who.name, request.client.host if request.client else "") as take:
                sent = await (self._read_form if is_form else self._read_raw)(request, who)
                made = await to_thread.run_sync(take, sent)
        except TooMany as error:
            return await self._problem(request, str(error), 429, is_form=is_form, wait=error.seconds)
        except ArenaError as error:
            return await self._problem(request, str(error), 422, is_form=is_form)
        except HTTPException as error:
            return await self._problem(request, error.detail, error.status_code, is_form=is_form)
        address = f"/hand-in/{made.number}"
        if is_form:
            return RedirectResponse(address, 303)
        return JSONResponse(upload_as_json(made), 202, {"location": address})

    async def _problem(
        self, request: Request, text: str, status: int, *, is_form: bool, wait: float | None = None
    ) -> Response:
        response: Response
        if is_form:  # a page that says what to change is no failure of the browser
            response = await to_thread.run_sync(lambda: self._form(request, problem=text))
        else:
            response = PlainTextResponse(f"{text}\n", status)
        if wait is not None:
            response.headers["retry-after"] = f"{max(1.0, wait):.0f}"
        if status in (408, 413):
            response.headers["connection"] = "close"  # the rest of the body is not read
        return response

    async def _read_form(self, request: Request, who: Token) -> Sent:
        fields, files = await read_parts(request, most=self._checks.intake.most_bytes + _FORM_BYTES)
        file = files.get("file")
        if file is None or not file.name:
            raise HTTPException(400, "choose a file")
        if len(file.data) > self._checks.intake.most_bytes:
            raise HTTPException(413, f"too large: at most {self._checks.intake.most_bytes:,} bytes are accepted")
        return _sent(who, file.name, file.data, fields.get)

    async def _read_raw(self, request: Request, who: Token) -> Sent:
        given = request.query_params
        if not given.get("file"):
            raise HTTPException(400, "say the name of the file in the address: /hand-in?file=my_agent.py")
        data = await read_body(request, most=self._checks.intake.most_bytes)
        return _sent(who, given["file"], data, given.get)

    def show(self, request: Request) -> Response:
        who, upload = self._context.writer(request), self._find(request)
        if who is None or not (who.role == "organiser" or who.name == upload.owner):
            raise HTTPException(404)
        progress, ahead = self._checks.progress(upload.number), self._checks.ahead(upload.number)
        if "authorization" in request.headers:
            return JSONResponse({**upload_as_json(upload), "progress": progress, "ahead": ahead})
        is_decider = who.role == "organiser" and upload.state == "waiting"
        return html(upload_page(visit_of(request), upload, progress, ahead, is_decider=is_decider), request)

    def decide(self, request: Request, decision: Callable[..., Upload]) -> Response:
        """Approve or refuse an upload; only with the token of an organiser, also on this machine."""
        who, upload = self._context.writer(request), self._find(request)
        if who is None or who.role != "organiser":
            return PlainTextResponse("this needs the token of an organiser: `arena token NAME --organiser`\n", 403)
        try:
            decision(self._checks.intake.home, upload.number)
        except ArenaError as error:
            return PlainTextResponse(f"{error}\n", 409)
        self._context.hub.announce_from_thread("upload")
        if "authorization" in request.headers:
            made = self._checks.uploads.find(upload.number) or upload
            return JSONResponse(upload_as_json(made))
        return RedirectResponse(f"/hand-in/{upload.number}", 303)

    def _find(self, request: Request) -> Upload:
        found = self._checks.uploads.find(request.path_params["number"])
        if found is None:
            raise HTTPException(404)
        return found


def _sent(who: Token, file: str, data: bytes, get: Callable[[str], str | None]) -> Sent:
    return Sent(
        owner=who.name, file=file, data=data, name=(get("name") or "").strip() or None,
        class_name=(get("class") or "").strip(), about=get("about"),
    )  # fmt: skip


def _site(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}"
