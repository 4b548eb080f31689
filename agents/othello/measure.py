"""Measures the Othello searches: `python -P -m agents.othello.measure ordering|selfplay|endgames`.

`ordering`: nodes per move of alpha-beta against itself, by the order of moves. `selfplay`: the same without ordering,
as an earlier study counted it. `endgames`: random endings solved exactly. In the first two a depth counts the turns
after the chosen move, as in that study; the option `depth` of the agents is one more.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from agents.othello.classic import DISCS, EVERYWHERE, MAP_B, AlphaBeta, Choice, Minimax, Ordering, empty_squares
from agents.othello.patterns import Weights, bundled
from agents.othello.player import native
from agents.othello.strong import PythonPatternSearch
from games.base import BLACK, WHITE
from games.othello import Othello, OthelloState

__all__ = ["Table", "endgames", "ending", "main", "opening", "ordering", "selfplay"]

_ORDERINGS: Final[tuple[Ordering, ...]] = ("none", "position", "intuition")
#: The figures of the earlier study by depth: discs of Black and White, nodes per move of Black and White.
_STUDIED: Final = {
    3: (45, 19, 1_289, 1_262), 4: (39, 25, 4_631, 4_628), 5: (42, 22, 20_127, 19_892), 6: (30, 34, 119_032, 139_211),
    7: (15, 49, 258_919, 285_770), 8: (29, 35, 656_178, 1_192_426), 9: (36, 28, 4_475_585, 4_564_706),
}  # fmt: skip
#: With at most this many empty squares an ending is also searched without pruning.
_FULL: Final = 10
_OPENING_TURNS: Final = 6
_DEEPEST: Final = 60

Cell: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Figures in rows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def json(self) -> str:
        """One object: columns and rows."""
        return json.dumps({"columns": list(self.columns), "rows": [list(row) for row in self.rows]})

    def __str__(self) -> str:
        lines = [list(self.columns), *([str(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        )


def ordering(depths: Iterable[int], *, games: int, seed: int) -> Table:
    """Nodes per move for each ordering, at the root only and everywhere. Games after the first have random openings."""
    rows = list[Sequence[Cell]]()
    for depth in depths:
        least = 0.0
        for order in _ORDERINGS:
            for ordered in (EVERYWHERE,) if order == "none" else (1, EVERYWHERE):
                moves, nodes, presearch = _played(depth, order, ordered, games=games, seed=seed)
                least = least or nodes / moves
                where = "-" if order == "none" else "root" if ordered == 1 else "everywhere"
                rows.append((
                    depth, order, where, moves, round(nodes / moves), round((nodes - presearch) / moves),
                    round(nodes / moves / least, 3),
                ))  # fmt: skip
    columns = ("depth", "ordering", "where", "moves", "nodes", "nodes without pre-search", "nodes to none")
    return Table(columns, rows)


def _played(depth: int, order: Ordering, ordered: int, *, games: int, seed: int) -> tuple[int, int, int]:
    """Moves, nodes and nodes of pre-searches in games of alpha-beta against itself."""
    moves = nodes = presearch = 0
    for number in range(games):
        state = opening(seed + number) if number else Othello().start()
        while not state.is_game_over():
            if state.legal_moves == ("pass",):
                state = state.forward("pass")
                continue
            choice = _chosen(state, depth + 1, order, ordered)
            moves, nodes, presearch = moves + 1, nodes + choice.nodes, presearch + choice.presearch
            state = state.forward(choice.move)
    return moves, nodes, presearch


def _chosen(state: OthelloState, depth: int, order: Ordering, ordered: int) -> Choice:
    core = native()
    if core is None:
        return AlphaBeta(MAP_B, order, ordered).choice(state, depth)
    return Choice(*core.alphabeta(state.text, MAP_B.weights, depth=depth, ordering=order, ordered=ordered))


def opening(seed: int) -> OthelloState:
    """A position after six random moves."""
    rng, state = random.Random(seed), Othello().start()
    for _ in range(_OPENING_TURNS):
        state = state.forward(rng.choice(state.legal_moves))
    return state


def selfplay(depths: Iterable[int]) -> Table:
    """One game of alpha-beta with map B against itself for each depth, compared with the earlier study."""
    rows = list[Sequence[Cell]]()
    for depth in depths:
        figures = _figures(depth)
        studied = _STUDIED.get(depth)
        rows.append((depth, *figures, None if studied is None else figures == studied))
    return Table(("depth", "black", "white", "nodes black", "nodes white", "as studied"), rows)


def _figures(depth: int) -> tuple[int, int, int, int]:
    state: OthelloState = Othello().start()
    nodes, moves = {BLACK: 0, WHITE: 0}, {BLACK: 0, WHITE: 0}
    while not state.is_game_over():
        if state.legal_moves == ("pass",):
            state = state.forward("pass")
            continue
        choice = _chosen(state, depth + 1, "none", 0)
        nodes[state.turn] += choice.nodes
        moves[state.turn] += 1
        state = state.forward(choice.move)
    black, white = ((2 * nodes[color] + moves[color]) // (2 * moves[color]) for color in (BLACK, WHITE))
    return state.black.bit_count(), state.white.bit_count(), black, white


def endgames(*, empties: int, positions: int, seed: int) -> Table:
    """Random endings: the lead of the side to move after best play, and that of a full search of short endings."""
    core = native()
    strong = None if core is None else core.Strong(bundled())
    rows = list[Sequence[Cell]]()
    for number in range(positions):
        state = ending(empties, seed + number)
        began = time.process_time()
        if strong is None:
            plain = PythonPatternSearch(Weights(bundled()))
            lead, nodes = plain.solve(state), plain.nodes
        else:
            strong.forget()
            lead, nodes = strong.solve(state.text)
        seconds = round(time.process_time() - began, 4)
        rows.append((number, state.text, lead, nodes, seconds, _searched_in_full(state) if empties <= _FULL else None))
    return Table(("number", "position", "lead", "nodes", "CPU seconds", "full search"), rows)


def ending(empties: int, seed: int) -> OthelloState:
    """A position with so many empty squares, reached by random moves; there is a square to take."""
    rng = random.Random(seed)
    while True:
        state: OthelloState = Othello().start()
        while not state.is_game_over() and empty_squares(state) > empties:
            state = state.forward(rng.choice(state.legal_moves))
        if not state.is_game_over() and state.legal_moves != ("pass",):
            return state


def _searched_in_full(state: OthelloState) -> int:
    core, depth = native(), 2 * empty_squares(state)  # at most one pass for every move
    if core is None:
        return Minimax(DISCS).choice(state, depth).value
    value: int = core.minimax(state.text, DISCS.weights, depth=depth)[1]
    return value


def _depths(text: str) -> list[int]:
    """`3..9` or `5,6,7`."""
    read = _number(1, _DEEPEST)
    low, dots, high = text.partition("..")
    return list(range(read(low), read(high) + 1)) if dots else [read(depth) for depth in text.split(",")]


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text[:9]) <= most:
            raise argparse.ArgumentTypeError(f"must be numbers from {least} to {most}")
        return int(text)

    return read


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -P -m agents.othello.measure", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    by_order, by_depth, ends = (commands.add_parser(name) for name in ("ordering", "selfplay", "endgames"))
    by_order.add_argument("--depths", type=_depths, default=[5, 6, 7, 8])
    games = by_order.add_argument("--games", type=_number(1, 10_000), default=1)
    games.help = "number of games: the first from the start, the others from random openings"
    by_depth.add_argument("--depths", type=_depths, default=[3, 4, 5, 6, 7, 8, 9])
    ends.add_argument("--empties", type=_number(1, 30), default=14)
    ends.add_argument("--positions", type=_number(1, 10_000), default=20)
    for command in (by_order, ends):
        command.add_argument("--seed", type=int, default=2026)
    for command in (by_order, by_depth, ends):
        command.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    options = _options(arguments)
    if options.command == "ordering":
        table = ordering(options.depths, games=options.games, seed=options.seed)
    elif options.command == "selfplay":
        table = selfplay(options.depths)
    else:
        table = endgames(empties=options.empties, positions=options.positions, seed=options.seed)
    sys.stdout.write(f"{table.json() if options.json else table}\n")


if __name__ == "__main__":
    main()
