"""Leagues are stored with who plays under which settings."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from results.errors import BadEntrants, LeagueExists, Locked
from results.record import EntrantRecord
from results.store.store import Store


def create(store, name, kind="league", entrants=()):
    return store.create_league(name, kind=kind, settings={}, secret="", entrants=entrants)


def test_a_league_comes_back_as_it_was_created(path):
    entrants = (
        EntrantRecord("ada", "ada.py", "1", "h", {"depth": 3}, "bots/ada.py", {"memory": 2**30, "needs": "torch"}),
        EntrantRecord("bob", "random", "2", "", {}),
    )
    moment = datetime(2026, 5, 9, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    with Store.open(path, create=True, now=lambda: moment) as store:
        created = store.create_league(
            "spring", kind="benchmark", settings={"time": 2.5, "levels": [0, 5]}, secret="s", entrants=entrants
        )
    assert (created.id, created.name, created.kind, created.secret) == (1, "spring", "benchmark", "s")
    assert created.settings == {"time": 2.5, "levels": [0, 5]}
    assert created.entrants == entrants
    assert created.created == "2026-05-09T12:00:00.000Z"
    assert (created.founders, created.departures, created.absent) == (2, {}, {})
    with Store.open(path, create=False) as store:
        assert store.league("spring") == created


def test_an_unknown_league_is_none(store):
    assert store.league("summer") is None


def test_known_returns_a_stored_league(store):
    assert store.known("spring") == store.league("spring")


@pytest.mark.parametrize(
    ("kind", "settings", "format_", "rounds"),
    [
        ("league", {}, "round-robin", 1),
        ("play", {}, "match", 1),
        ("benchmark", {"rounds": 20}, "match", 20),
        ("league", {"format": "swiss", "rounds": 3}, "swiss", 3),
        ("league", {"rounds": None}, "round-robin", 1),
    ],
)
def test_a_league_knows_its_format_and_its_rounds(store, kind, settings, format_, rounds):
    league = store.create_league("autumn", kind=kind, settings=settings, secret="", entrants=[])
    assert (league.format, league.rounds) == (format_, rounds)


def test_a_league_name_can_be_used_once(store):
    with pytest.raises(LeagueExists, match=r"^there is already a league called 'spring' in .*; choose another name$"):
        create(store, "spring")


def test_two_entrants_of_one_name_are_refused_and_nothing_is_stored(store):
    twins = [EntrantRecord("ada", "a", "", "", {}), EntrantRecord("ada", "b", "", "", {})]
    with pytest.raises(BadEntrants, match=r"^two entrants are called 'ada'; give one of them another name$"):
        create(store, "autumn", entrants=twins)
    assert store.league("autumn") is None


def test_leagues_are_listed_newest_last(store):
    create(store, "autumn")
    create(store, "a-later-one")
    assert [league.name for league in store.leagues()] == ["spring", "autumn", "a-later-one"]


def test_the_latest_league_of_some_kinds_is_found(store):
    create(store, "play-1", kind="play")
    create(store, "bench", kind="benchmark")
    assert store.latest().name == "bench"
    assert store.latest(["play"]).name == "play-1"
    assert store.latest(("league", "play")).name == "play-1"
    assert store.latest([]) is None


def test_an_empty_store_has_no_latest_league(path):
    with Store.open(path, create=True) as store:
        assert store.latest() is None
        assert store.leagues() == []


def test_free_names_count_up(store):
    assert store.free_name("play") == "play-1"
    create(store, "play-1", kind="play")
    create(store, "play-3", kind="play")
    create(store, "playful-2", kind="play")
    assert store.free_name("play") == "play-2"
    create(store, "play-2", kind="play")
    assert store.free_name("play") == "play-4"


def test_a_time_without_zone_is_refused(path):
    naive = datetime(2026, 5, 9, tzinfo=UTC).replace(tzinfo=None)
    with Store.open(path, create=True, now=lambda: naive) as store:
        with pytest.raises(ValueError, match="without time zone"):
            create(store, "spring")
        assert store.leagues() == []


def test_a_league_is_played_by_one_process_at_a_time(store):
    alive = {(7, "noon")}

    def is_alive(pid: int, began: str) -> bool:
        return (pid, began) in alive

    store.claim("spring", pid=7, began="noon", is_alive=is_alive)
    store.claim("spring", pid=7, began="noon", is_alive=is_alive)  # its own
    with pytest.raises(Locked, match="process 7 is already playing spring"):
        store.claim("spring", pid=8, began="one", is_alive=is_alive)
    alive.clear()
    store.claim("spring", pid=8, began="one", is_alive=is_alive)
