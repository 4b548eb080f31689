"""The agent `uct`: its simulations, settings and reports."""

from pathlib import Path

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.core.engine import Report
from agents.search.mcts_agent import MCTSAgent
from agents.search.uct_agent import UCTAgent
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")
GAMES = ["chess:turns=12", "go:size=5,turns=40", "gomoku:size=6", "microchess", "mushroom:rows=4,columns=5", "othello"]


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


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", [{}, {"depth": 3, "amplify": 1}, {"rave": 50, "playout": "weighted"}])
def test_it_plays_whole_games_by_legal_moves(form, name, options, plays_against_random, capsys):
    plays_against_random(games.load(name).start(seed=3), lambda color: agent(color, simulations=8, **options))
    capsys.readouterr()


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


def test_only_the_python_form_prints_a_notice_and_only_once(monkeypatch, capsys):
    player = agent(simulations=20, show=1)
    player.act(MICROCHESS.start())
    assert capsys.readouterr().out == f"uct, turn 1: {player.report}\n"
    monkeypatch.setenv("ARENA_KERNEL", "python")
    player = agent(simulations=20)
    player.act(MICROCHESS.start())
    player.act(MICROCHESS.start())
    assert capsys.readouterr().out == "uct searches in Python: this game has no native search here\n"


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


def test_an_only_move_is_answered_at_once_and_a_finished_game_refused(form):
    passing = games.load("othello").position("XO" + "-" * 62 + " O")
    player = agent(passing.turn)
    assert player.act(passing) == "pass"
    assert player.report.nodes == 0
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        agent(BLACK).act(MICROCHESS.position("k3/1Q2/1K2/4/4 b - - 0 1"))


@pytest.mark.parametrize(
    "options",
    [
        {"simulations": 0}, {"seconds": -1}, {"depth": -1}, {"depth": 10**6}, {"c": -1}, {"amplify": 2}, {"rave": -1},
        {"playout": "clever"}, {"show": 2},
    ],
)  # fmt: skip
def test_an_invalid_option_is_refused_by_name(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        agent(**options)


@pytest.mark.soak
def test_it_beats_the_teaching_agent_from_fair_openings(points):
    # The simulations that each of them runs in about a tenth of a second.
    total = 0.0
    openings = (Path(__file__).parent / "microchess_openings.txt").read_text(encoding="ascii").splitlines()
    for number, text in enumerate(openings[:8]):
        for color in (WHITE, BLACK):
            player, opponent = agent(color, number, simulations=80_000), MCTSAgent("y", not color, simulations=3_000)
            opponent.rng.seed(number)
            total += points(MICROCHESS.position(text), color, player, opponent)
    assert total >= 12
