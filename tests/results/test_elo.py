"""Elo of a match, held against published values."""

import doctest
import json
import math
from dataclasses import asdict

import pytest

from results.standings import elo as module
from results.standings.elo import Performance, elo_of, likelihood, performance, score_of, spread


def test_the_published_values_of_fastchess_for_games():
    found = performance([96, 111, 136])
    assert found.elo == pytest.approx(40.70, abs=0.005)
    assert found.error == pytest.approx(30.43, abs=0.005)
    assert found.nelo == pytest.approx(49.77, abs=0.005)
    assert found.nelo_error == pytest.approx(36.77, abs=0.005)
    assert found.los == pytest.approx(0.996, abs=0.0005)


def test_the_published_values_of_fastchess_for_mirrored_pairs():
    found = performance([34, 54, 63, 64, 75])
    assert found.elo == pytest.approx(55.58, abs=0.005)
    assert found.error == pytest.approx(27.65, abs=0.005)
    assert found.nelo == pytest.approx(57.94, abs=0.005)
    assert found.nelo_error == pytest.approx(28.28, abs=0.005)


def test_odds_of_ten_are_400_elo():
    assert elo_of(10 / 11) == pytest.approx(400)
    assert score_of(-400) == pytest.approx(1 / 11)
    assert elo_of(score_of(123.4)) == pytest.approx(123.4)


@pytest.mark.parametrize("score", [-0.1, 0, 1, 1.1])
def test_a_perfect_score_has_no_elo(score):
    assert elo_of(score) is None


def test_a_likelihood_is_the_normal_distribution():
    assert likelihood(0) == 0.5
    assert likelihood(1.644854) == pytest.approx(0.95, abs=1e-6)
    assert likelihood(-1.959964) == pytest.approx(0.025, abs=1e-6)


def test_without_games_there_is_no_elo():
    assert performance([0, 0, 0]) == Performance()
    assert performance([0, 0, 0, 0, 0]).los == 0.5


@pytest.mark.parametrize("counts", [[0, 0, 20], [20, 0, 0], [0, 0, 0, 0, 10]])
def test_a_perfect_match_has_no_elo_but_a_likelihood(counts):
    found = performance(counts)
    assert (found.elo, found.error, found.nelo, found.nelo_error) == (None, None, None, None)
    assert found.los > 0.999 or found.los < 0.001
    json.dumps(asdict(found), allow_nan=False)


def test_an_interval_that_reaches_certainty_has_no_error():
    found = performance([1, 0, 3])
    assert found.elo == pytest.approx(190.85, abs=0.01)
    assert found.error is None


def test_twenty_draws_still_have_an_error():
    found = performance([0, 20, 0])
    assert found.elo == 0
    assert found.error is not None
    assert 20 < found.error < 100


def test_balanced_pairs_have_a_smaller_error_than_their_games():
    # An opening that wins for whoever sits first: every pair is even, every game decided.
    pairs, games = performance([10, 0, 200, 0, 10]), performance([220, 0, 220])
    assert pairs.error is not None
    assert games.error is not None
    assert pairs.error < games.error / 2


def test_the_mean_may_come_from_more_games_than_the_error():
    alone, known = performance([20, 0, 20]), performance([20, 0, 20], mean=0.6)
    assert alone.elo == 0
    assert known.elo == pytest.approx(elo_of(0.6))


def test_the_spread_of_many_games_has_no_imaginary_results():
    assert spread([10, 0, 10]) == pytest.approx((0.5, 0.25))


def test_the_spread_of_few_games_holds_an_imaginary_win_and_loss():
    assert spread([0, 8, 0]) == pytest.approx((0.5, 0.05))
    # Of pairs, half a one each.
    assert spread([0, 0, 4, 0, 0]) == pytest.approx((0.5, 0.05))


def test_the_error_shrinks_with_the_root_of_the_number_of_games():
    few, many = performance([100, 100, 100]), performance([10_000, 10_000, 10_000])
    assert few.error is not None
    assert many.error is not None
    assert few.error / many.error == pytest.approx(10, rel=0.01)
    assert math.isclose(few.los, 0.5)


def test_the_examples_are_true():
    assert doctest.testmod(module).failed == 0
