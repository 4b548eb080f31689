"""Leagues whose true strengths are known: the error bars and the forecasts are held against them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from statistics import mean, median

import numpy as np
import pytest

from results.pairing import PairCount
from results.standings.elo import score_of
from results.standings.ratings import Ratings, rate


@dataclass(frozen=True)
class World:
    """How strong the entrants are, in Elo, and how their games end: `draws` is the share between equals."""

    elo: dict[str, float]
    advantage: float
    draws: float

    def play(self, rng: np.random.Generator, first: str, second: str, *, games: int) -> PairCount:
        expected = score_of(self.elo[first] - self.elo[second] + self.advantage)
        draw = 2 * self.draws * min(expected, 1 - expected)
        win = expected - draw / 2
        wins, draws, losses = map(int, rng.multinomial(games, [win, draw, 1 - win - draw]))
        return PairCount(first=first, second=second, games=games, wins=wins, draws=draws, losses=losses)


def worlds(rng: np.random.Generator, leagues: int, *, entrants: int, spread: float, draws: float) -> Iterator[World]:
    for _ in range(leagues):
        elo = {f"n{number}": float(strength) for number, strength in enumerate(rng.normal(0, spread, entrants))}
        yield World(elo, advantage=float(rng.uniform(0, 60)), draws=draws)


def round_robin(rng: np.random.Generator, world: World, *, games: int) -> list[PairCount]:
    return [world.play(rng, first, second, games=games) for first, second in permutations(world.elo, 2)]


def coverage(leagues: int, *, games: int, **shape: float) -> float:
    """How many of all true differences lie within the 95 % intervals."""
    rng = np.random.default_rng(20)
    hits = []
    for world in worlds(rng, leagues, **shape):  # type: ignore[arg-type]
        ratings = rate(list(world.elo), round_robin(rng, world, games=games))
        for one, two in combinations(world.elo, 2):
            found = ratings.difference(one, two)
            assert found is not None
            hits.append(abs(found.elo - world.elo[one] + world.elo[two]) <= found.error)
    return mean(hits)


SHAPES = [
    {"entrants": 6, "games": 5, "spread": 150.0, "draws": 0.3},
    {"entrants": 6, "games": 20, "spread": 150.0, "draws": 0.3},
    {"entrants": 6, "games": 10, "spread": 100.0, "draws": 0.8},
    {"entrants": 6, "games": 5, "spread": 250.0, "draws": 0.0},
    {"entrants": 12, "games": 2, "spread": 150.0, "draws": 0.3},
    {"entrants": 2, "games": 20, "spread": 100.0, "draws": 0.3},
]


@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
def test_the_intervals_hold_the_true_differences(shape):
    assert 0.93 <= coverage(400, **shape) <= 0.97


@pytest.mark.soak
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_intervals_hold_the_true_differences_in_1000_leagues(shape):
    assert 0.93 <= coverage(1000, **shape) <= 0.97


def test_the_advantage_of_first_is_found():
    rng = np.random.default_rng(21)
    hits = []
    for world in worlds(rng, 150, entrants=4, spread=100, draws=0.3):
        found = rate(list(world.elo), round_robin(rng, world, games=20)).first_advantage
        assert found is not None
        hits.append(abs(found.elo - world.advantage) <= found.error)
    assert 0.92 <= mean(hits) <= 0.98


def unsettled(ratings: Ratings, names: list[str]) -> list[tuple[str, str]]:
    ranked = sorted(names, key=lambda name: -ratings.rated[name].elo)
    return [(one, two) for one, two in pairwise(ranked) if ratings.more_games(one, two)]


def took(rng: np.random.Generator, world: World, played: list[PairCount], one: str, two: str) -> int:
    """How many more games of the two, both seats alike, it takes to settle them; at most 100,000."""
    counts = {(pair.first, pair.second): pair for pair in played}
    more = 0
    while more < 100_000:
        # Looked at after every two games, later after every few per cent.
        games = max(1, more // 20)
        for seats in ((one, two), (two, one)):
            old, new = counts[seats], world.play(rng, *seats, games=games)
            sums = {name: getattr(old, name) + getattr(new, name) for name in ("games", "wins", "draws", "losses")}
            counts[seats] = replace(old, **sums)
        more += 2 * games
        found = rate(list(world.elo), list(counts.values())).difference(one, two)
        assert found is not None
        if found.settled:
            break
    return more


def ratios(leagues: int, *, games: int, spread: float) -> list[float]:
    """Games that it took over games that were forecast, for one unsettled pair of neighbours in every league."""
    rng = np.random.default_rng(22)
    found = []
    for world in worlds(rng, leagues, entrants=6, spread=spread, draws=0.3):
        played = round_robin(rng, world, games=games)
        ratings = rate(list(world.elo), played)
        candidates = unsettled(ratings, list(world.elo))
        if candidates:
            one, two = candidates[rng.integers(len(candidates))]
            forecast = ratings.more_games(one, two)
            assert forecast is not None
            found.append(took(rng, world, played, one, two) / forecast)
    return found


def test_the_forecast_of_more_games_is_about_right():
    assert 0.5 <= median(ratios(40, games=10, spread=100)) <= 2


@pytest.mark.soak
@pytest.mark.parametrize(("games", "spread"), [(10, 100), (5, 150), (20, 50)])
def test_the_forecast_of_more_games_is_about_right_in_1000_leagues(games, spread):
    assert 0.5 <= median(ratios(1000, games=games, spread=spread)) <= 2
