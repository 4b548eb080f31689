"""What agents/README.md says is so."""

import importlib
import inspect
import re
import runpy
from pathlib import Path

import agents
import games
from agents import BaseAgent
from agents.basic.random_agent import RandomAgent
from agents.names import NAMES
from arena.studies import study as study_file
from games.base import BLACK, WHITE

README = (Path(agents.__file__).parent / "README.md").read_text(encoding="utf-8")


def example():
    """The first code block, run, with the `__init__` of the second put into its class."""
    agent, constructor = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    module: dict[str, object] = {}
    exec(agent + "\n" + constructor, module)
    return module["Collector"]


def rows():
    """Class path and the options cell of each row of the table of agents."""
    return re.findall(r"^\| `.*\| `(agents\.[\w.]+)` \| (.*?) ?\|", README, re.MULTILINE)


def test_the_example_plays_a_whole_game_and_takes_what_it_can(play):
    collector = example()
    assert issubclass(collector, BaseAgent)
    agent = collector("collector", WHITE, greed=2)
    assert agent.greed == 2
    start = games.load("microchess").start()
    assert play(start, agent, RandomAgent("random", BLACK)).is_game_over()
    assert str(agent.act(games.load("microchess").position("k2r/4/4/4/K2R w - - 0 1"))) == "d1d5"


def test_the_table_lists_every_bundled_agent_and_no_other():
    assert {path for path, _ in rows()} == set(NAMES.values()) - {NAMES["human"]}
    for name in NAMES:
        assert f"`{name}`" in README


def test_the_table_gives_every_option_and_its_default():
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


def test_what_the_studies_found_stands_with_its_tables():
    tables = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "studies.py"))
    found = tables["studies"]()
    assert sorted(found) == study_file.names()
    for name, result in found.items():
        assert result["form"] == "full"
        assert f"### {result['title']}\n" in README, name
        assert tables["section"](result) in README, f"python -P tests/bench/studies.py {name}"
