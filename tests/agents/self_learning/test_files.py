"""The files of a run: arrays, checkpoints, chunks, notes."""

from pathlib import Path

import numpy as np
import pytest

from agents.self_learning import checkpoint
from agents.self_learning.arrays import Damaged, pack, unpack, write_atomic
from agents.self_learning.checkpoint import Checkpoint, Totals
from agents.self_learning.chunks import seed_of
from agents.self_learning.errors import TrainingError
from agents.self_learning.notes import Notes

ROW = np.dtype([("board", "i1", (2, 3)), ("moves", [("action", "<u2"), ("share", "<f4")], (4,)), ("value", "<f4")])


def test_arrays_come_back_as_they_were() -> None:
    rows = np.zeros(3, dtype=ROW)
    rows["moves"]["share"] = 0.25
    arrays = {"rows": rows, "number": np.array(3.5), "empty": np.zeros((0, 4), "f4"), "text": np.arange(5, dtype=">i8")}
    found = unpack(pack({"a": [1, "x"]}, arrays))
    assert found.header == {"a": [1, "x"]}
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype
        assert found.arrays[name].shape == array.shape
        assert found.arrays[name].tobytes() == array.tobytes()


def test_a_damaged_file_is_noticed() -> None:
    data = pack({}, {"a": np.arange(10)})
    for broken in (b"", data[:-1], data[:40], data[:100] + b"x" + data[101:], b"x" + data):
        with pytest.raises(Damaged):
            unpack(broken)


def test_writing_a_file_leaves_nothing_else(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", b"1")
    write_atomic(tmp_path / "a", b"2")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"2"


def stored(generation: int) -> Checkpoint:
    return Checkpoint(
        generation=generation, memory=10 * generation, validation=generation, players=(0, 1),
        totals=Totals(games=5, play_seconds=1.5), settings={"lr": 1.0}, arrays={"net/w": np.arange(4.0)},
    )  # fmt: skip


def test_the_last_checkpoints_are_kept_and_the_newest_is_found(tmp_path: Path) -> None:
    assert checkpoint.newest(tmp_path) is None
    for generation in range(1, 6):
        checkpoint.save(tmp_path, stored(generation))
    assert len(list(tmp_path.iterdir())) == 3
    found = checkpoint.newest(tmp_path)
    assert found is not None
    assert (found.generation, found.memory, found.players, found.totals) == (5, 50, (0, 1), stored(5).totals)
    assert found.settings == {"lr": 1.0}
    assert found.arrays["net/w"].tolist() == [0, 1, 2, 3]


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, stored(1))
    checkpoint.save(tmp_path, stored(2))
    path = max(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:-3])
    found = checkpoint.newest(tmp_path)
    assert found is not None
    assert found.generation == 1


def test_pitfall_19_seeds_differ_between_chunks_generations_and_runs() -> None:
    seeds = {
        seed_of(run, "self-play", generation, chunk)
        for run in range(3) for generation in range(30) for chunk in range(30)
    }  # fmt: skip
    assert len(seeds) == 3 * 30 * 30
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert seed_of(1, "self-play", 2, 3) == seed_of(1, "self-play", 2, 3)


def test_notes_are_sorted_and_replaced(tmp_path: Path) -> None:
    notes = Notes(tmp_path / "notes.db")
    assert notes.read("curve") == {}
    notes.write("curve", {"000002": {"loss": 1.0}, "000001": [1]})
    notes.write("curve", {"000002": {"loss": 0.5}})
    assert list(notes.read("curve").items()) == [("000001", [1]), ("000002", {"loss": 0.5})]
    assert notes.read("ladder") == {}


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("not a database, but a text that is long enough to be read as one" * 50)
    with pytest.raises(TrainingError, match=r"notes\.db cannot be read or written: file is not a database"):
        Notes(path).read("curve")
