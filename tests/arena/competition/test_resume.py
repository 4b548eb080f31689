"""Leagues that are interrupted in every way and lose nothing."""

import os
import random
import select
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from arena.formats.schedule import round_robin
from results.standings.table import table
from results.store.store import Store

IsGone = Callable[[Path], bool]

#: Only a guard against waiting for ever.
GUARD_SECONDS = 600
AGENTS = ("random", "first_move", "one_step_search", "greedy", "negamax:depth=1")
LEAGUE = ("league", *AGENTS[:4], "--rounds", "6", "--turns", "12", "--name", "cup", "--json")
GAMES = 72


def skip_lines(process: subprocess.Popen[str], count: int) -> None:
    """Read at least so many lines; what is written at once is read at once."""
    assert process.stdout is not None
    while count > 0:
        ready, _, _ = select.select([process.stdout], [], [], GUARD_SECONDS)
        assert ready, "the league does not go on"
        read = os.read(process.stdout.fileno(), 1 << 16)
        assert read, "the league has ended"
        count -= read.count(b"\n")


def candidates(kind: str, process: subprocess.Popen[str], folder: Path, processes: Any) -> list[int]:
    """The pids of the coordinator, the workers or the zygotes. Players are left out: one that is killed loses."""
    if kind == "coordinator":
        return [process.pid]
    if kind == "zygote":
        return [zygote.pid for zygote in processes.zygotes(folder)]
    return [found.pid for found in processes.of_games(folder) if "arena.execution.worker" in found.command]


def kill_one(kind: str, process: subprocess.Popen[str], folder: Path, processes: Any, rng: random.Random) -> None:
    """Kill the coordinator, a worker or a zygote, whatever it is doing."""
    found: list[int] = []
    assert processes.until(lambda: found.extend(candidates(kind, process, folder, processes)) or found)
    with suppress(ProcessLookupError):  # another one is killed between two games
        os.kill(rng.choice(found), signal.SIGKILL)


def check_whole(database: Path, *, agents: Sequence[str] = AGENTS[:4], rounds: int = 6) -> None:
    """Every pairing exactly once, and standings equal to a recount."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store.open(database, create=False) as store:
        records = list(store.records("cup"))
        rows = table(store, store.known("cup")).rows
    assert sorted(record.key for record in records) == sorted(
        pairing.key for pairing in round_robin(range(1, len(agents) + 1), rounds=rounds)
    )
    assert [record.fault for record in records if record.fault] == []
    for row in rows:
        points = sum(record.score_first for record in records if record.first.name == row.agent)
        points += sum(1 - record.score_first for record in records if record.second.name == row.agent)
        assert row.points == points
        assert row.games == 2 * rounds * (len(agents) - 1)


@pytest.mark.parametrize(
    ("agents", "rounds", "turns", "kills"),
    [(4, 6, 12, 5), pytest.param(5, 10, 60, 50, marks=pytest.mark.soak)],
    ids=["5 kills", "50 kills"],
)
def test_whoever_is_killed_at_any_moment_every_pairing_is_there_exactly_once(
    arena: Any, processes: Any, is_gone: IsGone, agents: int, rounds: int, turns: int, kills: int
) -> None:
    games = agents * (agents - 1) * rounds
    words = ("league", *AGENTS[:agents], "--rounds", str(rounds), "--turns", str(turns), "--name", "cup", "--json")
    rng = random.Random(kills)
    process = arena.start(*words, stderr=subprocess.DEVNULL)
    for number in range(kills):
        kind = ("worker", "coordinator", "zygote")[number % 3]
        skip_lines(process, rng.randrange(max(2, games // kills // 2)))
        select.select([], [], [], rng.random() * 0.1)  # anywhere in a game, a store or a start
        kill_one(kind, process, arena.folder, processes, rng)
        if kind == "coordinator":
            process.wait()
            process.stdout.close()
            assert is_gone(arena.folder)
            process = arena.start(*words, stderr=subprocess.DEVNULL)
    process.communicate(timeout=GUARD_SECONDS)
    ran = arena(*words)
    assert ran.code == 0
    assert ran.json[-1]["games"] == games
    assert is_gone(arena.folder)
    check_whole(arena.folder / "arena.db", agents=AGENTS[:agents], rounds=rounds)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_league_says_how_to_go_on(arena: Any, is_gone: IsGone, number: signal.Signals) -> None:
    process = arena.start(*LEAGUE)
    for _ in range(3):
        arena.next_line(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 130, err
    with Store.read(arena.folder / "arena.db") as store:
        stored = len(store.keys("cup"))
    assert stored - (3 + out.count("\n")) in (0, 1)  # one may be stored and not printed yet
    last = f"interrupted: {stored} of {GAMES} games are stored; the same command continues\n"
    assert err.endswith(last)
    assert err.count("\n") <= 2
    assert is_gone(arena.folder)
    assert arena(*LEAGUE).json[-1]["games"] == GAMES
    check_whole(arena.folder / "arena.db")


def test_ctrl_c_ends_a_thinking_agent_at_once(arena: Any, faulty: Path) -> None:
    process = arena.start("play", f"{faulty}/misbehaving.py:Sleeps", "random", start_new_session=True)
    arena.next_line(process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody in front of it
    _, err = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 130, err
    assert "0 of 1 game is stored; the same command with --name play-1 continues" in err


def test_standings_can_be_read_while_a_league_runs(arena: Any) -> None:
    process = arena.start(*LEAGUE, stderr=subprocess.DEVNULL)
    arena.next_line(process)
    shown = arena("standings", "--league", "cup")
    process.kill()
    process.communicate()
    assert shown.code == 0
    assert "cup: " in shown.out
