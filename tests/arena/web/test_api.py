"""The API of the site: every answer matches the published schema, every mistake is one line of JSON."""

import http.client
import json
from urllib.parse import quote, urlencode, urlsplit

import jsonschema
import pytest

from arena.referee.live_sheet import live_games
from arena.referee.referee import Turn
from arena.referee.reports import AgentReport
from arena.web import api_live
from arena.web.api import OPERATIONS
from results.record import ClaimRecord, GameSummary
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")
GUARD_SECONDS = 300


@pytest.fixture(scope="module")
def schema(site):
    status, text, headers = site.get("/api/openapi.json")
    assert (status, headers["content-type"]) == (200, "application/json")
    return json.loads(text)


def ask(site, path, **query):
    status, text, headers = site.get(f"{path}?{urlencode(query)}" if query else path)
    assert headers["content-type"] == "application/json", text
    return status, json.loads(text)


def valid(schema, path, value):
    """The value, after it was validated against the schema of this address."""
    found = schema["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**found, "components": schema["components"]}).validate(value)
    return value


@pytest.fixture(scope="module")
def claims(site, game_record):
    """A stored game with claims."""
    said = (ClaimRecord(1, 0.75, 3, 900, ("d2d4",), (("d2d4", 0.9),)), ClaimRecord(2, None, 2, 5))
    with Store.open(site.db, create=False) as store:
        store.add(game_record("claims", "ada", "bob", claims=said))


ASKED = {
    "/api/": {}, "/api/leagues": {"limit": 5}, "/api/standings": {"league": "cup"},
    "/api/records": {"league": "cup", "agent": "ada", "limit": 2}, "/api/records/{number}": {}, "/api/agents": {},
    "/api/agent": {"name": "HOSTILE"}, "/api/compare": {"one": "ada", "two": "bob"}, "/api/calibration": {},
    "/api/running": {}, "/api/periodic_status": {}, "/api/prompt_status": {},
}  # fmt: skip


def test_every_address_of_the_schema_is_asked_here(schema):
    assert {*ASKED, "/api/stream"} == set(schema["paths"]) == {one.path for one in OPERATIONS}


def test_the_schema_itself_is_valid(schema):
    for one in schema["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(one)
        assert one["description"]
        assert one["additionalProperties"] is False
    assert schema["openapi"].startswith("3.1")


@pytest.mark.parametrize("path", ASKED)
def test_every_answer_matches_the_schema(site, schema, hostile, claims, path):
    query = {key: hostile if value == "HOSTILE" else value for key, value in ASKED[path].items()}
    with site.game(second=hostile) as (sheet, job):
        sheet.turn(Turn(job.game.start(), None, {True: 10.0, False: 10.0}))
        said = AgentReport(value=0.5, text=hostile, visits={"d2d4": 9}, policy={"d2d4": 0.5}, line=("d2d4",), nodes=9)
        sheet.report("first", said)
        for number in (1, 3) if "{number}" in path else ("",):
            status, found = ask(site, path.replace("{number}", str(number)), **query)
            assert status == 200
            assert valid(schema, path, found)


def test_answers_are_those_of_the_command_line(site, schema, arena):
    _, standings = ask(site, "/api/standings", league="cup")
    printed = json.loads(arena("standings", "--db", str(site.db), "--league", "cup", "--format", "json").out)
    assert [{**row, "sonneborn_berger": round(row["sonneborn_berger"], 6)} for row in standings["rows"]] == [
        {**row, "elo": other["elo"], "elo_error": other["elo_error"], "los": other["los"]}
        for row, other in zip(printed, standings["rows"], strict=True)
    ]
    _, record = ask(site, "/api/records/3")
    shown = json.loads(arena("show", "3", "--db", str(site.db), "--format", "json").out)
    assert record == shown


def test_records_are_read_page_by_page(site):
    seen, before = [], None
    while True:
        more = {} if before is None else {"before": before}
        _, found = ask(site, "/api/records", league="cup", limit=2, **more)
        seen += [record["id"] for record in found["records"]]
        if (before := found["next"]) is None:
            break
    with Store.read(site.db) as store:
        assert seen == store.ids("cup")[::-1]
    _, faulty = ask(site, "/api/records", faults="yes", league="cup")
    assert [record["id"] for record in faulty["records"]] == [3]


def test_running_games_have_board_policy_visits_and_messages(site, schema):
    with site.game() as (sheet, job):
        state = job.game.start()
        sheet.turn(Turn(state, None, {True: 10.0, False: 10.0}))
        sheet.report("first", AgentReport(text="an old message"))
        state = state.forward(state.parse("d2d4"))
        sheet.turn(Turn(state, "d2d4", {True: 9.0, False: 10.0}))
        for depth in (1, 2):
            sheet.report("second", AgentReport(value=0.25, depth=depth, visits={"a4a3": 7}, policy={"a4a3": 1.0}))
        (game,) = ask(site, "/api/running")[1]["games"]
        assert (game["moves"], game["running"], game["first_left"]) == (["d2d4"], "second", 9.0)
        assert game["second_claims"]["visits"] == {"a4a3": 7}
        status = valid(schema, "/api/periodic_status", ask(site, "/periodic_status")[1])
        (board,) = status["boards"]
        assert (board["thinking"], board["visits"], board["policy"]) == ("bob", {"a4a3": 7}, {"a4a3": 1.0})
        assert board["board"] == str(state)
        assert status["league"] == "cup"
        assert status["win_rates"]["ada"][0] == {"record": 1, "games": 1, "score": 1.0}
        messages = valid(schema, "/api/prompt_status", ask(site, "/prompt_status")[1])["messages"]
        said = [(one["agent"], one["turn"], one["claim"]) for one in messages]
        assert said == [("bob", 2, "value 0.250, depth 1"), ("bob", 2, "value 0.250, depth 2")]
        assert len(live_games(site.folder)[0].said) == 2


def test_win_rates_are_thinned_and_end_with_the_newest_game():
    games = [
        GameSummary(id=number, league="cup", game="go", first="a", second="b", score_first=1.0, reason="", turns=1,
                    seconds=0.0, margin=None, faulty=None, rule=None)
        for number in range(1, 1001)
    ]  # fmt: skip
    found = api_live.win_rates(games)
    assert (len(found["a"]), found["a"][-1].record, found["a"][-1].score) == (100, 1000, 1.0)
    assert found["b"][-1].score == 0.0


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("/api/nothing", 404, "Not Found"), ("/api", 307, ""), ("/api/records/999", 404, "no record 999"),
        ("/api/records/x", 400, "number must be a whole number"), ("/api/records?limit=0", 400, "must be 1 to 100"),
        ("/api/records?limit=x", 400, "limit must be a whole number"), ("/api/agent", 400, "parameter name is missing"),
        ("/api/records?faults=maybe", 400, "yes or no"), ("/api/standings?leage=cup", 400, "no parameter 'leage'"),
        ("/api/standings?league=none", 404, "no league called 'none'"), ("/api/agent?name=x", 404, "called 'x'"),
        ("/api/compare?one=ada&two=x", 404, "called 'x'"), ("/api/records?before=" + "9" * 20, 400, "whole number"),
        ("/api/standings?league=%0A%1B%5B31m", 404, "no league called"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_of_json(site, path, status, why):
    got, text, headers = site.get(path)
    assert got == status
    if status != 307:
        assert headers["content-type"] == "application/json"
        error = json.loads(text)["error"]
        assert why in error
        assert error.isprintable()
        assert "Traceback" not in text


def test_refusals_are_json_too_and_nothing_can_be_written(site):
    for headers, status in (
        ({"Host": "evil.example"}, 400), ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
    ):  # fmt: skip
        for path in ("/api/leagues", "/periodic_status"):
            got, text, _ = site.get(path, **headers)
            assert (got, len(json.loads(text)["error"]) > 10) == (status, True)
    for method in ("POST", "PUT", "DELETE"):
        got, text, answered = site.ask(method, "/api/leagues", headers={"Origin": site.url})
        assert (got, "GET" in answered["allow"]) == (405, True)
        assert json.loads(text)["error"]


def test_a_damaged_file_is_an_error_in_one_line(serving, tmp_path, hostile):
    with serving(tmp_path) as found:
        assert ask(found, "/api/records/1")[0] == 200
        with Store.open(found.db, create=False) as store:
            store._connection.execute("UPDATE record SET moves = ? WHERE id = 1", (hostile,))
        status, answer = ask(found, "/api/records/1")
        assert (status, "record 1 cannot be read" in answer["error"]) == (404, True)


def test_the_stream_is_that_of_the_site(site):
    connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=GUARD_SECONDS)
    connection.request("GET", "/api/stream")
    answer = connection.getresponse()
    assert answer.getheader("content-type").startswith("text/event-stream")
    assert b"id: " in answer.readline()
    assert answer.readline() == b"event: reset\r\n"
    connection.close()


def test_names_are_quoted_in_addresses(site, hostile):
    status, found = ask(site, "/api/agent", name=hostile)
    assert (status, found["name"]) == (200, hostile)
    assert [fault["rule"] for fault in found["faults"]] == ["exception"]
    assert site.get(f"/api/agent?name={quote(hostile)}")[0] == 200


def test_answers_are_safe_to_print(site, hostile):
    status, text, _ = site.get(f"/api/agent?{urlencode({'name': hostile})}")
    assert status == 200
    assert "\\u202e" in text
    assert text.isascii()
    assert text.rstrip("\n").isprintable()
