"""Explains why a game ended, for readers who do not know the rules. Pure functions."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agents.seat import RULES
from arena.process.charge import Charge, charged
from results.league import League
from results.notation.json_form import JsonObject
from results.pages.page import Page, standalone
from results.record import FaultRecord, GameRecord, MoveRecord, Seat
from results.text import counted, plain

if TYPE_CHECKING:
    from results.pages.replay_page import Part

__all__ = ["REASONS", "Explanation", "cost_of", "explain", "explained", "explained_page", "length", "what_happened"]

#: Endings without a fault: the phrase that follows the names of the players.
REASONS: Final[Mapping[str, str]] = {
    "checkmate": "by checkmate",
    "stalemate": "because the player to move had no legal move and was not in check (stalemate)",
    "insufficient-material": "because neither side had enough pieces left to give checkmate",
    "fifty-turns": "because nothing was captured and no pawn moved for fifty turns",
    "seventyfive-moves": "because nothing was captured and no pawn moved for seventy-five moves of each side",
    "repetition": "because the same position came up for the fifth time",
    "turn-limit": "because the turn limit was reached",
    "adjudication": "because the game was stopped and judged as it stood",
    "discs": "because neither player could move and the discs were counted",
    "five": "by five in a row",
    "adjudicated": "because of the values that the players reported",
    "resignation": "because the other player gave up",
    "full-board": "because the board was full",
    "passes": "because both players passed",
}

#: How a process ended, for readers who do not know signals; keys are details of the fault `exit`.
_ENDINGS: Final = {
    "signal SIGSEGV": "it crashed: it used memory that does not belong to it",
    "signal SIGKILL": "it was killed",
    "signal SIGABRT": "it was aborted after an error in a library",
    "signal SIGSYS": "it made a system call that no player may make",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The verdict in one sentence, and what else is known. All text is safe to show."""

    summary: str
    rule: str = ""
    meaning: str = ""
    player: str = ""
    seat: Seat | None = None
    #: Its how many-th own move was requested, and which turn of the game that was; None while it started.
    move: int | None = None
    turn: int | None = None
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
                "phase": "start" if _is_starting(fault) else "move",
                "move": self.move,
                "turn": self.turn,
                "evidence": dict(self.evidence),
            },
            "notes": list(self.notes),
            "sandbox": record.sandbox,
            "excluded": self.excluded,
        }

    def text(self) -> str:
        """The summary, the rule, the evidence and the notes, one paragraph each."""
        lines = [self.summary]
        if self.excluded is not None:
            lines += ["", f"The game does not count; it is excluded: {self.excluded}"]
        if self.rule:
            lines += ["", f"The rule `{self.rule}` is broken by a player that {self.meaning}; it loses the game."]
        lines += ["", *_numbers(self.evidence)] if _numbers(self.evidence) else []
        for key, title in (
            ("traceback", "Traceback:"),
            ("stack", "It was running, innermost first:"),
            ("stderr", "What it printed last:"),
        ):
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
        summary=f"{name} lost record{number} by breaking the rule `{plain(fault.rule)}`: {what_happened(record)}.",
        rule=plain(fault.rule), meaning=RULES.get(fault.rule, "broke a rule of a later version of arena"),
        player=name, seat=fault.player, move=_move(record, fault), turn=_turn(record, fault),
        evidence=_evidence(record, fault), notes=notes, excluded=because,
    )  # fmt: skip


def explained_page(record: GameRecord, league: League | None, *, excluded: str | None = None) -> str:
    """The replay page of a record as one file; see `explained`."""
    return standalone(explained(record, league, excluded=excluded))


def explained(
    record: GameRecord, league: League | None, *, excluded: str | None = None, part: "Part | None" = None
) -> Page:
    """The replay page of a record, or of a part, with its explanation, and with clocks as its league charged them."""
    from results.pages.replay_page import replay_content

    return replay_content(record, cost=cost_of(league), summary=explain(record).summary, excluded=excluded, part=part)


def cost_of(league: League | None) -> Callable[[MoveRecord], float]:
    """What a move costs on the clock of this league, in seconds."""
    clock = league.settings.get("clock") if league is not None else None
    charge: Charge = "fair" if clock == "fair" else "cpu" if clock == "cpu" else "wall"
    return lambda move: charged(charge, wall=move.wall, cpu=move.cpu, wait=move.wait)


def length(record: GameRecord) -> str:
    """How long the game was: `1 turn`, `20 turns`."""
    return counted(record.turns, "turn")


