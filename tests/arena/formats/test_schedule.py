"""Round robin, gauntlet and match, and the number of games in a league."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.formats import FORMATS
from arena.formats.schedule import count_games, gauntlet, match, round_robin

SIZES = [2, 3, 4, 5, 6, 9]
numbers = st.lists(st.integers(min_value=1, max_value=40), unique=True, max_size=12).map(sorted)


@given(entrants=numbers, rounds=st.integers(min_value=0, max_value=3))
def test_all_entrants_meet_once_as_first_and_once_as_second_per_round(entrants: list[int], rounds: int) -> None:
    met = Counter((pairing.first, pairing.second) for pairing in round_robin(entrants, rounds=rounds))
    assert met == Counter(dict.fromkeys(permutations(entrants, 2), rounds))
    assert met.total() == count_games("round-robin", len(entrants), rounds)


def test_keys_are_unique_and_contain_both_entrants() -> None:
    pairings = list(round_robin(range(1, 6), rounds=2))
    assert len({pairing.key for pairing in pairings}) == len(pairings) == 40
    assert all(pairing.key.endswith(f":{pairing.first}-{pairing.second}") for pairing in pairings)


def test_keys_stay_the_same_when_rounds_are_added() -> None:
    one, three = list(round_robin(range(1, 5), rounds=1)), list(round_robin(range(1, 5), rounds=3))
    assert three[: len(one)] == one


@given(entrants=numbers, others=numbers)
def test_an_entrant_that_enters_or_leaves_changes_no_game_of_the_others(entrants: list[int], others: list[int]) -> None:
    for form in (round_robin, gauntlet):
        before, after = set(form(entrants, rounds=2)), set(form(others, rounds=2))
        both = set(entrants) & set(others)
        assert {p for p in before if {p.first, p.second} <= both} == {p for p in after if {p.first, p.second} <= both}


def test_a_game_shares_its_opening_only_with_the_same_game_with_sides_swapped() -> None:
    by_opening: dict[str, set[tuple[int, int]]] = {}
    for pairing in round_robin(range(1, 5), rounds=2):
        by_opening.setdefault(pairing.opening, set()).add((pairing.first, pairing.second))
    assert len(by_opening) == 12
    for pair in by_opening.values():
        (one, two), other = pair
        assert other == (two, one)


def test_half_way_through_a_round_all_entrants_have_played_equally_often() -> None:
    pairings = list(round_robin(range(1, 7), rounds=1))[:15]
    games = Counter(number for pairing in pairings for number in (pairing.first, pairing.second))
    assert set(games.values()) == {5}


@pytest.mark.parametrize("entrants", SIZES)
def test_in_a_gauntlet_entrant_1_meets_every_other_as_first_and_as_second(entrants: int) -> None:
    pairings = list(gauntlet(range(1, entrants + 1), rounds=2))
    met = Counter((pairing.first, pairing.second) for pairing in pairings)
    assert met == {pair: 2 for other in range(2, entrants + 1) for pair in ((1, other), (other, 1))}
    assert len({pairing.key for pairing in pairings}) == len(pairings) == count_games("gauntlet", entrants, 2)


def test_a_gauntlet_uses_the_keys_and_openings_of_the_round_robin() -> None:
    assert set(gauntlet(range(1, 6), rounds=2)) < set(round_robin(range(1, 6), rounds=2))


def test_a_gauntlet_ends_when_entrant_1_leaves() -> None:
    assert list(gauntlet([2, 3, 4], rounds=2)) == []


def test_a_match_alternates_sides_and_pairs_openings() -> None:
    pairings = list(match([1, 2], rounds=5))
    assert [(p.first, p.second) for p in pairings] == [(1, 2), (2, 1), (1, 2), (2, 1), (1, 2)]
    assert [p.opening for p in pairings] == ["0", "0", "1", "1", "2"]
    assert len({p.key for p in pairings}) == count_games("match", 2, 5) == 5


@pytest.mark.parametrize("entrants", [[], [1], [2], [1, 3]])
def test_a_match_without_one_of_its_two_entrants_has_no_games(entrants: list[int]) -> None:
    assert list(match(entrants, rounds=3)) == []


@pytest.mark.parametrize("entrants", [0, 1])
def test_fewer_than_two_entrants_have_no_games(entrants: int) -> None:
    assert [count_games(form, entrants, 3) for form in FORMATS] == [0] * len(FORMATS)


def test_the_number_of_games_of_seven_entrants_in_two_rounds() -> None:
    assert {form: count_games(form, 7, 2) for form in FORMATS} == {
        "round-robin": 84, "gauntlet": 24, "swiss": 6, "knockout": 24, "adaptive": 84
    }  # fmt: skip
