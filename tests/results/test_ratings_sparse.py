"""Large fields are rated by sparse systems; small ones show that both ways agree."""

import numpy as np
import pytest

from results.pairing import PairCount
from results.standings.bradley_terry import fit
from results.standings.curvature import Cells
from results.standings.elo import ELO_PER_NAT
from results.standings.ratings import rate


def played(entrants: int, games: int, *, seed: int, neighbours: int = 0) -> Cells:
    """Random games among entrants of 300 Elo spread; with `neighbours`, only against some that are as strong."""
    rng = np.random.default_rng(seed)
    strengths = np.sort(rng.normal(0, 300 / ELO_PER_NAT, entrants))
    first = rng.integers(0, entrants, games)
    second = (first + rng.integers(1, neighbours or entrants, games)) % entrants
    score = 1 / (1 + np.exp(strengths[second] - strengths[first] - 0.2))
    drawn = rng.random(games) < 0.3
    won = rng.random(games) < score
    seats, cell = np.unique(first * entrants + second, return_inverse=True)
    return Cells(
        entrants=entrants,
        first=seats // entrants,
        second=seats % entrants,
        wins=np.bincount(cell, won & ~drawn),
        draws=np.bincount(cell, drawn),
        losses=np.bincount(cell, ~won & ~drawn),
    )


FIELDS = [
    pytest.param(played(200, 20_000, seed=1), id="a round robin"),
    pytest.param(played(200, 4_000, seed=2), id="few games"),
    pytest.param(played(200, 20_000, seed=3, neighbours=30), id="neighbours"),
    pytest.param(played(40, 8, seed=4), id="most have not played"),
]


@pytest.mark.parametrize("advantage", [True, False])
@pytest.mark.parametrize("cells", FIELDS)
def test_a_sparse_fit_finds_the_same_strengths(cells, advantage):
    exact, sparse = (fit(cells, prior=1.0, first_advantage=advantage, dense=dense) for dense in (200, 0))
    assert sparse.strengths == pytest.approx(exact.strengths, abs=1e-5)
    assert (sparse.first, sparse.dispersion) == pytest.approx((exact.first, exact.dispersion), abs=1e-5)


@pytest.mark.parametrize("advantage", [True, False])
@pytest.mark.parametrize("cells", FIELDS)
def test_the_errors_of_a_sparse_fit_are_right_within_a_few_percent(cells, advantage):
    exact, sparse = (
        fit(cells, prior=1.0, first_advantage=advantage, dense=dense).covariance for dense in (200, 0)
    )  # fmt: skip
    of_each = np.sqrt(sparse.from_mean() / exact.from_mean())
    neighbours = [
        np.sqrt(sparse.of_difference(one, one + 1) / exact.of_difference(one, one + 1))
        for one in range(cells.entrants - 1)
    ]
    for ratios in (of_each, neighbours):
        assert np.mean(ratios) == pytest.approx(1, abs=0.03)
        assert np.std(ratios) < 0.08
    assert sparse.advantage == pytest.approx(exact.advantage, rel=1e-4)


def test_the_same_games_always_give_the_same_errors():
    once, again = (fit(played(60, 300, seed=5), prior=1.0, first_advantage=True, dense=0) for _ in range(2))
    assert (once.covariance.from_mean() == again.covariance.from_mean()).all()


def test_strengths_and_errors_without_a_prior_are_finite():
    found = fit(played(60, 90, seed=6), prior=0.0, first_advantage=True, dense=0)
    assert np.isfinite(found.strengths).all()
    assert np.isfinite(found.covariance.from_mean()).all()


def test_a_field_of_thousands_is_rated_without_a_matrix_of_all_pairs():
    names = [f"n{number}" for number in range(20_000)]  # a dense matrix of them would take 3.2 GB
    pairs = [
        PairCount(first=one, second=two, games=2, wins=1, draws=0, losses=1)
        for one, two in zip(names, names[1:] + names[:1], strict=True)
    ]
    ratings = rate(names, pairs)
    assert len(ratings.rated) == len(names)
    assert {round(rating.elo, 6) for rating in ratings.rated.values()} == {0.0}
    # Each has four games, all against others that are as uncertain.
    assert 200 < ratings.rated["n7"].error < 400
