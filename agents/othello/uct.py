"""UCT for Othello, with and without RAVE, over every kind of playout: the native search and its Python twin."""

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import Final, TypeAlias

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import Form, Limits, Report, Visits
from agents.core.native import at_most
from agents.othello.classic import MAP_B, AlphaBeta, square
from games.base import WHITE, Color
from games.othello import OthelloState

__all__ = [
    "PLAYOUTS", "NativeOthelloUct", "OthelloUctSettings", "OthelloUctTree", "Playout", "PythonOthelloUct",
    "Xoshiro", "uct_report",
]  # fmt: skip

_WORD: Final = (1 << 64) - 1
#: The number of moves of an adaptive playout that are searched.
_SEARCHED_MOVES: Final = 10
#: Added to the weights of map B, so that even the worst square has a chance: 1/126 of the chance of a corner.
_CHANCE: Final = 26
#: A move and the side that made it.
_Step: TypeAlias = tuple[Color, str]
_PASS: Final = ("pass",)


@dataclass(frozen=True, slots=True, kw_only=True)
class OthelloUctSettings:
    """How much is explored, how playouts choose moves, and up to how many visits RAVE counts; 0 turns RAVE off."""

    playout: str = "random"
    c: float = 1.4
    rave: float = 0.0


class NativeOthelloUct:
    """The native search."""

    form: Form = "kernel"

    def __init__(self, native: ModuleType, settings: OthelloUctSettings) -> None:
        self._native = native
        self._settings = settings

    def search(self, state: OthelloState, limits: Limits) -> Report:
        """The most visited move."""
        settings = self._settings
        simulations, moves = self._native.uct(
            state.text,
            playout=settings.playout,
            simulations=at_most(limits.simulations),
            c=settings.c,
            rave=settings.rave,
            seed=limits.seed,
            seconds=limits.seconds,
        )
        return uct_report(state, tuple(Visits(*move) for move in moves), nodes=simulations, form="kernel")


class PythonOthelloUct:
    """The search in Python: it specifies the native search, and plays where that cannot."""

    form: Form = "python"

    def __init__(self, settings: OthelloUctSettings, *, now: Clock = time.monotonic) -> None:
        self._settings = settings
        self._now = now

    def search(self, state: OthelloState, limits: Limits) -> Report:
        """The most visited move."""
        settings, deadline = self._settings, Deadline(limits.seconds, now=self._now)
        random_numbers = Xoshiro(limits.seed)
        tree = OthelloUctTree(
            state, PLAYOUTS[settings.playout], random_numbers, settings.c, settings.rave, deadline.check
        )
        with contextlib.suppress(OutOfTime):
            while limits.simulations is None or tree.root.visits < limits.simulations:
                tree.simulate()
        visits = tuple(Visits(node.move, node.visits, node.mean) for node in tree.ranked())
        return uct_report(state, visits, nodes=tree.root.visits, form="python")


def uct_report(state: OthelloState, visits: tuple[Visits, ...], *, nodes: int, form: Form) -> Report:
    """The report of a search; without any simulation it holds the first legal move."""
    visits = visits or (Visits(state.legal_moves[0], 0, 0.0),)
    best = visits[0]
    return Report(move=best.move, form=form, nodes=nodes, score=best.mean, pv=(best.move,), visits=visits)


class Xoshiro:
    """The random numbers of the native searches (xoshiro256++), so that both forms play the same moves."""

    def __init__(self, seed: int) -> None:
        self._words = [_mixed(seed + turn * 0x9E3779B97F4A7C15 & _WORD) for turn in range(1, 5)]

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        return (self._next() >> 32) * limit >> 32

    def _next(self) -> int:
        words = self._words
        answer = _rotated(words[0] + words[3] & _WORD, 23) + words[0] & _WORD
        shifted = words[1] << 17 & _WORD
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= shifted
        words[3] = _rotated(words[3], 45)
        return answer


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _WORD


def _mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


#: The move to play in a state, given the number of moves this playout has made.
Playout: TypeAlias = Callable[[OthelloState, int, Xoshiro], str]


def _random(state: OthelloState, made: int, random_numbers: Xoshiro) -> str:  # noqa: ARG001
    moves = state.legal_moves
    return moves[random_numbers.below(len(moves))]


