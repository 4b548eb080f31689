"""Descriptions of the bundled agents, read without importing them."""

import importlib
import inspect
import subprocess
import sys
from operator import attrgetter

import pytest

from agents.names import ENGINES, NAMES, SPECIALISTS
from arena.entrants.catalog import Description, bundled, engines

AGENTS = {agent.name: agent for agent in bundled()}


def test_every_name_is_described_in_the_order_of_the_table_of_names() -> None:
    assert list(AGENTS) == list(NAMES)
    assert [engine.name for engine in engines()] == list(ENGINES)


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_every_agent_has_one_line_about_it(agent: Description) -> None:
    assert agent.summary.endswith(".")
    assert agent.path == NAMES[agent.name]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("abp_negamax", "depth=4"),
        ("alphabeta", "nodes"),  # the module of its public path imports it from another module
        ("greedy", "evaluation=share"),
        ("mcts", "simulations=1000"),  # the default if neither `simulations` nor `seconds` is given
        ("mcts_dev", "simulations=5000"),
        ("othello_alphabeta", "depth=6"),
    ],
)
def test_options_are_listed_with_their_defaults(name: str, option: str) -> None:
    assert option in AGENTS[name].options.split(", ")


@pytest.mark.parametrize("agent", [agent for agent in AGENTS.values() if agent.name != "human"], ids=attrgetter("name"))
def test_the_listed_options_are_those_of_the_constructor(agent: Description) -> None:
    module, _, name = agent.path.rpartition(".")
    constructor = getattr(importlib.import_module(module), name).__init__  # of a class, older Pythons take `__new__`
    parameters = inspect.signature(constructor).parameters.values()
    known = [each.name for each in parameters if each.default is not each.empty]
    assert [option.partition("=")[0] for option in agent.options.split(", ") if option] == known


def test_agents_that_play_only_one_game_are_in_the_table_of_specialists() -> None:
    for path in set(NAMES.values()) - {NAMES["human"]}:
        module, _, name = path.rpartition(".")
        agent = getattr(importlib.import_module(module), name)
        only_one = getattr(agent, "plays", object) is not object or "mushroom" in path
        assert only_one == (".".join(path.split(".")[:2]) in SPECIALISTS), path


def test_agents_are_not_imported() -> None:
    code = (
        "import sys; from arena.entrants.catalog import bundled; list(bundled()); "
        "print(*(name for name in sys.modules if name.startswith(('agents.basic.', 'agents.search.'))))"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
