"""Forced wins are found, and are wins: played out against every defence."""

from collections import Counter

import pytest

import games
from agents.core.engine import DECIDED, Limits
from agents.core.native import NativeTextSearch, extension
from agents.gomoku.agent import GomokuAgent
from agents.gomoku.force import Forcing
from agents.gomoku.search import PythonGomokuSearch
from agents.gomoku.threats import Threats

COUNT = 20


def native_search():
    return NativeTextSearch(extension("agents.gomoku._native").Searcher().search)


@pytest.fixture
def attack():
    search = native_search()
    return lambda state: search.search(state, Limits(depth=5, nodes=20_000)).move


def test_there_are_enough_wins_of_all_lengths(known_wins):
    assert len(known_wins) >= COUNT
    assert {win.turns for win in known_wins} >= {3, 5, 7, 9}
    assert len({win.state.text for win in known_wins}) == len(known_wins)


def test_the_agent_finds_every_win(known_wins):
    for win in known_wins:
        agent = GomokuAgent("x", win.state.turn, nodes=200_000)
        agent.rng.seed(1)
        assert agent.act(win.state) in win.moves
        assert agent.form == "kernel"
        assert agent.report.score == DECIDED - len(agent.report.pv)


def alike(state, limits):
    """What both forms of the search found, if they found the same."""
    found, twin = (search.search(state, limits) for search in (native_search(), PythonGomokuSearch()))
    assert (found.move, found.nodes, found.score, [*found.pv]) == (twin.move, twin.nodes, twin.score, [*twin.pv])
    return twin


def test_the_twin_finds_short_wins_by_the_same_lines(known_wins):
    for win in known_wins:
        if win.turns <= 5:
            assert alike(win.state, Limits(depth=3, nodes=1000)).move in win.moves


@pytest.mark.soak
def test_the_twin_finds_all_wins_by_the_same_lines(known_wins):
    for win in known_wins:
        assert alike(win.state, Limits(depth=6)).move in win.moves


def test_every_move_that_is_said_to_win_does_so_against_every_defence(known_wins, prover, attack):
    for win in known_wins:
        for move in win.moves:
            assert prover(win.state, move, attack, win.turns), (win.state.text, move)


def test_the_agent_wins_from_there_to_the_end(known_wins, play):
    for win in known_wins:
        players = {color: GomokuAgent("x", color, nodes=20_000) for color in (False, True)}
        for player in players.values():
            player.rng.seed(2)
        end = play(win.state, players[True], players[False])
        assert end.ending.winner == win.state.turn


def forcing(state, failed=None):
    return Forcing(Threats.read(state.text), lambda: None, {} if failed is None else failed)


def test_a_line_by_fours_ends_with_a_five(known_wins):
    seen = 0
    for win in known_wins:
        line = forcing(win.state).by_fours(nodes=20_000)
        if not line:
            continue
        seen += 1
        state, size = win.state, win.state.board.columns
        for point in line:
            state = state.forward(f"{point % size},{point // size}")
        assert state.ending.winner == win.state.turn
    assert seen >= 5


def test_an_attempt_that_is_broken_off_leaves_the_board_as_it_was(known_wins):
    for win in known_wins:
        board = Threats.read(win.state.text)
        before = vars(Threats.read(win.state.text))
        for nodes in (1, 2, 5, 17):
            Forcing(board, lambda: None, {}).by_threes(nodes=nodes, depth=4)
            assert vars(board) == before


def test_what_failed_is_not_tried_again():
    state = games.load("gomoku").start().forward("5,5").forward("0,0").forward("6,5").forward("10,0")
    visits, failed = Counter(), {}
    for attempt in ("first", "second"):
        Forcing(Threats.read(state.text), lambda attempt=attempt: visits.update([attempt]), failed).by_threes(
            nodes=10_000, depth=2
        )
    assert visits["second"] == 1 < visits["first"]


def test_an_empty_board_holds_no_win():
    state = games.load("gomoku").start()
    assert forcing(state).by_fours(nodes=1000) == []
    assert forcing(state).by_threes(nodes=1000, depth=4) == []


def test_no_win_is_seen_where_the_other_side_makes_five_first(drawn):
    # Black has an open three, but White an open four.
    state = drawn(
        """
        ...........
        ...........
        .OOOO......
        ...........
        ....XXX....
        ...........
        ...........
        ...........
        ...........
        ...X.......
        ..........."""
    )
    assert forcing(state).by_fours(nodes=1000) == []
    assert forcing(state).by_threes(nodes=1000, depth=4) == []
