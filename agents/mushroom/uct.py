"""UCT with a count of cells, in which no node keeps a state: the native search and its Python twin."""

import contextlib
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import Form, Limits, Report, Visits
from agents.core.native import at_most, extension, report_of
from agents.mushroom.board import PASS, Board, Choice, written
from games.base import State

__all__ = [
    "STATES", "Copying", "MushroomUct", "MushroomUctResult", "MushroomUctSettings", "NativeMushroomUct",
    "PythonMushroomUct", "Rebuilding", "StateCosts", "States", "Undoing", "balance", "mushroom_uct",
]  # fmt: skip

#: The greatest number of nodes with children, and of nodes in all: limits on memory.
_MOST_EXPANDED: Final = 200_000
_MOST_NODES: Final = 4_000_000
#: The number of states in the cache of `Rebuilding`.
_CACHED_STATES: Final = 1024
#: The native sizes of a node and of a state, so that the ways to keep states can be compared.
_NODE_BYTES: Final = 24
_STATE_BYTES: Final = 920


@dataclass(frozen=True, slots=True, kw_only=True)
class MushroomUctSettings:
    """How much is explored, and how the state of a node is found."""

    c: float = 0.02
    states: str = "undo"


class StateCosts(NamedTuple):
    """How often the state before a new one was needed and was in the cache, and the bytes of tree and states."""

    asked: int
    cached: int
    bytes: int


class MushroomUctResult(NamedTuple):
    """What a search has found, and what it cost to keep states."""

    report: Report
    costs: StateCosts


class MushroomUct(ABC):
    """A UCT search of Mushroom, in one of two forms."""

    form: Form

    @abstractmethod
    def run(self, state: State, limits: Limits) -> MushroomUctResult:
        """The most visited move, with the cost of keeping states. The game must not be over."""

    def search(self, state: State, limits: Limits) -> Report:
        """The most visited move."""
        return self.run(state, limits).report


def mushroom_uct(settings: MushroomUctSettings, *, now: Clock = time.monotonic) -> MushroomUct:
    """The native search if it was built, else the Python twin."""
    native = extension("agents.mushroom._native")
    return PythonMushroomUct(settings, now=now) if native is None else NativeMushroomUct(native.Searcher(), settings)


class NativeMushroomUct(MushroomUct):
    """The native search."""

    form: Form = "kernel"

    def __init__(self, native: Any, settings: MushroomUctSettings) -> None:
        self._native = native
        self._settings = settings

    def run(self, state: State, limits: Limits) -> MushroomUctResult:
        """The most visited move, with the cost of keeping states."""
        *found, visits, costs = self._native.uct(
            state.text,
            states=self._settings.states,
            seconds=limits.seconds,
            simulations=at_most(limits.simulations),
            c=self._settings.c,
            seed=limits.seed,
        )
        return MushroomUctResult(report_of(found, visits), StateCosts(*costs))


class PythonMushroomUct(MushroomUct):
    """The search in Python: it specifies the native search, and plays where that was not built."""

    form: Form = "python"

    def __init__(self, settings: MushroomUctSettings, *, now: Clock = time.monotonic) -> None:
        self._settings = settings
        self._now = now

    def run(self, state: State, limits: Limits) -> MushroomUctResult:
        """The most visited move, with the cost of keeping states."""
        states = STATES[self._settings.states](Board.read(state.text))
        tree = _Tree(states, self._settings.c, limits, now=self._now)
        report = tree.report()
        size = len(tree.nodes) * _NODE_BYTES + states.bytes
        return MushroomUctResult(report, StateCosts(states.asked, states.cached, size))


class _Node:
    """A move, and the rewards of the side that made it; the first reward is the heuristic value of the move."""

    __slots__ = ("first", "move", "over", "size", "total", "visits")

    def __init__(self, move: int, value: float, *, over: bool) -> None:
        self.move = move
        self.total = value
        self.visits = 1
        self.over = over
        self.first = 0
        self.size = 0

    @property
    def mean(self) -> float:
        return self.total / self.visits


def balance(mine: int, theirs: int) -> float:
    """How far a side with `mine` cells is ahead of one with `theirs`, between -1 and 1."""
    return (mine - theirs) / (mine + theirs + 1)


