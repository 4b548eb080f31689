"""An agent that faults too often is suspended; games that we cannot play count against nobody."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.competition import plan as planning
from arena.competition import roster
from arena.competition.events import Event, Notice, Summary
from arena.competition.league import MOST_VOIDS, SUSPEND_GAMES, depart, run
from arena.competition.plan import Plan, open_league
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all
from results.standings.table import rows
from results.store.store import Store

Play = Callable[..., tuple[Summary, list[Event]]]


def make_plan(tmp_path: Path, *, entrants: int = 4, rounds: int = 2, suspend_after: float | None = 0.1) -> Plan:
    found = resolve_all(["first_move"] * (entrants - 1), home=tmp_path / "home")
    found = (*resolve_all(["random"], home=tmp_path / "home", names={0: "culprit"}), *found)
    settings = Settings(turns=2, rounds=rounds, suspend_after=suspend_after)
    return planning.make_plan("league", found, settings)


def culprit_faults(first: str, second: str) -> str:
    return "first" if first == "culprit" else "second" if second == "culprit" else "1-0"


class Faults:
    """The culprit faults in these of its games, counted from 1."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers
        self._games = 0

    def __call__(self, first: str, second: str) -> str:
        self._games += "culprit" in (first, second)
        faults = "culprit" in (first, second) and self._games in self._numbers
        return culprit_faults(first, second) if faults else "1-0"


@pytest.fixture
def play(store: Store, tmp_path: Path, imagine: Any) -> Play:
    """Run the league of imagined games."""

    def carry_out(plan: Plan, verdict: Callable[[str, str], str] = culprit_faults, **how: Any) -> Any:
        told: list[Event] = []
        executor = imagine(verdict, **how)
        summary = run(
            store, open_league(store, "cup", plan), plan, executor, home=tmp_path / "home", on_event=told.append
        )
        return summary, told

    return carry_out


def notices(told: list[Event]) -> list[str]:
    return [event.text for event in told if isinstance(event, Notice)]


def games_of_the_culprit(store: Store) -> int:
    return sum("culprit" in (record.first.name, record.second.name) for record in store.records("cup"))


def test_nobody_is_suspended_before_the_tenth_game(play: Play, store: Store, tmp_path: Path) -> None:
    _, told = play(make_plan(tmp_path))
    assert games_of_the_culprit(store) == SUSPEND_GAMES == 10
    assert notices(told) == ["culprit was suspended (10 faults in 10 games); its games still count"]
    departure = store.known("cup").departures["culprit"]
    assert (departure.why, departure.detail, departure.stands) == ("suspended", "10 faults in 10 games", True)


def test_games_of_who_is_suspended_late_stand_and_the_rest_is_awarded(play: Play, store: Store, tmp_path: Path) -> None:
    summary, _ = play(make_plan(tmp_path))
    awards = store.awards("cup")
    assert len(awards) == 2
    assert {award.because for award in awards} == {"culprit was suspended"}
    assert (summary.done, summary.total) == (24, 24)
    table = {row.agent: row for row in rows(store, store.known("cup"), store.pairs("cup"))}
    assert (table["culprit"].points, table["culprit"].faults, table["culprit"].status) == (0.0, 10, "suspended")
    # Each of the others has four points of the culprit's, and half of its eight games with the others.
    assert [table[name].points for name in table if name != "culprit"] == [8.0] * 3


def test_games_of_who_is_suspended_early_count_for_nobody(play: Play, store: Store, tmp_path: Path) -> None:
    summary, told = play(make_plan(tmp_path, rounds=5))
    assert games_of_the_culprit(store) == 10
    assert notices(told) == ["culprit was suspended (10 faults in 10 games); its games do not count"]
    assert store.awards("cup") == []
    assert summary.done == summary.total == 10 + 3 * 2 * 5
    table = rows(store, store.known("cup"), store.pairs("cup"))
    assert [(row.agent, row.points, row.games) for row in table] == [
        ("first_move", 10.0, 20), ("first_move#2", 10.0, 20), ("first_move#3", 10.0, 20), ("culprit", 0.0, 0),
    ]  # fmt: skip


def test_with_many_hands_games_under_way_are_stored_too(play: Play, store: Store, tmp_path: Path) -> None:
    summary, told = play(make_plan(tmp_path), hands=3, seed=4)
    assert len(notices(told)) == 1
    played, awards = games_of_the_culprit(store), store.awards("cup")
    assert played >= 10
    assert played + len(awards) == 12
    assert (summary.done, summary.total) == (24, 24)
    assert not {award.key for award in awards} & {record.key for record in store.records("cup")}


