"""Playing on the site: every game by mouse and by keyboard, orders while an agent thinks, and what is left behind."""

import json
import os
import signal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from games.base import load
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
#: Two moves before the end of a game of Othello, where first has no move but to pass.
OTHELLO = "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"
#: Games with the clicks of their moves to the end: two people play at one screen.
GAMES = {
    "microchess": ({"position": "k3/2P1/K3/4/4 w - - 0 1"}, [["c4", "c5", "=Q"]], "checkmate"),
    "chess": ({}, [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]], "checkmate"),
    "othello": ({"position": OTHELLO}, [["pass"], ["b1"], ["a1"]], "discs 35-29"),
    "go": ({"parameters": "size=5"}, [["C3"], ["pass"], ["pass"]], "points"),
    "gomoku": ({"parameters": "size=7"}, [["0,0"], ["0,1"], ["1,0"], ["1,1"], ["2,0"], ["2,1"], ["3,0"], ["3,1"],
                                         ["4,0"]], "five"),
    "mushroom": ({"position": "11111111111111111/" * 9 + "11111111111111155 A 0"}, [["9,15", "9,16"], ["pass"],
                                                                                   ["pass"]], "cells"),
}  # fmt: skip


class Player:
    """A browser without a screen: it opens a table and gives orders."""

    def __init__(self, site, **form) -> None:
        self._site = site
        self._form = {"first": "human", "second": "human", "game": "microchess", "time": "move:1", **form}
        self.cookie = ""
        self.table = ""

    def open(self) -> "Player":
        status, text, headers = self._post("/play", self._form)
        assert status == 303, text
        self.cookie = headers.get("set-cookie", self.cookie).partition(";")[0]
        self.table = headers["location"]
        return self

    def _post(self, path, form):
        return self._site.post(path, urlencode(form), **FORM, Cookie=self.cookie)

    def order(self, kind, step, text=""):
        """The status of the answer, and the reason of a refusal."""
        status, answer, _ = self._post(f"{self.table}/order", {"kind": kind, "step": step, "text": text})
        return status, json.loads(answer)["refusal"]

    def state(self):
        return json.loads(self._site.get(f"{self.table}/state", Cookie=self.cookie)[1])

    def end(self):
        return self._post(f"{self.table}/end", {})[0]


@pytest.fixture
def person(site):
    """Opens tables of the site; all of them are ended afterwards."""
    opened = []

    def make(**form):
        opened.append(Player(site, **form).open())
        return opened[-1]

    yield make
    for one in opened:
        one.end()


@pytest.fixture
def wait(processes):
    """Wait for a state of a table."""

    def until(player, is_wanted):
        found = []

        def look():
            found[:] = [player.state()]
            return is_wanted(found[0])

        assert processes.until(look), found
        return found[0]

    return until


def is_persons_turn(state):
    return state["phase"] == "move" and state["seat"] in state["people"]


def newest(site):
    with Store.read(site.db) as store:
        record = store.record(store.ids()[-1])
        return record, store.known(record.league)


def open_by_keyboard(page):
    """Go through the form with the key Tab, to its button."""
    while page.evaluate("document.activeElement.tagName + document.activeElement.textContent") != "BUTTONStart":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-phase=move]")