def what_happened(record: GameRecord) -> str:
    """What the player that lost by a fault did, and when: half a sentence with `it` or `its` for the player.

    Records of earlier versions may lack the illegal answer or its position; the sentence then quotes the detail.
    """
    fault = record.fault
    assert fault is not None
    what = plain(fault.detail, limit=400).removesuffix(".")
    when = _when(record, fault)
    match fault.rule:
        case "time" | "startup":
            return f"{_too_slow(record, fault, what, when)}{_running(fault)}"
        case "exit":
            return f"its process ended{when} ({_ENDINGS.get(what, what)})"
        case "exception" if "no_agent" in fault.evidence:
            return f"there is no agent to start: {what}"
        case "exception":
            return f"{when.lstrip()} it raised {what}" if when else f"it raised {what}"
        case "memory":
            return f"it asked for more memory than it was given{when}"
        case "illegal-move":
            return _illegal_move(fault, what, when)
        case "protocol" if "refused" in fault.evidence:
            return f"{when.lstrip()} it {what}: it plays by other rules" if when else f"it {what}"
        case "pondering" if (move := _move(record, fault)) is not None:
            return f"it {what}, before its {_ordinal(move)} move"
        case "file":
            return f"it {what}{when}; it may read only the files of its own folder, as in open('weights.bin')"
        case _:
            return f"it {what}{when}"


def _too_slow(record: GameRecord, fault: FaultRecord, what: str, when: str) -> str:
    if fault.rule == "startup":
        return "it took too long to start (import, constructor and reset together)"
    own = f"{record.seconds:g} s" if record.control is None else f"time ({record.control.words})"
    return f"it {what}{when}" if "waited" in fault.evidence else f"it used up its {own}{when}"


def _running(fault: FaultRecord) -> str:
    """What the player was running when its time was over, if that is known."""
    return f", at {plain(fault.evidence['line'], limit=300)}" if "line" in fault.evidence else ""


def _illegal_move(fault: FaultRecord, what: str, when: str) -> str:
    if "answer" not in fault.evidence:
        return f"its answer{when} was not a legal move ({what})"
    known = {key: plain(fault.evidence.get(key, ""), limit=200) for key in ("answer", "position", "expected", "reason")}
    reason = f"({known['reason'] or what})"
    if known["expected"]:
        return f"it answered '{known['answer']}'{when}, where {known['expected']}, was expected {reason}"
    where = f"in {known['position']}" if known["position"] else reason
    legal = plain(fault.evidence.get("legal", ""), limit=200)
    hint = f"; legal are for example {legal}" if legal else ""
    return f"it answered '{known['answer']}'{when}, which is not a legal move {where}{hint}"


def _is_starting(fault: FaultRecord) -> bool:
    return fault.phase in ("load", "reset")


def _when(record: GameRecord, fault: FaultRecord) -> str:
    """When the fault happened, with a space before it; empty if that is not known."""
    if _is_starting(fault):
        return " while starting"
    if fault.phase == "close":
        return " while closing"
    move = _move(record, fault)
    return "" if move is None else f" in its {_ordinal(move)} move"


def _evidence(record: GameRecord, fault: FaultRecord) -> dict[str, str]:
    printed = record.output_first if fault.player == "first" else record.output_second
    known = {"stderr": printed, **fault.evidence}
    return {key: plain(text, limit=16_000, multiline=True) for key, text in known.items() if text}


def _turn(record: GameRecord, fault: FaultRecord) -> int | None:
    """The turn for which a move was requested, where that is known; a fault in `act` ends the game."""
    if fault.turn is None and fault is record.fault and fault.phase == "act":
        return record.turns + 1
    return fault.turn


def _move(record: GameRecord, fault: FaultRecord) -> int | None:
    """The number, from 1, of the player's own move that was requested; moves of the opening are not its own."""
    turn = _turn(record, fault)
    if turn is None:
        return None
    offset = 0 if fault.player == record.mover else 1
    return len(range(offset, turn - 1, 2)) - len(range(offset, len(record.opening), 2)) + 1


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
        what, when = plain(note.detail, limit=300), _when(record, note)
        broken = what if note.is_help else f"broke {note.rule!r} ({what}){when}"
        yield f"Noted, without a penalty: {_name(record, note.player)} {broken}."
    if record.sandbox == "none":
        yield "The players were trusted: they could use files, networks and processes."
    elif record.sandbox == "reduced":
        yield "The Linux kernel of that machine confines players less well than newer ones (sandbox: reduced)."


def _numbers(evidence: Mapping[str, str]) -> list[str]:
    """The measurements, one a line; values that are not numbers are left out."""
    lines = []
    for key, title in (("cpu", "CPU time of its process"), ("wall", "Waited for this answer")):
        if (seconds := _number(evidence.get(key, ""))) is not None:
            lines.append(f"{title + ':':<26}{seconds:.2f} s")
    if (size := _number(evidence.get("peak_memory", ""))) is not None:
        lines.append(f"{'Peak memory:':<26}{size / 1e6:.0f} MB")
    return lines


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _name(record: GameRecord, seat: Seat) -> str:
    return plain((record.first if seat == "first" else record.second).name, limit=60)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
