"""Results in notebooks."""

import subprocess
import sys

import pandas
import pytest

import results
from games.base import Margin
from results.errors import NoLeague, NoResults
from results.league import Award
from results.pairing import BYE, Pairing
from results.record import FaultRecord
from results.standings.table import table
from results.store.store import Store


@pytest.fixture
def opened(path, store, make_record):
    store.add(make_record("1:1-2", margin=Margin(13, 5, "material")))
    fault = FaultRecord("second", "time", "401 s", {}, "act", 3)
    store.add(make_record("1:2-1", first="bob", second="ada", result="1-0", reason="fault", fault=fault))
    with results.load(path) as reader:
        yield reader


def test_leagues_records_and_standings_can_be_read(opened):
    assert [league.name for league in opened.leagues()] == ["spring"]
    assert [record.key for record in opened.records()] == ["1:1-2", "1:2-1"]
    rows = opened.standings()
    assert rows == opened.standings("spring")
    assert [(row.rank, row.agent, row.points) for row in rows] == [(1, "ada", 1.0), (1, "bob", 1.0), (3, "eve", 0.0)]


def test_standings_have_ratings(opened, store):
    rows = opened.standings()
    found = table(store, store.known("spring"))
    assert rows.rows == found.rows
    assert [row.elo is None for row in rows] == [False, False, True]
    assert rows[0].elo_error == found.ratings.of(rows[0].agent).error


def test_standings_include_awards_and_departures(opened, store):
    award = Award(key="1:1-3", entrant="ada", points=1.0, because="eve was withdrawn")
    store.depart("spring", "eve", why="withdrawn", detail="", stands=True, awards=[award])
    shown = [(row.rank, row.agent, row.points, row.awarded, row.status) for row in opened.standings()]
    assert shown == [(1, "ada", 2.0, 1.0, ""), (2, "bob", 1.0, 0.0, ""), (3, "eve", 0.0, 0.0, "withdrawn")]


def test_standings_leave_out_excluded_games(opened, store):
    store.exclude(2, because="overloaded")
    assert [(row.agent, row.points) for row in opened.standings()] == [("ada", 1.0), ("bob", 0.0), ("eve", 0.0)]


def test_standings_follow_the_format_of_the_league(opened, store, make_record):
    settings = {"format": "swiss", "rounds": 1}
    store.create_league("autumn", kind="league", settings=settings, secret="", entrants=store.known("spring").entrants)
    bye = Pairing("s1:3-bye", 3, BYE, 0, "s0")
    store.draw("autumn", [bye], [Award(key=bye.key, entrant="eve", points=1.0, because="bye")])
    store.add(make_record("s1:1-2", league="autumn"))
    # Both have a point; a bye counts like a win against somebody with as many points.
    assert [(row.rank, row.agent, row.buchholz) for row in opened.standings()] == [
        (1, "eve", 1.0), (2, "ada", 0.0), (3, "bob", 1.0),
    ]  # fmt: skip


def test_the_newest_league_comes_before_newer_games_and_matches(opened, store, path, make_record):
    entrants = store.known("spring").entrants[:2]
    store.create_league("match-1", kind="benchmark", settings={}, secret="", entrants=entrants)
    store.add(make_record("1:1-2", league="match-1"))
    assert opened.league().name == opened.standings().league.name == "spring"
    assert results.api.standings(path).league == store.find_league(None)


def test_a_results_file_shows_its_leagues(opened, store):
    assert repr(opened).startswith("<results in ")
    assert repr(opened).endswith("arena.db>")
    entrants = store.known("spring").entrants[:2]
    store.create_league("<b>", kind="benchmark", settings={"game": "go"}, secret="", entrants=entrants)
    shown = opened._repr_html_()
    assert shown.index("&lt;b&gt;") < shown.index("spring")
    assert "2 leagues" in shown
    assert "<b>" not in shown
    opened.close()
    assert repr(opened).endswith("arena.db, closed>")
    assert "closed" in opened._repr_html_()


def test_an_unknown_league_is_an_error(opened, tmp_path):
    with pytest.raises(NoLeague, match=r"^no league called 'summer'; `leagues\(\)` lists what there is$"):
        opened.standings("summer")
    with pytest.raises(NoLeague, match="no league called 'summer'"):
        opened.to_pandas("summer")
    Store.open(tmp_path / "empty.db", create=True).close()
    with results.load(tmp_path / "empty.db") as empty, pytest.raises(NoLeague, match="no league is stored yet"):
        empty.standings()


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(NoResults, match="no results at"):
        results.load(str(tmp_path / "nothing.db"))


def test_the_frame_has_one_row_per_game(opened):
    frame = opened.to_pandas()
    assert list(frame["id"]) == [1, 2]
    second = frame.iloc[1].to_dict()
    expected = {
        "id": 2,
        "league": "spring",
        "key": "1:2-1",
        "game": "microchess",
        "game_version": 1,
        "first": "bob",
        "second": "ada",
        "first_hash": "sha256:bob",
        "second_hash": "sha256:ada",
        "result": "1-0",
        "score_first": 1.0,
        "reason": "fault",
        "detail": "",
        "fault_player": "second",
        "fault_rule": "time",
        "turns": 2,
        "opening_turns": 0,
        "seconds": 400.0,
        "control": "400",
        "seconds_first": 0.5,
        "seconds_second": 0.25,
        "sandbox": "full",
        "rules": "kernel",
        "host": "box",
        "started": pandas.Timestamp("2026-05-09T12:00:00Z"),
        "ended": pandas.Timestamp("2026-05-09T12:00:01Z"),
        "excluded": None,
        "fault_phase": "act",
        "fault_turn": 3,
    }
    missing = {"margin_first", "margin_second", "margin_unit"}
    assert {name: value for name, value in second.items() if name not in missing} == expected
    assert set(second) == set(expected) | missing
    assert frame["margin_first"].dropna().tolist() == [13.0]
    assert frame["margin_second"].isna().tolist() == [False, True]
    assert frame["fault_turn"].isna().tolist() == [True, False]
    assert frame["fault_rule"].isna().tolist() == [True, False]


def test_excluded_games_are_in_the_frame_with_the_reason(opened, store):
    store.exclude(2, because="overloaded")
    assert opened.to_pandas()["excluded"].fillna("").tolist() == ["", "overloaded"]


def test_times_in_the_frame_are_utc_datetimes(opened):
    frame = opened.to_pandas("spring")
    assert (frame["ended"] - frame["started"]).dt.total_seconds().tolist() == [1.0, 1.0]
    assert str(frame["started"].dt.tz) == "UTC"


def test_the_frame_of_no_games_has_the_same_columns(opened, tmp_path):
    Store.open(tmp_path / "empty.db", create=True).close()
    with results.load(tmp_path / "empty.db") as empty:
        frame = empty.to_pandas()
    assert len(frame) == 0
    assert list(frame.columns) == list(opened.to_pandas().columns)


def test_importing_results_loads_nothing_heavy():
    script = (
        "import sys, results, results.store.store, results.standings.table, "
        "results.standings.text_tables, results.notation.json_form, results.standings.match;"
        "print(*sorted({'chess', 'numpy', 'pandas', 'scipy', 'tabulate'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ""
