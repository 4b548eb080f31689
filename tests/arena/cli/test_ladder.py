"""`arena ladder` as a person runs it: it goes on by its name, agents come and go, it is killed, it has a final."""

import json
import os
import random
import re
import select
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from arena.process.spawn import start_time
from results.pairing import PairCount
from results.standings.ratings import rate
from results.standings.table import table
from results.store.store import Store

FOUR = ("random", "first_move", "one_step_search", "greedy")
CLUB = ("ladder", *FOUR, "--turns", "6", "--name", "club")
TWELVE = (
    "random", "first_move", "one_step_search", "greedy", "negamax:depth=1", "negamax:depth=2", "alphabeta:depth=1",
    "alphabeta:depth=3", "uct:simulations=30", "uct:simulations=300", "mcts:simulations=10", "puct:simulations=30",
)  # fmt: skip


def result_of(arena: Any, *words: str) -> Any:
    """What a command prints as JSON after its games."""
    ran = arena(*words, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out.splitlines()[-1])


def rows(arena: Any, league: str) -> list[Any]:
    return list(json.loads(arena("standings", "--league", league, "--format", "json").out))


def check_recounted(database: Path, name: str) -> None:
    """Every game is stored once, and the table is that of the stored games, counted one by one."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store.read(database) as store:
        league = store.known(name)
        records = list(store.records(name))
        assert len({record.key for record in records}) == len(records)
        assert {record.key for record in records} <= {pairing.key for pairing in store.drawn(name)}
        counts: dict[tuple[str, str], Counter[str]] = {}
        for record in records:
            counts.setdefault((record.first.name, record.second.name), Counter())[record.result] += 1
        pairs = [
            PairCount(first=one, second=two, games=found.total(), wins=found["1-0"], draws=found["1/2-1/2"],
                      losses=found["0-1"])
            for (one, two), found in counts.items()
        ]  # fmt: skip
        again = rate([entrant.name for entrant in league.entrants], pairs)
        for row in table(store, league).rows:
            rating = again.of(row.agent)
            assert row.games == (rating.games if rating else 0)
            assert rating is None or row.elo == pytest.approx(rating.elo, abs=1e-4)


def test_a_ladder_goes_on_by_its_name_alone_and_ends_at_its_limit(arena: Any) -> None:
    first = result_of(arena, *CLUB, "--games", "12")
    assert (first["league"], first["games"], first["final"]) == ("club", 12, None)
    extended = arena("extend", "club", "--games", "6")
    assert extended.out == "club has 18 games now\n"
    assert result_of(arena, *CLUB, "--games", "12")["games"] == 18  # the same command plays the added games
    assert result_of(arena, "ladder", "--name", "club", "--games", "20")["games"] == 20
    assert result_of(arena, "ladder", "--name", "club")["games"] == 20
    assert result_of(arena, "league", "--name", "club")["games"] == 20
    check_recounted(arena.folder / "arena.db", "club")
    shown = arena("standings")
    assert re.search(r"#\s+agent\s+Elo\s+±\s+games\s+trend\s+W\s+D\s+L\s+faults\s+CPU\n", shown.out)
    assert "an equal share is 25 %" in shown.out
    listed = json.loads(arena("leagues", "--json").out)
    assert [(league["games"], league["total"], league["state"]) for league in listed] == [(20, 20, "finished")]


def test_the_best_play_a_final_which_is_played_once(arena: Any) -> None:
    found = result_of(arena, *CLUB, "--games", "24", "--final", "2", "--final-rounds", "2")
    assert (found["final"]["league"], found["final"]["games"]) == ("club-final", 4)
    assert {row["agent"] for row in found["final"]["standings"]} == {row["agent"] for row in found["standings"][:2]}
    again = result_of(arena, *CLUB, "--games", "24", "--final", "2", "--final-rounds", "2")
    assert again["final"] == found["final"]
    more = result_of(arena, "ladder", "--name", "club", "--games", "28", "--final", "3")
    assert (more["games"], more["final"]["league"], more["final"]["games"]) == (28, "club-final-2", 6)


def test_a_season_begins_anew_with_those_that_are_left(arena: Any) -> None:
    result_of(arena, *CLUB, "--games", "8")
    assert arena("enter", "club", "negamax:depth=1").code == 0
    assert arena("withdraw", "club", "random").code == 0
    season = result_of(arena, "ladder", "--name", "club", "--season", "2", "--games", "8")
    assert (season["league"], season["games"]) == ("club-season-2", 8)
    names = {"first_move", "one_step_search", "greedy", "negamax:depth=1"}
    assert {row["agent"] for row in season["standings"]} == names
    assert result_of(arena, "ladder", "--name", "club", "--season", "2")["games"] == 8


def test_a_ladder_in_the_background_takes_newcomers_until_it_is_stopped(arena: Any, is_gone: Any) -> None:
    ran = arena(*CLUB, "--detach")
    assert re.match(r"club runs in the background: process \d+, 0 games stored, log in ", ran.out), ran.out
    try:
        assert arena("enter", "club", "negamax:depth=1").code == 0
    finally:
        stopped = arena("stop", "club")
    assert re.fullmatch(r"club: \d+ games are stored; arena ladder --name club continues\n", stopped.out), stopped.out
    assert is_gone(arena.folder)
    (listed,) = json.loads(arena("leagues", "--json").out)
    assert (listed["total"], listed["state"], len(listed["entrants"])) == (None, "stopped", 5)
    assert re.search(r"^club +ladder +microchess:turns=6 +5 ", arena("leagues").out, re.MULTILINE)


def test_a_ladder_in_the_background_plays_its_final(arena: Any, processes: Any) -> None:
    started = json.loads(arena(*CLUB, "--games", "4", "--final", "2", "--detach", "--json").out)
    assert (started["league"], started["total"]) == ("club", 4)
    assert processes.until(lambda: start_time(started["process"]) == "")
    log = Path(arena.folder / started["log"]).read_text()
    assert "Traceback" not in log
    assert log.count('"league": "club-final", "key"') == 2


def test_hours_end_a_run_and_not_the_ladder(arena: Any) -> None:
    ran = arena(*CLUB, "--hours", "0.0000001")
    assert ran.code == 0
    assert ran.out.startswith("club: 0 games\n")
    assert result_of(arena, *CLUB, "--games", "4")["games"] == 4


def test_a_dry_run_of_a_ladder_says_that_it_has_no_end(arena: Any) -> None:
    ran = arena(*CLUB, "--dry-run")
    assert ran.out.splitlines()[-1].startswith("games without end on ")
    found = json.loads(arena(*CLUB, "--games", "100", "--dry-run", "--json").out)
    assert (found["games"], found["pairings"], found["settings"]["format"]) == (100, [], "ladder")
    assert not (arena.folder / "arena.db").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random", "greedy"), "Error: Missing option '--name'."),
        (("random", "--name", "club"),
         "arena: a ladder needs at least two entrants to begin; name agents or a league file"),
        ((*FOUR, "--name", "club", "--final", "2"),
         "arena: a final needs an end of the ladder: give games, hours or until as well"),
        ((*FOUR[:2], "--turns", "2", "--name", "cup"),
         "arena: league 'cup' is stored with different settings: format was round-robin, is ladder"),
        (("--name", "cup"), "arena: cup is not a ladder but a league (round-robin): arena league continues it"),
        (("--name", "none"), "arena: no ladder called 'none' in arena.db; name its agents"),
        (("--name", "cup", "--season", "2"), "arena: cup is not a ladder but a league"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_line(arena: Any, words: tuple[str, ...], message: str) -> None:
    if "cup" in words or "none" in words:
        assert arena("league", *FOUR[:2], "--turns", "2", "--name", "cup").code == 0
    ran = arena("ladder", *words)
    assert ran.code in (1, 2)
    assert ran.error.startswith(message), ran.err


AGENT = """
from agents.base import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)[{number} % len(state.legal_moves)]
"""


def reorganise(arena: Any, number: int) -> None:
    """Somebody enters, is replaced with its games or without them, or is withdrawn, in turns."""
    (arena.folder / "mine.py").write_text(AGENT.format(number=number))
    with Store.read(arena.folder / "arena.db") as store:
        league = store.known("club")
    mine = [name for name in (one.name for one in league.entrants) if "mine" in name]
    here = [name for name in mine if name not in league.departures]
    words = [
        ["enter", "club", "./mine.py"], ["replace", "club", "./mine.py"], ["replace", "club", "./mine.py", "--keep"],
        ["withdraw", "club", *here[-1:]],
    ][number % 4]  # fmt: skip
    if words[0] == "enter" or here:
        ran = arena(*words)
        assert ran.code == 0, ran.err


def killed_ladder(
    arena: Any, processes: Any, is_gone: Callable[[Path], bool], agents: tuple[str, ...], *options: str, kills: int
) -> None:
    """Run a ladder; kill a worker and then the coordinator, again and again, while agents come and go."""
    rng, words = random.Random(str(agents)), ("ladder", *agents, "--name", "club", *options, "--json")
    for number in range(kills):
        process = arena.start(*words, stderr=subprocess.DEVNULL)
        words = ("ladder", "--name", "club", "--json")
        select.select([process.stdout], [], [], 120.0)  # a game is over, or all are
        if number % 2:
            reorganise(arena, number // 2)
        if running := processes.of_games(arena.folder):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(running).pid, signal.SIGKILL)
        select.select([], [], [], rng.random() * 0.2)
        process.kill()
        process.wait()
        process.stdout.close()
        assert is_gone(arena.folder)
    ran = arena(*words)
    assert ran.code == 0, ran.err


def test_a_ladder_that_is_killed_while_agents_come_and_go_plays_every_game_once(
    arena: Any, processes: Any, is_gone: Callable[[Path], bool]
) -> None:
    options = ("--turns", "10", "--opening-turns", "2", "--games", "60", "--suspend-after", "never")
    killed_ladder(arena, processes, is_gone, FOUR, *options, kills=6)
    check_recounted(arena.folder / "arena.db", "club")
    assert sum(row["games"] for row in rows(arena, "club")) == 2 * 60


@pytest.mark.soak
def test_a_ladder_of_twelve_killed_twenty_times_has_the_leaders_of_a_round_robin(
    arena: Any, processes: Any, is_gone: Callable[[Path], bool]
) -> None:
    options = ("--opening-turns", "2", "--suspend-after", "never")
    killed_ladder(arena, processes, is_gone, TWELVE, *options, "--games", "528", kills=20)
    check_recounted(arena.folder / "arena.db", "club")
    assert arena("league", *TWELVE, *options, "--rounds", "4", "--name", "all").code == 0
    with Store.read(arena.folder / "arena.db") as store:
        climbed, met = (table(store, store.known(name)) for name in ("club", "all"))
    assert [sum(pair.games for pair in found.pairs) for found in (climbed, met)] == [528, 528]
    leaders = [row.agent for row in met.rows[:3]]
    found = [row.agent for row in climbed.rows[:3]]
    for agent in set(found) - set(leaders):
        behind = met.ratings.difference(leaders[-1], agent)
        assert behind is not None
        assert not behind.settled
