"""Time controls: their texts and their arithmetic."""

import doctest

import pytest

from results import time_control
from results.time_control import TimeControl


def test_the_example_in_the_documentation() -> None:
    assert doctest.testmod(time_control).failed == 0


@pytest.mark.parametrize("text", ["60", "0.05", "10+0.1", "40/60", "40/60+0.5", "1/move"])
def test_a_text_is_read_and_written_unchanged(text: str) -> None:
    assert str(TimeControl.read(text)) == text


def test_an_increment_is_added_after_the_move_that_was_in_time() -> None:
    control = TimeControl.read("10+2")
    assert control.charge(10.0, 4.0, move=1) == 8.0
    assert control.charge(1.0, 1.0, move=2) == 0.0  # too late: the increment does not help


def test_a_new_period_adds_its_seconds_to_what_is_left() -> None:
    control = TimeControl.read("2/60")
    assert [control.moves_to_go(made) for made in range(4)] == [2, 1, 2, 1]
    assert control.charge(60.0, 10.0, move=1) == 50.0
    assert control.charge(50.0, 10.0, move=2) == 100.0


def test_time_for_each_move_is_not_kept() -> None:
    control = TimeControl.read("3/move")
    assert control.charge(3.0, 0.5, move=1) == 3.0
    assert control.charge(3.0, 3.0, move=2) == 0.0
    assert control.moves_to_go(7) == 1


@pytest.mark.parametrize(
    ("text", "moves", "most"),
    [("60", None, 60.0), ("10+1", 5, 15.0), ("10/60", 21, 180.0), ("2/move", 4, 8.0), ("10+1", None, None)],
)
def test_the_most_time_that_a_player_can_take(text: str, moves: int | None, most: float | None) -> None:
    assert TimeControl.read(text).most(moves) == most
