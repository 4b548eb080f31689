"""Matches: scores, Elo, pairs, text."""

import json

import pytest

from results.record import MoveRecord
from results.standings.elo import elo_of
from results.standings.match import Match
from results.standings.score import Score


def test_a_match_has_scores_by_seat_overall_and_without_repetitions(make_record):
    other = (MoveRecord("c1d3"),)
    records = [
        make_record("1", result="1-0"),
        make_record("2", first="bob", second="ada", result="1-0"),
        make_record("3", result="1-0"),
        make_record("4", result="1/2-1/2", moves=other),
    ]
    match = Match.of(records, one="ada", two="bob")
    assert match.as_first == Score(wins=2, draws=1)
    assert match.as_second == Score(losses=1)
    assert match.overall == Score(wins=2, draws=1, losses=1)
    assert match.distinct == Score(wins=1, draws=1, losses=1)
    assert "ada: 0.625 vs. bob: 0.375" in match.text()
    assert "4 games, 3 distinct" in match.text()


def test_a_match_without_games_says_so():
    match = Match.of([], one="ada", two="bob")
    assert "ada as first: no games, as second: no games" in match.text()
    assert match.as_dict()["score_first"] is None
    assert match.as_dict()["elo"] is None
    assert match.as_dict()["los"] == 0.5
    assert "Elo" not in match.text()


def games(make_record, results, *, mirrored=True):
    """Games of ada against bob, taking turns in being first, each with moves of its own; "1-0" is a win of ada."""
    flipped = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}
    for index, result in enumerate(results):
        swap = index % 2 == 1
        names = {"first": "bob", "second": "ada"} if swap else {"first": "ada", "second": "bob"}
        yield make_record(
            str(index),
            **names,
            result=flipped[result] if swap else result,
            seed=index // 2 if mirrored else index,
            moves=(MoveRecord(f"c1d{index}"),),
        )


def played(make_record, results, *, mirrored=True):
    return Match.of(list(games(make_record, results, mirrored=mirrored)), one="ada", two="bob")


def test_games_that_share_an_opening_are_counted_in_pairs(make_record):
    draw = "1/2-1/2"
    results = ["0-1", "0-1", "0-1", draw, draw, draw, "0-1", "1-0", draw, "1-0", "1-0", "1-0", "1-0"]
    match = played(make_record, results)
    # The thirteenth game has no mirror yet.
    assert match.pentanomial == (1, 1, 2, 1, 1)
    assert match.as_dict()["pentanomial"] == [1, 1, 2, 1, 1]
    counts = "0 points: 1, ½ point: 1, 1 point: 2, 1½ points: 1, 2 points: 1"
    assert f"Pairs of games with sides swapped, by points of ada: {counts}" in match.text()


def test_pairs_are_found_in_whatever_order_games_end(make_record):
    records = list(games(make_record, ["1-0", "0-1", "1-0", "1-0"]))
    shuffled = Match.of([records[index] for index in (3, 0, 2, 1)], one="ada", two="bob")
    assert shuffled.pentanomial == (0, 0, 1, 0, 1)


def test_a_match_without_mirrored_games_has_no_pairs(make_record):
    match = played(make_record, ["1-0", "0-1"], mirrored=False)
    assert match.pentanomial == (0, 0, 0, 0, 0)
    assert "pairs" not in match.text()


def test_the_elo_of_games_without_mirrors_is_the_published_one(make_record):
    results = ["1-0"] * 136 + ["1/2-1/2"] * 111 + ["0-1"] * 96
    match = played(make_record, results, mirrored=False)
    assert "Elo +40.7 ± 30.4, nElo +49.8 ± 36.8; ada is better with a likelihood (LOS) of 99.6 %" in match.text()
    found = match.as_dict()
    assert (found["elo"], found["elo_error"]) == pytest.approx((40.70, 30.43), abs=0.005)
    assert (found["nelo"], found["nelo_error"]) == pytest.approx((49.77, 36.77), abs=0.005)
    assert found["los"] == pytest.approx(0.996, abs=0.0005)


