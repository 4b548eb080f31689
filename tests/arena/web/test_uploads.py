"""Handing agents in on the site: what is taken, what is refused, and that it equals `arena submit`."""

import io
import json
import signal
import stat
import threading
import zipfile
from dataclasses import asdict

import pytest
from playwright.sync_api import expect

from arena.competition.upload_check import check_upload
from arena.competition.uploading import Intake, Sent, approve, make_intake, receive
from arena.entrants.submissions import Submissions
from arena.entrants.uploads import Uploads
from arena.errors import BadSettings
from arena.web.limits import Rate, Rates
from results.store.store import Store

pytestmark = pytest.mark.xdist_group("site")

GUARD_SECONDS = 300
HONEST = """
from agents import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        return state.legal_moves[0]
"""
BREAKS = HONEST.replace("        return state.legal_moves[0]", "        raise ValueError('</script><img src=x>')")
HANGS = HONEST.replace("        return state.legal_moves[0]", "        while True: pass")


def zipped(*entries):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries:
            file.writestr(name, data)
    return made.getvalue()


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def decided(site, processes, number):
    """The upload, as soon as its check has ended."""
    assert processes.until(lambda: Uploads(site.home).find(number).state != "queued")
    return Uploads(site.home).find(number)


def send(site, token, file, data, query=""):
    status, text, _ = site.post(f"/hand-in?file={file}{query}", data, token=token)
    return status, json.loads(text) if status == 202 else text


def facts(submission):
    """What a submission says, but for the time and how the two games went."""
    found = asdict(submission)
    report = {key: value for key, value in found["report"].items() if key not in ("games", "startup_seconds")}
    games = [(game["against"], game["fault"]) for game in found["report"]["games"]]
    return {**found, "date": "", "report": report, "games": games}


@pytest.mark.parametrize("is_folder", [False, True], ids=["file", "archive"])
def test_a_good_upload_equals_arena_submit(site, processes, arena, is_folder):
    name = "ada_folder" if is_folder else "ada_file"
    owner = f"Ada of {name}"
    source, data = arena.folder / f"{name}.py", HONEST.encode()
    if is_folder:
        source = arena.folder / name
        source.mkdir()
        (source / "helper.py").write_text("X = 1\n")
        data = zipped((f"{name}/agent.py", HONEST), (f"{name}/helper.py", "X = 1\n"))
    (source / "agent.py" if is_folder else source).write_text(HONEST)
    assert arena("submit", str(source), "--owner", owner, "--about", "the first move").code == 0
    token = site.token(owner)
    file = f"{name}.zip" if is_folder else f"{name}.py"
    status, made = send(site, token, file, data, "&about=the+first+move")
    assert (status, made["state"]) == (202, "queued")
    assert decided(site, processes, made["number"]).state == "waiting"
    assert Submissions(site.home).latest(name) is None
    assert site.post(f"/hand-in/{made['number']}/approve", token=token)[0] == 403
    organiser = site.token(f"organiser of {name}", role="organiser")
    status, text, _ = site.post(f"/hand-in/{made['number']}/approve", token=organiser)
    assert (status, json.loads(text)["version"]) == (200, 1)
    assert site.post(f"/hand-in/{made['number']}/approve", token=organiser)[0] == 409
    ours = Submissions(arena.folder / "home").latest(name)
    assert facts(Submissions(site.home).latest(name)) == facts(ours)


