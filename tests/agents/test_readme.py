"""agents/README.md is true."""

import importlib
import inspect
import re
from dataclasses import fields
from pathlib import Path

import agents
import games
from agents import BaseAgent
from agents.basic.random_agent import RandomAgent
from agents.core.engine import Limits
from agents.core.knowledge import GameKnowledge
from agents.names import NAMES
from games.base import BLACK, WHITE

README = (Path(agents.__file__).parent / "README.md").read_text(encoding="utf-8")


def example():
    """The class of the first code block, with the `__init__` of the second block."""
    agent, constructor = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    module: dict[str, object] = {}
    exec(agent + "\n" + constructor, module)
    return module["Collector"]


def rows():
    """The class path and the cell with options of each row of the table of agents."""
    return re.findall(r"^\| `.*\| `(agents\.[\w.]+)` \| (.*?) ?\|", README, re.MULTILINE)


def test_the_example_plays_a_whole_game_and_captures(play):
    collector = example()
    assert issubclass(collector, BaseAgent)
    agent = collector("collector", WHITE, greed=2)
    assert agent.greed == 2
    start = games.load("microchess").start()
    assert play(start, agent, RandomAgent("random", BLACK)).is_game_over()
    assert str(agent.act(games.load("microchess").position("k2r/4/4/4/K2R w - - 0 1"))) == "d1d5"


def test_the_table_lists_exactly_the_bundled_agents():
    assert {path for path, _ in rows()} == set(NAMES.values()) - {NAMES["human"]}
    for name in NAMES:
        assert f"`{name}`" in README


def test_the_table_lists_every_option_with_its_default():
    for path, cell in rows():
        module, _, cls = path.rpartition(".")
        signature = inspect.signature(getattr(importlib.import_module(module), cls).__init__)
        options = {
            key: option.default for key, option in signature.parameters.items()
            if key not in ("self", "name", "color") and option.kind is not option.VAR_KEYWORD
        }  # fmt: skip
        written = dict(re.findall(r"`(\w+)`(?: \(([^)]*)\))?", cell))
        assert set(written) == set(options), path
        for key, default in written.items():
            if default and options[key] is not None:
                assert default == str(options[key]), (path, key)


def test_every_attribute_of_the_base_class_is_explained():
    for name in [*BaseAgent.__annotations__, *(name for name in vars(BaseAgent) if not name.startswith("_"))]:
        assert re.search(rf"`(self\.)?{name}\b", README), name


def test_every_package_of_agents_is_in_the_table_of_packages():
    folder = Path(agents.__file__).parent
    packages = {path.parent.name for path in folder.glob("*/__init__.py")} - {"core", "external"}
    assert set(re.findall(r"^\| `(\w+)/` \|", README, re.MULTILINE)) == packages


def test_limits_and_knowledge_are_described_field_by_field():
    for field in fields(GameKnowledge):
        assert f"`{field.name}`" in README, field.name
    limits = re.search(r"`Limits` \(([^)]*)\)", README)
    assert limits is not None
    assert limits[1].split(", ") == [field.name for field in fields(Limits)]


def test_every_file_that_is_named_exists():
    folder = Path(agents.__file__).parent
    for name in re.findall(r"`((?:core/)?\w+\.(?:py|bin))`", README):
        assert name == "my_agent.py" or list(folder.rglob(name)), name
    for name in re.findall(r"`((?:agents|arena|games)/[\w/.]+)`", README):
        assert (folder.parent / name).exists(), name
