"""The pages about leagues and agents: home, a league, its games, an agent, two agents compared."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from arena.competition.explanation import what_happened
from arena.competition.listing import ListedLeague, listed_league, listed_leagues
from arena.web.people import against_people
from arena.web.shell import Visit, address, framed, link
from results.errors import BadEntrants
from results.league import League
from results.notation.replay import cost_of, seat_of
from results.pages.page import moment, result_text, section, shown, table
from results.pages.report_page import GameLine, Links, Report, line_of, report_sections
from results.pairing import PairCount
from results.record import GameRecord
from results.standings.table import table as table_of
from results.store import utc
from results.store.store import Store

__all__ = ["agent_page", "compare_page", "games_page", "home_page", "league_page", "links", "part", "progress"]

_NAME: Final = 60
_NEWEST: Final = 20
_LEAGUES: Final = 100
_PAGE: Final = 100
#: Games that the page of an agent looks at for its slowest moves, and how many of these it shows.
_SEARCHED: Final = 200
_SLOWEST: Final = 10
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
    """Leagues, running games and the newest games."""
    text, found = visit.words, listed_leagues(store)[::-1]
    body = [
        '<main id="content">',
        f"<h1>{shown(store.path.name)}</h1>",
        *part("running", section(text["running_now"], running or [f"<p>{text['nothing_runs']}</p>"])),
        *part("leagues", section(text["leagues"], [_leagues(found[:_LEAGUES], visit)])),
        *part("newest", section(text["newest_games"], [_games(_newest(store, None, 0, _NEWEST), visit)])),
        "</main>",
    ]
    return framed(visit, text["home"], body)


def _leagues(found: Sequence[ListedLeague], visit: Visit) -> str:
    text = visit.words
    if not found:
        return f"<p>{text['no_leagues']}</p>"
    headers = [text[key] for key in ("name", "kind", "game", "entrants", "games", "state", "created")]
    rows = [
        [
            link("/league", shown(league.name, _NAME), name=league.name), league.kind, shown(league.game, 30),
            str(len(league.entrants)), _of(league), text[league.state], moment(league.created),
        ]
        for league in found
    ]  # fmt: skip
    return table(
        text["leagues"], headers, rows, words=[text[key] for key in ("name", "kind", "game", "state", "created")]
    )


def _of(league: ListedLeague) -> str:
    return str(league.games) if league.total is None else f"{league.games} / {max(league.games, league.total)}"


def progress(league: ListedLeague, visit: Visit) -> list[str]:
    """How many games are played, in words and as a bar."""
    text = visit.words
    line = f"<p>{text['progress']}: {_of(league)} {text['games']}, {text[league.state]}</p>"
    if not league.total:
        return [line]
    share = min(100.0, 100 * league.games / max(league.games, league.total))
    return [
        line,
        '<svg class="progress" aria-hidden="true"><rect class="all" width="100%" height="100%"/>'
        f'<rect class="done" width="{share:.1f}%" height="100%"/></svg>',
    ]


def league_page(store: Store, visit: Visit, name: str) -> str:
    """Standings, ratings, crosstable, faults and newest games of a league, and how far it is."""
    text, league = visit.words, store.known(name)
    exclusions = store.exclusions(name)
    faulty = [line_of(store.record(number), exclusions) for number in store.ids(name, faults=True)[-_FAULTS * 4 :]]
    report = Report(league=league, table=table_of(store, league), games=faulty, made=utc.stamp(utc.now()))
    body = [
        '<main id="content">',
        f"<h1>{shown(league.name)}</h1>",
        *part("progress", progress(listed_league(store, league), visit)),
        *part("report", report_sections(report, links(league))),
        *part("newest", section(text["newest_games"], [
            _games(_newest(store, name, 0, _NEWEST), visit),
            f"<p>{link('/games', text['all_games'], league=name)}</p>",
        ])),
        "</main>",
    ]  # fmt: skip
    return framed(visit, league.name, body)


def games_page(store: Store, visit: Visit, name: str | None, page: int) -> str:
    """The games of a league or of the whole file, newest first, some on each page."""
    text = visit.words
    numbers = store.ids(name)
    turns = []
    if page > 0:
        turns.append(link("/games", text["newer"], league=name, page=page - 1))
    if len(numbers) > (page + 1) * _PAGE:
        turns.append(link("/games", text["older"], league=name, page=page + 1))
    title = text["all_games"] if name is None else f"{name}: {text['all_games']}"
    lines = _newest(store, name, page * _PAGE, _PAGE)
    body = [
        '<main id="content">',
        f"<h1>{shown(title)}</h1>",
        _games(lines, visit),
        f"<p>{' '.join(turns)}</p>",
        "</main>",
    ]
    return framed(visit, title, body)


def _newest(store: Store, name: str | None, skipped: int, most: int) -> list[GameLine]:
    """Games without the `skipped` newest ones, newest first."""
    exclusions = store.exclusions(name)
    wanted = islice(reversed(store.ids(name)), skipped, skipped + most)
    return [line_of(store.record(number), exclusions) for number in wanted]


def _games(lines: Sequence[GameLine], visit: Visit) -> str:
    text = visit.words
    headers = [text[key] for key in ("record", "first", "result", "second", "reason", "turns")]
    rows = [
        [
            link(f"/game/{line.id}", str(line.id)), _agent(line.first), result_text(line.result), _agent(line.second),
            shown(line.reason if line.rule is None else f"{line.reason}: {line.rule}"), str(line.turns),
        ]
        for line in lines
    ]  # fmt: skip
    return table(text["games"], headers, rows, words=headers[1:5])


def _agent(name: str) -> str:
    return link("/agent", shown(name, _NAME), name=name)


def agent_page(store: Store, visit: Visit, name: str) -> str:
    """An agent in all leagues of the file: code, places, head to head, seats, slowest moves, faults."""
    text = visit.words
    numbers = store.ids(agent=name)
    joined = [league for league in store.leagues() if any(one.name == name for one in league.entrants)]
    leagues = [league for league in joined if league.kind != "web"]  # games on the site are not rated
    if not joined:
        raise BadEntrants(f"no league in this file has an entrant called {name!r}")
    pairs = [pair for league in leagues for pair in store.pairs(league.name) if name in (pair.first, pair.second)]
    recent = [store.record(number) for number in numbers[-_SEARCHED:]]
    body = [
        '<main id="content">',
        f"<h1>{shown(name)}</h1>",
        *section(text["in_leagues"], [_places(store, leagues, name, visit)]),
        *section(text["head_to_head"], [_opponents(pairs, name, visit)]),
        *section(text["by_seat"], [_seats(pairs, name, visit)]),
        *against_people(store, name, visit),
        *section(text["slowest"], [_slowest(recent, name, visit, store)]),
        *section(text["faults"], _faults(recent, name, visit)),
        *section(text["code"], _code(joined, name)),
        "</main>",
    ]
    return framed(visit, name, body)


def _places(store: Store, leagues: Sequence[League], name: str, visit: Visit) -> str:
    text = visit.words
    rows = []
    for league in leagues[: -_NEWEST - 1 : -1]:
        row = next(row for row in table_of(store, league).rows if row.agent == name)
        elo = "" if row.elo is None else f"{row.elo:+.0f} ± {row.elo_error or 0:.0f}"
        rows.append(
            [link("/league", shown(league.name, _NAME), name=league.name), str(row.rank), f"{row.points:.1f}",
             str(row.games), elo]
        )  # fmt: skip
    headers = [text["league"], text["rank"], text["points"], text["games"], "Elo"]
    return table(text["in_leagues"], headers, rows, words=[text["league"]])


def _counts(pairs: Sequence[PairCount], name: str) -> tuple[int, int, int]:
    """Games that `name` has won, drawn and lost."""
    won = sum(pair.wins if pair.first == name else pair.losses for pair in pairs)
    lost = sum(pair.losses if pair.first == name else pair.wins for pair in pairs)
    return won, sum(pair.draws for pair in pairs), lost


def _scored(label: str, counts: tuple[int, int, int]) -> list[str]:
    won, drawn, lost = counts
    games = won + drawn + lost
    score = f"{(won + drawn / 2) / games:.3f}" if games else ""
    return [label, str(games), str(won), str(drawn), str(lost), score]


def _results(title: str, rows: Sequence[Sequence[str]], visit: Visit) -> str:
    text = visit.words
    headers = [title, *(text[key] for key in ("games", "won", "drawn", "lost", "score"))]
    return table(title, headers, rows, words=[title])


def _opponents(pairs: Sequence[PairCount], name: str, visit: Visit) -> str:
    others = dict.fromkeys(pair.second if pair.first == name else pair.first for pair in pairs)
    rows = [
        _scored(
            link("/compare", shown(other, _NAME), one=name, two=other),
            _counts([pair for pair in pairs if other in (pair.first, pair.second)], name),
        )
        for other in others
    ]
    return _results(visit.words["opponent"], rows, visit)


def _seats(pairs: Sequence[PairCount], name: str, visit: Visit) -> str:
    text = visit.words
    firsts = [pair for pair in pairs if pair.first == name]
    seconds = [pair for pair in pairs if pair.second == name]
    rows = [_scored(text["first"], _counts(firsts, name)), _scored(text["second"], _counts(seconds, name))]
    return _results(text["seat"], rows, visit)


def _slowest(records: Sequence[GameRecord], name: str, visit: Visit, store: Store) -> str:
    text = visit.words
    clocks: dict[str, object] = {}
    found = []
    for record in records:
        if record.league not in clocks:
            clocks[record.league] = store.known(record.league).settings.get("clock")
        cost = cost_of(clocks[record.league])
        for turn, move in enumerate(record.moves, 1):
            player = record.first if seat_of(record, turn) == "first" else record.second
            if player.name == name and turn > len(record.opening):
                found.append((cost(move), record.id or 0, turn, move.text))
    rows = [
        [link(f"/game/{number}#turn-{turn}", str(number)), str(turn), shown(move, 64), f"{seconds:.3f} s"]
        for seconds, number, turn, move in sorted(found, reverse=True)[:_SLOWEST]
    ]
    headers = [text["record"], text["turn"], text["move"], text["time"]]
    return table(text["slowest"], headers, rows, words=[text["move"]])


def _faults(records: Sequence[GameRecord], name: str, visit: Visit) -> Iterator[str]:
    found = [
        (record, fault)
        for record in reversed(records)
        if (fault := record.fault) and (record.first if fault.player == "first" else record.second).name == name
    ]
    if not found:
        yield f"<p>{visit.words['no_faults']}</p>"
        return
    text = visit.words
    rows = [
        [
            link(f"/game/{record.id}#fault", str(record.id)), f"<code>{shown(fault.rule)}</code>",
            f'<span class="prose">{shown(what_happened(record), 400)}</span>',
        ]
        for record, fault in found[:_FAULTS]
    ]  # fmt: skip
    headers = [text["record"], text["rule"], text["happened"]]
    yield table(text["faults"], headers, rows, words=headers[1:])


def _code(leagues: Sequence[League], name: str) -> Iterator[str]:
    seen: dict[str, str] = {}
    for league in leagues:
        entrant = next(one for one in league.entrants if one.name == name)
        version = f", version {shown(entrant.version)}" if entrant.version else ""
        seen[entrant.hash] = f"{shown(entrant.agent)}{version}"
    yield from (f"<p>{agent}<br><code>{shown(hashed)}</code></p>" for hashed, agent in seen.items())


def compare_page(store: Store, visit: Visit, *, one: str, two: str, league: str | None) -> str:
    """All games of two agents, by seat, and how certain it is which one is better."""
    text = visit.words
    known = [store.known(league)] if league is not None else store.leagues()
    pairs = [pair for found in known for pair in store.pairs(found.name) if {pair.first, pair.second} == {one, two}]
    title = f"{one} - {two}"
    firsts, seconds = ([pair for pair in pairs if pair.first == name] for name in (one, two))
    rows = [
        _scored(f"{shown(one, _NAME)}: {text['first']}", _counts(firsts, one)),
        _scored(f"{shown(one, _NAME)}: {text['second']}", _counts(seconds, one)),
        _scored(shown(one, _NAME), _counts(pairs, one)),
    ]
    numbers = sorted(set(store.ids(league, agent=one)) & set(store.ids(league, agent=two)), reverse=True)
    exclusions = store.exclusions(league)
    lines = [line_of(store.record(number), exclusions) for number in numbers[:_PAGE]]
    body = [
        '<main id="content">',
        f"<h1>{_agent(one)} - {_agent(two)}</h1>",
        *_difference(store, league, one, two, visit),
        _results(text["compare"], rows, visit),
        *section(text["games"], [_games(lines, visit)]),
        "</main>",
    ]
    return framed(visit, title, body)


def _difference(store: Store, league: str | None, one: str, two: str, visit: Visit) -> Iterator[str]:
    if league is None:
        return
    ratings = table_of(store, store.known(league)).ratings
    if (found := ratings.difference(one, two)) is not None:
        yield f"<p>{visit.words['elo']}: {found.elo:+.0f} ± {found.error:.0f} (95 %), LOS {100 * found.los:.0f} %</p>"
