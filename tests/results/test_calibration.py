"""Whether claims came true, and games of note."""

import random
from dataclasses import replace

import pytest

from games.base import Margin
from results.pairing import PairCount
from results.record import ClaimedGame, ClaimRecord, GameSummary
from results.standings.calibration import calibration
from results.standings.notable import notable
from results.standings.ratings import rate

ANY = GameSummary(
    id=1, league="cup", game="othello", first="a", second="b", score_first=1.0, reason="discs", turns=60, seconds=1.0,
    margin=Margin(40, 24, "discs"), faulty=None, rule=None,
)  # fmt: skip


def game(number, score, *claims, mover="first"):
    said = tuple(ClaimRecord(turn, value) for turn, value in claims)
    return ClaimedGame(id=number, first="a", second="b", mover=mover, score_first=score, claims=said)


def test_a_claim_is_compared_with_the_score_of_the_player_that_made_it():
    (one, two) = sorted(calibration([game(1, 1.0, (1, 0.75), (2, 0.25))]), key=lambda found: found.agent)
    assert (one.agent, one.bias, one.brier) == ("a", -0.25, 0.0625)
    assert (two.agent, two.bias, two.brier) == ("b", 0.25, 0.0625)
    (only,) = calibration([game(1, 1.0, (1, 0.75), mover="second")])
    assert only.agent == "b"


def test_moves_without_a_value_do_not_count_and_the_edges_have_their_bins():
    (found,) = calibration([game(1, 1.0, (1, None), (3, 1.0), (5, 0.0), (7, 0.95))])
    assert (found.moves, found.games) == (3, 1)
    assert [(one.claimed, one.moves) for one in found.bins] == [(0.0, 1), (0.975, 2)]
    assert calibration([game(1, 1.0, (1, None))]) == []


def test_moves_of_one_game_are_no_more_evidence_than_one_move():
    few = calibration([game(number, float(number % 2), (1, 0.5)) for number in range(40)])[0].bins[0]
    many = calibration([game(number, float(number % 2), *((turn, 0.5) for turn in range(1, 41, 2)))
                        for number in range(40)])[0].bins[0]  # fmt: skip
    assert (few.score, many.score, many.moves) == (0.5, 0.5, 800)
    assert many.error == pytest.approx(few.error)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    dice, covered = random.Random(1), 0
    for _ in range(300):
        games = [game(number, float(dice.random() < 0.7), (1, 0.72), (3, 0.71)) for number in range(40)]
        found = calibration(games)[0].bins[0]
        covered += abs(found.score - 0.7) <= found.error
    assert 0.91 <= covered / 300 <= 0.99


def test_games_that_all_ended_alike_leave_a_doubt():
    found = calibration([game(number, 1.0, (1, 0.9)) for number in range(5)])[0].bins[0]
    assert 0 < found.error < 1


def test_every_kind_of_note_names_its_own_game():
    games = [
        replace(ANY, id=1, turns=70), replace(ANY, id=2, turns=20), replace(ANY, id=3, margin=Margin(33, 31, "discs")),
        replace(ANY, id=4, score_first=0.0), replace(ANY, id=5, rule="time", faulty="first", turns=3),
        replace(ANY, id=6, turns=1, score_first=0.5, margin=Margin(32, 32, "discs")),
    ]  # fmt: skip
    pairs = [PairCount(first="a", second="b", games=20, wins=18, draws=0, losses=2)]
    found = {one.what: (one.game.id, one.amount) for one in notable(games, {"cup": rate(["a", "b"], pairs)})}
    surprise, elo = found.pop("surprise")
    assert (surprise, elo > 100) == (4, True)
    assert found == {"narrowest": (3, 2), "longest": (1, 70), "quickest": (2, 20), "fault": (5, 0)}
    assert notable([], {}) == []


def test_a_game_is_named_once_and_the_next_best_takes_the_other_note():
    assert [(one.what, one.game.id) for one in notable([ANY], {})] == [("narrowest", 1)]
    two = [replace(ANY, turns=90), replace(ANY, id=2, turns=50, margin=None)]
    assert [(one.what, one.game.id) for one in notable(two, {})] == [("narrowest", 1), ("longest", 2)]
