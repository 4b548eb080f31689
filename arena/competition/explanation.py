"""Why a game ended, in words that somebody who never read the rules understands. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agents.seat import RULES
from results.notation.json_form import JsonObject
from results.record import FaultRecord, GameRecord, Seat
from results.text import plain

__all__ = ["REASONS", "Explanation", "explain", "length", "what_happened"]

#: Endings that are nobody's fault: what to say of each after the names of the players.
REASONS: Final[Mapping[str, str]] = {
    "checkmate": "by checkmate",
    "stalemate": "because the player to move had no legal move and was not in check (stalemate)",
    "insufficient-material": "because neither side had enough pieces left to give checkmate",
    "fifty-turns": "because nothing was captured and no pawn moved for fifty turns",
    "seventyfive-moves": "because nothing was captured and no pawn moved for seventy-five moves of each side",
    "repetition": "because the same position came up for the fifth time",
    "turn-limit": "because the turn limit was reached",
    "adjudication": "because the game was stopped and judged as it stood",
    "discs": "because nobody could move any more, and the discs were counted",
    "five": "by five in a row",
    "full-board": "because the board was full",
    "passes": "because both players passed",
}

_VERB: Final = re.compile(r" \(in (load|reset|act|close)\)$")
_VERB_INSIDE: Final = re.compile(r"\b(?:from|in|answered) (load|reset|act|close)\b")
_NO_AGENT: Final = "agents.child.NoAgent: "
_SIGNALS: Final = {
    "SIGSEGV": "it crashed: it touched memory that is not its own",
    "SIGKILL": "it was killed",
    "SIGABRT": "it gave up after an error in a library",
    "SIGSYS": "it made a call that no player may make",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A verdict in one sentence, and what is known beside it. All text is safe to show."""

    summary: str
    rule: str = ""
    meaning: str = ""
    player: str = ""
    seat: Seat | None = None
    #: Which of its own moves it was asked for; 0 while it started.
    move: int = 0
    turn: int = 0
    evidence: Mapping[str, str]
    notes: tuple[str, ...] = ()
    #: Why the game does not count; None if it does.
    excluded: str | None = None

    def as_json(self, record: GameRecord) -> JsonObject:
        """What `arena why --json` prints."""
        fault = record.fault
        return {
            "record": record.id,
            "league": record.league,
            "summary": self.summary,
            "result": record.result,
            "reason": record.reason,
            "fault": fault
            and {
                "player": self.seat,
                "agent": self.player,
                "rule": self.rule,
                "meaning": self.meaning,
                "detail": plain(fault.detail, limit=500),
                "phase": "move" if self.move else "start",
                "move": self.move or None,
                "turn": self.turn if self.move else None,
                "evidence": dict(self.evidence),
            },
            "notes": list(self.notes),
            "sandbox": record.sandbox,
            "excluded": self.excluded,
        }

    def text(self) -> str:
        """Sentence, rule, evidence and notes, a paragraph each."""
        lines = [self.summary]
        if self.excluded is not None:
            lines += ["", f"The game does not count, it is excluded: {self.excluded}"]
        if self.rule:
            lines += ["", f"The rule `{self.rule}` is broken by a player that {self.meaning}; it loses the game."]
        lines += ["", *_numbers(self.evidence)] if _numbers(self.evidence) else []
        for key, title in (("traceback", "Traceback:"), ("stderr", "What it printed last:")):
            if shown := self.evidence.get(key, "").strip("\n"):
                lines += ["", title, *(f"  {line}" for line in shown.splitlines())]
        if refused := self.evidence.get("denied"):
            lines += ["", "Refused before that, without a penalty:", *(f"  {line}" for line in refused.splitlines())]
        lines += ["", *self.notes] if self.notes else []
        return "\n".join(lines)


def explain(record: GameRecord, *, excluded: str | None = None) -> Explanation:
    """Why this game ended as it did, and why it does not count if it is excluded."""
    notes, because = tuple(_notes(record)), None if excluded is None else plain(excluded, limit=500)
    fault = record.fault
    if fault is None:
        return Explanation(summary=_ended(record), evidence={}, notes=notes, excluded=because)
    name = _name(record, fault.player)
    number = f" {record.id}" if record.id is not None else ""
    return Explanation(
        summary=f"{name} lost record{number} by breaking the rule `{fault.rule}`: {what_happened(record)}.",
        rule=fault.rule, meaning=RULES.get(fault.rule, "broke a rule of a later version of the arena"),
        player=name, seat=fault.player, move=_move(record, fault), turn=record.turns + 1,
        evidence=_evidence(record, fault), notes=notes, excluded=because,
    )  # fmt: skip


