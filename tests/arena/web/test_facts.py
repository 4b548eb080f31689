"""Pages of facts: announcements, records of note, calibration, studies, long games, growing curves."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.web.announcements import announcements, folder_of, rendered
from results.record import ClaimRecord
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Rules\n\ntwo *games*", "<h3>Rules</h3>\n<p>two <em>games</em></p>\n"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](/live)", '<p><a href="/live" rel="noreferrer nofollow">x</a></p>\n'),
        ("###### deep", "<h6>deep</h6>\n"),
    ],
)
def test_markdown_becomes_html_that_runs_nothing(text, html):
    assert rendered(text) == html


@pytest.mark.parametrize(
    "text", ["![x](http://evil.example/x.png)", "![x](/x.png)", "| a |\n|--:|\n| 1 |", "\x1b[31m\u202e"]
)
def test_markdown_loads_no_picture_and_has_no_style_or_control_character(text):
    made = rendered(text)
    assert "<img" not in made
    assert "style=" not in made
    assert "\x1b" not in made
    assert "\u202e" not in made


def test_announcements_are_plain_files_of_a_bounded_size(tmp_path):
    db = tmp_path / "a.db"
    assert announcements(db) == []
    folder = folder_of(db)
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe.md")
    (folder / "folder.md").mkdir()
    (folder / "other.txt").write_text("no")
    (folder / "old.md").write_bytes(b"\xff" + b"x" * 100_000)
    (folder / "new.md").write_text("new")
    os.utime(folder / "old.md", (0, 0))
    found = announcements(db)
    assert [one.name for one in found] == ["new", "old"]
    assert len(found[1].text) <= 32 << 10


def test_an_announcement_stands_on_the_page_of_its_league_and_appears_at_once(site, visit):
    page = visit("/league?name=cup")
    assert page.locator(".announcement h3").inner_text() == "Friday"
    assert "</script><script>" in page.locator(".announcement").inner_text()
    page = visit("/")
    assert "Welcome to <b>the course</b>" in page.locator("#news").inner_text()
    assert "Friday" not in page.locator("#news").inner_text()
    (folder_of(site.db) / "late.md").write_text("The room has *changed*.")
    expect(page.locator("#news")).to_contain_text("The room has changed.")


def test_the_first_page_has_records_of_note(site, visit, hostile):
    page = visit("/", java_script_enabled=False)
    rows = [row.inner_text() for row in page.locator("#notable tbody tr").all()]
    assert any(row.startswith("latest broken rule\t4\t") for row in rows)
    assert len({row.split("\t")[1] for row in rows}) == len(rows) >= 2


def test_calibration_compares_claims_with_endings(site, visit):
    page = visit("/calibration?league=long", java_script_enabled=False)
    assert page.locator("svg.plot").count() == 1
    row = page.locator("#calibration tbody tr").first.inner_text().split("\t")
    assert row[1:3] == ["160", "1"]
    assert page.locator("#calibration h2").count() == 2
    assert "No game with claims" in visit("/calibration?league=cup").locator("main").inner_text()


def test_a_long_game_is_shown_in_parts_that_lead_to_each_other(site, visit):
    page = visit("/game/4")
    assert page.locator("#caption").inner_text().startswith("turn 320 of 320")  # it opens at the fault
    assert page.locator("#moves tbody tr").count() == 20 + 1
    page.get_by_role("link", name="1-150", exact=True).click()
    page.wait_for_url("**/game/4?part=1")
    page.keyboard.press("Home")
    assert page.locator("#caption").inner_text().startswith("start")
    page.keyboard.press("End")
    assert page.locator("#caption").inner_text().startswith("turn 150 of 320")
    stones = page.locator("#board .things use").count()
    page.goto(f"{site.url}/game/4?part=2")
    page.keyboard.press("Home")
    assert page.locator("#caption").inner_text().startswith("turn 150 of 320")
    assert page.locator("#board .things use").count() == stones
    assert page.locator("#moves tr[aria-current]").count() == 0
    page.goto(f"{site.url}/game/4?part=1#turn-200")
    page.wait_for_url("**/game/4?part=2#turn-200")
    expect(page.locator("#caption")).to_contain_text("turn 200 of 320")
    page = visit("/game/4?part=2", java_script_enabled=False)
    assert page.locator("#board svg use").count() > 50
    assert page.locator("#moves tbody tr").count() == 150


def test_a_study_shows_its_question_and_its_report(site, visit, hostile):
    folder = site.db.parent / "studies"
    folder.mkdir()
    shipped = Path(__file__).parents[2] / "bench" / "results"
    for name in ("puct", "mushroom", "learning-microchess"):
        (folder / f"{name}.json").write_text((shipped / f"study-{name}.json").read_text())
    report = json.loads((folder / "puct.json").read_text())
    report["command"] = report["parts"][0]["label"] = report["parts"][0]["matches"][0]["one"] = hostile
    (folder / "evil.json").write_text(json.dumps(report))
    (folder / "broken.json").write_text('{"parts": 7}')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "folder.json").mkdir()
    page = visit("/study/puct", java_script_enabled=False)
    assert "0.6917" in page.locator("table").first.inner_text()
    for name in ("mushroom", "learning-microchess"):
        assert visit(f"/study/{name}").locator("table tbody tr").count() > 1
    page = visit("/study/evil")
    assert page.title() != "hit"
    assert hostile.replace("\u202e", "\\u202e") in page.locator("main").inner_text()
    for name in ("broken", "deep"):
        status, text, _ = site.get(f"/study/{name}")
        assert (status, "this is not a report" in text) == (404, True)
    for name in ("none", "folder", "..%2farena", "a" * 80):
        assert site.get(f"/study/{name}")[0] == 404
    assert visit("/studies").locator("main li").count() == 7


def test_curves_of_a_training_run_grow_while_it_is_watched(site, visit):
    folder = site.home / "training" / "mine"
    folder.mkdir(parents=True)
    write_run(folder / "notes.db", generations=1)
    page = visit("/training/mine")
    assert "generation 1," in page.locator("#summary").inner_text()
    write_run(folder / "notes.db", generations=2)
    expect(page.locator("#summary")).to_contain_text("generation 2,")


def write_run(path, *, generations):
    """The notes of a training run, as the learning process writes them."""
    point = {
        "games": 10, "positions": 100, "nodes": 1000, "rows": 100, "steps": 5, "play_seconds": 1.0,
        "train_seconds": 1.0, "stages": {"search": 0.5}, "losses": {"loss": 1.0}, "validation": {"loss": 1.1},
        "memory": 100, "total_games": 10, "total_positions": 100, "total_seconds": 60.0, "rate": 0.01, "player": 1,
        "waited": 0.0, "workers_waited": 0.0, "wall": 2.0, "workers": 1, "when": "2026-05-09T12:00:00.000Z",
    }  # fmt: skip
    recipe = {"game": "microchess", "learner": "learned_alphabeta", "anchors": []}
    with sqlite3.connect(path) as notes:
        for table in ("configuration", "curve"):
            notes.execute(f'CREATE TABLE IF NOT EXISTS "{table}" (key TEXT PRIMARY KEY, value BLOB)')
        rows = [("recipe", recipe), ("created", "2026-05-09T12:00:00.000Z"), ("made_with", {})]
        notes.executemany("INSERT OR REPLACE INTO configuration VALUES (?, ?)", [(k, json.dumps(v)) for k, v in rows])
        for number in range(1, generations + 1):
            found = {**point, "generation": number, "total_seconds": 60.0 * number}
            notes.execute("INSERT OR REPLACE INTO curve VALUES (?, ?)", (f"{number:06}", json.dumps(found)))
    notes.close()


def test_the_page_of_an_agent_counts_its_games_against_each_opponent(site, visit, game_record):
    claims = (ClaimRecord(1, 0.75),)
    with Store.open(site.db, create=False) as store:
        for number in range(3):
            store.add(game_record(f"more-{number}", "bob", "ada", result="0-1", claims=claims))
    page = visit("/agent?name=ada", java_script_enabled=False)
    opponents = page.locator("section", has_text="Head to head").locator("tbody tr")
    row = next(one.inner_text() for one in opponents.all() if one.inner_text().startswith("bob"))
    assert row.split("\t")[1:5] == ["5", "4", "1", "0"]
    page = visit("/compare?league=cup&one=ada&two=bob", java_script_enabled=False)
    assert "LOS" in page.locator("#elo").inner_text()
    settling = page.locator("#elo tbody td").nth(3).inner_text()
    assert settling == "settled" or settling.replace(",", "").isdecimal()
    page = visit("/games?agent=bob&league=cup")
    assert page.locator("tbody tr").count() == 5
