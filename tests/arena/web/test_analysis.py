"""Agents that analyse positions of replays, games that are played again, and what is shown of a claim."""

import json
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from arena.referee.referee import Turn
from arena.referee.reports import AgentReport
from arena.web.thoughts import thought_of
from games.base import WHITE, load
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def analyse(page, agent, options):
    page.locator("#agent").select_option(agent)
    page.locator("#options").fill(options)
    page.locator("#seconds").select_option("60")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector("main[data-phase=over]")


def things(page):
    """What stands on the board."""
    return [use.get_attribute("href") for use in page.locator("#stage .things use").all()]


def stored_state(site, number, turns):
    with Store.read(site.db) as store:
        record = store.record(number)
    state = load(record.game).position(record.start)
    for move in record.moves[:turns]:
        state = state.forward(state.parse(move.text))
    return state


def held(state):
    return [f"#arena-{cell.holds.replace(' ', '-')}" for cell in state.view().cells if cell.holds]


@pytest.mark.parametrize("agent", ["uct", "puct", "self_learning", "mcts_dev"])
def test_an_agent_shows_line_candidates_and_tree_of_a_position(visit, site, agent):
    page = visit("/game/1")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analysis?record=1&turn=1")
    state = stored_state(site, 1, 1)
    assert things(page) == held(state)
    analyse(page, agent, "simulations=200")
    expect(page.locator("#caption")).to_contain_text(f"{agent} would play ")
    expect(page.locator("#facts")).to_contain_text("expected score of first")
    assert page.locator("#stage .thoughts > *").count() > 0
    page.locator("#marks").select_option("nothing")
    assert page.locator("#stage .thoughts").count() == 0
    rows = page.locator("#candidates tr")
    legal = {state.san(move) for move in state.legal_moves}
    assert {row.split("\t")[0] for row in rows.all_inner_texts()} <= legal
    node = page.locator("#tree > li").last
    node.locator("summary").focus()
    is_open = node.locator("details").get_attribute("open") is not None
    page.keyboard.press("Enter")
    assert (node.locator("details").get_attribute("open") is not None) != is_open
    assert page.locator("#tree ul li").count() > 0
    page.locator("#line_on").click()
    after = state.forward(state.parse_san(page.locator("#moves-of-line button").first.inner_text()))
    assert things(page) == held(after)
    page.locator("#line_start").click()
    assert things(page) == held(state)


def test_the_pages_of_analyses_are_accessible_in_both_themes(visit, site):
    for scheme, width in (("light", 1280), ("dark", 390)):
        page = visit("/analysis?record=1&turn=2", color_scheme=scheme, viewport={"width": width, "height": 800})
        analyse(page, "mcts_dev", "simulations=100")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
        for path in ("/play", "/exhibition"):
            page.goto(site.url + path)
            found = Axe().run(page).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_without_scripts_the_board_of_a_position_is_there(visit, site):
    page = visit("/analysis?record=1&turn=3", java_script_enabled=False)
    assert things(page) == held(stored_state(site, 1, 3))


HOSTILE = """
import json, os
from agents import BaseAgent, watch

class Mine(BaseAgent):
    def act(self, state):
        image = "</script><img src=x onerror=alert(1)>"
        watch.reporter and watch.reporter._send(json.dumps({
            "value": 0.5, "text": image, "line": [image], "visits": {image: 5, str(state.legal_moves[0]): 1},
            "tree": [[[image], 1, 0.5], [[str(state.legal_moves[0])], 1, 0.25]], "nodes": 7, "depth": "deep",
        }).encode())
        return state.legal_moves[0]
"""


def test_hostile_claims_are_shown_and_never_run(visit, site, arena_in):
    shell = arena_in(site.db.parent)
    (site.db.parent / "talker.py").write_text(HOSTILE)
    assert shell("submit", "talker.py", "--owner", "Eve").code == 0
    page = visit("/analysis?record=1&turn=0")
    analyse(page, "talker", "")
    expect(page.locator("#said")).to_contain_text("<img src=x")
    expect(page.locator("#facts")).to_contain_text("7 nodes")
    assert page.locator("main img").count() == 0
    assert page.locator("#candidates tr").count() == page.locator("#tree > li").count() == 1


