"""Descriptions of the bundled agents, read without importing them."""

import subprocess
import sys

import pytest

from agents.names import ENGINES, NAMES
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
        ("mcts_dev", "simulations=5000"),
    ],
)
def test_options_are_listed_with_their_defaults(name: str, option: str) -> None:
    assert option in AGENTS[name].options.split(", ")


def test_agents_are_not_imported() -> None:
    code = (
        "import sys; from arena.entrants.catalog import bundled; list(bundled()); "
        "print(*(name for name in sys.modules if name.startswith(('agents.basic.', 'agents.search.'))))"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
