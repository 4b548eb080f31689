"""No game is lost or partial when processes die, the disk is full, or others read at the same time."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from results.league import Award
from results.record import EntrantRecord, MoveRecord
from results.store.store import Store

#: Goes through the pairings 2, 3, … and stores those that are not, telling after each one.
WRITER = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from results.errors import StoreError
from results.record import MoveRecord
from results.store.store import Store

path, last, room = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
with Store.open(path, create=False) as store:
    example, played = store.record(1), store.keys("spring")
    if room:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    for number in range(2, last + 1):
        if str(number) in played:
            continue
        moves = tuple(MoveRecord("c1d3", float(number)) for _ in range(80))
        try:
            store.add(replace(example, key=str(number), moves=moves))
        except StoreError as error:
            sys.exit(f"{type(error).__name__}: {error}")
        print(number, flush=True)
"""


@pytest.fixture
def begun(path, store, make_record):
    """A results file with one game in it, the pairing "1"."""
    store.add(make_record("1", moves=tuple(MoveRecord("c1d3", 1.0) for _ in range(80))))
    store.close()
    return path


def writer(path, *, last, room=0):
    command = [sys.executable, "-c", WRITER, str(path), str(last), str(room)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def is_sound(path):
    with closing(sqlite3.connect(path)) as connection:
        whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return whole and connection.execute("PRAGMA foreign_key_check").fetchall() == []


def is_whole(record):
    """Whether the record is just what the writer gave to the store."""
    return len(record.moves) == 80 and {move.wall for move in record.moves} == {float(record.key)}


def test_a_killed_writer_loses_no_stored_game_and_leaves_no_partial_one(begun):
    stored = ["1"]
    for _ in range(4):
        with writer(begun, last=1_000_000) as process:
            stored += [process.stdout.readline().strip() for _ in range(20)]
            process.send_signal(signal.SIGKILL)
            # What it managed to say before the signal struck is stored as well.
            stored += [line.strip() for line in process.stdout if line.endswith("\n")]
        assert process.returncode == -signal.SIGKILL
        assert is_sound(begun)
        with Store.open(begun, create=False) as store:
            records = list(store.records())
        assert all(map(is_whole, records))
        keys = [record.key for record in records]
        assert set(stored) <= set(keys)
        # At most the game it was about to tell of.
        assert len(keys) == len(set(keys)) <= len(stored) + 1
        stored = keys


def test_a_resumed_run_stores_the_rest_and_nothing_twice(begun):
    with writer(begun, last=1_000_000) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    with Store.open(begun, create=False) as store:
        before = store.keys("spring")
    last = len(before) + 20
    with writer(begun, last=last) as process:
        added = [line.strip() for line in process.stdout]
    assert process.returncode == 0
    with Store.open(begun, create=False) as store:
        assert [record.key for record in store.records()] == [str(number) for number in range(1, last + 1)]
    assert before.isdisjoint(added)


def test_two_readers_see_complete_records_while_a_writer_writes(begun):
    last = 300
    readers = (Store.open(begun, create=False), Store.open(begun, create=False))
    seen = dict.fromkeys(readers, 0)
    with writer(begun, last=last) as process, readers[0], readers[1]:
        while process.poll() is None:
            for reader in readers:
                records = list(reader.records("spring"))
                assert all(map(is_whole, records))
                assert seen[reader] <= len(records) <= sum(pair.games for pair in reader.pairs("spring"))
                seen[reader] = len(records)
        assert process.returncode == 0
        assert [len(reader.keys("spring")) for reader in readers] == [last, last]


def test_two_writers_take_turns(begun):
    with Store.open(begun, create=False) as store:
        example = store.record(1)
        with writer(begun, last=100) as process:
            for number in range(100):
                store.add(replace(example, key=f"other {number}"))
            process.communicate(timeout=600)
        assert process.returncode == 0
        assert len(store.keys("spring")) == 200


def awards(last):
    """What everybody gets for the pairings 2 to `last` when bob leaves."""
    return [Award(key=str(number), entrant="ada", points=1.0, because="bob left") for number in range(2, last + 1)]


def settled_twice(path):
    """Pairings that ended as a record and as an award, counted at one moment."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT COUNT(*) FROM record JOIN award USING (league, key)").fetchone()[0]


def test_entrants_that_enter_and_leave_during_writing_cost_no_game(begun):
    last = 150
    with Store.open(begun, create=False) as store:
        with writer(begun, last=last) as process:
            for number in range(30):
                process.stdout.readline()
                store.enter("spring", EntrantRecord(f"new {number}", "random", "", "", {}))
                store.depart("spring", f"new {number}", why="withdrawn", detail="", stands=True)
                store.exclude(1, because=f"look {number}")
                store.include(1)
            _, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (0, "")
        league = store.known("spring")
        assert len(league.entrants) == 33
        assert len(league.departures) == 30
        assert store.keys("spring") == {str(number) for number in range(1, last + 1)}
        assert sum(pair.games for pair in store.pairs("spring")) == last
    assert is_sound(begun)


def test_a_pairing_that_is_awarded_while_a_writer_adds_games_ends_once(begun):
    played, drawn = 100, 200
    with Store.open(begun, create=False) as store:
        with writer(begun, last=played) as process:
            process.stdout.readline()
            store.depart("spring", "bob", why="withdrawn", detail="", stands=True, awards=awards(drawn))
            while process.stdout.readline():
                assert settled_twice(begun) == 0
                assert len(store.keys("spring")) == drawn
        assert process.returncode == 0
        # A game that was under way when bob left has been played: its award is gone.
        assert {record.key for record in store.records()} == {str(number) for number in range(1, played + 1)}
        assert {award.key for award in store.awards("spring")} == {str(key) for key in range(played + 1, drawn + 1)}


def test_a_killed_writer_leaves_a_record_or_an_award_of_every_pairing(begun):
    drawn = 2_000
    with Store.open(begun, create=False) as store, writer(begun, last=1_000_000) as process:
        process.stdout.readline()
        store.depart("spring", "bob", why="withdrawn", detail="", stands=True, awards=awards(drawn))
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert is_sound(begun)
    assert settled_twice(begun) == 0
    with Store.open(begun, create=False) as store:
        assert {str(number) for number in range(1, drawn + 1)} <= store.keys("spring")
        assert all(map(is_whole, store.records()))


def test_a_writer_on_a_full_disk_stops_with_one_line_and_complete_records(begun):
    with writer(begun, last=1_000_000, room=400_000) as process:
        out, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert err.count("\n") == 1
    assert f"StoreError: {begun} cannot be read or written (disk I/O error); is the disk full or broken?" in err
    assert is_sound(begun)
    with Store.open(begun, create=False) as store:
        records = list(store.records())
        assert [record.key for record in records] == ["1", *out.split()]
        assert all(map(is_whole, records))
        assert store.add(replace(records[0], key="room again")).id == len(records) + 1


READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT COUNT(*) FROM record").fetchone()[0])
connection.close()
"""


def test_games_are_kept_when_the_process_that_stores_them_opens_the_file_twice_and_others_read_it(
    path, store, make_record
):
    def read_elsewhere():
        ran = subprocess.run([sys.executable, "-c", READER, path], capture_output=True, text=True, check=True)
        return int(ran.stdout)

    store.add(make_record("1"))
    with Store.read(path):
        assert read_elsewhere() == 1
        store.add(make_record("2"))
        assert read_elsewhere() == 2
    store.add(make_record("3"))
    assert read_elsewhere() == 3
