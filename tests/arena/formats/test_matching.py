"""Maximum matching in a graph."""

import random
from collections.abc import Mapping, Sequence

import pytest

from arena.formats.matching import largest_matching


def most_pairs(graph: Mapping[int, Sequence[int]], free: frozenset[int]) -> int:
    """The largest number of pairs, by trying all matchings."""
    if not free:
        return 0
    one = min(free)
    rest = free - {one}
    return max([most_pairs(graph, rest), *(1 + most_pairs(graph, rest - {two}) for two in graph[one] if two in rest)])


def random_graph(rng: random.Random) -> dict[int, list[int]]:
    size, density = rng.randrange(1, 10), rng.random()
    graph: dict[int, list[int]] = {vertex: [] for vertex in range(size)}
    for one in graph:
        for two in range(one):
            if rng.random() < density:
                graph[one].append(two)
                graph[two].append(one)
    return graph


def check(graph: Mapping[int, Sequence[int]], mate: Mapping[int, int]) -> None:
    assert all(mate[other] == vertex and other in graph[vertex] for vertex, other in mate.items())


@pytest.mark.parametrize("seed", range(20))
def test_the_matching_is_as_large_as_the_largest_one_of_all(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        graph = random_graph(rng)
        mate = largest_matching(graph)
        check(graph, mate)
        assert len(mate) == 2 * most_pairs(graph, frozenset(graph))


@pytest.mark.parametrize("seed", range(5))
def test_any_matching_can_be_the_start(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        graph = random_graph(rng)
        start: dict[int, int] = {}
        for one, others in graph.items():
            two = next((other for other in others if other not in start), None)
            if one not in start and two is not None and rng.random() < 0.5:
                start |= {one: two, two: one}
        mate = largest_matching(graph, start=start)
        check(graph, mate)
        assert len(mate) == len(largest_matching(graph))


def test_an_odd_cycle_with_a_tail_on_each_side_is_fully_matched() -> None:
    # 0-1-2-3-4-0 is a cycle of five, with 5-6 hanging on 1 and 7 on 3: a search without blossoms fails.
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 5), (5, 6), (3, 7)]
    graph: dict[int, list[int]] = {vertex: [] for vertex in range(8)}
    for one, two in edges:
        graph[one].append(two)
        graph[two].append(one)
    assert len(largest_matching(graph, start={1: 2, 2: 1, 3: 4, 4: 3})) == 8


def test_graphs_without_edges_have_an_empty_matching() -> None:
    assert largest_matching({}) == {}
    assert largest_matching({7: []}) == {}
