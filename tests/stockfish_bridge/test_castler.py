"""The test agent that castles and promotes does so."""

import random

import pytest

from games.base import BLACK, WHITE


@pytest.fixture
def agent(castler):
    made = castler("castler", WHITE)
    made.rng = random.Random(1)
    return made


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("k2r/p3/4/3P/R2K w Qk - 0 1", {"d1b1"}),
        ("k2r/p3/4/3P/R2K b Qk - 0 1", {"a5c5"}),
        ("k3/2P1/4/4/K3 w - - 0 1", {"c4c5n", "c4c5b", "c4c5r", "c4c5q"}),
        ("3k/1P2/4/3P/R2K w Q - 0 1", {"d1b1"}),
    ],
)
def test_it_castles_then_promotes(agent, microchess, text, moves):
    state = microchess.position(text)
    assert {str(agent.act(state)) for _ in range(50)} == moves


def test_else_it_plays_anything_legal(agent, microchess):
    state = microchess.start()
    played = {agent.act(state) for _ in range(300)}
    assert played == set(state.legal_moves)


def test_it_castles_in_many_games(castler, microchess):
    castled = promoted = 0
    for seed in range(40):
        players = {color: castler("castler", color) for color in (WHITE, BLACK)}
        for color, player in players.items():
            player.rng = random.Random(2 * seed + color)
        state = microchess.start()
        while state.ending is None:
            move = players[state.turn].act(state)
            castled += state.is_castling(move)
            promoted += bool(move.promotion)
            state = state.forward(move)
    assert castled >= 5
    assert promoted >= 10
