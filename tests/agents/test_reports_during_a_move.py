"""Searches say what they think while they think, and play the same move whether or not somebody listens."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from agents import watch
from agents.base import BaseAgent, Limits
from agents.names import NAMES
from games.base import load

#: Searches with options that end them.
SEARCHES = {
    "puct": {"simulations": 300},
    "uct": {"simulations": 300},
    "self_learning": {"simulations": 300},
    "mcts": {"simulations": 300},
    "mcts_dev": {"simulations": 300},
    "alphabeta": {"depth": 4},
    "learned_alphabeta": {"depth": 3},
    "negamax": {"depth": 2},
    "abp_negamax": {"depth": 3},
}


@pytest.fixture
def made() -> Callable[..., BaseAgent]:
    """Makes a bundled agent by its short name, always with the same random numbers."""

    def make(name: str, **options: Any) -> BaseAgent:
        module, _, of_class = NAMES[name].rpartition(".")
        random.seed(1)
        agent: BaseAgent = getattr(__import__(module, fromlist=[of_class]), of_class)(name, True, **options)
        return agent

    return make


def listener(heard: Callable[[dict[str, Any]], object]) -> watch.Reporter:
    """A reporter to which each report is sent at once."""
    ticks = iter(range(10**9))
    return watch.Reporter(lambda report: heard(json.loads(report)), now=lambda: float(next(ticks)))


@pytest.mark.parametrize("name", ["puct", "uct", "self_learning", "mcts"])
@pytest.mark.parametrize("form", ["kernel", "python"])
def test_an_endless_search_reports_while_it_runs(
    made: Callable[..., BaseAgent], monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    heard: list[dict[str, Any]] = []
    request = bytearray(1)

    def hear(report: dict[str, Any]) -> None:
        heard.append(report)
        if len(heard) == 3:
            request[0] = 1  # only now the search may end

    monkeypatch.setenv("ARENA_KERNEL", "python" if form == "python" else "")
    monkeypatch.setattr(watch, "stop_byte", request)
    monkeypatch.setattr(watch, "reporter", listener(hear))
    state = load("microchess").start()
    agent = made(name, **({"simulations": 10**9} if name == "mcts" else {}))
    agent.limits = Limits(until_stopped=True)
    move = agent.act(state)
    assert len(heard) >= 3
    assert str(move) in {str(legal) for legal in state.legal_moves}
    for report in heard:
        assert report["line"][0] in {str(legal) for legal in state.legal_moves}
        assert 0 <= report.get("value", 0.0) <= 1
        assert report["nodes"] > 0
    assert heard[-1]["nodes"] > heard[0]["nodes"]


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("form", ["kernel", "python"])
def test_a_listener_changes_no_move(
    made: Callable[..., BaseAgent], monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    monkeypatch.setenv("ARENA_KERNEL", "python" if form == "python" else "")
    monkeypatch.setattr(watch, "_SECONDS_BETWEEN", 0.0)  # native searches are interrupted as often as they can be
    state = load("microchess").start()

    def moves() -> list[tuple[str, object]]:
        agent, now, played = made(name, **SEARCHES[name]), state, []
        for _ in range(4):
            move = agent.act(now)
            report = getattr(agent, "report", None)
            played.append((str(move), report and (report.nodes, report.score, report.visits)))
            now = now.forward(move)
            if now.is_game_over():
                break
        return played

    alone = moves()
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(watch, "reporter", listener(heard.append))
    assert moves() == alone
    assert heard
