"""Our pages in a real browser: they work, they are never blank, and nothing that agents write runs in them."""

import functools
import random

import pytest
from playwright.sync_api import Page

import games
from results.pages.replay_page import replay_page
from results.pages.report_page import read_report, report_page
from results.record import ClaimRecord, FaultRecord, MoveRecord
from results.store.store import Store

HOSTILE = "</script><script>document.title='hit'</script><img src=x onerror=\"document.title='hit'\">'\"\u202e"


@pytest.fixture(scope="module")
def windows(browser):
    """Windows of the browser by their settings, each opened once."""
    return functools.cache(lambda **how: browser.new_context(viewport={"width": 1000, "height": 800}, **how))


@pytest.fixture
def show(windows, tmp_path):
    """Open a page; nothing may go wrong in it, and nothing may be asked for but the file itself."""
    opened, wrong, asked = [], [], []

    def make(html: str, **how) -> Page:
        file = tmp_path / "page.html"
        file.write_text(html, encoding="utf-8")
        page = windows(**how).new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        opened.append(page)
        return page

    yield make
    for page in opened:
        page.close()
    assert wrong == []
    assert [url for url in asked if not url.endswith("/page.html")] == []


@pytest.fixture
def played(make_record):
    """A record of a random game."""

    def make(name, turns=6, **fields):
        rng, game = random.Random(1), games.load(name)
        state, moves = game.start(), []
        while len(moves) < turns:
            move = rng.choice(list(state.legal_moves))
            moves.append(MoveRecord(str(move), 0.5 * len(moves)))
            state = state.forward(move)
        start, parameters = game.start().text, dict(game.parameters)
        return make_record(game=game.name, parameters=parameters, start=start, moves=tuple(moves), **fields)

    return make


def turn(page: Page) -> str:
    return page.locator("#caption").inner_text().partition(":")[0]


def board(page: Page) -> str:
    """The board as it stands, which must be a picture that can be seen."""
    box = page.locator("#board svg").bounding_box()
    assert box is not None
    assert box["width"] > 100
    assert box["height"] > 100
    return page.locator("#board").inner_html()


