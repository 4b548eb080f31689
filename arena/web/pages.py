"""The pages about leagues: home, a league, its games."""

from collections.abc import Sequence
from typing import Final

from arena.competition.listing import ListedLeague, listed_league, listed_leagues
from arena.web.announcements import Announcement, announcements, shown_announcements
from arena.web.shell import Visit, address, framed, link
from results.league import League
from results.pages.page import moment, result_text, section, shown, table
from results.pages.report_page import Links, Report, report_sections
from results.record import GameLine
from results.standings.notable import Notable, notable
from results.standings.table import table as table_of
from results.store import utc
from results.store.store import Store

__all__ = [
    "agent_link",
    "games_page",
    "games_table",
    "home_page",
    "league_link",
    "league_page",
    "links",
    "part",
    "progress",
]

_NAME: Final = 60
_NEWEST: Final = 20
_LEAGUES: Final = 100
_PAGE: Final = 100
#: Rows of the standings; more would make a page too large.
_ROWS: Final = 200
#: The newest games among which those of note are looked for.
_SUMMARIES: Final = 1000
_FAULTS: Final = 50


def part(name: str, lines: Sequence[str]) -> list[str]:
    """A part of a page that the script keeps up to date."""
    return [f'<div id="{name}" data-part>', *lines, "</div>"]


def links(league: League | None = None) -> Links:
    """Where records, agents and pairs of agents have their pages."""
    name = None if league is None else league.name
    return Links(
        record=lambda number: f"/game/{number}",
        agent=lambda agent: address("/agent", name=agent),
        pair=lambda one, two: address("/compare", league=name, one=one, two=two),
    )


def home_page(store: Store, visit: Visit, *, running: Sequence[str]) -> str:
    """Announcements, leagues, running games, records of note and the newest games."""
    text, found = visit.words, listed_leagues(store)[::-1]
    body = [
        '<main id="content">',
        f"<h1>{shown(store.path.name)}</h1>",
        *part("news", shown_announcements(_news(store, None), visit)),
        *part("running", section(text["running_now"], running or [f"<p>{text['nothing_runs']}</p>"])),
        *part("leagues", section(text["leagues"], [_leagues(found[:_LEAGUES], visit)])),
        *part("notable", _notable(store, visit)),
        *part("newest", section(text["newest_games"], [games_table(_newest(store, None), visit)])),
        "</main>",
    ]
    return framed(visit, text["home"], body)


def _news(store: Store, league: str | None) -> list[Announcement]:
    """The announcements about a league; those about none for the first page."""
    found = announcements(store.path)
    if league is not None:
        return [one for one in found if one.name == league]
    names = {known.name for known in store.leagues()}
    return [one for one in found if one.name not in names]


def _notable(store: Store, visit: Visit) -> list[str]:
    """The records of note among the newest games."""
    text, newest = visit.words, store.latest(["league"])
    ratings = {} if newest is None else {newest.name: table_of(store, newest).ratings}
    found = notable(store.summaries(most=_SUMMARIES), ratings)
    if not found:
        return []
    rows = [
        [
            f'<span class="prose">{text[f"note_{one.what}"]}</span>',
            link(f"/game/{one.game.id}", str(one.game.id)), agent_link(one.game.first),
            {1.0: "1-0", 0.0: "0-1"}.get(one.game.score_first, "½-½"), agent_link(one.game.second), _amount(one, visit),
        ]
        for one in found
    ]  # fmt: skip
    headers = [text["what"], *(text[key] for key in ("record", "first", "result", "second")), text["amount"]]
    return section(text["notable"], [table(text["about_notable"], headers, rows, words=[*headers[:1], *headers[2:]])])


def _amount(one: Notable, visit: Visit) -> str:
    if one.what == "fault":
        return f"<code>{shown(one.game.rule or '')}</code>"
    if one.what == "surprise":
        return f"{one.amount:.0f} Elo"
    unit = one.game.margin.unit if one.what == "narrowest" and one.game.margin else visit.words["turns"]
    return f"{one.amount:g} {shown(unit)}"


