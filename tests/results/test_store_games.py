"""Records are stored exactly once and read back unchanged."""

from dataclasses import replace

import pytest

from games.base import Margin
from results.errors import AlreadyStored, BadEntrants, NoLeague, NoRecord, StoreError
from results.pairing import PairCount
from results.record import ClaimRecord, EntrantRecord, FaultRecord, MoveRecord
from results.store.store import Store


def test_every_field_of_a_record_comes_back(path, store, make_record):
    record = make_record(
        "3:2-1",
        game="othello",
        parameters={"turns": 0, "komi": 7.5, "name": "ünï"},
        game_version=4,
        seconds=12.5,
        start="--- X",
        mover="second",
        opening=("d3", "c5"),
        seed=2**64 - 1,
        seed_first=-5,
        seed_second=2**200,
        moves=(MoveRecord("d3"), MoveRecord("c5"), MoveRecord("pass", 0.123456, 0.1, 0.000001)),
        result="0-1",
        reason="fault",
        detail="lost on time",
        fault=FaultRecord("first", "time", "12.6 s", {"stderr": "Traceback\n  …", "cpu": "12.0"}, "act", 3),
        notes=(
            FaultRecord("second", "exception", "no", {}, "close"),
            FaultRecord("first", "exit", "", {"exit": "9"}, "act", 7),
        ),
        margin=Margin(14, 15.5, "points"),
        output_first="hello\n",
        claims=(ClaimRecord(3, 0.25, 4, 99, ("pass",), (("pass", 1.0),), "table: win"), ClaimRecord(4)),
        output_second="\x1b[31m\x00",
        sandbox="landlock",
        rules="python",
        host="node-3",
        versions={"arena": "0.1.0", "python": "3.11.7"},
        started="2026-01-02T03:04:05Z",
        ended="2026-01-02T03:04:06.789Z",
    )
    added = store.add(record)
    assert added == replace(record, id=1)
    with Store.open(path, create=False) as other:
        assert other.record(1) == added
        assert list(other.records()) == [added]


def test_numbers_keep_their_kind(store, make_record):
    added = store.add(make_record(parameters={"size": 9, "komi": 7.0, "rules": "9"}))
    assert [type(value) for value in added.parameters.values()] == [int, float, str]


def test_times_are_rounded_to_microseconds(store, make_record):
    added = store.add(make_record(moves=(MoveRecord("c1d3", 1.23456789, 0.99999999, 1e-9),)))
    assert added.moves == (MoveRecord("c1d3", 1.234568, 1.0, 0.0),)


def test_what_an_entrant_was_when_it_played_stays_in_the_record(store, make_record):
    changed = EntrantRecord("ada", "ada_v2.py", "2", "sha256:new", {"depth": 9}, "bots/ada.py", {"memory": 2**30})
    added = store.add(replace(make_record(), first=changed))
    assert added.first == changed
    assert store.league("spring").entrants[0].hash == "sha256:ada"


def test_the_same_pairing_is_stored_once(store, make_record):
    store.add(make_record(result="1-0"))
    with pytest.raises(AlreadyStored, match=r"game 1:1-2 of spring is already stored as record 1"):
        store.add(make_record(result="0-1"))
    assert [record.result for record in store.records()] == ["1-0"]


def test_the_same_key_is_another_game_in_another_league(store, make_record):
    store.create_league("autumn", kind="league", settings={}, secret="", entrants=store.league("spring").entrants)
    store.add(make_record())
    store.add(make_record(league="autumn"))
    assert store.keys("spring") == store.keys("autumn") == {"1:1-2"}


def test_a_store_can_be_used_after_an_error(store, make_record):
    store.add(make_record())
    with pytest.raises(AlreadyStored):
        store.add(make_record())
    assert store.add(make_record("1:2-1")).id == 2


def test_a_player_must_be_an_entrant(store, make_record):
    with pytest.raises(BadEntrants, match="'mallory' is not an entrant of spring"):
        store.add(make_record(second="mallory"))
    assert store.keys("spring") == set()


def test_an_entrant_cannot_play_against_itself(store, make_record):
    with pytest.raises(StoreError, match="first <> second"):
        store.add(make_record(second="ada"))


@pytest.mark.parametrize("field", ["started", "ended"])
def test_only_utc_is_stored(store, make_record, field):
    with pytest.raises(StoreError, match=field):
        store.add(make_record(**{field: "2026-05-09T12:00:00+02:00"}))


def test_a_missing_record_is_an_error_that_names_the_range(store, make_record):
    with pytest.raises(NoRecord, match=r"^no record 99; there are none yet$"):
        store.record(99)
    for key in ("a", "b", "c"):
        store.add(make_record(key))
    with pytest.raises(NoRecord, match=r"^no record 99; there are 1 to 3$"):
        store.record(99)