def _light(state: OthelloState, made: int, random_numbers: Xoshiro) -> str:  # noqa: ARG001
    """Roulette: the better the square, the greater its chance."""
    moves = state.legal_moves
    weights = [MAP_B.weights[square(move)] + _CHANCE for move in moves]
    drawn = random_numbers.below(sum(weights))
    for move, weight in zip(moves, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return move
    raise AssertionError


def _heavy(state: OthelloState, made: int, random_numbers: Xoshiro) -> str:  # noqa: ARG001
    return _best(state, 2, random_numbers)


def _adaptive(state: OthelloState, made: int, random_numbers: Xoshiro) -> str:
    return _best(state, 1, random_numbers) if made < _SEARCHED_MOVES else _random(state, made, random_numbers)


def _combined(state: OthelloState, made: int, random_numbers: Xoshiro) -> str:
    return _best(state, 1, random_numbers) if made < _SEARCHED_MOVES else _light(state, made, random_numbers)


def _best(state: OthelloState, depth: int, random_numbers: Xoshiro) -> str:
    """The best move by map B in a search of this depth; equally good moves are equally likely."""
    best, top, equals = "", -math.inf, 0
    search = AlphaBeta(MAP_B)
    for move in state.legal_moves:
        value = -search.value(state.forward(move), depth - 1, -math.inf, math.inf, turn=1)
        equals = 1 if value > top else equals + (value == top)
        if value > top or (value == top and random_numbers.below(equals) == 0):
            best, top = move, value
    return best


#: The values of the option `playout`. They are never called when the only move is a pass.
PLAYOUTS: Final[Mapping[str, Playout]] = MappingProxyType(
    {"random": _random, "light": _light, "heavy": _heavy, "adaptive": _adaptive, "combined": _combined}
)


@dataclass(slots=True)
class _Node:
    """A move, its visits and the rewards of the side that made it.

    The figures of RAVE count all simulations in which that side made the move here or later.
    """

    move: str = ""
    visits: int = 0
    total: float = 0.0
    rave_visits: int = 0
    rave_total: float = 0.0
    children: list["_Node"] | None = None

    @property
    def mean(self) -> float:
        """The average reward; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def rave_mean(self) -> float:
        """The average reward of RAVE; 1 before the first visit, so that new moves are tried."""
        return self.rave_total / self.rave_visits if self.rave_visits else 1.0


def _no_check() -> None:
    pass


@dataclass(slots=True)
class OthelloUctTree:
    """The simulations from one state."""

    state: OthelloState
    playout: Playout
    random_numbers: Xoshiro
    c: float = 1.4
    rave: float = 0.0
    check: Callable[[], None] = _no_check
    root: _Node = field(default_factory=_Node)

    def simulate(self) -> None:
        """Walk down to a new node, play from there to the end, add the result to every node on the path."""
        path, steps, state = [self.root], list[_Step](), self.state
        while children := self._children(path[-1], state):
            child = self._selected(path[-1], children)
            path.append(child)
            steps.append((state.turn, child.move))
            state = state.forward(child.move)
            if not child.visits:
                break
        white = self._played(state, steps)
        mover = not self.state.turn
        for node in path:
            node.visits += 1
            node.total += white if mover == WHITE else 1 - white
            mover = not mover
        if self.rave:
            self._update_rave(path, steps, white)

    def ranked(self) -> list[_Node]:
        """The moves at the root, most visited first; of equally visited ones the better on average."""
        tried = [child for child in self.root.children or [] if child.visits]
        return sorted(tried, key=lambda child: (-child.visits, -child.mean))

    def _children(self, node: _Node, state: OthelloState) -> list[_Node]:
        if node.children is None:
            moves = list(state.legal_moves)
            for left in range(len(moves), 1, -1):
                other = self.random_numbers.below(left)
                moves[left - 1], moves[other] = moves[other], moves[left - 1]
            node.children = [_Node(move) for move in moves]
        return node.children

    def _selected(self, node: _Node, children: list[_Node]) -> _Node:
        """An untried move if there is one, else the most promising move."""
        width = self.c * math.sqrt(math.log(node.visits + 1.0))
        best, top = children[0], -math.inf
        for child in children:
            if not self.rave and not child.visits:
                return child
            bound = self._blended(child, width) if self.rave else child.mean + width / math.sqrt(child.visits)
            if bound > top:
                best, top = child, bound
        return best

    def _blended(self, child: _Node, width: float) -> float:
        """The bound with RAVE: with few visits, simulations in which the move was made later count more."""
        trust = math.sqrt(self.rave / (3.0 * child.visits + self.rave))
        return (1 - trust) * child.mean + trust * child.rave_mean + width / math.sqrt(child.visits + 1.0)

    def _played(self, state: OthelloState, steps: list[_Step]) -> float:
        """White's points at the end of the playout."""
        made = 0
        while moves := state.legal_moves:
            self.check()
            move = "pass" if moves == _PASS else self.playout(state, made, self.random_numbers)
            steps.append((state.turn, move))
            state = state.forward(move)
            made += 1
        ending = state.ending
        assert ending is not None
        return ending.points(WHITE)

    def _update_rave(self, path: list[_Node], steps: list[_Step], white: float) -> None:
        """Add the result to every sibling on the path whose move the same side made now or later."""
        later = set[_Step]()
        for turn in range(len(steps) - 1, -1, -1):
            later.add(steps[turn])
            if turn >= len(path):
                continue
            color = steps[turn][0]
            for child in path[turn].children or []:
                if (color, child.move) in later:
                    child.rave_visits += 1
                    child.rave_total += white if color == WHITE else 1 - white
