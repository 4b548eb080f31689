"""Stockfish in real games: both back-ends, both colours; killed, stopped and started again."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from results.record import GameRecord
from results.store.store import Store

CASTLER = Path(__file__).parents[2] / "stockfish_bridge" / "castler.py"
BACKENDS = ("fairy", "standard")
START, CASTLING = "knbr/p3/4/3P/RBNK w Qk - 0 1", "k2r/p3/4/3P/R2K w Qk - 0 1"
ENGINES = ("fairy-stockfish", "stockfish")


def engines_in(folder: Path) -> list[int]:
    """The PIDs of the engines that were started in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            is_here = entry.name.isdigit() and (entry / "cwd").readlink() == folder
            if is_here and (entry / "exe").readlink().name in ENGINES:
                found.append(int(entry.name))
    return found


def records(folder: Path) -> list[GameRecord]:
    with Store.open(folder / "arena.db", create=False) as store:
        return list(store.counted(store.leagues()[-1].name))


def fast_games(arena: Any, games: int) -> list[GameRecord]:
    """This many games at 500 nodes with both back-ends, against `random` and an agent that castles and promotes."""
    found = []
    for backend in BACKENDS:
        for other, position in (("random", START), (str(CASTLER), CASTLING)):
            ran = arena("benchmark", f"stockfish:nodes=500,backend={backend}", other, "--games", str(games // 4),
                        "--position", position, "--seed", backend, "--json")  # fmt: skip
            assert ran.code == 0, ran.err
            found += records(arena.folder)
    return found


def special(record: GameRecord) -> set[str]:
    moves = [move.text for move in record.moves]
    return {"castling" for move in moves if move in ("d1b1", "a5c5")} | {
        "promotion" for move in moves if len(move) == 5
    }


def assert_flawless(found: list[GameRecord], games: int) -> None:
    assert len(found) == games
    assert not [record.fault for record in found if record.fault is not None]
    assert not [note for record in found for note in record.notes]
    engines = {record.versions.get("first", record.versions.get("second")) for record in found}
    assert len(engines) == 2
    assert {"promotion", "castling"} <= set.union(*(special(record) for record in found))


def test_forty_fast_games_with_both_back_ends_have_no_fault(arena: Any) -> None:
    assert_flawless(fast_games(arena, 40), 40)


@pytest.mark.soak
def test_a_thousand_fast_games_with_both_back_ends_have_no_fault(arena: Any) -> None:
    assert_flawless(fast_games(arena, 1000), 1000)


@contextmanager
def meanwhile(do: Callable[[threading.Event], None]) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=do, args=(over,))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class OnTurn:
    """Chooses engines that run and were seen frozen before: they are asked for a move, and not just restarted."""

    def __init__(self) -> None:
        self._frozen: set[int] = set()

    def __call__(self, pid: int) -> bool:
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T":
                self._frozen.add(pid)
                return False
        return pid in self._frozen


def killer(
    folder: Path, *, every: float, killed: list[int], choose: Callable[[int], bool]
) -> Callable[[threading.Event], None]:
    """Kills the chosen engines in a folder again and again."""

    def kill(over: threading.Event) -> None:
        while not over.wait(every):
            for pid in filter(choose, engines_in(folder)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    return kill


def assert_survived(
    arena: Any, *, games: int, every: float, nodes: int, choose: Callable[[int], bool] = lambda _: True
) -> None:
    killed: list[int] = []
    with meanwhile(killer(arena.folder, every=every, killed=killed, choose=choose)):
        ran = arena("benchmark", f"stockfish:nodes={nodes}", f"stockfish:nodes={nodes},backend=standard",
                    "--games", str(games), "--opening-turns", "2", "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    found = records(arena.folder)
    assert len(found) == games
    assert not [record.fault for record in found if record.fault is not None]
    notes = [note for record in found for note in record.notes]
    assert killed
    assert notes
    assert [note for note in notes if note.rule != "exit" or "SIGKILL" not in note.detail] == []
    assert not engines_in(arena.folder)


def test_games_continue_when_the_engine_is_killed(arena: Any) -> None:
    # An engine that is started again in its turn is not killed in the same turn, so the retries suffice.
    assert_survived(arena, games=2, every=0.005, nodes=150_000, choose=OnTurn())


@pytest.mark.soak
def test_sixteen_games_end_although_the_engines_are_killed_every_three_seconds(arena: Any) -> None:
    assert_survived(arena, games=16, every=3.0, nodes=10_000)


def next_engine(folder: Path, *, but: set[int]) -> int:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for pid in engines_in(folder):
            if pid not in but:
                return pid
    raise AssertionError("no engine was started")


def test_an_engine_killed_while_it_starts_is_started_again(arena: Any) -> None:
    running = arena.start("play", "stockfish:nodes=100,backend=standard", "random", "--json")
    killed: set[int] = set()
    for _ in range(3):
        pid = next_engine(arena.folder, but=killed)  # it is still loading its network
        os.kill(pid, signal.SIGKILL)
        killed.add(pid)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 0, err
    (record,) = records(arena.folder)
    assert record.fault is None, out
    assert [note.detail.partition(":")[0] for note in record.notes] == ["started again in its start"] * 3


def test_an_engine_that_is_stopped_for_ever_loses_on_time(arena: Any) -> None:
    def stop(over: threading.Event) -> None:
        while not over.is_set():
            for pid in engines_in(arena.folder):
                with suppress(OSError):
                    ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
                    if ticks > 20:  # 0.2 s of CPU: it has started and is thinking
                        os.kill(pid, signal.SIGSTOP)

    with meanwhile(stop):
        ran = arena("play", "stockfish:nodes=100000000", "random", "--time", "6", "--clock", "wall", "--json")
    assert ran.code == 0, ran.err
    (record,) = records(arena.folder)
    assert record.fault is not None
    assert record.fault.rule == "time"
    assert [note.rule for note in record.notes] == ["time"]
    assert record.seconds_first < 6 + 2
    assert not engines_in(arena.folder)


def test_the_record_describes_the_engine(arena: Any) -> None:
    ran = arena("play", "stockfish:nodes=50", "random", "--turns", "6", "--json")
    assert ran.code == 0, ran.err
    (record,) = records(arena.folder)
    assert record.versions["first"].startswith("Fairy-Stockfish")
    assert dict(record.first.options) == {"level": 20, "nodes": 50, "hash": 16, "backend": "fairy"}
    assert len(record.first.hash) == 64
    shown = arena("show", str(record.id))
    assert "is Fairy-Stockfish" in shown.out
    again = arena("rerun", str(record.id))
    assert again.code == 0
    assert "identical" in again.out


def test_no_engine_is_left_when_the_arena_is_killed(arena: Any) -> None:
    running = arena.start("benchmark", "stockfish:nodes=100000", "random", "--games", "50", stdout=subprocess.DEVNULL)
    next_engine(arena.folder, but=set())
    running.kill()
    running.communicate()
    deadline = time.monotonic() + 20
    while engines_in(arena.folder):
        assert time.monotonic() < deadline, "an engine is left"