@pytest.mark.parametrize(
    ("file", "data", "status", "why"),
    [
        ("big.py", b"#" * 100_001, 413, "too large: at most 100,000 bytes"),
        ("bomb.zip", zipped(("a/agent.py", b"0" * 20_000_000)), 422, "larger than 400,000 bytes together"),
        ("link.zip", zipped((link("a/agent.py"), b"/etc/passwd")), 422, "a link or another special file"),
        ("up.zip", zipped(("../agent.py", HONEST)), 422, "leads out of its folder"),
        ("two.zip", zipped(("a.py", HONEST), ("b.py", HONEST)), 422, "two must contain __init__.py, agent.py or"),
        ("random.py", HONEST.encode(), 422, "the name of a bundled agent"),
        ("agent.txt", HONEST.encode(), 422, "send a .py file, or a .zip"),
        ("empty.py", b"", 422, "is empty"),
    ],
    ids=["too large", "bomb", "link", "dots", "two modules", "name", "text", "empty"],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_in_one_line(site, file, data, status, why):
    before = len(Uploads(site.home).all())
    token = site.token(f"sender of {file}")
    got, text = send(site, token, file, data)
    assert (got, why in text) == (status, True), text
    assert text.count("\n") == 1
    assert str(site.home) not in text
    assert len(Uploads(site.home).all()) == before
    assert list((site.home / "stages").glob("upload-*")) == []


def test_without_a_valid_token_nothing_is_taken(site):
    assert send(site, "wrong", "a.py", b"x") == (401, "this token is not known, or it was revoked\n")
    assert site.ask("POST", "/hand-in?file=a.py", b"x", headers={})[0] == 403
    status, text, _ = site.post("/hand-in?file=a.py", b"x")  # a page of ours, but nobody has signed in
    assert (status, "arena token NAME" in text) == (401, True)
    assert "/session" in site.get("/hand-in")[1]


def test_the_site_takes_nothing_unless_the_organiser_allows_it(serving, tmp_path):
    with serving(tmp_path) as found:
        token = found.token("Ada")
        assert found.get("/hand-in")[0] == 404
        assert found.post("/hand-in?file=a.py", HONEST.encode(), token=token)[0] == 404
        assert "/hand-in" not in found.get("/")[1]


def test_a_hundred_uploads_at_once_are_queued_or_refused_in_one_line(site, processes):
    token, answers = site.token("Flood"), []

    def flood(number):
        answers.append(send(site, token, f"flood_{number}.py", HONEST.encode()))

    threads = [threading.Thread(target=flood, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 100
    taken = [answer["number"] for status, answer in answers if status == 202]
    others = [(status, text) for status, text in answers if status != 202]
    assert taken
    assert {status for status, _ in others} == {429}
    assert all("wait for their check" in text or "too many uploads" in text for _, text in others)
    assert {decided(site, processes, number).state for number in taken} == {"waiting"}
    assert processes.until(lambda: not processes.of_games(site.db.parent))


def test_rates_forget_after_a_while_and_count_each_key_apart():
    now = [0.0]
    rates = Rates([Rate(2, 60.0), Rate(3, 3600.0)], clock=lambda: now[0])
    assert [rates.take("a") for _ in range(3)] == [0.0, 0.0, 60.0]
    assert rates.take("b") == 0.0
    now[0] = 61.0
    assert [rates.take("a"), rates.take("a")] == [0.0, 3539.0]


def sign_in(site, visit, token, path, **how):
    page = visit("/session", **how)
    page.locator("#token").fill(token)
    page.locator("main button").click()
    page.wait_for_selector("main strong")
    page.goto(site.url + path)
    return page


def test_the_form_needs_no_script_and_shows_why_an_agent_failed(site, visit, processes):
    page = sign_in(site, visit, site.token("Grace"), "/hand-in", java_script_enabled=False)
    upload = {"name": "Graces bot.py", "mimeType": "text/x-python", "buffer": BREAKS.encode()}
    page.locator("#file").set_input_files(upload)
    page.locator("main form button").click()
    assert "cannot be the name of a submission" in page.locator("[role=alert]").inner_text()
    page.locator("#file").set_input_files(upload)
    page.locator("#name").fill("graces_bot")
    page.locator("main form button").click()
    page.wait_for_selector("h1:text('graces_bot')")
    number = int(page.url.rpartition("/")[2])
    assert decided(site, processes, number).state == "failed"
    page.reload()
    main = page.locator("main").inner_text()
    assert "ValueError: </script><img src=x>" in main
    assert "it breaks the rule `exception`" in main
    assert page.locator("img").count() == 0
    assert Submissions(site.home).failures()["graces_bot"].owner == "Grace"
    other = site.token("Eve")
    assert site.get(f"/hand-in/{number}", Authorization=f"Bearer {other}")[0] == 404
    assert "graces_bot" not in site.get("/hand-in", Authorization=f"Bearer {other}")[1]


def test_the_page_follows_the_check_and_the_organiser_approves_on_it(site, visit):
    page = sign_in(site, visit, site.token("Olga", role="organiser"), "/hand-in")
    page.locator("#file").set_input_files({"name": "olgas.py", "mimeType": "", "buffer": HONEST.encode()})
    page.locator("main form button").click()
    expect(page.locator("#check")).to_contain_text("passed: it broke no rule")  # without loading the page again
    expect(page.locator("#verdict")).to_contain_text("waits for the organiser")
    page.reload()
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#verdict")).to_contain_text("olgas@1")
    page.goto(f"{site.url}/hand-in")
    assert page.locator("#versions tbody tr").inner_text().startswith("olgas\t1")


def test_a_name_belongs_to_who_had_it_first(tmp_path):
    intake = Intake(home=tmp_path, db=tmp_path / "arena.db", game="microchess")
    first = receive(intake, Sent(owner="Ada", file="bot.py", data=HONEST.encode()))
    with pytest.raises(BadSettings, match="belongs to somebody else"):
        receive(intake, Sent(owner="Eve", file="bot.py", data=BREAKS.encode()))
    assert receive(intake, Sent(owner="Ada", file="bot.py", data=BREAKS.encode())).number == first.number + 1
    with pytest.raises(BadSettings, match="waits for a decision"):
        approve(tmp_path, first.number)


def test_agents_that_pass_go_straight_into_a_league_and_new_versions_replace_old_ones(arena, monkeypatch):
    quick = ("--turns", "4", "--workers", "1", "--db", str(arena.folder / "arena.db"))
    assert arena("league", "random", "one_step_search", *quick, "--rounds", "1", "--name", "open").code == 0
    db = arena.folder / "arena.db"
    monkeypatch.setenv("ARENA_HOME", str(arena.folder / "home"))
    intake = make_intake(db, home=arena.folder / "home", league="open")
    assert intake.game == "microchess:turns=4"

    def hand_in(text):
        upload = receive(intake, Sent(owner="Ada", file="bot.py", data=text.encode()))
        return check_upload(intake, upload.number, on_event=lambda _: None)

    assert hand_in(HONEST).why == "bot has entered open"
    assert hand_in(HONEST).why == "this version plays in open already"
    assert hand_in(HONEST.replace("[0]", "[-1]")).why == "bot@2 has entered open"
    broken = hand_in(BREAKS)
    assert (broken.state, broken.version) == ("failed", None)
    with Store.read(db) as store:
        league = store.known("open")
    assert [one.name for one in league.entrants] == ["random", "one_step_search", "bot", "bot@2"]
    assert league.departures.keys() == {"bot"}
    assert arena("league", "random", "one_step_search", *quick, "--rounds", "1", "--name", "open").code == 0


def test_no_upload_enters_a_league_without_the_sandbox(arena):
    quick = ("--turns", "4", "--workers", "1", "--rounds", "1", "--name", "open", "--trust-agents")
    assert arena("league", "random", "one_step_search", *quick).code == 0
    refused = arena("serve", "--allow-submissions", "--enter", "open", "--port", "0")
    assert (refused.code, "agents play without the sandbox" in refused.err) == (2, True)
    refused = arena("serve", "--enter", "open", "--port", "0")
    assert (refused.code, "are for --allow-submissions" in refused.err) == (2, True)


def playing(site, processes):
    """The process of the check, as soon as it plays."""
    found = []

    def plays():
        checks = [
            one for one in processes.children(site.process.pid) if "arena.competition.upload_check" in one.command
        ]
        found[:] = [one for one in checks if any(player.is_confined for player in processes.of_games(one.pid))]
        return found

    assert processes.until(plays)
    return found[0]


def test_a_server_that_ends_leaves_no_process_and_the_next_one_checks_what_waited(serving, tmp_path, processes):
    waited = []
    for number in (signal.SIGKILL, signal.SIGINT):
        with serving(tmp_path, "--allow-submissions", "--time", "600") as found:
            if not waited:
                waited.append(send(found, found.token("Ada"), "hangs.py", HANGS.encode())[1]["number"])
            check = playing(found, processes)
            found.process.send_signal(number)
            assert processes.until(lambda pid=check.pid: not processes.of_games(pid))
            found.process.wait(GUARD_SECONDS)
            assert not check.runs
        assert Uploads(tmp_path / "home").find(waited[0]).state == "queued"


def test_the_command_line_decides_about_what_was_handed_in(arena, monkeypatch):
    home = arena.folder / "home"
    monkeypatch.setenv("ARENA_HOME", str(home))
    assert arena("play", "random", "random", "--turns", "2").code == 0
    intake = make_intake(arena.folder / "arena.db", home=home)
    for name in ("one", "two"):
        upload = receive(intake, Sent(owner="Ada", file=f"{name}.py", data=HONEST.encode()))
        assert check_upload(intake, upload.number, on_event=lambda _: None).state == "waiting"
    assert "one" in arena("submissions", "waiting").out
    assert arena("submissions", "approve", "1").out == "submitted  one, version 1\n"
    assert arena("submissions", "refuse", "2", "--because", "a copy").out == "refused two\n"
    assert (arena("submissions", "approve", "2").code, Uploads(home).find(2).why) == (2, "a copy")
    assert [one["number"] for one in json.loads(arena("submissions", "waiting", "--json").out)] == []
