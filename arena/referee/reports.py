"""What an agent says about its search, checked: legal moves, finite numbers and text are kept, the rest is dropped."""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from games.base import State
from games.errors import IllegalMove
from results.record import ClaimRecord
from results.text import plain

__all__ = ["AgentReport", "Claims", "EngineReports", "read_report"]

_LONGEST_LINE: Final = 64
_MOST_BRANCHES: Final = 100
_TEXT_CHARACTERS: Final = 500
_MOST: Final = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReport:
    """The agent's claim about its current move; `value` is the expected score of the side to move, from 0 to 1."""

    value: float | None = None
    line: tuple[str, ...] = ()
    visits: Mapping[str, int] = field(default_factory=dict)
    policy: Mapping[str, float] = field(default_factory=dict)
    tree: tuple[tuple[tuple[str, ...], int, float], ...] = ()
    nodes: int = 0
    depth: int = 0
    text: str = ""


#: A few less than the ten a second that are kept of an agent.
_SECONDS_BETWEEN: Final = 0.125


class EngineReports:
    """Passes on what an engine says about one move: a few reports a second, and always the last one."""

    def __init__(
        self, on_report: Callable[[AgentReport], None], state: State, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._on_report = on_report
        self._state = state
        self._now = now
        self._sent_at = -math.inf
        self._waiting: Mapping[str, object] | None = None

    def hear(self, thought: Mapping[str, object]) -> None:
        """What the engine says now; a newer thought replaces one that waits."""
        self._waiting = thought
        if self._now() >= self._sent_at + _SECONDS_BETWEEN:
            self.flush()

    def flush(self) -> None:
        """Pass on the thought that waits, if there is one."""
        thought, self._waiting = self._waiting, None
        if thought is not None:
            self._sent_at = self._now()
            if (report := _checked(thought, self._state)) is not None:
                self._on_report(report)


class Claims:
    """Collects the last report about every move of a game, for its record."""

    def __init__(self, *, turns: int) -> None:
        self._turns = turns
        self._last: dict[int, AgentReport] = {}

    def made(self, moves: int) -> None:
        """So many moves are made now."""
        self._turns = moves
        for turn in [turn for turn in self._last if turn > moves]:
            del self._last[turn]

    def hear(self, report: AgentReport) -> None:
        """What a player says about the move that it is about to make."""
        self._last[self._turns + 1] = report

    def records(self) -> tuple[ClaimRecord, ...]:
        """What is stored: of every report a small part."""
        return tuple(
            ClaimRecord.of(
                turn,
                value=report.value,
                depth=report.depth,
                nodes=report.nodes,
                line=report.line,
                weights=report.visits or report.policy,
                text=report.text,
            )
            for turn, report in sorted(self._last.items())
            if report.value is not None or report.nodes or report.line
        )


def read_report(payload: bytes, state: State) -> AgentReport | None:
    """The report of an agent that moves in this state; None if nothing of it can be read. Never raises."""
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return _checked(found, state) if isinstance(found, dict) else None


def _checked(found: Mapping[str, object], state: State) -> AgentReport | None:
    try:
        return _report(found, state)
    except Exception:  # noqa: BLE001 - an agent wrote it, and the game may be anybody's: nothing of it may fail us
        return None


def _report(found: Mapping[str, object], state: State) -> AgentReport:
    value, text = _share(found.get("value")), found.get("text")
    visits = {move: count for move, number in _by_move(found.get("visits"), state) if (count := _count(number))}
    policy = {move: share for move, number in _by_move(found.get("policy"), state) if (share := _share(number))}
    return AgentReport(
        value=value, line=_line(found.get("line"), state), visits=visits, policy=policy,
        tree=tuple(_branches(found.get("tree"), state)), nodes=_count(found.get("nodes")),
        depth=_count(found.get("depth")), text=plain(text, limit=_TEXT_CHARACTERS) if isinstance(text, str) else "",
    )  # fmt: skip


def _share(value: object) -> float | None:
    """A number from 0 to 1; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= 1 else None


def _count(value: object) -> int:
    """A whole number that is not negative; 0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return int(value) if 0 <= value <= _MOST else 0


def _line(moves: object, state: State) -> tuple[str, ...]:
    """The moves up to the first that is not legal."""
    made: list[str] = []
    for text in moves[:_LONGEST_LINE] if isinstance(moves, list) else ():
        try:
            move = state.parse(text)
            state = state.forward(move)
        except IllegalMove:
            break
        made.append(str(move))
    return tuple(made)


def _by_move(values: object, state: State) -> Iterator[tuple[str, object]]:
    """The values of legal moves."""
    legal = {str(move) for move in state.legal_moves}
    for move, value in values.items() if isinstance(values, dict) else ():
        if move in legal:
            yield move, value


def _branches(tree: object, state: State) -> Iterator[tuple[tuple[str, ...], int, float]]:
    for branch in tree[:_MOST_BRANCHES] if isinstance(tree, list) else ():
        if not isinstance(branch, list) or len(branch) != 3:
            continue
        line, value = _line(branch[0], state), _share(branch[2])
        if line and value is not None:
            yield line, _count(branch[1]), value
