"""Whole games of real engines: every move is legal, and the engines beat weak opponents."""

import random

import pytest

from agents.seat import History
from games.base import BLACK, WHITE, Game, State

BACKENDS = ("fairy", "standard")


class RandomPlayer:
    """Plays random legal moves."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def act(self, state: State):
        return self._rng.choice(list(state.legal_moves))


def whole_game(engine, opponent, color: bool, *, game: Game) -> tuple[tuple[str, ...], State]:
    """The moves and the last state; raises if the engine makes an illegal move."""
    state, moves = game.start(), ()
    start = state.text
    engine.begin(color)
    while state.ending is None:
        is_ours = state.turn == color
        move = state.parse(engine.ask(History(start, moves, state))) if is_ours else opponent.act(state)
        state, moves = state.forward(move), (*moves, str(move))
    return moves, state


@pytest.fixture
def special(castler):
    def made(color: bool, seed: int):
        agent = castler("castler", color)
        agent.rng = random.Random(seed)
        return agent

    return made


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_games_against_random_moves_are_won(engine, microchess, backend, color):
    player = engine(microchess, backend=backend, nodes=500)
    points = [
        whole_game(player, RandomPlayer(seed), color, game=microchess)[1].ending.points(color) for seed in range(10)
    ]
    assert sum(points) >= 8


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_games_against_an_agent_that_castles_and_promotes_are_won(engine, microchess, special, backend, color):
    player = engine(microchess, backend=backend, nodes=500)
    points = [
        whole_game(player, special(not color, seed), color, game=microchess)[1].ending.points(color)
        for seed in range(10)
    ]
    assert sum(points) >= 8


@pytest.mark.soak
@pytest.mark.parametrize("backend", BACKENDS)
def test_many_games_have_no_illegal_move(engine, microchess, special, backend):
    player = engine(microchess, backend=backend, nodes=500)
    for seed in range(500):
        color = WHITE if seed % 2 else BLACK
        opponent = special(not color, seed) if seed % 4 < 2 else RandomPlayer(seed)
        whole_game(player, opponent, color, game=microchess)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_engine_itself_makes_special_moves(engine, microchess, special, backend):
    player = engine(microchess, backend=backend, nodes=500)
    special_moves = 0
    for seed in range(24):
        color = WHITE if seed % 2 else BLACK
        moves, _ = whole_game(player, special(not color, seed), color, game=microchess)
        own = moves[0 if color == WHITE else 1 :: 2]
        castling = "d1b1" if color == WHITE else "a5c5"
        special_moves += sum(len(move) == 5 or move in {castling, "a4a2"} for move in own)
    assert special_moves >= 5


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_nodes_repeat_the_same_game(engine, microchess, backend):
    player = engine(microchess, backend=backend, nodes=500)
    once = whole_game(player, RandomPlayer(5), WHITE, game=microchess)[0]
    whole_game(player, RandomPlayer(6), BLACK, game=microchess)
    assert whole_game(player, RandomPlayer(5), WHITE, game=microchess)[0] == once


@pytest.mark.parametrize("limit", [{"depth": 3}, {"seconds": 0.01}, {"clock": "yes", "level": 0}])
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_limit_ends_a_search(engine, microchess, backend, limit):
    player = engine(microchess, backend=backend, **limit)
    player.begin(BLACK)
    state = microchess.position("k2r/p3/4/3P/R2K b Qk - 0 1")  # castling and a double step among the moves
    answer = player.ask(History(state.text, (), state))
    assert str(state.parse(answer)) == answer


@pytest.mark.parametrize("level", [0, 10, 20])
def test_chess_games_at_every_level_are_legal(engine, chess_game, level):
    player = engine(chess_game, nodes=200, level=level)
    for color in (WHITE, BLACK):
        moves, last = whole_game(player, RandomPlayer(level), color, game=chess_game)
        assert last.ending.points(color) == 1.0, moves


def test_the_name_is_the_one_that_the_engine_reports(engine, microchess, chess_game):
    assert engine(chess_game, nodes=200).protocol.name.startswith("Stockfish ")
    assert engine(microchess, nodes=500).protocol.name.startswith("Fairy-Stockfish ")


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_positions_are_searched_without_a_crash(engine, microchess, placed, backend):
    """Valid positions that no game leads to, most of them full of pieces."""
    player, rng, asked = engine(microchess, backend=backend, nodes=500), random.Random(3), 0
    player.begin(WHITE)
    while asked < 200:
        squares = ["K", "k", *rng.choices("PNBRQpnbrq1", k=18)]
        rng.shuffle(squares)
        state = placed(microchess, squares, f"{rng.choice('wb')} - - 0 1")
        if state is not None and state.ending is None:
            asked += 1
            assert state.parse(player.ask(History(state.text, (), state)))
