"""The table of positions of the alpha-beta searches in Python."""

import pytest

from agents.core import position_table
from agents.core.engine import DECIDED
from agents.core.position_table import KnownPosition, PositionTable


def kept(value, *, depth=3, bound=0, turn=0):
    table = PositionTable()
    table.keep("position", KnownPosition(depth, bound, value, 7), turn)
    return table.get("position")


def test_an_unknown_position_has_no_entry():
    assert PositionTable().get("position") is None


@pytest.mark.parametrize(("depth", "found"), [(2, 50), (3, 50), (4, None)])
def test_a_value_settles_searches_that_are_not_deeper(depth, found):
    assert kept(50).value_for(depth, 0, alpha=-100, beta=100) == found


@pytest.mark.parametrize(
    ("bound", "alpha", "beta", "found"),
    [(0, -100, 100, 50), (1, -100, 50, 50), (1, -100, 51, None), (-1, 50, 100, 50), (-1, 49, 100, None)],
)
def test_a_bound_settles_a_search_only_outside_its_window(bound, alpha, beta, found):
    assert kept(50, bound=bound).value_for(1, 0, alpha=alpha, beta=beta) == found


@pytest.mark.parametrize("sign", [1, -1])
def test_a_decided_game_counts_turns_from_the_turn_at_which_it_is_found_again(sign):
    # A win 3 turns after turn 2 of the search; found again at turn 6.
    entry = kept(sign * (DECIDED - 5), turn=2)
    assert entry.value_for(1, 6, alpha=-DECIDED, beta=DECIDED) == sign * (DECIDED - 9)
    assert entry.best == 7


def test_a_full_table_is_emptied(monkeypatch):
    monkeypatch.setattr(position_table, "_MOST", 2)
    table = PositionTable()
    for key in ("a", "b", "c"):
        table.keep(key, KnownPosition(1, 0, 0, 0), 0)
    assert [table.get(key) is not None for key in ("a", "b", "c")] == [False, False, True]
