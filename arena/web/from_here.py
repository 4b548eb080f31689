"""A position of a stored game, as the start of something else: a new game, or an analysis."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from agents.names import NAMES
from arena.web.shell import Visit
from results.pages.page import section
from results.record import GameRecord
from results.store.store import Store

__all__ = ["has_person", "stored_position", "ways_on"]


def stored_position(db: Path, form: Mapping[str, str]) -> tuple[GameRecord, int] | None:
    """The stored game that a form names, and after which of its turns; None if it names none."""
    number, turn = form.get("record", ""), form.get("turn", "")
    if not number.isdecimal() or len(number) > 15:
        return None
    with Store.read(db) as store:
        record = store.record(int(number))
    given = int(turn) if turn.isdecimal() and len(turn) < 7 else record.turns
    return record, min(given, record.turns)


def has_person(record: GameRecord) -> bool:
    """Whether a person played; such a game cannot be played again."""
    return NAMES["human"] in (record.first.path, record.second.path)


def ways_on(record: GameRecord, visit: Visit) -> list[str]:
    """What can be done with a position of a replay, as a form; the script of the replay fills in its turn."""
    return section(visit.words["from_this_game"], _form(record, visit))


def _form(record: GameRecord, visit: Visit) -> Iterator[str]:
    text = visit.words
    yield '<form method="get" action="/analysis">'
    yield f'<input type="hidden" name="record" value="{record.id}">'
    yield f'<label for="from-turn">{text["after_turn"]}</label>'
    yield f'<input id="from-turn" name="turn" type="number" min="0" max="{record.turns}" value="{record.turns}">'
    yield f"<button>{text['analyse']}</button>"
    yield f'<button formaction="/play">{text["continue_here"]}</button>'
    yield "</form>"
    if has_person(record):
        return
    yield '<form method="post" action="/rerun">'
    yield f'<input type="hidden" name="record" value="{record.id}">'
    yield f"<button>{text['play_again']}</button>"
    yield "</form>"
