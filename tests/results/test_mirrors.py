"""Games with one opening and the seats swapped, in pairs."""

import random

import pytest

from results.record import MoveRecord
from results.standings.score import Mirrors, content

#: The seats the other way round.
BACK = {"first": "bob", "second": "ada"}


def counted(records, agent="ada"):
    mirrors = Mirrors(agent)
    for record in records:
        mirrors.add(record)
    return mirrors.counts


def pair(make_record, seed, one, two):
    """Two games of a seed with moves of their own; the results are those of ada, who begins the first of them."""
    flipped = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}
    return [
        make_record(f"{seed}a", seed=seed, result=one, moves=(MoveRecord(f"there {seed}"),)),
        make_record(f"{seed}b", seed=seed, result=flipped[two], moves=(MoveRecord(f"back {seed}"),), **BACK),
    ]


def test_pairs_need_the_same_seed_and_swapped_seats(make_record):
    there = make_record("1", seed=1)
    assert counted([there]) == (0, 0, 0, 0, 0)
    assert counted([there, make_record("2", seed=1)]) == (0, 0, 0, 0, 0)
    assert counted([there, make_record("2", seed=2, **BACK)]) == (0, 0, 0, 0, 0)
    assert counted([there, make_record("2", seed=1, **BACK)]) == (0, 0, 1, 0, 0)


def test_a_pair_needs_the_same_two_entrants(make_record):
    there = make_record("1")
    assert counted([there, make_record("2", first="eve", second="ada", result="0-1")]) == (0, 0, 0, 0, 0)
    assert counted([there, make_record("3", first="bob", second="eve")]) == (0, 0, 0, 0, 0)


def test_games_of_other_entrants_are_ignored(make_record):
    others = {"first": "bob", "second": "eve"}, {"first": "eve", "second": "bob"}
    mirrors = Mirrors("ada")
    for key, names in enumerate(others):
        mirrors.add(make_record(str(key), **names))
    assert (mirrors.pairs, mirrors.counts) == (0, (0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("one", "two", "counts"),
    [
        ("0-1", "0-1", (1, 0, 0, 0, 0)),
        ("0-1", "1/2-1/2", (0, 1, 0, 0, 0)),
        ("1/2-1/2", "1/2-1/2", (0, 0, 1, 0, 0)),
        ("1-0", "0-1", (0, 0, 1, 0, 0)),
        ("1-0", "1/2-1/2", (0, 0, 0, 1, 0)),
        ("1-0", "1-0", (0, 0, 0, 0, 1)),
    ],
)
def test_a_pair_counts_by_the_points_of_the_entrant_with_both_seats(make_record, one, two, counts):
    records = pair(make_record, 1, one, two)
    assert counted(records) == counted(records[::-1]) == counts
    assert counted(records, "bob") == counts[::-1]


def test_a_repeated_pair_counts_once(make_record):
    half = {**BACK, "result": "1/2-1/2"}
    records = [make_record("1", seed=1), make_record("2", seed=1, **half)]
    records += [make_record("3", seed=2), make_record("4", seed=2, **half)]
    assert counted(records) == (0, 0, 0, 1, 0)
    assert counted(records, "bob") == (0, 1, 0, 0, 0)


def test_a_repeated_pair_counts_once_in_either_order_of_its_games(make_record):
    there, back = make_record("1", seed=1), make_record("2", seed=1, **BACK)
    again = [make_record("4", seed=2, **BACK), make_record("3", seed=2)]
    mirrors = Mirrors("ada")
    for record in (there, back, *again):
        mirrors.add(record)
    assert mirrors.pairs == 2
    assert mirrors.counts == (0, 0, 1, 0, 0)


def test_a_pair_that_differs_in_one_game_counts_again(make_record):
    records = [make_record("1", seed=1), make_record("2", seed=1, **BACK)]
    records += [make_record("3", seed=2), make_record("4", seed=2, moves=(MoveRecord("c1d3"),), **BACK)]
    assert counted(records) == (0, 0, 2, 0, 0)


def test_several_games_of_one_seed_are_paired_in_order(make_record):
    heres = [make_record(f"a{number}", moves=(MoveRecord(f"a{number}"),)) for number in range(3)]
    backs = [make_record(f"b{number}", moves=(MoveRecord(f"b{number}"),), **BACK) for number in range(2)]
    mirrors = Mirrors("ada")
    for record in (*heres, *backs):
        mirrors.add(record)
    assert (mirrors.pairs, mirrors.counts) == (2, (0, 0, 2, 0, 0))


def test_a_game_belongs_to_one_pair_only(make_record):
    backs = [make_record(f"b{number}", moves=(MoveRecord(f"b{number}"),), **BACK) for number in range(2)]
    assert counted([make_record("a"), *backs]) == (0, 0, 1, 0, 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_order_in_which_games_end_does_not_matter(make_record, seed):
    rng = random.Random(seed)
    choices = ["1-0", "0-1", "1/2-1/2"]
    points = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}
    expected, records = [0] * 5, []
    for number in range(30):
        one, two = rng.choice(choices), rng.choice(choices)
        expected[points[one] + points[two]] += 1
        records += pair(make_record, number, one, two)
    rng.shuffle(records)
    assert counted(records) == tuple(expected)


def test_times_keys_and_seeds_do_not_make_games_distinct(make_record):
    one = make_record("1", seed=1, moves=(MoveRecord("c1d3", 1.0),))
    two = make_record("2", seed=2, moves=(MoveRecord("c1d3", 9.0),), ended="2026-05-09T13:00:00.000Z")
    assert content(one) == content(two)
    assert content(one) != content(make_record("1", seed=1, moves=(MoveRecord("c1d3", 1.0),), result="0-1"))
