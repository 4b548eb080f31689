"""What an agent says about its search: what the referee keeps of it, and what it never fails on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Fault, History, Times
from arena.entrants.entrant import resolve
from arena.process.stop_byte import StopByte
from arena.referee.agent_player import AgentPlayer
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.reports import AgentReport, Claims, EngineReports, read_report
from arena.sandbox.launch import Rules
from games.base import WHITE, Game, load
from results.record import ClaimRecord

MICRO = load("microchess")
START = MICRO.start()
NONE = AgentReport()

AGENT = """
import json, os, time
from agents import BaseAgent, watch

class Talker(BaseAgent):
    def act(self, state):
        {body}
        return "d2d3"
"""


def read(report: object) -> AgentReport | None:
    return read_report(json.dumps(report).encode(), START)


def test_a_report_is_read_with_all_its_fields() -> None:
    found = read(
        {"value": 0.75, "line": ["d2d3", "a4a3"], "visits": {"d2d3": 7, "c1b3": 2}, "policy": {"d2d3": 0.5},
         "tree": [[["d2d3"], 3, 0.5]], "nodes": 12, "depth": 4, "text": "hello"}
    )  # fmt: skip
    assert found == AgentReport(
        value=0.75, line=("d2d3", "a4a3"), visits={"d2d3": 7, "c1b3": 2}, policy={"d2d3": 0.5},
        tree=((("d2d3",), 3, 0.5),), nodes=12, depth=4, text="hello",
    )  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [
        {"value": 1.5}, {"value": "0.5"}, {"value": True}, {"value": float("nan")}, {"value": float("inf")},
        {"line": ["a1a5"]}, {"line": "d2d3"}, {"line": [7, None]}, {"visits": {"a1a5": 3}}, {"visits": [1]},
        {"visits": {"d2d3": -1}}, {"visits": {"d2d3": "many"}}, {"policy": {"d2d3": 2}}, {"nodes": -1},
        {"nodes": 1e400}, {"depth": "x"}, {"text": 7}, {"tree": [[["a1a5"], 1, 0.5], 3, [1, 2], [["d2d3"], 1, 9]]},
        {"unknown": {"nested": [1]}}, {},
    ],
)  # fmt: skip
def test_what_is_not_finite_not_legal_or_not_text_is_dropped(report: object) -> None:
    assert read(report) == NONE


@pytest.mark.parametrize("payload", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 4000, b'{"nodes": ' + b"9" * 4000 + b"}"])
def test_what_cannot_be_read_is_no_report(payload: bytes) -> None:
    assert read_report(payload, START) is None


def test_a_line_ends_before_its_first_illegal_move() -> None:
    found = read({"line": ["d2d3", "a1a5", "a4a3"], "text": "\x1b[31mred"})
    assert found == AgentReport(line=("d2d3",), text=r"\x1b[31mred")


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., tuple[list[AgentReport], str]]:
    """Asks an agent whose `act` has this body for a move; returns its reports and its answer or the rule it broke."""

    def play(body: str, *, listens: bool = True, confined: bool = True) -> tuple[list[AgentReport], str]:
        (tmp_path / "talker.py").write_text(AGENT.format(body=body.replace("\n", "\n        ")))
        entrant = resolve(f"{tmp_path}/talker.py", home=tmp_path / "home")
        reports: list[AgentReport] = []
        rules = Rules() if confined else None
        with ProcessPlayers(Setup(MICRO, rules, home=tmp_path / "home")) as players:
            player: AgentPlayer = players.program(entrant, charge="wall")  # type: ignore[assignment]
            player._on_report = reports.append if listens else None
            try:
                player.open(MICRO, WHITE, start=START.text, seed=1)
                times = Times(own=300.0, opponent=300.0, opponent_last_move=0.0)
                return reports, player.ask(History(START.text, (), START), times).text
            except Fault as fault:
                return reports, fault.rule
            finally:
                player.close()

    return play


RAW = """
import agents.child as child, gc, socket
loop = [each for each in gc.get_objects() if isinstance(each, child.Loop)][0]
wire = socket.socket(fileno=3)
for number in range({count}):
    wire.send(loop._tag + b"i" + {payload})
