"""The addresses of the pages that show leagues, games, agents, running games and calibration."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.web import agent_pages, games, pages
from arena.web.boards import Followed
from arena.web.calibration_page import calibration_page
from arena.web.context import Context, html, visit_of
from results.store.store import Store

__all__ = ["routes"]


def routes(context: Context) -> list[Route]:
    """The addresses."""
    reading = _Reading(context)
    return [
        Route("/", reading.home),
        Route("/league", reading.league),
        Route("/games", reading.games),
        Route("/game/{number:int}", reading.game),
        Route("/game/{number:int}/download", reading.download),
        Route("/agent", reading.agent),
        Route("/compare", reading.compare),
        Route("/calibration", reading.calibration),
        Route("/live", reading.live),
    ]


class _Reading:
    def __init__(self, context: Context) -> None:
        self._context = context

    def home(self, request: Request) -> Response:
        visit = visit_of(request)
        running = games.running_games(self._running(), visit)
        page = self._context.stored(
            request, lambda store: pages.home_page(store, visit, running=running), visit.language, *running
        )
        return html(page, request)

    def league(self, request: Request) -> Response:
        name = request.query_params.get("name", "")
        return self._context.page(request, lambda store, visit: pages.league_page(store, visit, name))

    def games(self, request: Request) -> Response:
        league, agent = (request.query_params.get(key) for key in ("league", "agent"))
        number = _whole(request, "page")
        return self._context.page(
            request, lambda store, visit: pages.games_page(store, visit, league=league, agent=agent, page=number)
        )

    def game(self, request: Request) -> Response:
        number, part = request.path_params["number"], _whole(request, "part")
        return self._context.page(request, lambda store, visit: games.replay_page(store, visit, number, part))

    def download(self, request: Request) -> Response:
        with Store.read(self._context.db) as store:
            number, form = request.path_params["number"], request.query_params.get("format", "")
            text, name = games.download(store, number, form)
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})

    def agent(self, request: Request) -> Response:
        name = request.query_params.get("name", "")
        return self._context.page(request, lambda store, visit: agent_pages.agent_page(store, visit, name))

    def compare(self, request: Request) -> Response:
        given = request.query_params
        one, two, league = given.get("one", ""), given.get("two", ""), given.get("league")
        return self._context.page(
            request, lambda store, visit: agent_pages.compare_page(store, visit, one=one, two=two, league=league)
        )

    def calibration(self, request: Request) -> Response:
        league = request.query_params.get("league")
        return self._context.page(request, lambda store, visit: calibration_page(store, visit, league))

    def live(self, request: Request) -> Response:
        return html(games.live_page(self._running(), visit_of(request)), request)

    def _running(self) -> list[Followed]:
        return [Followed(game) for game in self._context.hub.games()]


def _whole(request: Request, name: str) -> int:
    """A number in the query; 0 for anything else."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 9 else 0
