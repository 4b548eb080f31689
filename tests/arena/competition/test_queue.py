"""Which game comes next: nothing twice, nothing left out, the same after every restart."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition import plan as planning
from arena.competition import roster
from arena.competition.league import open_league
from arena.competition.queue import PairingQueue, remaining
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all
from arena.errors import BadSettings
from arena.formats import round_robin as schedule
from arena.formats.round_robin import Pairing
from arena.referee.clock import Clock
from arena.referee.referee import Job, play
from arena.referee.scripted_player import ScriptedPlayer
from results.standings.bracket import MOST_EXTRA
from results.store.store import Store

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")
Result = Callable[[Pairing], str]


def better_wins(pairing: Pairing) -> str:
    return "1-0" if pairing.first < pairing.second else "0-1"


def dice(seed: int) -> Result:
    rng = random.Random(seed)
    return lambda _: rng.choice(["1-0", "0-1", "1/2-1/2"])


class Bench:
    """A stored league whose games are not played but decided."""

    def __init__(self, store: Store, job: Callable[..., Job], home: Path) -> None:
        self.store = store
        self._home = home
        self.job = job

    def open(self, form: str = "round-robin", *, entrants: int = 5, rounds: int | None = 1) -> None:
        found = resolve_all(["first_move"] * entrants, home=self._home)
        plan = planning.make_plan("league", found, Settings(turns=2, format=form, rounds=rounds))
        self.league = open_league(self.store, "cup", plan)
        self.draw = PairingQueue(self.store, self.league)
        players: Any = {"first": ScriptedPlayer(), "second": ScriptedPlayer()}
        self._record = play(self.job("microchess:turns=2", league="cup"), players, Clock(1.0))

    def decide(self, pairing: Pairing, result: str) -> None:
        first, second = (self.league.entrants[number - 1] for number in (pairing.first, pairing.second))
        record: Any = replace(self._record, key=pairing.key, first=first, second=second, result=result)
        self.store.add(record)
        self.draw.settle(pairing.key)

    def decide_all(self, result: Result, *, limit: int = 1000) -> list[Pairing]:
        """One game after the other; what was decided."""
        decided: list[Pairing] = []
        while len(decided) < limit and (pairing := self.draw.next(())) is not None:
            self.decide(pairing, result(pairing))
            decided.append(pairing)
        return decided

    def restart(self) -> None:
        """As if all but the file were lost."""
        self.league = self.store.known("cup")
        self.draw = PairingQueue(self.store, self.league)

    def enter(self, name: str) -> None:
        (entrant,) = resolve_all(["first_move"], home=self._home, names={0: name})
        self.league = roster.enter(self.store, self.league, entrant)
        self.draw.follow(self.league)

    def leave(self, number: int) -> None:
        name = self.league.entrants[number - 1].name
        self.league = roster.depart(self.store, self.league, name, why="withdrawn", detail="")
        self.draw.follow(self.league)

    def check(self) -> None:
        """Every pairing is a record or an award, never both; nothing is left."""
        keys = [record.key for record in self.store.records("cup")]
        awarded = [award.key for award in self.store.awards("cup")]
        assert len({*keys, *awarded}) == len(keys) + len(awarded)
        assert list(remaining(self.store, self.league)) == []
        assert self.draw.done == self.draw.total == len(keys) + len(awarded)
        if self.league.format in ("swiss", "knockout"):
            assert {pairing.key for pairing in self.store.drawn("cup")} == {*keys, *awarded}


@pytest.fixture
def bench(store: Store, job: Callable[..., Job], tmp_path: Path) -> Bench:
    return Bench(store, job, tmp_path / "home")


def meetings(pairings: list[Pairing], number: int) -> list[tuple[int, int]]:
    return sorted((pairing.first, pairing.second) for pairing in pairings if number in (pairing.first, pairing.second))


@pytest.mark.parametrize(("form", "games"), [("round-robin", 40), ("gauntlet", 16), ("swiss", 4), ("knockout", 16)])
def test_every_format_is_drawn_to_its_end(bench: Bench, form: str, games: int) -> None:
    bench.open(form, rounds=2)
    assert len(bench.decide_all(better_wins)) == games
    bench.check()


@pytest.mark.parametrize("form", FORMATS)
def test_a_restart_after_any_game_changes_no_pairing(bench: Bench, tmp_path: Path, form: str) -> None:
    bench.open(form, entrants=7, rounds=2)
    at_once = bench.decide_all(better_wins)
    with Store.open(tmp_path / "other.db", create=True) as store:
        other = Bench(store, bench.job, tmp_path / "home")
        other.open(form, entrants=7, rounds=2)
        bit_by_bit = []
        while one := other.decide_all(better_wins, limit=1):
            bit_by_bit += one
            other.restart()
        assert bit_by_bit == at_once
        other.check()


@pytest.mark.parametrize("form", FORMATS)
def test_a_restart_gives_what_was_under_way_again(bench: Bench, form: str) -> None:
    bench.open(form, entrants=6, rounds=1)
    bench.decide_all(better_wins, limit=1)
    given = [pairing for _ in range(2) if (pairing := bench.draw.next(())) is not None]
    bench.restart()
    assert [bench.draw.next(()) for _ in given] == given
    bench.restart()
    bench.decide_all(better_wins)
    bench.check()


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_given_twice_whatever_is_under_way(bench: Bench, form: str) -> None:
    rng, result = random.Random(3), dice(3)
    bench.open(form, entrants=8, rounds=3)
    busy: dict[str, Pairing] = {}
    given: list[str] = []
    while (pairing := bench.draw.next(busy.keys())) is not None or busy:
        if pairing is not None:
            given.append(pairing.key)
            busy[pairing.key] = pairing
        if pairing is None or len(busy) == 3:
            ended = busy.pop(rng.choice(sorted(busy)))
            bench.decide(ended, result(ended))
    assert len(set(given)) == len(given)
    bench.check()


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_a_round_is_drawn_when_all_games_before_it_are_over(bench: Bench, form: str) -> None:
    bench.open(form, entrants=4, rounds=2 if form == "swiss" else 1)
    busy: dict[str, Pairing] = {}
    while (pairing := bench.draw.next(busy.keys())) is not None:
        busy[pairing.key] = pairing
    assert {pairing.round for pairing in busy.values()} == {0}
    for key in sorted(busy):
        assert bench.draw.next(busy.keys()) is None
        bench.decide(busy[key], better_wins(busy.pop(key)))
    following = bench.draw.next(())
    assert following is not None
    assert following.round == 1


def test_a_match_is_played_by_both_or_not_at_all(store: Store, tmp_path: Path) -> None:
    found = resolve_all(["first_move", "random"], home=tmp_path)
    league = open_league(
        store, "cup", planning.make_plan("benchmark", found, Settings(turns=2, rounds=4, format="match"))
    )
    draw = PairingQueue(store, league)
    assert draw.total == 4
    assert [pairing.key for pairing in remaining(store, league)] == ["1:1-2", "2:2-1", "3:1-2", "4:2-1"]
    given = []
    while (pairing := draw.next(given)) is not None:
        given.append(pairing.key)
    assert given == ["1:1-2", "2:2-1", "3:1-2", "4:2-1"]


def test_who_enters_a_round_robin_meets_everybody_and_changes_no_other_game(bench: Bench) -> None:
    bench.open(entrants=4, rounds=2)
    before = bench.decide_all(better_wins, limit=11)
    bench.enter("late")
    assert bench.draw.total == 2 * 5 * 4
    played = before + bench.decide_all(better_wins)
    assert meetings(played, 5) == sorted([*((5, other) for other in range(1, 5)), *((n, 5) for n in range(1, 5))] * 2)
    others = {pairing for pairing in played if 5 not in (pairing.first, pairing.second)}
    assert others == set(schedule.round_robin(range(1, 5), rounds=2))
    bench.check()


def test_who_enters_a_gauntlet_meets_the_first_alone(bench: Bench) -> None:
    bench.open("gauntlet", entrants=3)
    bench.decide_all(better_wins, limit=3)
    bench.enter("late")
    assert meetings(bench.decide_all(better_wins), 4) == [(1, 4), (4, 1)]
    bench.check()


def test_a_gauntlet_without_its_first_is_over(bench: Bench) -> None:
    bench.open("gauntlet", entrants=4)
    bench.decide_all(better_wins, limit=4)
    bench.leave(1)
    assert bench.draw.next(()) is None
    assert len(bench.store.awards("cup")) == 2
    bench.check()


@pytest.mark.parametrize(("after", "stands"), [(0, False), (1, False), (3, True), (4, True)])
def test_games_of_who_leaves_a_round_robin_stand_from_half_of_them_on(bench: Bench, after: int, stands: bool) -> None:
    bench.open(entrants=4)
    own = 0
    while own < after:
        (pairing,) = bench.decide_all(better_wins, limit=1)
        own += 2 in (pairing.first, pairing.second)
    bench.leave(2)
    assert bench.league.departures["first_move#2"].stands is stands
    later = bench.decide_all(better_wins)
    assert all(2 not in (pairing.first, pairing.second) for pairing in later)
    awards = bench.store.awards("cup")
    assert len(awards) == (6 - after if stands else 0)
    assert all(award.entrant != "first_move#2" for award in awards)
    counted = sum(pair.games for pair in bench.store.pairs("cup") if "first_move#2" in (pair.first, pair.second))
    assert counted == (after if stands else 0)
    assert bench.league.active == [1, 3, 4]
    bench.check()


def test_a_swiss_league_gives_byes_as_points(bench: Bench) -> None:
    bench.open("swiss", entrants=5, rounds=3)
    assert len(bench.decide_all(better_wins)) == 6
    byes = bench.store.awards("cup")
    assert [(award.points, award.because) for award in byes] == [(1.0, "bye")] * 3
    assert len({award.entrant for award in byes}) == 3
    bench.check()


def test_who_enters_a_swiss_league_plays_from_the_next_round(bench: Bench) -> None:
    bench.open("swiss", entrants=5, rounds=3)
    bench.decide_all(better_wins, limit=1)
    bench.enter("late")
    later = bench.decide_all(better_wins)
    assert [pairing.round for pairing in later if 6 in (pairing.first, pairing.second)] == [1, 2]
    assert [award.because for award in bench.store.awards("cup")] == ["bye"]
    bench.check()


def test_who_leaves_a_swiss_league_gives_the_point_of_its_round_and_is_drawn_no_more(bench: Bench) -> None:
    bench.open("swiss", entrants=6, rounds=3)
    pairing = bench.draw.next(())
    assert pairing is not None
    bench.leave(pairing.first)
    (award,) = bench.store.awards("cup")
    assert (award.key, award.entrant) == (pairing.key, bench.league.entrants[pairing.second - 1].name)
    later = bench.decide_all(better_wins)
    assert all(pairing.first not in (one.first, one.second) for one in later)
    assert bench.league.departures[bench.league.entrants[pairing.first - 1].name].stands
    bench.check()


def test_a_game_under_way_replaces_the_award_that_was_given_for_it(bench: Bench) -> None:
    bench.open("swiss", entrants=6, rounds=3)
    pairing = bench.draw.next(())
    assert pairing is not None
    bench.leave(pairing.first)
    other = bench.draw.next({pairing.key})
    assert other is not None
    bench.decide(pairing, "1-0")
    bench.decide(other, "1-0")
    assert bench.store.awards("cup") == []
    bench.decide_all(better_wins)
    bench.check()
    assert bench.store.scores("cup")[pairing.key] == 1.0


def test_two_who_were_to_meet_and_both_leave_need_one_award(bench: Bench) -> None:
    bench.open("swiss", entrants=6, rounds=2)
    pairing = bench.draw.next(())
    assert pairing is not None
    bench.leave(pairing.first)
    bench.leave(pairing.second)
    assert len(bench.store.awards("cup")) == 1
    bench.decide_all(better_wins)
    bench.check()


@pytest.mark.parametrize("entrants", range(2, 10))
def test_a_knockout_ends_with_one_who_was_never_beaten(bench: Bench, entrants: int) -> None:
    bench.open("knockout", entrants=entrants)
    played = bench.decide_all(better_wins)
    assert len(played) == 2 * (entrants - 1)
    assert {played[-1].first, played[-1].second} == {1, 2}
    bench.check()


def test_level_ties_of_a_knockout_go_on_for_some_pairs_and_then_to_the_better_seed(bench: Bench) -> None:
    bench.open("knockout", entrants=4)
    played = bench.decide_all(lambda _: "1/2-1/2")
    assert len(played) == 3 * 2 * (1 + MOST_EXTRA)
    assert {played[-1].first, played[-1].second} == {1, 2}
    assert bench.draw.total == len(played)
    bench.check()


def test_who_leaves_a_knockout_loses_its_tie(bench: Bench) -> None:
    bench.open("knockout", entrants=4)
    bench.decide_all(better_wins, limit=1)
    bench.leave(1)
    later = bench.decide_all(better_wins)
    assert all(1 not in (pairing.first, pairing.second) for pairing in later)
    assert {later[-1].first, later[-1].second} == {2, 4}
    bench.check()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("seed", range(6))
def test_whoever_comes_and_goes_every_pairing_is_a_record_or_an_award(bench: Bench, form: str, seed: int) -> None:
    rng, result = random.Random(f"{form} {seed}"), dice(seed)
    bench.open(form, entrants=7, rounds=2)
    busy: dict[str, Pairing] = {}
    late = 0
    while (pairing := bench.draw.next(busy.keys())) is not None or busy:
        if pairing is not None:
            busy[pairing.key] = pairing
        chance = rng.random()
        if chance < 0.08 and form != "knockout" and late < 3:
            late += 1
            with suppress(BadSettings):  # the last round of a Swiss is drawn
                bench.enter(f"late {late}")
        elif chance < 0.16 and len(bench.league.active) > 3:
            bench.leave(rng.choice(bench.league.active))
        elif chance < 0.2:
            bench.restart()
        elif chance < 0.25:
            busy.clear()  # a crash: what was under way is lost
            bench.restart()
        while busy and (pairing is None or len(busy) > 2):
            ended = busy.pop(rng.choice(sorted(busy)))
            bench.decide(ended, result(ended))
            pairing = ended
    bench.check()