def test_records_come_in_the_order_of_storing_and_by_league(store, make_record):
    store.create_league("autumn", kind="league", settings={}, secret="", entrants=store.league("spring").entrants)
    for key, league in (("z", "spring"), ("a", "autumn"), ("m", "spring")):
        store.add(make_record(key, league=league))
    assert [record.key for record in store.records()] == ["z", "a", "m"]
    assert [record.key for record in store.records("spring")] == ["z", "m"]
    assert [record.key for record in store.records("autumn")] == ["a"]


def test_all_records_come_even_if_there_are_many(store, make_record, monkeypatch):
    monkeypatch.setattr("results.store.store._PAGE", 3)
    for number in range(10):
        store.add(make_record(str(number)))
    assert [record.id for record in store.records("spring")] == list(range(1, 11))


def test_reading_half_of_the_records_does_not_block_storing(store, make_record):
    for number in range(3):
        store.add(make_record(str(number)))
    reading = store.records()
    next(reading)
    store.add(make_record("later"))
    assert [record.key for record in reading][-1] in {"2", "later"}


def test_an_unknown_league_is_an_error_that_names_the_others(store):
    asks = (store.known, store.keys, store.pairs, store.records, store.voids)
    for ask in (*asks, store.drawn, store.awards, store.scores, store.exclusions):
        with pytest.raises(NoLeague, match=r"^no league called 'summer' in .*arena.db; the latest are spring$"):
            ask("summer")


def test_surrogates_are_stored_as_escapes(store, make_record):
    bad = "x\udc80y"
    fault = FaultRecord("first", bad, bad, {bad: bad})
    fields = dict.fromkeys(("start", "reason", "detail", "output_first", "output_second", "sandbox", "host"), bad)
    added = store.add(
        make_record(
            bad, **fields, fault=fault, notes=(fault,), versions={bad: bad}, moves=(MoveRecord(bad),), opening=(bad,)
        )
    )
    good = r"x\udc80y"
    assert {getattr(added, name) for name in fields} == {good}
    assert added.key == added.moves[0].text == added.opening[0] == good
    assert added.fault == added.notes[0] == FaultRecord("first", good, good, {good: good})
    assert store.keys("spring") == {good}


def test_surrogates_in_names_and_attempts_are_stored_as_escapes(store, make_record):
    odd = EntrantRecord("n\udcff", "a\udcff", "v\udcff", "h\udcff", {"o\udcff": "p\udcff"})
    league = store.create_league("l\udcff", kind="play", settings={"s": "\udcff"}, secret="\udcff", entrants=[odd])
    assert league == store.league("l\udcff")
    assert league.entrants == (EntrantRecord(r"n\udcff", r"a\udcff", r"v\udcff", r"h\udcff", {r"o\udcff": r"p\udcff"}),)
    store.void("l\udcff", "k\udcff", reason="\udcff", detail="\udcff")
    assert store.voids("l\udcff", "k\udcff")[0].reason == r"\udcff"


def test_void_attempts_are_kept_per_pairing(store):
    store.void("spring", "1:1-2", reason="worker", detail="died")
    store.void("spring", "1:1-3", reason="worker", detail="died")
    store.void("spring", "1:1-2", reason="starved", detail="")
    assert [attempt.reason for attempt in store.voids("spring", "1:1-2")] == ["worker", "starved"]
    assert [attempt.key for attempt in store.voids("spring")] == ["1:1-2", "1:1-3", "1:1-2"]
    assert store.voids("spring", "9:9-9") == []


def test_a_rerun_is_neither_a_void_attempt_nor_a_record(store, make_record):
    store.add(make_record())
    store.rerun("spring", "1:1-2", reason="identical", detail="c1b3 b5c3")
    assert store.voids("spring") == store.voids("spring", "1:1-2") == []
    assert [record.id for record in store.records()] == [1]
    assert [pair.games for pair in store.pairs("spring")] == [1]
    kept = store._connection.execute("SELECT kind, key, reason, detail FROM attempt").fetchall()
    assert [tuple(row) for row in kept] == [("rerun", "1:1-2", "identical", "c1b3 b5c3")]


def test_a_void_attempt_counts_for_nobody(store):
    store.void("spring", "1:1-2", reason="worker", detail="died")
    assert store.keys("spring") == set()
    assert store.pairs("spring") == []


def test_pairs_count_each_seating_separately(store, make_record):
    games = [
        ("ada", "bob", "1-0", None),
        ("ada", "bob", "0-1", "first"),
        ("ada", "bob", "1/2-1/2", None),
        ("bob", "ada", "1-0", "second"),
        ("eve", "ada", "0-1", "first"),
    ]
    for number, (first, second, result, culprit) in enumerate(games):
        fault = culprit and FaultRecord(culprit, "time", "", {})
        store.add(make_record(str(number), first=first, second=second, result=result, fault=fault))
    assert store.pairs("spring") == [
        PairCount(first="ada", second="bob", games=3, wins=1, draws=1, losses=1, faults_first=1),
        PairCount(first="bob", second="ada", games=1, wins=1, draws=0, losses=0, faults_second=1),
        PairCount(first="eve", second="ada", games=1, wins=0, draws=0, losses=1, faults_first=1),
    ]