def go_to(page, name):
    """Move the focus to a cell, or to the button of a choice, by keys alone."""
    if page.locator(f'[data-cell="{name}"]').count() == 0:
        choice = page.locator(f'[data-choice="{name}"]')
        expect(choice).to_be_visible()
        while not choice.evaluate("one => one === document.activeElement"):
            page.keyboard.press("Tab")
        return
    while page.evaluate("document.activeElement.dataset.cell === undefined"):
        page.keyboard.press("Tab")
    cells = page.evaluate("[...document.querySelectorAll('[data-cell]')].map((one) => one.dataset.cell)")
    columns = int(page.locator("svg.board").get_attribute("data-columns"))
    focused = page.evaluate("document.activeElement.dataset.cell")
    here, there = (divmod(cells.index(cell), columns) for cell in (focused, name))
    for _ in range(abs(there[0] - here[0])):
        page.keyboard.press("ArrowDown" if there[0] > here[0] else "ArrowUp")
    for _ in range(abs(there[1] - here[1])):
        page.keyboard.press("ArrowRight" if there[1] > here[1] else "ArrowLeft")


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end(visit, site, game, way):
    form, moves, how = GAMES[game]
    query = urlencode({"game": game, "first": "human", "second": "human", **form})
    page = visit(f"/play?{query}")
    if way == "mouse":
        page.locator("form.setup > button").click()
        page.wait_for_selector("main[data-phase=move]")
    else:
        open_by_keyboard(page)
    for number, clicks in enumerate(moves, 1):
        for name in clicks:
            if way == "mouse":
                page.locator(f'[data-cell="{name}"], [data-choice="{name}"]').click()
            else:
                go_to(page, name)
                page.keyboard.press("Enter")
        wanted = f"main[data-step='{number + 2}']" if number < len(moves) else "main[data-phase=over]"
        page.wait_for_selector(wanted)
    expect(page.locator("#banner")).to_contain_text(how)
    expect(page.locator("#caption")).to_contain_text(how)  # a live region: screen readers say it
    record, league = newest(site)
    assert (record.game, record.turns, league.kind) == (game, len(moves), "web")
    page.locator("#replay").click()
    page.wait_for_url(f"**/game/{record.id}")


def test_a_rectangle_is_dragged(visit, person, site):
    form, _, _ = GAMES["mushroom"]
    page = visit(f"/play?{urlencode({'game': 'mushroom', 'first': 'human', 'second': 'human', **form})}")
    page.locator("form.setup > button").click()
    page.wait_for_selector("main[data-phase=move]")
    page.locator('[data-cell="9,15"]').hover()
    page.mouse.down()
    page.locator('[data-cell="9,16"]').hover()
    assert page.locator("#cells .chosen").count() == 2
    page.mouse.up()
    page.wait_for_selector("main[data-step='3']")
    page.locator("#end").click()
    page.locator("#end").click()
    page.wait_for_url("**/play")


@pytest.mark.parametrize("has_board", [True, False])
def test_a_game_from_outside_is_played_to_its_end(serving, arena, browse, has_board):
    assert arena("new", "game", "heap").code == 0
    place = arena.folder / "heap" / "heap.py"
    if has_board:
        text = place.read_text().replace("    def svg(self", VIEW + "    def svg(self", 1)
        place.write_text(f"from games.view import Cell, Labels, View\n{text}")
    assert arena("play", "first_move", "first_move", "--game", "./heap/heap.py:stones=3", "--db", "arena.db").code == 0
    with serving(arena.folder) as site:
        page = browse(f"{site.url}/play?first=human&second=human")
        page.locator("#game").select_option(index=page.locator("#game option").count() - 1)
        page.locator("#parameters").fill("stones=2")
        page.locator("form.setup > button").click()
        page.wait_for_selector("main[data-phase=move]")
        if has_board:
            page.locator('[data-cell="2"]').click()
        else:
            page.locator("#move-list").select_option("2")
            page.locator("#choices button").click()
        page.wait_for_selector("main[data-phase=over]")
        expect(page.locator("#banner")).to_contain_text("last-stone")
        page.close()  # before the server ends, so that it misses nothing


VIEW = """
    def view(self):
        cells = tuple(Cell(str(number + 1), "black stone") for number in range(self.stones))
        return View(max(1, self.stones), 1, "cells", cells or (Cell("1"),), Labels((), ()))

    def path(self, move):
        return (move,)

"""


