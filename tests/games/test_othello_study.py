"""The figures of an earlier study of Othello are reproduced: alpha-beta against itself, move by move, node by node."""

import math
import subprocess
import sys

import pytest

from games.base import BLACK, WHITE
from games.othello import Othello

#: By depth: final discs of Black and White, nodes for each move of Black and of White.
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
def test_the_figures_are_reproduced(depth, othello_study):
    assert othello_study.study(depth)[:4] == FIGURES[depth]


@pytest.mark.soak
@pytest.mark.parametrize("depth", [7, 8, 9])
def test_the_figures_of_deep_searches_are_reproduced(depth, othello_study):
    assert othello_study.study(depth)[:4] == FIGURES[depth]


def test_the_figures_have_names(othello_study):
    study = othello_study.study(3)
    assert (study.black, study.white, study.nodes_black, study.nodes_white) == FIGURES[3]
    assert study.nodes == 76_528


class Search:
    """The search of the study in its simplest form. Values are those of the player at the root."""

    def __init__(self):
        self.nodes = 0

    def value(self, state, root, depth, alpha, beta):
        self.nodes += 1
        if depth == 0 or state.is_game_over():
            return weight_lead(state, root)
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


def weight_lead(state, color):
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
def test_the_native_search_follows_the_conventions_of_the_study(depth, othello_study):
    assert othello_study.study(depth)[:4] == played(depth)


@pytest.mark.parametrize(
    ("depth", "error"), [(-1, ValueError), (13, ValueError), (10**30, ValueError), ("3", TypeError), (None, TypeError)]
)
def test_a_depth_is_a_small_whole_number(depth, error, othello_study):
    with pytest.raises(error, match="depth"):
        othello_study.study(depth)


def test_a_long_study_can_be_interrupted(othello_study):
    code = f"""
import importlib.util, signal
spec = importlib.util.spec_from_file_location("othello_study", {othello_study.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try: module.study(12)
except TimeoutError: print("stopped")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "stopped\n"
