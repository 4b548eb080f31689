"""Invalid positions are never sent to an engine, and the problem is named."""

import random

import chess
import pytest

import games
from agents.seat import History, Times
from games.errors import ArenaError, BadPosition
from stockfish_bridge.errors import BrokenPosition
from stockfish_bridge.position import check_position, position_problem
from stockfish_bridge.stockfish import Stockfish
from stockfish_bridge.uci import Uci

#: Invalid positions of chess, and the problem of each. The first four kinds crash real engines.
CHESS = [
    ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side not to move is in check"),
    ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "the side not to move is in check"),
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling letter K without the rook on h1"),
    ("4k3/8/8/8/8/8/4K3/R6R w Q - 0 1", "castling letter Q without the king on e1"),
    ("r3k3/8/8/8/8/8/8/4K3 w kq - 0 1", "castling letter k without the rook on h8"),
    ("8/8/8/8/8/8/8/4K2R w - - 0 1", "Black has no king"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
    ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on rank 1"),
    ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on rank 8"),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed the en passant square e6"),
    ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "no pawn has just passed the en passant square e6"),
    ("4k3/8/8/8/8/8/8/4K3 w - e5 0 1", "there is no en passant square 'e5'"),
    ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "there is no castling letter 'X'"),
    ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "White has 17 pieces, more than 16"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is neither w nor b"),
    ("4k3/8/8/8/8/8/8/4K3 w - - a 1", "halfmove clock and move number are not numbers"),
    ("4k3/8/8/8/8/8/8/4K3 w - -", "a position has six fields, not 4"),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "a board has 8 ranks, or 5 in microchess, not 7"),
    ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", "rank 3 has 7 squares instead of 8"),
    ("4k3/8/8/8/8/44/8/4K3 w - - 0 1", "rank 3 is not written with pieces and digits"),
    ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "rank 1 is not written with pieces and digits"),
    ("", "a position has six fields, not 0"),
]
MICROCHESS = [
    ("k2r/p3/4/3P/1K1r b - - 0 1", "the side not to move is in check"),
    ("k3/p3/4/1r1P/1KR1 b - - 0 1", "the side not to move is in check"),
    ("knb1/p3/4/3P/RBNK w Qk - 0 1", "castling letter k without the rook on d5"),
    ("knbr/p3/4/3P/1BNK w Qk - 0 1", "castling letter Q without the rook on a1"),
    ("1k1r/p3/4/3P/RBNK w Qk - 0 1", "castling letter k without the king on a5"),
    ("1nbr/p3/4/3P/RBNK w - - 0 1", "Black has no king"),
    ("knbr/p3/4/3P/RBN1 w - - 0 1", "White has no king"),
    ("knbk/p3/4/3P/RBNK w - - 0 1", "Black has 2 kings"),
    ("knbr/p3/4/4/RBPK w - - 0 1", "a pawn stands on rank 1"),
    ("kPbr/p3/4/4/RBNK w - - 0 1", "a pawn stands on rank 5"),
    ("knbr/p3/4/3P/RBNK b - d3 0 1", "there is no en passant in microchess"),
    ("knbr/p3/4/3P/RBNK w e - 0 1", "there is no castling letter 'e'"),
    ("knbr/p4/4/3P/RBNK w - - 0 1", "rank 4 has 5 squares instead of 4"),
]


@pytest.mark.parametrize(("text", "words"), CHESS + MICROCHESS)
def test_the_problem_of_a_position_is_named(text, words):
    assert position_problem(text) == words
    with pytest.raises(BrokenPosition, match=r"^cannot send .* to an engine: ") as caught:
        check_position(text)
    assert str(caught.value).endswith(words)
    assert isinstance(caught.value, ArenaError)


@pytest.mark.parametrize(
    ("game", "text"),
    [("chess", text) for text, _ in CHESS] + [("microchess", text) for text, _ in MICROCHESS],
)
def test_the_rules_of_the_game_refuse_invalid_positions_too(game, text):
    with pytest.raises(BadPosition):
        games.load(game).position(text)


