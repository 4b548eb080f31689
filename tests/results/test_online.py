"""Ratings that move with every game."""

import random

import pytest

from results.standings.online import START_DEVIATION, OnlineRatings


def test_who_has_not_played_is_as_uncertain_as_can_be() -> None:
    assert OnlineRatings().deviation(1) == START_DEVIATION
    assert OnlineRatings().of(1).games == 0


def test_a_win_raises_the_winner_lowers_the_loser_and_both_become_more_certain() -> None:
    ratings = OnlineRatings()
    ratings.add(1, 2, 1.0)
    assert ratings.of(1).mean == -ratings.of(2).mean > 0
    assert ratings.deviation(1) < START_DEVIATION
    assert ratings.deviation(2) < START_DEVIATION


def test_a_draw_between_equals_moves_nobody() -> None:
    ratings = OnlineRatings()
    ratings.add(1, 2, 0.5)
    assert ratings.of(1).mean == ratings.of(2).mean == 0


def test_true_strengths_are_found_within_their_deviations() -> None:
    rng, ratings = random.Random(1), OnlineRatings()
    strengths = {number: rng.gauss(0, 300) for number in range(1, 41)}
    for _ in range(12_000):
        first, second = rng.sample(sorted(strengths), 2)
        chance = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
        ratings.add(first, second, float(rng.random() < chance))
    centre = sum(ratings.of(number).mean - true for number, true in strengths.items()) / 40
    errors = [ratings.of(number).mean - true - centre for number, true in strengths.items()]
    deviation = max(ratings.deviation(number) for number in strengths)
    assert deviation < 60
    assert sum(abs(error) < 2 * deviation for error in errors) >= 36


def test_who_does_not_play_becomes_less_certain_while_others_do() -> None:
    ratings = OnlineRatings()
    for _ in range(30):
        ratings.add(1, 2, 0.5)
    before = ratings.deviation(1)
    for _ in range(300):
        ratings.add(2, 3, 0.5)
    assert before < ratings.deviation(1) < START_DEVIATION


def test_new_code_makes_an_entrant_uncertain_and_a_newcomer_again_but_keeps_its_rating() -> None:
    ratings = OnlineRatings()
    for _ in range(30):
        ratings.add(1, 2, 1.0, codes=("a", "b"))
    mean, deviation = ratings.of(1).mean, ratings.deviation(1)
    ratings.add(1, 2, 0.5, codes=("c", "b"))
    assert ratings.of(1).since_change == 1
    assert ratings.of(1).games == 31
    assert ratings.of(2).since_change == 31
    assert ratings.deviation(1) > deviation
    assert ratings.of(1).mean == pytest.approx(mean, abs=200)
