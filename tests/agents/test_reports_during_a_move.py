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


@pytest.mark.parametrize("name", ["mcts_dev", "uct", "puct", "self_learning"])
@pytest.mark.parametrize("form", ["kernel", "python"])
def test_a_tree_search_tells_two_levels_whose_values_are_for_the_side_that_searches(
    made: Callable[..., BaseAgent], monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    monkeypatch.setenv("ARENA_KERNEL", "python" if form == "python" else "")
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(watch, "reporter", listener(heard.append))
    state = load("microchess").position("k3/4/4/4/1RK1 w - - 0 1")
    made(name, simulations=300).act(state)
    watch.reporter.flush()  # type: ignore[union-attr]
    found = heard[-1]
    tree = {tuple(line): (visits, value) for line, visits, value in found["tree"]}
    moves = [line for line in tree if len(line) == 1]
    assert {visits for visits, _ in map(tree.get, moves)} <= set(found["visits"].values())  # type: ignore[misc]
    complete = 0
    for line in moves:
        visits, value = tree[line]
        answers = [answer for other, answer in tree.items() if other[:1] == line and len(other) == 2]
        after = state.forward(state.parse(line[0]))
        assert {other[1] for other in tree if other[:1] == line and len(other) == 2} <= set(map(str, after.legal_moves))
        if sum(count for count, _ in answers) >= visits - 1:  # in most searches the first visit has no answer
            complete += 1
            below = sum(count * score for count, score in answers)
            assert -0.05 <= visits * value - below <= 1.05
    assert complete
