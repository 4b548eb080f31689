"""Facts that files before schema 3 kept only as text: the margin of a game, the phase and the turn of a fault.

This is the only code that reads them back from text, and only the migration to schema 3 calls it.
"""

import ast
import json
import re
import sqlite3
from typing import Final

from games.base import Margin

__all__ = ["fill_facts", "illegal_answer", "margin_of", "phase_of"]

_COUNTS: Final = re.compile(r"(material|discs|cells) (\d+)-(\d+)", re.ASCII)
#: Go: the area of first, the area of second, and the komi that second gets on top of it.
_AREA: Final = re.compile(r"area (\d+)-(\d+)([+-]\d+(?:\.\d+)?)", re.ASCII)
_PHASE: Final = r"(load|reset|act|close)"
_SUFFIX: Final = re.compile(rf" \(in {_PHASE}\)$")
#: Details that name the phase elsewhere, with the rules that had them. Details of other rules may quote an agent.
_INSIDE: Final = (
    (("time", "startup"), re.compile(rf"no answer from {_PHASE} in time")),
    (("exit",), re.compile(rf"its process ended in {_PHASE}: .*", re.DOTALL)),
    (("protocol",), re.compile(rf"answered {_PHASE} with the wrong kind of message")),
)
_ANSWER: Final = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"): """)

_GAMES: Final = "SELECT id, detail FROM record WHERE detail <> ''"
_SET_MARGIN: Final = "UPDATE record SET margin_first = ?, margin_second = ?, margin_unit = ? WHERE id = ?"
_FAULTS: Final = """
    SELECT id, fault_rule, fault_detail, fault_evidence, CASE WHEN json_valid(moves) THEN json_array_length(moves) END
    FROM record WHERE fault_player IS NOT NULL
"""
_SET_FAULT: Final = """
    UPDATE record SET fault_detail = ?, fault_evidence = ?, fault_phase = ?, fault_turn = ? WHERE id = ?
"""
_NOTES: Final = "SELECT id, notes FROM record WHERE notes <> '[]'"
_SET_NOTES: Final = "UPDATE record SET notes = ? WHERE id = ?"


def fill_facts(connection: sqlite3.Connection) -> None:
    """Fill the columns of schema 3 for the games that are stored, and take the phase out of the text."""
    for number, detail in connection.execute(_GAMES).fetchall():
        if (margin := margin_of(detail)) is not None:
            connection.execute(_SET_MARGIN, (margin.first, margin.second, margin.unit, number))
    for number, rule, detail, evidence, moves in connection.execute(_FAULTS).fetchall():
        phase, kept = phase_of(rule, detail)
        turn = moves + 1 if phase == "act" and moves is not None else None
        connection.execute(_SET_FAULT, (kept, _with_answer(rule, kept, evidence), phase, turn, number))
    for number, notes in connection.execute(_NOTES).fetchall():
        if (named := _named(notes)) is not None:
            connection.execute(_SET_NOTES, (named, number))


def margin_of(detail: str) -> Margin | None:
    """What a game's detail says was counted.

    >>> margin_of("material 16-7"), margin_of("area 14-8+7.5")
    (Margin(first=16.0, second=7.0, unit='material'), Margin(first=14.0, second=15.5, unit='points'))
    """
    if counts := _COUNTS.fullmatch(detail):
        return Margin(float(counts[2]), float(counts[3]), counts[1])
    if area := _AREA.fullmatch(detail):
        return Margin(float(area[1]), float(area[2]) + float(area[3]), "points")
    return None


def phase_of(rule: str, detail: str) -> tuple[str, str]:
    """The phase of a fault, and its detail without the suffix that named it.

    >>> phase_of("exception", "ValueError: no (in reset)")
    ('reset', 'ValueError: no')
    """
    if suffix := _SUFFIX.search(detail):
        return suffix[1], detail[: suffix.start()]
    for rules, pattern in _INSIDE:
        if rule in rules and (found := pattern.fullmatch(detail)):
            return found[1], detail
    return ("load" if rule == "startup" else "act"), detail


def illegal_answer(detail: str) -> str | None:
    """The answer that the detail of an illegal move quotes; None if it quotes none."""
    quoted = _ANSWER.match(detail)
    try:
        answer = ast.literal_eval(quoted[1]) if quoted else None
    except (ValueError, SyntaxError):
        return None
    return answer if isinstance(answer, str) else None


def _with_answer(rule: str, detail: str, evidence: str) -> str:
    answer = illegal_answer(detail) if rule == "illegal-move" else None
    try:
        known = json.loads(evidence)
    except ValueError:
        return evidence  # damaged: reading the record says so
    return evidence if answer is None or not isinstance(known, dict) else _json({**known, "answer": answer})


def _named(notes: str) -> str | None:
    """The notes as objects; None if they are damaged, which reading the record reports."""
    try:
        return _json([_note(*note) for note in json.loads(notes)])
    except (ValueError, TypeError):
        return None


def _note(player: str, rule: str, detail: str, evidence: object) -> dict[str, object]:
    phase, kept = phase_of(rule, detail)
    # The turn of a note is not known: the game went on after it.
    return {"player": player, "rule": rule, "detail": kept, "evidence": evidence, "phase": phase, "turn": None}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
