"""Standings as they are printed."""

import csv
import io
import json
from dataclasses import replace
from itertools import permutations

import pytest
import tabulate

from results.pairing import PairCount
from results.standings.table import crosstable, standings
from results.standings.text_tables import crosstable_text, standings_csv, standings_json, standings_text

ENTRANTS = ["ada", "bob:depth=3", "eve"]
PAIRS = [
    PairCount(first="ada", second="bob:depth=3", games=10, wins=8, draws=1, losses=1, faults_second=2),
    PairCount(first="bob:depth=3", second="ada", games=3, wins=1, draws=2, losses=0),
]

TABLE = """\
#  agent        points  games  W  D  L  faults  first  second     SB
-  -----------  ------  -----  -  -  -  ------  -----  ------  -----
1  ada             9.5     13  8  3  2       0  0.850   0.333  33.25
2  bob:depth=3     3.5     13  2  3  8       2  0.667   0.150  33.25
3  eve             0.0      0  0  0  0       0      -       -   0.00"""

RATED = """\
#  agent        points  games  W  D  L  faults   Elo    ±  first  second     BH
-  -----------  ------  -----  -  -  -  ------  ----  ---  -----  ------  -----
1  ada             9.5     13  8  3  2       0  1534  112  0.850   0.333   45.5
2  bob:depth=3     3.5     13  2  3  8       2     -    -  0.667   0.150  123.5
3  eve             0.0      0  0  0  0       0     -    -      -       -    0.0"""

NARROW = """\
# agent       points games W D L faults
- ----------- ------ ----- - - - ------
1 ada            9.5    13 8 3 2      0
2 bob:depth=3    3.5    13 2 3 8      2
3 eve            0.0     0 0 0 0      0"""

CROSSTABLE = """\
#  agent          1    2  3  points
-  -----------  ---  ---  -  ------
1  ada            x  9.5  -     9.5
2  bob:depth=3  3.5    x  -     3.5
3  eve            -    -  x     0.0"""


@pytest.fixture
def rows():
    return standings(ENTRANTS, PAIRS)


def test_the_table_of_a_small_league(rows):
    assert standings_text(rows) == TABLE


def test_a_swiss_league_shows_buchholz_and_ratings_if_there_are_any(rows):
    ada, *others = rows
    rated = [replace(ada, elo=1534.4, elo_error=111.9), *others]
    assert standings_text(rated, format="swiss") == RATED


def test_a_table_for_a_narrow_terminal_leaves_out_columns(rows):
    assert standings_text(rows, width=80) == TABLE
    assert standings_text(rows, width=40) == NARROW
    assert standings_text(rows, width=10).splitlines()[0].split() == ["#", "agent", "points"]
    assert standings_text(rows, width=40, style="markdown") == standings_text(rows, style="markdown")


def test_a_table_with_everything_fits_80_columns():
    names = ["two_step_search:a1", "abp_negamax:depth3", "mcts:simulations=2"]
    pairs = [
        PairCount(first=one, second=two, games=30, wins=12, draws=6, losses=12) for one, two in permutations(names, 2)
    ]
    rows = [replace(row, elo=-1234.5, elo_error=123.4) for row in standings(names, pairs)]
    assert 70 < max(map(len, standings_text(rows).splitlines())) <= 80


@pytest.mark.parametrize("style", ["table", "markdown"])
def test_departures_are_marked_and_awards_are_listed_below(style):
    awards, absent = {"ada": 2.0, "b|b": 0.5}, {"b|b": "withdrawn", "eve": "suspended"}
    text = standings_text(standings(["ada", "b|b", "eve"], [], awards=awards, absent=absent), style=style)
    table, notes = text.split("\n\n")
    bob, mark = ("b\\|b", "- ") if style == "markdown" else ("b|b", "")
    assert len(table.splitlines()) == 5
    assert f"{bob} (withdrawn) " in table
    assert "eve (suspended) " in table
    assert notes.splitlines() == [
        f"{mark}points without a game: ada 2.0, {bob} 0.5",
        f"{mark}{bob} was withdrawn; its games still count",
        f"{mark}eve was suspended; its games do not count",
    ]


def test_the_crosstable_of_a_small_league(rows):
    assert crosstable_text(rows, crosstable(ENTRANTS, PAIRS)) == CROSSTABLE


def test_markdown_has_one_line_per_agent_and_a_rule_below_the_header(rows):
    lines = standings_text(rows, style="markdown").splitlines()
    assert lines[0].startswith("| # | agent ")
    assert set(lines[1]) <= set("|-:")
    assert len(lines) == 5
    assert {line.count("|") for line in lines} == {12}


