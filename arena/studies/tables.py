"""The tables of a report, as plain text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.studies.result import (
    LeaguePartResult,
    LearningPoint,
    MeasurePartResult,
    Meeting,
    PooledPoint,
    StudyResult,
    TrainingPartResult,
)
from results.standings.score import Score
from results.standings.table import Row, crosstable

__all__ = ["ReportTable", "report_tables"]

_EMPTY: Final = "–"  # noqa: RUF001
_TEXT_COLUMNS: Final = (
    "part", "one", "two", "agent", "game", "league", "variant", "against", "learner", "player", "setting", "value",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """One table with a note, all plain text. Columns outside `text_columns` hold numbers and are right-aligned."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: tuple[str, ...] = _TEXT_COLUMNS


def report_tables(result: StudyResult) -> Iterator[ReportTable]:
    """All tables of a report, in their order."""
    if result.leagues:
        yield _meetings_table(result.leagues)
        yield _first_player_table(result.leagues)
    for league in result.leagues:
        if len(league.league.entrants) > 2:
            yield _standings_table(league)
            yield _crosstable(league)
    yield from map(_measure_table, result.measures)
    for training in result.trainings:
        yield from _training_tables(training)
    if result.leagues:
        yield _settings_table(result.leagues)
    if result.trainings:
        yield _training_table(result)
    if any(part.settings or part.variants[0].name for part in (training.part for training in result.trainings)):
        yield _changes_table(result)


def _meetings_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    meetings = [(league.part.label, meeting) for league in leagues for meeting in league.meetings]
    columns: dict[str, Callable[[Meeting], str]] = {
        "one": lambda meeting: meeting.match.one,
        "two": lambda meeting: meeting.match.two,
        "games": lambda meeting: str(meeting.match.overall.games),
        "score of one": lambda meeting: f"{meeting.match.overall.mean:.3f} ± {meeting.match.distinct.error:.3f}",
        "as first": lambda meeting: _mean(meeting.match.as_first),
        "as second": lambda meeting: _mean(meeting.match.as_second),
        "Elo": lambda meeting: meeting.match.elo_text(),
    }
    if any(meeting.match.distinct.games < meeting.match.overall.games for _, meeting in meetings):
        columns["distinct"] = lambda meeting: str(meeting.match.distinct.games)
    if any(meeting.margin for _, meeting in meetings):
        columns["margin"] = _margin
    if any(meeting.faults_one or meeting.faults_two for _, meeting in meetings):
        columns["faults"] = lambda meeting: f"{meeting.faults_one} : {meeting.faults_two}"
    rows = tuple((label, *(column(meeting) for column in columns.values())) for label, meeting in meetings)
    note = (
        "Points per game, ± half of the 95 % interval; games that repeat another one do not narrow it. "
        "Elo is the rating of one minus the rating of two."
    )
    return ReportTable(title="Head to head", note=note, columns=("part", *columns), rows=rows)


def _margin(meeting: Meeting) -> str:
    margin = meeting.margin
    return _EMPTY if margin is None else f"{margin.mean:+.1f} ± {margin.error:.1f} {margin.unit}"


def _first_player_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    rows = tuple(
        (
            league.part.label, str(league.first.games), f"{league.first.mean:.3f} ± {league.first_distinct.error:.3f}",
            str(league.first.wins), str(league.first.draws), str(league.first.losses),
        )
        for league in leagues
    )  # fmt: skip
    columns = ("part", "games", "score", "won", "drawn", "lost")
    note = "The score of all players that moved first."
    return ReportTable(title="First player", note=note, columns=columns, rows=rows)


def _standings_table(league: LeaguePartResult) -> ReportTable:
    columns: dict[str, Callable[[Row], str]] = {
        "#": lambda row: str(row.rank),
        "agent": lambda row: row.agent,
        "points": lambda row: f"{row.points:.1f}",
        "games": lambda row: str(row.games),
        "Elo": lambda row: _EMPTY if row.elo is None else f"{row.elo:+.0f} ± {row.elo_error or 0:.0f}",
        "as first": lambda row: _EMPTY if row.score_first is None else f"{row.score_first:.3f}",
        "as second": lambda row: _EMPTY if row.score_second is None else f"{row.score_second:.3f}",
        "faults": lambda row: str(row.faults),
    }
    rows = tuple(tuple(column(row) for column in columns.values()) for row in league.table.rows)
    note = "Elo relative to the average entrant, ± half of the 95 % interval."
    return ReportTable(title=f"{league.part.label}: standings", note=note, columns=tuple(columns), rows=rows)


def _crosstable(league: LeaguePartResult) -> ReportTable:
    ranked = [row.agent for row in league.table.rows]
    points = crosstable([entrant.name for entrant in league.league.entrants], league.table.pairs)
    rows = tuple(
        (str(number), agent, *("×" if other == agent else _points(points[agent].get(other)) for other in ranked))  # noqa: RUF001
        for number, agent in enumerate(ranked, 1)
    )
    columns = ("#", "agent", *(str(number) for number in range(1, len(ranked) + 1)))
    note = "Points of each row against each column."
    return ReportTable(title=f"{league.part.label}: crosstable", note=note, columns=columns, rows=rows)


