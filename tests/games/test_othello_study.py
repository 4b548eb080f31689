"""The figures of an earlier study of Othello come out again: alpha-beta against itself, move by move, node by node."""

import math

import pytest

from games import _native_othello
from games.base import BLACK, WHITE
from games.othello import Othello

#: Final discs of Black and White, nodes for each move of Black and of White, by depth.
FIGURES = {
    3: (45, 19, 1_289, 1_262),
    4: (39, 25, 4_631, 4_628),
    5: (42, 22, 20_127, 19_892),
    6: (30, 34, 119_032, 139_211),
    7: (15, 49, 258_919, 285_770),
    8: (29, 35, 656_178, 1_192_426),
    9: (36, 28, 4_475_585, 4_564_706),
}

UPPER_HALF = """
    100 -25  10   5   5  10 -25 100
    -25 -25   1   1   1   1 -25 -25
     10   1   5   2   2   5   1  10
      5   1   2   1   1   2   1   5
"""
ROWS = [[int(weight) for weight in line.split()] for line in UPPER_HALF.strip().splitlines()]
WEIGHTS = [weight for row in ROWS + ROWS[::-1] for weight in row]
MASKS = {value: sum(1 << square for square, weight in enumerate(WEIGHTS) if weight == value) for value in set(WEIGHTS)}


@pytest.mark.parametrize("depth", [3, 4, 5, 6])
def test_the_figures_come_out_again(depth):
    assert _native_othello.study(depth)[:4] == FIGURES[depth]


@pytest.mark.soak
@pytest.mark.parametrize("depth", [7, 8, 9])
def test_the_figures_of_deep_searches_come_out_again(depth):
    assert _native_othello.study(depth)[:4] == FIGURES[depth]


def test_the_figures_have_names():
    study = _native_othello.study(3)
    assert (study.black, study.white, study.nodes_black, study.nodes_white) == FIGURES[3]
    assert study.nodes == 76_528


class Search:
    """The search of the study, as plainly as it can be written: values are the root player's."""

    def __init__(self):
        self.nodes = 0

    def value(self, state, root, depth, alpha, beta):
        self.nodes += 1
        if depth == 0 or state.is_game_over():
            return weighed(state, root)
        for move in state.legal_moves:
            value = self.value(state.forward(move), root, depth - 1, alpha, beta)
            if state.turn == root:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if beta <= alpha:
                break
        return alpha if state.turn == root else beta

    def chosen(self, state, depth):
        best, alpha = None, -math.inf
        for move in state.legal_moves:
            value = self.value(state.forward(move), state.turn, depth, alpha, math.inf)
            if value > alpha:
                best, alpha = move, value
        return best


def weighed(state, color):
    lead = sum(
        value * ((state.black & mask).bit_count() - (state.white & mask).bit_count()) for value, mask in MASKS.items()
    )
    return lead if color == BLACK else -lead


def played(depth):
    """The same figures, by the search above."""
    state, counts = Othello().start(), {BLACK: [], WHITE: []}
    while not state.is_game_over():
        if state.legal_moves == ("pass",):
            state = state.forward("pass")
            continue
        search = Search()
        move = search.chosen(state, depth)
        counts[state.turn].append(search.nodes)
        state = state.forward(move)
    averages = (math.floor(sum(counts[color]) / len(counts[color]) + 0.5) for color in (BLACK, WHITE))
    return state.black.bit_count(), state.white.bit_count(), *averages


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_kernel_searches_as_the_conventions_say(depth):
    assert _native_othello.study(depth)[:4] == played(depth)


@pytest.mark.parametrize(
    ("depth", "error"), [(-1, ValueError), (13, ValueError), (10**30, ValueError), ("3", TypeError), (None, TypeError)]
)
def test_a_depth_is_a_small_whole_number(depth, error):
    with pytest.raises(error, match="depth"):
        _native_othello.study(depth)