def test_a_game_is_stepped_through_by_keys(show, played):
    page = show(replay_page(played("microchess")))
    assert turn(page) == "start, 6 turns follow"
    seen = []
    for key, where in [
        ("End", "turn 6 of 6"), ("ArrowRight", "turn 6 of 6"),
        ("ArrowLeft", "turn 5 of 6"), ("ArrowLeft", "turn 4 of 6"),
        ("Home", "start, 6 turns follow"), ("ArrowLeft", "start, 6 turns follow"), ("ArrowRight", "turn 1 of 6"),
        ("End", "turn 6 of 6"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert turn(page) == where
        seen.append(board(page))
    assert len(set(seen)) == 5
    assert seen[0] == seen[1] == seen[-1]


def test_buttons_slider_and_moves_go_to_any_turn(show, played):
    page = show(replay_page(played("othello", seconds=10.0)))
    page.click("#end")
    page.click("#start")
    assert page.locator("#start").is_disabled()
    assert page.locator("#second").inner_text() == "10.0 s"
    page.click("#next")
    assert turn(page) == "turn 1 of 6"
    page.click("#end")
    page.click("#back")
    assert turn(page) == "turn 5 of 6"
    page.locator("#slider").fill("2")
    assert turn(page) == "turn 2 of 6"
    assert page.locator("#second").inner_text() == "9.5 s"
    page.click("#moves tr[data-turn='4'] a")
    assert turn(page) == "turn 4 of 6"
    assert page.locator("tr[aria-current]").get_attribute("data-turn") == "4"
    page.evaluate("location.hash = '#turn-3'")
    page.wait_for_function("document.getElementById('caption').textContent.startsWith('turn 3 ')")
    board(page)


@pytest.mark.parametrize("name", games.names())
def test_without_scripts_the_last_position_is_shown(show, played, name):
    record = played(name)
    page = show(replay_page(record), java_script_enabled=False)
    board(page)
    assert turn(page) == "turn 6 of 6"
    assert page.locator("#moves tbody tr").count() == 6
    assert not page.locator("#controls").is_visible()


@pytest.mark.parametrize("name", games.names())
def test_no_board_of_any_game_is_blank(show, played, name):
    page = show(replay_page(played(name)))
    for _ in range(6):
        board(page)
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize(("fault", "where"), [(None, "start, 6 turns follow"), ("time", "turn 6 of 6")])
def test_a_replay_opens_at_the_start_or_at_the_fault(show, played, fault, where):
    found = None if fault is None else FaultRecord("first", fault, "no answer in time", {}, "act", 7)
    page = show(replay_page(played("microchess", fault=found)))
    assert turn(page) == where


def test_a_game_that_cannot_be_replayed_can_be_stepped_through(show, make_record):
    page = show(replay_page(make_record(moves=(MoveRecord("d2d3"), MoveRecord("a1a1")))))
    board(page)
    page.keyboard.press("End")
    assert "There is no board here" in page.locator("#board").inner_text()
    page.keyboard.press("ArrowLeft")
    board(page)


def test_text_of_agents_does_nothing_in_a_replay(show, played):
    fault = FaultRecord("first", HOSTILE, HOSTILE, {"traceback": HOSTILE, "stderr": HOSTILE})
    record = played(
        "microchess", first=HOSTILE, second=HOSTILE, fault=fault, notes=(fault,), output_first=HOSTILE, host=HOSTILE
    )
    page = show(replay_page(record, summary=HOSTILE, excluded=HOSTILE))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.title() != "hit"
    assert page.locator("img").count() == 0
    assert page.locator("h1").inner_text().startswith("</script><script>document")
    assert "\\u202e" in page.locator("#fault pre").first.inner_text()


def test_text_of_agents_does_nothing_in_a_report(show, tmp_path, played):
    with Store.open(tmp_path / "arena.db", create=True) as store:
        record = played("microchess", first=HOSTILE, league=HOSTILE, reason=HOSTILE)
        entrants = [record.first, record.second]
        league = store.create_league(HOSTILE, kind="league", settings={HOSTILE: HOSTILE}, secret="", entrants=entrants)
        store.add(record)
        page = show(report_page(read_report(store, league, made="")))
    assert page.title() != "hit"
    assert page.locator("img, script").count() == 0
    assert page.locator("svg.plot circle").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_on_a_phone(show, played, scheme):
    page = show(replay_page(played("chess")), color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    board(page)


def test_what_players_claimed_is_shown_with_each_position(show, played):
    claims = (
        ClaimRecord(1, 0.75, 5, 1234, ("d2d3", HOSTILE), (("d2d3", 0.6), ("c1d3", 0.4), (HOSTILE, 0.5))),
        ClaimRecord(2, 0.9, 3),
    )
    page = show(replay_page(played("microchess", claims=claims)))
    page.keyboard.press("Home")
    assert page.locator("#claim-text").inner_text().startswith("ada claims 0.75 for itself, depth 5, 1234 nodes")
    assert page.locator("#board .thoughts path").count() == 2
    assert page.locator("#claim .share").get_attribute("width") == "75%"
    at = page.locator(".evaluation .now").get_attribute("x1")
    page.keyboard.press("ArrowRight")
    assert page.locator("#claim .share").get_attribute("width") == "10%"
    assert page.locator("#board .thoughts").count() == 0
    assert float(page.locator(".evaluation .now").get_attribute("x1")) > float(at)
    page.locator("#claims a", has_text="turn 2").click()
    assert turn(page).startswith("turn 2")
    page.keyboard.press("Home")
    page.locator("#marks").uncheck()
    assert page.locator("#board .thoughts").count() == 0
    assert page.title() != "hit"
