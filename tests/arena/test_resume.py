"""Leagues that are interrupted in every way and lose nothing."""

import os
import random
import select
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.schedule import round_robin
from results.standings import standings
from results.store import Store

AGENTS = ("random", "first_move", "one_step_search", "greedy")
LEAGUE = ("league", *AGENTS, "--rounds", "6", "--turns", "12", "--name", "cup", "--json")
GAMES = 72


def next_line(process: subprocess.Popen[str], *, seconds: float = 60.0) -> str:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    assert ready, "the league does not go on"
    return process.stdout.readline()


def is_gone(find: Callable[[Path], Sequence[int]], folder: Path, *, seconds: float = 10.0) -> bool:
    """Whether the workers and players of a dead coordinator are gone, or will be in a moment."""
    deadline = time.monotonic() + seconds
    while find(folder):
        if time.monotonic() > deadline:
            return False
    return True


def check_whole(database: Path) -> None:
    """Every pairing exactly once, and standings equal to a recount."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store.open(database, create=False) as store:
        records = list(store.records("cup"))
        rows = standings(AGENTS, store.pairs("cup"))
    assert sorted(record.key for record in records) == sorted(
        pairing.key for pairing in round_robin(range(1, len(AGENTS) + 1), rounds=6)
    )
    for row in rows:
        points = sum(record.score_first for record in records if record.first.name == row.agent)
        points += sum(1 - record.score_first for record in records if record.second.name == row.agent)
        assert row.points == points


def test_a_league_killed_ten_times_has_every_pairing_exactly_once(
    arena: Any, processes_of: Callable[[Path], Sequence[int]]
) -> None:
    rng = random.Random(2)
    for _ in range(10):
        process = arena.start(*LEAGUE, stderr=subprocess.DEVNULL)
        for _ in range(rng.randrange(1, 5)):
            next_line(process)
        select.select([], [], [], rng.random() * 0.3)  # anywhere in a game, a store or a start
        process.kill()
        process.wait()
        process.stdout.close()
        assert is_gone(processes_of, arena.folder)
    ran = arena(*LEAGUE)
    assert ran.code == 0
    assert ran.json[-1]["games"] == GAMES
    assert f"of {GAMES} games were stored already" in ran.err
    check_whole(arena.folder / "arena.db")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_league_says_how_to_go_on(
    arena: Any, processes_of: Callable[[Path], Sequence[int]], number: signal.Signals
) -> None:
    process = arena.start(*LEAGUE)
    for _ in range(3):
        next_line(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    stored = 3 + out.count("\n")
    assert err == f"interrupted: {stored} of {GAMES} games are stored; the same command goes on from there\n"
    assert is_gone(processes_of, arena.folder)
    assert arena(*LEAGUE).json[-1]["games"] == GAMES
    check_whole(arena.folder / "arena.db")


def test_ctrl_c_ends_a_thinking_agent_at_once(arena: Any, faulty: Path) -> None:
    process = arena.start("play", f"{faulty}/misbehaving.py:Sleeps", "random", start_new_session=True)
    next_line(process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody in front of it
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "0 of 1 games are stored; the same command with --name play-1 goes on from there" in err


def test_standings_can_be_read_while_a_league_runs(arena: Any) -> None:
    process = arena.start(*LEAGUE, stderr=subprocess.DEVNULL)
    next_line(process)
    shown = arena("standings", "--league", "cup")
    process.kill()
    process.communicate()
    assert shown.code == 0
    assert "cup: " in shown.out
