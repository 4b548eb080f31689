"""The knockout."""

import random
from collections.abc import Callable, Sequence

import pytest

from arena.formats.knockout import knockout
from arena.formats.schedule import count_games
from results.pairing import Meeting, Pairing
from results.standings.bracket import MOST_EXTRA, stages

Result = Callable[[Pairing], float | None]


def play(entrants: Sequence[int], past: list[Meeting], result: Result, *, rounds: int = 1) -> list[Pairing]:
    """Draw the next games and play them."""
    drawn = knockout(entrants, past, rounds=rounds)
    past += [Meeting(pairing, result(pairing), True) for pairing in drawn]
    return drawn


def play_all(entrants: Sequence[int], result: Result, *, rounds: int = 1) -> list[Meeting]:
    past: list[Meeting] = []
    while play(entrants, past, result, rounds=rounds):
        pass
    return past


def better_wins(pairing: Pairing) -> float:
    return 1.0 if pairing.first < pairing.second else 0.0


def worse_wins(pairing: Pairing) -> float:
    return 1 - better_wins(pairing)


def drawn_game(_: Pairing) -> float:
    return 0.5


def no_score(_: Pairing) -> None:
    return None


def ties(pairings: Sequence[Pairing]) -> list[tuple[int, int]]:
    """Who meets whom, in the order of the bracket."""
    return list(dict.fromkeys((min(p.first, p.second), max(p.first, p.second)) for p in pairings))


def champion(entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int = 1) -> int:
    reached = stages(entrants, past, rounds=rounds)
    best = max(reached.values())
    (winner,) = (number for number, stage in reached.items() if stage == best)
    return winner


def test_eight_entrants_are_in_the_standard_bracket() -> None:
    past: list[Meeting] = []
    assert ties(play(range(1, 9), past, better_wins)) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert ties(play(range(1, 9), past, better_wins)) == [(1, 4), (2, 3)]
    assert ties(play(range(1, 9), past, better_wins)) == [(1, 2)]
    assert play(range(1, 9), past, better_wins) == []


def test_a_winner_takes_the_place_of_the_loser_in_the_bracket() -> None:
    past: list[Meeting] = []
    play(range(1, 9), past, worse_wins)
    assert ties(play(range(1, 9), past, worse_wins)) == [(5, 8), (6, 7)]
    assert ties(play(range(1, 9), past, worse_wins)) == [(7, 8)]
    assert champion(range(1, 9), past) == 8


def test_the_best_seeds_start_later_if_the_number_is_not_a_power_of_two() -> None:
    past: list[Meeting] = []
    assert ties(play(range(1, 7), past, better_wins)) == [(4, 5), (3, 6)]
    assert ties(play(range(1, 7), past, better_wins)) == [(1, 4), (2, 3)]
    assert ties(play(range(1, 7), past, better_wins)) == [(1, 2)]


def test_seeds_are_the_order_of_the_entrants() -> None:
    past: list[Meeting] = []
    assert ties(play([3, 5, 8, 9, 12], past, better_wins)) == [(9, 12)]
    assert ties(play([3, 5, 8, 9, 12], past, better_wins)) == [(3, 9), (5, 8)]
    assert ties(play([3, 5, 8, 9, 12], past, better_wins)) == [(3, 5)]


def test_a_tie_is_pairs_of_games_with_sides_swapped_and_one_opening_per_pair() -> None:
    assert knockout([1, 2], [], rounds=2) == [
        Pairing("k1.1:1-2", 1, 2, 0, "k0:1-2:0"),
        Pairing("k1.2:2-1", 2, 1, 0, "k0:1-2:0"),
        Pairing("k1.3:1-2", 1, 2, 0, "k0:1-2:1"),
        Pairing("k1.4:2-1", 2, 1, 0, "k0:1-2:1"),
    ]


@pytest.mark.parametrize("result", [drawn_game, no_score])
def test_a_level_tie_gets_extra_pairs_one_at_a_time_and_then_the_better_seed_wins_it(result: Result) -> None:
    past: list[Meeting] = []
    drawn = [len(play([1, 2, 3, 4], past, result, rounds=2)) for _ in range(1 + MOST_EXTRA)]
    assert drawn == [8, 4, 4, 4]
    assert ties(knockout([1, 2, 3, 4], past, rounds=2)) == [(1, 2)]
    assert len({meeting.pairing.key for meeting in past}) == len(past)


def test_an_extra_pair_decides_and_only_level_ties_have_one() -> None:
    past: list[Meeting] = []
    play([1, 2, 3, 4], past, lambda pairing: 0.5 if 1 in (pairing.first, pairing.second) else better_wins(pairing))
    extra = play([1, 2, 3, 4], past, worse_wins)
    assert [pairing.key for pairing in extra] == ["k1.3:1-4", "k1.4:4-1"]
    assert {pairing.opening for pairing in extra} == {"k0:1-4:1"}
    assert ties(play([1, 2, 3, 4], past, worse_wins)) == [(2, 4)]
    assert champion([1, 2, 3, 4], past) == 4


def test_a_game_that_counts_for_nobody_leaves_the_decision_to_the_other_games() -> None:
    past: list[Meeting] = []
    play([1, 2], past, lambda pairing: 0.0 if pairing.first == 1 else None)
    assert knockout([1, 2], past, rounds=1) == []
    assert champion([1, 2], past) == 2


