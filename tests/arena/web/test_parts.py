"""Parts of the site without a server: texts, hosts, events for slow viewers, boards of running games."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.cli import run
from arena.referee.live_sheet import LiveGame, LiveTurn
from arena.web import hub as hub_module
from arena.web import texts
from arena.web.boards import Followed, claim_text
from arena.web.hub import Full, Hub
from arena.web.security import is_own_host
from arena.web.texts import LANGUAGES, words


def run_apart(coroutine):
    """Run it in a thread of its own: the browser of other tests has an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()


def live_game(*moves, game="microchess", **changes):
    turns = (LiveTurn(None, 10.0, 10.0, 0.0), *(LiveTurn(move, 9.0, 10.0, 0.0) for move in moves))
    start = "knbr/p3/4/3P/RBNK w Qk - 0 1"
    values = {"id": "1-1", "results": "x", "league": "cup", "key": "1", "first": "a", "second": "b", "seconds": 10.0}
    return LiveGame(**values | {"game": game, "start": start, "opening": (), "turns": turns} | changes)


def test_every_text_is_there_in_every_language():
    both = [words(language) for language in LANGUAGES]
    assert both[0].keys() == both[1].keys()
    assert all(text.strip() for found in both for text in found.values())


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [("127.0.0.1:8000", True), ("192.168.1.5", True), ("[::1]:8000", True), ("LOCALHOST", True), ("lab:8000", True),
     ("evil.example", False), ("127.0.0.1.evil.example", False), ("", False), ("lab.evil", False)],
)  # fmt: skip
def test_names_of_others_are_not_ours(host, is_ours):
    assert is_own_host(host, served="lab") == is_ours


def test_a_followed_game_gives_a_frame_for_every_turn():
    followed = Followed(live_game())
    frames = list(followed.advance(live_game("d2d4", "a4a3")))
    assert [frame["caption"] for frame in frames] == ["turn 1: d2d4", "turn 2: a4a3"]
    assert [frame["running"] for frame in frames] == ["second", "first"]
    assert frames[0]["last"] == [7, 15]
    assert list(followed.advance(live_game("d2d4", "a4a3"))) == []


@pytest.mark.parametrize(
    "changes",
    [{"game": "checkers"}, {"game": "os.path"}, {"start": "?"}, {"opening": ("z9z9",)}, {"game": "go:size=x"}],
)
def test_a_game_that_cannot_be_replayed_has_no_board_and_its_clocks(changes):
    followed = Followed(live_game("d2d4", **changes))
    assert "no board" in followed.html()
    assert followed.frame()["clocks"] == [9.0, 10.0]
    assert "change" not in followed.frame()


def test_a_claim_is_one_line_and_hostile_values_are_left_out():
    said = {"value": 0.5, "depth": 3, "nodes": 12345, "line": ["d2d4", "\u202e"]}
    assert claim_text(said) == "value 0.500, depth 3, 12,345 nodes, d2d4 \\u202e"
    assert claim_text({"value": "x", "line": "abc", "nodes": None}) == ""


def test_a_viewer_that_does_not_read_is_dropped_and_the_others_miss_nothing(tmp_path):
    async def watch():
        hub = Hub(tmp_path / "arena.db", folder=tmp_path)
        slow, quick = hub.events(None), hub.events(None)
        assert (await anext(slow))["event"] == (await anext(quick))["event"] == "reset"
        await asyncio.sleep(0)
        got = []
        reading = asyncio.create_task(collect(quick, got, 200))
        asleep = asyncio.create_task(anext(slow))
        for number in range(200):
            hub._send("turn", {"number": number})
            await asyncio.sleep(0)
        await reading
        assert [json.loads(event["data"])["number"] for event in got] == list(range(200))
        assert json.loads((await asleep)["data"])["number"] == 0
        rest = [event async for event in slow]
        assert len(rest) <= 64  # it has ended, and holds no more than its queue
        await quick.aclose()
        missed = hub._missed(got[100]["id"])
        assert [event["id"] for event in missed] == [event["id"] for event in got[101:]]

    async def collect(events, into, number):
        while len(into) < number:
            into.append(await anext(events))

    run_apart(watch())


def test_many_viewers_who_come_at_once_cost_few_looks_and_end_together(tmp_path, monkeypatch):
    looks = []
    hub = Hub(tmp_path / "arena.db", folder=tmp_path)
    monkeypatch.setattr(hub, "games", lambda: looks.append(1) or [])

    async def watch():
        running = asyncio.create_task(hub.run())
        viewers = [hub.events(None) for _ in range(100)]
        first = await asyncio.gather(*(anext(viewer) for viewer in viewers))
        assert {event["event"] for event in first} == {"reset"}
        assert len(looks) <= 3
        waiting = [asyncio.create_task(anext(viewer, None)) for viewer in viewers]
        await asyncio.sleep(0)
        hub.end()
        assert set(await asyncio.gather(*waiting)) == {None}
        running.cancel()

    run_apart(watch())


def test_a_full_site_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(hub_module, "MOST_VIEWERS", 0)
    with pytest.raises(Full):
        Hub(tmp_path / "arena.db").check()


def test_a_missing_results_file_and_a_taken_port_are_one_clear_line(tmp_path, capsys):
    import socket

    from results.store.store import Store

    assert run(["serve", "--db", str(tmp_path / "none.db")]) == 1
    assert "no results at" in capsys.readouterr().err
    Store.open(tmp_path / "a.db", create=True).close()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert run(["serve", "--db", str(tmp_path / "a.db"), "--port", port]) == 2
    assert "choose others with --host and --port" in capsys.readouterr().err


def test_no_text_has_two_meanings():
    keys = [key for table in texts._TABLES for key in table]
    assert sorted(keys) == sorted(set(keys))