def length(record: GameRecord) -> str:
    """How long the game was: `1 turn`, `20 turns`."""
    return "1 turn" if record.turns == 1 else f"{record.turns} turns"


def what_happened(record: GameRecord) -> str:
    """What the player that lost by a fault did, and when: half a sentence that starts with `it` or `its`."""
    fault = record.fault
    assert fault is not None
    move = _move(record, fault)
    when = f"in its {_ordinal(move)} move" if move else "while starting"
    what = plain(_VERB.sub("", fault.detail), limit=400).removesuffix(".")
    if fault.rule == "time":
        return f"it used up its {record.seconds:g} s {when}"
    if fault.rule == "startup":
        return "it took too long to start (import, constructor and reset together)"
    if fault.rule == "exit":
        how = what.rpartition(": ")[2]
        signal = how.removeprefix("signal ")
        return f"its process ended {when} ({_SIGNALS.get(signal, how)})"
    if fault.rule == "exception":
        if what.startswith(_NO_AGENT):
            return f"there is no agent to start: {what.removeprefix(_NO_AGENT)}"
        return f"it raised {what} {when}"
    if fault.rule == "memory":
        return f"it asked for more memory than it was given {when}"
    if fault.rule == "illegal-move":
        answer, _, position = what.rpartition(" is not a legal move in ")
        return f"it answered {answer.rpartition(': ')[2]} {when}, which is not a legal move in {position}"
    if fault.rule == "pondering":
        return f"it {what}, before {when.removeprefix('in ')}"
    return f"it {what} {when}"


def _evidence(record: GameRecord, fault: FaultRecord) -> dict[str, str]:
    printed = record.output_first if fault.player == "first" else record.output_second
    known = {"stderr": printed, **fault.evidence}
    return {key: plain(text, limit=16_000, multiline=True) for key, text in known.items() if text}


def _move(record: GameRecord, fault: FaultRecord) -> int:
    """Which of its own moves it was asked for (those of the opening are not its own); 0 while it started."""
    found = _VERB.search(fault.detail)
    if found is None and fault.rule in {"startup", "time", "exit", "protocol"}:  # details that are all our own words
        found = _VERB_INSIDE.search(fault.detail)
    if fault.rule == "startup" or (found is not None and found[1] in {"load", "reset"}):
        return 0
    offset = 0 if fault.player == record.mover else 1
    return len(range(offset, record.turns, 2)) - len(range(offset, len(record.opening), 2)) + 1


def _ended(record: GameRecord) -> str:
    first, second = _name(record, "first"), _name(record, "second")
    why = REASONS.get(record.reason, f"({plain(record.reason, limit=60)})")
    detail = f" ({plain(record.detail, limit=80)})" if record.detail else ""
    who = {
        "1-0": f"{first} beat {second}",
        "0-1": f"{second} beat {first}",
        "1/2-1/2": f"{first} and {second} drew",
    }[record.result]
    number = f" {record.id}" if record.id is not None else ""
    return f"Nobody broke a rule in record{number}: {who} {why}{detail} after {length(record)}."


def _notes(record: GameRecord) -> Iterator[str]:
    for note in record.notes:
        what = plain(_VERB.sub("", note.detail), limit=300)
        yield f"Noted, without a penalty: {_name(record, note.player)} broke {note.rule!r} ({what})."
    if record.sandbox == "none":
        yield "The players were trusted: nothing kept them from files, networks or processes."
    elif record.sandbox == "reduced":
        yield "The Linux kernel of that machine confines players less well than newer ones (sandbox: reduced)."


def _numbers(evidence: Mapping[str, str]) -> list[str]:
    """Measurements, a line each; what is no number is left out."""
    lines = []
    for key, title in (("cpu", "CPU time of its process"), ("wall", "Waited for this answer")):
        if re.fullmatch(r"\d+(\.\d+)?", evidence.get(key, "")):
            lines.append(f"{title + ':':<26}{float(evidence[key]):.2f} s")
    if evidence.get("peak_memory", "").isdecimal():
        lines.append(f"{'Peak memory:':<26}{int(evidence['peak_memory']) / 1e6:.0f} MB")
    return lines


def _name(record: GameRecord, seat: Seat) -> str:
    return plain((record.first if seat == "first" else record.second).name, limit=60)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
