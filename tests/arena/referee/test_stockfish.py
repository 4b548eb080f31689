"""Stockfish in real games: both back-ends, both colours; killed, stopped and started again."""

import os
import signal
import subprocess
import threading
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
Engines = Callable[[Path], list[Any]]


@pytest.fixture
def engines_in(processes: Any) -> Engines:
    """The engines that were started from a folder."""
    return lambda folder: [process for process in processes.within(folder) if process.program in ENGINES]


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


def assert_survived(arena: Any, engines_in: Engines, *, games: int, every: float, nodes: int) -> None:
    """Kill engines that were frozen before and run now: they are asked for a move, and were not just started again."""
    frozen: set[int] = set()
    killed: list[int] = []

    def kill(over: threading.Event) -> None:
        while not over.wait(every):
            for engine in engines_in(arena.folder):
                if engine.state == "T":
                    frozen.add(engine.pid)
                elif engine.pid in frozen:
                    with suppress(ProcessLookupError):
                        os.kill(engine.pid, signal.SIGKILL)
                        killed.append(engine.pid)

    with meanwhile(kill):
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


def test_games_continue_when_the_engine_is_killed(arena: Any, engines_in: Engines) -> None:
    assert_survived(arena, engines_in, games=2, every=0.005, nodes=150_000)


@pytest.mark.soak
def test_sixteen_games_end_although_the_engines_are_killed_every_three_seconds(arena: Any, engines_in: Engines) -> None:
    assert_survived(arena, engines_in, games=16, every=3.0, nodes=10_000)


def test_an_engine_killed_while_it_starts_is_started_again(arena: Any, processes: Any) -> None:
    running = arena.start("play", "stockfish:nodes=100,backend=standard", "random", "--json")
    killed: set[int] = set()

    def next_engine() -> Any:
        # Only the children of the referee: they are quickly read, and a starting engine loads its network for a while.
        children = [child for child in processes.children(running.pid) if child.pid not in killed]
        return next((child for child in children if child.program in ENGINES), None)

    for _ in range(3):
        found: list[Any] = []
        assert processes.until(lambda found=found: found.append(next_engine()) or found[-1])
        os.kill(found[-1].pid, signal.SIGKILL)
        killed.add(found[-1].pid)
    out, err = running.communicate(timeout=600)
    assert running.returncode == 0, err
    (record,) = records(arena.folder)
    assert record.fault is None, out
    assert [(note.phase, note.detail.partition(":")[0]) for note in record.notes] == [
        ("load", "started again after")
    ] * 3


def test_an_engine_that_is_stopped_forever_gets_its_verdict_in_time(arena: Any, engines_in: Engines) -> None:
    def stop(over: threading.Event) -> None:
        while not over.wait(0.01):
            for engine in engines_in(arena.folder):
                if engine.cpu_seconds > 0.2:  # it has started, and thinks
                    with suppress(OSError):
                        os.kill(engine.pid, signal.SIGSTOP)

    with meanwhile(stop):
        ran = arena("play", "stockfish:nodes=100000000", "random", "--time", "6", "--clock", "wall", "--json")
    assert ran.code == 0, ran.err
    (record,) = records(arena.folder)
    assert record.fault is not None
    assert record.fault.rule == "time"
    assert [note.rule for note in record.notes] == ["time"]
    assert record.seconds_first < 2 * 6
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


def test_nothing_is_left_when_the_arena_is_killed(arena: Any, engines_in: Engines, processes: Any) -> None:
    running = arena.start("benchmark", "stockfish:nodes=100000", "random", "--games", "50", stdout=subprocess.DEVNULL)
    assert processes.until(lambda: engines_in(arena.folder))
    running.kill()
    running.communicate()
    assert processes.until(lambda: not engines_in(arena.folder))
