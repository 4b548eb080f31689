"""Slow tests of leagues; `make soak` runs them."""

import multiprocessing
import os
from collections.abc import Iterator
from typing import Any

import pytest

AGENTS = ("one_step_search", "two_step_search", "negamax", "abp_negamax", "mcts")
GAMES = 200


def spin(core: int) -> None:
    os.sched_setaffinity(0, {core})
    while True:
        pass


@pytest.fixture
def busy() -> Iterator[None]:
    """A busy process on every core."""
    strangers = [multiprocessing.Process(target=spin, args=(core,), daemon=True) for core in os.sched_getaffinity(0)]
    for stranger in strangers:
        stranger.start()
    yield
    for stranger in strangers:
        stranger.kill()
        stranger.join()


@pytest.mark.soak
def test_no_bundled_agent_loses_on_time_on_a_busy_machine(arena: Any, busy: None) -> None:
    *games, _ = arena("league", *AGENTS, "--time", "1", "--opening-turns", "2", "--rounds", "10", "--json").json
    assert len(games) == GAMES
    assert [game["fault"] for game in games if game["fault"]] == []
