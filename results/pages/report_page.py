"""The HTML page of a league: standings, ratings, crosstable, faults, games."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from results.league import League
from results.pages.page import document, moment, result_text, section, shown, table
from results.pages.plot import Mark, Plot, plot, standalone_plot
from results.pairing import RATED
from results.record import GameLine
from results.standings.ratings import Ratings
from results.standings.recent_form import RECENT_GAMES
from results.standings.score import Score
from results.standings.table import Row, Table, crosstable
from results.standings.table import table as table_of
from results.store.store import Store
from results.text import counted

__all__ = [
    "Link", "Links", "Report", "ratings_plot", "read_report", "report_page", "report_sections", "standings_table",
]  # fmt: skip

#: Gives the address of the replay of a record; None if it has no page.
Link: TypeAlias = Callable[[int], str | None]

_NAME: Final = 60
_NOTHING: Final = "–"  # noqa: RUF001
#: At most this many records are listed for each kind of fault.
_NAMED: Final = 12
#: A crosstable of more entrants would be a page of its own.
_CROSSED: Final = 40
#: The page of a larger league shows this many entrants from the top, and the plot so many of the best.
_RANKED: Final = 1000
_PLOTTED: Final = 100
#: The page lists so many games, the newest ones.
_LISTED: Final = 1000
#: A list of more games than this is folded.
_OPEN: Final = 100


def _average(score: float | None) -> str:
    return _NOTHING if score is None else f"{score:.3f}"


def _elo(row: Row) -> str:
    return _NOTHING if row.elo is None else f"{row.elo:+.0f} ± {row.elo_error or 0:.0f}"


#: The columns of the standings that hold numbers.
_NUMBERS: Final[Mapping[str, Callable[[Row], str]]] = {
    "points": lambda row: f"{row.points:.1f}",
    "awarded": lambda row: f"{row.awarded:.1f}",
    "games": lambda row: str(row.games),
    "won": lambda row: str(row.wins),
    "drawn": lambda row: str(row.draws),
    "lost": lambda row: str(row.losses),
    "faults": lambda row: str(row.faults),
    "first": lambda row: _average(row.score_first),
    "second": lambda row: _average(row.score_second),
    "SB": lambda row: f"{row.sonneborn_berger:.2f}",
    "Buchholz": lambda row: f"{row.buchholz:.1f}",
    "Elo": _elo,
    "LOS": lambda row: _NOTHING if row.los is None else f"{100 * row.los:.0f} %",
}
#: The same where ratings decide.
_RATED_NUMBERS: Final[Mapping[str, Callable[[Row], str]]] = {
    "Elo": _elo,
    "trend": lambda row: _NOTHING if row.trend is None else f"{row.trend:+.0f}",
    **{name: _NUMBERS[name] for name in ("games", "won", "drawn", "lost", "faults", "first", "second", "LOS")},
    "CPU": lambda row: _NOTHING if row.cpu_share is None else f"{100 * row.cpu_share:.0f} %",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The content of the page, and when it was made.

    `faults` are all games that ended by a fault, `games` those that are listed, of `total` stored and `valid` games.
    `owners` are participants, by the name of the entrant.
    With `most`, only so many rows of the standings are shown.
    """

    league: League
    table: Table
    faults: Sequence[GameLine]
    made: str
    games: Sequence[GameLine] = ()
    total: int = 0
    valid: int = 0
    owners: Mapping[str, str] = field(default_factory=dict)
    most: int | None = None


