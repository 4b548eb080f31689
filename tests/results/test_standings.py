"""Standings, worked out by hand and by brute force."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from results.pairing import PairCount
from results.record import FaultRecord
from results.standings.table import crosstable, standings

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


def pairs_of(games):
    """Count games given as lines "first second result"."""
    counts = {}
    for first, second, result in map(str.split, games):
        counts.setdefault((first, second), Counter())[result] += 1
    return [
        PairCount(
            first=first,
            second=second,
            games=count.total(),
            wins=count["1-0"],
            draws=count["1/2-1/2"],
            losses=count["0-1"],
        )
        for (first, second), count in counts.items()
    ]


def test_direct_encounter_goes_before_sonneborn_berger(ranking, column):
    # ada  2    beat bob and dan, lost to cyd      direct 1   SB bob 2 + dan 0 = 2
    # bob  2    beat cyd and eve, lost to ada      direct 0   SB cyd 1.5 + eve 1 = 2.5
    # cyd  1.5  beat ada, drew fay, lost to bob               SB ada 2 + fay 0.5/2 = 2.25
    # eve  1    beat fay, lost to bob                         SB fay 0.5
    # fay  0.5  drew cyd, lost to eve                         SB cyd 1.5/2 = 0.75
    # dan  0    lost to ada
    games = ["ada bob 1-0", "dan ada 0-1", "ada cyd 0-1", "bob cyd 1-0", "eve bob 0-1"]
    games += ["cyd fay 1/2-1/2", "fay eve 0-1"]
    rows = standings(["fay", "eve", "dan", "cyd", "bob", "ada"], pairs_of(games))
    assert ranking(rows) == [(1, "ada"), (2, "bob"), (3, "cyd"), (4, "eve"), (5, "fay"), (6, "dan")]
    assert column(rows, "points") == {"ada": 2, "bob": 2, "cyd": 1.5, "eve": 1, "fay": 0.5, "dan": 0}
    assert column(rows, "direct") == {"ada": 1, "bob": 0, "cyd": 0, "eve": 0, "fay": 0, "dan": 0}
    assert column(rows, "sonneborn_berger") == {
        "ada": 2, "bob": 2.5, "cyd": 2.25, "eve": 0.5, "fay": 0.75, "dan": 0
    }  # fmt: skip


def test_sonneborn_berger_goes_before_wins_as_second(ranking, column):
    # ada  1.5  beat cyd as first, drew bob        direct 0.5   SB cyd 1 + bob 1.5/2 = 1.75
    # bob  1.5  beat dan as second, drew ada       direct 0.5   SB dan 0 + ada 1.5/2 = 0.75
    # cyd  1    beat dan, lost to ada
    # eve  0.5  drew fay: the two are equal in everything and share a rank
    # fay  0.5
    # dan  0
    games = ["bob ada 1/2-1/2", "ada cyd 1-0", "dan bob 0-1", "cyd dan 1-0", "eve fay 1/2-1/2"]
    rows = standings(["fay", "eve", "dan", "cyd", "bob", "ada"], pairs_of(games))
    assert ranking(rows) == [(1, "ada"), (2, "bob"), (3, "cyd"), (4, "fay"), (4, "eve"), (6, "dan")]
    assert column(rows, "sonneborn_berger") == {
        "ada": 1.75, "bob": 0.75, "cyd": 0, "eve": 0.25, "fay": 0.25, "dan": 0
    }  # fmt: skip
    assert column(rows, "direct") == {"ada": 0.5, "bob": 0.5, "cyd": 0, "eve": 0.5, "fay": 0.5, "dan": 0}


def test_wins_and_then_wins_as_second_break_the_remaining_ties(ranking, column):
    # dan  1.5  drew bob, beat fay as second       direct 0   SB bob 1/2 + fay 0.5 = 1      wins 1, as second 1
    # eve  1.5  drew bob, beat fay as first        direct 0   SB bob 1/2 + fay 0.5 = 1      wins 1, as second 0
    # cyd  1.5  beat fay, drew fay, lost to ada    direct 0   SB 0.5 + 0.5/2 = 0.75
    # ada  1    beat cyd                           direct 0   SB 1.5                        wins 1
    # bob  1    drew dan and eve                   direct 0   SB 1.5/2 + 1.5/2 = 1.5        wins 0
    # fay  0.5  drew cyd, lost to cyd, dan, eve
    games = ["ada cyd 1-0", "bob dan 1/2-1/2", "eve bob 1/2-1/2", "fay dan 0-1", "eve fay 1-0"]
    games += ["cyd fay 1-0", "fay cyd 1/2-1/2"]
    rows = standings(["fay", "bob", "ada", "cyd", "eve", "dan"], pairs_of(games))
    assert ranking(rows) == [(1, "dan"), (2, "eve"), (3, "cyd"), (4, "ada"), (5, "bob"), (6, "fay")]
    assert column(rows, "sonneborn_berger") == {
        "dan": 1, "eve": 1, "cyd": 0.75, "ada": 1.5, "bob": 1.5, "fay": 0.75
    }  # fmt: skip
    assert column(rows, "wins") == {"dan": 1, "eve": 1, "cyd": 1, "ada": 1, "bob": 0, "fay": 0}
    assert column(rows, "wins_second") == {"dan": 1, "eve": 0, "cyd": 0, "ada": 0, "bob": 0, "fay": 0}
    assert set(column(rows, "direct").values()) == {0}


def test_a_circle_of_equals_shares_the_first_rank(ranking, column):
    rows = standings(["cyd", "ada", "bob"], pairs_of(["ada bob 1-0", "bob cyd 1-0", "cyd ada 1-0"]))
    assert ranking(rows) == [(1, "cyd"), (1, "ada"), (1, "bob")]
    assert column(rows, "direct") == {"ada": 1, "bob": 1, "cyd": 1}


def test_before_the_first_game_all_share_the_first_rank(ranking):
    rows = standings(["bob", "ada"], [])
    assert ranking(rows) == [(1, "bob"), (1, "ada")]
    assert (rows[0].games, rows[0].points) == (0, 0)
    assert rows[0].score_first is None
    assert rows[0].score_second is None


def test_without_entrants_there_are_no_rows():
    assert standings([], []) == []


def test_both_seats_are_counted():
    rows = standings(
        ["ada", "bob"],
        [
            PairCount(first="ada", second="bob", games=4, wins=2, draws=1, losses=1, faults_first=1, faults_second=2),
            PairCount(first="bob", second="ada", games=2, wins=0, draws=1, losses=1, faults_first=1),
        ],
    )
    ada, bob = rows
    assert (ada.agent, ada.points, ada.games, ada.wins, ada.draws, ada.losses) == ("ada", 4.0, 6, 3, 2, 1)
    assert (ada.faults, ada.score_first, ada.score_second, ada.wins_second) == (1, 2.5 / 4, 1.5 / 2, 1)
    assert (bob.agent, bob.points, bob.games, bob.wins, bob.draws, bob.losses) == ("bob", 2.0, 6, 1, 2, 3)
    assert (bob.faults, bob.score_first, bob.score_second, bob.wins_second) == (3, 0.5 / 2, 1.5 / 4, 1)


def test_a_player_that_is_not_an_entrant_is_an_error():
    with pytest.raises(KeyError, match="bob"):
        standings(["ada"], pairs_of(["ada bob 1-0"]))


def test_the_crosstable_adds_both_seats_and_leaves_out_pairs_without_games():
    games = ["ada bob 1-0", "bob ada 1/2-1/2", "cyd ada 1-0"]
    assert crosstable(["ada", "bob", "cyd"], pairs_of(games)) == {
        "ada": {"bob": 1.5, "cyd": 0.0},
        "bob": {"ada": 0.5},
        "cyd": {"ada": 1.0},
    }


def random_games(rng, entrants):
    # Few points apart and many draws, so that ties are frequent.
    return [
        f"{first} {second} {rng.choice(['1-0', '0-1', '1/2-1/2', '1/2-1/2'])}"
        for first in entrants
        for second in entrants
        if first != second
        for _ in range(rng.randrange(3))
    ]


def recount(entrants, games):
    """The definition, game by game."""
    seen = [(first, second, POINTS[result]) for first, second, result in map(str.split, games)]
    results = {agent: [] for agent in entrants}
    for first, second, points in seen:
        results[first].append((second, points, "first"))
        results[second].append((first, 1 - points, "second"))
    total = {agent: sum(points for _, points, _ in results[agent]) for agent in entrants}

    def meetings(one, two):
        return sum(other == two for other, _, _ in results[one])

    def direct(agent):
        tied = [other for other in entrants if total[other] == total[agent]]
        often = {meetings(one, two) for one in tied for two in tied if one != two}
        if len(often) != 1 or often == {0}:
            return 0
        return sum(points for other, points, _ in results[agent] if other in tied)

    def key(agent):
        own = results[agent]
        return (
            total[agent],
            direct(agent),
            sum(points * total[other] for other, points, _ in own),
            sum(points == 1 for _, points, _ in own),
            sum(points == 1 for _, points, seat in own if seat == "second"),
            sum(points for other, points, _ in own if total[other] >= len(results[other]) / 2),
        )

    order = sorted(entrants, key=lambda agent: (key(agent), -entrants.index(agent)), reverse=True)
    return [(1 + sum(key(other) > key(agent) for other in entrants), agent, *key(agent)) for agent in order]


@pytest.mark.parametrize("seed", range(60))
def test_standings_equal_a_recount_of_a_random_league(seed):
    rng = random.Random(seed)
    entrants = rng.sample("abcdefgh", rng.randrange(2, 9))
    games = random_games(rng, entrants)
    pairs = pairs_of(games)
    rng.shuffle(pairs)
    rows = standings(entrants, pairs)
    found = [
        (row.rank, row.agent, row.points, row.direct, row.sonneborn_berger, row.wins, row.wins_second, row.koya)
        for row in rows
    ]
    assert found == recount(entrants, games)
    assert sum(row.points for row in rows) == len(games)
    assert sum(row.games for row in rows) == 2 * len(games)
    assert all(row.wins + row.draws + row.losses == row.games for row in rows)


def test_standings_equal_a_recount_of_the_stored_records(ranking, column, store, make_record):
    rng = random.Random(5)
    entrants = ["ada", "bob", "eve"]
    for number, game in enumerate(random_games(rng, entrants) * 3):
        first, second, result = game.split()
        fault = FaultRecord("first", "time", "", {}) if result == "0-1" and number % 2 else None
        store.add(make_record(str(number), first=first, second=second, result=result, fault=fault))
    records = list(store.records("spring"))
    games = [f"{record.first.name} {record.second.name} {record.result}" for record in records]
    rows = standings(entrants, store.pairs("spring"))
    assert [row[:2] for row in recount(entrants, games)] == ranking(rows)
    faults = Counter(record.first.name for record in records if record.fault)
    assert [replace(row, faults=0) for row in rows] == standings(entrants, pairs_of(games))
    assert column(rows, "faults") == {agent: faults[agent] for agent in entrants}
