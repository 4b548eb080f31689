"""Results and reports of studies, from games that were not played for real."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition.league import run
from arena.competition.plan import Plan, open_league
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.studies.leagues import make_plan
from arena.studies.measure import MeasureTable
from arena.studies.report import as_dict, html, markdown, save
from arena.studies.result import (
    MeasurePartResult,
    PartResult,
    StudyResult,
    average_margin,
    distinct_games,
    league_result,
)
from arena.studies.study import Study, load
from arena.studies.tables import ReportTable, report_tables
from games.base import Margin
from results.record import FaultRecord, GameRecord
from results.store.store import Store

HOSTILE = "<script>alert(1)</script>|x"
STUDY = f"""
title = "Who | <b>wins</b>"
question = "Is it {HOSTILE}?"
claim = "Yes & no."
game = "othello"

[[parts]]
name = "two"
label = "two of them"
rounds = 4
entrants = ["greedy", {{ agent = "random", name = "{HOSTILE}" }}]
short = {{}}

[[parts]]
name = "three"
label = "three of them"
rounds = 2
entrants = ["greedy", "random", "first_move"]
short = {{}}

[[parts]]
name = "table"
label = "a table"
module = "agents.microchess_growth"
short = {{}}
"""
FINISHED = "2026-05-09T12:30:00.000Z"


MakeRecord = Callable[..., GameRecord]


@pytest.fixture
def record(job: Callable[..., Job]) -> MakeRecord:
    """A game with this margin; the first player is called one, the second two, unless they are swapped."""

    def make(margin: Margin | None = None, *, swapped: bool = False, **changes: Any) -> GameRecord:
        players = {"first": ScriptedPlayer(), "second": ScriptedPlayer()}
        played = replace(play(job(), players, Clock(1.0, charge="wall")), margin=margin, **changes)
        return replace(played, first=played.second, second=played.first) if swapped else played

    return make


@pytest.fixture
def read_study(tmp_path: Path) -> Callable[..., Study]:
    """The study above, with one text replaced by another."""

    def read(old: str = "", new: str = "") -> Study:
        path = tmp_path / "wins.toml"
        path.write_text(STUDY.replace(old, new))
        return load(str(path))

    return read


def plan_of(study: Study, overrides: Mapping[str, object] | None = None) -> Plan:
    """The plan of the first league of a study."""
    part = study.leagues[0]
    return make_plan(part.settings, overrides or {}, name="study", label=part.label)


def first_row(table: ReportTable) -> dict[str, str]:
    return dict(zip(table.columns, table.rows[0], strict=True))


def test_margins_are_averaged_from_the_view_of_one_entrant(record: MakeRecord) -> None:
    games = [record(Margin(40, 24, "discs")), record(Margin(30, 34, "discs"), swapped=True)]
    found = average_margin(games, entrant="one")
    assert found is not None
    assert (found.unit, found.mean) == ("discs", 10.0)
    assert round(found.error, 2) == 11.76
    other = average_margin(games, entrant="two")
    assert other is not None
    assert other.mean == -10.0


def test_a_margin_with_komi_is_the_difference_of_the_points(record: MakeRecord) -> None:
    found = average_margin([record(Margin(45, 43.5, "points"))], entrant="one")
    assert found is not None
    assert (found.unit, found.mean) == ("points", 1.5)


def test_there_is_no_average_margin_if_one_game_has_no_margin(record: MakeRecord) -> None:
    fault = FaultRecord("second", "time", "too late", {})
    counted = record(Margin(40, 24, "discs"))
    assert average_margin([counted, record()], entrant="one") is None
    assert average_margin([counted, record(Margin(64, 0, "discs"), fault=fault)], entrant="one") is None
    assert average_margin([counted, record(Margin(13, 5, "material"))], entrant="one") is None
    assert average_margin([], entrant="one") is None


@pytest.fixture
def result(read_study: Callable[..., Study], store: Store, imagine: Any, tmp_path: Path) -> StudyResult:
    """A study without real games: the first player always wins, except the entrant with the hostile name."""
    study = read_study()
    parts: list[PartResult] = []
    for part in study.leagues:
        plan = make_plan(part.settings, {}, name="study", label=part.label)
        league = open_league(store, f"study-wins-{part.name}", plan)
        executor = imagine(lambda first, second: "0-1" if first == HOSTILE else "1-0")
        run(store, league, plan, executor, home=tmp_path, on_event=lambda _: None)
        parts.append(league_result(part, store, league.name))
    rows = (("<i>one</i>", 1234567), ("two", 0.25), ("three", None))
    parts.append(
        MeasurePartResult(part=study.measures[0], table=MeasureTable(columns=("what | it", "number"), rows=rows))
    )
    return StudyResult(study=study, name="wins", parts=parts, command="arena study wins", finished=FINISHED)


def test_each_meeting_has_a_row_with_its_scores_by_seat(result: StudyResult) -> None:
    meetings, first_player, *_ = report_tables(result)
    two = first_row(meetings)
    assert (two["part"], two["one"], two["two"], two["games"]) == ("two of them", "greedy", HOSTILE, "8")
    assert (two["as first"], two["as second"]) == ("1.000", "1.000")
    assert two["score of one"].startswith("1.000 ± ")
    assert len(meetings.rows) == 1 + 3
    assert [row[1:3] for row in first_player.rows] == [("8", "0.500 ± 0.693"), ("12", first_player.rows[1][2])]


def test_repeated_games_do_not_narrow_the_error(result: StudyResult) -> None:
    league = result.leagues[0]
    assert (league.first.games, league.first_distinct.games) == (8, 2)
    (meeting,) = league.meetings
    assert meeting.match.distinct.games == 2
    meetings = next(report_tables(result))
    assert [row[0] for row in meetings.rows].count("two of them") == 1
    assert first_row(meetings)["distinct"] == "2"


def test_a_league_of_three_has_standings_and_a_crosstable(result: StudyResult) -> None:
    tables = list(report_tables(result))
    assert [table.title for table in tables] == [
        "Head to head", "First player", "three of them: standings",
        "three of them: crosstable", "a table", "Settings",
    ]  # fmt: skip
    crosstable = tables[3]
    assert crosstable.columns == ("#", "agent", "1", "2", "3")
    assert all(row[number + 1] == "×" for number, row in enumerate(crosstable.rows, 1))  # noqa: RUF001


def test_the_page_escapes_foreign_text(result: StudyResult) -> None:
    text = html(result)
    assert text.startswith("<!DOCTYPE html>")
    assert "<script" not in text
    assert "<b>" not in text
    assert "<i>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;|x" in text
    assert "src=" not in text.replace("-src", "")
    assert text.count("<table>") == len(list(report_tables(result)))
    assert "arena study wins" in text


def test_foreign_text_does_not_break_the_markdown(result: StudyResult) -> None:
    text = markdown(result)
    assert "<script" not in text
    assert "<b>" not in text
    for block in text.split("\n\n"):
        lines = [line.replace("\\|", "") for line in block.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) <= 1
    assert "| what \\| it" in text
    assert "1,234,567" in text
    assert text.splitlines()[-1].startswith("2026-05-09, full form: `arena study wins`; arena ")


MARKUP = "`a` **b** [x](javascript:alert(1)) _c_ __d__ ~~e~~ \\* one_step_search"


def test_markdown_syntax_in_foreign_text_is_escaped(result: StudyResult) -> None:
    study = replace(result.study, title=MARKUP, question=MARKUP, claim=MARKUP)
    text = markdown(replace(result, study=study))
    escaped = r"\`a\` \*\*b\*\* \[x\](javascript:alert(1)) \_c\_ \_\_d\_\_ \~\~e\~\~ \\\* one_step_search"
    assert text.startswith(f"# {escaped}\n\n**Question.** {escaped}\n\n**Earlier claim.** {escaped}\n\n")


def test_markdown_syntax_in_cells_is_escaped(result: StudyResult) -> None:
    table = MeasureTable(columns=("[a](b)",), rows=(("**c** \\|",),))
    text = markdown(replace(result, parts=[MeasurePartResult(part=result.study.measures[0], table=table)]))
    assert r"| \[a\](b)" in text
    assert r"| \*\*c\*\* \\\|" in text


def test_a_command_with_backticks_is_still_code(result: StudyResult) -> None:
    text = markdown(replace(result, command="arena study 'a``b`.toml'"))
    assert "full form: ``` arena study 'a``b`.toml' ```; arena " in text


def test_a_run_without_a_command_line_has_no_command_in_its_report(result: StudyResult) -> None:
    python_result = replace(result, command="")
    assert markdown(python_result).splitlines()[-1].startswith("2026-05-09, full form; arena ")
    assert "<dt>command</dt>" not in html(python_result)


def test_the_longest_question_and_claim_are_shown_in_full(result: StudyResult) -> None:
    long = replace(result, study=replace(result.study, question="q" * 1000, claim="c" * 1000))
    for text in (markdown(long), html(long)):
        assert "q" * 1000 in text
        assert "c" * 1000 in text


def test_the_json_form_has_date_command_and_versions(result: StudyResult) -> None:
    found: Any = as_dict(result)
    assert (found["date"], found["command"], found["form"]) == ("2026-05-09", "arena study wins", "full")
    assert "Python 3." in found["versions"]
    two, three, table = found["parts"]
    assert two["matches"][0]["games"] == 8
    assert two["matches"][0]["score"] == 1.0
    assert (two["matches"][0]["faults_one"], two["matches"][0]["faults_two"]) == (0, 0)
    assert two["first"] == {"score": 0.5, "error": 0.693, "games": 8}
    assert len(three["matches"]) == 3
    assert table["rows"][1] == ["two", 0.25]


def test_a_report_is_saved_as_three_files_under_the_name_of_the_run(result: StudyResult, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    paths = save(replace(result, name="mine"), folder)
    assert [path.name for path in paths] == ["mine.html", "mine.md", "mine.json"]
    assert sorted(folder.iterdir()) == sorted(paths)
    assert paths[1].read_text(encoding="utf-8") == markdown(result)


def test_the_meetings_table_has_a_column_for_faults_if_there_are_any(
    read_study: Callable[..., Study], store: Store, imagine: Any, tmp_path: Path
) -> None:
    study = read_study()
    plan = plan_of(study)
    league = open_league(store, "faulty", plan)
    run(store, league, plan, imagine(lambda *_: "first"), home=tmp_path, on_event=lambda _: None)
    part = league_result(study.leagues[0], store, "faulty")
    result = StudyResult(study=study, name="wins", parts=[part], command="arena study wins", finished=FINISHED)
    assert first_row(next(report_tables(result)))["faults"] == "4 : 4"


def test_a_part_suspends_entrants_only_if_its_settings_say_so(read_study: Callable[..., Study]) -> None:
    plan = plan_of(read_study())
    assert (plan.settings.suspend_after, plan.settings.format, plan.kind) == (None, "round-robin", "league")
    assert plan_of(read_study("rounds = 4", 'rounds = 4\nsuspend-after = "25%"')).settings.suspend_after == 0.25


def test_options_override_the_study_file(read_study: Callable[..., Study]) -> None:
    study = read_study("rounds = 4", 'rounds = 4\nclock = "cpu"')
    assert plan_of(study).settings.clock == "cpu"
    assert plan_of(study, {"clock": "wall"}).settings.clock == "wall"


def test_the_same_game_with_swapped_names_counts_once(record: MakeRecord) -> None:
    assert len(distinct_games([record(), record(swapped=True)])) == 1
