"""The agent `uct`: its simulations, settings and reports."""

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.core.engine import Report
from agents.search.uct_agent import UCTAgent
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")


def agent(color=WHITE, seed=0, **options):
    player = UCTAgent("uct", color, **options)
    player.rng.seed(seed)
    return player


@pytest.mark.parametrize("amplify", [0, 1])
@pytest.mark.parametrize(
    ("position", "mate"),
    [("k2r/4/bpPB/R3/3K w k - 0 5", "a2a3"), ("1nb1/2N1/3k/2r1/RK2 b - - 5 11", "b5c3")],
)
def test_mate_in_one_is_played(form, position, mate, amplify):
    state = MICROCHESS.position(position)
    assert str(agent(state.turn, simulations=400, amplify=amplify).act(state)) == mate


@pytest.mark.parametrize("text", ["k2r/4/4/4/K2R w - - 0 1", "k2r/4/4/4/K2R b - - 0 1"])
def test_a_hanging_piece_is_taken_by_either_side(form, text):
    state = MICROCHESS.position(text)
    assert str(agent(state.turn, simulations=600).act(state)) in ("d1d5", "d5d1")


def test_it_beats_a_random_player_at_othello():
    othello = games.load("othello")
    state = othello.start()
    player, opponent = agent(state.turn, simulations=300), RandomAgent("y", not state.turn)
    opponent.rng.seed(4)
    while not state.is_game_over():
        state = state.forward((player if state.turn == player.color else opponent).act(state))
    assert state.ending.winner == player.color


def test_it_wins_in_one_and_stops_the_other_side_from_it(tic_tac_toe, capsys):
    for seed in range(5):
        assert agent(WHITE, seed, simulations=300).act(tic_tac_toe.position("XX.OO.... X")) == 2
        assert agent(BLACK, seed, simulations=300).act(tic_tac_toe.position("XX.O..... O")) == 2
    capsys.readouterr()


def test_the_report_describes_the_search(form):
    player = agent(simulations=500)
    move = player.act(MICROCHESS.start())
    report = player.report
    assert isinstance(report, Report)
    assert (report.move, report.form, report.nodes) == (str(move), form, 500)
    assert report.visits[0].move == str(move)
    assert report.score == report.visits[0].mean
    assert 1 <= report.depth <= 6
    assert sum(visits.visits for visits in report.visits) == 500


def test_the_game_decides_the_options_that_are_not_given():
    start, othello = MICROCHESS.start(), games.load("othello").start()
    assert (agent().settings(start).depth, agent().settings(start).c) == (6, 0.1)
    assert (agent().settings(othello).depth, agent().settings(othello).c) == (0, 0.5)
    assert (agent(depth=0).settings(start).depth, agent(depth=0).settings(start).c) == (0, 0.5)
    assert agent(rave=300).settings(othello).c == 0.05
    assert (agent(amplify=1).settings(start).c, agent(c=2).settings(start).c) == (0.5, 2.0)


def test_the_same_seed_gives_the_same_report_and_another_seed_another(form):
    def report(seed):
        player = agent(seed=seed, simulations=200)
        player.act(MICROCHESS.start())
        return player.report

    assert report(1) == report(1)
    assert report(1) != report(2)