@pytest.mark.parametrize("tries", [8, pytest.param(100, marks=pytest.mark.soak)])
def test_an_undo_while_an_agent_thinks_never_lets_a_stale_move_through(person, wait, tries):
    undone = 0
    player = person(game="gomoku", second="alphabeta", second_options="seconds=0.02", time="move:30")
    state = wait(player, is_persons_turn)
    for number in range(tries):
        before, step, move = state["moves"], state["step"], state["legal"][number % len(state["legal"])][0]
        assert player.order("move", step, move) == (200, "")
        wait(player, lambda state, step=step: state["step"] > step)
        status, refusal = player.order("undo", step + 1)
        for stale in (step, step + 1):
            assert player.order("move", stale, move) == (409, "stale")
        state = wait(player, lambda state, step=step: is_persons_turn(state) and state["step"] > step + 1)
        if status == 200:
            undone += 1
        else:  # the agent was faster
            assert refusal == "stale"
            assert state["moves"][:-2] == before
            assert player.order("undo", state["step"]) == (200, "")
            step = state["step"]
            state = wait(player, lambda state, step=step: is_persons_turn(state) and state["step"] > step)
        assert state["moves"] == before
    assert undone


def test_while_an_agent_thinks_the_page_hears_claims_takes_a_move_back_and_resigns(visit, site):
    page = visit("/play?game=microchess&first=human&second=puct&time=move:30")
    page.locator("form.setup > button").click()
    page.wait_for_selector("main[data-phase=move]")
    expect(page.locator("#undo")).to_be_disabled()
    page.locator('[data-cell="d2"]').click()
    expect(page.locator('[data-cell="d3"]')).to_have_attribute("aria-label", "d3, empty, possible")
    page.locator('[data-cell="d3"]').click()
    expect(page.locator("#thinking")).to_have_text("puct is thinking")
    expect(page.locator("[data-claim=second] p")).to_contain_text("nodes")
    page.locator("#undo").click()
    expect(page.locator("#caption")).to_have_text("taken back. Your turn")
    assert page.locator("#line").inner_text() == ""
    page.locator('[data-cell="d2"]').click()
    page.locator('[data-cell="d4"]').click()
    expect(page.locator("#thinking")).to_have_text("puct is thinking")
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#banner")).to_contain_text("You lose (resignation")
    record, _ = newest(site)
    assert (record.result, [note.rule for note in record.notes]) == ("0-1", ["undo", "no-clock"])


def test_a_hint_of_an_engine_is_shown_and_noted_and_such_a_game_does_not_count(site, person, wait):
    player = person(second="random", game="microchess", parameters="turns=2")
    state = wait(player, is_persons_turn)
    assert player.order("hint", state["step"], "stockfish") == (200, "")
    hint = wait(player, lambda state: state["hint"] is not None)["hint"]
    assert (hint["by"], hint["problem"]) == ("stockfish", "")
    assert hint["marks"]
    state = wait(player, is_persons_turn)
    assert player.order("move", state["step"], state["legal"][0][0]) == (200, "")
    wait(player, lambda state: state["phase"] == "over")
    again = person(second="random", game="microchess", parameters="turns=2")
    state = wait(again, is_persons_turn)
    assert again.order("move", state["step"], state["legal"][0][0]) == (200, "")
    wait(again, lambda state: state["phase"] == "over")
    page = site.get("/agent?name=random")[1]
    row = page.partition("<caption>Against people</caption>")[2].partition("<tbody>")[2].partition("</tr>")[0]
    cells = [cell.rpartition(">")[2] for cell in row.split("</td>")[:-1]]
    assert (cells[0], cells[-1]) == ("1", "1")


def test_a_game_goes_on_from_any_position_of_a_replay(visit, site):
    page = visit("/game/1")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Continue from here").click()
    page.locator("#first").select_option("human")
    page.locator("#second").select_option("human")
    page.locator("form.setup > button").click()
    page.wait_for_selector("main[data-phase=move]")
    with Store.read(site.db) as store:
        moves = [move.text for move in store.record(1).moves[:3]]
    state = load("microchess").start()
    for move in moves:
        state = state.forward(state.parse(move))
    held = [f"#arena-{cell.holds.replace(' ', '-')}" for cell in state.view().cells if cell.holds]
    assert [use.get_attribute("href") for use in page.locator("#stage .things use").all()] == held
    expect(page.locator("#undo")).to_be_enabled()


