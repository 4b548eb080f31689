"""The site of `arena serve`, served by a real process and read by a real browser."""

import http.client
import json
import re
import signal
from urllib.parse import quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from arena.referee.live_sheet import live_games
from arena.referee.referee import Turn
from arena.referee.reports import AgentReport
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")
GUARD_SECONDS = 300


PAGES = {
    "home": "/", "league": "/league?name=cup", "games": "/games", "replay": "/game/3", "live": "/live",
    "agent": "/agent?name={hostile}", "training": "/training", "session": "/session",
    "compare": "/compare?league=cup&one=ada&two={hostile}", "long": "/game/4", "calibration": "/calibration",
    "studies": "/studies", "study": "/study/puct", "hand in": "/hand-in", "play": "/play",
}  # fmt: skip
#: Every theme with every width in the slow tests, each at least once in the others.
VIEWS = [("light", 1280), ("dark", 390)]
ALL_VIEWS = [(scheme, width) for scheme in ("light", "dark") for width in (390, 1280)]


def check_page(visit, site, path, hostile, views):
    """The page is accessible, small, as wide as the screen, and runs nothing of others."""
    with site.game(second=hostile) as (sheet, job):
        sheet.turn(Turn(job.game.start(), None, {True: 10.0, False: 10.0}))
        sheet.report("first", AgentReport(value=0.5, text=hostile))
        page = None
        for scheme, width in views:
            if page is None:
                page = visit(path, color_scheme=scheme, viewport={"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            assert page.title() != "hit"
            assert page.locator("img").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = Axe().run(page).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
        status, text, _ = site.get(path)
        assert status == 200
        assert len(text.encode()) < 200_000
        assert "style=" not in text


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_small_and_runs_no_text_of_agents(visit, site, name, hostile):
    check_page(visit, site, PAGES[name].format(hostile=quote(hostile)), hostile, VIEWS)


@pytest.mark.soak
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_page_is_accessible_in_every_theme_width_and_language(visit, site, name, language, hostile):
    path = PAGES[name].format(hostile=quote(hostile))
    path += f"{'&' if '?' in path else '?'}lang={language}"
    check_page(visit, site, path, hostile, ALL_VIEWS)


def test_without_scripts_standings_boards_and_evidence_are_there(visit):
    page = visit("/league?name=cup", java_script_enabled=False)
    assert page.locator("#standings tbody tr").count() == 3
    assert page.locator("#crosstable td a").count() > 0
    page = visit("/game/3", java_script_enabled=False)
    assert page.locator("#board svg use").count() > 5
    assert "exception" in page.locator("#fault").inner_text()


def test_a_cell_of_the_crosstable_opens_the_games_of_the_two(visit):
    page = visit("/league?name=cup")
    page.locator("#crosstable td a", has_text="1.5").click()
    page.wait_for_url("**/compare?**")
    assert page.locator("table").last.locator("tbody tr").count() == 2


def test_a_replay_is_stepped_through_and_plays_by_itself(visit):
    page = visit("/game/1")
    page.keyboard.press("Home")
    assert page.locator("#caption").inner_text().startswith("start")
    page.locator("#speed").select_option("very fast")
    page.locator("#play").click()
    expect(page.locator("#caption")).to_contain_text("turn 6 of 6")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#caption").inner_text().startswith("turn 5 of 6")


def test_a_game_is_shown_turn_by_turn_and_a_stored_game_appears(visit, site, game_record):
    page = visit("/live")
    assert page.locator("[data-game]").count() == 0
    with site.game() as (sheet, job):
        state = job.game.start()
        sheet.turn(Turn(state, None, {True: 10.0, False: 10.0}))
        page.wait_for_selector("[data-game]")
        for number in range(1, 4):
            move = state.legal_moves[0]
            state = state.forward(move)
            sheet.turn(Turn(state, str(move), {True: 10.0 - number, False: 10.0}))
            expect(page.locator(".caption")).to_have_text(f"turn {number}: {move}")
        drawn = [use.get_attribute("href") for use in page.locator("[data-game] .things use").all()]
        held = [cell.holds.replace(" ", "-") for cell in state.view().cells if cell.holds]
        assert drawn == [f"#arena-{kind}" for kind in held]
        assert page.locator("[data-game] .last").count() == 2
        assert page.locator("[data-seat=first] dd").inner_text() == "7.0 s"
        sheet.report("second", AgentReport(value=0.25, depth=3))
        expect(page.locator("[data-claim=second]")).to_have_text("value 0.250, depth 3")
    expect(page.locator("[data-game]")).to_have_count(0)
    page = visit("/league?name=cup")
    assert "3 / 12" in page.locator("#progress").inner_text()
    with Store.open(site.db, create=False) as store:
        store.add(game_record("4", "bob", "ada"))
    expect(page.locator("#progress")).to_contain_text("4 / 12")


class Events:
    """The stream of events, read line by line."""

    def __init__(self, site, last: str | None = None) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=GUARD_SECONDS)
        self._connection.request("GET", "/events", headers={} if last is None else {"Last-Event-ID": last})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200

    def next(self) -> dict[str, str]:
        """The next event; pings are comments."""
        found: dict[str, str] = {}
        while True:
            line = self._answer.readline().decode().strip()
            if not line and found:
                return found
            name, colon, text = line.partition(": ")
            if colon and name:
                found[name] = text

    def close(self) -> None:
        self._connection.close()


def test_a_cut_connection_loses_and_doubles_no_turn(site):
    with site.game() as (sheet, job):
        state = job.game.start()
        sheet.turn(Turn(state, None, {True: 10.0, False: 10.0}))
        events = Events(site)
        assert events.next()["event"] == "reset"
        seen = []

        def play() -> None:
            nonlocal state
            move = state.legal_moves[0]
            state = state.forward(move)
            sheet.turn(Turn(state, str(move), {True: 9.0, False: 10.0}))

        last = ""
        for _ in range(6):
            play()
            event = events.next()
            seen.append(json.loads(event["data"])["caption"])
            last = event["id"]
            events.close()
            play()  # while nobody is connected
            events = Events(site, last)
            seen.append(json.loads(events.next()["data"])["caption"])
        events.close()
        assert [int(re.findall(r"turn (\d+)", caption)[0]) for caption in seen] == list(range(1, 13))
        (game,) = live_games(site.folder)
        assert len(game.moves) == 12
        again = Events(site, "another-boot-5")
        assert again.next()["event"] == "reset"
        again.close()


def test_what_only_another_site_would_ask_for_is_refused(site):
    assert site.get("/", Host="evil.example")[0] == 400
    assert site.get("/", Origin="http://evil.example")[0] == 403
    assert site.get("/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0] == 403
    assert site.get("/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0] == 200
    assert site.get("/", Origin=site.url)[0] == 200
    for method in ("POST", "PUT", "DELETE"):
        assert site.get("/game/1", method=method)[0] == 403
        assert site.get("/game/1", method=method, Origin=site.url)[0] == 405


def test_every_answer_has_the_strict_policy(site):
    for path in ("/", "/files/site.js", "/nowhere"):
        _, _, headers = site.get(path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'" in policy
        assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path",
    ["/game/999", "/game/x", "/league?name=x", "/agent?name=x", "/compare?one=x&two=y&league=z", "/training/none",
     "/files/app.py", "/files/..%2fapp.py", "/game/1/download?format=sgf", "/nowhere"],
)  # fmt: skip
def test_what_is_not_there_is_a_page_that_says_so(site, path):
    status, text, _ = site.get(path)
    assert status == 404
    assert "Traceback" not in text


def test_downloads_are_files(site):
    status, text, headers = site.get("/game/1/download?format=pgn")
    assert status == 200
    assert text.startswith("[Event")
    assert headers["content-disposition"] == 'attachment; filename="game-1.pgn"'
    assert json.loads(site.get("/game/1/download?format=json")[1])["id"] == 1


def test_the_language_is_that_of_the_browser_unless_the_switch_is_used(site, visit):
    assert '<html lang="ko">' in site.get("/", **{"Accept-Language": "ko-KR,ko;q=0.9"})[1]
    page = visit("/", locale="ko-KR")
    assert page.locator("#running h2").inner_text() == "진행 중인 대국"
    page.locator(".language").click()
    page.wait_for_selector("html[lang=en]")
    page.goto(f"{site.url}/games")
    assert page.locator("html").get_attribute("lang") == "en"


def test_it_ends_at_once_with_viewers(tmp_path, serving):
    with serving(tmp_path) as found:
        viewers = [Events(found) for _ in range(5)]
        assert all(viewer.next()["event"] == "reset" for viewer in viewers)
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(GUARD_SECONDS) in (0, 130)
        for viewer in viewers:
            viewer.close()


def test_eight_tabs_share_one_stream_and_another_tab_takes_over(browser, site):
    context, streams = browser.new_context(), []
    context.on("request", lambda request: streams.append(request) if request.url.endswith("/events") else None)
    with site.game() as (sheet, job):
        state = job.game.start()
        sheet.turn(Turn(state, None, {True: 10.0, False: 10.0}))
        pages = [context.new_page() for _ in range(8)]
        for page in pages:
            page.goto(f"{site.url}/live")
        for number in (1, 2):
            move = state.legal_moves[0]
            state = state.forward(move)
            sheet.turn(Turn(state, str(move), {True: 9.0, False: 10.0}))
            for page in pages:
                expect(page.locator(".caption")).to_have_text(f"turn {number}: {move}")
            assert len(streams) == number
            pages.pop(0).close()  # it has read the stream for all of them
    context.close()
