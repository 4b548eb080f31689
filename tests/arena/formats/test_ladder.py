"""Drawing pairings by ratings: everybody plays, newcomers more, neighbours mostly, strangers sometimes."""

import random
from collections import Counter
from itertools import permutations

import pytest

from arena.formats.ladder import PLACEMENT_GAMES, draw, is_placed
from results.standings.online import OnlineRatings


def placed(entrants: int, *, games: int = 4) -> OnlineRatings:
    """Ratings in which a lower number is better: every two have met with both seats, some times."""
    ratings = OnlineRatings()
    for _ in range(games):
        for first, second in permutations(range(1, entrants + 1), 2):
            ratings.add(first, second, 1.0 if first < second else 0.0)
    return ratings


@pytest.mark.parametrize("entrants", [2, 3, 4, 7, 12, 100])
def test_no_pair_comes_twice_and_nobody_meets_itself(entrants: int) -> None:
    for seed in range(50):
        pairs = draw(range(1, entrants + 1), OnlineRatings(), random.Random(seed))
        assert pairs
        assert all(one != two for one, two in pairs)
        assert len({frozenset(pair) for pair in pairs}) == len(pairs)


def test_the_same_seed_and_ratings_draw_the_same_pairs() -> None:
    ratings = placed(9)
    first, second = (draw(range(1, 10), ratings, random.Random(5)) for _ in range(2))
    assert first == second
    assert first != draw(range(1, 10), ratings, random.Random(6))


def test_an_entrant_is_new_until_it_has_played_its_placement_games() -> None:
    ratings = OnlineRatings()
    for number in range(PLACEMENT_GAMES):
        assert not is_placed(1, ratings)
        ratings.add(1, 2 + number, 0.5)
    assert is_placed(1, ratings)
    assert not is_placed(2, ratings)


def test_a_newcomer_plays_about_four_times_as_often() -> None:
    ratings, games = placed(40), Counter[int]()
    for seed in range(200):
        for pair in draw(range(1, 42), ratings, random.Random(seed)):
            games.update(pair)
    others = sum(games[number] for number in range(1, 41)) / 40
    assert 3 < games[41] / others < 4.2


def test_most_opponents_are_near_and_some_are_anywhere() -> None:
    ratings, distances = placed(40), Counter[bool]()
    for seed in range(100):
        distances.update(abs(one - two) <= 8 for one, two in draw(range(1, 41), ratings, random.Random(seed)))
    assert 0.6 < distances[True] / distances.total() < 0.95


def test_everybody_is_drawn_if_the_number_is_even_and_nobody_is_new() -> None:
    ratings, drawn = placed(20), Counter[int]()
    for seed in range(100):
        for pair in draw(range(1, 21), ratings, random.Random(seed)):
            drawn.update(pair)
    assert min(drawn.values()) > 85


def test_doubtful_pairs_take_the_place_of_neighbours_once_nobody_is_new() -> None:
    ratings, doubtful = placed(12), [(1, 2), (5, 6), (8, 9)]
    for seed in range(20):
        pairs = {frozenset(pair) for pair in draw(range(1, 13), ratings, random.Random(seed), doubtful=doubtful)}
        assert {frozenset((1, 2)), frozenset((5, 6))} <= pairs
        assert len(pairs) <= 4
    with_newcomer = draw(range(1, 14), ratings, random.Random(1), doubtful=doubtful)
    assert len(with_newcomer) > 4
