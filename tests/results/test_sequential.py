"""A match that ends when a test has decided it."""

import pytest

from results.record import MoveRecord
from results.standings.sprt import Sequential, Sprt

TEST = Sprt(0, 100)


@pytest.fixture
def pair(make_record):
    """Two games with the seats swapped, both won by ada or one by each; pairs of the same text repeat each other."""

    def make(number, text, *, won=False):
        moves = (MoveRecord(text),)
        back = "0-1" if won else "1-0"
        return [
            make_record(f"{number}a", seed=number, moves=moves),
            make_record(f"{number}b", seed=number, moves=moves, first="bob", second="ada", result=back),
        ]

    return make


def course(records=(), agent="ada"):
    return Sequential(TEST, agent=agent, records=records)


def test_a_test_without_games_is_not_over():
    fresh = course()
    assert not fresh.is_over()
    assert not fresh.repeats()
    assert fresh.text() == "Not decided yet (LLR 0.00, limits ±2.94; logistic Elo 0 and 100)"
    assert fresh.as_dict() == TEST.as_dict((0, 0, 0, 0, 0))


def test_a_test_without_more_games_is_undecided(pair):
    running = course(pair(1, "own"))
    assert running.games == 2
    assert running.text().startswith("Not decided yet (LLR ")
    assert running.outcome().startswith("Undecided after 2 games (LLR ")
    assert course(pair(1, "own")[:1]).outcome().startswith("Undecided after 1 game (")


def test_a_test_that_is_decided_has_one_outcome(pair):
    won = course([record for number in range(40) for record in pair(number, f"own {number}", won=True)])
    assert won.outcome() == won.text()


def test_a_test_is_over_when_the_pairs_decide_it(pair):
    running, played = course(), 0
    while not running.is_over():
        played += 1
        for record in pair(played, f"own {played}", won=True):
            running.add(record)
    assert TEST.verdict((0, 0, 0, 0, played)) == "H1"
    assert TEST.verdict((0, 0, 0, 0, played - 1)) is None
    assert running.text().startswith("Decided: ada is closer to 100 Elo stronger than to 0 Elo (LLR ")
    assert running.as_dict()["verdict"] == "H1"
    assert not running.repeats()


def test_the_test_is_about_the_named_entrant(pair):
    records = [record for number in range(40) for record in pair(number, f"own {number}", won=True)]
    assert course(records).as_dict()["verdict"] == "H1"
    assert course(records, agent="bob").as_dict()["verdict"] == "H0"


def test_half_a_pair_does_not_count(pair):
    halves = [pair(number, f"own {number}", won=True)[0] for number in range(100)]
    assert course(halves).as_dict()["llr"] == 0
    assert not course(halves).is_over()


def test_stored_games_count_like_new_ones(pair):
    records = [record for number in range(9) for record in pair(number, f"own {number}", won=number % 3 == 0)]
    resumed = course(records[:7])
    for record in records[7:]:
        resumed.add(record)
    assert resumed.as_dict() == course(records).as_dict()
    assert resumed.as_dict()["llr"] != 0


def test_the_state_is_reported_after_every_twentieth_pair(pair):
    running = course()
    reported = [running.add(record) for number in range(60) for record in pair(number, f"own {number}")]
    assert [index for index, report in enumerate(reported, 1) if report] == [40, 80, 120]


def test_a_game_that_completes_no_pair_is_not_reported(pair, make_record):
    running = course([record for number in range(20) for record in pair(number, f"own {number}")])
    assert not running.add(make_record("alone", seed=99))


@pytest.mark.parametrize(("distinct", "repeats"), [(1, True), (4, True), (5, False), (8, False)])
def test_games_that_repeat_each_other_end_a_test_that_they_cannot_decide(pair, distinct, repeats):
    running = course([record for number in range(20) for record in pair(number, f"own {number % distinct}")])
    assert running.as_dict()["verdict"] is None
    assert running.repeats() == running.is_over() == repeats


def test_a_few_repeated_games_do_not_end_the_test(pair):
    assert not course([record for number in range(19) for record in pair(number, "same")]).is_over()
