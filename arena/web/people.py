"""How people did against an agent on this site."""

from collections.abc import Iterator
from typing import Final

from agents.names import NAMES
from arena.web.shell import Visit, link
from results.pages.page import result_text, section, shown, table
from results.record import EntrantRecord, GameRecord
from results.store.store import Store

__all__ = ["against_people"]

#: The newest tables of the site that are looked at.
_MOST: Final = 500
_LISTED: Final = 10
#: Help with which a game says nothing about the agent.
_HELP: Final = ("hint", "undo")


def against_people(store: Store, name: str, visit: Visit) -> list[str]:
    """A section about the games of an agent against people; nothing if there are none."""
    games = list(_games(store, name))
    if not games:
        return []
    text = visit.words
    helped = [game for game in games if _is_helped(game)]
    counted = [game for game in games if not _is_helped(game)]
    scores = [_score(game, name) for game in counted]
    row = [str(len(counted)), *(str(scores.count(points)) for points in (1.0, 0.5, 0.0))]
    row += [f"{sum(scores) / len(scores):.3f}" if scores else "", str(len(helped))]
    headers = [text[key] for key in ("games", "won", "drawn", "lost", "score", "with_help")]
    links = (link(f"/game/{game.id}", f"{game.id} ({result_text(game.result)})") for game in games[:_LISTED])
    body = [table(text["against_people"], headers, [row]), f"<p>{' '.join(links)}</p>"]
    return section(text["against_people"], [*body, f'<p class="quiet">{shown(text["people_note"], 500)}</p>'])


def _games(store: Store, name: str) -> Iterator[GameRecord]:
    """Its games against people, newest first."""
    tables = [league for league in store.leagues() if league.kind == "web"]
    for league in tables[: -_MOST - 1 : -1]:
        if any(_is_person(one) for one in league.entrants) and any(one.name == name for one in league.entrants):
            yield from (store.record(number) for number in reversed(store.ids(league.name, agent=name)))


def _is_person(entrant: EntrantRecord) -> bool:
    return entrant.path == NAMES["human"]


def _is_helped(game: GameRecord) -> bool:
    return any(note.rule in _HELP for note in game.notes)


def _score(game: GameRecord, name: str) -> float:
    """What the agent scored."""
    first = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[game.result]
    return first if game.first.name == name else 1 - first
