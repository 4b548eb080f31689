"""The chess kernel does what python-chess does, on every board and with every argument."""

import copy
import importlib
import pickle
import random
import subprocess
from collections.abc import Callable, Iterator
from functools import partial

import chess
import pytest

from games._live import live
from games.chess import Chess, ChessState, PythonState
from games.errors import BadPosition

NATIVE = importlib.import_module("games._native_chess")
NativeState = NATIVE.derived(PythonState)
STOCKFISH = "/usr/games/stockfish"


def both(fen: str = chess.STARTING_FEN, *, chess960: bool = False) -> tuple[chess.Board, chess.Board]:
    return PythonState(fen, chess960=chess960), NativeState(fen, chess960=chess960)


def answer(question: Callable[[], object]) -> object:
    """The answer to a question, or the exception it raises."""
    try:
        return question()
    except Exception as error:
        return type(error), str(error)


def texts(moves: object) -> list[str]:
    return [str(move) for move in moves]  # type: ignore[attr-defined]


MASKS = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "promoted", "castling_rights"]
COUNTERS = ["turn", "ep_square", "halfmove_clock", "fullmove_number", "chess960", "turn_limit", "turns"]
TEXTS = ["e1g1", "e1h1", "e8c8", "e8a8", "0000", "e2e4", "", "é", "a7a8q", "e5d6", "b1a1"]
METHODS = [
    "fen", "status", "is_check", "is_game_over", "is_checkmate", "is_stalemate", "is_insufficient_material",
    "is_fivefold_repetition", "is_seventyfive_moves", "has_legal_en_passant", "has_pseudo_legal_en_passant",
    "clean_castling_rights", "castling_xfen", "castling_shredder_fen", "epd", "ply", "peek", "checkers_mask", "outcome",
    "result", "can_claim_draw", "is_valid", "has_chess960_castling_rights", "adjudicate", "piece_map", "__str__",
    "is_fifty_moves", "is_variant_end", "unicode",
]  # fmt: skip


def look(board: chess.Board) -> dict[str, object]:
    """Everything that a board shows."""
    asked: dict[str, object] = {name: getattr(board, name) for name in MASKS + COUNTERS}
    asked |= {name: answer(getattr(board, name)) for name in METHODS}
    asked["sides"] = list(board.occupied_co)
    asked["moves"] = texts(board.move_stack)
    asked["history"] = [vars(state) for state in board.copy()._stack]
    questions = {
        "text": lambda: board.text, "ending": lambda: board.ending, "legal": lambda: texts(board.legal_moves),
        "all": lambda: texts(board.generate_legal_moves()), "pseudo": lambda: texts(board.pseudo_legal_moves),
        "taking": lambda: texts(board.generate_legal_captures()), "passing": lambda: texts(board.generate_legal_ep()),
        "castling": lambda: texts(board.generate_castling_moves()), "root": lambda: board.root().fen(),
        "sans": lambda: [board.san(move) for move in board.generate_legal_moves()],
        "attacks": lambda: [board.attackers_mask(color, square) for color in chess.COLORS for square in chess.SQUARES],
        "pins": lambda: [board.pin_mask(color, square) for color in chess.COLORS for square in chess.SQUARES],
        "rights": lambda: [board.has_kingside_castling_rights(color) for color in chess.COLORS],
        # Of a copy: python-chess takes all moves back and plays them again, and what was written by hand is lost then.
        "again": lambda: board.copy().is_repetition(2), "thrice": lambda: board.copy().is_repetition(),
    }  # fmt: skip
    return asked | {name: answer(question) for name, question in questions.items()}


def undefined(result: object) -> bool:
    """Whether python-chess met a move of the history that is not possible, since the board was changed by hand."""
    return isinstance(result, tuple) and result[0] is AssertionError


def look_alike(one: chess.Board, other: chess.Board) -> bool:
    shown, also = look(one), look(other)
    return all(also[name] == value or undefined(value) for name, value in shown.items())


def agree(one: chess.Board, other: chess.Board, *, closely: bool = False) -> None:
    assert texts(other.legal_moves) == texts(one.legal_moves), one.fen()
    assert (other.text, other.ending, other.turn, other.turns) == (one.text, one.ending, one.turn, one.turns)
    assert (other.is_check(), other.is_repetition(2)) == (one.is_check(), one.is_repetition(2))
    assert texts(other.generate_legal_moves()) == texts(one.generate_legal_moves()), one.fen()
    if closely:
        assert look(other) == look(one)
        assert other == one
        for move in one.pseudo_legal_moves:
            assert other.is_legal(move) == one.is_legal(move)
            assert answer(lambda move=move: other.forward(move).text) == answer(
                lambda move=move: one.forward(move).text
            )