@pytest.mark.parametrize(
    "form",
    [{"first": "./mine.py"}, {"second": "uci:command=/bin/sh"}, {"second_options": "path=/etc/passwd"}, {"game": "os"},
     {"position": "?"}, {"time": "move:1e9"}, {"second": "nobody"}, {"parameters": "turns=x"}],
)  # fmt: skip
def test_a_visitor_names_no_file_no_program_and_no_module(site, form):
    wanted = {"first": "human", "second": "random", "game": "microchess", "time": "move:1", **form}
    status, text, _ = site.post("/play", urlencode(wanted), **FORM)
    assert status == 400
    assert 'role="alert"' in text
    assert "Traceback" not in text


def test_a_table_belongs_to_its_player(site, person, wait):
    player = person()
    state = wait(player, is_persons_turn)
    thief = Player(site)
    thief.table, thief.cookie = player.table, "arena_player=" + "x" * 43
    assert thief._post(f"{player.table}/order", {"kind": "resign", "step": state["step"]})[0] == 404
    assert thief.state() == {"phase": "gone"}
    assert is_persons_turn(player.state())


def test_an_exhibition_starts_the_next_pairing_by_itself_and_everybody_sees_it(visit, site):
    form = urlencode({"game": "microchess:turns=2", "time": "move:0.5"})
    status, _, headers = site.post("/exhibition", form, **FORM)
    assert status == 303
    page = visit("/exhibition", reduced_motion="reduce")
    assert page.locator("#end").count() == 0  # it belongs to who has started it
    page.wait_for_selector("main.exhibition.decided")
    expect(page.locator("#banner")).to_contain_text("The next game starts in a moment.")
    assert page.locator("#stage .last").first.evaluate("one => getComputedStyle(one).animationName") == "none"
    assert page.locator("#banner").evaluate("one => getComputedStyle(one).animationName") == "none"
    _, league = newest(site)
    stored = len(site_games(site, league.name))
    page.wait_for_selector("main.exhibition:not(.decided)")
    page.wait_for_selector("main.exhibition.decided")
    assert len(site_games(site, league.name)) > stored
    table = page.locator("main").get_attribute("data-table")
    page.close()
    assert site.post(f"/table/{table}/end", "", **FORM, Cookie=headers["set-cookie"].partition(";")[0])[0] == 303


def site_games(site, league):
    with Store.read(site.db) as store:
        return store.ids(league)


def tables_of(processes, pid):
    return [one for one in processes.children(pid) if "arena.web.table" in one.command]


def test_a_closed_tab_leaves_no_process_after_the_idle_limit(serving, tmp_path, processes):
    # A closed tab is one that asks for nothing any more.
    with serving(tmp_path, "--idle", "2") as site:
        player = Player(site, first="puct", second="puct", time="move:30").open()
        assert processes.until(lambda: not tables_of(processes, site.process.pid))
        assert player.state() == {"phase": "gone"}


def test_a_killed_server_leaves_no_agent_and_disturbs_no_league(serving, arena, processes):
    league = arena.start(
        "league", "mcts:simulations=30", "random", "--rounds", "15", "--turns", "20", "--workers", "1", "--name", "cup"
    )
    assert processes.until(lambda: (arena.folder / "arena.db").exists() and "cup" in arena("leagues").out)
    with serving(arena.folder) as site:
        player = Player(site, second="puct", time="move:30").open()
        state = player.state()
        while not is_persons_turn(state):
            state = player.state()
        assert player.order("move", state["step"], state["legal"][0][0])[0] == 200
        (table,) = tables_of(processes, site.process.pid)
        assert processes.until(lambda: processes.of_games(table.pid))
        os.kill(site.process.pid, signal.SIGKILL)
        assert processes.until(lambda: not processes(table.pid).runs and not processes.of_games(table.pid))
    assert league.wait() == 0
    with Store.read(arena.folder / "arena.db") as store:
        assert len(store.ids("cup")) == 30
        assert list(store.voids("cup")) == []
