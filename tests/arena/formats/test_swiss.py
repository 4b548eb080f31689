"""The Swiss system."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from arena.errors import BadSettings
from arena.formats.schedule import count_games
from arena.formats.swiss import check_swiss, swiss, swiss_rounds
from results.pairing import Meeting, Pairing

Result = Callable[[Pairing], float]


def next_round(entrants: Sequence[int], past: list[Meeting], result: Result, *, rounds: int) -> list[Pairing]:
    drawn = swiss(entrants, past, rounds=rounds)
    past += [Meeting(pairing, 1.0 if pairing.is_bye else result(pairing), True) for pairing in drawn]
    return drawn


def tournament(entrants: int, result: Result, *, rounds: int) -> list[Meeting]:
    past: list[Meeting] = []
    while next_round(range(1, entrants + 1), past, result, rounds=rounds):
        pass
    return past


def random_results(seed: int) -> Result:
    rng = random.Random(seed)
    return lambda _: rng.choice([0.0, 0.5, 1.0])


def better_wins(pairing: Pairing) -> float:
    return 1.0 if pairing.first < pairing.second else 0.0


def meets(pairing: Pairing) -> set[int]:
    return {pairing.first, pairing.second}


def seats(past: Sequence[Meeting], number: int) -> str:
    """The seats of an entrant, round by round: f for first, s for second."""
    own = [meeting.pairing for meeting in past if number in meets(meeting.pairing) and not meeting.pairing.is_bye]
    return "".join("f" if pairing.first == number else "s" for pairing in own)


def check_past(past: Sequence[Meeting]) -> None:
    """Check what is true of every Swiss league, even if entrants enter and leave."""
    games = [meeting.pairing for meeting in past if not meeting.pairing.is_bye]
    assert len({frozenset(meets(pairing)) for pairing in games}) == len(games), "no two entrants meet twice"
    assert len({meeting.pairing.key for meeting in past}) == len(past)
    for number in {number for pairing in games for number in meets(pairing)}:
        own = seats(past, number)
        assert all(abs(2 * own[:end].count("f") - end) <= 2 for end in range(len(own) + 1)), own
        rounds = [meeting.pairing.round for meeting in past if number in meets(meeting.pairing)]
        assert len(set(rounds)) == len(rounds), "one game or bye per round"


@pytest.mark.parametrize("entrants", range(2, 41))
def test_a_league_of_any_size_can_be_drawn_up_to_its_last_round(entrants: int) -> None:
    for seed in range(4):
        rounds = random.Random(f"{entrants} {seed}").randint(1, (entrants + 1) // 2)
        past = tournament(entrants, random_results(seed), rounds=rounds)
        check_past(past)
        games = [meeting for meeting in past if not meeting.pairing.is_bye]
        byes = Counter(meeting.pairing.first for meeting in past if meeting.pairing.is_bye)
        assert len(games) == count_games("swiss", entrants, rounds)
        assert byes.total() == entrants % 2 * rounds
        assert set(byes.values()) <= {1}
        for number in range(1, entrants + 1):
            own = seats(past, number)
            assert abs(own.count("f") - own.count("s")) <= 1
            assert "fff" not in own
            assert "sss" not in own


@pytest.mark.parametrize("seed", range(100))
def test_seven_entrants_can_always_be_drawn_four_times(seed: int) -> None:
    past = tournament(7, random_results(seed), rounds=4)
    assert len(past) == 16
    check_past(past)


@pytest.mark.parametrize("seed", range(150))
def test_entrants_may_enter_and_leave_between_rounds(seed: int) -> None:
    rng = random.Random(seed)
    entrants = list(range(1, rng.randint(2, 40) + 1))
    rounds, last, result = rng.randint(1, 9), len(entrants), random_results(seed)
    past: list[Meeting] = []
    while drawn := next_round(entrants, past, result, rounds=rounds):
        assert sorted(number for pairing in drawn for number in meets(pairing) - {0}) == sorted(entrants)
        entrants = [number for number in entrants if rng.random() < 0.9]
        for _ in range(rng.choice([0, 0, 1, 2])):
            last += 1
            entrants.append(last)
    check_past(past)


def test_in_the_first_round_the_upper_half_meets_the_lower_half_with_alternating_seats() -> None:
    drawn = swiss(range(1, 9), [], rounds=3)
    assert [(pairing.first, pairing.second) for pairing in drawn] == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert [pairing.key for pairing in drawn] == ["s1:1-5", "s1:6-2", "s1:3-7", "s1:8-4"]
    assert {(pairing.round, pairing.opening) for pairing in drawn} == {(0, "s0")}


def test_winners_meet_winners() -> None:
    past: list[Meeting] = []
    next_round(range(1, 9), past, better_wins, rounds=3)
    second = next_round(range(1, 9), past, better_wins, rounds=3)
    # 1 and 3 were first, 2 and 4 second: 1 meets the best of the lower half that was second.
    assert [sorted(meets(pairing)) for pairing in second] == [[1, 4], [2, 3], [5, 8], [6, 7]]
    third = next_round(range(1, 9), past, better_wins, rounds=3)
    assert sorted(meets(third[0])) == [1, 2]
    assert swiss(range(1, 9), past, rounds=3) == []


@pytest.mark.parametrize("entrants", [2, 4, 8, 16, 32])
def test_if_the_better_entrant_always_wins_only_one_entrant_has_all_points(entrants: int) -> None:
    past = tournament(entrants, better_wins, rounds=swiss_rounds(entrants))
    losers = {pairing.second if better_wins(pairing) else pairing.first for pairing in (m.pairing for m in past)}
    assert losers == set(range(2, entrants + 1))


def test_if_the_number_is_odd_the_last_entrant_without_a_bye_gets_one() -> None:
    past: list[Meeting] = []
    byes = []
    for _ in range(3):
        drawn = next_round(range(1, 6), past, better_wins, rounds=3)
        byes += [(pairing.key, pairing.second) for pairing in drawn if pairing.is_bye]
    # 5 has a point from its bye, so 4, which lost, is last; then 3 and 5 have one point each, and only 5 had a bye.
    assert byes == [("s1:5-bye", 0), ("s2:4-bye", 0), ("s3:3-bye", 0)]


def test_a_bye_counts_one_point() -> None:
    past: list[Meeting] = []
    next_round([1, 2, 3], past, better_wins, rounds=2)
    second = next_round([1, 2, 3], past, better_wins, rounds=2)
    assert [sorted(meets(pairing)) for pairing in second] == [[1, 3], [0, 2]]


def test_entrants_that_have_met_everyone_left_get_a_bye() -> None:
    # 1 has met 2, 3 and 4, which are the only others left; 2, 3 and 4 have not met each other.
    games = [Pairing(f"s{n}:1-{n + 1}", 1, n + 1, n - 1, f"s{n - 1}") for n in (1, 2, 3)]
    past = [Meeting(pairing, 0.5, True) for pairing in games]
    drawn = swiss([1, 2, 3, 4], past, rounds=9)
    assert [sorted(meets(pairing)) for pairing in drawn if not pairing.is_bye] == [[2, 3]]
    assert {pairing.first for pairing in drawn if pairing.is_bye} == {1, 4}


def test_the_league_is_over_when_all_have_met() -> None:
    past: list[Meeting] = []
    next_round([1, 2], past, better_wins, rounds=5)
    assert swiss([1, 2], past, rounds=5) == []
    assert swiss([1], past, rounds=5) == []
    assert swiss([], past, rounds=5) == []


def test_a_meeting_that_counts_for_nobody_is_not_drawn_again_and_does_not_count_as_a_seat() -> None:
    past = [Meeting(pairing, None, True) for pairing in swiss(range(1, 5), [], rounds=2)]
    drawn = swiss(range(1, 5), past, rounds=2)
    assert [(pairing.first, pairing.second) for pairing in drawn] == [(1, 4), (3, 2)]


def test_a_round_is_not_drawn_before_the_last_round_is_settled() -> None:
    past = [Meeting(pairing, None, False) for pairing in swiss(range(1, 5), [], rounds=2)]
    with pytest.raises(ValueError, match="settled"):
        swiss(range(1, 5), past, rounds=2)


def test_an_entrant_that_enters_late_plays_from_the_next_round_on() -> None:
    past: list[Meeting] = []
    next_round(range(1, 7), past, better_wins, rounds=3)
    assert {number for pairing in swiss(range(1, 8), past, rounds=3) for number in meets(pairing)} == set(range(8))


def test_a_league_of_a_hundred_entrants_can_be_drawn() -> None:
    past = tournament(100, random_results(1), rounds=9)
    assert len(past) == 450
    check_past(past)


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (100, 7)]
)
def test_the_usual_number_of_rounds(entrants: int, rounds: int) -> None:
    assert swiss_rounds(entrants) == rounds
    check_swiss(entrants, rounds)


@pytest.mark.parametrize(("entrants", "most"), [(2, 1), (7, 4), (8, 4)])
def test_more_rounds_than_half_the_number_of_entrants_are_refused(entrants: int, most: int) -> None:
    check_swiss(entrants, most)
    with pytest.raises(BadSettings, match=f"a Swiss league of {entrants} entrants has at most {most} round"):
        check_swiss(entrants, most + 1)
