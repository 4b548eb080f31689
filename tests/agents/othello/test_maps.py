"""The weights of the squares."""

import pytest

from agents.othello.classic import DISCS, MAP_A, MAP_B, MAPS, square
from games.base import BLACK, WHITE
from games.othello import Othello

PRINTED_A = """
120 -20  20   5   5  20 -20 120
-20 -40  -5  -5  -5  -5 -40 -20
 20  -5  15   3   3  15  -5  20
  5  -5   3   3   3   3  -5   5
  5  -5   3   3   3   3  -5   5
 20  -5  15   3   3  15  -5  20
-20 -40  -5  -5  -5  -5 -40 -20
120 -20  20   5   5  20 -20 120
"""
PRINTED_B = """
100 -25  10   5   5  10 -25 100
-25 -25   1   1   1   1 -25 -25
 10   1   5   2   2   5   1  10
  5   1   2   1   1   2   1   5
  5   1   2   1   1   2   1   5
 10   1   5   2   2   5   1  10
-25 -25   1   1   1   1 -25 -25
100 -25  10   5   5  10 -25 100
"""


@pytest.mark.parametrize(("weights", "printed"), [(MAP_A, PRINTED_A), (MAP_B, PRINTED_B)])
def test_the_maps_are_as_printed(weights, printed):
    assert weights.weights == tuple(map(int, printed.split()))


@pytest.mark.parametrize("name", MAPS)
def test_a_lead_is_the_difference_of_the_sums_of_weights(name, positions):
    weights = MAPS[name].weights
    for state in positions(20, seed=1):
        cells = state.text[:64]
        black = sum(weights[at] for at in range(64) if cells[at] == "X")
        white = sum(weights[at] for at in range(64) if cells[at] == "O")
        assert MAPS[name].lead(state, BLACK) == black - white
        assert MAPS[name].lead(state, WHITE) == white - black


def test_the_map_of_discs_counts_discs():
    state = Othello().start().forward("d3")
    assert DISCS.lead(state, BLACK) == 3
    assert DISCS.lead(state, WHITE) == -3


def test_squares_are_numbered_row_by_row():
    assert [square(name) for name in ("a1", "h1", "a2", "d3", "h8")] == [0, 7, 8, 19, 63]
