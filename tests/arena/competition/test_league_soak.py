"""Leagues of every format, killed again and again while entrants come and go."""

import random
import select
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.competition.league import pairing_queue, remaining
from results.store.store import Store

AGENTS = ("random", "first_move", "one_step_search", "greedy", "negamax:depth=1", "random", "first_move", "random")
LATE = ("greedy", "first_move", "random")
KILLS = 20


def organise(arena: Any, number: int, rng: random.Random, *, form: str) -> None:
    """Now and then somebody enters or is withdrawn."""
    if number % 5 == 1 and form != "knockout" and number // 5 < len(LATE):
        ran = arena("enter", "cup", LATE[number // 5])
        assert ran.code == 0 or (form == "swiss" and "the last round of cup is drawn" in ran.err)
    if number % 6 == 3:
        with Store.open(arena.folder / "arena.db", create=False) as store:
            league = store.known("cup")
        here = [entrant.name for entrant in league.entrants[1:] if entrant.name not in league.departures]
        if len(here) > 3:
            assert arena("withdraw", "cup", rng.choice(here)).code == 0


def check_whole(database: Path) -> None:
    """Every pairing is a record or an award, never both, and nothing is left to be played."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store.open(database, create=False) as store:
        league = store.known("cup")
        records = [record.key for record in store.records("cup")]
        awards = [award.key for award in store.awards("cup")]
        assert len({*records, *awards}) == len(records) + len(awards)
        assert list(remaining(store, league)) == []
        assert pairing_queue(store, league).next(()) is None
        if league.format in ("swiss", "knockout"):
            assert {pairing.key for pairing in store.drawn("cup")} == {*records, *awards}


@pytest.mark.soak
@pytest.mark.parametrize(("form", "rounds"), [("round-robin", 3), ("gauntlet", 12), ("swiss", 4), ("knockout", 8)])
def test_a_league_of_any_format_survives_every_kill_while_entrants_come_and_go(
    arena: Any, is_gone: Callable[[Path], bool], form: str, rounds: int
) -> None:
    rng = random.Random(f"{form} {rounds}")
    options = ("--format", form, "--rounds", str(rounds), "--turns", "60", "--name", "cup", "--json")
    for number in range(KILLS):
        process = arena.start("league", *AGENTS, *options, stderr=subprocess.DEVNULL)
        select.select([process.stdout], [], [], 60.0)  # a game is over, or all are
        if number:
            organise(arena, number, rng, form=form)
        select.select([], [], [], rng.random() * 0.1)
        process.kill()
        process.wait()
        process.stdout.close()
        assert is_gone(arena.folder)
    ran = arena("league", *AGENTS, *options)
    assert ran.code == 0, ran.err
    check_whole(arena.folder / "arena.db")
