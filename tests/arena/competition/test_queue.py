"""The pairings of a league: each is given out once, none is left out, and a restart changes nothing."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition import plan as planning
from arena.competition import roster
from arena.competition.league import PairingQueue, depart, pairing_queue, remaining
from arena.competition.plan import open_league
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all, with_names
from arena.errors import BadSettings
from arena.formats import FORMATS, schedule
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from results.pairing import Pairing
from results.standings.bracket import MOST_EXTRA
from results.store.store import Store

Result = Callable[[Pairing], str]


def better_wins(pairing: Pairing) -> str:
    return "1-0" if pairing.first < pairing.second else "0-1"


def random_results(seed: int) -> Result:
    rng = random.Random(seed)
    return lambda _: rng.choice(["1-0", "0-1", "1/2-1/2"])


class StoredLeague:
    """A stored league whose games are not played: the test chooses the results."""

    def __init__(self, store: Store, job: Callable[..., Job], home: Path) -> None:
        self.store = store
        self._home = home
        self.job = job

    def open(self, form: str = "round-robin", *, entrants: int = 5, rounds: int | None = 1) -> None:
        found = resolve_all(["first_move"] * entrants, home=self._home)
        plan = planning.make_plan("league", found, Settings(turns=2, format=form, rounds=rounds, seed="1"))
        self.league = open_league(self.store, "cup", plan)
        self.queue = pairing_queue(self.store, self.league)
        players: Any = {"first": ScriptedPlayer(), "second": ScriptedPlayer()}
        self._record = play(self.job("microchess:turns=2", league="cup"), players, Clock(1.0))

    def decide(self, pairing: Pairing, result: str) -> None:
        first, second = (self.league.entrants[number - 1] for number in (pairing.first, pairing.second))
        record: Any = replace(self._record, key=pairing.key, first=first, second=second, result=result)
        self.queue.settle(self.store.add(record))

    def decide_all(self, result: Result, *, limit: int = 1000) -> list[Pairing]:
        """Decide one game after the other; the pairings that were decided."""
        decided: list[Pairing] = []
        while len(decided) < limit and (pairing := self.queue.next(())) is not None:
            self.decide(pairing, result(pairing))
            decided.append(pairing)
        return decided

    def restart(self) -> None:
        """Continue with nothing but the results file."""
        self.league = self.store.known("cup")
        self.queue = pairing_queue(self.store, self.league)

    def enter(self, name: str) -> None:
        (entrant,) = with_names(resolve_all(["first_move"], home=self._home), names={0: name})
        self.league = roster.enter(self.store, self.league, entrant)
        self.queue.follow(self.league)

    def leave(self, number: int) -> None:
        name = self.league.entrants[number - 1].name
        self.league = depart(self.store, self.league, name, why="withdrawn", detail="")
        self.queue.follow(self.league)

    def check(self) -> None:
        """Every pairing is a record or an award, never both; nothing is left."""
        keys = [record.key for record in self.store.records("cup")]
        awarded = [award.key for award in self.store.awards("cup")]
        assert len({*keys, *awarded}) == len(keys) + len(awarded)
        assert list(remaining(self.store, self.league)) == []
        assert self.queue.done == self.queue.total == len(keys) + len(awarded)
        if self.league.format in ("swiss", "knockout"):
            assert {pairing.key for pairing in self.store.drawn("cup")} == {*keys, *awarded}


@pytest.fixture
def league(store: Store, job: Callable[..., Job], tmp_path: Path) -> StoredLeague:
    return StoredLeague(store, job, tmp_path / "home")


def meetings(pairings: list[Pairing], number: int) -> list[tuple[int, int]]:
    return sorted((pairing.first, pairing.second) for pairing in pairings if number in (pairing.first, pairing.second))


@pytest.mark.parametrize(("form", "games"), [("round-robin", 40), ("gauntlet", 16), ("swiss", 4), ("knockout", 16)])
def test_every_format_can_be_played_to_its_end(league: StoredLeague, form: str, games: int) -> None:
    league.open(form, rounds=2)
    assert len(league.decide_all(better_wins)) == games
    league.check()


@pytest.mark.parametrize("form", FORMATS)
def test_a_restart_after_any_game_changes_no_pairing(league: StoredLeague, tmp_path: Path, form: str) -> None:
    league.open(form, entrants=7, rounds=2)
    at_once = league.decide_all(better_wins)
    with Store.open(tmp_path / "other.db", create=True) as store:
        other = StoredLeague(store, league.job, tmp_path / "home")
        other.open(form, entrants=7, rounds=2)
        bit_by_bit = []
        while one := other.decide_all(better_wins, limit=1):
            bit_by_bit += one
            other.restart()
        assert bit_by_bit == at_once
        other.check()


@pytest.mark.parametrize("form", FORMATS)
def test_a_restart_gives_out_running_games_again(league: StoredLeague, form: str) -> None:
    league.open(form, entrants=6, rounds=1)
    league.decide_all(better_wins, limit=1)
    given = [pairing for _ in range(2) if (pairing := league.queue.next(())) is not None]
    league.restart()
    assert [league.queue.next(()) for _ in given] == given
    league.restart()
    league.decide_all(better_wins)
    league.check()


@pytest.mark.parametrize("form", FORMATS)
def test_no_pairing_is_given_out_twice_while_games_run(league: StoredLeague, form: str) -> None:
    rng, result = random.Random(3), random_results(3)
    league.open(form, entrants=8, rounds=3)
    busy: dict[str, Pairing] = {}
    given: list[str] = []
    while (pairing := league.queue.next(busy.keys())) is not None or busy:
        if pairing is not None:
            given.append(pairing.key)
            busy[pairing.key] = pairing
        if pairing is None or len(busy) == 3:
            ended = busy.pop(rng.choice(sorted(busy)))
            league.decide(ended, result(ended))
    assert len(set(given)) == len(given)
    league.check()


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_a_round_is_drawn_when_all_games_before_it_are_over(league: StoredLeague, form: str) -> None:
    league.open(form, entrants=4, rounds=2 if form == "swiss" else 1)
    busy: dict[str, Pairing] = {}
    while (pairing := league.queue.next(busy.keys())) is not None:
        busy[pairing.key] = pairing
    assert {pairing.round for pairing in busy.values()} == {0}
    for key in sorted(busy):
        assert league.queue.next(busy.keys()) is None
        league.decide(busy[key], better_wins(busy.pop(key)))
    following = league.queue.next(())
    assert following is not None
    assert following.round == 1


def test_a_match_gives_out_its_games_in_order(store: Store, tmp_path: Path) -> None:
    found = resolve_all(["first_move", "random"], home=tmp_path)
    settings = Settings(turns=2, format="match", rounds=4)
    league = open_league(store, "cup", planning.make_plan("benchmark", found, settings))
    queue = PairingQueue(store, league)
    assert queue.total == 4
    assert [pairing.key for pairing in remaining(store, league)] == ["1:1-2", "2:2-1", "3:1-2", "4:2-1"]
    given = []
    while (pairing := queue.next(given)) is not None:
        given.append(pairing.key)
    assert given == ["1:1-2", "2:2-1", "3:1-2", "4:2-1"]


def test_an_entrant_that_enters_a_round_robin_meets_everyone_and_changes_no_other_game(league: StoredLeague) -> None:
    league.open(entrants=4, rounds=2)
    before = league.decide_all(better_wins, limit=11)
    league.enter("late")
    assert league.queue.total == 2 * 5 * 4
    played = before + league.decide_all(better_wins)
    assert meetings(played, 5) == sorted([*((5, other) for other in range(1, 5)), *((n, 5) for n in range(1, 5))] * 2)
    others = {pairing for pairing in played if 5 not in (pairing.first, pairing.second)}
    assert others == set(schedule.round_robin(range(1, 5), rounds=2))
    league.check()


def test_an_entrant_that_enters_a_gauntlet_meets_only_entrant_1(league: StoredLeague) -> None:
    league.open("gauntlet", entrants=3)
    league.decide_all(better_wins, limit=3)
    league.enter("late")
    assert meetings(league.decide_all(better_wins), 4) == [(1, 4), (4, 1)]
    league.check()


def test_a_gauntlet_ends_when_entrant_1_leaves(league: StoredLeague) -> None:
    league.open("gauntlet", entrants=4)
    league.decide_all(better_wins, limit=4)
    league.leave(1)
    assert league.queue.next(()) is None
    assert len(league.store.awards("cup")) == 2
    league.check()


@pytest.mark.parametrize(("after", "stands"), [(0, False), (1, False), (3, True), (4, True)])
def test_games_of_an_entrant_that_leaves_count_if_it_has_played_half_of_them(
    league: StoredLeague, after: int, stands: bool
) -> None:
    league.open(entrants=4)
    own = 0
    while own < after:
        (pairing,) = league.decide_all(better_wins, limit=1)
        own += 2 in (pairing.first, pairing.second)
    league.leave(2)
    assert league.league.departures["first_move#2"].stands is stands
    later = league.decide_all(better_wins)
    assert all(2 not in (pairing.first, pairing.second) for pairing in later)
    awards = league.store.awards("cup")
    assert len(awards) == (6 - after if stands else 0)
    assert all(award.entrant != "first_move#2" for award in awards)
    counted = sum(pair.games for pair in league.store.pairs("cup") if "first_move#2" in (pair.first, pair.second))
    assert counted == (after if stands else 0)
    assert league.league.active == [1, 3, 4]
    league.check()


def test_a_swiss_league_awards_a_point_for_a_bye(league: StoredLeague) -> None:
    league.open("swiss", entrants=5, rounds=3)
    assert len(league.decide_all(better_wins)) == 6
    byes = league.store.awards("cup")
    assert [(award.points, award.because) for award in byes] == [(1.0, "bye")] * 3
    assert len({award.entrant for award in byes}) == 3
    league.check()


def test_an_entrant_that_enters_a_swiss_league_plays_from_the_next_round_on(league: StoredLeague) -> None:
    league.open("swiss", entrants=5, rounds=3)
    league.decide_all(better_wins, limit=1)
    league.enter("late")
    later = league.decide_all(better_wins)
    assert [pairing.round for pairing in later if 6 in (pairing.first, pairing.second)] == [1, 2]
    assert [award.because for award in league.store.awards("cup")] == ["bye"]
    league.check()


def test_an_entrant_that_leaves_a_swiss_league_loses_its_point_of_the_round_and_is_not_drawn_again(
    league: StoredLeague,
) -> None:
    league.open("swiss", entrants=6, rounds=3)
    pairing = league.queue.next(())
    assert pairing is not None
    league.leave(pairing.first)
    (award,) = league.store.awards("cup")
    assert (award.key, award.entrant) == (pairing.key, league.league.entrants[pairing.second - 1].name)
    later = league.decide_all(better_wins)
    assert all(pairing.first not in (one.first, one.second) for one in later)
    assert league.league.departures[league.league.entrants[pairing.first - 1].name].stands
    league.check()


def test_a_game_that_was_running_replaces_the_award_for_it(league: StoredLeague) -> None:
    league.open("swiss", entrants=6, rounds=3)
    pairing = league.queue.next(())
    assert pairing is not None
    league.leave(pairing.first)
    other = league.queue.next({pairing.key})
    assert other is not None
    league.decide(pairing, "1-0")
    league.decide(other, "1-0")
    assert league.store.awards("cup") == []
    league.decide_all(better_wins)
    league.check()
    assert league.store.scores("cup")[pairing.key] == 1.0


def test_a_pairing_whose_two_entrants_both_leave_gets_one_award(league: StoredLeague) -> None:
    league.open("swiss", entrants=6, rounds=2)
    pairing = league.queue.next(())
    assert pairing is not None
    league.leave(pairing.first)
    league.leave(pairing.second)
    assert len(league.store.awards("cup")) == 1
    league.decide_all(better_wins)
    league.check()


@pytest.mark.parametrize("entrants", range(2, 10))
def test_the_best_two_seeds_play_the_final_if_the_better_always_wins(league: StoredLeague, entrants: int) -> None:
    league.open("knockout", entrants=entrants)
    played = league.decide_all(better_wins)
    assert len(played) == 2 * (entrants - 1)
    assert {played[-1].first, played[-1].second} == {1, 2}
    league.check()


def test_the_better_seed_wins_a_tie_that_is_level_after_all_extra_pairs(league: StoredLeague) -> None:
    league.open("knockout", entrants=4)
    played = league.decide_all(lambda _: "1/2-1/2")
    assert len(played) == 3 * 2 * (1 + MOST_EXTRA)
    assert {played[-1].first, played[-1].second} == {1, 2}
    assert league.queue.total == len(played)
    league.check()


def test_an_entrant_that_leaves_a_knockout_loses_its_tie(league: StoredLeague) -> None:
    league.open("knockout", entrants=4)
    league.decide_all(better_wins, limit=1)
    league.leave(1)
    later = league.decide_all(better_wins)
    assert all(1 not in (pairing.first, pairing.second) for pairing in later)
    assert {later[-1].first, later[-1].second} == {2, 4}
    league.check()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("seed", range(6))
def test_every_pairing_becomes_a_record_or_an_award_whoever_enters_and_leaves(
    league: StoredLeague, form: str, seed: int
) -> None:
    rng, result = random.Random(f"{form} {seed}"), random_results(seed)
    league.open(form, entrants=7, rounds=2)
    busy: dict[str, Pairing] = {}
    late = 0
    while (pairing := league.queue.next(busy.keys())) is not None or busy:
        if pairing is not None:
            busy[pairing.key] = pairing
        chance = rng.random()
        if chance < 0.08 and form != "knockout" and late < 3:
            late += 1
            with suppress(BadSettings):  # the last round of a Swiss is drawn
                league.enter(f"late {late}")
        elif chance < 0.16 and len(league.league.active) > 3:
            league.leave(rng.choice(league.league.active))
        elif chance < 0.2:
            league.restart()
        elif chance < 0.25:
            busy.clear()  # a crash: running games are lost
            league.restart()
        while busy and (pairing is None or len(busy) > 2):
            ended = busy.pop(rng.choice(sorted(busy)))
            league.decide(ended, result(ended))
            pairing = ended
    league.check()
