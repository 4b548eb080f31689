"""The standings of a stored league: everything that counts, and nothing else."""

import pytest

from results.league import Award
from results.pairing import BYE, Pairing
from results.standings.ratings import rate
from results.standings.table import rows, standings, table

NAMES = ["ada", "bob", "eve"]


@pytest.fixture
def play(store, make_record):
    """Store games of the league, given as lines "key first second result"."""

    def add(*games, league="spring"):
        for key, first, second, result in map(str.split, games):
            store.add(make_record(key, first=first, second=second, result=result, league=league))

    return add


def ranked(found):
    return [(row.rank, row.agent) for row in found]


def column(found, name):
    return {row.agent: getattr(row, name) for row in found}


def made(store, format_, make_record, *, entrants=4, rounds=1):
    """A league "autumn" of this format, of ada, bob, eve, fay, gus, …"""
    names = ["ada", "bob", "eve", "fay", "gus", "hal"][:entrants]
    return store.create_league(
        "autumn", kind="league", settings={"format": format_, "rounds": rounds}, secret="",
        entrants=[make_record(first=name).first for name in names],
    )  # fmt: skip


def test_a_league_without_games(store):
    found = table(store, store.known("spring"))
    assert ranked(found.rows) == [(1, "ada"), (1, "bob"), (1, "eve")]
    assert set(column(found.rows, "elo").values()) == {None}
    assert found.pairs == []


def test_the_table_holds_rows_ratings_and_counts(store, play):
    play("1 ada bob 1-0", "2 bob ada 1/2-1/2", "3 ada bob 1-0")
    found = table(store, store.known("spring"))
    assert found.pairs == store.pairs("spring")
    ratings = rate(NAMES, found.pairs)
    assert found.ratings.rated == ratings.rated
    assert [(row.elo, row.elo_error) for row in found.rows] == [
        (ratings.of("ada").elo, ratings.of("ada").error),
        (ratings.of("bob").elo, ratings.of("bob").error),
        (None, None),
    ]
    assert found.rows[0].elo > 0 > found.rows[1].elo


def test_each_entrant_is_compared_with_the_next_one(store, play):
    play("1 ada bob 1-0", "2 bob ada 0-1", "3 bob eve 1-0", "4 eve bob 1/2-1/2")
    found = table(store, store.known("spring"))
    assert ranked(found.rows) == [(1, "ada"), (2, "bob"), (3, "eve")]
    likely = [found.ratings.difference(*names).los for names in (("ada", "bob"), ("bob", "eve"))]
    assert [row.los for row in found.rows] == [*likely, None]
    assert min(likely) > 0.5


def test_rows_are_the_same_without_ratings(store, play):
    play("1 ada bob 1-0", "2 bob eve 1/2-1/2")
    league, pairs = store.known("spring"), store.pairs("spring")
    plain = rows(store, league, pairs)
    assert plain == standings(NAMES, pairs)
    assert ranked(plain) == ranked(table(store, league).rows)
    assert set(column(plain, "elo").values()) == {None}


def test_awards_are_added_up(store, play):
    play("1 ada bob 1-0")
    awards = [Award(key=key, entrant="eve", points=points, because="") for key, points in (("a", 1.0), ("b", 0.5))]
    league = store.depart("spring", "bob", why="withdrawn", detail="", stands=True, awards=awards)
    found = table(store, league).rows
    assert ranked(found) == [(1, "eve"), (2, "ada"), (3, "bob")]
    assert column(found, "awarded") == {"ada": 0, "bob": 0, "eve": 1.5}
    assert column(found, "points") == {"ada": 1, "bob": 0, "eve": 1.5}
    assert column(found, "games") == {"ada": 1, "bob": 1, "eve": 0}
    assert column(found, "elo")["eve"] is None  # ratings are of games


def test_an_entrant_that_left_is_marked_and_keeps_its_place_if_its_games_stand(store, play):
    play("1 bob ada 1-0", "2 eve ada 1/2-1/2")
    league = store.depart("spring", "bob", why="suspended", detail="", stands=True)
    found = table(store, league).rows
    assert ranked(found) == [(1, "bob"), (2, "ada"), (3, "eve")]
    assert column(found, "status") == {"ada": "", "bob": "suspended", "eve": ""}


