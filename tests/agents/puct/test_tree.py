"""The tree: nodes are made when they are needed, and values go up their path."""

import pytest

import games
from agents.puct.tree import Node, add_value, cancel, find, mark_pending
from games.base import BLACK, WHITE


@pytest.fixture
def root(tic_tac_toe):
    state = tic_tac_toe.position("XX.OO.... X")
    node = Node(state, state.turn)
    node.expand([0.2] * 5)
    return node


def test_children_are_made_when_they_are_first_needed(root):
    assert root.children == [None] * 5
    child = root.child(0)
    assert child is root.child(0)
    assert child.state.text == "XXXOO.... O"
    assert root.children[1:] == [None] * 4
    assert not child.expanded


def test_each_node_counts_a_value_for_the_side_that_chose_it(root):
    child = root.child(1)
    child.expand([0.25] * 4)
    path = [root, child, child.child(0)]
    assert [node.chosen_by for node in path] == [WHITE, WHITE, BLACK]
    mark_pending(path)
    assert [node.pending for node in path] == [1, 1, 1]
    add_value(path, 0.5, BLACK)
    assert [node.total for node in path] == [-0.5, -0.5, 0.5]
    assert [(node.visits, node.pending) for node in path] == [(1, 0)] * 3
    assert child.mean_for(WHITE) == -0.5
    assert child.mean_for(BLACK) == 0.5


def test_two_moves_in_a_row_by_one_side_do_not_turn_the_value_round(root):
    # No bundled game has them; the tree compares colours and does not count turns.
    again = Node(root.state, WHITE)
    mark_pending([root, again])
    add_value([root, again], 1.0, WHITE)
    assert (root.total, again.total) == (1.0, 1.0)


def test_a_simulation_that_is_dropped_leaves_no_trace(root):
    path = [root, root.child(0)]
    mark_pending(path)
    cancel(path)
    assert [(node.visits, node.total, node.pending) for node in path] == [(0, 0.0, 0)] * 2


def test_the_mean_of_an_unvisited_node_is_0(root):
    assert root.mean() == 0.0
    assert root.favourite() is None
    assert list(root.line()) == []


def test_the_favourite_is_most_visited_then_better_then_likelier_then_first(root):
    for index, (visits, total) in enumerate([(3, 0.5), (5, 0.5), (5, 0.7), (5, 0.7)]):
        root.child(index).visits, root.child(index).total = visits, total
    move, child = root.favourite()
    assert (move, child) == (root.moves[2], root.child(2))
    root.priors = [0.1, 0.1, 0.1, 0.2, 0.5]
    assert root.favourite()[0] == root.moves[3]
    assert list(root.line()) == [root.moves[3]]


def test_a_state_is_found_again_one_and_two_turns_later(root):
    child = root.child(1)
    child.visits = 1
    child.expand([0.25] * 4)
    grandchild = child.child(2)
    grandchild.visits = 1
    assert find(root, root.state) is root
    assert find(root, child.state) is child
    assert find(root, grandchild.state) is grandchild
    assert find(child, root.state) is None
    assert find(root, grandchild.state, turns=1) is None


def test_states_that_nobody_visited_are_not_found(root):
    assert find(root, root.child(3).state) is None


def test_a_position_at_another_time_is_another_state():
    start = games.load("microchess").position("k2r/4/4/4/K2R w - - 0 1")
    state = start
    for move in ("d1c1", "d5c5", "c1d1", "c5d5"):
        state = state.forward(state.parse(move))
    assert find(Node(start, WHITE), state) is None
