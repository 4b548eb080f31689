"""Typos of commands and options, and the lists that say what there is."""

import importlib
import json
from typing import Any

import pytest

from agents.base import option_names as imported_names
from agents.names import NAMES
from arena.cli import run
from arena.entrants.catalog import option_names


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("leage", "Error: no such command 'leage'; did you mean 'league'?"),
        ("chek", "Error: no such command 'chek'; did you mean 'check'?"),
        ("xyzzy", "Error: no such command 'xyzzy'; `arena --help` lists the commands"),
    ],
)
def test_a_command_with_a_typo_gets_the_nearest_one(typed: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([typed]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == says


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("mcts:simulation=3", "arena: mcts has no option 'simulation'; did you mean 'simulations'?"),
        ("random:x=1", "arena: random has no option 'x'; it has no options"),
        ("negamax:x=1", "arena: negamax has no option 'x'; it has depth, evaluation"),
    ],
)
def test_an_option_that_an_agent_does_not_have_is_refused_before_any_game(
    agent: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["league", agent, "random", "--dry-run"]) == 2
    assert capsys.readouterr().err.splitlines() == [says]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "human"])
def test_the_options_that_are_read_are_those_of_the_class(name: str) -> None:
    module, _, found = NAMES[name].rpartition(".")
    assert option_names(NAMES[name]) == imported_names(getattr(importlib.import_module(module), found))


def test_agents_are_listed_by_the_game_that_they_play(arena: Any) -> None:
    def named(*words: str) -> set[str]:
        return {row["name"] for row in json.loads(arena("agents", *words, "--json").out)}

    assert {"othello_uct", "nboard", "random"} <= named("--game", "othello")
    assert not {"gomoku", "stockfish"} & named("--game", "othello")
    assert "stockfish" in named("--game", "chess")
    assert arena("agents", "--game", "othelo").error == "arena: no game called 'othelo'; did you mean 'othello'?"


def test_a_league_and_a_class_with_a_typo_get_the_nearest_one(arena: Any) -> None:
    (arena.folder / "mine.py").write_text(
        "from agents import BaseAgent\n\nclass Mine(BaseAgent):\n    def act(self, state):\n        return 0\n"
    )
    arena("play", "random", "random", "--turns", "2", "--name", "thursday")
    assert arena("records", "--league", "thurdsay").error == (
        "arena: no league called 'thurdsay' in arena.db; did you mean 'thursday'?"
    )
    assert (
        "there is no agent to start: mine.py has no class Mne; did you mean Mine?" in arena("check", "mine.py:Mne").out
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "1st"), "'1st' is not the number of a game; `arena records` lists them, and `last` is the newest"),
        (("why", "0"), "'0' is not the number of a game; `arena records` lists them, and `last` is the newest"),
        (("records", "--limit", "few"), "Invalid value for '--limit': 'few' is not a valid whole number."),
        (("match", "a", "b", "--sprt", "0", "5", "--alpha", "x"), "'--alpha': 'x' is not a valid number."),
    ],
)
def test_a_wrong_number_is_refused_in_plain_words(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(list(words)) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(says)


def test_every_game_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    for game in json.loads(capsys.readouterr().out):
        assert game["description"].endswith(".")
