"""Reports of a search, limits of a move, and the byte that asks a search to stop."""

import json
import math
import tempfile
import time
from typing import Any

import pytest

from agents import watch
from agents.alphabeta.agent import AlphaBetaAgent
from agents.base import OPEN, BaseAgent, Limits
from agents.budget import Deadline, OutOfTime
from agents.child import Loop, map_stop_byte
from agents.puct.agent import PuctAgent
from agents.self_learning.agent import SelfLearningAgent
from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent
from agents.uct.agent import UCTAgent
from games.base import WHITE, load

MICRO = load("microchess")


class Talker(BaseAgent):
    """An agent that is told what to tell."""

    def act(self, state: Any) -> Any:
        return next(iter(state.legal_moves))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a listener hears; every report is sent."""
    found: list[dict[str, Any]] = []
    ticks = iter(range(10**9))
    reporter = watch.Reporter(lambda data: found.append(json.loads(data)), now=lambda: float(next(ticks)))
    monkeypatch.setattr(watch, "reporter", reporter)
    return found


@pytest.fixture
def byte(monkeypatch: pytest.MonkeyPatch) -> bytearray:
    made = bytearray(1)
    monkeypatch.setattr(watch, "stop_byte", made)
    return made


def test_nothing_is_written_if_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []
    monkeypatch.setattr(watch, "encoded", written.append)
    monkeypatch.setattr(watch, "reporter", None)
    Talker("a", WHITE).tell(value=0.5, line=("a1a2",), nodes=3)
    assert not written


def test_a_report_is_sent_as_json_without_what_is_empty(heard: list[dict[str, Any]]) -> None:
    Talker("a", WHITE).tell(value=0.25, line=["d2d3"], nodes=7)
    assert heard == [{"value": 0.25, "line": ["d2d3"], "nodes": 7}]


@pytest.mark.parametrize(
    "report",
    [
        {"value": object()},
        {"line": 7},
        {"visits": {object(): 1}},
        {"text": b"x"},
        {"tree": [object()]},
        {"nodes": "x" * 9999},
    ],
)
def test_telling_nonsense_never_raises(heard: list[dict[str, Any]], report: dict[str, Any]) -> None:
    Talker("a", WHITE).tell(**report)
    assert len(heard) <= 1


def test_a_long_report_is_cut_to_what_fits(heard: list[dict[str, Any]]) -> None:
    visits = {f"move{number}": number for number in range(2000)}
    Talker("a", WHITE).tell(value=0.5, visits=visits, text="hello")
    assert heard == [{"value": 0.5, "text": "hello"}]
    assert len(watch.encoded({"text": "x" * 9999})) <= watch.REPORT_BYTES


def test_reports_are_not_sent_more_often_than_they_are_kept() -> None:
    sent: list[bytes] = []
    clock = [0.0]
    reporter = watch.Reporter(sent.append, now=lambda: clock[0])
    for number in range(100):
        clock[0] = number / 100
        reporter.tell({"nodes": number + 1})
    assert len(sent) == 8
    reporter.flush()
    reporter.flush()
    assert json.loads(sent[-1]) == {"nodes": 100}
    assert len(sent) == 9


def ask(loop: Loop, request: str, **arguments: Any) -> bytes:
    return loop.handle(b"12345678" + json.dumps({request: arguments}).encode())


@pytest.mark.parametrize("listens", [True, False])
def test_reports_go_out_before_the_answer_if_somebody_listens(
    tmp_path: Any, listens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "reporter", None)
    (tmp_path / "talker_of_test.py").write_text(
        "from agents import BaseAgent\n\nclass Talker(BaseAgent):\n    def act(self, state):\n"
        "        self.tell(nodes=1)\n        self.tell(nodes=2, depth=self.limits.depth or 0)\n"
        "        return next(iter(state.legal_moves))\n"
    )
    sent: list[bytes] = []
    loop = Loop(sent.append)
    more = {"reports": True} if listens else {}
    ask(loop, "load", game="microchess", start=MICRO.start().text, agent="talker_of_test.py", stage=str(tmp_path),
        name="t", options={}, color=True, seed=1, **more)  # fmt: skip
    answer = ask(loop, "act", moves=[], own=None, opponent=None, limits={"depth": 3})
    assert answer[:9] == b"12345678m"
    assert sent == ([b'12345678i{"nodes":1}', b'12345678i{"nodes":2,"depth":3}'] if listens else [])


def test_limits_are_open_unless_another_program_sets_them() -> None:
    assert Talker("a", WHITE).limits == OPEN == Limits()
    assert math.isinf(OPEN.seconds)


def test_a_byte_that_is_set_ends_a_search_in_python(byte: bytearray) -> None:
    deadline = Deadline(math.inf)
    deadline.check()
    assert not Talker("a", WHITE).should_stop()
    byte[0] = 1
    assert Talker("a", WHITE).should_stop()
    with pytest.raises(OutOfTime):
        deadline.check()


@pytest.mark.parametrize("kind", [AlphaBetaAgent, UCTAgent])
def test_a_byte_that_is_set_ends_a_native_search(byte: bytearray, kind: type[BaseAgent]) -> None:
    agent: Any = kind("a", WHITE)
    agent.limits = Limits(until_stopped=True)
    byte[0] = 1
    state = MICRO.start()
    assert agent.act(state) in state.legal_moves  # without the byte it would search for ever


def test_the_byte_is_mapped_so_that_it_can_only_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "stop_byte", None)
    with tempfile.TemporaryFile() as file:
        file.write(b"\0")
        file.flush()
        map_stop_byte(file.fileno())
        mapped: Any = watch.stop_byte
        assert not watch.is_stopped()
        with pytest.raises(TypeError):
            mapped[0] = 1
        file.seek(0)
        file.write(b"\1")
        file.flush()
        assert watch.is_stopped()
        mapped.close()


@pytest.mark.parametrize(("kind", "options"), [(AlphaBetaAgent, {"nodes": 3000}), (UCTAgent, {"simulations": 300})])
def test_watching_never_changes_a_move(
    heard: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, kind: Any, options: dict[str, int]
) -> None:
    def moves() -> list[str]:
        import random

        random.seed(5)
        agent, state, made = kind("a", WHITE, **options), MICRO.start(), []
        for _ in range(6):
            made.append(str(agent.act(state)))
            state = state.forward(state.parse(made[-1]))
        return made

    watched = moves()
    assert heard
    assert all(0 <= report["value"] <= 1 and report["line"] for report in heard if "value" in report)
    monkeypatch.setattr(watch, "reporter", None)
    assert moves() == watched


def test_limits_of_another_program_are_heeded_where_they_are_lower() -> None:
    agent = AlphaBetaAgent("a", WHITE, depth=9)
    agent.limits = Limits(depth=2)
    agent.act(MICRO.start())
    assert agent.report is not None
    assert agent.report.depth == 2
    agent.limits = OPEN
    assert agent.allowed_now().depth == 9


class TestCpuSeconds:
    """The limit of CPU time. No test says how long a search takes: only that it ends, and not before its limit."""

    @pytest.mark.parametrize("agent", [AlphaBetaAgent, UCTAgent, PuctAgent, SelfLearningAgent, LearnedAlphaBetaAgent])
    def test_a_native_search_goes_on_until_its_cpu_time_is_spent(self, agent: Any) -> None:
        before = time.thread_time()
        player = agent("a", WHITE, cpu_seconds=0.01)
        player.book = False
        player.act(MICRO.start())
        assert time.thread_time() >= before + 0.01
        assert player.report.nodes > 1
        assert watch.cpu_end == math.inf

    @pytest.mark.parametrize("agent", [AlphaBetaAgent, UCTAgent, PuctAgent, SelfLearningAgent, LearnedAlphaBetaAgent])
    def test_without_cpu_time_a_search_ends_at_once(self, agent: Any) -> None:
        player = agent("a", WHITE, cpu_seconds=0.0)
        player.act(MICRO.start())
        assert player.report.nodes <= 256

    @pytest.mark.parametrize("agent", [AlphaBetaAgent, UCTAgent, PuctAgent, LearnedAlphaBetaAgent])
    def test_the_searches_in_python_read_the_same_clock(self, agent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ARENA_KERNEL", "python")
        spent = iter(range(10**9))
        monkeypatch.setattr(watch.time, "thread_time", lambda: float(next(spent)))
        player = agent("a", WHITE, cpu_seconds=20)
        player.book = False
        player.act(MICRO.start())
        assert 1 <= player.report.nodes <= 20

    def test_it_is_checked_like_other_limits_and_the_limit_of_another_program_is_heeded_too(self) -> None:
        with pytest.raises(ValueError, match="cpu_seconds"):
            AlphaBetaAgent("a", WHITE, cpu_seconds=-1)
        agent = AlphaBetaAgent("a", WHITE, cpu_seconds=3)
        agent.limits = Limits(cpu_seconds=0.0)
        agent.act(MICRO.start())
        assert agent.report is not None
        assert agent.report.nodes <= 256

    def test_a_limit_ends_with_its_block(self) -> None:
        with watch.limited_cpu(5.0):
            outer = watch.cpu_end
            with watch.limited_cpu(0.0):
                assert watch.is_stopped()
                with pytest.raises(OutOfTime):
                    Deadline(math.inf).check()
            assert watch.cpu_end == outer
        assert not watch.is_stopped()