def test_the_elo_of_mirrored_games_is_the_published_one(make_record):
    loss, draw, win = "0-1", "1/2-1/2", "1-0"
    pairs = [(loss, loss)] * 34 + [(loss, draw)] * 54 + [(draw, draw)] * 63 + [(win, draw)] * 64 + [(win, win)] * 75
    match = played(make_record, [result for pair in pairs for result in pair])
    assert match.pentanomial == (34, 54, 63, 64, 75)
    assert "Elo +55.6 ± 27.7, nElo +57.9 ± 28.3" in match.text()


@pytest.mark.parametrize(("result", "elo"), [("1-0", "Elo over +"), ("0-1", "Elo below -")])
def test_a_perfect_match_shows_a_bound(make_record, result, elo):
    match = played(make_record, [result] * 20)
    found = match.as_dict()
    assert elo in match.text()
    assert (found["elo"], found["elo_error"], found["nelo"], found["nelo_error"]) == (None, None, None, None)
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("result", ["1-0", "1/2-1/2", "0-1"])
def test_too_few_games_show_no_elo(make_record, result, number):
    text = played(make_record, [result] * number).text()
    assert "Elo unknown: too few games; " in text
    assert text.count("Elo") == 1


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        (["1-0", "1-0", "0-1", "1-0"], "; ada is better with a likelihood (LOS) of 8"),
        (["0-1", "0-1", "1-0", "0-1"], "; bob is better with a likelihood (LOS) of 8"),
        (["0-1", "1-0"], "; equal scores, so neither is ahead\n"),
        (["1/2-1/2"], "; equal scores, so neither is ahead"),
    ],
)
def test_the_entrant_that_is_ahead_is_named(make_record, results, sentence):
    assert sentence in played(make_record, results).text()


def test_both_views_of_a_match_name_the_same_entrant(make_record):
    records = list(games(make_record, ["0-1", "0-1", "1-0", "0-1"]))
    texts = [Match.of(records, one=one, two=two).text() for one, two in (("ada", "bob"), ("bob", "ada"))]
    ahead = [text.partition("; bob is better")[2].partition("\n")[0] for text in texts]
    assert ahead[0] == ahead[1] != ""


@pytest.mark.parametrize(
    ("result", "number", "elo"),
    [
        ("1-0", 4, "Elo over +96;"),
        ("0-1", 4, "Elo below -96;"),
        ("1/2-1/2", 4, "Elo +0.0 ± 381.8, nElo +0.0 ± 340.5;"),
        ("1-0", 20, "Elo over +399;"),
        ("0-1", 20, "Elo below -399;"),
        ("1/2-1/2", 20, "Elo +0.0 ± 65.7, nElo +0.0 ± 152.3;"),
    ],
)
def test_from_four_games_on_a_bound_has_the_sign_of_the_score(make_record, result, number, elo):
    assert elo in played(make_record, [result] * number).text()


def test_many_games_with_only_two_distinct_ones_show_no_elo(make_record):
    match = Match.of(list(games(make_record, ["1-0", "1-0"])) * 10, one="ada", two="bob")
    assert "20 games, 2 distinct" in match.text()
    assert "Elo unknown: too few distinct games; " in match.text()


def test_few_games_have_no_error(make_record):
    match = played(make_record, ["1-0", "0-1", "1-0", "1-0"])
    assert "Elo +191, too few games for an error bar; " in match.text()
    assert match.as_dict()["elo"] == pytest.approx(190.85, abs=0.01)
    assert match.as_dict()["elo_error"] is None


def test_repeated_games_do_not_shrink_the_error(make_record):
    once = list(games(make_record, ["1-0", "0-1", "1-0", "1-0", "1/2-1/2", "0-1", "1-0", "1/2-1/2"]))
    match = Match.of(once * 25, one="ada", two="bob")
    single = Match.of(once, one="ada", two="bob")
    assert match.pentanomial == single.pentanomial
    assert match.performance.elo == elo_of(single.overall.mean)
    assert match.performance.los < 0.9
    assert "Some games repeat others: error bars and pairs count each distinct one once." in match.text()
    assert "repeat" not in single.text()
