"""Tie-breaks, byes, those who left, and knockouts, worked out by hand."""

import pytest

from results.pairing import PairCount
from results.standings.table import standings

SIX = ["fay", "eve", "dan", "cyd", "bob", "ada"]


def pairs_of(games):
    """One count for each game given as a line "first second result"."""
    return [
        PairCount(
            first=first,
            second=second,
            games=1,
            wins=int(result == "1-0"),
            draws=int(result == "1/2-1/2"),
            losses=int(result == "0-1"),
        )
        for first, second, result in map(str.split, games)
    ]


def test_koya_decides_when_everything_else_is_equal(ranking, column):
    #      ada  bob  cyd  dan  eve  fay   points         half of 5 is 2.5: ada, bob, eve and fay have it
    # bob   1    x    1    0    ½    ½    3      direct 1 + ½   SB 3 + 1.5 + 1.5 + 1.25 = 7.25   Koya 1 + ½ + ½ = 2
    # eve   1    ½    ½    1    x    0    3      direct 1 + ½   SB 3 + 1.5 + 0.75 + 2 = 7.25     Koya 1 + ½ + 0 = 1.5
    # ada   x    0    1    1    0    1    3      direct 0       SB 1.5 + 2 + 2.5 = 6             Koya 0 + 0 + 1 = 1
    # fay   0    ½    1    0    1    x    2.5                   SB 1.5 + 1.5 + 3 = 6             Koya 0 + ½ + 1 = 1.5
    # dan   0    1    0    x    0    1    2                     SB 3 + 2.5 = 5.5                 Koya 0 + 1 + 0 + 1 = 2
    # cyd   0    0    x    1    ½    0    1.5                   SB 2 + 1.5 = 3.5                 Koya ½
    games = ["ada bob 0-1", "ada cyd 1-0", "dan ada 0-1", "ada eve 0-1", "fay ada 0-1"]
    games += ["bob cyd 1-0", "bob dan 0-1", "bob eve 1/2-1/2", "bob fay 1/2-1/2", "cyd dan 1-0"]
    games += ["eve cyd 1/2-1/2", "cyd fay 0-1", "eve dan 1-0", "fay dan 0-1", "eve fay 0-1"]
    rows = standings(SIX, pairs_of(games))
    assert ranking(rows) == [(1, "bob"), (2, "eve"), (3, "ada"), (4, "fay"), (5, "dan"), (6, "cyd")]
    assert column(rows, "direct") == {"bob": 1.5, "eve": 1.5, "ada": 0, "fay": 0, "dan": 0, "cyd": 0}
    assert column(rows, "sonneborn_berger") == {"bob": 7.25, "eve": 7.25, "ada": 6, "fay": 6, "dan": 5.5, "cyd": 3.5}
    assert column(rows, "koya") == {"bob": 2, "eve": 1.5, "ada": 1, "fay": 1.5, "dan": 2, "cyd": 0.5}
    assert (rows[0].wins, rows[0].wins_second) == (rows[1].wins, rows[1].wins_second) == (2, 1)


def test_direct_encounter_decides_nothing_if_two_of_the_tied_have_not_met(ranking, column):
    # ada  1.5  beat bob, drew fay     SB bob 1.5 + fay 0.5 / 2 = 1.75
    # bob  1.5  beat eve, drew dan     SB eve 0.5 + dan 1.5 / 2 = 1.25   lost to ada, yet dan and ada have not met
    # dan  1.5  beat fay, drew bob     SB fay 0.5 + bob 1.5 / 2 = 1.25
    # eve  0.5  drew cyd               SB cyd 0.5 / 2 = 0.25   Koya ½: cyd has half of its one point
    # cyd  0.5  drew eve               SB eve 0.5 / 2 = 0.25   Koya 0: eve has less than half of two
    # fay  0.5  drew ada               SB ada 1.5 / 2 = 0.75
    games = ["ada bob 1-0", "ada fay 1/2-1/2", "bob eve 1-0", "bob dan 1/2-1/2", "dan fay 1-0", "cyd eve 1/2-1/2"]
    rows = standings(["dan", "cyd", "bob", "ada", "eve", "fay"], pairs_of(games))
    assert set(column(rows, "direct").values()) == {0}
    assert ranking(rows) == [(1, "ada"), (2, "dan"), (2, "bob"), (4, "fay"), (5, "eve"), (6, "cyd")]


def test_direct_encounter_decides_nothing_if_some_of_the_tied_have_met_more_often(column):
    # ada, bob and cyd have 2 points each; ada and bob have met three times, cyd and each of them once. dan beat eve.
    games = ["ada bob 1-0", "bob ada 1-0", "ada bob 1/2-1/2", "cyd ada 1/2-1/2", "bob cyd 1/2-1/2"]
    games += ["cyd dan 1-0", "dan eve 1-0", "eve fay 1-0"]
    rows = standings(["ada", "bob", "cyd", "dan", "eve", "fay"], pairs_of(games))
    assert [row.points for row in rows] == [2, 2, 2, 1, 1, 0]
    assert column(rows, "direct") == {"ada": 0, "bob": 0, "cyd": 0, "dan": 1, "eve": 0, "fay": 0}