def test_an_empty_league_still_has_a_header():
    assert standings_text([]).splitlines()[0].split() == TABLE.splitlines()[0].split()
    assert crosstable_text([], {}).split()[:3] == ["#", "agent", "points"]


def test_names_that_look_like_numbers_stay_names():
    rows = standings(["007", "1e3"], [])
    assert "007" in standings_text(rows)
    assert "1e3" in standings_text(rows)


@pytest.mark.parametrize("style", ["table", "markdown"])
def test_a_hostile_name_does_not_break_the_table(style):
    names = ["a\x1b[31m\nb", "x" * 100, "p|q"]
    text = standings_text(standings(names, []), style=style)
    assert r"a\x1b[31m\x0ab" in text
    assert "x" * 39 + "…" in text
    assert ("p\\|q" in text) == (style == "markdown")
    assert len(text.splitlines()) == 5


def test_csv_has_all_columns_and_unknown_values_are_empty(rows):
    text = standings_csv(rows)
    assert text.splitlines()[0] == (
        "rank,agent,points,games,wins,draws,losses,faults,score_first,score_second,direct,sonneborn_berger,wins_second,"
        "koya,buchholz,awarded,status,why,stage,elo,elo_error,los,trend,cpu_share"
    )
    assert text.splitlines()[1] == "1,ada,9.5,13,8,3,2,0,0.85,0.333333,0.0,33.25,0,0.0,45.5,0.0,,,,,,,,"
    assert list(csv.DictReader(io.StringIO(text)))[2]["score_first"] == ""


def test_csv_quotes_special_characters():
    names = ['say "hi", bob', "two\nlines", "=1+1"]
    read = csv.DictReader(io.StringIO(standings_csv(standings(names, []))))
    assert [line["agent"] for line in read] == ['say "hi", bob', r"two\x0alines", "'=1+1"]


def test_json_is_a_list_best_first(rows):
    found = json.loads(standings_json(rows))
    assert [line["agent"] for line in found] == ["ada", "bob:depth=3", "eve"]
    assert found[0] == {
        "rank": 1,
        "agent": "ada",
        "points": 9.5,
        "games": 13,
        "wins": 8,
        "draws": 3,
        "losses": 2,
        "faults": 0,
        "score_first": 0.85,
        "score_second": 0.333333,
        "direct": 0.0,
        "sonneborn_berger": 33.25,
        "wins_second": 0,
        "koya": 0.0,
        "buchholz": 45.5,
        "awarded": 0.0,
        "status": "",
        "why": "",
        "stage": None,
        "elo": None,
        "elo_error": None,
        "los": None,
        "trend": None,
        "cpu_share": None,
    }
    assert found[2]["score_first"] is None


def test_the_deciding_tie_break_is_named():
    pairs = [PairCount(first="a", second="b", games=1, wins=1, draws=0, losses=0),
             PairCount(first="b", second="c", games=1, wins=1, draws=0, losses=0),
             PairCount(first="d", second="a", games=1, wins=1, draws=0, losses=0),
             PairCount(first="c", second="d", games=1, wins=1, draws=0, losses=0),
             PairCount(first="b", second="d", games=1, wins=1, draws=0, losses=0)]  # fmt: skip
    notes = standings_text(standings("abcd", pairs)).splitlines()[-2:]
    assert notes == ["a is ahead of d by Sonneborn-Berger", "d is ahead of c by Koya"]


def test_a_knockout_shows_the_round_that_was_reached():
    text = standings_text(standings("ab", [], format="knockout", stages={"a": 1, "b": 2}), format="knockout")
    assert text.splitlines()[0].split()[:3] == ["#", "agent", "round"]
    assert [line.split()[:3] for line in text.splitlines()[2:]] == [["1", "b", "2"], ["2", "a", "1"]]


def test_other_tables_of_the_process_keep_their_padding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabulate, "MIN_PADDING", 3)
    standings_text(standings(ENTRANTS, PAIRS))
    assert tabulate.MIN_PADDING == 3


def test_a_ladder_shows_ratings_trends_and_shares_of_cpu_time(rows):
    rated = [replace(row, elo=50.0, elo_error=20.0, trend=-12.4, cpu_share=0.25) for row in rows]
    text = standings_text(rated, format="ladder")
    assert text.splitlines()[0].split() == ["#", "agent", "Elo", "±", "games", "trend", "W", "D", "L", "faults", "CPU"]
    assert text.splitlines()[2].split() == ["1", "ada", "50", "20", "13", "-12", "8", "3", "2", "0", "25", "%"]
    assert "an equal share is 33 %" in text