def starts() -> Iterator[tuple[chess.Board, chess.Board]]:
    """Both forms of the standard start position, then of positions of Chess960."""
    rng = random.Random(960)
    while True:
        yield both()
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        yield both(board.fen(), chess960=True)


def agree_in_games(games: int, seed: int, *, most_turns: int = 200) -> int:
    positions, rng, beginnings = 0, random.Random(seed), starts()
    for _ in range(games):
        one, other = next(beginnings)
        for number in range(most_turns):
            agree(one, other, closely=number % 64 == 5)
            positions += 1
            moves = list(other.legal_moves)
            if not moves:
                break
            # Moves back are frequent, so that positions repeat.
            back = chess.Move(one.peek().to_square, one.peek().from_square) if one.move_stack else None
            last = chess.Move(one.move_stack[-2].to_square, one.move_stack[-2].from_square) if number > 1 else back
            move = last if last in moves and rng.random() < 0.4 else rng.choice(moves)
            one, other = one.forward(move), other.forward(move)
    return positions


def test_the_forms_agree_on_the_positions_of_random_games():
    assert agree_in_games(6, seed=1) > 700


def scattered(rng: random.Random) -> str:
    """Any pieces on any squares, with a castling rook or a capture en passant more often than by chance."""
    board = chess.Board(None)
    for piece in "Kk" + "".join(rng.choices("PPPNBRQpppnbrq", k=rng.randrange(0, 16))):
        free = [square for square in chess.SQUARES if not board.piece_at(square)]
        if piece in "Pp":
            free = [square for square in free if 0 < chess.square_rank(square) < 7]
        if piece in "KkRr" and rng.random() < 0.7:
            rank = 0 if piece.isupper() else 7
            free = [square for square in free if chess.square_rank(square) == rank] or free
        board._set_piece_at(rng.choice(free), "pnbrqk".index(piece.lower()) + 1, piece.isupper())
    castling = "".join(rng.choice(["", letter]) for letter in "KQkq") or "-"
    turn, passing = rng.choice([("w", 6), ("b", 3)])
    square = f"{rng.choice('abcdefgh')}{passing}" if rng.random() < 0.4 else "-"
    counters = f"{rng.choice([0, 7, 149, 150])} {rng.randrange(1, 90)}"
    return f"{board.board_fen()} {turn} {castling} {square} {counters}"


def agree_on_scattered(count: int, seed: int) -> int:
    """Compare the forms on so many positions; the number of those of Chess960 among them."""
    rng, game, found, chess960 = random.Random(seed), Chess(), 0, 0
    while found < count:
        text = scattered(rng)
        try:
            state = game.position(text)
        except BadPosition:
            continue
        chess960 += state.chess960
        agree(*both(text), closely=found % 32 == 0)
        found += 1
    return chess960


def test_the_forms_agree_on_scattered_pieces():
    assert agree_on_scattered(250, seed=1) > 5


@pytest.mark.soak
def test_the_forms_agree_on_many_positions():
    assert agree_in_games(120, seed=2) > 15_000
    agree_on_scattered(20_000, seed=2)


@pytest.mark.parametrize(
    "text",
    [
        "7k/8/8/K1Pp3r/8/8/8/8 w - d6 0 1",  # both pawns leave the rank between king and rook
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # taking en passant ends the check
        "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
        "r3k2r/8/8/8/8/8/6q1/R3K2R w KQkq - 0 1",
        "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
        "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1",  # in Chess960 the rook shields the king
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ],
)
def test_the_forms_agree_on_special_moves(text):
    agree(*both(text), closely=True)


def test_a_move_back_that_python_chess_calls_a_repetition_is_one():
    one, other = both()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 4:
        one, other = one.forward(one.parse(text)), other.forward(other.parse(text))
        for times in range(-1, 7):
            assert other.is_repetition(times) == one.is_repetition(times)
    assert other.ending == one.ending
    assert other.ending.reason == "repetition"


