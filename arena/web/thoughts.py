"""What an agent claims about its search, as data for the browser: value, line, candidates, tree, marks on the board."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.referee.reports import AgentReport
from games.base import Color, Move, State
from results.notation.replay import BROKEN
from results.pages.boards import film
from results.pages.thoughts import marks_of
from results.text import plain

__all__ = ["first_value", "marks_by_share", "thought_of", "written"]

_MARKED: Final = 5
_CANDIDATES: Final = 10
_LINE: Final = 16


def written(state: State, move: Move) -> str:
    """A move as people write it, in chess in algebraic notation."""
    san = getattr(state, "san", None)
    return plain(str(move) if san is None else str(san(move)), 64)


def first_value(value: float | None, state: State, *, first: Color) -> float | None:
    """A claim of the side to move as the expected score of first."""
    return value if value is None or state.turn == first else 1 - value


def marks_by_share(state: State, weights: Mapping[str, float]) -> list[tuple[list[int], float]]:
    """The moves with the greatest weights as marks on the board."""
    whole = sum(weights.values()) or 1.0
    best = sorted(weights.items(), key=lambda item: -item[1])[:_MARKED]
    return marks_of(state, [(move, weight / whole) for move, weight in best])


def thought_of(state: State, report: AgentReport, *, first: Color, seconds: float) -> dict[str, object]:
    """A report about this state, heard after so many seconds of thinking. Values are scores of first, from 0 to 1."""
    moves, states = _line(state, report.line)
    shots = film(states, moves)
    marks = {"visits": marks_by_share(state, report.visits), "policy": marks_by_share(state, report.policy)}
    if not any(marks.values()) and moves:  # such as alpha-beta: its line begins with the only candidate that it names
        marks["visits"] = marks_of(state, [(str(moves[0]), 1.0)])
    return {
        "value": first_value(report.value, state, first=first),
        "depth": report.depth,
        "nodes": report.nodes,
        "speed": round(report.nodes / seconds) if seconds > 0 else 0,
        "line": [written(before, move) for before, move in zip(states, moves, strict=False)],
        "film": None if shots is None else shots.as_dict(),
        "candidates": _candidates(state, report, first=first),
        "tree": _tree(state, report, first=first),
        "marks": marks,
        "text": plain(report.text, 300),
    }


def _line(state: State, line: Sequence[str]) -> tuple[list[Move], list[State]]:
    moves: list[Move] = []
    states = [state]
    for text in line[:_LINE]:
        try:
            move = states[-1].parse(text)
            states.append(states[-1].forward(move))
        except BROKEN:
            break
        moves.append(move)
    return moves, states


def _candidates(state: State, report: AgentReport, *, first: Color) -> list[dict[str, object]]:
    """The moves that were looked at most, with whatever is known about each."""
    values = {line[0]: value for line, _, value in report.tree if len(line) == 1}
    whole = sum(report.visits.values()) or 1
    ranked = sorted({**report.policy, **report.visits}, key=lambda move: _weight(report, move), reverse=True)
    return [
        {
            "move": _written(state, move),
            "visits": report.visits.get(move),
            "share": round(report.visits.get(move, 0) / whole, 4),
            "policy": report.policy.get(move),
            "value": first_value(values.get(move), state, first=first),
        }
        for move in ranked[:_CANDIDATES]
    ]


def _weight(report: AgentReport, move: str) -> tuple[float, float]:
    return report.visits.get(move, 0), report.policy.get(move, 0.0)


def _written(state: State, text: str) -> str:
    try:
        return written(state, state.parse(text))
    except BROKEN:
        return plain(text, 64)


def _tree(state: State, report: AgentReport, *, first: Color) -> list[dict[str, object]]:
    """The moves of the tree, each with its answers."""
    found: dict[str, dict[str, object]] = {}
    answers: dict[str, list[dict[str, object]]] = {}
    for line, visits, value in report.tree:
        node = {"visits": visits, "value": first_value(value, state, first=first), "key": " ".join(line)}
        if len(line) == 1:
            found[line[0]] = {"move": _written(state, line[0]), **node, "answers": answers.setdefault(line[0], [])}
        elif len(line) == 2:
            after = _after(state, line[0])
            text = plain(line[1], 64) if after is None else _written(after, line[1])
            answers.setdefault(line[0], []).append({"move": text, **node})
    return list(found.values())


def _after(state: State, text: str) -> State | None:
    try:
        return state.forward(state.parse(text))
    except BROKEN:
        return None
