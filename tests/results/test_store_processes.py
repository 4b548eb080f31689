"""Nothing is lost or halved when processes die, run out of room or read along."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from results.record import MoveRecord
from results.store import Store

#: Goes through the pairings 2, 3, … and stores those that are not, telling after each one.
WRITER = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from results.errors import StoreError
from results.record import MoveRecord
from results.store import Store

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


def test_a_killed_writer_loses_no_stored_game_and_leaves_no_half_one(begun):
    told = ["1"]
    for _ in range(4):
        with writer(begun, last=1_000_000) as process:
            told += [process.stdout.readline().strip() for _ in range(20)]
            process.send_signal(signal.SIGKILL)
            # What it managed to say before the signal struck is stored as well.
            told += [line.strip() for line in process.stdout if line.endswith("\n")]
        assert process.returncode == -signal.SIGKILL
        assert is_sound(begun)
        with Store.open(begun, create=False) as store:
            records = list(store.records())
        assert all(map(is_whole, records))
        keys = [record.key for record in records]
        assert set(told) <= set(keys)
        # At most the game it was about to tell of.
        assert len(keys) == len(set(keys)) <= len(told) + 1
        told = keys


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


def test_two_readers_see_a_growing_whole_while_a_writer_writes(begun):
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
            process.communicate(timeout=60)
        assert process.returncode == 0
        assert len(store.keys("spring")) == 200


def test_a_writer_without_room_stops_with_one_line_and_whole_records(begun):
    with writer(begun, last=1_000_000, room=400_000) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.count("\n") == 1
    assert f"StoreError: {begun} cannot be read or written (disk I/O error); is the disk full or broken?" in err
    assert is_sound(begun)
    with Store.open(begun, create=False) as store:
        records = list(store.records())
        assert [record.key for record in records] == ["1", *out.split()]
        assert all(map(is_whole, records))
        assert store.add(replace(records[0], key="room again")).id == len(records) + 1
