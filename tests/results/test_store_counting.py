"""Scores, exclusions, changes and the pace of games in a results file."""

from datetime import UTC, datetime
from itertools import count

import pytest

from results.errors import AlreadyStored, NoRecord
from results.league import Exclusion
from results.record import FaultRecord
from results.store.store import Store
from results.time_control import TimeControl


@pytest.fixture
def played(store, make_record):
    """Records 1 to 4: ada wins as first, loses as first by a fault, draws; eve beats bob."""
    fault = FaultRecord("first", "time", "", {})
    store.add(make_record("1"))
    store.add(make_record("2", result="0-1", fault=fault))
    store.add(make_record("3", first="bob", second="ada", result="1/2-1/2"))
    store.add(make_record("4", first="eve", second="bob"))
    return store


def trail(store):
    rows = store._connection.execute("SELECT record, because, at, lifted FROM exclusion ORDER BY id").fetchall()
    return [tuple(row) for row in rows]


def counted(store):
    return sum(pair.games for pair in store.pairs("spring"))


def test_scores_are_the_points_of_first(played):
    assert played.scores("spring") == {"1": 1.0, "2": 0.0, "3": 0.5, "4": 1.0}


def test_scores_are_those_of_one_league(played, make_record):
    played.create_league("autumn", kind="league", settings={}, secret="", entrants=played.known("spring").entrants)
    assert played.scores("autumn") == {}


def test_an_excluded_game_is_kept_but_does_not_count(played):
    excluded = played.exclude(2, because="the machine was overloaded")
    assert excluded == played.record(2)
    assert counted(played) == 3
    assert [(pair.losses, pair.faults_first) for pair in played.pairs("spring")] == [(0, 0)] * 3
    assert played.scores("spring") == {"1": 1.0, "2": None, "3": 0.5, "4": 1.0}
    assert [record.id for record in played.records("spring")] == [1, 2, 3, 4]


def test_the_pairing_of_an_excluded_game_stays_settled(played, make_record):
    played.exclude(2, because="overloaded")
    assert played.keys("spring") == {"1", "2", "3", "4"}
    with pytest.raises(AlreadyStored):
        played.add(make_record("2"))


def test_an_included_game_counts_again(played):
    before = played.pairs("spring"), played.scores("spring")
    played.exclude(2, because="overloaded")
    assert played.include(2) == played.record(2)
    assert (played.pairs("spring"), played.scores("spring")) == before
    assert played.exclusions() == {}


def test_exclusions_hold_reason_and_time(path, played):
    with Store.open(path, create=False, now=lambda: datetime(2026, 5, 9, tzinfo=UTC)) as opened:
        opened.exclude(2, because="over\udcffloaded")
        opened.exclude(4, because="")
    assert played.exclusions("spring") == played.exclusions() == {
        2: Exclusion(because=r"over\udcffloaded", at="2026-05-09T00:00:00.000Z"),
        4: Exclusion(because="", at="2026-05-09T00:00:00.000Z"),
    }  # fmt: skip


def test_exclusions_are_filtered_by_league(played, make_record):
    played.create_league("autumn", kind="league", settings={}, secret="", entrants=played.known("spring").entrants)
    played.add(make_record("1", league="autumn"))
    played.exclude(5, because="overloaded")
    assert list(played.exclusions("autumn")) == list(played.exclusions()) == [5]
    assert played.exclusions("spring") == {}
    assert counted(played) == 4


def test_excluding_twice_is_refused(played):
    played.exclude(2, because="overloaded")
    with pytest.raises(AlreadyStored, match=r"^record 2 is already excluded$"):
        played.exclude(2, because="another reason")
    assert played.exclusions()[2].because == "overloaded"


def test_including_a_counted_game_is_refused(played):
    with pytest.raises(NoRecord, match=r"^record 2 is not excluded$"):
        played.include(2)
    played.exclude(2, because="overloaded")
    played.include(2)
    with pytest.raises(NoRecord, match=r"^record 2 is not excluded$"):
        played.include(2)


