"""The replay memory: bounded, sampled at a fixed cost, alive after a kill."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.self_learning.errors import TrainingError
from agents.self_learning.memory import Memory

ROW = np.dtype([("value", "<i4"), ("policy", "<f4", (3,))])


def rows(start: int, number: int) -> Any:
    made = np.zeros(number, dtype=ROW)
    made["value"] = np.arange(start, start + number)
    made["policy"] = made["value"][:, None]
    return made


def memory(path: Path, **more: Any) -> Memory:
    return Memory(path / "memory.bin", row=ROW, **{"capacity": 100, **more})


def test_the_oldest_samples_are_replaced(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    for generation in range(5):
        ring.append(rows(60 * generation, 60), generation=generation)
    assert len(ring) == 100
    assert ring.written == 300
    assert list(ring.newest(100)["value"]) == list(range(200, 300))
    assert list(np.unique(ring.generations())) == [3, 4]
    assert ring.newest(2)["policy"].tolist() == [[298] * 3, [299] * 3]


def test_more_samples_than_fit_leave_the_newest(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    ring.append(rows(0, 1000), generation=1)
    assert list(ring.newest(100)["value"]) == list(range(900, 1000))


def test_samples_come_from_the_newest_ones_only(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    ring.append(rows(0, 250), generation=1)
    rng = np.random.default_rng(1)
    assert set(ring.sample(rng, 2000)["value"]) == set(range(150, 250))
    assert set(ring.sample(rng, 500, window=10)["value"]) == set(range(240, 250))


def test_the_same_seed_draws_the_same_samples(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    ring.append(rows(0, 80), generation=1)
    one, two = (ring.sample(np.random.default_rng(7), 50) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_drawing_reads_only_what_it_draws(tmp_path: Path) -> None:
    # The file is mapped, not read: its 12,000 pages are not touched.
    ring = memory(tmp_path, capacity=2_000_000, written=2_000_000)
    before = int(Path("/proc/self/statm").read_text().split()[1])
    ring.sample(np.random.default_rng(1), 16)
    pages = int(Path("/proc/self/statm").read_text().split()[1]) - before
    assert pages < 6_000


def test_an_empty_memory_cannot_be_drawn_from(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="empty"):
        memory(tmp_path).sample(np.random.default_rng(1), 1)


def test_samples_after_the_cursor_are_written_again(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    ring.append(rows(0, 90), generation=1)
    ring.append(rows(90, 30), generation=2)
    again = memory(tmp_path, written=90)
    assert list(again.newest(90)["value"]) == list(range(90))
    again.append(rows(90, 30), generation=2)
    assert again.newest(100).tobytes() == ring.newest(100).tobytes()


def test_a_cursor_whose_samples_were_replaced_is_refused(tmp_path: Path) -> None:
    ring = memory(tmp_path)
    for generation in range(1, 6):
        ring.append(rows(60 * generation, 60), generation=generation)
    old = memory(tmp_path, written=120)
    with pytest.raises(TrainingError, match="no longer holds the samples of generation 2"):
        old.check(2)
    ring.check(5)


def test_samples_survive_a_kill(tmp_path: Path) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_memory import memory, rows
ring = memory(Path({str(tmp_path)!r}))
ring.append(rows(0, 70), generation=3)
print("written", flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert list(memory(tmp_path, written=70).newest(70)["value"]) == list(range(70))


def test_a_memory_of_other_samples_is_refused(tmp_path: Path) -> None:
    memory(tmp_path)
    with pytest.raises(TrainingError, match=r"another kind or number of samples; start a new run with --name"):
        memory(tmp_path, capacity=200)


def test_a_full_disk_shows_at_the_start_and_not_as_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        memory(tmp_path)
