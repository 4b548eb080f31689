"""Records of Go and Gomoku as SGF; `sgf_reading` takes them back."""

from typing import Final

from games.base import BLACK, WHITE, State, join_parameters, load
from results.errors import NotationError
from results.notation.sgf_reading import COLUMNS, GAMES, LETTERS, SgfGame, read
from results.notation.sgf_tree import escaped, lines
from results.record import GameRecord

__all__ = ["GAMES", "SgfGame", "read", "write"]

_RULES: Final = {"go": "Tromp-Taylor", "gomoku": "freestyle"}
_COLORS: Final = {BLACK: "B", WHITE: "W"}


def write(record: GameRecord, *, excluded: str | None = None) -> str:
    """The record as SGF; first is Black in all games that have it.

    The comment GC tells how it ended and, of a game that does not count, the reason. Two properties are our own and
    there only if they are not 0: XL, the turn limit, and XP, the passes in a row before the start.
    """
    if record.game not in GAMES:
        raise NotationError(f"{record.game} has no SGF; {' and '.join(GAMES)} have; use another format")
    rules = load(join_parameters(record.game, record.parameters))
    state = rules.position(record.start)
    root = _headers(record, excluded) | _setup(state)
    nodes = []
    for made in record.moves:
        move = state.parse(made.text)
        nodes.append({_COLORS[state.turn]: [_point(str(move), size=int(rules.parameters["size"]))]})
        state = state.forward(move)
    return "\n".join(lines(root, nodes)) + "\n"


def _headers(record: GameRecord, excluded: str | None) -> dict[str, list[str]]:
    fault = record.fault and f"{record.fault.player} {record.fault.rule}"
    known = {"reason": record.reason, "detail": record.detail, "fault": fault, "excluded": excluded}
    version = escaped(record.versions.get("arena", "?")).replace(":", r"\:")
    headers = {
        "FF": "4", "CA": "UTF-8", "AP": f"arena:{version}",
        "GM": GAMES[record.game], "SZ": str(record.parameters["size"]), "RU": _RULES[record.game],
        "EV": escaped(record.league), "RO": escaped(record.key), "PC": escaped(record.host),
        "PB": escaped(record.first.name), "PW": escaped(record.second.name), "DT": record.started[:10],
        "TM": f"{record.seconds:g}", "RE": _outcome(record),
        "GC": "\n".join(f"{name}: {escaped(text)}" for name, text in known.items() if text),
    }  # fmt: skip
    if record.game == "go":
        headers["KM"] = str(record.parameters["komi"])
    if limit := record.parameters.get("turns"):
        headers["XL"] = str(limit)
    return {name: [value] for name, value in headers.items()}


def _outcome(record: GameRecord) -> str:
    if record.result == "1/2-1/2":
        return "0"
    winner = "B" if record.result == "1-0" else "W"
    if record.fault is not None:
        return f"{winner}+{'T' if record.fault.rule == 'time' else 'F'}"
    margin = record.margin
    return f"{winner}+" if margin is None else f"{winner}+{abs(margin.first - margin.second):g}"


def _setup(state: State) -> dict[str, list[str]]:
    """The properties of a start that is not the empty board with Black to move."""
    board, side, *passes = state.text.split()
    placed: dict[str, list[str]] = {"X": [], "O": []}
    for y, row in enumerate(board.split("/")):
        for x, cell in enumerate(row):
            if cell in placed:
                placed[cell].append(LETTERS[x] + LETTERS[y])
    found = {"AB": placed["X"], "AW": placed["O"], "XP": [count for count in passes if count != "0"]}
    if found["AB"] or found["AW"] or side == "O":
        found["PL"] = ["B" if side == "X" else "W"]
    return {name: values for name, values in found.items() if values}


def _point(move: str, *, size: int) -> str:
    if move == "pass":
        return ""
    x, comma, y = move.partition(",")
    if comma:
        return LETTERS[int(x)] + LETTERS[int(y)]
    return LETTERS[COLUMNS.index(move[0])] + LETTERS[size - int(move[1:])]
