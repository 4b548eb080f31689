"""Maximum matching in a graph, by Edmonds' blossom algorithm. Pure."""

from collections import deque
from collections.abc import Collection, Mapping

__all__ = ["largest_matching"]


def largest_matching(graph: Mapping[int, Collection[int]], *, start: Mapping[int, int] | None = None) -> dict[int, int]:
    """A matching with as many pairs as possible: each matched vertex and its partner, in both directions.

    `start` is a matching to begin with. The closer it is to a maximum, the faster the search.

    >>> largest_matching({1: [2], 2: [1, 3], 3: [2, 4], 4: [3]})
    {1: 2, 2: 1, 3: 4, 4: 3}
    """
    mate = dict(start or {})
    for vertex in graph:
        if vertex not in mate:
            partner = next((other for other in graph[vertex] if other not in mate), None)
            if partner is not None:
                mate[vertex], mate[partner] = partner, vertex
    for vertex in graph:
        if vertex not in mate:
            _Search(graph, mate, vertex).augment()
    return mate


class _Search:
    """The search for an augmenting path from an unmatched vertex to another; odd cycles on the way are shrunk."""

    def __init__(self, graph: Mapping[int, Collection[int]], mate: dict[int, int], root: int) -> None:
        self._graph, self._mate, self._root = graph, mate, root
        self._parent: dict[int, int] = {}
        self._base = {vertex: vertex for vertex in graph}
        self._even = {root}
        self._queue = deque([root])

    def augment(self) -> bool:
        """Match the root if an augmenting path exists; every matched vertex stays matched."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._graph[vertex]:
                if self._base[vertex] == self._base[other] or self._mate.get(vertex) == other:
                    continue
                if other == self._root or self._mate.get(other) in self._parent:
                    self._shrink(vertex, other)
                elif other not in self._parent:
                    self._parent[other] = vertex
                    if other not in self._mate:
                        self._flip(other)
                        return True
                    self._reach(self._mate[other])
        return False

    def _reach(self, vertex: int) -> None:
        self._even.add(vertex)
        self._queue.append(vertex)

    def _flip(self, end: int) -> None:
        at: int | None = end
        while at is not None:
            before = self._parent[at]
            further = self._mate.get(before)
            self._mate[at], self._mate[before] = before, at
            at = further

    def _shrink(self, one: int, two: int) -> None:
        top = self._meet(one, two)
        inside = self._climb(one, two, top) | self._climb(two, one, top)
        for vertex, base in self._base.items():
            if base in inside:
                self._base[vertex] = top
                if vertex not in self._even:
                    self._reach(vertex)

    def _meet(self, one: int, two: int) -> int:
        """The vertex where the paths of both to the root meet."""
        passed = set()
        at = self._base[one]
        while True:
            passed.add(at)
            if at not in self._mate:
                break
            at = self._base[self._parent[self._mate[at]]]
        at = self._base[two]
        while at not in passed:
            at = self._base[self._parent[self._mate[at]]]
        return at

    def _climb(self, vertex: int, child: int, top: int) -> set[int]:
        """The bases on the path from a vertex up to `top`; the path can be followed in both directions afterwards."""
        passed = set()
        while self._base[vertex] != top:
            mate = self._mate[vertex]
            passed |= {self._base[vertex], self._base[mate]}
            self._parent[vertex] = child
            child, vertex = mate, self._parent[mate]
        return passed
