"""Asking an agent about a position of a stored game, and playing a stored game again: the addresses."""

import functools
import time
from collections.abc import Mapping

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.web import analysis_pages
from arena.web.analysis_pages import SECONDS, Question
from arena.web.bodies import read_form
from arena.web.context import Context, html, new_owner, visit_of
from arena.web.from_here import has_person, stored_position
from arena.web.opponents import HUMAN, agent_text, opponents, players_of
from arena.web.play_pages import lost_page
from arena.web.tables import ANALYSING, NoTable, Table, TablesFull
from games.base import join_parameters
from games.errors import ArenaError
from results.errors import NoRecord

__all__ = ["routes"]


def routes(context: Context) -> list[Route]:
    """The addresses."""
    analysis = _Analysis(context)
    return [
        Route("/analysis", analysis.show),
        Route("/analysis", analysis.ask, methods=["POST"]),
        Route("/rerun", analysis.play_again, methods=["POST"]),
        Route("/analysis/{table}", analysis.table),
        Route("/analysis/{table}/state", analysis.state),
        Route("/analysis/{table}/end", analysis.end, methods=["POST"]),
    ]


class _Analysis:
    def __init__(self, context: Context) -> None:
        self._context = context

    def show(self, request: Request) -> Response:
        """The form and the board, before anybody is asked."""
        return self._page(request, request.query_params)

    async def ask(self, request: Request) -> Response:
        """Let an agent think about the position, and go there."""
        form = await read_form(request)
        try:
            wanted = await to_thread.run_sync(self._wanted, form)
            return await self._open(request, wanted)
        except TablesFull:
            error, status = visit_of(request).words["full"], 503
        except ArenaError as problem:
            error, status = str(problem), 400
        return await to_thread.run_sync(functools.partial(self._page, request, form, error=error, status=status))

    async def play_again(self, request: Request) -> Response:
        """Play a stored game again, and go there."""
        form = await read_form(request)
        found = await to_thread.run_sync(stored_position, self._context.db, form)
        if found is None:
            raise HTTPException(400, "a number of a record is needed")
        if has_person(found[0]):
            raise HTTPException(400, "a game with a person cannot be played again")
        try:
            return await self._open(request, {"record": found[0].id})
        except ArenaError as error:
            raise HTTPException(400, str(error)) from error
        except TablesFull as error:
            raise HTTPException(503, visit_of(request).words["full"], headers={"retry-after": "60"}) from error

    async def _open(self, request: Request, wanted: Mapping[str, object]) -> Response:
        owner = self._context.owner(request) or new_owner()
        table = await self._context.tables.open(_analyst(owner), wanted, program=ANALYSING)
        return self._context.to_table(f"/analysis/{table.id}", request, owner)

    async def table(self, request: Request) -> Response:
        """What an agent says, live."""
        visit = visit_of(request)
        try:
            table = self._find(request)
        except NoTable:
            return html(lost_page(visit), request, 404)
        if "agent" not in table.wanted:
            return html(analysis_pages.rerun_page(visit, table), request)
        wanted = {key: str(value) for key, value in table.wanted.items()}
        given = {**wanted, "agent": wanted["choice"], "seconds": f"{table.wanted['seconds']:g}"}
        return await to_thread.run_sync(functools.partial(self._page, request, given, table=table))

    async def state(self, request: Request) -> Response:
        """What is to be seen, as JSON for the script."""
        try:
            table = self._find(request)
        except NoTable:
            return JSONResponse({"phase": "gone"})  # no error: the page was there before
        found = {**table.state, "id": table.id, "now": time.time()}
        return JSONResponse(found, headers={"cache-control": "no-store"})

    async def end(self, request: Request) -> Response:
        """End the thinking."""
        try:
            await self._context.tables.close(self._find(request))
        except NoTable as error:
            raise HTTPException(404, "this is not an analysis of yours") from error
        return RedirectResponse("/games", 303)

    def _find(self, request: Request) -> Table:
        owner = self._context.owner(request)
        return self._context.tables.find(request.path_params["table"], _analyst(owner or ""))

    def _page(
        self, request: Request, given: Mapping[str, str], *, table: Table | None = None, error: str = "",
        status: int = 200,
    ) -> Response:  # fmt: skip
        found = stored_position(self._context.db, given)
        if found is None:
            raise NoRecord("an analysis needs a game: open a replay, and choose a turn there")
        record, turn = found
        known = [*players_of(record), *opponents(home(), self._context.opponents)]
        known = [one for one in known if not one.games or record.game in one.games]
        question = Question(record=record, turn=turn, known=known, given=given)
        return html(
            analysis_pages.analysis_page(visit_of(request), question, table=table, error=error), request, status
        )

    def _wanted(self, form: Mapping[str, str]) -> dict[str, object]:
        found = stored_position(self._context.db, form)
        if found is None:
            raise BadSettings("a number of a record is needed")
        record, turn = found
        known = [*players_of(record), *opponents(home(), self._context.opponents)]
        agent, options = form.get("agent", ""), form.get("options", "")
        if agent == HUMAN:
            raise BadSettings("people are not asked here")
        if form.get("seconds", "") not in map(str, SECONDS):
            raise BadSettings(f"an agent may think for {', '.join(map(str, SECONDS))} seconds")
        text = agent_text(agent, options, game=record.game, known=known)
        title = next((one.title for one in known if one.value == agent), agent)
        return {
            "record": record.id, "turn": turn, "game": join_parameters(record.game, record.parameters),
            "start": record.start, "moves": [move.text for move in record.moves[:turn]], "agent": text,
            "seconds": float(form["seconds"]), "title": title, "choice": agent, "options": options,
        }  # fmt: skip


def _analyst(owner: str) -> str:
    """Who owns an analysis: it does not end the visitor's own game."""
    return f"analysis {owner}"
