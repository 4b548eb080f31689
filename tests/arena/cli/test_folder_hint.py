"""A folder with several agent classes: the hint that is given works."""

import re
from typing import Any

TWO = """
from agents import BaseAgent

from s_mcts.helper import first


class Fast(BaseAgent):
    def act(self, state):
        return first(state)


class Slow(Fast):
    pass
"""


def test_the_hint_for_a_folder_with_several_classes_works(arena: Any) -> None:
    folder = arena.folder / "s_mcts"
    folder.mkdir()
    (folder / "agent.py").write_text(TWO)
    (folder / "helper.py").write_text("def first(state):\n    return next(iter(state.legal_moves))\n")
    ran = arena("league", "./s_mcts/", "random", "--turns", "4", "--name", "cup")
    hint = re.search(r"several agent classes \(Fast, Slow\); choose one, as in (\S+)", ran.err)
    assert hint is not None, ran.err
    assert hint[1] == "s_mcts/:Fast"
    ran = arena("league", hint[1], "random", "--turns", "4", "--name", "next")
    assert ran.code == 0, ran.err
    assert "does not start" not in ran.err
    assert " 0 faults" not in ran.out
    assert "Fast" in arena("standings", "--league", "next").out
