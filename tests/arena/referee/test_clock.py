"""The clock of a game, with a fake source of time."""

from agents.seat import Answer
from arena.referee.referee import Clock
from games.base import BLACK, WHITE


def answer(wall: float) -> Answer:
    return Answer("x", wall, wall, 0.0)


def test_both_players_start_with_the_whole_budget() -> None:
    times = Clock(400).times(WHITE)
    assert (times.own, times.opponent, times.opponent_last_move) == (400, 400, 0)


def test_a_move_is_charged_to_its_player_only() -> None:
    clock = Clock(10)
    assert clock.charge(BLACK, answer(3))
    assert (clock.times(BLACK).own, clock.times(WHITE).own) == (7, 10)
    assert clock.times(WHITE).opponent_last_move == 3


def test_a_budget_is_used_up_when_nothing_is_left_of_it() -> None:
    clock = Clock(10)
    assert clock.charge(WHITE, answer(9.999))
    assert not clock.charge(WHITE, answer(0.001))
    assert clock.times(WHITE).own == 0.0


def test_time_left_is_never_negative() -> None:
    clock = Clock(1)
    assert not clock.charge(WHITE, answer(5))
    assert clock.times(WHITE).own == 0.0


def test_the_clock_reads_the_given_source_of_time() -> None:
    assert Clock(1, now=lambda: 42.0).now() == 42.0
