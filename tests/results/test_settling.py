"""Which neighbours by rating are still open, and which need the fewest games."""

from results.pairing import PairCount
from results.standings.ratings import rate
from results.standings.settling import LEVEL_ELO, doubts


def pair(first: str, second: str, wins: int, draws: int, losses: int) -> PairCount:
    return PairCount(first=first, second=second, games=wins + draws + losses, wins=wins, draws=draws, losses=losses)


def open_pairs(*pairs: PairCount) -> list[tuple[str, str]]:
    names = sorted({name for pair in pairs for name in (pair.first, pair.second)})
    return [(doubt.upper, doubt.lower) for doubt in doubts(rate(names, pairs), names)]


def test_a_certain_order_is_settled() -> None:
    assert open_pairs(pair("a", "b", 70, 0, 30), pair("b", "a", 30, 0, 70)) == []


def test_few_games_leave_the_order_open() -> None:
    assert open_pairs(pair("a", "b", 2, 0, 1)) == [("a", "b")]


def test_entrants_that_are_certainly_level_are_settled() -> None:
    assert LEVEL_ELO == 30
    assert open_pairs(pair("a", "b", 100, 800, 100), pair("b", "a", 100, 800, 100)) == []


def test_those_that_need_the_fewest_games_come_first() -> None:
    found = doubts(
        rate(["a", "b", "c"], [pair("a", "b", 52, 0, 48), pair("b", "c", 58, 0, 42), pair("a", "c", 60, 0, 40)]),
        ["a", "b", "c"],
    )
    needed = [doubt.games for doubt in found]
    assert len(found) == 2
    assert [games for games in needed if games] == sorted(games for games in needed if games)
    assert found[0].games is not None


def test_entrants_that_have_left_are_not_asked_about() -> None:
    ratings = rate(["a", "b", "c"], [pair("a", "b", 2, 0, 1), pair("b", "c", 2, 0, 1)])
    assert [(doubt.upper, doubt.lower) for doubt in doubts(ratings, ["a", "c"])] == [("a", "c")]