wire.detach()
"""


def test_reports_reach_whoever_listens(played: Any) -> None:
    reports, answer = played("self.tell(value=0.5, line=['d2d3'], nodes=9)")
    assert (reports, answer) == ([AgentReport(value=0.5, line=("d2d3",), nodes=9)], "d2d3")


def test_nothing_is_sent_if_nobody_listens(played: Any) -> None:
    assert played("assert watch.reporter is None\nself.tell(value=0.5)", listens=False) == ([], "d2d3")


def test_a_well_meant_flood_of_tells_is_thinned_out(played: Any) -> None:
    reports, answer = played("for number in range(50_000):\n    self.tell(nodes=number + 1)")
    assert answer == "d2d3"
    assert reports[-1] == AgentReport(nodes=50_000)
    assert len(reports) < 1000


@pytest.mark.parametrize("listens", [True, False])
@pytest.mark.parametrize(
    ("count", "payload", "verdict"),
    [
        (900, 'b"{}"', "d2d3"), (1100, 'b"{}"', "protocol"), (1, 'b"x" * 4096', "d2d3"), (1, 'b"x" * 4097', "protocol"),
    ],
)  # fmt: skip
def test_raw_reports_have_the_same_verdict_whether_or_not_somebody_listens(
    played: Any, count: int, payload: str, verdict: str, listens: bool
) -> None:
    reports, answer = played(RAW.format(count=count, payload=payload), listens=listens)
    assert answer == verdict
    assert len(reports) <= 20 if listens else not reports


STOP = """
assert not self.should_stop()
try:
    watch.stop_byte[0] = 1
except TypeError:
    pass
else:
    raise AssertionError("written")
while not self.should_stop():
    self.tell(nodes=1)
"""


def test_the_stop_byte_reaches_a_confined_search_that_cannot_write_it(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(AGENT.format(body=STOP.replace("\n", "\n        ")))
    entrant = resolve(f"{tmp_path}/talker.py", home=tmp_path / "home")
    stop_byte = StopByte()
    with ProcessPlayers(Setup(MICRO, Rules(), home=tmp_path / "home")) as players:
        player = players.served(
            entrant, charge="wall", on_report=lambda _: stop_byte.set(), stop_byte=stop_byte, grace=2.0
        )  # fmt: skip
        try:
            player.open(MICRO, WHITE, start=START.text, seed=1)
            times = Times(own=300.0, opponent=300.0, opponent_last_move=0.0)
            assert player.ask(History(START.text, (), START), times).text == "d2d3"
            stop_byte.clear()
        finally:
            player.close()
            stop_byte.close()


def test_the_wire_of_an_unconfined_agent_works_too(played: Any) -> None:
    assert played("self.tell(nodes=3)", confined=False) == ([AgentReport(nodes=3)], "d2d3")


def test_the_game_of_a_report_is_that_of_the_player() -> None:
    game: Game = load("othello")
    assert read_report(b'{"line": ["d3", "c5"]}', game.start()) == AgentReport(line=("d3", "c5"))


def test_an_engine_that_talks_all_the_time_is_heard_a_few_times_a_second_and_at_last() -> None:
    heard: list[AgentReport] = []
    now = 0.0
    reports = EngineReports(heard.append, START, now=lambda: now)
    for number in range(1, 1001):
        now = number / 500
        reports.hear({"nodes": number, "value": float("nan"), "line": ["z9", 7], "visits": {"</b>": 3}})
    reports.flush()
    reports.flush()
    assert len(heard) <= 20
    assert heard[-1] == AgentReport(nodes=1000)


def test_of_the_claims_about_a_move_the_last_is_kept_and_it_is_short() -> None:
    claims = Claims(turns=2)
    claims.hear(AgentReport(nodes=1))
    claims.hear(AgentReport(value=1 / 3, depth=4, nodes=9, line=("d2d3",) * 20, visits={str(n): n for n in range(9)}))
    claims.made(3)
    claims.hear(AgentReport(text="nothing that is stored"))
    claims.made(4)
    claims.hear(AgentReport(value=0.5))
    assert [claim.turn for claim in claims.records()] == [3, 5]
    best = (("8", 0.222), ("7", 0.194), ("6", 0.167), ("5", 0.139), ("4", 0.111))
    assert claims.records()[0] == ClaimRecord(3, 0.3333, 4, 9, ("d2d3",) * 8, best)
    claims.made(2)  # moves were taken back
    assert claims.records() == ()


def test_the_last_report_of_every_move_is_kept_however_fast_the_moves_are(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(AGENT.format(body="self.tell(nodes=len(state.move_stack) + 1)"))
    entrant = resolve(f"{tmp_path}/talker.py", home=tmp_path / "home")
    reports: list[AgentReport] = []
    with ProcessPlayers(Setup(MICRO, None, home=tmp_path / "home")) as players:
        player = players.program(entrant, charge="wall", on_report=reports.append)
        try:
            player.open(MICRO, WHITE, start=START.text, seed=1)
            for _ in range(40):
                player.ask(History(START.text, (), START), Times(own=300.0, opponent=300.0, opponent_last_move=0.0))
        finally:
            player.close()
    assert reports == [AgentReport(nodes=1)] * 40
