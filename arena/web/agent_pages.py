"""The pages of an agent and of two agents compared."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.web.agent_facts import Against, AgentFacts, Difference, Pair, Tally, agent_facts, pair_facts
from arena.web.pages import agent_link, games_table, league_link
from arena.web.people import against_people
from arena.web.shell import Visit, framed, link
from results.pages.page import section, shown, table
from results.pages.plot import Mark, plot
from results.store.store import Store

__all__ = ["agent_page", "compare_page"]

_NAME: Final = 60
_GAMES: Final = 100
_LEAGUES: Final = 5
#: Opponents and versions; more would make a page too large.
_OPPONENTS: Final = 150


def agent_page(store: Store, visit: Visit, name: str) -> str:
    """An agent in all leagues of the file: code, places, head to head, seats, slowest moves, faults."""
    text, facts = visit.words, agent_facts(store, Submissions(home()), name)
    body = [
        '<main id="content">',
        f"<h1>{shown(name)}</h1>",
        *_summary(facts, visit),
        *section(text["in_leagues"], [_places(facts, visit)]),
        *section(text["head_to_head"], [_opponents(facts, visit)]),
        *section(text["by_seat"], [_seats(facts, visit)]),
        *against_people(store, name, visit),
        *section(text["faults"], _faults(facts, visit), name="faults"),
        *section(text["slowest"], _slowest(facts, visit)),
        *section(text["code"], [_codes(facts, visit)], name="code"),
        "</main>",
    ]
    return framed(visit, name, body)


def _summary(facts: AgentFacts, visit: Visit) -> Iterator[str]:
    text = visit.words
    newest = facts.codes[0]
    said = [shown(newest.agent)]
    if newest.version:
        said.append(f"{text['version']} {shown(newest.version)}")
    if newest.owner:
        said.append(f"{text['owner']}: {shown(newest.owner, _NAME)}")
    said.append(link("/games", text["its_games"], agent=facts.name))
    yield f"<p>{', '.join(said)}</p>"


def _places(facts: AgentFacts, visit: Visit) -> str:
    text = visit.words
    rows = [
        [
            league_link(place.league) + (f" <small>{shown(place.status)}</small>" if place.status else ""),
            str(place.rank), f"{place.points:.1f}", str(place.games),
            "" if place.elo is None else f"{place.elo:+.0f} ± {place.elo_error or 0:.0f}",
        ]
        for place in facts.places
    ]  # fmt: skip
    headers = [text["league"], text["rank"], text["points"], text["games"], "Elo"]
    return table(text["about_places"], headers, rows, words=[text["league"]])


def _tally(label: str, tally: Tally) -> list[str]:
    score = "" if tally.score is None else f"{tally.score:.3f} ± {tally.error or 0:.3f}"
    return [label, str(tally.games), str(tally.won), str(tally.drawn), str(tally.lost), score]


def _tallies(caption: str, title: str, rows: Sequence[Sequence[str]], visit: Visit) -> str:
    headers = [title, *(visit.words[key] for key in ("games", "won", "drawn", "lost", "score"))]
    return table(caption, headers, rows, words=[title])


def _opponents(facts: AgentFacts, visit: Visit) -> str:
    rows = [
        _tally(link("/compare", shown(one.opponent, _NAME), one=facts.name, two=one.opponent), one.tally)
        for one in facts.opponents[:_OPPONENTS]
    ]
    return _tallies(visit.words["about_opponents"], visit.words["opponent"], rows, visit)


def _seats(facts: AgentFacts, visit: Visit) -> str:
    text = visit.words
    rows = [_tally(text["first"], facts.first), _tally(text["second"], facts.second)]
    return _tallies(text["about_scores"], text["seat"], rows, visit)


def _slowest(facts: AgentFacts, visit: Visit) -> Iterator[str]:
    text = visit.words
    if not facts.slowest:
        yield f"<p>{text['no_moves']}</p>"
        return
    rows = [
        [
            link(f"/game/{one.id}#turn-{one.turn}", str(one.id)),
            str(one.turn),
            shown(one.move, 64),
            f"{one.seconds:.3f} s",
        ]
        for one in facts.slowest
    ]
    headers = [text["record"], text["turn"], text["move"], text["time"]]
    yield table(text["about_slowest"], headers, rows, words=[text["move"]])


def _faults(facts: AgentFacts, visit: Visit) -> Iterator[str]:
    text = visit.words
    if not facts.faults:
        yield f"<p>{text['no_faults']}</p>"
        return
    rows = [
        [
            link(f"/game/{one.record}#fault", str(one.record)), f"<code>{shown(one.rule)}</code>",
            f'<span class="prose">{shown(one.happened, 400)}</span>',
        ]
        for one in facts.faults
    ]  # fmt: skip
    headers = [text["record"], text["rule"], text["happened"]]
    yield table(text["about_faults"], headers, rows, words=headers[1:])


def _codes(facts: AgentFacts, visit: Visit) -> str:
    text = visit.words
    rows = [
        [
            shown(code.agent), shown(code.version), shown(code.owner, _NAME),
            f'<code class="prose">{shown(code.hash)}</code>',
            ", ".join(map(league_link, code.leagues[:_LEAGUES])) + (" …" if len(code.leagues) > _LEAGUES else ""),
        ]
        for code in facts.codes[:_OPPONENTS]
    ]  # fmt: skip
    headers = [text[key] for key in ("agent", "version", "owner", "hash", "in_leagues")]
    return table(text["about_code"], headers, rows, words=headers)


def compare_page(store: Store, visit: Visit, *, one: str, two: str, league: str | None) -> str:
    """All games of two agents, by seat, and how certain it is which one is better."""
    text, facts = visit.words, pair_facts(store, one=one, two=two, league=league)
    newest = store.newest(league, agent=one, opponent=two, limit=_GAMES)
    lines = store.lines(newest.numbers)[::-1]
    rows = [
        _tally(f"{shown(one, _NAME)}: {text['first']}", facts.as_first),
        _tally(f"{shown(one, _NAME)}: {text['second']}", facts.as_second),
        _tally(shown(one, _NAME), facts.all),
    ]
    body = [
        '<main id="content">',
        f"<h1>{agent_link(one)} - {agent_link(two)}</h1>",
        *([f"<p>{text['league']}: {league_link(league)}</p>"] if league is not None else []),
        _tallies(text["about_scores"], text["seat"], rows, visit),
        *section(text["elo"], _differences(facts, visit), name="elo"),
        *(section(text["shared_opponents"], [_shared(facts, visit)]) if facts.shared else []),
        *section(text["newest_games"], [games_table(lines, visit)]),
        "</main>",
    ]
    return framed(visit, f"{one} - {two}", body)


def _differences(facts: Pair, visit: Visit) -> Iterator[str]:
    text, found = visit.words, facts.differences
    if not found:
        yield f"<p>{text['not_rated']}</p>"
        return
    if len(found) > 1:
        yield plot([Mark(one.league, one.elo, one.error) for one in found], title=text["elo"])
    rows = [
        [
            league_link(one.league), f"{one.elo:+.0f} ± {one.error:.0f}", f"{100 * one.los:.0f} %",
            f'<span class="prose">{_settling(one, visit)}</span>',
        ]
        for one in found
    ]  # fmt: skip
    headers = [text["league"], "Elo", "LOS", text["more_games"]]
    yield table(text["about_elo"], headers, rows, words=[headers[0], headers[-1]])


def _settling(one: Difference, visit: Visit) -> str:
    if one.settled:
        return visit.words["settled"]
    return visit.words["thousands"] if one.more_games is None else f"{one.more_games:,}"


def _shared(facts: Pair, visit: Visit) -> str:
    def score(found: Against) -> str:
        tally = found.tally
        return "" if tally.score is None else f"{tally.score:.3f} ± {tally.error or 0:.3f} ({tally.games})"

    headers = [visit.words["opponent"], shown(facts.one, _NAME), shown(facts.two, _NAME)]
    if headers[1] == headers[2]:
        headers[2] += " "
    rows = [[agent_link(one.opponent), score(one), score(two)] for one, two in facts.shared]
    return table(visit.words["about_shared"], headers, rows, words=[headers[0]])
