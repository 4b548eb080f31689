"""Playing in the browser: new games, tables, their state and the orders of those who play."""

import functools
import time
from collections.abc import Mapping
from typing import Final, cast

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.web import play_pages
from arena.web.bodies import read_form
from arena.web.context import Context, html, new_owner, visit_of
from arena.web.from_here import stored_position
from arena.web.opponents import Opponent, agent_text, exhibitors, opponents, players_of
from arena.web.play_pages import Choice
from arena.web.tables import NoTable, Table, TablesFull
from games.base import join_parameters, load_stored, names, split_parameters
from games.errors import ArenaError
from results.store.store import Store

__all__ = ["routes"]

_MOST_MOVE_SECONDS: Final = 60.0
_MOST_GAME_SECONDS: Final = 3600.0
_MOST_OPENING: Final = 60
_LONGEST_POSITION: Final = 4000


def routes(context: Context) -> list[Route]:
    """The addresses."""
    play = _Play(context)
    return [
        Route("/play", play.setup),
        Route("/play", play.start, methods=["POST"]),
        Route("/table/{table}", play.table),
        Route("/table/{table}/state", play.state),
        Route("/table/{table}/order", play.order, methods=["POST"]),
        Route("/table/{table}/again", play.again, methods=["POST"]),
        Route("/table/{table}/end", play.end, methods=["POST"]),
        Route("/exhibition", play.exhibition),
        Route("/exhibition", play.exhibit, methods=["POST"]),
    ]


