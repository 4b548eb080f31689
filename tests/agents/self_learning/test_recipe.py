"""Recipes: typed settings, and one line about what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.self_learning.errors import BadRecipe
from agents.self_learning.learner import LEARNERS, Learner, learner_class
from agents.self_learning.recipe import Recipe, RunSettings, shipped, shipped_names
from agents.self_learning.settings import settings_of

TINY = "tiny_learner:TinyLearner"
#: One short game with tiny searches, whatever the learner.
QUICK = {
    "games": 1, "simulations": 4, "fast": 2, "full_share": 1.0, "least_nodes": 2, "most_nodes": 10, "most_turns": 12,
}  # fmt: skip


def recipe(**values: object) -> Recipe:
    return Recipe.of({"game": "gomoku:size=5", "learner": TINY, **values})


def test_a_recipe_has_the_settings_of_every_run_and_of_its_learner() -> None:
    made = recipe(lr=1e-3, noise=0.5, anchors=["random", "uct"])
    assert made.run.lr == 1e-3
    assert made.own.as_dict()["noise"] == 0.5
    assert made.run.anchors == ("random", "uct")
    assert Recipe.of(made.as_dict()) == made
    assert isinstance(made.make_learner(), Learner)


def test_a_whole_number_may_stand_for_a_number() -> None:
    assert recipe(passes=4).run.passes == 4.0


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"weight-decay": 1}, r"unknown setting 'weight-decay' .*TinyLearner; did you mean 'weight_decay'\?"),
        ({"nois": 1}, r"unknown setting 'nois' .* did you mean 'noise'\?"),
        ({"zzzzz": 1}, "unknown setting 'zzzzz' .* known settings are anchors, batch"),
        ({"lr": "fast"}, "lr must be a number, not 'fast'"),
        ({"batch": 1.5}, "batch must be a whole number, not 1.5"),
        ({"batch": True}, "batch must be a whole number, not True"),
        ({"batch": 0}, "batch must be at least 1, not 0"),
        ({"validation": 0.9}, "validation must be 0 to 0.5, not 0.9"),
        ({"optimiser": "adam"}, "optimiser must be one of adamw, sgd, not 'adam'"),
        ({"anchors": "random"}, "anchors must be a list of texts, not 'random'"),
        ({"game": 3}, "game must be a text, not 3"),
        ({"learner": "alphazero"}, "unknown learner 'alphazero'; learners are learned_alphabeta, self_learning"),
        ({"learner": "learned_alphabet"}, r"did you mean 'learned_alphabeta'\?"),
        ({"learner": "tiny_learner:Missing"}, "learner 'tiny_learner:Missing' cannot be loaded"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(values: dict[str, object], line: str) -> None:
    with pytest.raises(BadRecipe, match=line) as caught:
        recipe(**values)
    assert "\n" not in str(caught.value)


def test_a_recipe_without_a_game_says_so() -> None:
    with pytest.raises(BadRecipe, match="names no game"):
        Recipe.of({"learner": TINY})


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    with pytest.raises(BadRecipe, match=r"cannot read the recipe .*mine\.toml"):
        Recipe.from_file(path)
    path.write_text("lr = ")
    with pytest.raises(BadRecipe, match=r"mine\.toml is not TOML"):
        Recipe.from_file(path)
    path.write_text("bach = 3")
    with pytest.raises(BadRecipe, match=r"mine\.toml: unknown setting 'bach'"):
        Recipe.from_file(path, game="gomoku", learner=TINY)


def test_a_recipe_for_another_game_is_refused() -> None:
    with pytest.raises(BadRecipe, match="the recipe is for othello, not for microchess"):
        Recipe.of({"game": "othello", "learner": TINY}, game="microchess")


def test_parameters_of_the_game_may_be_added() -> None:
    assert Recipe.of({"game": "gomoku", "learner": TINY}, game="gomoku:size=5").game == "gomoku:size=5"


def test_only_live_settings_change_while_a_run_goes_on() -> None:
    made = recipe()
    assert made.parse_changes({"lr": "1e-4", "noise": "0.5"}) == {"lr": 1e-4, "noise": 0.5}
    with pytest.raises(BadRecipe, match="seed cannot change while a run goes on; these can: anchors, batch"):
        made.parse_changes({"seed": "2"})
    with pytest.raises(BadRecipe, match="lr must be a number, not 'x'"):
        made.parse_changes({"lr": "x"})
    with pytest.raises(BadRecipe, match=r"did you mean 'noise'\?"):
        made.parse_changes({"noises": "1"})


def test_differences_are_named() -> None:
    assert recipe(lr=1.0, noise=0.5).differences(recipe()) == ["lr was 0.002, is 1.0", "noise was 0.3, is 0.5"]


@pytest.mark.parametrize("kind", [RunSettings, *(learner_class(name).settings_class for name in LEARNERS)])
def test_every_setting_is_explained(kind: Any) -> None:
    for name, about in settings_of(kind).items():
        assert about.help.endswith("."), name
    assert kind.of(kind().as_dict()) == kind()  # the defaults are valid


def test_no_learner_has_a_setting_of_every_run() -> None:
    for name in LEARNERS:
        assert not set(settings_of(RunSettings)) & set(settings_of(learner_class(name).settings_class)), name


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_recipes_are_valid(name: str) -> None:
    path = _path(name)
    assert path.stem == name
    assert Recipe.from_file(path).game.partition(":")[0] == name.partition("-")[0]


def _path(name: str) -> Path:
    """The file of a shipped recipe, found by game and learner."""
    game, _, learner = name.partition("-")
    path = shipped(game, learner or None)
    assert path is not None
    return path


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_recipe_plays_a_chunk_that_its_net_can_learn_from(name: str) -> None:
    pytest.importorskip("torch")
    made = Recipe.from_file(_path(name))
    quick = {key: value for key, value in QUICK.items() if key in settings_of(type(made.own))}
    learner = made.make_learner()
    network = learner.network(made.run.seed).eval()
    weights = learner.weights(network)
    assert len(weights) <= 2_000_000  # so that trained weights can be shipped
    chunk = learner.play(weights, generation=0, seed=1, settings=made.changed(quick).own)
    assert chunk.games == 1
    assert len(chunk.rows) > 0
    total, _ = learner.loss(network, learner.augment(chunk.rows, np.random.default_rng(1)))
    assert np.isfinite(total.item())


def test_self_learning_has_a_recipe_for_every_game_and_learned_alphabeta_for_its_own() -> None:
    for game in ("chess", "go", "gomoku", "microchess", "mushroom", "othello"):
        assert shipped(game, "self_learning") is not None, game
    for game in ("chess", "gomoku", "microchess", "othello"):
        assert shipped(game, "learned_alphabeta") is not None, game
    assert shipped("microchess", "no_such_learner") is None
    assert shipped("no_such_game") is None