def test_an_entrant_that_left_comes_last_if_its_games_count_for_nobody(store, play):
    play("1 bob ada 1-0", "2 eve ada 1/2-1/2")
    league = store.depart("spring", "bob", why="withdrawn", detail="", stands=False)
    found = table(store, league).rows
    assert ranked(found) == [(1, "ada"), (1, "eve"), (3, "bob")]
    assert column(found, "games") == {"ada": 1, "bob": 0, "eve": 1}
    assert column(found, "elo")["bob"] is None
    assert column(found, "status")["bob"] == "withdrawn"


def test_excluded_games_change_neither_points_nor_ratings(store, play):
    play("1 ada bob 1-0", "2 bob eve 1-0")
    store.exclude(1, because="overloaded")
    found = table(store, store.known("spring")).rows
    assert ranked(found) == [(1, "bob"), (2, "ada"), (2, "eve")]
    assert column(found, "elo")["ada"] is None


def test_a_swiss_league_is_ordered_as_one(store, play, make_record):
    # gus has the bye: a win against somebody with as many points, so its Buchholz is better than that of ada.
    made(store, "swiss", make_record, entrants=5)
    pairings = [
        Pairing("s1:1-4", 1, 4, 0, "s0"),
        Pairing("s1:2-3", 2, 3, 0, "s0"),
        Pairing("s1:5-bye", 5, BYE, 0, "s0"),
    ]
    store.draw("autumn", pairings, [Award(key="s1:5-bye", entrant="gus", points=1.0, because="bye")])
    play("s1:1-4 ada fay 1-0", "s1:2-3 bob eve 1/2-1/2", league="autumn")
    found = table(store, store.known("autumn")).rows
    assert ranked(found) == [(1, "gus"), (2, "ada"), (3, "bob"), (3, "eve"), (5, "fay")]
    assert column(found, "buchholz") == {"gus": 1, "ada": 0, "bob": 0.5, "eve": 0.5, "fay": 1}


def tie(number, low, high, *, pairs=(0,)):
    """The games of a tie in this round of a knockout, two for each pair."""
    seats = ((low, high), (high, low))
    return [
        Pairing(f"k{number + 1}.{game}:{first}-{second}", first, second, number, f"k{number}:{low}-{high}:{pair}")
        for pair in pairs
        for game, (first, second) in enumerate(seats, 2 * pair + 1)
    ]


@pytest.fixture
def semifinals(store, play, make_record):
    """A knockout of four: ada and bob have won their ties; fay has got more points than both before it lost."""
    made(store, "knockout", make_record)
    store.draw("autumn", [*tie(0, 1, 4), *tie(0, 2, 3)])
    play("k1.1:1-4 ada fay 1-0", "k1.2:4-1 fay ada 1-0", league="autumn")
    play("k1.1:2-3 bob eve 1-0", "k1.2:3-2 eve bob 1/2-1/2", league="autumn")
    store.draw("autumn", tie(0, 1, 4, pairs=(1, 2)))
    play("k1.3:1-4 ada fay 0-1", "k1.4:4-1 fay ada 0-1", league="autumn")
    play("k1.5:1-4 ada fay 1-0", "k1.6:4-1 fay ada 1/2-1/2", league="autumn")
    return store


def test_in_a_knockout_the_round_reached_goes_before_points(semifinals):
    semifinals.draw("autumn", tie(1, 1, 2))
    found = table(semifinals, semifinals.known("autumn")).rows
    assert column(found, "points") == {"ada": 3.5, "bob": 1.5, "fay": 2.5, "eve": 0.5}
    assert ranked(found) == [(1, "ada"), (2, "bob"), (3, "fay"), (4, "eve")]


def test_the_final_decides_between_the_finalists(semifinals, play):
    semifinals.draw("autumn", tie(1, 1, 2))
    play("k2.1:1-2 ada bob 0-1", "k2.2:2-1 bob ada 1/2-1/2", league="autumn")
    found = table(semifinals, semifinals.known("autumn")).rows
    assert column(found, "points") == {"ada": 4, "bob": 3, "fay": 2.5, "eve": 0.5}
    assert ranked(found) == [(1, "bob"), (2, "ada"), (3, "fay"), (4, "eve")]


def final_left_by_ada(store, *keys):
    awards = [Award(key=key, entrant="bob", points=1.0, because="ada was withdrawn") for key in keys]
    return store.depart("autumn", "ada", why="withdrawn", detail="", stands=True, awards=awards)


