"""Games of Othello as transcripts (`f5d6c3…`, a pass is `--`), and transcripts as games."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from games.base import Game, State, load
from games.errors import ArenaError
from results.errors import NotationError
from results.notation.read_game import ReadGame
from results.record import GameRecord
from results.text import plain

__all__ = ["GAMES", "read", "write"]

#: The games that can be written as transcripts.
GAMES: Final = ("othello",)

_PASSING: Final = "--"
_TAG: Final = re.compile(r'\[([A-Za-z]\w*) "((?:[^"\\]|\\.)*+)"\]')
_MOVE: Final = re.compile(r"\s*+([a-h][1-8]|--)", re.IGNORECASE)


def write(record: GameRecord, *, excluded: str | None = None) -> str:
    """The record as tags, as in PGN, and one line of moves; first is Black, and 1-0 means that first won.

    The tag Start is written only for another start position, Excluded only for an excluded game.
    """
    if record.game not in GAMES:
        raise NotationError(f"only {GAMES[0]} has transcripts, not {record.game}; use another format")
    rules = load(record.game)
    state = rules.position(record.start)
    start, moves = state.text, []
    for made in record.moves:
        move = state.parse(made.text)
        state = state.forward(move)
        moves.append(_PASSING if move == "pass" else str(move))
    tags = {
        "Event": record.league, "Site": record.host, "Date": record.started[:10].replace("-", "."),
        "Round": record.key, "First": record.first.name, "Second": record.second.name, "Result": record.result,
        "Reason": record.reason, "Detail": record.detail,
        "Fault": f"{record.fault.player} {record.fault.rule}" if record.fault is not None else "",
        "Start": start if start != rules.start().text else "", "Excluded": excluded or "",
    }  # fmt: skip
    lines = (f'[{name} "{_escaped(text)}"]' for name, text in tags.items() if text)
    return "\n".join([*lines, "".join(moves)]) + "\n"


def read(text: str) -> list[ReadGame]:
    """All games of a text, with or without tags: a line of moves ends a game, and so does an empty line after tags.

    Many programs do not write passes; these are added. Without the tag Result, the result is that of the final state,
    or `*` if the game is not over.
    """
    found: list[ReadGame] = []
    try:
        for tags, moves in _games(text):
            found.append(_replayed(tags, moves))
    except ArenaError as error:
        raise NotationError(f"transcript {len(found) + 1} cannot be read: {plain(str(error))}") from error
    return found


def _escaped(text: str) -> str:
    return plain(text).replace("\\", r"\\").replace('"', r"\"")


def _games(text: str) -> Iterator[tuple[dict[str, str], str]]:
    tags: dict[str, str] = {}
    # Not splitlines: it also splits at characters that a name may contain.
    for line in [*text.split("\n"), ""]:
        stripped = line.strip()
        if tag := _TAG.fullmatch(stripped):
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif stripped or tags:
            yield tags, stripped
            tags = {}


def _replayed(tags: Mapping[str, str], line: str) -> ReadGame:
    rules = load("othello")
    state = rules.position(tags["Start"]) if "Start" in tags else rules.start()
    start, moves = state.text, []
    for text in _texts(line):
        if text != "pass" and tuple(state.legal_moves) == ("pass",):
            state = state.forward("pass")
            moves.append("pass")
        move = state.parse(text)
        state = state.forward(move)
        moves.append(str(move))
    return ReadGame(tags, rules, start, tuple(moves), tags.get("Result") or _result(rules, state), state)


def _texts(line: str) -> Iterator[str]:
    at = 0
    while at < len(line):
        move = _MOVE.match(line, at)
        if move is None:
            raise NotationError(f"not a move: {line[at : at + 40]!r}")
        at = move.end()
        yield "pass" if move[1] == _PASSING else move[1]


def _result(rules: Game, state: State) -> str:
    if state.ending is None:
        return "*"
    return {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[state.ending.points(rules.first)]
