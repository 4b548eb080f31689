"""Perft: the numbers of move sequences equal published counts."""

import pytest

import games

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("chess", [20, 400, 8902]),
        ("gomoku", [121, 14_520, 1_727_880]),
        ("microchess", [12, 110, 967, 8450]),
        ("othello", [4, 12, 56, 244, 1396, 8200]),
    ],
)
def test_the_start_position_has_the_known_number_of_sequences(name, counts, perft):
    start = games.load(name).start()
    assert [perft(start, turns) for turns in range(1, len(counts) + 1)] == counts


def test_kiwipete_has_the_known_number_of_sequences(perft):
    state = games.load("chess").position(KIWIPETE)
    assert [perft(state, 1), perft(state, 2)] == [48, 2039]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "turns", "count"),
    [("chess", 4, 197_281), ("othello", 7, 55_092), ("othello", 8, 390_216)],
)
def test_the_start_position_has_the_known_number_of_longer_sequences(name, turns, count, perft):
    assert perft(games.load(name).start(), turns) == count
