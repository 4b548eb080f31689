"""The weights that come with the arena: where they come from, and the command that puts them there."""

import configparser
import hashlib
import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from agents.self_learning import export as exporting
from agents.self_learning.__main__ import main
from agents.self_learning.export import MOST_SHIPPED_BYTES, SHIPPED_WEIGHTS, as_shipped, provenance, ship
from agents.self_learning.learner import LEARNERS
from agents.self_learning.recipe import Recipe, shipped
from agents.self_learning.run_folder import RunFolder

Capture = pytest.CaptureFixture[str]
FACTS = {
    "run", "generation", "sha256", "seed", "cpu_minutes", "games", "created", "trained", "commit", "made_with",
    "recipe", "changes", "ladder",
}  # fmt: skip
POINT = {"generation": 3, "minutes": 5.0, "anchor": "random", "games": 20, "score": 0.9, "error": 0.1, "player": ""}


def facts_of(weights: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def names(ending: str) -> list[str]:
    return sorted(path.stem for path in SHIPPED_WEIGHTS.glob(f"*.{ending}"))


def check_origin(weights: Path) -> None:
    """See that the file beside the weights says all that is needed to train them again."""
    facts = facts_of(weights)
    assert set(facts) == FACTS
    recipe = Recipe.of(facts["recipe"])
    assert weights.stem == f"{recipe.learner}-{recipe.game.partition(':')[0]}"
    assert recipe.learner in LEARNERS
    path = shipped(recipe.game, recipe.learner)
    assert path is not None
    assert recipe == as_shipped(recipe, path)
    assert recipe.run.seed == facts["seed"]
    assert re.fullmatch("[0-9a-f]{40}", facts["commit"])
    assert facts["cpu_minutes"] > 0
    assert facts["games"] > 0
    assert datetime.fromisoformat(facts["created"]) <= datetime.fromisoformat(facts["trained"])
    points = [point for point in facts["ladder"] if point["generation"] == facts["generation"]]
    assert points
    assert all(point["games"] >= 2 and 0 <= point["score"] <= 1 and point["error"] > 0 for point in points)


def test_all_shipped_weights_say_where_they_come_from() -> None:
    assert names("bin") == names("json")
    config = configparser.ConfigParser()
    config.read(SHIPPED_WEIGHTS.parents[2] / "setup.cfg")
    assert {"weights/*.bin", "weights/*.json"} <= set(
        config["options.package_data"]["agents.self_learning"].split(", ")
    )


@pytest.mark.parametrize("name", names("bin"))
def test_shipped_weights_can_be_trained_again(name: str) -> None:
    weights = SHIPPED_WEIGHTS / f"{name}.bin"
    facts = facts_of(weights)
    assert weights.stat().st_size <= MOST_SHIPPED_BYTES
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == facts["sha256"]
    if "trial" not in facts:  # the first weights are older than the command `ship`; no others may say this
        check_origin(weights)
    else:
        assert set(facts) == {"trial", "sha256", "commit", "date"}


@pytest.fixture
def measured(tmp_path: Path) -> Callable[..., RunFolder]:
    """A run by the shipped recipe for microchess whose generation 3 is on the ladder; keywords change its settings."""

    def make(**settings: object) -> RunFolder:
        folder = RunFolder(tmp_path / "run")
        path = shipped("microchess", "learned_alphabeta")
        assert path is not None
        folder.create(Recipe.from_file(path).changed({"seed": 7, **settings}))
        folder.weights(3).write_bytes(b"weights")
        row = {"total_seconds": 300.0, "total_games": 1000, "when": "2100-01-01T00:00:00.000Z"}
        folder.notes.write("curve", {"000003": row})
        folder.notes.write("ladder", {"000003 random": POINT, "000004 random": POINT | {"generation": 4}})
        folder.notes.write("configuration", {"made_with": {"python": "3", "commit": "ab" * 20}})
        return folder

    return make


def test_the_origin_of_weights_has_the_cost_the_seed_and_the_points_of_the_ladder(
    measured: Callable[..., RunFolder],
) -> None:
    facts = provenance(measured(), 3)
    assert set(facts) == FACTS
    assert facts["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert (facts["seed"], facts["cpu_minutes"], facts["games"]) == (7, 5.0, 1000)
    assert (facts["commit"], facts["made_with"]) == ("ab" * 20, {"python": "3"})
    assert facts["ladder"] == [POINT]  # not those of later generations


@pytest.mark.parametrize("ladder", [{}, {"anchors": ("random",), "ladder_games": 4}], ids=["same", "other"])
def test_shipping_writes_weights_and_origin(
    measured: Callable[..., RunFolder], tmp_path: Path, ladder: dict[str, object]
) -> None:
    made = ship(measured(**ladder), generation=3, target=tmp_path)
    assert made == tmp_path / "learned_alphabeta-microchess.bin"
    assert made.read_bytes() == b"weights"
    check_origin(made)


def test_a_run_by_another_recipe_is_not_shipped(
    measured: Callable[..., RunFolder], tmp_path: Path, capsys: Capture
) -> None:
    folder = measured(most_nodes=500)
    assert main(["ship", str(folder.path), "--generation", "3"]) == 2
    line = "the run differs from the recipe microchess.toml: most_nodes was 400, is 500\n"
    assert capsys.readouterr().err == line


def test_weights_that_were_not_measured_or_are_too_large_are_not_shipped(
    measured: Callable[..., RunFolder], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = measured()
    folder.weights(2).write_bytes(b"weights")
    assert main(["ship", str(folder.path), "--generation", "2"]) == 1
    assert capsys.readouterr().err == "generation 2 was not measured yet: arena train ladder run\n"
    monkeypatch.setattr(exporting, "MOST_SHIPPED_BYTES", 5)
    assert main(["ship", str(folder.path), "--generation", "3"]) == 1
    assert capsys.readouterr().err == "the weights have 7 bytes; at most 5 are shipped\n"
    assert main(["ship", str(folder.path)]) == 1
    assert "has not finished its first generation" in capsys.readouterr().err