@pytest.mark.parametrize("change", [lambda store: store.exclude(9, because=""), lambda store: store.include(9)])
def test_only_records_are_excluded_and_included(played, change):
    with pytest.raises(NoRecord, match=r"^no record 9; there are 1 to 4$"):
        change(played)


def test_a_lifted_exclusion_is_kept(path, played):
    days = count(1)
    with Store.open(path, create=False, now=lambda: datetime(2026, 5, next(days), tzinfo=UTC)) as opened:
        opened.exclude(2, because="overloaded")
        opened.include(2)
        opened.exclude(2, because="after all")
    assert trail(played) == [
        (2, "overloaded", "2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"),
        (2, "after all", "2026-05-03T00:00:00.000Z", None),
    ]
    assert played.exclusions()[2].because == "after all"


def test_changes_of_other_connections_are_noticed(path, store, make_record):
    before = store.changes()
    store.add(make_record("1"))
    store.void("spring", "2", reason="worker", detail="")
    assert store.changes() == before
    with Store.open(path, create=False) as other:
        assert store.changes() == before
        other.depart("spring", "bob", why="withdrawn", detail="", stands=True)
    after = store.changes()
    assert after != before
    assert store.changes() == after


@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.exclude(1, because="overloaded"),
        lambda store: store.void("spring", "9", reason="worker", detail=""),
        lambda store: store.create_league("autumn", kind="play", settings={}, secret="", entrants=[]),
    ],
)
def test_every_write_of_another_connection_is_a_change(path, played, write):
    before = played.changes()
    with Store.open(path, create=False) as other:
        write(other)
        assert played.changes() != before


def test_reads_and_failed_writes_of_another_connection_are_not_changes(path, played, make_record):
    before = played.changes()
    with Store.open(path, create=False) as other:
        assert len(other.keys("spring")) == 4
        with pytest.raises(AlreadyStored):
            other.add(make_record("1"))
    assert played.changes() == before


def test_the_pace_of_two_agents_is_the_average_of_their_games(store, make_record):
    ends = {"1": "2026-05-09T12:00:01.000Z", "2": "2026-05-09T12:00:04.500Z", "3": "2026-05-09T12:01:00.000Z"}
    store.add(make_record("1", ended=ends["1"]))
    store.add(make_record("2", ended=ends["2"]))
    store.add(make_record("3", ended=ends["3"], first="bob", second="ada"))
    paces = store.paces("microchess", TimeControl(400.0))
    assert paces == {
        ("agents.ada", "agents.bob"): pytest.approx(2.75, abs=0.001),
        ("agents.bob", "agents.ada"): pytest.approx(60, abs=0.001),
    }


def test_the_pace_depends_on_game_and_time(store, make_record):
    store.add(make_record("1", game="othello"))
    store.add(make_record("2", seconds=10.0))
    assert store.paces("microchess", TimeControl(400.0)) == {}
    assert len(store.paces("othello", TimeControl(400.0))) == len(store.paces("microchess", TimeControl(10.0))) == 1


def test_the_pace_covers_all_leagues(store, make_record):
    store.create_league("autumn", kind="league", settings={}, secret="", entrants=store.known("spring").entrants)
    store.add(make_record("1", ended="2026-05-09T12:00:01.000Z"))
    store.add(make_record("1", ended="2026-05-09T12:00:03.000Z", league="autumn"))
    ((_, pace),) = store.paces("microchess", TimeControl(400.0)).items()
    assert pace == pytest.approx(2, abs=0.001)


def test_counted_games_are_those_that_are_not_excluded(store, make_record):
    kept, out = store.add(make_record("1:1-2")), store.add(make_record("2:1-2"))
    store.exclude(out.id, because="rain")
    assert [record.id for record in store.counted("spring")] == [kept.id]
