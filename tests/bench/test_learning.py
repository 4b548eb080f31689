"""The matches of the goals of self-learning, and what is stored about them."""

import hashlib
import json
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text(encoding="utf-8")
LEARNING: Any = runpy.run_path(str(HERE / "learning.py"))
GOALS = LEARNING["GOALS"]
STORED = LEARNING["stored"]()


def match(name: str, **values: Any) -> dict[str, Any]:
    """A match as it is stored."""
    cost = {"cpu_ms": 20.0, "wall_ms": 20.5, "wait_ms": 0.1}
    return {
        "name": name, "one": "a", "two": "b", "games": 400, "score": 0.7, "error": 0.04, "score_first": 0.75,
        "score_second": 0.65, "weights": {"seed": 1}, "one_per_move": cost, "two_per_move": cost, **values,
    }  # fmt: skip


@pytest.mark.parametrize("name", GOALS)
def test_pitfall_17_a_match_of_a_goal_has_an_even_number_of_games_from_paired_openings(name: str) -> None:
    goal = GOALS[name]
    assert goal.games % 2 == 0
    assert goal.games >= (40 if goal.limit == "cpu_seconds=1" else 200)
    if goal.game == "microchess":
        assert goal.openings == ["--openings", LEARNING["LEVEL_OPENINGS"]]
        assert (HERE.parents[1] / LEARNING["LEVEL_OPENINGS"]).exists()
    else:
        assert goal.opening_turns >= 4 or goal.game == "mushroom"


def test_a_new_result_replaces_that_of_the_same_goal_and_seed() -> None:
    merged, first = LEARNING["merged"], [match("puct-depth-6"), match("puct-depth-6", weights={"seed": 2})]
    found = merged(first, match("puct-depth-6", score=0.9))
    assert [(one["weights"]["seed"], one["score"]) for one in found] == [(1, 0.9), (2, 0.7)]
    found = merged(found, match("learned-alphabeta"))
    assert [one["name"] for one in found] == ["learned-alphabeta", "puct-depth-6", "puct-depth-6"]
    assert len(merged(found, match("alphabeta-fairy-time", weights=None))) == 4


def test_the_table_has_a_row_for_each_goal_and_for_each_seed_of_it() -> None:
    lines = LEARNING["table"]([match("puct-depth-6"), match("puct-depth-6", weights={"seed": 2})])
    assert len(lines) == 2 + len(GOALS) + 1
    assert "| puct-depth-6 | `a` | `b` | ≥ 0.60 | 2 | 400 | 0.700 ± 0.040 | 0.750 | 0.650 | 20.0 / 20.0 |" in lines


def test_an_engine_gets_the_nodes_that_cost_the_time_asked_for() -> None:
    settled, next_nodes = LEARNING["settled"], LEARNING["next_nodes"]
    trials: list[dict[str, Any]] = []
    assert not settled(trials, 100.0)
    assert next_nodes(trials, 100.0) == 100_000
    trials.append({"nodes": 100_000, "cpu_ms": 125.0})
    assert not settled(trials, 100.0)
    assert next_nodes(trials, 100.0) == 80_000
    trials.append({"nodes": 80_000, "cpu_ms": 98.0})
    assert settled(trials, 100.0)
    assert settled([{"nodes": 1, "cpu_ms": 50.0}] * LEARNING["MOST_TRIALS"], 100.0), "it ends"
    assert LEARNING["with_nodes"]("stockfish", 7) == "stockfish:nodes=7"
    assert LEARNING["with_nodes"]("stockfish:level=20", 7) == "stockfish:level=20,nodes=7"


def test_matches_at_equal_time_are_limited_in_cpu_time() -> None:
    for goal in GOALS.values():
        assert not any(word.startswith("seconds=") for word in (goal.limit, *goal.against.split(":")[-1].split(",")))
        assert (goal.engine_ms is None) or "stockfish" in goal.against


def test_the_readme_shows_the_table() -> None:
    assert "\n".join(LEARNING["table"](STORED)) in README


def test_stored_matches_are_complete_and_of_the_shipped_weights_or_of_another_seed() -> None:
    for found in STORED:
        goal, weights = GOALS[found["name"]], found["weights"]
        assert found["games"] >= goal.games
        assert found["version_two"]
        assert found["one_per_move"]["cpu_ms"] > 0
        words = shlex.split(found["command"])
        assert words[:2] == ["arena", "benchmark"]
        assert not any(word.startswith(("/", "~")) for word in words)
        if weights is not None and weights["shipped"]:
            measured = hashlib.sha256(goal.weights.read_bytes()).hexdigest()
            assert weights["sha256"] == measured, f"{goal.name} has other weights now: measure it again"
            facts = json.loads(goal.weights.with_suffix(".json").read_text(encoding="utf-8"))
            assert weights["seed"] == facts.get("seed")
