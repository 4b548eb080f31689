"""Games of Go and Gomoku as SGF, and SGF as games with our endings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from games.base import BLACK, WHITE, Game, State, join_parameters, load
from games.errors import ArenaError
from results.errors import NotationError
from results.notation.read_game import ReadGame
from results.record import GameRecord
from results.text import plain

__all__ = ["GAMES", "read", "write"]

#: The games that can be written as SGF, with their number in SGF (GM).
GAMES: Final[Mapping[str, str]] = {"go": "1", "gomoku": "4"}
#: SGF names columns from the left and rows from the top by these letters; our moves of Go name columns by the second.
_LETTERS: Final = "abcdefghijklmnopqrst"
_COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"

_SIDES: Final = {"B": "X", "W": "O"}
_RESULTS: Final = {"B+": "1-0", "W+": "0-1", "0": "1/2-1/2", "Dr": "1/2-1/2"}
#: The names of rule sets of Go in which suicide is legal; the first is what we write. All others forbid it.
_WITH_SUICIDE: Final = ("Tromp-Taylor", "NZ", "GOE")
_WITHOUT_SUICIDE: Final = "Chinese"
_COLORS: Final = {BLACK: "B", WHITE: "W"}

#: Properties by name, each with its values.
_Node: TypeAlias = Mapping[str, Sequence[str]]

_TOKEN: Final = re.compile(r"\s*+(?:([();])|([A-Z]+)|\[((?:[^\]\\]|\\.)*+)\])", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_NODES_A_LINE: Final = 10


def write(record: GameRecord, *, excluded: str | None = None) -> str:
    """The record as SGF; first is Black.

    The comment GC holds the ending and, if the game is excluded, the reason. Two properties are our own and written
    only if they are not 0: XL, the turn limit, and XP, the passes in a row before the start.
    """
    if record.game not in GAMES:
        raise NotationError(f"only {' and '.join(GAMES)} have SGF, not {record.game}; use another format")
    rules = load(join_parameters(record.game, record.parameters))
    state = rules.position(record.start)
    root = _headers(record, excluded) | _setup(state)
    nodes = []
    for made in record.moves:
        move = state.parse(made.text)
        nodes.append({_COLORS[state.turn]: [_point(str(move), size=int(rules.parameters["size"]))]})
        state = state.forward(move)
    return "\n".join(_lines(root, nodes)) + "\n"


def _headers(record: GameRecord, excluded: str | None) -> dict[str, list[str]]:
    fault = record.fault and f"{record.fault.player} {record.fault.rule}"
    known = {"reason": record.reason, "detail": record.detail, "fault": fault, "excluded": excluded}
    version = _escaped(record.versions.get("arena", "?")).replace(":", r"\:")
    headers = {
        "FF": "4", "CA": "UTF-8", "AP": f"arena:{version}",
        "GM": GAMES[record.game], "SZ": str(record.parameters["size"]), "RU": _rule_set(record),
        "EV": _escaped(record.league), "RO": _escaped(record.key), "PC": _escaped(record.host),
        "PB": _escaped(record.first.name), "PW": _escaped(record.second.name), "DT": record.started[:10],
        "TM": f"{record.seconds:g}", "RE": _outcome(record),
        "GC": "\n".join(f"{name}: {_escaped(text)}" for name, text in known.items() if text),
    }  # fmt: skip
    if record.game == "go":
        headers["KM"] = str(record.parameters["komi"])
    if record.control is not None:
        headers["OT"] = record.control.words
    if limit := record.parameters.get("turns"):
        headers["XL"] = str(limit)
    return {name: [value] for name, value in headers.items()}


def _rule_set(record: GameRecord) -> str:
    if record.game != "go":
        return "freestyle"
    return _WITH_SUICIDE[0] if record.parameters.get("suicide") == "yes" else _WITHOUT_SUICIDE


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
                placed[cell].append(_LETTERS[x] + _LETTERS[y])
    found = {"AB": placed["X"], "AW": placed["O"], "XP": [count for count in passes if count != "0"]}
    if found["AB"] or found["AW"] or side == "O":
        found["PL"] = ["B" if side == "X" else "W"]
    return {name: values for name, values in found.items() if values}


def _point(move: str, *, size: int) -> str:
    if move == "pass":
        return ""
    x, comma, y = move.partition(",")
    if comma:
        return _LETTERS[int(x)] + _LETTERS[int(y)]
    return _LETTERS[_COLUMNS.index(move[0])] + _LETTERS[size - int(move[1:])]


def read(text: str) -> list[ReadGame]:
    """All games of an SGF file, each along its main line; the result is `*` if there is no RE."""
    found: list[ReadGame] = []
    try:
        for nodes in _main_lines(text):
            found.append(_replayed(nodes))  # noqa: PERF401 - the error counts them
    except (ValueError, ArenaError) as error:
        raise NotationError(f"game {len(found) + 1} of the SGF cannot be read: {plain(str(error))}") from error
    return found


def _replayed(nodes: Sequence[_Node]) -> ReadGame:
    root = nodes[0] if nodes else {}
    headers = {name: values[0] for name, values in root.items() if values}
    rules = _rules(headers)
    made = list(_made(nodes))
    side = headers.get("PL") or next((color for color, _ in made), "B")
    state = _start(rules, root, side=_SIDES.get(side[:1].upper(), side))
    start, moves = state.text, []
    for color, point in made:
        if _SIDES[color] != state.text.split()[1]:
            raise NotationError(f"{color}[{point}] is out of turn")
        move = state.parse(_move(rules, point))
        state = state.forward(move)
        moves.append(str(move))
    return ReadGame(headers, rules, start, tuple(moves), _RESULTS.get(headers.get("RE", "")[:2], "*"), state)


def _rules(headers: Mapping[str, str]) -> Game:
    number = headers.get("GM", GAMES["go"])
    names = {number: name for name, number in GAMES.items()}
    if number not in names:
        raise NotationError(f"GM is 1 (Go) or 4 (Gomoku), not {number!r}")
    parameters: dict[str, int | float | str] = {"size": int(headers.get("SZ", "19"))}
    if names[number] == "go":
        parameters |= {"komi": float(headers.get("KM", "0")), "turns": int(headers.get("XL", "0"))}
        parameters["suicide"] = "yes" if headers.get("RU") in _WITH_SUICIDE else "no"
    return load(join_parameters(names[number], parameters))


def _made(nodes: Sequence[_Node]) -> Iterator[tuple[str, str]]:
    """Every move as its colour and its point."""
    for number, node in enumerate(nodes):
        if number > 0 and {"AB", "AW", "AE"} & node.keys():
            raise NotationError("stones are set up in the middle of the game")
        for color in _SIDES:
            for point in node.get(color, ()):
                yield color, point


def _start(rules: Game, root: _Node, *, side: str) -> State:
    size = int(rules.parameters["size"])
    rows = [["."] * size for _ in range(size)]
    for name, symbol in (("AB", "X"), ("AW", "O")):
        for x, y in _places(root.get(name, ()), size=size):
            rows[y][x] = symbol
    text = f"{'/'.join(map(''.join, rows))} {side}"
    return rules.position(f"{text} {root.get('XP', ['0'])[0]}" if rules.name == "go" else text)


def _places(points: Iterable[str], *, size: int) -> Iterator[tuple[int, int]]:
    """Column and row of each point; a rectangle, written as two corners, gives all its points."""
    for point in points:
        (left, top), (right, bottom) = (_place(corner, size=size) for corner in (point[:2], point[-2:]))
        yield from ((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def _place(point: str, *, size: int) -> tuple[int, int]:
    found = tuple(map(_LETTERS[:size].find, point))
    if len(found) != 2 or -1 in found:
        raise NotationError(f"there is no point {point!r} on this board")
    return found


def _move(rules: Game, point: str) -> str:
    size = int(rules.parameters["size"])
    if rules.name == "go" and point in ("", "tt"):  # tt: how a pass was written before FF[4]
        return "pass"
    x, y = _place(point, size=size)
    return f"{_COLUMNS[x]}{size - y}" if rules.name == "go" else f"{x},{y}"


def _escaped(text: str) -> str:
    r"""Untrusted text, escaped for a value.

    >>> _escaped(r"x];B[aa]\\")
    'x\\];B[aa\\]\\\\\\\\'
    """
    return plain(text).replace("\\", r"\\").replace("]", r"\]")


def _lines(root: _Node, moves: Sequence[_Node]) -> Iterator[str]:
    """The lines of a game without variations; the values must be escaped already."""
    yield "(;" + "\n".join(_properties(root))
    for at in range(0, len(moves), _NODES_A_LINE):
        yield "".join(f";{''.join(_properties(node))}" for node in moves[at : at + _NODES_A_LINE])
    yield ")"


def _main_lines(text: str) -> Iterator[list[_Node]]:
    """The nodes of the main line of each game: all nodes before the first closing bracket."""
    nodes: list[dict[str, list[str]]] = []
    values: list[str] | None = None
    depth, is_main = 0, True
    for mark, name, value in _tokens(text.strip()):
        if (depth == 0 and mark != "(") or (name and not nodes) or (value is not None and values is None):
            raise NotationError(f"unexpected {mark or name or 'value'}")
        if mark is not None:
            values = None
            depth += {"(": 1, ";": 0, ")": -1}[mark]
            is_main = is_main and mark != ")"
            if mark == ";" and is_main:
                nodes.append({})
            if depth == 0:
                yield list(nodes)
                nodes, is_main = [], True
        elif name is not None:
            values = nodes[-1].setdefault(name, []) if is_main else []
        elif value is not None and values is not None:
            values.append(_ESCAPE.sub(_unescaped, value))
    if depth > 0:
        raise NotationError("the text ends inside a game")


def _properties(node: _Node) -> Iterator[str]:
    for name, values in node.items():
        yield name + "".join(f"[{value}]" for value in values)


def _tokens(text: str) -> Iterator[tuple[str | None, str | None, str | None]]:
    """The tokens: each is a bracket or semicolon, the name of a property, or a value; the other two are None."""
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotationError(f"this is not SGF: {text[at : at + 40]!r}")
        yield token[1], token[2], token[3]
        at = token.end()


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1][0] in "\r\n" else found[1]
