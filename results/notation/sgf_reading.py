"""SGF of Go and Gomoku as games with our endings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.base import Game, State, join_parameters, load
from games.errors import ArenaError
from results.errors import NotationError
from results.notation.sgf_tree import Node, main_lines
from results.text import plain

__all__ = ["COLUMNS", "GAMES", "LETTERS", "SgfGame", "read"]

#: The games that have SGF, with their number there (GM).
GAMES: Final[Mapping[str, str]] = {"go": "1", "gomoku": "4"}
#: What SGF calls the columns from the left and the rows from the top, and what our moves of Go call the columns.
LETTERS: Final = "abcdefghijklmnopqrs"
COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"

_SIDES: Final = {"B": "X", "W": "O"}
_RESULTS: Final = {"B+": "1-0", "W+": "0-1", "0": "1/2-1/2", "Dr": "1/2-1/2"}


@dataclass(frozen=True, slots=True)
class SgfGame:
    """One game of an SGF file: the properties of its root, its moves in our texts, and where they lead."""

    headers: Mapping[str, str]
    game: Game
    start: str
    moves: tuple[str, ...]
    result: str
    state: State


def read(text: str) -> list[SgfGame]:
    """All games of an SGF file, each along its main line; without RE, the result is * (not known)."""
    found: list[SgfGame] = []
    try:
        for nodes in main_lines(text):
            found.append(_replayed(nodes))  # noqa: PERF401 - the error counts them
    except (ValueError, ArenaError) as error:
        raise NotationError(f"game {len(found) + 1} of the SGF cannot be read: {plain(str(error))}") from error
    return found


def _replayed(nodes: Sequence[Node]) -> SgfGame:
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
    return SgfGame(headers, rules, start, tuple(moves), _RESULTS.get(headers.get("RE", "")[:2], "*"), state)


def _rules(headers: Mapping[str, str]) -> Game:
    number = headers.get("GM", GAMES["go"])
    names = {number: name for name, number in GAMES.items()}
    if number not in names:
        raise NotationError(f"GM is 1 (Go) or 4 (Gomoku), not {number!r}")
    parameters: dict[str, int | float] = {"size": int(headers.get("SZ", "19"))}
    if names[number] == "go":
        parameters |= {"komi": float(headers.get("KM", "0")), "turns": int(headers.get("XL", "0"))}
    return load(join_parameters(names[number], parameters))


def _made(nodes: Sequence[Node]) -> Iterator[tuple[str, str]]:
    """Every move as its colour and its point."""
    for number, node in enumerate(nodes):
        if number > 0 and {"AB", "AW", "AE"} & node.keys():
            raise NotationError("stones are set up in the middle of the game")
        for color in _SIDES:
            for point in node.get(color, ()):
                yield color, point


def _start(rules: Game, root: Node, *, side: str) -> State:
    size = int(rules.parameters["size"])
    rows = [["."] * size for _ in range(size)]
    for name, symbol in (("AB", "X"), ("AW", "O")):
        for x, y in _places(root.get(name, ()), size=size):
            rows[y][x] = symbol
    text = f"{'/'.join(map(''.join, rows))} {side}"
    return rules.position(f"{text} {root.get('XP', ['0'])[0]}" if rules.name == "go" else text)


def _places(points: Iterable[str], *, size: int) -> Iterator[tuple[int, int]]:
    """Column and row of each point, and of all points of a rectangle, which is written as two corners."""
    for point in points:
        (left, top), (right, bottom) = (_place(corner, size=size) for corner in (point[:2], point[-2:]))
        yield from ((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def _place(point: str, *, size: int) -> tuple[int, int]:
    found = tuple(map(LETTERS[:size].find, point))
    if len(found) != 2 or -1 in found:
        raise NotationError(f"there is no point {point!r} on this board")
    return found


def _move(rules: Game, point: str) -> str:
    size = int(rules.parameters["size"])
    if rules.name == "go" and point in ("", "tt"):  # tt: how a pass was written before FF[4]
        return "pass"
    x, y = _place(point, size=size)
    return f"{COLUMNS[x]}{size - y}" if rules.name == "go" else f"{x},{y}"