def _measure_table(measure: MeasurePartResult) -> ReportTable:
    columns, rows = measure.table.columns, measure.table.rows
    texts = tuple(name for place, name in enumerate(columns) if any(isinstance(row[place], str) for row in rows))
    return ReportTable(
        title=measure.part.label, note=f"Measured by {measure.part.command}.", columns=columns,
        rows=tuple(tuple(map(_value, row)) for row in rows), text_columns=texts,
    )  # fmt: skip


def _settings_table(leagues: Sequence[LeaguePartResult]) -> ReportTable:
    rows = tuple(
        (
            league.part.label, league.settings.game, f"{league.settings.seconds:g} s",
            str(league.settings.opening_turns), league.league.name,
        )
        for league in leagues
    )  # fmt: skip
    columns = ("part", "game", "time per player", "opening turns", "league")
    note = "To see every game of a league as a page: arena report --league LEAGUE."
    return ReportTable(title="Settings", note=note, columns=columns, rows=rows)


#: The columns of a point of the curve, of one run or of all seeds together.
_SCORES: Final[Mapping[str, Callable[[LearningPoint | PooledPoint], str]]] = {
    "CPU-minutes": lambda point: f"{point.minutes:.3g}",
    "self-play": lambda point: f"{point.self_play_games:,}",
    "against": lambda point: point.anchor,
    "games": lambda point: str(point.games),
    "score": lambda point: f"{point.score:.3f} ± {point.error:.3f}",
    "as first": lambda point: _share(point.as_first),
    "as second": lambda point: _share(point.as_second),
}


def _training_tables(training: TrainingPartResult) -> Iterator[ReportTable]:
    """The scores over all seeds, where there are several seeds or variants, then those of each run."""
    part = training.part
    if len(part.runs) > 1:
        yield _pooled_table(training)
    columns: dict[str, Callable[[LearningPoint], str]] = {"seed": lambda point: str(point.seed), **_SCORES}
    if part.variants[0].name:
        columns = {"variant": lambda point: point.variant, **columns}
    rows = tuple(tuple(column(point) for column in columns.values()) for point in training.points)
    note = (
        "Points per game of the trained agent, ± half of the 95 % interval; each opening is played twice, with sides "
        "swapped. Self-play is the number of games that it had learned from."
    )
    title = f"{part.label}: each run" if len(part.runs) > 1 else part.label
    yield ReportTable(title=title, note=note, columns=tuple(columns), rows=rows)


def _pooled_table(training: TrainingPartResult) -> ReportTable:
    columns: dict[str, Callable[[PooledPoint], str]] = {**_SCORES}
    note = "Points per game over all seeds, ± half of the 95 % interval of the games."
    if len(training.part.seeds) > 1:
        columns["by seed"] = lambda point: ", ".join(f"{score:.3f}" for score in point.by_seed)
        note += " By seed: the score of each seed; where they are far apart, the luck of a seed matters too."
    if len(training.part.variants) > 1:
        columns = {"variant": lambda point: point.variant, **columns, "difference": _difference}
        note += f" Difference: to the score of the first variant, {training.part.variants[0].name}."
    rows = tuple(tuple(column(point) for column in columns.values()) for point in training.pooled)
    return ReportTable(title=training.part.label, note=note, columns=tuple(columns), rows=rows)


def _difference(point: PooledPoint) -> str:
    if point.difference is None or point.difference_error is None:
        return _EMPTY
    return f"{point.difference:+.3f} ± {point.difference_error:.3f}"


def _training_table(result: StudyResult) -> ReportTable:
    rows = tuple(
        (
            training.part.label, training.part.game, training.learner, str(len(training.part.runs)),
            f"{training.part.minutes:g}", " or ".join(dict.fromkeys(point.player for point in training.points)),
        )
        for training in result.trainings
    )  # fmt: skip
    columns = ("part", "game", "learner", "runs", "CPU-minutes", "player")
    note = (
        "CPU-minutes of self-play and training of each run; the options that the trained agent played with. The runs "
        f"are stored beside this report: arena train status --home {result.name}.training"
    )
    return ReportTable(title="Training", note=note, columns=columns, rows=rows)


def _changes_table(result: StudyResult) -> ReportTable:
    rows = tuple(
        (training.part.label, name, key, str(value))
        for training in result.trainings
        for name, settings in [
            ("all", training.part.settings), *((variant.name, variant.settings) for variant in training.part.variants)
        ]
        for key, value in settings.items()
    )  # fmt: skip
    note = "Everything else is as in the shipped recipe: arena train recipe GAME --learner LEARNER"
    columns = ("part", "variant", "setting", "value")
    return ReportTable(title="Changed settings", note=note, columns=columns, rows=rows)


def _share(score: float | None) -> str:
    return _EMPTY if score is None else f"{score:.3f}"


def _mean(score: Score) -> str:
    return f"{score.mean:.3f}" if score.games else _EMPTY


def _points(points: float | None) -> str:
    return _EMPTY if points is None else f"{points:.1f}"


def _value(value: object) -> str:
    if value is None:
        return _EMPTY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)