def _leagues(found: Sequence[ListedLeague], visit: Visit) -> str:
    text = visit.words
    if not found:
        return f"<p>{text['no_leagues']}</p>"
    headers = [text[key] for key in ("name", "kind", "game", "entrants", "games", "state", "created")]
    rows = [
        [
            league_link(league.name), league.kind, shown(league.game, 30),
            str(len(league.entrants)), _of(league), text[league.state], moment(league.created),
        ]
        for league in found
    ]  # fmt: skip
    words = [text[key] for key in ("name", "kind", "game", "state", "created")]
    return table(text["leagues"], headers, rows, words=words, is_titled=True)


def _of(league: ListedLeague) -> str:
    return str(league.games) if league.total is None else f"{league.games} / {league.total}"


def progress(league: ListedLeague, visit: Visit) -> list[str]:
    """How many games are played, in words and as a bar."""
    text = visit.words
    line = f"<p>{text['progress']}: {_of(league)} {text['games']}, {text[league.state]}</p>"
    if not league.total:
        return [line]
    share = min(100.0, 100 * league.games / league.total)
    return [
        line,
        '<svg class="progress" aria-hidden="true"><rect class="all" width="100%" height="100%"/>'
        f'<rect class="done" width="{share:.1f}%" height="100%"/></svg>',
    ]


def league_page(store: Store, visit: Visit, name: str) -> str:
    """Standings, ratings, crosstable, faults and newest games of a league, and how far it is."""
    text, league = visit.words, store.known(name)
    faults = store.lines(store.newest(name, faults=True, limit=_FAULTS * 4).numbers)
    report = Report(league=league, table=table_of(store, league), faults=faults, made=utc.stamp(utc.now()), most=_ROWS)
    body = [
        '<main id="content">',
        f"<h1>{shown(league.name)}</h1>",
        *part("progress", progress(listed_league(store, league), visit)),
        *part("news", shown_announcements(_news(store, name), visit)),
        *part("report", report_sections(report, links(league))),
        *([f"<p>{text['only_rows']}: {_ROWS}</p>"] if len(report.table.rows) > _ROWS else []),
        *part("newest", section(text["newest_games"], [
            games_table(_newest(store, name), visit),
            f"<p>{link('/games', text['all_games'], league=name)} "
            f"{link('/calibration', text['calibration'], league=name)}</p>",
        ])),
        "</main>",
    ]  # fmt: skip
    return framed(visit, league.name, body)


def games_page(store: Store, visit: Visit, *, league: str | None, agent: str | None, page: int) -> str:
    """The games of a league, of an agent or of the whole file, newest first, some on each page."""
    text = visit.words
    newest = store.newest(league, agent=agent, limit=_PAGE, skip=page * _PAGE)
    turns = []
    if page > 0:
        turns.append(link("/games", text["newer"], league=league, agent=agent, page=page - 1))
    if newest.total > (page + 1) * _PAGE:
        turns.append(link("/games", text["older"], league=league, agent=agent, page=page + 1))
    title = ", ".join(name for name in (league, agent) if name is not None)
    title = f"{title}: {text['all_games']}" if title else text["all_games"]
    body = [
        '<main id="content">',
        f"<h1>{shown(title)}</h1>",
        games_table(store.lines(newest.numbers)[::-1], visit),
        f"<p>{' '.join(turns)}</p>",
        "</main>",
    ]
    return framed(visit, title, body)


def _newest(store: Store, league: str | None) -> list[GameLine]:
    """The newest games, the newest of all first."""
    return store.lines(store.newest(league, limit=_NEWEST).numbers)[::-1]


def games_table(lines: Sequence[GameLine], visit: Visit) -> str:
    """Games with links to their replays and players."""
    text = visit.words
    headers = [text[key] for key in ("record", "first", "result", "second", "reason", "turns")]
    rows = [
        [
            link(f"/game/{line.id}", str(line.id)), agent_link(line.first), result_text(line.result),
            agent_link(line.second), shown(line.reason if line.rule is None else f"{line.reason}: {line.rule}"),
            str(line.turns),
        ]
        for line in lines
    ]  # fmt: skip
    return table(text["games"], headers, rows, words=headers[1:5], is_titled=True)


def agent_link(name: str) -> str:
    """A link to the page of an agent."""
    return link("/agent", shown(name, _NAME), name=name)


def league_link(name: str) -> str:
    """A link to the page of a league."""
    return link("/league", shown(name, _NAME), name=name)
