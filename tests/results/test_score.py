"""Scores and their errors."""

import doctest
import math

import pytest

from results.record import MoveRecord
from results.standings import score as module
from results.standings.score import Score, distinct, score


def moves(*texts):
    return tuple(MoveRecord(text) for text in texts)


def test_a_score_adds_up():
    result = Score(wins=3, draws=2, losses=5)
    assert (result.games, result.points, result.mean) == (10, 4.0, 0.4)


def test_the_error_of_ten_games():
    # With one more win and one more loss: 4 wins, 2 draws, 6 losses; mean 5/12.
    # Variance (4 (7/12)² + 2 (1/12)² + 6 (5/12)²) / 12 = (196 + 2 + 150) / 144 / 12 = 348 / 1728 = 0.201389
    # Error 1.959964 √(0.201389 / 10) = 0.278142
    assert Score(wins=3, draws=2, losses=5).error == pytest.approx(0.278142, abs=1e-6)


def test_the_error_of_one_game():
    # 2 wins, 1 loss; mean 2/3; variance (2/9 + 4/9) / 3 = 2/9; error 1.959964 √(2/9) = 0.923936
    assert Score(wins=1).error == pytest.approx(0.923936, abs=1e-6)


@pytest.mark.parametrize("result", [Score(wins=20), Score(losses=20), Score(draws=20), Score(wins=1)])
def test_equal_results_always_leave_an_error(result):
    assert 0 < result.error < 1


def test_the_error_shrinks_with_the_root_of_the_number_of_games():
    few, many = Score(wins=50, losses=50), Score(wins=5000, losses=5000)
    assert few.error / many.error == pytest.approx(10, rel=0.01)
    assert many.error == pytest.approx(1.959964 * math.sqrt(0.25 / 10_000), rel=0.001)


def test_without_games_the_error_is_largest():
    assert (Score().mean, Score().error) == (0.5, 0.5)


def test_a_score_is_that_of_the_named_entrant(make_record):
    records = [
        make_record(first="ada", second="bob", result="1-0"),
        make_record(first="bob", second="ada", result="1-0"),
        make_record(first="bob", second="ada", result="0-1"),
        make_record(first="bob", second="ada", result="1/2-1/2"),
        make_record(first="bob", second="eve", result="1-0"),
    ]
    assert score(records, agent="ada") == Score(wins=2, draws=1, losses=1)
    assert score(records, agent="bob") == Score(wins=2, draws=1, losses=2)
    assert score(records, agent="nobody") == Score()


def test_a_repeated_game_counts_once(make_record):
    records = [
        make_record("1", moves=moves("c1d3", "b5a3")),
        make_record("2", moves=(MoveRecord("c1d3", 9.0), MoveRecord("b5a3", 9.0))),
        make_record("3", moves=moves("c1d3", "b5a3"), seed=99),
    ]
    assert [record.key for record in distinct(records)] == ["1"]
    assert score(distinct(records), agent="ada") == Score(wins=1)


@pytest.mark.parametrize(
    "other",
    [
        {"moves": moves("c1d3")},
        {"moves": moves("c1d3", "b5c3")},
        {"first": "bob", "second": "ada"},
        {"start": "knbr/p3/4/3P/RBNK b Qk - 0 1"},
        {"result": "0-1"},
    ],
)
def test_a_game_that_differs_counts_again(make_record, other):
    assert len(distinct([make_record(moves=moves("c1d3", "b5a3")), make_record(**other)])) == 2


def test_the_examples_are_true():
    assert doctest.testmod(module).failed == 0