@pytest.mark.parametrize("entrants", range(2, 34))
@pytest.mark.parametrize("rounds", [1, 2])
def test_one_entrant_wins_every_tie_and_every_other_entrant_loses_one(entrants: int, rounds: int) -> None:
    rng = random.Random(entrants)
    strength = {number: rng.random() for number in range(1, entrants + 1)}
    past = play_all(range(1, entrants + 1), lambda p: float(strength[p.first] > strength[p.second]), rounds=rounds)
    assert len(past) == count_games("knockout", entrants, rounds)
    assert len({meeting.pairing.key for meeting in past}) == len(past)
    assert champion(range(1, entrants + 1), past, rounds=rounds) == max(strength, key=strength.__getitem__)
    lost = [min(tie, key=strength.__getitem__) for tie in ties([meeting.pairing for meeting in past])]
    assert len(set(lost)) == len(lost) == entrants - 1


@pytest.mark.parametrize("entrants", range(3, 34))
def test_the_two_best_seeds_can_meet_only_in_the_final(entrants: int) -> None:
    past = play_all(range(1, entrants + 1), better_wins)
    last = max(meeting.pairing.round for meeting in past)
    assert ties([meeting.pairing for meeting in past if meeting.pairing.round == last]) == [(1, 2)]


def test_stages_count_the_rounds_an_entrant_reached_and_one_more_for_the_winner() -> None:
    past: list[Meeting] = []
    assert stages(range(1, 7), past, rounds=1) == dict.fromkeys(range(1, 7), 1)
    play(range(1, 7), past, better_wins)
    assert stages(range(1, 7), past, rounds=1) == {1: 2, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1}
    play(range(1, 7), past, better_wins)
    play(range(1, 7), past, better_wins)
    assert stages(range(1, 7), past, rounds=1) == {1: 4, 2: 3, 3: 2, 4: 2, 5: 1, 6: 1}


def test_an_entrant_that_left_loses_its_tie() -> None:
    past: list[Meeting] = []
    play(range(1, 5), past, better_wins)
    # 1 has won its tie but leaves before the next round: 4 advances.
    assert ties(play([2, 3, 4], past, better_wins)) == [(2, 4)]
    # 2 wins the final, and 4 leaves after it: that changes nothing.
    assert knockout([2, 3], past, rounds=1) == []
    assert champion([2, 3], past) == 2


@pytest.mark.parametrize("result", [better_wins, worse_wins, drawn_game])
def test_a_winner_that_leaves_afterwards_is_still_the_winner(result: Result) -> None:
    past = play_all(range(1, 6), result)
    winner = champion(range(1, 6), past)
    others = [number for number in range(1, 6) if number != winner]
    assert knockout(others, past, rounds=1) == []
    assert champion(others, past) == winner


def test_an_entrant_that_leaves_keeps_the_ties_it_has_won() -> None:
    past: list[Meeting] = []
    play(range(1, 9), past, better_wins)
    play(range(1, 9), past, better_wins)
    assert ties(play(range(2, 9), past, better_wins)) == [(2, 4)]  # 1 beat 8 and 4: 4 advances, not 8


def test_if_both_entrants_of_a_tie_have_left_the_next_opponent_advances() -> None:
    past: list[Meeting] = []
    play(range(1, 5), past, better_wins)
    assert play([2, 3], past, better_wins) == []
    assert champion([2, 3], past) == 2


def test_a_top_seed_that_leaves_before_its_first_tie_does_not_change_the_bracket() -> None:
    past: list[Meeting] = []
    play(range(1, 7), past, better_wins)
    assert ties(play([2, 3, 4, 5, 6], past, better_wins)) == [(2, 3)]
    assert ties(play([2, 3, 4, 5, 6], past, better_wins)) == [(2, 4)]


def test_an_entrant_that_enters_after_the_first_draw_does_not_play() -> None:
    past: list[Meeting] = []
    play(range(1, 6), past, better_wins)
    assert ties(knockout(range(1, 9), past, rounds=1)) == [(1, 4), (2, 3)]


@pytest.mark.parametrize("seed", range(200))
def test_the_knockout_ends_whoever_leaves(seed: int) -> None:
    rng = random.Random(seed)
    entrants = [number for number in range(1, rng.randint(3, 40)) if rng.random() < 0.8]
    past: list[Meeting] = []
    results = [0.0, 0.5, 1.0, None]
    while drawn := play(entrants, past, lambda _: rng.choice(results)):
        assert {number for pairing in drawn for number in (pairing.first, pairing.second)} <= set(entrants)
        entrants = [number for number in entrants if rng.random() < 0.93] + [50 + len(past)]
    assert len({meeting.pairing.key for meeting in past}) == len(past)


@pytest.mark.parametrize("entrants", [[], [3]])
def test_fewer_than_two_entrants_have_no_games(entrants: list[int]) -> None:
    assert knockout(entrants, [], rounds=1) == []


def test_games_are_not_drawn_before_the_last_games_are_settled() -> None:
    past = [Meeting(pairing, None, False) for pairing in knockout([1, 2], [], rounds=1)]
    with pytest.raises(ValueError, match="settled"):
        knockout([1, 2], past, rounds=1)
