"""A league as a page."""

import re
from dataclasses import replace

import pytest

from results.pages.report_page import read_report, report_page, standings_table
from results.record import FaultRecord
from results.standings.ratings import rating_notes
from results.store.store import Store

HOSTILE = "<script>alert(1)</script>\u202e\"'"


@pytest.fixture
def report(store, make_record):
    """The report of the league "spring" after some games: first, second, result and whatever else."""

    def make(*games, **changes):
        for number, (first, second, result, *fields) in enumerate(games):
            store.add(make_record(f"k{number}", first=first, second=second, result=result, **dict(*fields)))
        league = store.league("spring")
        return replace(read_report(store, league, made="2026-05-09T12:34:56.000Z"), **changes)

    return make


def fault(player, rule="time"):
    return {"fault": FaultRecord(player, rule, "", {}), "reason": "fault"}


def cells(page, heading):
    """The table under a heading, as text."""
    (part,) = re.findall(rf"<h2>{heading}</h2>(.*?)</section>", page, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


def test_it_names_the_league_and_the_number_of_games(report):
    page = report_page(report(("ada", "bob", "1-0"), ("bob", "ada", "1-0")))
    assert "<title>spring: standings</title>" in page
    assert "2 games, 3 entrants, as of" in page
    assert "2026-05-09 12:34 UTC" in page


def test_the_standings_are_best_first(report):
    header, *rows = cells(report_page(report(("ada", "bob", "0-1"), ("bob", "ada", "1/2-1/2"))), "Standings")
    assert header[:8] == ["#", "agent", "points", "games", "won", "drawn", "lost", "faults"]
    assert [row[:4] for row in rows] == [["1", "bob", "1.5", "2"], ["2", "ada", "0.5", "2"], ["3", "eve", "0.0", "0"]]
    assert rows[0][8:10] == ["0.500", "1.000"]
    assert rows[2][8:10] == ["–", "–"]  # noqa: RUF001
    assert re.fullmatch(r"\+\d+ ± \d+", rows[0][-2])
    assert re.fullmatch(r"\d+ %", rows[0][-1])


def test_the_crosstable_is_in_the_same_order(report):
    page = report_page(report(("ada", "bob", "0-1"), ("bob", "ada", "1/2-1/2")))
    assert cells(page, "Crosstable")[1:] == [
        ["1", "bob", "×", "1.5", "–", "1.5"],  # noqa: RUF001
        ["2", "ada", "0.5", "×", "–", "0.5"],  # noqa: RUF001
        ["3", "eve", "–", "–", "×", "0.0"],  # noqa: RUF001
    ]


def test_ratings_are_plotted_and_described(report):
    made = report(*[("ada", "bob", "1-0"), ("bob", "ada", "0-1")] * 20)
    page = report_page(made)
    assert page.count("<circle") == 2
    notes = rating_notes(made.table.ratings, ["ada", "bob", "eve"])
    assert notes
    assert all(f"<p>{line}</p>" in page for line in notes)


def test_the_advantage_of_first_has_an_error(report):
    page = report_page(report(("ada", "bob", "1-0"), ("bob", "ada", "1-0"), ("eve", "ada", "1/2-1/2")))
    assert re.search(r"First scored 0\.833 ± 0\.\d+ points per game \(95 %\): 2 won, 1 drawn, 0 lost\.", page)
    assert re.search(r"moving first is worth \+\d+ ± \d+ Elo", page)


def test_faults_are_counted_by_agent_and_rule(report):
    games = [("ada", "bob", "0-1", fault("first")), ("bob", "ada", "1-0", fault("second")),
             ("eve", "ada", "0-1", fault("first", "file"))]  # fmt: skip
    page = report_page(report(*games))
    assert cells(page, "Faults")[1:] == [["ada", "time", "2", "1, 2"], ["eve", "file", "1", "3"]]


def test_a_long_list_of_faults_is_cut(report):
    page = report_page(report(*[("ada", "bob", "0-1", fault("first"))] * 15))
    assert cells(page, "Faults")[1][3] == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more"


def test_excluded_games_are_only_listed_with_the_reason(report, store):
    report(("ada", "bob", "1-0", fault("second")), ("bob", "ada", "1-0"))
    store.exclude(1, because="overloaded <machine>")
    page = report_page(report())
    assert "1 game, 3 entrants" in page
    assert "Nobody broke a rule." in page
    assert cells(page, "Games")[1:] == [
        ["1", "ada", "1-0", "bob", "fault: time", "2", "excluded: overloaded &lt;machine&gt;"],
        ["2", "bob", "1-0", "ada", "checkmate", "2", ""],
    ]


def test_records_with_a_replay_are_links(report):
    made = report(("ada", "bob", "0-1", fault("first")))
    assert "<a " not in report_page(made)
    assert "arena show RECORD --format html" in report_page(made)
    page = report_page(made, link=lambda number: f"games/{number}&.html")
    assert page.count('<a href="games/1&amp;.html">1</a>') == 2
    assert "arena show" not in page


def test_a_league_without_games_has_a_page(report):
    page = report_page(report())
    assert "0 games, 3 entrants" in page
    assert "No game has been played yet." in page
    assert "Nobody broke a rule." in page


def test_departures_are_marked(report, store):
    made = report(("ada", "bob", "1-0"))
    rows = made.table.rows
    left = replace(made.table, rows=[replace(rows[0], status="withdrawn"), *rows[1:]])
    assert cells(report_page(replace(made, table=left)), "Standings")[1][1] == "ada withdrawn"


def test_awards_have_a_column_if_there_are_any(report):
    made = report(("ada", "bob", "1-0"))
    rows = [replace(row, awarded=1.0) for row in made.table.rows]
    page = report_page(replace(made, table=replace(made.table, rows=rows)))
    assert cells(page, "Standings")[0][3] == "awarded"
    assert "awarded" not in cells(report_page(made), "Standings")[0]


def test_a_long_list_of_games_is_folded(report):
    made = report(("ada", "bob", "1-0"))
    assert "<details open>" in report_page(made)
    assert "<details>" in report_page(replace(made, games=made.games * 101))


def test_settings_are_shown(report):
    assert "<dt>turns</dt><dd>80</dd>" in report_page(report())


def test_untrusted_text_never_becomes_a_tag_or_runs(tmp_path, make_record):
    with Store.open(tmp_path / "hostile.db", create=True) as store:
        record = make_record(first=HOSTILE, second="bob", league=HOSTILE, reason=HOSTILE)
        settings = {HOSTILE: HOSTILE, "list": [HOSTILE], "map": {HOSTILE: HOSTILE}}
        entrants = [record.first, record.second]
        league = store.create_league(HOSTILE, kind="league", settings=settings, secret="", entrants=entrants)
        stored = store.add(record)
        store.exclude(stored.id, because=HOSTILE)
        page = report_page(read_report(store, league, made=HOSTILE))
    assert "<script" not in page
    assert "\u202e" not in page
    assert "script-src 'none'" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e&quot;&#x27;" in page


def test_owners_are_named_if_there_are_any(report):
    games = [("ada", "bob", "1-0")]
    assert "owner" not in report_page(report(*games))
    page = report_page(report(owners={"ada": HOSTILE}))
    rows = cells(page, "Standings")
    assert rows[0][:3] == ["#", "agent", "owner"]
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_who_was_suspended_is_named_with_reason_and_faults(report, store):
    page = report_page(report(("ada", "bob", "0-1", fault("first")), ("bob", "ada", "1-0", fault("second", "exit"))))
    assert "Withdrawn and suspended" not in page
    store.depart("spring", "ada", why="suspended", detail="2 faults in 2 games", stands=False)
    _, row = cells(report_page(report()), "Withdrawn and suspended")
    assert (row[0], row[1], row[2], row[4]) == ("ada", "suspended", "2 faults in 2 games", "do not count")
    assert row[5] == "time: 1exit: 2"


def test_only_a_swiss_explains_buchholz(report):
    made = report(("ada", "bob", "1-0"))
    assert "Buchholz: the points of all its opponents together." in standings_table(made.table.rows, format="swiss")
    assert "Buchholz" not in standings_table(made.table.rows, format="round-robin")