def test_a_swiss_league_is_ordered_by_buchholz(ranking, column):
    # bob  2.5  beat eve, drew ada, beat fay   Buchholz 1.5 + 2 + 0.5 = 4
    # ada  2    beat dan, drew bob and cyd     Buchholz 0.5 + 2.5 + 2 = 5
    # cyd  2    drew fay, beat dan, drew ada   Buchholz 0.5 + 0.5 + 2 = 3
    # eve  1.5  lost to bob, beat fay, drew dan   Buchholz 2.5 + 0.5 + 0.5 = 3.5
    # fay  0.5  drew cyd, lost to eve and bob  Buchholz 2 + 1.5 + 2.5 = 6
    # dan  0.5  lost to ada and cyd, drew eve  Buchholz 2 + 2 + 1.5 = 5.5
    games = ["ada dan 1-0", "eve bob 0-1", "cyd fay 1/2-1/2", "bob ada 1/2-1/2", "dan cyd 0-1", "fay eve 0-1"]
    games += ["cyd ada 1/2-1/2", "bob fay 1-0", "eve dan 1/2-1/2"]
    rows = standings(["dan", "cyd", "bob", "ada", "eve", "fay"], pairs_of(games), format="swiss")
    assert ranking(rows) == [(1, "bob"), (2, "ada"), (3, "cyd"), (4, "eve"), (5, "fay"), (6, "dan")]
    assert column(rows, "buchholz") == {"bob": 4, "ada": 5, "cyd": 3, "eve": 3.5, "fay": 6, "dan": 5.5}


def test_in_a_swiss_league_buchholz_goes_before_direct_encounter_which_goes_before_sonneborn_berger(ranking, column):
    # ada  2  beat bob and fay, lost to cyd    Buchholz 2 + 0 + 2 = 4   direct 1, against bob
    # bob  2  beat dan and eve, lost to ada    Buchholz 1 + 1 + 2 = 4   direct 0          SB 1 + 1 = 2
    # cyd  2  beat ada and dan, lost to eve    Buchholz 2 + 1 + 1 = 4   direct 1, against ada
    # dan  1  beat eve, lost to bob and cyd    Buchholz 1 + 2 + 2 = 5
    # eve  1  beat cyd, lost to bob and dan    Buchholz 2 + 2 + 1 = 5
    # fay  0  lost to ada                      Buchholz 2
    # bob and cyd have not met: among the three the direct encounter decides nothing. dan beat eve.
    games = ["ada bob 1-0", "ada fay 1-0", "ada cyd 0-1", "bob dan 1-0", "bob eve 1-0", "cyd dan 1-0", "cyd eve 0-1"]
    games += ["dan eve 1-0"]
    rows = standings(["eve", "dan", "fay", "ada", "bob", "cyd"], pairs_of(games), format="swiss")
    assert column(rows, "buchholz") == {"ada": 4, "bob": 4, "cyd": 4, "dan": 5, "eve": 5, "fay": 2}
    assert column(rows, "direct") == {"ada": 0, "bob": 0, "cyd": 0, "dan": 1, "eve": 0, "fay": 0}
    # SB: ada bob 2 + fay 0 = 2, bob dan 1 + eve 1 = 2, cyd ada 2 + dan 1 = 3; eve cyd 2 against dan eve 1.
    assert column(rows, "sonneborn_berger") == {"ada": 2, "bob": 2, "cyd": 3, "dan": 1, "eve": 2, "fay": 0}
    assert ranking(rows) == [(1, "cyd"), (2, "ada"), (2, "bob"), (4, "dan"), (5, "eve"), (6, "fay")]


def test_a_bye_in_a_swiss_league_is_a_win_against_somebody_with_as_many_points(ranking, column):
    # eve  2  bye, beat cyd            Buchholz 2 + 0 = 2   SB 2 + 0 = 2
    # ada  2  beat cyd and bob         Buchholz 0 + 1 = 1   SB 0 + 1 = 1
    # bob  1  beat dan, lost to ada    Buchholz 1 + 2 = 3   SB 1
    # dan  1  lost to bob, bye         Buchholz 1 + 1 = 2   SB 1
    # cyd  0  lost to ada and eve      Buchholz 2 + 2 = 4   SB 0
    games = ["ada cyd 1-0", "bob dan 1-0", "ada bob 1-0", "eve cyd 1-0"]
    awards = {"eve": 1.0, "dan": 1.0}
    rows = standings(["ada", "bob", "cyd", "dan", "eve"], pairs_of(games), format="swiss", awards=awards)
    assert ranking(rows) == [(1, "eve"), (2, "ada"), (3, "bob"), (4, "dan"), (5, "cyd")]
    assert column(rows, "buchholz") == {"eve": 2, "ada": 1, "bob": 3, "dan": 2, "cyd": 4}
    assert column(rows, "sonneborn_berger") == {"eve": 2, "ada": 1, "bob": 1, "dan": 1, "cyd": 0}
    assert column(rows, "awarded") == {"eve": 1, "ada": 0, "bob": 0, "dan": 1, "cyd": 0}


