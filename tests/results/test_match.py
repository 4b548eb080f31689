"""What a match says."""

from results.match import Match
from results.record import MoveRecord
from results.score import Score


def test_a_match_is_told_by_seat_overall_and_without_repetitions(make_record):
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
