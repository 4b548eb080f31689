"""What must hold in every microchess game, tried on random ones."""

import random

import chess
import pytest

BOARD = 0x0F_0F_0F_0F_0F


def check_random_games(game, seeds):
    for seed in seeds:
        rng = random.Random(seed)
        state = game.start()
        while moves := list(state.legal_moves):
            state.push(rng.choice(moves))
            assert not state.was_into_check(), f"seed {seed}: the side not to move is in check in {state.text}"
            assert not state.occupied & ~BOARD, f"seed {seed}: a piece left the board in {state.text}"
            assert not state.pawns & (chess.BB_RANK_1 | chess.BB_RANK_5), f"seed {seed}: no promotion in {state.text}"
        assert state.ending is not None
        assert state.turns <= 80


def test_no_random_game_reaches_an_impossible_position(microchess):
    check_random_games(microchess, range(500))


@pytest.mark.soak
def test_no_random_game_of_many_reaches_an_impossible_position(microchess):
    check_random_games(microchess, range(1_000, 21_000))


def test_random_games_end_in_every_possible_way(microchess, walk):
    reasons = set()
    for seed in range(300):
        *_, last = walk(microchess, seed)
        reasons.add(last.ending.reason)
    assert reasons >= {"checkmate", "insufficient-material", "stalemate", "turn-limit"}


def test_a_move_is_legal_exactly_if_it_leaves_the_king_safe(microchess, walk):
    for seed in range(10):
        for state in walk(microchess, seed):
            for move in state.generate_pseudo_legal_moves():
                after = state.copy()
                after.push(move)
                assert state.is_legal(move) == (not after.was_into_check())


def test_python_chess_agrees_about_moves_into_check(microchess, walk):
    for seed in range(10):
        for state in walk(microchess, seed):
            for move in state.generate_pseudo_legal_moves():
                assert state.is_into_check(move) == (not state.is_legal(move))


def test_a_mirrored_position_has_as_many_moves_and_the_mirrored_verdict(microchess, walk):
    for seed in range(10):
        for state in walk(microchess, seed):
            mirrored = state.mirror()
            assert len(list(mirrored.generate_legal_moves())) == len(list(state.generate_legal_moves()))
            assert mirrored.mirror().text.split()[:3] == state.text.split()[:3]
            assert mirrored.is_checkmate() == state.is_checkmate()
