"""The value of a state for a side."""

import random
import subprocess
import sys

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.core.knowledge import area_lead, lines_lead
from agents.evaluation import EVALUATIONS, ZERO_SUM, balance, outcome, share, signed
from agents.search.one_step_search_agent import OneStepSearchAgent
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")
CHESS = games.load("chess")
OTHELLO = games.load("othello")


def random_states(game, number, seed=0):
    """States of random games, including finished ones."""
    rng = random.Random(seed)
    state = game.start()
    for _ in range(number):
        yield state
        state = game.start() if state.is_game_over() else state.forward(rng.choice(list(state.legal_moves)))


@pytest.mark.parametrize(
    ("position", "white"),
    [
        ("knbr/p3/4/3P/RBNK w Qk - 0 1", 16 / 32),
        ("k3/p3/4/3P/R1NK w - - 0 1", 13 / 18),
        ("k2q/4/4/4/K3 w - - 0 1", 4 / 18),
        ("k3/4/4/1P2/K3 w - - 0 1", 5 / 9),
        ("kb2/4/4/n3/K2R w - - 0 1", 9 / 19),
    ],
)
def test_microchess_is_valued_by_the_share_of_material(position, white):
    state = MICROCHESS.position(position)
    assert state.ending is None
    assert share(state, WHITE) == pytest.approx(white)
    assert share(state, BLACK) == pytest.approx(1 - white)


@pytest.mark.parametrize(
    ("position", "white"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.5),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 9 / 13),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 5 / 9),
    ],
)
def test_chess_counts_its_kings_too(position, white):
    state = CHESS.position(position)
    assert share(state, WHITE) == pytest.approx(white)
    assert share(state, BLACK) == pytest.approx(1 - white)


def test_othello_is_valued_by_the_difference_of_discs():
    state = OTHELLO.start()
    assert share(state, BLACK) == 0.5
    after = state.forward(state.parse("d3"))  # four black, one white
    assert share(after, BLACK) == pytest.approx(0.5 + 3 / 128)
    assert share(after, WHITE) == pytest.approx(0.5 - 3 / 128)
    assert signed(after, BLACK) == pytest.approx(3 / 64)


def test_an_unknown_game_is_even_until_it_is_decided(tic_tac_toe):
    assert share(tic_tac_toe.position("XX.OO.... X"), WHITE) == 0.5
    assert share(tic_tac_toe.position("XXXOO.... O"), WHITE) == 1.0
    assert share(tic_tac_toe.position("XXXOO.... O"), BLACK) == 0.0
    assert share(tic_tac_toe.position("XOXXOOOXX O"), BLACK) == 0.5


@pytest.mark.parametrize(
    ("game", "position", "reason", "white"),
    [
        (MICROCHESS, "k3/1Q2/1K2/4/4 b - - 0 1", "checkmate", 1.0),
        (MICROCHESS, "k3/4/4/b3/3K w - - 0 1", "insufficient-material", 0.0),
        (MICROCHESS, "k3/4/4/4/3K w - - 0 1", "insufficient-material", 0.5),
        (MICROCHESS, "k3/4/4/3P/1R1K w - - 0 41", "turn-limit", 1.0),
        (CHESS, "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "checkmate", 1.0),
        (CHESS, "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "stalemate", 0.5),
        (OTHELLO, "X" * 40 + "O" * 24 + " X", "discs", 0.0),
    ],
)
def test_a_decided_game_is_worth_its_result(game, position, reason, white):
    state = game.position(position)
    assert state.ending.reason == reason
    for value in (share, outcome):
        assert value(state, WHITE) == white
        assert value(state, BLACK) == 1 - white
    assert signed(state, WHITE) == 2 * white - 1


def test_outcome_counts_only_results():
    assert outcome(MICROCHESS.position("k3/4/4/3P/1R1K w - - 0 1"), WHITE) == 0.5


@pytest.mark.parametrize("game", [MICROCHESS, CHESS, OTHELLO], ids=lambda game: game.name)
def test_the_values_of_both_sides_add_up(game):
    for state in random_states(game, 300):
        for value in (share, outcome):
            assert 0 <= value(state, WHITE) <= 1
            assert value(state, WHITE) + value(state, BLACK) == pytest.approx(1)
        assert signed(state, WHITE) == -signed(state, BLACK)
        assert signed(state, WHITE) == pytest.approx(2 * share(state, WHITE) - 1)
        if not state.is_game_over():
            assert -1 < balance(state, WHITE) < 1


def test_the_values_of_negamax_change_sign_with_the_side_and_keep_the_order():
    states = list(random_states(MICROCHESS, 200))
    for name, value in ZERO_SUM.items():
        for state in states:
            assert value(state, WHITE) == -value(state, BLACK)
        plain = EVALUATIONS[name]
        ranked = sorted(states, key=lambda state, plain=plain: plain(state, WHITE))
        values = [value(state, WHITE) for state in ranked]
        assert values == pytest.approx(sorted(values))


def test_evaluating_loads_no_rules_and_no_chess():
    code = "import sys, agents.evaluation; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"chess", "games.othello", "games.microchess"} & set(loaded.split())


def test_mushroom_is_valued_by_the_difference_of_cells():
    state = games.load("mushroom:rows=2,columns=3").position("AA1/B23 B 0")
    assert balance(state, WHITE) == pytest.approx(1 / 7)
    assert share(state, BLACK) == pytest.approx(0.5 - 1 / 14)


def test_go_is_valued_by_area_and_komi():
    # Black has three stones and the corner behind them, White two stones; the rest touches both.
    state = games.load("go:size=3,komi=0.5").position(".XO/XXO/... X 0")
    assert area_lead(state) == -2 * (4 - 2) + 1
    assert balance(state, BLACK) == pytest.approx(3 / 21)
    assert signed(state, WHITE) == -signed(state, BLACK)


@pytest.mark.parametrize(
    ("rows", "lead"),
    [
        ("...../...../...../...../.....", 0),
        ("O..../...../...../...../.....", 3),  # a row, a column, a diagonal
        ("OO.../...../...../...../.....", 6 + 1 + 1 + 1),
        ("OOX../...../...../...../.....", 2 + 1 - 1),  # two columns and a diagonal against a column
        ("OOOO./...../...../..X../.....", 216 + 3 + 1 - 1),
    ],
)
def test_gomoku_is_valued_by_the_lines_in_which_five_can_be_made(rows, lead):
    state = games.load("gomoku:size=5").position(f"{rows} X")
    assert lines_lead(state) == lead
    assert balance(state, WHITE) == pytest.approx(lead / (abs(lead) + 1000))


@pytest.mark.parametrize("name", ["go:size=5", "gomoku:size=6", "mushroom:rows=4,columns=4"])
def test_the_newer_games_are_zero_sum_too(name):
    for state in random_states(games.load(name), 100):
        assert signed(state, WHITE) == -signed(state, BLACK)
        assert share(state, WHITE) + share(state, BLACK) == pytest.approx(1)
        if not state.is_game_over():
            assert -1 < balance(state, WHITE) < 1


@pytest.mark.parametrize("name", ["go:size=5", "gomoku:size=6", "mushroom:rows=4,columns=4"])
def test_a_search_that_evaluates_beats_chance_in_the_newer_games(name, points):
    for color in (WHITE, BLACK):
        total = 0.0
        for seed in range(6):
            player, opponent = OneStepSearchAgent("x", color), RandomAgent("y", not color)
            player.rng.seed(seed)
            opponent.rng.seed(seed)
            total += points(games.load(name).start(seed), color, player, opponent, most=60)
        assert total >= 4