def test_awards_count_as_points_but_not_as_games(ranking, column):
    rows = standings(["ada", "bob", "cyd"], pairs_of(["ada bob 1-0", "bob ada 0-1"]), awards={"bob": 2.0, "cyd": 0.5})
    assert column(rows, "points") == {"ada": 2, "bob": 2, "cyd": 0.5}
    assert column(rows, "awarded") == {"ada": 0, "bob": 2, "cyd": 0.5}
    assert column(rows, "games") == {"ada": 2, "bob": 2, "cyd": 0}
    assert column(rows, "sonneborn_berger") == {"ada": 4, "bob": 0, "cyd": 0}
    assert ranking(rows) == [(1, "ada"), (2, "bob"), (3, "cyd")]
    assert column(rows, "koya") == {"ada": 2, "bob": 0, "cyd": 0}  # bob has half of the points of four games


@pytest.mark.parametrize("status", ["withdrawn", "suspended"])
def test_an_entrant_that_left_keeps_its_place_if_it_has_played(ranking, column, status):
    rows = standings(["bob", "ada"], pairs_of(["ada bob 1-0"]), absent={"ada": status})
    assert ranking(rows) == [(1, "ada"), (2, "bob")]
    assert column(rows, "status") == {"ada": status, "bob": ""}


def test_an_entrant_that_left_without_a_game_comes_last_and_ties_with_nobody(ranking, column):
    games = ["bob ada 0-1", "cyd ada 0-1", "bob cyd 1/2-1/2"]
    rows = standings(["zoe", "cyd", "bob", "ada"], pairs_of(games), absent={"zoe": "withdrawn"})
    assert ranking(rows) == [(1, "ada"), (2, "cyd"), (2, "bob"), (4, "zoe")]
    assert column(rows, "direct") == {"ada": 0, "bob": 0.5, "cyd": 0.5, "zoe": 0}
    fresh = standings(["zoe", "ada", "bob"], [], absent={"zoe": "suspended"})
    assert ranking(fresh) == [(1, "ada"), (1, "bob"), (3, "zoe")]


def test_an_award_keeps_the_place_of_an_entrant_that_left_without_a_game(ranking):
    rows = standings(["ada", "bob"], [], awards={"bob": 1.0}, absent={"bob": "withdrawn"})
    assert ranking(rows) == [(1, "bob"), (2, "ada")]


def test_in_a_knockout_the_stage_goes_before_points_and_the_final_before_the_points_of_both(ranking, column):
    # cyd beat bob in the first round and lost the final to ada, who had nobody to beat before: cyd has more points.
    games = ["bob cyd 0-1", "cyd bob 1-0", "ada cyd 1-0", "cyd ada 1/2-1/2", "dan eve 1-0", "eve dan 0-1"]
    stages = {"ada": 2, "cyd": 2, "bob": 1, "dan": 1, "eve": 0}
    entrants = ["eve", "dan", "cyd", "bob", "ada"]
    rows = standings(entrants, pairs_of(games), format="knockout", stages=stages)
    assert column(rows, "points") == {"ada": 1.5, "bob": 0, "cyd": 2.5, "dan": 2, "eve": 0}
    assert column(rows, "direct") == {"ada": 1.5, "bob": 0, "cyd": 0.5, "dan": 0, "eve": 0}
    assert ranking(rows) == [(1, "ada"), (2, "cyd"), (3, "dan"), (4, "bob"), (5, "eve")]


def test_a_level_final_goes_to_the_better_seed_whatever_the_points(ranking, column):
    games = ["cyd bob 1-0", "bob cyd 0-1", "ada cyd 1-0", "cyd ada 1-0"]
    rows = standings(["ada", "bob", "cyd"], pairs_of(games), format="knockout", stages={"ada": 2, "bob": 1, "cyd": 2})
    assert column(rows, "points") == {"ada": 1, "bob": 0, "cyd": 3}
    assert ranking(rows) == [(1, "ada"), (2, "cyd"), (3, "bob")]


def test_rows_have_no_ratings_at_first():
    (row,) = standings(["ada"], [])
    assert (row.elo, row.elo_error) == (None, None)


def test_in_a_gauntlet_points_per_game_count():
    pairs = [PairCount(first="hero", second=other, games=2, wins=1, draws=0, losses=1) for other in ("a", "b")]
    pairs.append(PairCount(first="hero", second="c", games=2, wins=0, draws=0, losses=2))
    rows = standings(["hero", "a", "b", "c"], pairs, format="gauntlet")
    assert [row.agent for row in rows] == ["c", "a", "b", "hero"]
