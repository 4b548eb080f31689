"""Ratings of all entrants from all games at once."""

import math
import subprocess
import sys
from itertools import permutations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from results.pairing import PairCount
from results.standings.elo import ELO_PER_NAT
from results.standings.ratings import Estimate, rate

NAMES = ["ada", "bob", "eve", "dan", "kim"]


def pair(first: str, second: str, wins: int, draws: int, losses: int) -> PairCount:
    games = wins + draws + losses
    return PairCount(first=first, second=second, games=games, wins=wins, draws=draws, losses=losses)


def decisive(rng: np.random.Generator) -> list[PairCount]:
    """Games without draws in which everybody wins and loses."""
    wins = {seats: int(rng.integers(1, 20)) for seats in permutations(NAMES, 2)}
    return [pair(*seats, wins=number, draws=0, losses=int(rng.integers(1, 20))) for seats, number in wins.items()]


@pytest.mark.parametrize("seed", range(5))
def test_without_prior_and_advantage_ratings_equal_those_of_choix(seed):
    pairs = decisive(np.random.default_rng(seed))
    games = []
    for count in pairs:
        first, second = NAMES.index(count.first), NAMES.index(count.second)
        games += [(first, second)] * count.wins + [(second, first)] * count.losses
    wanted = ELO_PER_NAT * choix.opt_pairwise(len(NAMES), games, alpha=0, tol=1e-9)
    ratings = rate(NAMES, pairs, prior=0, first_advantage=False)
    for name, elo in zip(NAMES, wanted - wanted.mean(), strict=True):
        assert ratings.rated[name].elo == pytest.approx(elo, abs=0.1)


def test_two_entrants_without_prior_differ_by_the_odds_of_their_points():
    ratings = rate(NAMES, [pair("ada", "bob", 6, 6, 2), pair("bob", "ada", 2, 6, 6)], prior=0)
    found = ratings.difference("ada", "bob")
    # 18 of 28 points: 400 log10 (18 / 10)
    assert found is not None
    assert found.elo == pytest.approx(102.11, abs=0.01)
    assert ratings.rated["ada"].elo == pytest.approx(51.05, abs=0.01)


def test_the_mean_of_the_field_is_zero():
    ratings = rate(NAMES, decisive(np.random.default_rng(1)))
    assert math.fsum(rating.elo for rating in ratings.rated.values()) == pytest.approx(0, abs=1e-6)


def test_differences_belong_to_the_ratings():
    ratings = rate(NAMES, decisive(np.random.default_rng(1)))
    there, back = ratings.difference("ada", "eve"), ratings.difference("eve", "ada")
    assert there is not None
    assert back is not None
    assert there.elo == pytest.approx(ratings.rated["ada"].elo - ratings.rated["eve"].elo)
    assert (there.elo, there.error, there.los) == pytest.approx((-back.elo, back.error, 1 - back.los))


def test_a_seat_that_always_wins_is_an_advantage_not_a_strength():
    ratings = rate(NAMES, [pair("ada", "bob", 9, 0, 1), pair("bob", "ada", 9, 0, 1)])
    found = ratings.difference("ada", "bob")
    assert found is not None
    assert ratings.first_advantage is not None
    assert found.elo == pytest.approx(0, abs=1e-6)
    assert not found.settled
    assert ratings.first_advantage.elo > 250
    assert ratings.first_advantage.settled


def test_the_advantage_can_be_left_out():
    ratings = rate(NAMES, [pair("ada", "bob", 9, 0, 1), pair("bob", "ada", 9, 0, 1)], first_advantage=False)
    assert ratings.first_advantage is None


def test_draws_make_the_errors_smaller():
    lively = rate(NAMES, [pair("ada", "bob", 25, 0, 15), pair("bob", "ada", 15, 0, 25)]).difference("ada", "bob")
    drawish = rate(NAMES, [pair("ada", "bob", 15, 20, 5), pair("bob", "ada", 5, 20, 15)]).difference("ada", "bob")
    assert lively is not None
    assert drawish is not None
    assert drawish.elo == pytest.approx(lively.elo)
    # A game's points vary by 15/64 and by 7/64 around 5/8.
    assert drawish.error / lively.error == pytest.approx(math.sqrt(7 / 15), rel=0.05)


def test_an_entrant_without_games_is_not_rated():
    ratings = rate(NAMES, [pair("ada", "bob", 1, 0, 0), pair("ada", "eve", 0, 0, 0)])
    assert ratings.of("eve") is None
    assert ratings.difference("ada", "eve") is None
    assert ratings.more_games("ada", "eve") is None
    assert {name: rating.games for name, rating in ratings.rated.items()} == {"ada": 1, "bob": 1}


