"""How long an engine may think about one move."""

from dataclasses import replace

import pytest

from agents.seat import Times
from games.base import BLACK, WHITE
from games.errors import BadParameters
from stockfish_bridge.limit import CLOCK, Limit, read_limit
from stockfish_bridge.uci_syntax import Go

DEFAULT = Limit("nodes", 10_000)


def test_nodes_and_depth_are_sent_as_they_are(times):
    assert str(Limit("nodes", 500).go(times, WHITE)) == "go nodes 500"
    assert str(Limit("depth", 7).go(times, BLACK)) == "go depth 7"


def test_seconds_are_a_movetime_in_milliseconds(times):
    assert str(Limit("seconds", 0.25).go(times, WHITE)) == "go movetime 250"


def test_seconds_never_exceed_the_remaining_time():
    short = Times(own=1.0, opponent=100.0, opponent_last_move=0.0)
    assert str(Limit("seconds", 30.0).go(short, WHITE)) == "go movetime 950"


@pytest.mark.parametrize("own", [0.0, 0.01, 0.0500001])
def test_a_movetime_is_never_zero(own):
    spent = Times(own=own, opponent=1.0, opponent_last_move=0.0)
    assert str(Limit("seconds", 30.0).go(spent, WHITE)) == "go movetime 1"


def test_only_seconds_are_cut_to_the_remaining_time():
    short = Times(own=1.0, opponent=100.0, opponent_last_move=0.0)
    assert Limit("seconds", 30.0).within(short) == Limit("seconds", 0.95)
    assert Limit("seconds", 0.5).within(short) == Limit("seconds", 0.5)
    assert Limit("nodes", 30).within(short) == Limit("nodes", 30)
    assert CLOCK.within(short) == CLOCK


def test_the_clock_has_the_times_of_both_colours(times):
    assert str(CLOCK.go(times, WHITE)) == "go wtime 100000 btime 90000"
    assert str(CLOCK.go(times, BLACK)) == "go wtime 90000 btime 100000"


def test_the_clock_is_never_zero():
    spent = Times(own=0.0, opponent=-1.0, opponent_last_move=0.0)
    assert str(CLOCK.go(spent, WHITE)) == "go wtime 1 btime 1"


def test_a_share_of_nodes_is_whole_and_at_least_one():
    assert Limit("nodes", 500).share(0.25) == Limit("nodes", 125)
    assert Limit("nodes", 3).share(0.01) == Limit("nodes", 1)


def test_seconds_and_the_clock_are_shared_and_a_depth_is_not(times):
    assert Limit("seconds", 1.0).share(0.5) == Limit("seconds", 0.5)
    assert str(CLOCK.share(0.5).go(times, BLACK)) == "go wtime 90000 btime 50000"
    assert Limit("depth", 5).share(0.1) == Limit("depth", 5)


@pytest.mark.parametrize("limit", [Limit("nodes", 5), Limit("depth", 2), Limit("seconds", 0.5), CLOCK])
def test_a_limit_is_read_from_its_own_option(limit):
    assert read_limit(limit.option, DEFAULT) == limit


def test_without_an_option_the_default_is_used():
    assert read_limit({}, DEFAULT) == DEFAULT
    assert read_limit({"clock": "no"}, DEFAULT) == DEFAULT
    assert read_limit({"level": 3}, CLOCK) == CLOCK


def test_two_limits_are_refused():
    with pytest.raises(BadParameters, match="more than one limit: give only one of nodes, depth"):
        read_limit({"depth": 3, "nodes": 5}, DEFAULT)
    with pytest.raises(BadParameters, match="give only one of nodes, clock"):
        read_limit({"nodes": 5, "clock": "yes"}, DEFAULT)
    assert read_limit({"nodes": 5, "clock": "no"}, CLOCK) == Limit("nodes", 5)


@pytest.mark.parametrize(
    "options",
    [
        {"nodes": 0}, {"nodes": -5}, {"nodes": 1.5}, {"nodes": "many"}, {"nodes": 10**30}, {"depth": 0}, {"depth": "x"},
        {"seconds": 0}, {"seconds": -1.0}, {"seconds": "1s"}, {"seconds": float("inf")}, {"seconds": float("nan")},
        {"clock": "maybe"}, {"clock": 1},
    ],
)  # fmt: skip
def test_a_bad_limit_is_refused_by_name(options):
    (name,) = options
    with pytest.raises(BadParameters, match=f"^{name} must be "):
        read_limit(options, DEFAULT)


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ({"increment": 0.1}, "winc 100 binc 100"),
        ({"moves_to_go": 7}, "movestogo 7"),
        ({"increment": 2.0, "moves_to_go": 1}, "winc 2000 binc 2000 movestogo 1"),
    ],
)
def test_the_clock_has_what_the_time_control_adds(times, added, words):
    go = CLOCK.go(replace(times, **added), WHITE)
    assert str(go) == f"go wtime 100000 btime 90000 {words}"
    assert Go.read(str(go).split()[1:]) == go
