"""agents/self_learning/README.md is true."""

import doctest
import re
from pathlib import Path

import agents.self_learning
from agents.self_learning.learner import LEARNERS, Learner
from agents.self_learning.policy_settings import PolicySettings
from agents.self_learning.recipe import RunSettings
from agents.self_learning.settings import settings_of
from agents.self_learning.value_learner import ValueSettings

FOLDER = Path(agents.self_learning.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_its_examples_are_true() -> None:
    tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert (tried.failed, tried.attempted > 30) == (0, True)


def test_it_names_files_that_exist() -> None:
    names = set(re.findall(r"`([\w/]+\.(?:py|hpp|ipynb|toml))`", README)) - {"GAME.toml", "agent.py"}
    assert len(names) > 15
    for name in names:
        assert (FOLDER / name).exists() or (FOLDER.parents[1] / name).exists(), name


def test_it_names_the_learners_and_the_methods_of_one() -> None:
    assert all(f"`{name}`" in README for name in LEARNERS)
    methods = [name for name in vars(Learner) if not name.startswith("_")] + ["settings_class", "row"]
    assert all(re.search(rf"^\| `{name}\b", README, re.MULTILINE) for name in methods)


def test_it_names_settings_that_exist() -> None:
    known = {**settings_of(RunSettings), **settings_of(PolicySettings), **settings_of(ValueSettings)}
    named = set(re.findall(r"`(\w+) = [^`]*`", README)) | set(re.findall(r"\(`([a-z_]+)`(?:, `[a-z_]+`)*\)", README))
    assert {"gate", "gumbel", "forced", "surprise"} <= named
    assert named - set(known) <= {"augment"}
