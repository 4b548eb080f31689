"""The values that players claimed, as a graph and as places where they disagree."""

import pytest

import games
from results.pages.evaluation import Claimed, claimed, disagreements, graph
from results.pages.thoughts import marks_of
from results.record import ClaimRecord

NAMES = ("<b>ada</b>", "bob")


def test_values_are_those_of_first_whoever_claims_them(make_record):
    claims = (ClaimRecord(1, 0.75), ClaimRecord(2, 0.25), ClaimRecord(3, None, 4), ClaimRecord(10**15, 0.5))
    found = claimed(make_record(claims=claims, mover="first"))
    assert found == [Claimed(1, "first", 0.75), Claimed(2, "second", 0.75)]
    assert [one.first for one in claimed(make_record(claims=claims, mover="second"))] == [0.25, 0.25]


def test_players_disagree_if_their_values_are_far_apart():
    values = [Claimed(1, "first", 0.5), Claimed(2, "second", 0.9), Claimed(3, "first", 0.8), Claimed(5, "first", 0.1)]
    assert disagreements(values) == [(2, pytest.approx(0.4))]


def test_the_graph_marks_disagreements_and_escapes_names():
    drawn = "\n".join(graph([Claimed(1, "first", 0.5), Claimed(2, "second", 1.0)], names=NAMES, turns=4))
    assert drawn.count('class="apart"') == 1
    assert '<a href="#turn-2">turn 2</a> (0.50 apart)' in drawn
    assert "<b>" not in drawn
    assert "first: 0.50" not in drawn
    assert graph([], names=NAMES, turns=4) == []


@pytest.mark.parametrize(
    ("game", "move", "cells"),
    [("microchess", "d2d4", [15, 7]), ("othello", "d3", [19]), ("microchess", "a1a5", None),
     ("go:size=9", "pass", None)],
)  # fmt: skip
def test_a_move_is_marked_by_its_cells(game, move, cells):
    expected = [] if cells is None else [(cells, 0.5)]
    assert marks_of(games.load(game).start(), [(move, 0.5), ("<script>", 1.0)]) == expected


def test_a_move_of_an_area_is_marked_by_its_corners():
    state = games.load("mushroom").start(1)
    move = str(next(move for move in state.legal_moves if str(move) != "pass"))
    ((cells, share),) = marks_of(state, [(move, 7.0)])
    assert (len(cells), cells[-1], share) == (3, 0, 1.0)
