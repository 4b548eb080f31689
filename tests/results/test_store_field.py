"""Entrants that enter and leave, stored rounds, and awards."""

from datetime import UTC, datetime

import pytest

from results.errors import AlreadyStored, BadEntrants, NoLeague, StoreError
from results.league import Award, Departure
from results.pairing import BYE, Pairing
from results.record import EntrantRecord
from results.store.store import Store

FAY = EntrantRecord("fay", "agents.fay", "1", "sha256:fay", {"depth": 5}, "bots/fay.py", {"memory": 2**30})
MOMENT = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)


def award(key, entrant="ada", points=1.0, because="bob was withdrawn"):
    return Award(key=key, entrant=entrant, points=points, because=because)


def depart(store, entrant="bob", *, stands=True, awards=(), why="withdrawn", detail="its owner asked"):
    return store.depart("spring", entrant, why=why, detail=detail, stands=stands, awards=awards)


def test_a_new_entrant_is_numbered_after_the_others(store, make_record):
    league = store.enter("spring", FAY)
    assert [entrant.name for entrant in league.entrants] == ["ada", "bob", "eve", "fay"]
    assert league.entrants[3] == FAY
    assert league == store.known("spring")
    store.enter("spring", EntrantRecord("gus", "random", "", "", {}))
    rows = store._connection.execute("SELECT number, name FROM entrant ORDER BY number").fetchall()
    assert [tuple(row) for row in rows] == [(1, "ada"), (2, "bob"), (3, "eve"), (4, "fay"), (5, "gus")]
    assert store.add(make_record("1:4-5", first="fay", second="gus")).first.name == "fay"


def test_founders_are_the_entrants_of_the_start(store):
    assert store.known("spring").founders == 3
    assert store.enter("spring", FAY).founders == 3


def test_the_time_of_entering_is_stored(path, store):
    with Store.open(path, create=False, now=lambda: MOMENT) as opened:
        opened.enter("spring", FAY)
    rows = store._connection.execute("SELECT name, entered FROM entrant WHERE entered IS NOT NULL").fetchall()
    assert [tuple(row) for row in rows] == [("fay", "2026-05-09T12:00:00.000Z")]


@pytest.mark.parametrize("name", ["bob", "fay"])
def test_a_name_can_be_used_once_in_a_league(store, name):
    store.enter("spring", FAY)
    with pytest.raises(BadEntrants, match=rf"^spring already has an entrant called '{name}'$"):
        store.enter("spring", EntrantRecord(name, "other.py", "", "", {}))
    assert len(store.known("spring").entrants) == 4


def test_the_name_of_an_entrant_that_left_cannot_be_used_again(store):
    depart(store)
    with pytest.raises(BadEntrants, match="already has an entrant called 'bob'"):
        store.enter("spring", EntrantRecord("bob", "other.py", "", "", {}))


def test_names_that_cannot_be_stored_are_compared_as_they_are_stored(store):
    store.enter("spring", EntrantRecord("x\udcff", "x.py", "", "", {}))
    with pytest.raises(BadEntrants):
        store.enter("spring", EntrantRecord(r"x\udcff", "x.py", "", "", {}))
    assert list(depart(store, "x\udcff").departures) == [r"x\udcff"]


def test_entering_or_leaving_an_unknown_league_is_an_error(store):
    with pytest.raises(NoLeague, match="no league called 'summer'"):
        store.enter("summer", FAY)
    with pytest.raises(NoLeague, match="no league called 'summer'"):
        store.depart("summer", "ada", why="withdrawn", detail="", stands=True)


@pytest.mark.parametrize("why", ["withdrawn", "suspended"])
@pytest.mark.parametrize("stands", [True, False])
def test_a_departure_comes_back_as_it_was_stored(path, store, why, stands):
    with Store.open(path, create=False, now=lambda: MOMENT) as opened:
        league = depart(opened, why=why, detail="5 faults in 20 games", stands=stands)
    expected = Departure(why=why, detail="5 faults in 20 games", stands=stands, at="2026-05-09T12:00:00.000Z")
    assert store.known("spring") == league
    assert league.departures == {"bob": expected}
    assert league.absent == {"bob": why}
    assert [entrant.name for entrant in league.entrants] == ["ada", "bob", "eve"]


def test_leaving_twice_is_refused(store):
    depart(store)
    with pytest.raises(BadEntrants, match=r"^'bob' has already left spring$"):
        depart(store, stands=False, why="suspended", awards=[award("1:1-2")])
    assert store.known("spring").departures["bob"].why == "withdrawn"
    assert store.awards("spring") == []


def test_only_an_entrant_can_leave(store):
    with pytest.raises(BadEntrants, match=r"^'mallory' is not an entrant of spring; there are ada, bob, eve$"):
        depart(store, "mallory")


@pytest.fixture
def played(store, make_record):
    """ada and eve have met bob, and each other."""
    for key, first, second in (("1:1-2", "ada", "bob"), ("1:2-3", "bob", "eve"), ("1:1-3", "ada", "eve")):
        store.add(make_record(key, first=first, second=second))
    return store


def test_games_of_an_entrant_that_left_count_only_if_they_stand(played):
    depart(played, stands=False)
    assert [(pair.first, pair.second) for pair in played.pairs("spring")] == [("ada", "eve")]
    assert [record.key for record in played.records("spring")] == ["1:1-2", "1:2-3", "1:1-3"]
    assert played.keys("spring") == {"1:1-2", "1:2-3", "1:1-3"}