def read_report(store: Store, league: League, *, made: str, owners: Mapping[str, str] | None = None) -> Report:
    """The report of a league as it is stored now."""
    newest, faults = store.newest(league.name, limit=_LISTED), store.ids(league.name, faults=True)
    return Report(
        league=league, table=table_of(store, league), faults=store.lines(faults), games=store.lines(newest.numbers),
        total=newest.total, valid=newest.total - len(store.exclusions(league.name)), made=made, owners=owners or {},
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The addresses of the pages of records, agents and pairs of agents; None where there is no page."""

    record: Link = lambda _: None
    agent: Callable[[str], str | None] = lambda _: None
    pair: Callable[[str, str], str | None] = lambda _, __: None


_NO_LINKS: Final = Links()


def report_page(report: Report, *, link: Link = lambda _: None) -> str:
    """The page; a record number is a link if `link` gives an address for it."""
    name = report.league.name
    body = [
        "<header>",
        f"<h1>{shown(name)}</h1>",
        f"<p>{counted(report.valid, 'game')}, {counted(len(report.table.rows), 'entrant')}, "
        f"as of {moment(report.made)}</p>",
        "</header>",
        "<main>",
        *report_sections(report, Links(record=link), games=_games(report, link)),
        "</main>",
    ]
    return document(f"{name}: standings", body)


def report_sections(report: Report, links: Links, *, games: Iterable[str] = ()) -> list[str]:
    """The sections of the page; that of the games has this content, or is left out."""
    listed, gone = list(games), _departures(report, links.record)
    standing = standings_table(
        report.table.rows[: report.most], format=report.league.format, links=links, owners=report.owners
    )
    return [
        *section("Standings", [standing], name="standings"),
        *(section("Withdrawn and suspended", gone, name="departures") if report.league.departures else ()),
        *section("Ratings", _ratings(report), name="ratings"),
        *section("Crosstable", [_crosstable(report, links)], name="crosstable"),
        *section("First-player advantage", _advantage(report), name="advantage"),
        *section("Faults", _faults(report.faults, links.record), name="faults"),
        *(section("Games", listed, name="games") if listed else []),
        *section("Settings", _settings(report.league), name="settings"),
    ]


def _departures(report: Report, link: Link) -> Iterator[str]:
    """Who was withdrawn or suspended, why, and with which faults."""
    lines = []
    for agent, gone in report.league.departures.items():
        faults = [game for game in report.faults if game.faulty == agent]
        rules = {rule: [game.id for game in faults if game.rule == rule] for rule in (game.rule for game in faults)}
        listed = (f"<code>{shown(rule or '')}</code>: {_records(numbers, link)}" for rule, numbers in rules.items())
        lines.append([
            _name(agent), gone.why, _prose(shown(gone.detail, 500)), moment(gone.at),
            "count" if gone.stands else "do not count", _prose("<br>".join(listed) or "none"),
        ])  # fmt: skip
    headers = ("agent", "was", "because", "since", "its games", "its faults, with records")
    yield table("Entrants that no longer play", headers, lines, words=headers)


def standings_table(
    rows: Sequence[Row],
    *,
    format: str,  # noqa: A002 - as everywhere
    links: Links = _NO_LINKS,
    owners: Mapping[str, str] | None = None,
) -> str:
    """The standings as an HTML table, with a column for the owners if there are any."""
    numbers = _RATED_NUMBERS if format in RATED else _NUMBERS
    left_out = {"SB" if format == "swiss" else "Buchholz", *([] if any(row.awarded for row in rows) else ["awarded"])}
    columns = ["#", "agent", *(["owner"] if owners else []), *(name for name in numbers if name not in left_out)]
    lines = [
        [
            str(row.rank),
            _entrant(row, links),
            *([_prose(shown(owners.get(row.agent, ""), _NAME))] if owners else []),
            *(numbers[name](row) for name in columns if name in numbers),
        ]
        for row in rows[:_RANKED]
    ]
    tie_break = "Buchholz: the points of all its opponents together" if format == "swiss" else "SB: Sonneborn-Berger"
    form = f"Trend: Elo of its last {RECENT_GAMES} games above its rating. CPU: its share of the last games"
    caption = (
        f"First and second: points per game in that seat. {form if format in RATED else tie_break}. "
        "LOS: likelihood of being better than the next entrant."
    )
    if len(rows) > _RANKED:
        caption = f"The first {_RANKED} of {len(rows)} entrants; `arena standings` prints all. {caption}"
    return table(caption, columns, lines, words=["agent", "owner"])


def _entrant(row: Row, links: Links) -> str:
    name = _linked(shown(row.agent, _NAME), links.agent(row.agent))
    return _prose(name + (f" <small>{shown(row.status)}</small>" if row.status else ""))


def _linked(html: str, page: str | None) -> str:
    return html if page is None else f'<a href="{shown(page, 4000)}">{html}</a>'


def ratings_plot(ratings: Ratings) -> Plot:
    """The ratings, best first, as a picture for a notebook."""
    return standalone_plot(_marks(ratings)[:_PLOTTED], title="Elo")


def _marks(ratings: Ratings) -> list[Mark]:
    best = sorted(ratings.rated.items(), key=lambda item: -item[1].elo)
    return [Mark(name, rating.elo, rating.error) for name, rating in best]


def _ratings(report: Report) -> Iterator[str]:
    ratings = report.table.ratings
    if ratings.rated:
        yield plot(_marks(ratings)[:_PLOTTED], title="Elo")
        if len(ratings.rated) > _PLOTTED:
            yield f'<p class="quiet">The best {_PLOTTED} of {len(ratings.rated)} entrants.</p>'
        yield '<p class="quiet">Elo relative to the average of all entrants that played, with 95 % intervals.</p>'
    yield from (f"<p>{shown(line, 1000)}</p>" for line in report.table.notes)


def _crosstable(report: Report, links: Links) -> str:
    points = crosstable([entrant.name for entrant in report.league.entrants], report.table.pairs)
    rows = report.table.rows[:_CROSSED]
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    headers = ["#", "agent", *numbers, "points"]
    lines = []
    for number, row in zip(numbers, rows, strict=True):
        cells = [_cell(points, links, row=row.agent, column=other.agent) for other in rows]
        lines.append([number, _name(row.agent), *cells, f"{row.points:.1f}"])
    caption = "Points of each row against each column"
    if len(rows) < len(report.table.rows):
        caption += f", of the first {len(rows)} entrants in the table"
    return table(caption, headers, lines, words=["agent"])


def _cell(points: Mapping[str, Mapping[str, float]], links: Links, *, row: str, column: str) -> str:
    if row == column:
        return "×"  # noqa: RUF001
    scored = points[row].get(column)
    return _NOTHING if scored is None else _linked(f"{scored:.1f}", links.pair(row, column))


def _advantage(report: Report) -> Iterator[str]:
    score = Score(
        wins=sum(pair.wins for pair in report.table.pairs),
        draws=sum(pair.draws for pair in report.table.pairs),
        losses=sum(pair.losses for pair in report.table.pairs),
    )
    if not score.games:
        yield "<p>No game has been played yet.</p>"
        return
    parts = (("won", score.wins), ("drawn", score.draws), ("lost", score.losses))
    yield (
        f"<p>First scored {score.mean:.3f} ± {score.error:.3f} points per game (95 %): "
        f"{', '.join(f'{number} {what}' for what, number in parts)}.</p>"
    )
    yield '<svg class="stack" aria-hidden="true">'
    before = 0.0
    for what, number in parts:
        share = 100 * number / score.games
        yield f'<rect class="{what}" x="{before:.2f}%" width="{share:.2f}%" height="100%"/>'
        before += share
    yield "</svg>"
    if (worth := report.table.ratings.first_advantage) is not None:
        yield f"<p>Between equals, moving first is worth {worth.elo:+.0f} ± {worth.error:.0f} Elo.</p>"


def _faults(games: Sequence[GameLine], link: Link) -> Iterator[str]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for game in games:
        if game.faulty is not None and game.rule is not None and game.excluded is None:
            found[game.faulty, game.rule].append(game.id)
    if not found:
        yield "<p>Nobody broke a rule.</p>"
        return
    lines = []
    for (agent, rule), numbers in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append([_name(agent), f"<code>{shown(rule)}</code>", str(len(numbers)), _prose(_records(numbers, link))])
    headers = ("agent", "rule", "games", "records")
    yield table("Games lost by breaking a rule", headers, lines, words=["agent", "rule", "records"])


def _games(report: Report, link: Link) -> Iterator[str]:
    games = report.games
    if games and link(games[0].id) is None:
        yield "<p>A board to step through: <code>arena show RECORD --format html -o game.html</code></p>"
    lines = [
        [
            _record(game.id, link), _name(game.first), result_text(game.result), _name(game.second), shown(_why(game)),
            str(game.turns), "" if game.excluded is None else _prose(f"excluded: {shown(game.excluded)}"),
        ]
        for game in games
    ]  # fmt: skip
    headers = ("record", "first", "result", "second", "reason", "turns", "note")
    texts = ["first", "result", "second", "reason", "note"]
    caption = "Games in the order they were stored"
    if len(games) < report.total:
        caption += f", the newest {len(games)}; `arena export` writes all {report.total}"
    yield "<details open>" if len(games) <= _OPEN else "<details>"
    yield f"<summary>{counted(report.total, 'game')}</summary>"
    yield table(caption, headers, lines, words=texts)
    yield "</details>"


def _why(game: GameLine) -> str:
    return game.reason if game.rule is None else f"{game.reason}: {game.rule}"


def _settings(league: League) -> Iterator[str]:
    yield '<dl class="facts">'
    for name, value in {"kind": league.kind, "created": league.created, **league.settings}.items():
        if value not in (None, "", [], {}):
            yield f"<dt>{shown(name)}</dt><dd>{shown(_value(value), 1000)}</dd>"
    yield "</dl>"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _record(number: int, link: Link) -> str:
    return _linked(str(number), link(number))


def _records(numbers: Sequence[int], link: Link) -> str:
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return ", ".join(_record(number, link) for number in numbers[:_NAMED]) + more


def _name(agent: str) -> str:
    return _prose(shown(agent, _NAME))


def _prose(html: str) -> str:
    """A cell that may wrap to several lines."""
    return f'<span class="prose">{html}</span>'
