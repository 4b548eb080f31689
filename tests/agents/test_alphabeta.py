"""The agent `alphabeta`: what it sees, its limits and reports."""

from pathlib import Path

import pytest

import games
from agents.budget import seconds_for_move
from agents.core.engine import DECIDED, Report
from agents.search.alphabeta_agent import AlphaBetaAgent
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")


def agent(color=WHITE, seed=0, **options):
    player = AlphaBetaAgent("alphabeta", color, **options)
    player.rng.seed(seed)
    return player


def test_mate_in_one_is_played(form, mate_in_one):
    position, mate = mate_in_one
    state = MICROCHESS.position(position)
    player = agent(state.turn, depth=3)
    assert str(player.act(state)) == mate
    assert player.form == form
    assert player.report.score == DECIDED - 1


@pytest.mark.parametrize(
    ("position", "safe"),
    [
        ("kn1r/4/bp2/B2P/R2K w Qk - 0 3", {"a1c1", "a2b3"}),
        ("k3/pbB1/n1N1/4/R2K b - - 0 8", {"b4c3", "b4c5"}),
        ("k3/p3/1nKB/1N2/R3 b - - 2 13", {"b3a1", "b3c5"}),
    ],
)
def test_the_opponents_mate_in_one_is_avoided(form, position, safe):
    state = MICROCHESS.position(position)
    assert str(agent(state.turn, depth=2).act(state)) in safe


def test_a_guarded_pawn_is_left_alone_even_one_turn_deep():
    # Captures are followed to their end; the twin in Python would need a second turn.
    state = MICROCHESS.position("1k2/1p2/4/1R2/K3 w - - 0 1")
    assert str(agent(depth=1).act(state)) != "b2b4"


def test_it_plays_an_unknown_game(tic_tac_toe, play, capsys):
    white, black = agent(WHITE, depth=9), agent(BLACK, depth=9, seed=1)
    assert play(tic_tac_toe.start(), white, black).ending.winner is None
    assert "searches in Python" in capsys.readouterr().out


def test_the_report_describes_the_search(form):
    player = agent(depth=3)
    move = player.act(MICROCHESS.start())
    report = player.report
    assert isinstance(report, Report)
    assert (report.move, report.form, report.depth, report.visits) == (str(move), form, 3, ())
    assert report.nodes > 100
    assert len(report.pv) == 3


def test_reset_forgets_the_game_before():
    player = agent(depth=2)
    player.act(MICROCHESS.start())
    player.reset()
    assert player.form is None
    assert player.act(games.load("othello").start()) in games.load("othello").start().legal_moves


def test_the_nodes_are_a_limit(form):
    player = agent(nodes=300)
    player.act(MICROCHESS.start())
    assert player.report.nodes <= 301


def test_the_same_seed_gives_the_same_move_and_another_seed_others(form):
    moves = [[str(agent(seed=seed, depth=1).act(games.load("othello").start())) for seed in range(8)] for _ in range(2)]
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 1


def test_the_python_form_stops_at_its_deadline(tic_tac_toe, fake_clock, capsys):
    clock = fake_clock(tick=0.001)
    player = agent()
    player.now, player.time_left = clock, 10.0
    before = clock.seconds
    player.act(tic_tac_toe.start())
    assert clock.seconds - before == pytest.approx(seconds_for_move(10.0), abs=0.01)
    capsys.readouterr()


OPENINGS = (Path(__file__).parent / "microchess_openings.txt").read_text(encoding="ascii").splitlines()


def test_the_openings_for_comparisons_are_fair_and_differ():
    assert len(set(OPENINGS)) == 30
    for text in OPENINGS:
        state = MICROCHESS.position(text)
        player = agent(state.turn, depth=8)
        player.act(state)
        assert abs(player.report.score) < 400, text