def test_games_that_stand_still_count(played):
    before = played.pairs("spring")
    depart(played)
    assert played.pairs("spring") == before
    assert len(before) == 3


def test_leaving_one_league_does_not_affect_another(played, make_record):
    played.create_league("autumn", kind="league", settings={}, secret="", entrants=played.known("spring").entrants)
    played.add(make_record(league="autumn"))
    depart(played, stands=False)
    assert [pair.games for pair in played.pairs("autumn")] == [1]
    assert played.known("autumn").departures == {}


def test_awards_come_with_a_departure(store):
    given = [award("1:1-2"), award("1:2-3", "eve", 0.5, "half of it")]
    depart(store, awards=given)
    assert store.awards("spring") == given


def test_a_departure_whose_awards_are_wrong_is_not_stored(store):
    with pytest.raises(BadEntrants, match="'mallory' is not an entrant"):
        depart(store, awards=[award("1:1-2"), award("1:2-3", "mallory")])
    assert store.known("spring").departures == {}
    assert store.awards("spring") == []


def test_a_pairing_is_awarded_once_and_the_first_award_stays(store):
    depart(store, awards=[award("1:1-2")])
    depart(store, "ada", awards=[award("1:1-2", "eve", 0.5, "ada was withdrawn"), award("1:1-3", "eve")])
    assert store.awards("spring") == [award("1:1-2"), award("1:1-3", "eve")]


def test_a_pairing_that_was_played_needs_no_award(played):
    depart(played, awards=[award("1:1-2"), award("2:1-2")])
    assert [given.key for given in played.awards("spring")] == ["2:1-2"]


def test_a_game_of_another_league_does_not_prevent_an_award(played):
    played.create_league("autumn", kind="league", settings={}, secret="", entrants=played.known("spring").entrants)
    played.depart("autumn", "bob", why="withdrawn", detail="", stands=True, awards=[award("1:1-2")])
    assert played.awards("autumn") == [award("1:1-2")]
    assert played.awards("spring") == []


def test_a_game_that_ends_after_its_award_replaces_it(store, make_record):
    depart(store, awards=[award("1:1-2"), award("2:1-2")])
    store.add(make_record("1:1-2"))
    assert store.awards("spring") == [award("2:1-2")]
    assert store.keys("spring") == {"1:1-2", "2:1-2"}


def test_a_game_that_cannot_be_stored_leaves_its_award(store, make_record):
    depart(store, awards=[award("1:1-2")])
    with pytest.raises(StoreError, match="ended"):
        store.add(make_record("1:1-2", ended="tomorrow"))
    assert store.awards("spring") == [award("1:1-2")]


def test_a_game_of_another_league_does_not_replace_an_award(store, make_record):
    store.create_league("autumn", kind="league", settings={}, secret="", entrants=store.known("spring").entrants)
    depart(store, awards=[award("1:1-2")])
    store.add(make_record("1:1-2", league="autumn"))
    assert store.awards("spring") == [award("1:1-2")]


def test_settled_pairings_are_those_with_a_record_or_an_award(played):
    depart(played, awards=[award("2:1-2"), award("2:2-3", "eve")])
    assert played.keys("spring") == {"1:1-2", "1:2-3", "1:1-3", "2:1-2", "2:2-3"}
    with pytest.raises(AlreadyStored):
        played.add(played.record(1))


ROUND = [Pairing("s1:1-2", 1, 2, 0, "s0"), Pairing("s1:3-bye", 3, BYE, 0, "s0")]


def test_a_drawn_round_comes_back_in_its_order(store):
    assert store.drawn("spring") == []
    store.draw("spring", ROUND, [award("s1:3-bye", "eve", because="bye")])
    later = [Pairing("s2:3-1", 3, 1, 1, "s1"), Pairing("s2:2-bye", 2, BYE, 1, "s1")]
    store.draw("spring", later)
    assert store.drawn("spring") == ROUND + later
    assert [pairing.is_bye for pairing in store.drawn("spring")] == [False, True, False, True]
    assert store.awards("spring") == [award("s1:3-bye", "eve", because="bye")]
    assert store.keys("spring") == {"s1:3-bye"}


@pytest.mark.parametrize(
    "wrong",
    [
        ([*ROUND[::-1], Pairing("s1:1-2", 2, 1, 0, "s0")], ()),
        ([ROUND[0], Pairing("s1:9-1", 9, 1, 0, "s0")], ()),
        (ROUND, [award("s1:3-bye", "eve"), award("s1:9-bye", "mallory")]),
    ],
    ids=["a key twice", "a stranger", "an award for a stranger"],
)
def test_a_round_is_drawn_as_a_whole_or_not_at_all(store, wrong):
    with pytest.raises(StoreError):
        store.draw("spring", *wrong)
    assert store.drawn("spring") == []
    assert store.awards("spring") == []
    store.draw("spring", ROUND)
    assert store.drawn("spring") == ROUND


def test_a_round_is_drawn_once(store):
    store.draw("spring", ROUND)
    with pytest.raises(StoreError, match="UNIQUE"):
        store.draw("spring", ROUND)
    assert store.drawn("spring") == ROUND


def test_awards_of_an_annulled_entrant_are_worth_nothing(store):
    store.depart("spring", "eve", why="withdrawn", detail="", stands=True,
                 awards=[Award(key="1:1-3", entrant="ada", points=1.0, because="eve left")])  # fmt: skip
    assert [award.entrant for award in store.awards("spring")] == ["ada"]
    store.depart("spring", "ada", why="suspended", detail="", stands=False)
    assert store.awards("spring") == []
