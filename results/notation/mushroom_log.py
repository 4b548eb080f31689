"""Games of Mushroom as official logs, and logs as games."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.base import WHITE, State, join_parameters, load
from games.errors import ArenaError
from games.mushroom import refusal
from results.errors import NotationError
from results.record import FaultRecord, GameRecord, Seat
from results.text import plain

__all__ = ["GAMES", "MushroomLog", "read", "write"]

#: The games that can be written as logs.
GAMES: Final = ("mushroom",)

_SEATS: Final[Sequence[Seat]] = ("first", "second")
#: Our rules with the official reason; for all other rules the official reason is `_NO_ANSWER`.
_REASONS: Final[Mapping[str, str]] = {"time": "TLE", "startup": "TLE"}
_NO_ANSWER: Final = "Parse failed"
_ANSWER: Final = re.compile(" ".join([r"(-?\d{1,9})"] * 4), re.ASCII)
_TURN: Final = re.compile(r"(FIRST|SECOND) (-?\d+ -?\d+ -?\d+ -?\d+) (\d{1,15})", re.ASCII)
_ABORT: Final = re.compile(r"ABORT ([01]) (.+)")


@dataclass(frozen=True, slots=True)
class MushroomLog:
    """One log: its board, its moves with their milliseconds, and the final state; `abort` is the reason of an abort."""

    start: str
    moves: tuple[str, ...]
    milliseconds: tuple[int, ...]
    result: str
    abort: str
    state: State


def write(record: GameRecord, *, excluded: str | None = None) -> str:
    """The record as an official log: the board as INIT, one line per move, then FINISH and the scores, or ABORT.

    ABORT 0 is a fault of first. If the game is excluded, the log starts with a comment line that gives the reason.
    """
    if record.game not in GAMES:
        raise NotationError(f"only {GAMES[0]} has logs, not {record.game}; use another format")
    rules = load(join_parameters(record.game, record.parameters))
    state = rules.position(record.start)
    board, side, passes = state.text.split()
    if set("AB") & set(board) or (side, passes) != ("A", "0"):
        raise NotationError("a log cannot start with owned cells, passes or second to move; use another format")
    lines = [f"# excluded: {plain(excluded)}"] if excluded is not None else []
    lines.append(f"INIT {board.replace('/', ' ')}")
    for made in record.moves:
        move = state.parse(made.text)
        lines.append(f"{_seat(state)} {move} {round(made.wall * 1000)}")
        state = state.forward(move)
    if record.fault is not None:
        lines.append(f"ABORT {_SEATS.index(record.fault.player)} {_reason(record.fault, state)}")
    else:
        lines += _finish(state)
    return "\n".join(lines) + "\n"


def read(text: str) -> list[MushroomLog]:
    """All games of a text, each starting at INIT; the result of an unfinished game is `*`."""
    found: list[MushroomLog] = []
    try:
        for lines in _games(text):
            found.append(_replayed(lines))  # noqa: PERF401 - the error counts them
    except ArenaError as error:
        raise NotationError(f"log {len(found) + 1} cannot be read: {plain(str(error))}") from error
    return found


def _reason(fault: FaultRecord, state: State) -> str:
    """The official judge's reason for this fault; for an illegal move it depends on the answer."""
    answer = _ANSWER.fullmatch(fault.evidence.get("answer", "")) if fault.rule == "illegal-move" else None
    if answer is None:
        return _REASONS.get(fault.rule, _NO_ANSWER)
    return refusal(state, [int(number) for number in answer.groups()])


def _seat(state: State) -> str:
    return "FIRST" if state.turn == WHITE else "SECOND"


def _finish(state: State) -> list[str]:
    board = state.text.split()[0]
    return ["FINISH", f"SCOREFIRST {board.count('A')}", f"SCORESECOND {board.count('B')}"]


def _games(text: str) -> Iterator[list[str]]:
    """The lines of each game, INIT first, without empty lines and comments."""
    lines: list[str] = []
    for line in (line.strip() for line in text.split("\n")):
        if line.startswith("INIT ") and lines:
            yield lines
            lines = []
        if line and not line.startswith("#"):
            lines.append(line)
    if lines:
        yield lines


def _replayed(lines: Sequence[str]) -> MushroomLog:
    word, *rows = lines[0].split()
    if word != "INIT" or not rows:
        raise NotationError(f"a log starts with INIT and the rows of the board, not with {lines[0][:40]!r}")
    rules = load(join_parameters("mushroom", {"rows": len(rows), "columns": len(rows[0])}))
    state = rules.position(f"{'/'.join(rows)} A 0")
    start = state.text
    turns = [turn for turn in itertools.takewhile(bool, map(_TURN.fullmatch, lines[1:])) if turn]
    for turn in turns:
        if turn[1] != _seat(state):
            raise NotationError(f"{turn[0]!r} is out of turn")
        state = state.forward(state.parse(turn[2]))
    result, abort = _ending(lines[1 + len(turns) :], state)
    return MushroomLog(
        start, tuple(turn[2] for turn in turns), tuple(int(turn[3]) for turn in turns), result, abort, state
    )


def _ending(lines: Sequence[str], state: State) -> tuple[str, str]:
    """The result, and the reason if the game was aborted."""
    if not lines:
        return "*", ""
    if len(lines) == 1 and (abort := _ABORT.fullmatch(lines[0])):
        return ("0-1" if abort[1] == "0" else "1-0"), abort[2]
    if list(lines) != _finish(state):
        raise NotationError(f"{'; '.join(lines)!r} does not agree with the moves")
    return {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[state.adjudicate().points(WHITE)], ""