@pytest.mark.parametrize(
    "text", ["8/8/8/8/8/4k3/8/4K3 w - - 0 1", "7k/8/8/8/8/8/8/KR6 w - - 150 99", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
)
def test_the_endings_are_those_of_the_specification(text):
    one, other = both(text)
    assert other.ending == one.ending
    assert other.outcome() == one.outcome()
    assert other.legal_moves.count() == 0


# ---- Chess960


def test_a_position_of_chess960_is_accepted_and_castling_is_written_as_king_takes_rook():
    state = Chess().position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
    assert state.chess960
    assert state.text.split()[2] == "KQkq"
    after = Chess().position("1k6/8/8/8/8/8/8/RK5R w HA - 0 1")
    assert after.forward(after.parse("b1h1")).piece_map() == after.root().forward(after.parse("b1h1")).piece_map()
    assert after.san(after.parse("b1a1")) == "O-O-O"
    assert Chess().position(after.text) == after


def test_standard_positions_stay_standard():
    assert not Chess().start().chess960
    assert not Chess().position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").chess960
    with pytest.raises(BadPosition, match="castling is claimed without king and rook"):
        Chess().position("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1")


# ---- counts of sequences

START = chess.STARTING_FEN
KNOWN = {
    START: [20, 400, 8_902, 197_281, 4_865_609],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2_039, 97_862, 4_085_603, 193_690_690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2_812, 43_238, 674_624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9_467, 422_333, 15_833_292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1_486, 62_379, 2_103_487, 89_941_194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [
        46, 2_079, 89_890, 3_894_594, 164_075_551,
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", KNOWN)
def test_the_kernel_counts_the_known_sequences(text):
    state = Chess().position(text)
    assert [NATIVE.perft(state, depth) for depth in range(1, 5)] == KNOWN[text][:4]


@pytest.mark.soak
@pytest.mark.parametrize("text", KNOWN)
def test_the_kernel_counts_the_known_longer_sequences(text):
    assert NATIVE.perft(Chess().position(text), 5) == KNOWN[text][4]


def chess960_texts(count: int, seed: int) -> list[str]:
    """Positions of random games of Chess960."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = Chess().position(chess.Board.from_chess960_pos(rng.randrange(960)).fen())
        for _ in range(rng.randrange(40)):
            if moves := list(state.legal_moves):
                state = state.forward(rng.choice(moves))
        # A position from its text: it is Chess960 only as long as its castling rights say so.
        state = Chess().position(state.text)
        if state.legal_moves:
            found.append(state.text)
    return found


def counted_by_stockfish(positions: list[str], depth: int) -> list[int]:
    lines = ["setoption name UCI_Chess960 value true"]
    for text in positions:
        lines += [f"position fen {text}", f"go perft {depth}"]
    ran = subprocess.run([STOCKFISH], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, check=True)
    return [int(line.split()[2]) for line in ran.stdout.splitlines() if line.startswith("Nodes searched")]


def agree_with_stockfish(count: int, depth: int) -> None:
    positions = chess960_texts(count, seed=count)
    counts = [NATIVE.perft(Chess().position(text), depth) for text in positions]
    assert counts == counted_by_stockfish(positions, depth)


def test_the_kernel_counts_sequences_of_chess960_as_stockfish_does():
    agree_with_stockfish(25, 2)


@pytest.mark.soak
def test_the_kernel_counts_many_sequences_as_stockfish_does():
    agree_with_stockfish(1_000, 3)
    for text, counts in KNOWN.items():
        assert counted_by_stockfish([text], 5) == counts[4:]


# ---- anything at all, done to both


def some_move(rng, board):
    moves = list(board.generate_pseudo_legal_moves())
    return rng.choice(moves) if moves else chess.Move.null()


def any_move(rng):
    promotion, drop = rng.choice([None, None, 2, 5, 6]), rng.choice([None, None, None, 1])
    return chess.Move(rng.randrange(64), rng.randrange(64), promotion, drop)


def forwarded(rng, board):
    moves = list(board.legal_moves)
    return board.forward(rng.choice(moves)) if moves else board


def stepped(rng, board):
    for _ in range(rng.randrange(1, 6)):
        board = forwarded(rng, board)
    return board


def write(name, *values):
    return lambda rng, board: setattr(board, name, rng.choice(values))


def set_sides(rng, board):
    board.occupied_co[rng.choice([chess.WHITE, chess.BLACK])] ^= chess.BB_SQUARES[rng.randrange(64)]


CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
OPERATIONS: list[Callable[[random.Random, chess.Board], chess.Board | None]] = [
    forwarded, forwarded, stepped, stepped, stepped, stepped,
    lambda rng, board: board.push(some_move(rng, board)),
    lambda rng, board: board.push(some_move(rng, board)),
    lambda rng, board: board.push(any_move(rng)),
    lambda rng, board: board.push(chess.Move.null()),
    lambda rng, board: board.forward(any_move(rng)),
    lambda rng, board: board.forward(board.parse(rng.choice(TEXTS))),
    lambda rng, board: board.push_uci(rng.choice(TEXTS)) and None,
    lambda rng, board: board.push_san(board.san(some_move(rng, board))) and None,
    lambda rng, board: chess.Board.push(board, some_move(rng, board)),
    lambda rng, board: board.pop() and None,
    lambda rng, board: board.pop() and None,
    lambda rng, board: chess.Board.pop(board) and None,
    lambda rng, board: board.set_piece_at(rng.randrange(64), chess.Piece(rng.randrange(1, 7), rng.random() < 0.5)),
    lambda rng, board: board._set_piece_at(rng.randrange(64), rng.randrange(1, 7), rng.random() < 0.5, True),
    lambda rng, board: board.remove_piece_at(rng.randrange(64)) and None,
    lambda rng, board: setattr(board, "turn", not board.turn),
    write("castling_rights", 0, chess.BB_A1, chess.BB_H8, chess.BB_A1 | chess.BB_H1, chess.BB_B1),
    write("ep_square", None, None, None, chess.D3, chess.E6),
    write("chess960", True, False),
    write("halfmove_clock", 0, 1, 99, 149, 150, 10**12),
    write("fullmove_number", 1, 2, 40, 41, -3),
    write("turn_limit", 0, 1, 80, 80, 10**30),
    write("promoted", 0, chess.BB_A1, chess.BB_D5),
    lambda rng, board: board.copy(stack=rng.choice([True, True, False, 1, 2, 3, -1, -2, 99])),
    lambda rng, board: rng.choice([copy.copy, copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])(board),
    lambda rng, board: board.root(),
    lambda rng, board: board.mirror(),
    lambda rng, board: board.transform(chess.flip_horizontal),
    lambda rng, board: rng.choice([board.clear_stack, board.reset, board.clear, board.reset_board])(),
    lambda rng, board: board.set_fen(scattered(rng)),
    lambda rng, board: board.set_fen(CASTLING),
    lambda rng, board: board.set_chess960_pos(rng.randrange(960)),
    lambda rng, board: board.set_epd(CASTLING.rsplit(" ", 2)[0]) and None,
    lambda rng, board: board.move_stack.clear(),
    lambda rng, board: board.move_stack.append(any_move(rng)),
    lambda rng, board: board._stack.pop() and None,
    lambda rng, board: setattr(board, "move_stack", board.move_stack[: rng.randrange(4)]),
    lambda rng, board: setattr(board, "_stack", board._stack[: rng.randrange(4)]),
    set_sides,
]  # fmt: skip


def live_through(seed: int, *, turns: int = 25) -> None:
    rng = random.Random(seed)
    boards = list(both(CASTLING if seed % 2 else START, chess960=seed % 3 == 0))
    made = []
    for _ in range(turns):
        operation, dice = rng.choice(OPERATIONS), rng.random()
        made.append(OPERATIONS.index(operation))
        results = [answer(partial(operation, random.Random(dice), board)) for board in boards]
        if all(isinstance(result, chess.Board) for result in results):
            boards = results
        else:
            assert results[0] == results[1], (seed, made)
            if undefined(results[0]):
                return  # python-chess has stopped in the middle of an impossible move: the rest is not defined
        if rng.random() < 0.25:
            assert look_alike(*boards), (seed, made)
    assert look_alike(*boards), (seed, made)


def test_both_forms_agree_after_random_operations():
    for seed in range(60):
        live_through(seed)


@pytest.mark.soak
def test_both_forms_agree_after_many_random_operations():
    for seed in range(10_000, 12_000):
        live_through(seed)


# ---- which form plays, and as what


def test_the_kernel_plays_where_it_was_built():
    assert live("chess") == "kernel"
    assert ChessState is NativeState
    assert type(Chess().start()) is NativeState
    assert issubclass(NativeState, PythonState)
    assert isinstance(Chess().start(), chess.Board)


def test_the_kernel_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert live("chess") == "python"


def test_keys_are_equal_exactly_for_positions_that_repeat_each_other():
    seen: dict[int, object] = {}
    rng = random.Random(7)
    for _ in range(20):
        state = Chess().start()
        while (moves := list(state.legal_moves)) and state.turns < 80:
            state = state.forward(rng.choice(moves))
            plain = PythonState(state.fen())
            assert seen.setdefault(NATIVE.key(state), plain._transposition_key()) == plain._transposition_key()
    knights = Chess().start()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"]:
        knights = knights.forward(knights.parse(text))
    assert NATIVE.key(knights) == NATIVE.key(Chess().start())


def test_states_and_their_moves_go_through_pickles_with_history():
    state = Chess().start()
    for text in ["e2e4", "c7c5", "g1f3"]:
        state = state.forward(state.parse(text))
    again = pickle.loads(pickle.dumps(state))
    assert type(again) is NativeState
    assert look(again) == look(state)


def test_random_games_are_the_same_for_the_same_seed_and_end_by_the_rules():
    start = Chess(turns=60).start()
    assert NATIVE.playouts(start, 50, 1) == NATIVE.playouts(start, 50, 1)
    wins, draws, losses = NATIVE.playouts(Chess().start(), 200, 2)
    assert wins + draws + losses == 200
    assert draws > wins > 0
