"""The sequential test, held against published values."""

import doctest
import json
import math
import random

import pytest

from results.standings import sprt as module
from results.standings.elo import score_of
from results.standings.sprt import Sprt

PUBLISHED = [
    (Sprt(0, 2, model="normalized"), [36027, 68692, 36433], 0.92),
    (Sprt(-1.75, 0.25, model="normalized"), [10650, 20431, 10871], 2.30),
    (Sprt(0.5, 2.5), [21184, 40708, 21404], -1.57),
    (Sprt(0, 2), [57030, 106593, 57433], -2.59),
    (Sprt(0, 2, model="normalized"), [365, 16618, 36029 + 200, 16974, 390], 2.25),
    (Sprt(0.5, 2.5), [223, 9863, 20279 + 1000, 10037, 246], -3.07),
]


@pytest.mark.parametrize(("test", "counts", "llr"), PUBLISHED)
def test_the_values_that_fastchess_publishes(test, counts, llr):
    assert test.llr(counts) == pytest.approx(llr, abs=0.005)


def test_the_bounds_are_walds():
    test = Sprt(0, 2)
    assert (test.lower, test.upper) == pytest.approx((-math.log(19), math.log(19)))
    strict = Sprt(0, 2, alpha=0.01, beta=0.1)
    assert (strict.lower, strict.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_a_match_goes_on_until_a_bound_is_reached():
    test = Sprt(0, 50)
    assert test.verdict([0, 0, 0]) is None
    assert test.verdict([10, 10, 14]) is None
    assert test.verdict([40, 40, 90]) == "H1"
    assert test.verdict([90, 40, 40]) == "H0"


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize(
    "counts", [[0, 0, 20], [20, 0, 0], [0, 20, 0], [1, 0, 0], [0, 0, 0, 0, 9], [0, 0, 9, 0, 0], [9, 0, 0, 0, 10**6]]
)
@pytest.mark.parametrize("bounds", [(0, 2), (-50, 50), (0, 400), (-1000, 1000)])
def test_results_that_never_happened_do_no_harm(model, counts, bounds):
    assert math.isfinite(Sprt(*bounds, model=model).llr(counts))


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_mirrored_match_says_the_opposite(model):
    counts = [12, 30, 41, 33, 20]
    there, back = Sprt(-3, 8, model=model).llr(counts), Sprt(-8, 3, model=model).llr(counts[::-1])
    assert there == pytest.approx(-back)


def test_without_games_the_ratio_is_zero():
    assert Sprt(0, 2).llr([0, 0, 0, 0, 0]) == 0


def test_twenty_wins_support_the_stronger_hypothesis():
    assert Sprt(0, 100).llr([0, 0, 20]) == pytest.approx(20 * math.log(score_of(100) / 0.5), rel=0.01)


def test_the_text_is_one_line():
    start = Sprt(0, 2).text([0, 0, 0], agent="ada")
    assert start == "Not decided yet (LLR 0.00, limits ±2.94; logistic Elo 0 and 2)"
    stronger = Sprt(0, 50).text([40, 40, 90], agent="ada")
    assert stronger.startswith("Decided: ada is closer to 50 Elo stronger than to 0 Elo (LLR ")
    assert stronger.endswith(", limits ±2.94; logistic Elo 0 and 50)")
    equal = Sprt(0, 50).text([90, 40, 40], agent="ada")
    assert equal.startswith("Decided: ada is closer to 0 Elo than to 50 Elo stronger (LLR ")
    weaker = Sprt(-50, 50, alpha=0.01, model="normalized").text([90, 0, 0], agent="ada")
    assert weaker.startswith("Decided: ada is closer to 50 Elo weaker than to 50 Elo stronger (LLR ")
    assert weaker.endswith(", limits -2.99 and 4.55; normalized Elo -50 and 50)")
    assert "(LLR 0.00, " in Sprt(-50, 50).text([0, 9, 0], agent="ada")


def test_the_state_can_be_written_as_json():
    state = json.loads(json.dumps(Sprt(0, 50).as_dict([40, 40, 90]), allow_nan=False))
    assert state["verdict"] == "H1"
    assert state["llr"] > state["upper"] > 0 > state["lower"]
    assert (state["elo0"], state["elo1"], state["model"]) == (0, 50, "logistic")


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 2, "elo1": 2},
        {"elo0": 2, "elo1": 0},
        {"elo0": 0, "elo1": math.inf},
        {"elo0": math.nan, "elo1": 1},
        {"elo0": 0, "elo1": 2, "alpha": 0},
        {"elo0": 0, "elo1": 2, "beta": 0.5},
        {"elo0": 0, "elo1": 2, "model": "other"},
    ],
)
def test_invalid_settings_are_refused(wrong):
    with pytest.raises(ValueError, match="must"):
        Sprt(**wrong)


@pytest.mark.parametrize("counts", [[], [1, 2], [1, 2, 3, 4], [-1, 2, 3]])
def test_invalid_counts_are_refused(counts):
    with pytest.raises(ValueError, match="three of games or five of pairs"):
        Sprt(0, 2).llr(counts)


@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (60, "H0")])
def test_error_rates_are_within_alpha_and_beta(elo, wrong):
    # 100 matches; 5 wrong ones are expected, more than 11 come once in a hundred times.
    rng, test = random.Random(elo), Sprt(0, 60)
    draw = 0.3
    win = score_of(elo) - draw / 2
    verdicts = []
    for _ in range(100):
        counts, verdict = [0, 0, 0], None
        while verdict is None:
            for result in rng.choices([0, 1, 2], [1 - win - draw, draw, win], k=4):
                counts[result] += 1
            verdict = test.verdict(counts)
        verdicts.append(verdict)
    assert verdicts.count(wrong) <= 11


def test_the_examples_are_true():
    assert doctest.testmod(module).failed == 0
