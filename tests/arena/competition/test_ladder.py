"""Ladders and adaptive leagues: drawn by ratings, without end or until the order is settled. Games are imagined."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.competition import plan as planning
from arena.competition import roster
from arena.competition.events import Event, Notice, Summary
from arena.competition.league import MOST_SUSPENDED, MOST_VOIDS, depart, run
from arena.competition.listing import listed_league
from arena.competition.plan import open_league
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all, with_names
from arena.errors import BadSettings
from arena.formats.ladder import PLACEMENT_GAMES
from results.league import League
from results.pairing import PairCount
from results.standings.table import table
from results.store.store import Store

NAMES = "abcdefgh"


def earlier_is_better(first: str, second: str) -> str:
    return "1-0" if first < second else "0-1"


class Ladder:
    """A stored ladder or adaptive league whose games are imagined."""

    def __init__(self, store: Store, home: Path, imagine: Any) -> None:
        self.store, self._home, self._imagine = store, home, imagine
        self.told: list[Event] = []

    def open(self, entrants: int = 4, **options: Any) -> None:
        names = dict(enumerate(NAMES[:entrants]))
        found = resolve_all(["first_move"] * entrants, home=self._home, names=names)
        settings = Settings(**{"format": "ladder", "turns": 2, "seed": "1"} | options)
        self.plan = planning.make_plan("league", found, settings)
        open_league(self.store, "cup", self.plan)

    @property
    def league(self) -> League:
        return self.store.known("cup")

    def play(
        self, games: int | None = None, verdict: Callable[[str, str], str] = earlier_is_better, **how: Any
    ) -> Summary:
        """Go on with nothing but the results file, for so many games."""
        executor = self._imagine(verdict, **how)
        return run(
            self.store, self.league, self.plan, executor, home=self._home, on_event=self.told.append,
            is_over=lambda: games is not None and len(executor.taken) >= games,
        )  # fmt: skip

    def enter(self, name: str) -> None:
        (entrant,) = with_names(resolve_all(["first_move"], home=self._home), names={0: name})
        roster.enter(self.store, self.league, entrant)

    def games(self, *, after: int = 0) -> Counter[str]:
        """How many games each entrant has played since a record."""
        records = [record for record in self.store.records("cup") if (record.id or 0) > after]
        return Counter(name for record in records for name in (record.first.name, record.second.name))

    def played(self) -> list[str]:
        return [record.key for record in self.store.records("cup")]


@pytest.fixture
def ladder(store: Store, tmp_path: Path, imagine: Any) -> Ladder:
    return Ladder(store, tmp_path / "home", imagine)


def test_a_ladder_has_no_end_of_its_own(ladder: Ladder) -> None:
    ladder.open()
    summary = ladder.play(150)
    assert (summary.total, summary.done) == (None, 150)
    assert ladder.play(50).done == 200
    assert listed_league(ladder.store, ladder.league).total is None
    assert listed_league(ladder.store, ladder.league).state == "stopped"


@pytest.mark.parametrize("limit", [20, 23])
def test_a_ladder_with_a_limit_ends_at_it(ladder: Ladder, limit: int) -> None:
    ladder.open(games=limit)
    assert ladder.play(hands=3).total == ladder.play().done == len(ladder.played()) == limit
    assert listed_league(ladder.store, ladder.league).state == "finished"


def test_every_opening_is_played_with_both_seats(ladder: Ladder) -> None:
    ladder.open(6)
    ladder.play(100)
    seats = Counter((key.partition(":")[0], *sorted(key.partition(":")[2].split("-"))) for key in ladder.played())
    assert Counter(seats.values())[2] >= 49
    assert set(seats.values()) <= {1, 2}  # the last one may be on its way


def test_a_ladder_goes_on_from_its_file_alone_always_in_the_same_way(
    ladder: Ladder, tmp_path: Path, imagine: Any
) -> None:
    ladder.open(5)
    ladder.play(37)
    with closing(sqlite3.connect(ladder.store.path)) as source, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        source.backup(copy)
    ladder.play(40)
    with Store.open(tmp_path / "copy.db", create=False) as store:
        other = Ladder(store, tmp_path / "home", imagine)
        other.plan = ladder.plan
        other.play(40)
        assert other.played() == ladder.played()


def test_running_games_that_are_lost_are_played_again_and_none_twice(ladder: Ladder) -> None:
    ladder.open(6, games=120)
    lost = random.Random(1)
    while (
        ladder.play(10, lambda *names: "lost" if lost.random() < 0.1 else earlier_is_better(*names), hands=3).done < 120
    ):
        pass
    assert len(set(ladder.played())) == len(ladder.played()) == 120
    assert ladder.store.unplayed("cup") == []


def test_a_newcomer_plays_more_often_until_it_is_placed(ladder: Ladder) -> None:
    ladder.open(8)
    ladder.play(200)
    ladder.enter("late")
    ladder.play(60)
    games = ladder.games(after=200)
    assert games["late"] >= PLACEMENT_GAMES
    assert games["late"] > 1.5 * max(games[name] for name in NAMES)


def test_who_leaves_is_drawn_no_more_and_its_games_still_count_without_points_for_others(ladder: Ladder) -> None:
    ladder.open(4)
    ladder.play(30)
    before = ladder.games()["b"]
    depart(ladder.store, ladder.league, "b", why="withdrawn", detail="")
    ladder.play(30)
    assert ladder.games()["b"] == before
    assert ladder.store.awards("cup") == []
    (row,) = [row for row in table(ladder.store, ladder.league).rows if row.agent == "b"]
    assert (row.games, row.status, row.rank) == (before, "withdrawn", 4)
    assert ladder.league.departures["b"].stands


def test_with_one_entrant_left_a_ladder_ends(ladder: Ladder) -> None:
    ladder.open(2)
    ladder.play(10)
    depart(ladder.store, ladder.league, "b", why="withdrawn", detail="")
    assert ladder.play().done == 10


def test_until_settled_a_ladder_plays_until_the_order_is_certain_and_is_finished(ladder: Ladder) -> None:
    ladder.open(4, until="settled")
    summary = ladder.play()
    assert summary.total == summary.done
    assert [row.agent for row in table(ladder.store, ladder.league).rows] == list("abcd")
    assert listed_league(ladder.store, ladder.league).state == "finished"
    ladder.enter("late")
    assert ladder.play().done > summary.done


def test_most_games_until_settled_are_between_those_whose_order_is_open(ladder: Ladder) -> None:
    def close_leaders(first: str, second: str) -> str:
        return "1/2-1/2" if {first, second} <= {"a", "b"} else earlier_is_better(first, second)

    ladder.open(6, until="settled")
    ladder.play(400, close_leaders)
    pairs = ladder.store.pairs("cup")
    games = Counter[frozenset[str]]()
    for pair in pairs:
        games[frozenset((pair.first, pair.second))] += pair.games
    assert max(games, key=lambda pair: games[pair]) == frozenset("ab")


def test_an_adaptive_league_is_at_most_a_round_robin(ladder: Ladder) -> None:
    ladder.open(5, format="adaptive", rounds=3)
    summary = ladder.play(verdict=lambda *_: "1/2-1/2")
    assert (summary.done, summary.total) == (60, 60)


def test_an_adaptive_league_ends_early_if_its_order_is_settled(ladder: Ladder) -> None:
    ladder.open(4, format="adaptive", rounds=100)
    summary = ladder.play()
    assert summary.done == summary.total
    assert summary.done < 400
    assert listed_league(ladder.store, ladder.league).state == "finished"


def test_a_broken_machine_does_not_play_for_ever(ladder: Ladder) -> None:
    ladder.open(8)
    summary = ladder.play(verdict=lambda *_: "lost")
    assert MOST_SUSPENDED <= len(summary.suspended) < 2 * MOST_SUSPENDED  # failed ones come again
    assert len(ladder.store.voids("cup")) == MOST_VOIDS * len(summary.suspended)


def test_the_table_of_a_ladder_is_that_of_all_its_games_counted_again(ladder: Ladder) -> None:
    ladder.open(6)
    dice = random.Random(2)
    ladder.play(200, lambda *_: dice.choice(["1-0", "0-1", "1/2-1/2"]), hands=2)
    counts: dict[tuple[str, str], list[int]] = {}
    for record in ladder.store.records("cup"):
        found = counts.setdefault((record.first.name, record.second.name), [0, 0, 0])
        found[["1-0", "1/2-1/2", "0-1"].index(record.result)] += 1
    assert ladder.store.pairs("cup") == [
        PairCount(first=first, second=second, games=sum(found), wins=found[0], draws=found[1], losses=found[2])
        for (first, second), found in sorted(counts.items())
    ]
    rows = table(ladder.store, ladder.league).rows
    assert [row.elo for row in rows] == sorted((row.elo for row in rows if row.elo is not None), reverse=True)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]


def test_excluded_games_move_no_rating(ladder: Ladder) -> None:
    ladder.open(3)
    ladder.play(10)
    ladder.store.exclude(4, because="power cut")
    assert len(list(ladder.store.rated_games("cup"))) == 9


def test_the_limit_of_a_ladder_can_be_raised_while_it_runs(ladder: Ladder) -> None:
    ladder.open(4, games=20)
    organiser = Store.open(ladder.store.path, create=False)

    def extend(ended: int) -> None:
        if ended == 10:
            roster.extend(organiser, organiser.known("cup"), games=15)

    with organiser:
        assert ladder.play(meanwhile=extend).done == 35
    assert Notice("cup ends after 35 games now") in ladder.told


@pytest.mark.parametrize(
    ("options", "added", "words"),
    [
        ({"games": 20}, {"rounds": 1}, "cup is a ladder, which has no rounds; give --games"),
        ({}, {"games": 10}, "cup is a ladder without a limit of games, so there is nothing to extend"),
    ],
)
def test_what_cannot_be_extended_is_one_clear_line(
    ladder: Ladder, options: dict[str, Any], added: dict[str, int], words: str
) -> None:
    ladder.open(**options)
    with pytest.raises(BadSettings, match=words):
        roster.extend(ladder.store, ladder.league, **added)


def test_limits_are_refused_in_other_leagues(ladder: Ladder) -> None:
    with pytest.raises(BadSettings, match="games and until are settings of a ladder"):
        ladder.open(format="swiss", games=10)