def test_an_agent_that_breaks_a_rule_gives_no_move(visit):
    page = visit("/analysis?record=1&turn=2")
    page.locator("#agent").select_option("mcts")
    page.locator("#options").fill("simulations=0")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector("main[data-phase=over]")
    expect(page.locator("#caption")).to_contain_text("gave no move: exception")


def test_an_endless_analysis_is_stopped_and_leaves_no_process(visit, site, processes):
    page = visit("/analysis?record=1&turn=1")
    page.locator("#agent").select_option("puct")
    page.locator("#seconds").select_option("60")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#facts")).to_contain_text("nodes/s")  # it hears claims while the agent thinks
    page.locator("#end").click()
    expect(page.locator("#caption")).to_have_text("Stopped.")
    assert processes.until(
        lambda: not [one for one in processes.children(site.process.pid) if "arena.web.analysis_process" in one.command]
    )


@pytest.mark.parametrize(
    "form",
    [{"agent": "human"}, {"agent": "./mine.py"}, {"options": "path=/etc/passwd"}, {"seconds": "9e9"}, {"agent": "go"}],
)  # fmt: skip
def test_what_cannot_be_analysed_is_refused_in_words(site, form):
    wanted = {"record": "1", "turn": "0", "agent": "random", "options": "", "seconds": "1", **form}
    status, text, _ = site.post("/analysis", urlencode(wanted), **FORM)
    assert status == 400
    assert 'role="alert"' in text


def test_a_game_is_played_again_and_is_identical_or_names_the_first_move_that_differs(serving, arena, browse):
    assert arena("play", "first_move", "random", "--turns", "8", "--db", "arena.db").code == 0
    assert arena("play", "human", "random", "--turns", "2", "--db", "arena.db", typed="d2d3\n").code == 0
    db = arena.folder / "arena.db"
    with Store.open(db, create=False) as store:
        first = store.record(1)
    with serving(arena.folder) as site:
        page = browse(f"{site.url}/game/1")
        page.get_by_role("button", name="Play it again").click()
        page.wait_for_selector("main[data-phase=over]")
        expect(page.locator("#caption")).to_contain_text(f"identical: {first.turns} turns")
        page.goto(f"{site.url}/game/2")
        assert page.get_by_role("button", name="Play it again").count() == 0
        page.close()
        refused = site.post("/rerun", urlencode({"record": 2}), **FORM)
        assert refused[:2] == (400, "a game with a person cannot be played again\n")
        with Store.read(db) as store:
            assert len(store.ids()) == 2


def test_the_claim_of_a_running_game_is_a_bar_and_arrows_until_the_move_is_made(visit, site):
    with site.game() as (sheet, job):
        state = job.game.start()
        sheet.turn(Turn(state, None, {True: 10.0, False: 10.0}))
        page = visit("/live")
        page.wait_for_selector("[data-game]")
        move = state.legal_moves[0]
        state = state.forward(move)
        sheet.turn(Turn(state, str(move), {True: 9.0, False: 10.0}))
        sheet.report("second", AgentReport(value=0.25, visits={str(state.legal_moves[0]): 9}))
        page.wait_for_selector("[data-game] .thoughts path, [data-game] .thoughts circle")
        assert page.locator("[data-value=second] .share").get_attribute("width") == "75%"  # of first
        move = state.legal_moves[0]
        sheet.turn(Turn(state.forward(move), str(move), {True: 9.0, False: 9.0}))
        expect(page.locator("[data-game] .thoughts")).to_have_count(0)


def test_a_claim_is_told_for_first_whoever_moves():
    game = load("microchess")
    state = game.start().forward(game.start().parse("d2d3"))
    moves = [str(move) for move in state.legal_moves]
    report = AgentReport(
        value=0.75, line=(moves[0],), visits={moves[0]: 3, moves[1]: 1}, nodes=500,
        tree=(((moves[0],), 3, 0.8), ((moves[0], "c1b3"), 2, 0.9), ((moves[1],), 1, 0.2)),
    )  # fmt: skip
    found = thought_of(state, report, first=WHITE, seconds=2.0)
    assert (found["value"], found["speed"]) == (0.25, 250)
    assert [one["share"] for one in found["candidates"]] == [0.75, 0.25]
    assert [round(one["value"], 2) for one in found["candidates"]] == [0.2, 0.8]
    assert [len(node["answers"]) for node in found["tree"]] == [1, 0]
    assert len(found["film"]["changes"]) == 2
    assert json.dumps(found)