def test_the_rules_of_chess_ignore_a_castling_letter_without_a_rook():
    # python-chess ignores a castling letter without a rook. The engine gets the position without it.
    text = "4k3/8/8/8/8/8/7P/4K3 w Q - 0 1"
    assert position_problem(text) == "castling letter Q without the rook on a1"
    assert position_problem(games.load("chess").position(text).text) == ""


def test_a_repeated_castling_letter_is_sent_once():
    text = "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1"
    assert position_problem(text) == "castling letters are repeated: KK"
    assert position_problem(games.load("chess").position(text).text) == ""


class Untouchable:
    """A channel on which nothing may be sent."""

    def send(self, line):
        raise AssertionError(f"{line!r} reached the engine")

    def receive(self, deadline):
        raise AssertionError("the engine was heard")

    def close(self):
        pass


TIMES = Times(own=1.0, opponent=1.0, opponent_last_move=0.0)


def protocols(game):
    yield Uci(game, {})
    yield Stockfish(game, {})
    if game.name == "microchess":
        yield Stockfish(game, {"backend": "standard"})


@pytest.mark.parametrize(
    ("name", "text"),
    [("chess", text) for text, _ in CHESS] + [("microchess", text) for text, _ in MICROCHESS],
)
def test_an_invalid_start_is_never_sent_to_an_engine(name, text):
    game = games.load(name)
    for protocol in protocols(game):
        with pytest.raises(BrokenPosition, match=r"^cannot send .* to an engine: "):
            protocol.ask(Untouchable(), History(text, (), game.start()), TIMES, 0.0)


@pytest.mark.parametrize(("text", "words"), MICROCHESS[:2])
def test_an_invalid_state_is_never_sent_to_an_engine(microchess, text, words):
    """The case of the earlier wrapper: rules that let a king castle into check."""
    state = microchess.start()
    state.set_fen(text)
    for protocol in protocols(microchess):
        with pytest.raises(BrokenPosition, match=words):
            protocol.ask(Untouchable(), History(microchess.start().text, (), state), TIMES, 0.0)


@pytest.mark.parametrize("name", ["chess", "microchess"])
def test_every_position_of_a_game_is_valid(name, walk):
    for seed in range(20):
        for state in walk(games.load(name), seed):
            assert position_problem(state.text) == ""


def test_en_passant_is_valid_for_both_sides():
    for text in ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"):
        assert position_problem(text) == ""
        assert chess.Board(text).is_valid()


def scattered(rng: random.Random, files: int, ranks: int) -> str:
    """A board with random pieces."""
    board = [["1"] * files for _ in range(ranks)]
    pieces = [
        "K",
        "k",
        *rng.choices("KPNBRQpnbrqk", (1, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 1), k=rng.randint(0, 8)),
    ]
    for square, piece in zip(rng.sample(range(files * ranks), len(pieces)), pieces, strict=True):
        board[square // files][square % files] = piece
    rows = ("".join(row) for row in board)
    plain = "/".join(packed(row) for row in rows)
    return f"{plain} {rng.choice('wb')} - - 0 1"


def packed(row: str) -> str:
    for count in range(len(row), 1, -1):
        row = row.replace("1" * count, str(count))
    return row


@pytest.mark.parametrize(("name", "files", "ranks"), [("chess", 8, 8), ("microchess", 4, 5)])
def test_random_positions_are_judged_as_the_rules_judge_them(name, files, ranks):
    rng, game, sound = random.Random(7), games.load(name), 0
    for _ in range(2000):
        text = scattered(rng, files, ranks)
        refusal = refused(game, text)
        # The rules of chess also refuse checks that no game can lead to; these are harmless to engines.
        impossible = "check than" in refusal or "given this check" in refusal
        assert bool(position_problem(text)) == bool(refusal) or impossible, text
        sound += not refusal
    assert sound > 200


def refused(game, text):
    try:
        game.position(text)
    except BadPosition as error:
        return str(error)
    return ""


def test_castling_letters_of_chess960_are_valid():
    assert position_problem("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9") == ""
    assert position_problem("4k3/8/8/8/8/8/8/R4K1R w Q - 0 1") == ""
