"""The sentences about ratings under a table."""

import doctest
from itertools import chain, permutations

import pytest

from results.pairing import PairCount
from results.standings import ratings as module
from results.standings.ratings import rate, rating_notes


def match(one: str, two: str, wins: int, losses: int) -> list[PairCount]:
    """This many wins and losses of `one` in each seat."""
    return [
        PairCount(first=one, second=two, games=wins + losses, wins=wins, draws=0, losses=losses),
        PairCount(first=two, second=one, games=wins + losses, wins=losses, draws=0, losses=wins),
    ]


def notes(order: str, *matches: list[PairCount]) -> list[str]:
    return rating_notes(rate(order, list(chain(*matches))), order)


def test_without_games_nobody_is_rated():
    assert notes("ab") == ["Nobody is rated: there is no game that counts."]


def test_two_entrants_with_a_settled_difference():
    assert notes("ab", match("a", "b", 60, 40)) == ["a is better than b with 99 % confidence."]


def test_too_few_games_are_reported():
    (line,) = notes("abc", match("a", "b", 2, 1), match("b", "c", 1, 1))
    assert line.startswith("No difference is certain yet. About ")
    assert line.endswith(" more games between a and b would decide those two.")


def test_a_settled_table_is_one_line():
    (line,) = notes("abc", match("a", "b", 70, 30), match("b", "c", 60, 40))
    assert line == "Everybody is better than the next in the table with at least 99 % confidence."


def test_a_settled_step_comes_with_an_unsettled_one():
    first, second = notes("abcd", match("a", "b", 33, 17), match("b", "c", 30, 10), match("c", "d", 26, 24))
    close = "c and d are so close that many more games would be needed"
    assert first == f"a is better than b with 99 % confidence; {close}."
    assert second == "Neighbours in the table whose order is certain: 2 of 3."


def test_a_table_of_close_neighbours_compares_best_and_weakest():
    matches = [match(one, two, 21, 19) if ord(two) - ord(one) == 1 else match(one, two, 25, 15)
               for one, two in permutations("abcd", 2) if one < two]  # fmt: skip
    first, second = notes("abcd", *matches)
    assert first.startswith("a is better than d with ")
    assert " between a and b would decide those two." in first
    assert second == "Neighbours in the table whose order is certain: 0 of 3."


def test_the_better_entrant_may_be_lower_in_the_table():
    assert notes("ba", match("a", "b", 60, 40)) == ["a is better than b with 99 % confidence."]


def test_equals_after_many_games_need_many_more():
    (line,) = notes("ab", match("a", "b", 50_000, 50_000))
    assert line == "No difference is certain yet. a and b are so close that many more games would be needed."


def test_a_big_league_gets_few_lines():
    order = [f"n{number}" for number in range(40)]
    pairs = [count for one, two in permutations(order, 2) if one < two for count in match(one, two, 3, 2)]
    assert len(rating_notes(rate(order, pairs), order)) <= 3


def test_names_are_shown_as_plain_text():
    order = ["\x1b[31mred", "b" * 100]
    (line,) = rating_notes(rate(order, match(order[0], order[1], 60, 40)), order)
    assert "\x1b" not in line
    assert len(line) < 150


@pytest.mark.parametrize(("games", "shown"), [(2, 2), (18, 18), (41, 50), (163, 170), (1640, 1700), (10_000, 10_000)])
def test_a_forecast_is_rounded(games, shown):
    assert module._round(games) == shown


def test_the_examples_are_true():
    assert doctest.testmod(module).failed == 0
