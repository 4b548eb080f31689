"""The addresses below `/api/`: everything that the site shows, as JSON, with a published schema."""

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Final, TypeAlias, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.competition.listing import listed_league
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.version import version
from arena.web import api_live
from arena.web.agent_facts import AgentFacts, Pair, agent_facts, pair_facts
from arena.web.api_answers import (
    AgentList,
    AgentName,
    BriefRecord,
    CalibrationAnswer,
    Entry,
    Index,
    LeagueList,
    PeriodicStatus,
    Problem,
    PromptStatus,
    Record,
    RecordList,
    Running,
    StandingsAnswer,
)
from arena.web.api_schema import Operation, Parameter, document
from arena.web.calibration_page import CLAIMED_GAMES
from arena.web.context import Context
from results.notation.json_form import brief, full
from results.record import GameRecord
from results.standings.calibration import calibration
from results.standings.table import table
from results.store.store import Store
from results.text import plain

__all__ = ["OPERATIONS", "as_json", "problem", "routes"]

_SCHEMA: Final = "/api/openapi.json"
_LEAGUE: Final = Parameter("league", "name of a league")
_MOST: Final = 100
#: The values of the parameters that were given.
_Given: TypeAlias = Mapping[str, Any]
_Stored: TypeAlias = Callable[[Store, _Given], object]


class _BadRequest(Exception):
    """A parameter that is unknown, missing or out of range; the text is one line."""


def _limit(most: int) -> Parameter:
    return Parameter("limit", f"at most so many, 1 to {most}", int)


def _leagues(store: Store, given: _Given) -> LeagueList:
    newest = store.leagues()[::-1][: _number(given, "limit", _MOST, most=_MOST)]
    return LeagueList([listed_league(store, league) for league in newest])


def _standings(store: Store, given: _Given) -> StandingsAnswer:
    league = store.find_league(given.get("league"))
    found = table(store, league)
    return StandingsAnswer(
        league=listed_league(store, league), rows=found.rows, pairs=found.pairs, notes=found.notes,
        first_advantage=found.ratings.first_advantage,
    )  # fmt: skip


def _records(store: Store, given: _Given) -> RecordList:
    most, before = _number(given, "limit", 20, most=_MOST), _number(given, "before", None)
    is_faulty = given.get("faults", "no")
    if is_faulty not in ("yes", "no"):
        raise _BadRequest("faults must be yes or no")
    wanted = store.newest(
        given.get("league"), agent=given.get("agent"), faults=is_faulty == "yes", before=before, limit=most + 1
    ).numbers
    shown = [_brief(store, store.record(number)) for number in wanted[:most]]
    return RecordList(shown, wanted[most - 1] if len(wanted) > most else None)


def _brief(store: Store, record: GameRecord) -> BriefRecord:
    return cast(BriefRecord, brief(record) | {"excluded": _excluded(store, record)})


def _record(store: Store, given: _Given) -> Record:
    record = store.record(given["number"])
    return cast(Record, full(record) | {"excluded": _excluded(store, record)})


def _excluded(store: Store, record: GameRecord) -> str | None:
    exclusion = store.exclusions(record.league).get(record.id or 0)
    return None if exclusion is None else exclusion.because


def _agents(store: Store, _: _Given) -> AgentList:
    found: dict[str, list[str]] = {}
    for league in store.leagues()[::-1]:
        for entrant in league.entrants:
            found.setdefault(entrant.name, []).append(league.name)
    return AgentList([AgentName(name=name, leagues=leagues) for name, leagues in sorted(found.items())])


def _agent(store: Store, given: _Given) -> AgentFacts:
    return agent_facts(store, Submissions(home()), given["name"])


def _compare(store: Store, given: _Given) -> Pair:
    return pair_facts(store, one=given["one"], two=given["two"], league=given.get("league"))


