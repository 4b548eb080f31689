"""Replays of records, and their clocks."""

import pytest

from results.notation.replay import clocks, replay, seat_of
from results.record import FaultRecord, MoveRecord


def test_a_record_is_replayed_from_its_start(make_record):
    played = replay(make_record(moves=(MoveRecord("d2d3"), MoveRecord("a4a3"))))
    assert [state.turns for state in played.states] == [0, 1, 2]
    assert [str(move) for move in played.moves] == ["d2d3", "a4a3"]
    assert played.broken == ""


def test_a_move_that_is_no_longer_legal_ends_the_replay_with_a_reason(make_record):
    moves = (MoveRecord("c1b3"), MoveRecord("a1a5"), MoveRecord("b5c3"))
    played = replay(make_record(moves=moves))
    assert len(played.states) == 2
    assert played.broken.startswith("turn 2 cannot be replayed: ")


def test_rules_of_another_version_are_named(make_record):
    played = replay(make_record(moves=(MoveRecord("a1a5"),), game_version=99))
    assert played.broken.endswith("; it was played with version 99 of microchess, not 1")


@pytest.mark.parametrize("changes", [{"game": "checkers"}, {"start": "nonsense"}, {"parameters": {"wings": 2}}])
def test_a_game_that_cannot_even_start_has_no_states(make_record, changes):
    played = replay(make_record(**changes))
    assert played.states == ()
    assert played.broken.startswith("its start cannot be set up: ")


def test_control_characters_in_the_reason_are_escaped(make_record):
    assert "\\u202e" in replay(make_record(game="check\u202eers")).broken


@pytest.mark.parametrize(("mover", "seats"), [("first", "first second first"), ("second", "second first second")])
def test_seats_take_turns(make_record, mover, seats):
    record = make_record(mover=mover)
    assert [seat_of(record, turn) for turn in (1, 2, 3)] == seats.split()


def test_clocks_run_down_by_what_each_move_cost(make_record):
    shown = clocks(make_record(seconds=10.0))
    assert [(clock.first, clock.second, clock.cost) for clock in shown] == [
        (10.0, 10.0, 0.0),
        (9.5, 10.0, 0.5),
        (9.5, 9.75, 0.25),
    ]


def test_a_move_can_be_charged_by_another_cost(make_record):
    shown = clocks(make_record(seconds=10.0), lambda move: move.cpu)
    assert (shown[-1].first, shown[-1].second) == (9.6, 9.8)


def test_a_request_that_ended_in_a_fault_is_charged(make_record):
    fault = FaultRecord("second", "time", "", {})
    record = make_record(seconds=1.0, moves=(MoveRecord("c1b3", 0.5),), fault=fault, unanswered=7.0)
    assert [(clock.first, clock.second) for clock in clocks(record)] == [(1.0, 1.0), (0.5, 1.0), (0.5, 0.0)]


def test_a_second_player_that_never_started_has_a_clock(make_record):
    record = make_record(seconds=1.0, moves=(), fault=FaultRecord("second", "startup", "", {}))
    assert [(clock.first, clock.second) for clock in clocks(record)] == [(1.0, 1.0), (1.0, 1.0)]