def test_an_entrant_has_no_difference_from_itself():
    assert rate(NAMES, [pair("ada", "bob", 1, 0, 0)]).difference("ada", "ada") is None


def test_a_league_without_games_rates_nobody():
    ratings = rate(NAMES, [])
    assert ratings.rated == {}
    assert ratings.first_advantage is None
    assert ratings.difference("ada", "bob") is None


def test_a_perfect_score_is_finite_and_grows_with_the_games():
    few = rate(NAMES, [pair("ada", "bob", 5, 0, 0), pair("bob", "ada", 0, 0, 5)]).difference("ada", "bob")
    many = rate(NAMES, [pair("ada", "bob", 500, 0, 0), pair("bob", "ada", 0, 0, 500)]).difference("ada", "bob")
    assert few is not None
    assert many is not None
    assert 300 < few.elo < many.elo < 2000
    assert few.los < many.los < 1


def test_groups_that_never_met_cannot_be_compared():
    apart = [pair("ada", "bob", 60, 0, 40), pair("bob", "ada", 40, 0, 60), pair("eve", "dan", 90, 0, 10)]
    ratings = rate(NAMES, [*apart, pair("dan", "eve", 10, 0, 90)])
    within, across = ratings.difference("ada", "bob"), ratings.difference("ada", "dan")
    assert within is not None
    assert across is not None
    assert within.settled
    assert across.error > 400


def test_only_draws_still_have_an_error():
    found = rate(NAMES, [pair("ada", "bob", 0, 10, 0), pair("bob", "ada", 0, 10, 0)]).difference("ada", "bob")
    assert found is not None
    assert found.elo == pytest.approx(0)
    assert 20 < found.error < 100


def test_a_negative_prior_is_refused():
    with pytest.raises(ValueError, match="imaginary games"):
        rate(NAMES, [], prior=-1)


def test_a_settled_difference_needs_no_more_games():
    ratings = rate(NAMES, [pair("ada", "bob", 90, 0, 10), pair("bob", "ada", 10, 0, 90)])
    assert ratings.more_games("ada", "bob") is None


def test_closer_entrants_need_more_games():
    close = rate(NAMES, [pair("ada", "bob", 51, 0, 49), pair("bob", "ada", 49, 0, 51)]).more_games("ada", "bob")
    apart = rate(NAMES, [pair("ada", "bob", 56, 0, 44), pair("bob", "ada", 44, 0, 56)]).more_games("ada", "bob")
    assert close is not None
    assert apart is not None
    assert 0 < 5 * apart < close
    assert (close % 2, apart % 2) == (0, 0)


def test_too_many_games_are_not_forecast():
    even = [pair("ada", "bob", 50_000, 0, 50_000), pair("bob", "ada", 50_000, 0, 50_000)]
    assert rate(NAMES, even).more_games("ada", "bob") is None


def test_unbounded_strengths_do_not_break_the_forecast():
    pairs = [PairCount(first="ada", second="bob", games=1, wins=0, draws=0, losses=1)]
    ratings = rate(["ada", "bob"], pairs, prior=0.0, first_advantage=False)
    assert (ratings.more_games("bob", "ada") or 2) >= 2


def test_zero_within_the_interval_is_not_settled():
    assert not Estimate(10, 11, 0.9).settled
    assert Estimate(-12, 11, 0.01).settled


counts = st.integers(0, 3) | st.integers(0, 100_000)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    st.lists(st.tuples(st.sampled_from(list(permutations(NAMES, 2))), counts, counts, counts), max_size=12),
    st.sampled_from([1.0, 0.1, 0.0]),
    st.booleans(),
)
def test_ratings_are_always_finite(cells, prior, first_advantage):
    pairs = [pair(*seats, wins, draws, losses) for seats, wins, draws, losses in cells]
    ratings = rate(NAMES, pairs, prior=prior, first_advantage=first_advantage)
    for rating in ratings.rated.values():
        assert math.isfinite(rating.elo)
        assert math.isfinite(rating.error)
    for one, two in permutations(ratings.rated, 2):
        found = ratings.difference(one, two)
        assert found is not None
        assert math.isfinite(found.elo)
        assert math.isfinite(found.error)
        assert 0 <= found.los <= 1
        assert (ratings.more_games(one, two) or 2) >= 2


def test_ratings_load_numpy_only_when_there_is_something_to_rate():
    modules = "results.standings.ratings, results.standings.ratings, results.standings.match, results.standings.sprt"
    code = f"import sys, {modules}; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
