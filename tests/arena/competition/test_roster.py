"""Who comes and goes while a league is under way."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.competition import plan as planning
from arena.competition import roster
from arena.competition.events import Event, GameStored, Notice, Summary
from arena.competition.league import depart, run
from arena.competition.plan import Plan, open_league
from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant, resolve_all
from arena.errors import BadSettings
from results.errors import BadEntrants
from results.league import League
from results.standings.table import rows
from results.store.store import Store

DETAIL = "its author asked for it"


def make_plan(tmp_path: Path, *, entrants: int = 4, kind: Any = "league", rounds: int = 1, **options: Any) -> Plan:
    found = resolve_all(["first_move"] * entrants, home=tmp_path / "home")
    options = {"turns": 2, "format": "round-robin"} | options
    return planning.make_plan(kind, found, Settings(**options, rounds=rounds))


def entrant(tmp_path: Path, name: str = "late") -> Entrant:
    return resolve_all(["first_move"], home=tmp_path / "home", names={0: name})[0]


def first_wins(first: str, second: str) -> str:
    return "1-0"


class Organiser:
    """Somebody at another terminal, who does one thing once so many games are over."""

    def __init__(self, path: Path, when: int, act: Callable[[Store, League], object]) -> None:
        self._path = path
        self._when = when
        self._act = act

    def __call__(self, ended: int) -> None:
        if ended == self._when:
            with Store.open(self._path, create=False) as store:
                self._act(store, store.known("cup"))


@pytest.fixture
def play(store: Store, tmp_path: Path, imagine: Any) -> Callable[..., tuple[Summary, list[Event]]]:
    """Run a league of imagined games, with an organiser who does something after so many of them."""

    def carry_out(plan: Plan, *, when: int = -1, act: Any = None, **how: Any) -> tuple[Summary, list[Event]]:
        told: list[Event] = []
        organiser = Organiser(tmp_path / "arena.db", when, act)
        executor = imagine(how.pop("verdict", first_wins), meanwhile=organiser, **how)
        league = open_league(store, "cup", plan)
        return run(store, league, plan, executor, home=tmp_path / "home", on_event=told.append), told

    return carry_out


def notices(told: list[Event]) -> list[str]:
    return [event.text for event in told if isinstance(event, Notice)]


def withdraw(name: str) -> Callable[[Store, League], object]:
    return lambda store, league: depart(store, league, name, why="withdrawn", detail=DETAIL)


def settled(store: Store) -> tuple[set[str], set[str]]:
    """The keys of records and of awards, which have none in common."""
    records = {record.key for record in store.records("cup")}
    awards = {award.key for award in store.awards("cup")}
    assert not records & awards
    return records, awards


def test_who_enters_while_a_league_runs_meets_everybody(play: Callable[..., Any], store: Store, tmp_path: Path) -> None:
    summary, told = play(
        make_plan(tmp_path), hands=2, when=5, act=lambda store, league: roster.enter(store, league, entrant(tmp_path))
    )
    assert (summary.done, summary.total) == (20, 20)
    assert notices(told) == ["late has entered"]
    records = list(store.records("cup"))
    assert sum("late" in (record.first.name, record.second.name) for record in records) == 8
    assert len({record.key for record in records}) == 20
    assert [event.total for event in told if isinstance(event, GameStored)][:4] == [12] * 4


def test_who_has_entered_plays_when_the_league_goes_on(play: Callable[..., Any], store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    play(plan)
    roster.enter(store, store.known("cup"), entrant(tmp_path))
    summary, told = play(plan)
    assert (summary.done, summary.total) == (20, 20)
    assert len([event for event in told if isinstance(event, GameStored)]) == 8


def test_who_enters_between_the_reading_of_a_league_and_its_first_game_is_seen(
    store: Store, tmp_path: Path, imagine: Any
) -> None:
    plan = make_plan(tmp_path)
    league = open_league(store, "cup", plan)
    roster.enter(store, league, entrant(tmp_path))
    told: list[Event] = []
    summary = run(store, league, plan, imagine(first_wins), home=tmp_path / "home", on_event=told.append)
    assert summary.done == 20
    assert notices(told) == ["late has entered"]


def test_who_is_withdrawn_early_never_was_there(play: Callable[..., Any], store: Store, tmp_path: Path) -> None:
    summary, told = play(make_plan(tmp_path), when=3, act=withdraw("first_move#2"))
    assert notices(told) == [f"first_move#2 was withdrawn ({DETAIL}); its games do not count"]
    records, awards = settled(store)
    assert awards == set()
    assert summary.done == summary.total == len(records)
    table = rows(store, store.known("cup"), store.pairs("cup"))
    assert [(row.agent, row.games, row.status) for row in table] == [
        ("first_move", 4, ""), ("first_move#3", 4, ""), ("first_move#4", 4, ""), ("first_move#2", 0, "withdrawn"),
    ]  # fmt: skip
    assert table[-1].rank == 4


def test_games_of_who_is_withdrawn_late_stand_and_the_others_get_the_rest(
    play: Callable[..., Any], store: Store, tmp_path: Path
) -> None:
    _, told = play(make_plan(tmp_path), when=8, act=withdraw("first_move#2"))
    assert notices(told) == [f"first_move#2 was withdrawn ({DETAIL}); its games still count"]
    records, awards = settled(store)
    assert len(records) + len(awards) == 12
    assert {award.because for award in store.awards("cup")} == {"first_move#2 was withdrawn"}
    table = {row.agent: row for row in rows(store, store.known("cup"), store.pairs("cup"))}
    assert sum(row.awarded for row in table.values()) == len(awards) > 0
    assert table["first_move#2"].awarded == 0
    assert table["first_move#2"].games == 6 - len(awards)


@pytest.mark.parametrize("form", ["round-robin", "swiss"])
def test_a_game_under_way_of_who_was_withdrawn_is_stored_and_needs_no_award(
    play: Callable[..., Any], store: Store, tmp_path: Path, imagine: Any, form: str
) -> None:
    under_way: list[str] = []

    def act(store: Store, league: League) -> None:
        # With three hands and one game ended, three are under way.
        named = {"1": "first_move"} | {str(number): f"first_move#{number}" for number in range(2, 7)}
        key = executor.taken[-1]
        under_way.append(key)
        name = named[key.partition(":")[2].partition("-")[0]]
        depart(store, league, name, why="withdrawn", detail="")
        if form == "swiss":
            assert key in {award.key for award in store.awards("cup")}

    plan = make_plan(tmp_path, entrants=6, rounds=3, format=form)
    when = 1 if form == "swiss" else 40
    executor = imagine(first_wins, hands=2, meanwhile=Organiser(tmp_path / "arena.db", when, act))
    summary = run(
        store, open_league(store, "cup", plan), plan, executor, home=tmp_path / "home", on_event=lambda _: None
    )
    records, awards = settled(store)
    assert under_way[0] in records
    assert summary.done == summary.total == len(records | awards)


@pytest.mark.parametrize(("form", "when"), [("swiss", 4), ("knockout", 3), ("gauntlet", 5), ("round-robin", 9)])
def test_every_format_goes_on_without_who_was_withdrawn(
    play: Callable[..., Any], store: Store, tmp_path: Path, form: str, when: int
) -> None:
    plan = make_plan(tmp_path, entrants=6, rounds=2, format=form)
    summary, told = play(plan, hands=2, when=when, act=withdraw("first_move#3"))
    assert len(notices(told)) == 1
    records, awards = settled(store)
    assert summary.done == summary.total == len(records | awards)
    again, told = play(plan)
    assert (again, told) == (summary, [])


@pytest.mark.parametrize("form", ["swiss", "knockout", "gauntlet", "round-robin"])
def test_a_league_interrupted_again_and_again_is_the_same_league(
    store: Store, tmp_path: Path, imagine: Any, form: str
) -> None:
    plan = make_plan(tmp_path, entrants=6, rounds=2, format=form, seed="dice")

    class Crash(Exception):
        pass

    def crash(ended: int) -> None:
        if ended == 2:
            raise Crash

    def carry_out(name: str, **how: Any) -> None:
        run(
            store, open_league(store, name, plan), plan, imagine(first_wins, **how), home=tmp_path / "home",
            on_event=lambda _: None,
        )  # fmt: skip

    carry_out("whole")
    for _ in range(100):
        try:
            carry_out("parts", meanwhile=crash)
            break
        except Crash:
            continue
    assert store.drawn("parts") == store.drawn("whole")
    assert store.scores("parts") == store.scores("whole")


def test_nobody_enters_or_leaves_a_match(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, entrants=2, kind="benchmark", format="match", rounds=4)
    league = open_league(store, "cup", plan)
    with pytest.raises(BadSettings, match="cup is a match of two; no agent can enter it"):
        roster.enter(store, league, entrant(tmp_path))
    with pytest.raises(BadSettings, match="cup is a match of two; no agent can leave it"):
        depart(store, league, "first_move", why="withdrawn", detail="")


def test_a_knockout_can_be_entered_until_it_has_begun(play: Callable[..., Any], store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, format="knockout")
    league = roster.enter(store, open_league(store, "cup", plan), entrant(tmp_path))
    summary, _ = play(plan, verdict=lambda first, second: "1-0" if first < second else "0-1")
    assert summary.done == 8
    with pytest.raises(BadSettings, match="the knockout cup has begun; no agent can enter it any more"):
        roster.enter(store, league, entrant(tmp_path, "later"))


def test_a_name_can_be_had_once_and_left_once(store: Store, tmp_path: Path) -> None:
    league = open_league(store, "cup", make_plan(tmp_path))
    with pytest.raises(BadEntrants, match="cup already has an entrant called 'first_move'"):
        roster.enter(store, league, entrant(tmp_path, "first_move"))
    league = depart(store, league, "first_move", why="withdrawn", detail="")
    with pytest.raises(BadEntrants, match="'first_move' has already left cup"):
        depart(store, league, "first_move", why="withdrawn", detail="")
    with pytest.raises(BadEntrants):
        roster.enter(store, league, entrant(tmp_path, "first_move"))


def test_who_was_never_there_cannot_leave(store: Store, tmp_path: Path) -> None:
    league = open_league(store, "cup", make_plan(tmp_path))
    with pytest.raises(BadEntrants, match="nobody"):
        depart(store, league, "nobody", why="withdrawn", detail="")
    assert store.known("cup") == league


def test_the_command_line_tells_who_comes_and_goes_while_it_runs(arena: Any, store: Store) -> None:
    words = ("league", "random", "first_move", "one_step_search", "--rounds", "15", "--turns", "12", "--name", "cup")
    process = arena.start(*words, stdout=subprocess.DEVNULL)
    while store.latest() is None or not store.keys("cup"):  # until the first game is over
        process.stderr.readline()
    assert arena("enter", "cup", "greedy").out == "greedy has entered cup\n"
    assert arena("withdraw", "cup", "one_step_search", "--because", DETAIL).code == 0
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert err.count("greedy has entered\n") == 1
    assert err.count(f"one_step_search was withdrawn ({DETAIL}); its games ") == 1
    records, awards = settled(store)
    assert {f"{number}:{pair}" for number in range(1, 16) for pair in ("1-4", "4-1", "2-4", "4-2")} <= records
    assert len(records | awards) == len(records) + len(awards)
    again = f"cup: {len(records | awards)} of {len(records | awards)} games were already stored\n"
    assert arena(*words).err.endswith(again)


def test_an_engine_of_the_file_needs_a_flag_when_a_league_goes_on(arena: Any, faulty: Path) -> None:
    words = ("league", "random", "first_move", "--turns", "2", "--name", "cup")
    assert arena(*words).code == 0
    engine = f'json:command="/usr/bin/python3 {faulty}/json_engine.py"'
    assert arena("enter", "cup", engine).code == 0
    refused = arena(*words)
    assert refused.code == 2
    assert "names the program of 'json_engine'" in refused.err
    assert refused.err.rstrip().endswith("add --trust-file")
    assert arena(*words, "--trust-file").code == 0


def test_a_file_does_not_decide_that_a_league_goes_on_without_the_sandbox(arena: Any) -> None:
    assert arena("league", "random", "first_move", "--turns", "2", "--name", "cup", "--trust-agents").code == 0
    assert arena("extend", "cup", "--rounds", "1").code == 0
    for words in (("league", "--name", "cup"), ("enter", "cup", "greedy")):
        refused = arena(*words)
        assert refused.code == 2
        assert refused.err.rstrip().endswith("agents play without the sandbox; if you trust the file, add --trust-file")
    assert arena("league", "--name", "cup", "--trust-file").code == 0
