"""Trends and shares of CPU time of the last games."""

from collections.abc import Callable

import pytest

from results.pairing import PairCount, RecentGame
from results.record import GameRecord
from results.standings.ratings import Ratings, rate
from results.standings.recent_form import RECENT_GAMES, cpu_shares, trends
from results.store.store import Store


@pytest.fixture
def level() -> Ratings:
    """Two entrants that are rated equally, without an advantage of first."""
    pairs = [
        PairCount(first=first, second=second, games=40, wins=20, draws=0, losses=20)
        for first, second in (("a", "b"), ("b", "a"))
    ]
    return rate(["a", "b"], pairs)


def game(points: float, *, cpu_first: float = 1.0, cpu_second: float = 1.0) -> RecentGame:
    return RecentGame(first="a", second="b", points=points, cpu_first=cpu_first, cpu_second=cpu_second)


def test_who_scores_as_expected_has_no_trend(level: Ratings) -> None:
    assert trends([game(0.5)] * 10, level) == {"a": pytest.approx(0, abs=1), "b": pytest.approx(0, abs=1)}


def test_who_wins_more_than_expected_goes_up_and_the_other_down(level: Ratings) -> None:
    found = trends([game(1.0)] * 10, level)
    assert found["a"] == pytest.approx(-found["b"])
    assert found["a"] > 100


def test_a_single_win_is_a_small_trend(level: Ratings) -> None:
    assert 0 < trends([game(1.0)], level)["a"] < trends([game(1.0)] * 5, level)["a"]


def test_only_the_newest_games_count(level: Ratings) -> None:
    assert trends([game(0.5)] * RECENT_GAMES + [game(1.0)] * 50, level) == trends([game(0.5)] * RECENT_GAMES, level)


def test_shares_of_cpu_time_add_up_to_one() -> None:
    shares = cpu_shares([game(1.0, cpu_first=3.0, cpu_second=0.5), game(0.0, cpu_first=3.0, cpu_second=1.5)])
    assert shares == {"a": 0.75, "b": 0.25}


def test_games_without_cpu_time_have_no_shares() -> None:
    assert cpu_shares([game(1.0, cpu_first=0.0, cpu_second=0.0)]) == {}


@pytest.mark.parametrize(("mover", "first", "second"), [("first", 0.4, 0.2), ("second", 0.2, 0.4)])
def test_the_store_gives_the_cpu_time_of_each_seat(
    store: Store, make_record: Callable[..., GameRecord], mover: str, first: float, second: float
) -> None:
    store.add(make_record(mover=mover))
    (found,) = store.recent("spring", most=5)
    assert (found.first, found.second, found.points) == ("ada", "bob", 1.0)
    assert (found.cpu_first, found.cpu_second) == (pytest.approx(first), pytest.approx(second))