@pytest.mark.parametrize(
    ("faults", "share", "suspended"),
    [
        ((1,), 0.1, False),
        ((1, 2), 0.1, True),  # too few games then, but not at the tenth
        ((1, 11), 0.1, True),
        ((1, 20), 0.1, False),
        ((1, 2, 3, 12), 0.5, False),
        ((1, 2, 3, 12), 0.25, True),
        ((10,), 0.0, True),
        (tuple(range(1, 25)), 1.0, False),
        (tuple(range(1, 25)), None, False),
    ],
)
def test_more_faults_than_the_share_of_its_games_are_too_many(
    play: Play, store: Store, tmp_path: Path, faults: tuple[int, ...], share: float | None, suspended: bool
) -> None:
    plan = make_plan(tmp_path, rounds=4, suspend_after=share)
    summary, _ = play(plan, Faults(*faults))
    assert store.known("cup").departures.keys() == ({"culprit"} if suspended else set())
    assert summary.done == summary.total


def test_faults_are_remembered_when_a_league_goes_on(play: Play, store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path)

    def stop(ended: int) -> None:
        if games_of_the_culprit(store) == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(plan, meanwhile=stop)
    assert store.known("cup").departures == {}
    play(plan)
    assert store.known("cup").departures["culprit"].detail == "10 faults in 10 games"
    again, told = play(plan)
    assert (again.done, told) == (24, [])


def test_who_is_withdrawn_at_the_same_moment_is_not_suspended_too(play: Play, store: Store, tmp_path: Path) -> None:
    def faults(first: str, second: str) -> str:
        if "culprit" in (first, second) and games_of_the_culprit(store) == 9 and not store.known("cup").departures:
            with Store.open(tmp_path / "arena.db", create=False) as other:
                depart(other, other.known("cup"), "culprit", why="withdrawn", detail="asked for")
        return culprit_faults(first, second)

    _, told = play(make_plan(tmp_path), faults)
    assert notices(told) == ["culprit was withdrawn (asked for); its games still count"]
    assert store.known("cup").departures["culprit"].why == "withdrawn"


def test_who_enters_at_the_moment_of_a_suspension_is_given_nothing(play: Play, store: Store, tmp_path: Path) -> None:
    def faults(first: str, second: str) -> str:
        if "culprit" in (first, second) and games_of_the_culprit(store) == 9 and len(store.known("cup").entrants) == 4:
            (late,) = resolve_all(["first_move"], home=tmp_path / "home", names={0: "late"})
            with Store.open(tmp_path / "arena.db", create=False) as other:
                roster.enter(other, other.known("cup"), late)
        return culprit_faults(first, second)

    summary, told = play(make_plan(tmp_path), faults)
    assert notices(told) == ["late has entered", "culprit was suspended (10 faults in 10 games); its games still count"]
    assert [award for award in store.awards("cup") if award.entrant == "late"] == []
    assert (summary.done, summary.total) == (36, 36)


def test_a_pairing_that_nobody_can_play_is_no_fault_of_its_players(play: Play, store: Store, tmp_path: Path) -> None:
    def dies(first: str, second: str) -> str:
        return "lost" if (first, second) == ("culprit", "first_move") else "1-0"

    summary, told = play(make_plan(tmp_path), dies, hands=2)
    assert summary.suspended == ("culprit against first_move",) * 2
    assert (summary.done, summary.total) == (22, 24)
    assert len(store.voids("cup")) == 2 * MOST_VOIDS
    assert store.known("cup").departures == {}
    assert notices(told) == []


def test_a_pairing_that_failed_is_tried_again_by_the_same_command(play: Play, store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, entrants=2, rounds=1)
    summary, _ = play(plan, lambda first, second: "lost" if first == "culprit" else "1-0")
    assert summary.suspended == ("culprit against first_move",)
    summary, _ = play(plan, lambda first, second: "1-0")
    assert (summary.done, summary.suspended) == (2, ())


@pytest.mark.parametrize(("form", "rounds"), [("swiss", 2), ("knockout", 1)])
def test_a_round_that_waits_for_a_pairing_that_fails_goes_on_when_one_of_the_two_leaves(
    store: Store, tmp_path: Path, imagine: Any, form: Any, rounds: int
) -> None:
    found = resolve_all(["first_move"] * 4, home=tmp_path / "home")
    plan = planning.make_plan("league", found, Settings(turns=2, format=form, rounds=rounds))
    deaths: Counter[tuple[str, str]] = Counter()

    def dies(first: str, second: str) -> str:
        if "first_move#4" not in (first, second):
            return "1-0" if first < second else "0-1"
        deaths[first, second] += 1
        if deaths[first, second] == MOST_VOIDS and not store.known("cup").departures:
            with Store.open(tmp_path / "arena.db", create=False) as other:
                depart(other, other.known("cup"), "first_move#4", why="withdrawn", detail="")
        return "lost"

    executor = imagine(dies, hands=2)
    summary = run(
        store, open_league(store, "cup", plan), plan, executor, home=tmp_path / "home", on_event=lambda _: None
    )
    assert max(deaths.values()) == MOST_VOIDS
    assert summary.suspended == ()
    assert summary.done == summary.total
    assert {pairing.round for pairing in store.drawn("cup")} == {0, 1}