class _Tree:
    """One search. The children of a node are neighbours in `nodes`; no node keeps a state."""

    def __init__(self, states: "States", c: float, limits: Limits, *, now: Clock) -> None:
        self.states = states
        self.c = c
        self.limits = limits
        self.deadline = Deadline(limits.seconds, now=now)
        self.nodes = [_Node(PASS, 0.0, over=False)]
        self.simulations = 0
        self.depth = 0
        self._expanded = 0

    def report(self) -> Report:
        """Simulate at least once and until a limit is reached, and report the most visited move."""
        most = self.limits.simulations
        with contextlib.suppress(OutOfTime):
            while most is None or self.simulations < most:
                self._simulate()
                self.simulations += 1
                self.deadline.check()
        ranked = sorted(self._children(self.nodes[0]), key=lambda child: (-child.visits, -child.mean))
        visits = [Visits(written(child.move), child.visits, child.mean) for child in ranked]
        visits = visits or [Visits(written(PASS), 1, 0.0)]
        return Report(
            move=visits[0].move,
            form="python",
            nodes=self.simulations,
            depth=self.depth,
            score=visits[0].mean,
            pv=(visits[0].move,),
            visits=visits,
        )

    def _children(self, node: _Node) -> list[_Node]:
        return self.nodes[node.first : node.first + node.size]

    def _simulate(self) -> None:
        """Walk down to a leaf, expand it, and add the value of its best child to every node on the path."""
        path = [0]
        while self.nodes[path[-1]].size:
            path.append(self._selected(self.nodes[path[-1]]))
        self.depth = max(self.depth, len(path) - 1)
        value = self._value(path)
        for number in reversed(path):
            self.nodes[number].visits += 1
            self.nodes[number].total += value
            value = -value

    def _selected(self, here: _Node) -> int:
        width = self.c * math.sqrt(math.log(here.visits))
        best, top = here.first, -math.inf
        for number, node in enumerate(self._children(here), start=here.first):
            bound = node.mean + width / math.sqrt(node.visits)
            if bound > top:
                best, top = number, bound
        return best

    def _value(self, path: list[int]) -> float:
        """Expand the last node, and return its value for the side that made its move."""
        node = self.nodes[path[-1]]
        if node.over or self._expanded >= _MOST_EXPANDED or len(self.nodes) > _MOST_NODES:
            return node.mean
        self._expanded += 1
        state = self.states.at(path, [self.nodes[number].move for number in path[1:]])
        choices = state.choices(self.limits.seed)
        if len(choices) == 1:
            # No rectangle is left, so only passes can follow.
            node.over, node.visits, node.total = True, 1, _decided(-state.lead)
            return node.total
        node.first, node.size = len(self.nodes), len(choices)
        for choice in choices:
            ends = state.passes == 1 and choice.move == PASS
            value = _decided(state.lead) if ends else _after(state, choice)
            self.nodes.append(_Node(choice.move, value, over=ends))
        return -max(child.total for child in self._children(node))


def _decided(lead: int) -> float:
    return float((lead > 0) - (lead < 0))


def _after(state: Board, choice: Choice) -> float:
    mine, theirs = state.owned[state.turn], state.owned[not state.turn]
    return balance(mine + choice.gain - choice.taken, theirs - choice.taken)


class States(ABC):
    """Gives the state at the end of a path when its last node is expanded, once for each node.

    A path holds the numbers of the nodes from the root, which is 0; `moves` are the moves between them. The state one
    move before was needed `asked` times and was in the cache `cached` times.
    """

    def __init__(self, root: Board) -> None:
        self.root = root
        self.asked = 0
        self.cached = 0

    @abstractmethod
    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """The state; it is valid until the next call."""

    @property
    @abstractmethod
    def kept(self) -> int:
        """The number of states in memory."""

    @property
    def bytes(self) -> int:
        """The size of the states in the native form."""
        return self.kept * _STATE_BYTES


class Copying(States):
    """Every node that has children keeps its state."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._states = {0: root}

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """A copy of the state one move before, with the move made."""
        if len(path) > 1:
            self._states[path[-1]] = state = self._states[path[-2]].copy()
            state.push(moves[-1])
        return self._states[path[-1]]

    @property
    def kept(self) -> int:
        """One for each node that has children."""
        return len(self._states)


class Rebuilding(States):
    """Rebuilds a state from the nearest ancestor in a small cache, or from the root."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._cache: dict[int, tuple[int, Board]] = {}

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """The state after all moves since that ancestor."""
        if len(path) == 1:
            return self.root
        known = len(path) - 2
        while known and self._cached(path[known]) is None:
            known -= 1
        self.asked += 1
        self.cached += known == len(path) - 2
        state = (self._cached(path[known]) or self.root).copy()
        for move in moves[known:]:
            state.push(move)
        self._cache[path[-1] % _CACHED_STATES] = (path[-1], state)
        return state

    def _cached(self, node: int) -> Board | None:
        owner, state = self._cache.get(node % _CACHED_STATES, (0, None))
        return state if owner == node else None

    @property
    def kept(self) -> int:
        """The whole cache, even if it is not full."""
        return _CACHED_STATES


class Undoing(States):
    """Keeps one board, which goes down a path and back again move by move."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._turns = 0

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:  # noqa: ARG002
        """The board after the moves; the moves of the last call are taken back first."""
        for _ in range(self._turns):
            self.root.pop()
        for move in moves:
            self.root.push(move)
        self._turns = len(moves)
        return self.root

    @property
    def kept(self) -> int:
        """The board."""
        return 1


#: The values of the option `states`.
STATES: Final[Mapping[str, Callable[[Board], States]]] = MappingProxyType(
    {"copy": Copying, "rebuild": Rebuilding, "undo": Undoing}
)
