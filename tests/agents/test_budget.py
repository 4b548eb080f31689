"""The seconds of a game, and agents that mind them."""

import math

import pytest

from agents.budget import RESERVE, Deadline, OutOfTime, seconds_for_move


def test_without_a_limit_a_move_has_no_limit():
    assert seconds_for_move(math.inf) == math.inf


@pytest.mark.parametrize("time_left", [400.0, 10.0, 1.0, 0.5, RESERVE, 0.05, 0.001])
def test_a_game_of_a_thousand_moves_never_uses_up_its_seconds(time_left):
    for _ in range(1000):
        seconds = seconds_for_move(time_left)
        assert 0 < seconds < time_left
        time_left -= seconds
    assert time_left > 0


def test_most_of_a_long_budget_is_spent_within_forty_moves():
    time_left = 400.0
    for _ in range(40):
        time_left -= seconds_for_move(time_left)
    assert time_left < 100


def test_inside_the_reserve_a_move_takes_about_a_millisecond():
    assert seconds_for_move(RESERVE) == pytest.approx(0.001)
    assert seconds_for_move(0.1) < 0.001


@pytest.mark.parametrize(("increment", "moves"), [(0.1, None), (0.0, 1), (0.0, 3), (2.0, 40)])
@pytest.mark.parametrize("time_left", [60.0, 1.0, 0.2, 0.001])
def test_what_is_added_later_is_never_spent_before(time_left, increment, moves):
    assert 0 < seconds_for_move(time_left, increment=increment, moves_to_go=moves) < time_left


def test_a_move_with_time_of_its_own_spends_most_of_it():
    assert seconds_for_move(1.0, moves_to_go=1) == pytest.approx(0.7)
    assert seconds_for_move(0.1, moves_to_go=1) == pytest.approx(0.07)


def test_an_increment_is_spent_besides_the_share():
    assert seconds_for_move(100.0, increment=2.0) == pytest.approx(seconds_for_move(100.0) + 2.0)


def test_used_up_time_gives_no_seconds():
    assert seconds_for_move(0.0) == 0.0


def test_a_deadline_raises_when_its_seconds_are_over(fake_clock):
    clock = fake_clock(tick=0.25)
    deadline = Deadline(1.0, now=clock)
    for _ in range(3):
        deadline.check()
    with pytest.raises(OutOfTime):
        deadline.check()


def test_a_deadline_without_limit_never_raises(fake_clock):
    deadline = Deadline(math.inf, now=fake_clock(tick=1e9))
    for _ in range(10):
        deadline.check()


def test_a_deadline_of_no_seconds_raises_at_once(fake_clock):
    with pytest.raises(OutOfTime):
        Deadline(0.0, now=fake_clock(tick=0.0)).check()
