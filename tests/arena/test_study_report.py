"""What a report says of what was played and measured."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition.league import join, run
from arena.referee.clock import Clock
from arena.referee.referee import Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.studies.file import load
from arena.studies.measure import Measured
from arena.studies.report import markdown, page, summary
from arena.studies.sheets import sheets
from arena.studies.study import Finding, LeagueFinding, MeasureFinding, Report, different, finding_of, margin, plan_of
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
MADE = "2026-05-09T12:30:00.000Z"


@pytest.fixture
def record(job: Callable[..., Job]) -> Callable[..., GameRecord]:
    """A game that ended so; first is called one, second two, unless they are swapped."""

    def make(detail: str, *, swapped: bool = False, **changes: Any) -> GameRecord:
        players = {"first": ScriptedPlayer(), "second": ScriptedPlayer()}
        played = replace(play(job(), players, Clock(1.0, charge="wall")), detail=detail, **changes)
        return replace(played, first=played.second, second=played.first) if swapped else played

    return make


def test_margins_are_counted_from_the_side_of_the_entrant(record: Callable[..., GameRecord]) -> None:
    games = [record("discs 40-24"), record("discs 30-34", swapped=True)]
    found = margin(games, agent="one")
    assert found is not None
    assert (found.unit, found.mean) == ("discs", 10.0)
    assert round(found.error, 2) == 11.76
    other = margin(games, agent="two")
    assert other is not None
    assert other.mean == -10.0


def test_komi_belongs_to_second(record: Callable[..., GameRecord]) -> None:
    found = margin([record("area 45-36+7.5")], agent="one")
    assert found is not None
    assert (found.unit, found.mean) == ("area", 1.5)


def test_there_is_no_margin_where_a_game_ended_without_one(record: Callable[..., GameRecord]) -> None:
    fault = FaultRecord("second", "time", "too late", {})
    assert margin([record("discs 40-24"), record("")], agent="one") is None
    assert margin([record("discs 40-24"), record("discs 64-0", fault=fault)], agent="one") is None
    assert margin([], agent="one") is None


@pytest.fixture
def report(store: Store, imagine: Any, tmp_path: Path) -> Report:
    """A study whose games nobody played: first always wins, except against who has no name of its own."""
    path = tmp_path / "wins.toml"
    path.write_text(STUDY)
    study = load(str(path))
    findings: list[Finding] = []
    for part in study.leagues:
        plan = plan_of(part, {})
        league = join(store, f"study-wins-{part.name}", plan)
        executor = imagine(lambda first, second: "0-1" if first == HOSTILE else "1-0")
        run(store, league, plan, executor, home=tmp_path, tell=lambda _: None)
        findings.append(finding_of(part, store, league.name))
    measured = Measured(columns=("what | it", "number"), rows=(("<i>one</i>", 1234567), ("two", 0.25), ("three", None)))
    findings.append(MeasureFinding(part=study.measures[0], measured=measured))
    return Report(study=study, findings=findings, command="arena study wins", made=MADE)


def test_every_meeting_has_a_line_with_scores_by_seat(report: Report) -> None:
    meetings, firsts, *_ = sheets(report)
    two = dict(zip(meetings.columns, meetings.rows[0], strict=True))
    assert (two["part"], two["one"], two["two"], two["games"]) == ("two of them", "greedy", HOSTILE, "8")
    assert (two["as first"], two["as second"]) == ("1.000", "1.000")
    assert two["score of one"].startswith("1.000 ± ")
    assert len(meetings.rows) == 1 + 3
    assert [row[1:3] for row in firsts.rows] == [("8", "0.500 ± 0.693"), ("12", firsts.rows[1][2])]


def test_repeated_games_do_not_narrow_the_error(report: Report) -> None:
    found = report.leagues[0]
    assert (found.first.games, found.first_distinct.games) == (8, 2)
    (meeting,) = found.meetings
    assert meeting.match.distinct.games == 2
    (row,) = [row for row in next(sheets(report)).rows if row[0] == "two of them"]
    assert dict(zip(next(sheets(report)).columns, row, strict=True))["distinct"] == "2"


def test_a_league_of_more_than_two_has_standings_and_a_crosstable(report: Report) -> None:
    titles = [sheet.title for sheet in sheets(report)]
    assert titles == [
        "Head to head", "First player", "three of them: standings",
        "three of them: crosstable", "a table", "Settings",
    ]  # fmt: skip
    crosstable = list(sheets(report))[3]
    assert crosstable.columns == ("#", "agent", "1", "2", "3")
    assert all(row[number + 1] == "×" for number, row in enumerate(crosstable.rows, 1))  # noqa: RUF001


def test_the_page_shows_text_of_others_as_text(report: Report) -> None:
    text = page(report)
    assert text.startswith("<!DOCTYPE html>")
    assert "<script" not in text
    assert "<b>" not in text
    assert "<i>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;|x" in text
    assert "src=" not in text.replace("-src", "")
    assert text.count("<table>") == len(list(sheets(report)))
    assert "arena study wins" in text


def test_markdown_is_not_broken_by_text_of_others(report: Report) -> None:
    text = markdown(report)
    assert "<script" not in text
    assert "<b>" not in text
    for block in text.split("\n\n"):
        lines = [line.replace("\\|", "") for line in block.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) <= 1
    assert "| what \\| it" in text
    assert "1,234,567" in text
    assert text.splitlines()[-1].startswith("2026-05-09, full form: `arena study wins`; arena ")


HOLLOW = "`a` **b** [x](javascript:alert(1)) _c_ __d__ ~~e~~ \\* one_step_search"


def test_markdown_of_others_is_shown_and_not_followed(report: Report) -> None:
    study = replace(report.study, title=HOLLOW, question=HOLLOW, claim=HOLLOW)
    text = markdown(replace(report, study=study))
    shown = r"\`a\` \*\*b\*\* \[x\](javascript:alert(1)) \_c\_ \_\_d\_\_ \~\~e\~\~ \\\* one_step_search"
    assert text.startswith(f"# {shown}\n\n**Question.** {shown}\n\n**Earlier claim.** {shown}\n\n")


def test_markdown_in_cells_is_shown_and_not_followed(report: Report) -> None:
    measured = Measured(columns=("[a](b)",), rows=(("**c** \\|",),))
    text = markdown(replace(report, findings=[MeasureFinding(part=report.study.measures[0], measured=measured)]))
    assert r"| \[a\](b)" in text
    assert r"| \*\*c\*\* \\\|" in text


def test_a_command_with_backticks_stays_code(report: Report) -> None:
    text = markdown(replace(report, command="arena study 'a``b`.toml'"))
    assert "full form: ``` arena study 'a``b`.toml' ```; arena " in text


def test_the_longest_question_and_claim_are_shown_in_full(report: Report) -> None:
    long = replace(report, study=replace(report.study, question="q" * 1000, claim="c" * 1000))
    for text in (markdown(long), page(long)):
        assert "q" * 1000 in text
        assert "c" * 1000 in text


def test_the_summary_is_small_and_says_date_command_and_versions(report: Report) -> None:
    told: Any = summary(report)
    assert (told["date"], told["command"], told["form"]) == ("2026-05-09", "arena study wins", "full")
    assert "Python 3." in told["versions"]
    two, three, table = told["parts"]
    assert two["matches"][0]["games"] == 8
    assert two["matches"][0]["score"] == 1.0
    assert (two["matches"][0]["faults_one"], two["matches"][0]["faults_two"]) == (0, 0)
    assert two["first"] == {"score": 0.5, "error": 0.693, "games": 8}
    assert len(three["matches"]) == 3
    assert table["rows"][1] == ["two", 0.25]


def test_faults_are_named_where_there_are_any(store: Store, imagine: Any, tmp_path: Path) -> None:
    path = tmp_path / "wins.toml"
    path.write_text(STUDY)
    study = load(str(path))
    part = study.leagues[0]
    plan = plan_of(part, {})
    league = join(store, "faulty", plan)
    run(store, league, plan, imagine(lambda *_: "first"), home=tmp_path, tell=lambda _: None)
    found = finding_of(part, store, "faulty")
    assert isinstance(found, LeagueFinding)
    made = Report(study=study, findings=[found], command="arena study wins", made=MADE)
    meetings = next(sheets(made))
    assert dict(zip(meetings.columns, meetings.rows[0], strict=True))["faults"] == "4 : 4"


def test_a_part_suspends_nobody_unless_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "wins.toml"
    path.write_text(STUDY)
    plan = plan_of(load(str(path)).leagues[0], {})
    assert (plan.suspend_after, plan.format, plan.kind) == (None, "round-robin", "league")
    path.write_text(STUDY.replace("rounds = 4", 'rounds = 4\nsuspend-after = "25%"'))
    assert plan_of(load(str(path)).leagues[0], {}).suspend_after == 0.25


def test_what_the_command_line_gives_goes_before_what_the_study_says(tmp_path: Path) -> None:
    path = tmp_path / "wins.toml"
    path.write_text(STUDY.replace("rounds = 4", 'rounds = 4\nclock = "cpu"'))
    part = load(str(path)).leagues[0]
    assert plan_of(part, {}).charge == "cpu"
    assert plan_of(part, {"clock": "wall"}).charge == "wall"


def test_the_same_game_by_two_equals_is_one_game(record: Callable[..., GameRecord]) -> None:
    assert len(different([record(""), record("", swapped=True)])) == 1
