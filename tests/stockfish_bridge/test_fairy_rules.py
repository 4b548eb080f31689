"""The legal moves of microchess, compared with those of Fairy-Stockfish and our variant definition."""

import random
import re
import time

import pytest

COUNT = re.compile(r"([a-d][1-5][a-d][1-5][nbrq]?): ([0-9]+)")
SECONDS = 600.0


class Oracle:
    """Fairy-Stockfish with our variant, set up by the bridge."""

    def __init__(self, channel) -> None:
        self._channel = channel

    def perft(self, position: str, turns: int) -> dict[str, int]:
        """For every legal move, the number of move sequences of this length that begin with it."""
        self._channel.send(f"position {position}")
        self._channel.send(f"go perft {turns}")
        counts: dict[str, int] = {}
        while not (line := self._channel.receive(time.monotonic() + SECONDS)).startswith("Nodes searched"):
            if match := COUNT.fullmatch(line):
                counts[match[1]] = int(match[2])
        return counts


@pytest.fixture(scope="module")
def oracle(engine, microchess) -> Oracle:
    return Oracle(engine(microchess).channel)


def positions(game, walk, count: int) -> list[str]:
    """This many different positions of random games, finished games included."""
    found: dict[str, None] = {}
    seed = 0
    while len(found) < 2 * count:
        found |= dict.fromkeys(state.text for state in walk(game, seed))
        seed += 1
    return random.Random(0).sample(sorted(found), count)


def sequences(board, turns):
    """Perft that continues where our game would be over, like the engine's."""
    counts = {}
    for move in list(board.generate_legal_moves()):
        board.push(move)
        counts[str(move)] = sum(sequences(board, turns - 1).values()) if turns > 1 else 1
        board.pop()
    return counts


def test_the_engine_counts_the_same_sequences_from_the_start(oracle, microchess):
    expected = sequences(microchess.start(), 4)
    assert sum(expected.values()) == 8450
    assert oracle.perft("startpos", 4) == expected


def test_the_engine_finds_the_same_moves_in_random_positions(oracle, microchess, walk):
    kinds = {"castling": 0, "promotion": 0, "double step": 0, "none": 0}
    for text in positions(microchess, walk, 5000):
        state = microchess.position(text)
        moves = list(state.generate_legal_moves())
        assert set(oracle.perft(f"fen {text}", 1)) == {str(move) for move in moves}, text
        kinds["castling"] += any(state.is_castling(move) for move in moves)
        kinds["promotion"] += any(move.promotion for move in moves)
        kinds["double step"] += "a4a2" in map(str, moves)
        kinds["none"] += not moves
    assert min(kinds.values()) >= 10, kinds


def test_the_engine_finds_the_same_moves_where_castling_is_near(oracle, microchess, placed):
    """Kings and rooks on their start squares, other pieces at random."""
    rng, castled, compared = random.Random(1), 0, 0
    while compared < 2000:
        middle = rng.choices("1PNBRQpnbrq", (60, *[4] * 10), k=16)
        squares = ["k", *middle[:2], "r", *middle[2:14], "R", *middle[14:], "K"]
        state = placed(microchess, squares, f"{rng.choice('wb')} Qk - 0 1")
        if state is not None:
            compared += 1
            moves = list(state.generate_legal_moves())
            assert set(oracle.perft(f"fen {state.text}", 1)) == {str(move) for move in moves}, state.text
            castled += any(state.is_castling(move) for move in moves)
    assert castled >= 50


@pytest.mark.parametrize(
    "text",
    [
        "k2r/p3/4/3P/R2K w Qk - 0 1",
        "k2r/p3/4/3P/R2K b Qk - 0 1",
        "k2r/p3/4/4/R2K w Qk - 0 1",
        "k1r1/p3/4/3P/R2K w Q - 0 1",
        "kr2/p3/4/3P/R2K w Q - 0 1",
        "k2r/p3/4/3P/1R1K b k - 0 1",
        "k2r/p3/4/3P/2RK b k - 0 1",
        "k2r/2P1/4/4/K3 w - - 0 1",
        "3k/4/4/1p2/R2K b - - 0 1",
        "3k/4/2p1/3P/K3 w - - 0 1",
        "k2r/3p/qQP1/p3/R2K w Qk - 0 1",
    ],
)
def test_the_engine_agrees_about_special_moves(oracle, microchess, text):
    assert oracle.perft(f"fen {text}", 3) == sequences(microchess.position(text), 3)