def _calibration(store: Store, given: _Given) -> CalibrationAnswer:
    return CalibrationAnswer(calibration(store.claimed(given.get("league"), most=CLAIMED_GAMES)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """An operation with the function that answers it from the results file; None if it is answered otherwise."""

    operation: Operation
    stored: _Stored | None = None


_ASKED: Final = (
    _Asked(Operation(path="/api/", about="the addresses of the API", answer=Index)),
    _Asked(Operation(path="/api/leagues", about="leagues, matches and single games", answer=LeagueList,
                     parameters=(_limit(_MOST),)), _leagues),
    _Asked(Operation(path="/api/standings", about="the standings of a league, without a name of the newest one",
                     answer=StandingsAnswer, parameters=(_LEAGUE,)), _standings),
    _Asked(Operation(path="/api/records", about="stored games", answer=RecordList, parameters=(
        _LEAGUE, Parameter("agent", "name of an agent"), Parameter("faults", "yes: only games lost by a broken rule"),
        Parameter("before", "only games with smaller numbers", int), _limit(_MOST))), _records),
    _Asked(Operation(path="/api/records/{number}", about="everything about a stored game", answer=Record,
                     parameters=(Parameter("number", "number of the record", int, in_path=True),)), _record),
    _Asked(Operation(path="/api/agents", about="the agents of the file", answer=AgentList), _agents),
    _Asked(Operation(path="/api/agent", about="an agent in all leagues", answer=AgentFacts,
                     parameters=(Parameter("name", "name of the agent", required=True),)), _agent),
    _Asked(Operation(path="/api/compare", about="two agents against each other", answer=Pair, parameters=(
        Parameter("one", "name of an agent", required=True), Parameter("two", "name of another", required=True),
        _LEAGUE)), _compare),
    _Asked(Operation(path="/api/calibration", about="whether the values that agents claimed came true",
                     answer=CalibrationAnswer, parameters=(_LEAGUE,)), _calibration),
    _Asked(Operation(path="/api/running", about="the games that are played now", answer=Running)),
    _Asked(Operation(path="/api/stream", about="events of running games and stored results (server-sent events)",
                     answer=None)),
    _Asked(Operation(path="/api/periodic_status", about="boards, policies, visits and win rates, for a dashboard; also "
                     "at /periodic_status", answer=PeriodicStatus)),
    _Asked(Operation(path="/api/prompt_status", about="progress messages of the running searches; also at "
                     "/prompt_status", answer=PromptStatus)),
)  # fmt: skip
OPERATIONS: Final = tuple(asked.operation for asked in _ASKED)


def routes(context: Context) -> list[Route]:
    """The addresses."""
    stored = [
        Route(asked.operation.path, functools.partial(_answer, context, asked))
        for asked in _ASKED
        if asked.stored is not None
    ]
    live: dict[str, Callable[[Context], object]] = {
        "/api/": lambda _: _index(),
        "/api/running": lambda context: api_live.running(context.hub.games()),
        "/api/periodic_status": _periodic,
        "/api/prompt_status": lambda context: api_live.prompt_status(context.hub.games()),
    }
    live |= {path.removeprefix("/api"): live[path] for path in ("/api/periodic_status", "/api/prompt_status")}
    return [
        *stored,
        *(Route(path, functools.partial(_answer_now, context, answer)) for path, answer in live.items()),
        Route(_SCHEMA, lambda _: _json(_schema())),
        Route("/api/stream", context.events),
    ]


def _index() -> Index:
    addresses = [Entry(one.path, one.about) for one in OPERATIONS]
    return Index(arena=version(), schema=_SCHEMA, addresses=addresses)


def _periodic(context: Context) -> PeriodicStatus:
    with Store.read(context.db) as store:
        return api_live.periodic_status(store, context.hub.games())


@functools.cache
def _schema() -> str:
    return as_json(document(OPERATIONS, Problem))


def _answer_now(context: Context, answer: Callable[[Context], object], _request: Request) -> Response:
    return _json(as_json(answer(context)))


def _answer(context: Context, asked: _Asked, request: Request) -> Response:
    answer = asked.stored
    assert answer is not None
    try:
        given = _given(asked.operation, request)
        return _json(context.stored(request, lambda store: as_json(answer(store, given))))
    except _BadRequest as error:
        return problem(str(error), 400)


def _given(operation: Operation, request: Request) -> dict[str, Any]:
    """The checked values of the parameters that were given."""
    known = {one.name: one for one in operation.parameters}
    found: dict[str, Any] = {**request.query_params, **request.path_params}
    for name in found.keys() - known:
        there = ", ".join(known) or "none"
        raise _BadRequest(f"there is no parameter {name[:40]!r}; there are: {there}")
    for one in known.values():
        if one.required and not found.get(one.name):
            raise _BadRequest(f"the parameter {one.name} is missing: {one.about}")
        if one.kind is int and one.name in found:
            found[one.name] = _whole(one.name, found[one.name])
    return found


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 15:
        raise _BadRequest(f"{name} must be a whole number")
    return int(text)


def _number(given: _Given, name: str, default: Any, *, most: int | None = None) -> Any:
    value = given.get(name, default)
    if most is not None and not 1 <= value <= most:
        raise _BadRequest(f"{name} must be 1 to {most}")
    return value


def as_json(value: object) -> str:
    """A value of our types as JSON; in ASCII, since programs such as curl print it to a terminal as it is."""
    return json.dumps(value, default=_plain, separators=(",", ":"), allow_nan=False)


def _plain(value: object) -> object:
    assert is_dataclass(value)
    assert not isinstance(value, type)
    return asdict(value)


def _json(text: str, status: int = 200) -> Response:
    return Response(text + "\n", status, {"cache-control": "no-cache"}, "application/json")


def problem(text: str, status: int) -> Response:
    """An error as JSON."""
    return _json(as_json(Problem(plain(text, 500))), status)
