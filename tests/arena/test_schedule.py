"""Who meets whom."""

from collections import Counter
from itertools import permutations

import pytest

from arena.schedule import match, round_robin


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 9])
@pytest.mark.parametrize("rounds", [1, 3])
def test_everybody_meets_everybody_as_first_and_as_second_once_a_round(entrants: int, rounds: int) -> None:
    met = Counter((pairing.first, pairing.second) for pairing in round_robin(entrants, rounds=rounds))
    assert met == dict.fromkeys(permutations(range(1, entrants + 1), 2), rounds)


def test_keys_are_unique_and_say_who_meets() -> None:
    pairings = list(round_robin(5, rounds=2))
    assert len({pairing.key for pairing in pairings}) == len(pairings) == 40
    assert all(pairing.key.endswith(f":{pairing.first}-{pairing.second}") for pairing in pairings)


def test_keys_stay_the_same_when_rounds_are_added() -> None:
    one, three = list(round_robin(4, rounds=1)), list(round_robin(4, rounds=3))
    assert three[: len(one)] == one


def test_a_game_shares_its_opening_with_its_mirror_image_only() -> None:
    by_opening: dict[int, set[tuple[int, int]]] = {}
    for pairing in round_robin(4, rounds=2):
        by_opening.setdefault(pairing.opening, set()).add((pairing.first, pairing.second))
    assert len(by_opening) == 12
    for pair in by_opening.values():
        (one, two), other = pair
        assert other == (two, one)


def test_half_way_through_a_round_nobody_has_played_much_more_than_another() -> None:
    pairings = list(round_robin(6, rounds=1))[:15]
    games = Counter(number for pairing in pairings for number in (pairing.first, pairing.second))
    assert set(games.values()) == {5}


def test_a_match_alternates_sides_and_pairs_openings() -> None:
    pairings = list(match(5))
    assert [(p.first, p.second) for p in pairings] == [(1, 2), (2, 1), (1, 2), (2, 1), (1, 2)]
    assert [p.opening for p in pairings] == [0, 0, 1, 1, 2]
    assert len({p.key for p in pairings}) == 5