def test_the_finalist_that_stays_has_won(semifinals):
    semifinals.draw("autumn", tie(1, 1, 2))
    found = table(semifinals, final_left_by_ada(semifinals, "k2.1:1-2", "k2.2:2-1")).rows
    assert column(found, "points") == {"ada": 3.5, "bob": 3.5, "fay": 2.5, "eve": 0.5}
    assert ranked(found) == [(1, "bob"), (2, "ada"), (3, "fay"), (4, "eve")]
    assert column(found, "status") == {"ada": "withdrawn", "bob": "", "fay": "", "eve": ""}


def test_a_finalist_that_leaves_after_winning_a_game_has_lost(semifinals, play):
    semifinals.draw("autumn", tie(1, 1, 2))
    play("k2.1:1-2 ada bob 1-0", league="autumn")
    found = table(semifinals, final_left_by_ada(semifinals, "k2.2:2-1")).rows
    assert column(found, "points") == {"ada": 4.5, "bob": 2.5, "fay": 2.5, "eve": 0.5}
    assert ranked(found) == [(1, "bob"), (2, "ada"), (3, "fay"), (4, "eve")]


def test_the_winner_of_the_final_may_leave(semifinals, play):
    semifinals.draw("autumn", tie(1, 1, 2))
    play("k2.1:1-2 ada bob 1-0", "k2.2:2-1 bob ada 1/2-1/2", league="autumn")
    found = table(semifinals, final_left_by_ada(semifinals)).rows
    assert ranked(found) == [(1, "ada"), (2, "bob"), (3, "fay"), (4, "eve")]


def test_an_entrant_without_opponent_ranks_above_those_who_lost_in_that_round(store, play, make_record):
    made(store, "knockout", make_record)
    store.draw("autumn", [*tie(0, 1, 4), *tie(0, 2, 3)])
    play("k1.1:1-4 ada fay 1-0", "k1.2:4-1 fay ada 0-1", "k1.1:2-3 bob eve 1-0", league="autumn")
    award = Award(key="k1.2:3-2", entrant="eve", points=1.0, because="bob was suspended")
    league = store.depart("autumn", "bob", why="suspended", detail="", stands=True, awards=[award])
    found = table(store, league).rows
    ranks = column(found, "rank")
    assert ranks["eve"] < min(ranks["bob"], ranks["fay"])
    assert column(found, "awarded") == {"ada": 0, "bob": 0, "eve": 1, "fay": 0}


def test_a_seed_with_a_bye_has_reached_the_second_round(store, play, make_record):
    made(store, "knockout", make_record, entrants=3)
    store.draw("autumn", tie(0, 2, 3))
    play("k1.1:2-3 bob eve 1-0", "k1.2:3-2 eve bob 0-1", league="autumn")
    store.draw("autumn", tie(1, 1, 2))
    found = table(store, store.known("autumn")).rows
    assert column(found, "points") == {"ada": 0, "bob": 2, "eve": 0}
    assert [row.agent for row in found][-1] == "eve"


@pytest.mark.parametrize("kind", ["play", "benchmark"])
def test_matches_have_a_table_too(store, play, make_record, kind):
    entrants = [make_record(first=name).first for name in ("ada", "bob")]
    store.create_league("autumn", kind=kind, settings={"rounds": 2}, secret="", entrants=entrants)
    play("1:1-2 ada bob 0-1", "2:2-1 bob ada 1/2-1/2", league="autumn")
    found = table(store, store.known("autumn")).rows
    assert [(row.agent, row.points) for row in found] == [("bob", 1.5), ("ada", 0.5)]


def test_the_finalist_that_stays_in_a_level_final_has_won(semifinals, play):
    semifinals.draw("autumn", tie(1, 1, 2))
    play("k2.1:1-2 ada bob 1-0", "k2.2:2-1 bob ada 1-0", league="autumn")
    found = table(semifinals, final_left_by_ada(semifinals)).rows
    assert ranked(found) == [(1, "bob"), (2, "ada"), (3, "fay"), (4, "eve")]


def test_a_finalist_without_opponent_has_won(semifinals):
    semifinals.depart("autumn", "fay", why="withdrawn", detail="", stands=True)
    found = table(semifinals, final_left_by_ada(semifinals)).rows
    assert ranked(found)[:2] == [(1, "bob"), (2, "ada")]