class _Play:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._tables = context.tables

    def setup(self, request: Request) -> Response:
        query = dict(request.query_params)
        choice = self._choice(query)
        running = self._tables.owned(self._context.owner(request) or "")
        return html(play_pages.setup_page(visit_of(request), choice, running=running), request)

    async def start(self, request: Request) -> Response:
        """Open a table, and go there."""
        form = await read_form(request)
        owner = self._context.owner(request) or new_owner()
        visit = visit_of(request)
        try:
            wanted = await to_thread.run_sync(functools.partial(self._wanted, form))
            table = await self._tables.open(owner, wanted)
        except TablesFull:
            return self._full(request)
        except ArenaError as error:
            choice = await to_thread.run_sync(functools.partial(self._choice, form))
            return html(play_pages.setup_page(visit, choice, error=str(error)), request, 400)
        return self._context.to_table(f"/table/{table.id}", request, table.owner)

    def _full(self, request: Request) -> Response:
        visit = visit_of(request)
        page = play_pages.setup_page(visit, self._choice({}), error=visit.words["full"])
        response = html(page, request, 503)
        response.headers["retry-after"] = "60"
        return response

    async def table(self, request: Request) -> Response:
        visit = visit_of(request)
        try:
            table, is_mine = self._find(request)
        except NoTable:
            return html(play_pages.lost_page(visit), request, 404)
        known = await to_thread.run_sync(self._known)
        return html(play_pages.table_page(visit, table, is_mine=is_mine, known=known), request)

    async def state(self, request: Request) -> Response:
        """What is to be seen at a table, as JSON for the script."""
        try:
            table, is_mine = self._find(request)
        except NoTable:
            return JSONResponse({"phase": "gone"})  # no error: the page was there before
        found = {**table.state, "id": table.id, "mine": is_mine, "now": time.time()}
        return JSONResponse(found, headers={"cache-control": "no-store"})

    async def order(self, request: Request) -> Response:
        """A move, or another order: 409 if the board has changed since, or if it is not possible."""
        form = await read_form(request)
        table = self._own(request)
        kind, step, text = form.get("kind", ""), form.get("step", ""), form.get("text", "")
        if kind not in ("move", "undo", "resign", "hint") or not step.isdecimal() or len(step) > 9:
            raise HTTPException(400, "an order needs a kind and a step")
        if kind == "hint":
            known = await to_thread.run_sync(self._known)
            text = agent_text(text, "", game=str(table.state.get("game", "")), known=known)
        refusal = await table.order(kind, step=int(step), text=text)
        return JSONResponse({"refusal": refusal}, 409 if refusal else 200)

    async def again(self, request: Request) -> Response:
        """The same game again, perhaps with sides swapped."""
        form = await read_form(request)
        table = self._own(request)
        wanted = dict(table.wanted)
        if form.get("swap"):
            wanted["agents"] = cast("list[str]", wanted["agents"])[::-1]
        try:
            table = await self._tables.open(table.owner, wanted)
            return self._context.to_table(f"/table/{table.id}", request, table.owner)
        except TablesFull:
            return self._full(request)

    async def end(self, request: Request) -> Response:
        """End a table without a result."""
        table = self._own(request)
        await self._tables.close(table)
        return RedirectResponse("/exhibition" if table.is_exhibition else "/play", 303)

    async def exhibition(self, request: Request) -> Response:
        visit, table = visit_of(request), self._tables.exhibition()
        if table is None:
            games = await to_thread.run_sync(self._games)
            return html(play_pages.exhibition_page(visit, games), request)
        table.touch()
        is_mine = table.owner == _exhibitor(self._context.owner(request))
        return html(play_pages.table_page(visit, table, is_mine=is_mine), request)

    async def exhibit(self, request: Request) -> Response:
        """Start the exhibition, unless one runs."""
        form = await read_form(request)
        visit = visit_of(request)
        owner = self._context.owner(request) or new_owner()
        games = await to_thread.run_sync(self._games)
        table = self._tables.exhibition()
        try:
            if table is None:
                game = load_stored(form.get("game", ""))
                known = await to_thread.run_sync(self._known)
                text = join_parameters(game.name, game.parameters)
                agents = exhibitors(text, known)
                wanted = {"game": text, "agents": agents, "is_exhibition": True, **_time(form)}
                table = await self._tables.open(_exhibitor(owner), wanted)
        except TablesFull:
            return html(play_pages.exhibition_page(visit, games, error=visit.words["full"]), request, 503)
        except ArenaError as error:
            return html(play_pages.exhibition_page(visit, games, error=str(error)), request, 400)
        return self._context.to_table("/exhibition", request, owner)

    def _find(self, request: Request) -> tuple[Table, bool]:
        owner = self._context.owner(request) or ""
        number = request.path_params["table"]
        try:
            return self._tables.find(number, owner), True
        except NoTable:
            table = self._tables.find(number, _exhibitor(owner))
            return table, table.owner == _exhibitor(owner)

    def _own(self, request: Request) -> Table:
        try:
            table, is_mine = self._find(request)
        except NoTable:
            is_mine = False
        if not is_mine:
            raise HTTPException(404, "this is not a table of yours")
        return table

    def _known(self) -> list[Opponent]:
        return opponents(home(), self._context.opponents)

    def _games(self) -> list[str]:
        """The bundled games, and those of stored leagues that can be loaded here."""
        found = dict.fromkeys(names())
        with Store.read(self._context.db) as store:
            texts = dict.fromkeys(str(league.settings.get("game", "")) for league in store.leagues()[::-1])
        for text in texts:
            try:
                if split_parameters(text)[0] not in found:
                    load_stored(text)
                    found[text] = None
            except ArenaError:
                continue
        return list(found)

    def _choice(self, form: Mapping[str, str]) -> Choice:
        found = stored_position(self._context.db, form)
        if found is None:
            return Choice(games=self._games(), known=self._known(), given=form)
        record, turn = found
        given = {**form, "game": join_parameters(record.game, record.parameters)}
        known = [*players_of(record), *self._known()]
        return Choice(games=(), known=known, given=given, record=record.id, turn=turn)

    def _wanted(self, form: Mapping[str, str]) -> dict[str, object]:
        """The game that a form asks for, checked as far as that needs no player; `BadSettings` says what is wrong."""
        found = stored_position(self._context.db, form)
        known = self._known()
        wanted: dict[str, object] = {**_time(form)}
        if found is not None:
            record, turn = found
            known = [*players_of(record), *known]
            text = join_parameters(record.game, record.parameters)
            wanted |= {"start": record.start, "moves": [move.text for move in record.moves[:turn]]}
        else:
            text = _game_text(form)
            wanted |= _start(form)
        game = load_stored(text)
        agents = [
            agent_text(form.get(seat, ""), form.get(f"{seat}_options", ""), game=game.name, known=known)
            for seat in ("first", "second")
        ]
        return wanted | {"game": join_parameters(game.name, game.parameters), "agents": agents}


def _exhibitor(owner: str | None) -> str:
    """Who owns an exhibition: its games do not end the visitor's own game."""
    return f"exhibition {owner}"


def _game_text(form: Mapping[str, str]) -> str:
    name, given = split_parameters(form.get("game", ""))
    more = split_parameters(f"game:{form['parameters']}")[1] if form.get("parameters", "").strip() else {}
    return join_parameters(name, given | more)


def _start(form: Mapping[str, str]) -> dict[str, object]:
    turns, position = form.get("opening_turns", "0") or "0", form.get("position", "").strip()
    if not turns.isdecimal() or len(turns) > 4 or int(turns) > _MOST_OPENING:
        raise BadSettings(f"the number of random moves must be 0 to {_MOST_OPENING}")
    if len(position) > _LONGEST_POSITION:
        raise BadSettings("the start position is too long")
    return {"start": position, "opening_turns": int(turns)}


def _time(form: Mapping[str, str]) -> dict[str, object]:
    """Seconds for each move of an agent, or for the whole game of everybody."""
    kind, _, text = form.get("time", "").partition(":")
    most = _MOST_MOVE_SECONDS if kind == "move" else _MOST_GAME_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if kind not in ("move", "game") or not 0.05 <= seconds <= most:
        raise BadSettings(f"the time must be 0.05 to {most:g} seconds")
    return {"move_time": seconds} if kind == "move" else {"time": str(seconds)}
