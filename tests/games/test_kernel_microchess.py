"""The microchess kernel does what its specification in Python does, on every board and with every argument."""

import copy
import importlib
import itertools
import pickle
import random
import re
from collections.abc import Callable
from functools import partial

import chess
import pytest

from games._live import kernel, live
from games.errors import BadPosition
from games.microchess import Microchess, MicrochessState, PythonState

NATIVE = importlib.import_module("games._native_microchess")
NativeState = NATIVE.derived(PythonState)


def both(fen: str = "knbr/p3/4/3P/RBNK w Qk - 0 1") -> tuple[chess.Board, chess.Board]:
    return PythonState(fen), NativeState(fen)


def answer(question: Callable[[], object]) -> object:
    """The answer to a question, or the exception it raises."""
    try:
        return question()
    except Exception as error:
        return type(error), str(error)


MASKS = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "promoted", "castling_rights"]
COUNTERS = ["turn", "ep_square", "halfmove_clock", "fullmove_number", "chess960", "turn_limit", "turns"]
TEXTS = ["d1b1", "d1a1", "a5c5", "a5d5", "0000", "d2d3", "", "é", "a4a2"]


def look(board: chess.Board) -> dict[str, object]:
    """Everything that a board shows."""
    asked = {name: getattr(board, name) for name in MASKS + COUNTERS}
    asked["sides"] = list(board.occupied_co)
    asked["moves"] = [str(move) for move in board.move_stack]
    asked["history"] = [vars(state) for state in board.copy()._stack]
    questions = {
        "text": lambda: board.text, "fen": board.fen, "ending": lambda: board.ending, "status": board.status,
        "legal": lambda: [str(move) for move in board.legal_moves], "check": board.is_check, "over": board.is_game_over,
        "all": lambda: [str(move) for move in board.generate_legal_moves()], "mate": board.is_checkmate,
        "stuck": board.is_stalemate, "poor": board.is_insufficient_material, "again": lambda: board.is_repetition(2),
        "five": board.is_fivefold_repetition, "material": lambda: board.material(chess.WHITE), "peek": board.peek,
        "root": lambda: board.root().fen(), "verdict": board.adjudicate, "drawing": lambda: str(board),
    }  # fmt: skip
    return asked | {name: answer(question) for name, question in questions.items()}


def agree(one: chess.Board, other: chess.Board, *, closely: bool = False) -> None:
    assert [str(move) for move in other.legal_moves] == [str(move) for move in one.legal_moves], one.text
    assert (other.text, other.ending, other.turn, other.turns) == (one.text, one.ending, one.turn, one.turns)
    assert other.is_check() == one.is_check()
    if closely:
        assert look(other) == look(one)
        assert other == one
        for move in one.generate_legal_moves():
            assert answer(lambda move=move: other.forward(move).text) == answer(
                lambda move=move: one.forward(move).text
            )


def agree_in_games(seeds: range) -> int:
    positions = 0
    for seed in seeds:
        rng = random.Random(seed)
        one, other = both()
        for number in itertools.count():
            agree(one, other, closely=(seed + number) % 16 == 0)
            positions += 1
            moves = list(other.legal_moves)
            if not moves:
                break
            move = rng.choice(moves)
            one, other = one.forward(move), other.forward(move)
    return positions


def test_the_forms_agree_on_the_positions_of_random_games():
    assert agree_in_games(range(60)) > 2_000


def scattered(rng: random.Random) -> str:
    """Any pieces on any squares."""
    squares = ["."] * 20
    pieces = "Kk" + "".join(rng.choices("PPNBRQppnbrq", k=rng.randrange(0, 12)))
    for square, piece in zip(rng.sample(range(20), len(pieces)), pieces, strict=True):
        squares[square] = piece
    rows = "/".join("".join(squares[start : start + 4]) for start in range(0, 20, 4))
    board = re.sub(r"\.+", lambda empty: str(len(empty[0])), rows)
    castling = "".join(rng.choice(["", letter]) for letter in "Qk") or "-"
    return f"{board} {rng.choice('wb')} {castling} - {rng.choice([0, 7, 49, 50])} {rng.randrange(1, 42)}"


def agree_on_scattered(count: int, seed: int) -> None:
    rng, game, found = random.Random(seed), Microchess(), 0
    while found < count:
        text = scattered(rng)
        try:
            game.position(text)
        except BadPosition:
            continue
        agree(*both(text), closely=found % 8 == 0)
        found += 1


def test_the_forms_agree_on_scattered_pieces():
    agree_on_scattered(500, seed=1)


@pytest.mark.soak
def test_the_forms_agree_on_many_positions():
    assert agree_in_games(range(1_000, 1_600)) > 20_000
    agree_on_scattered(20_000, seed=2)


@pytest.mark.parametrize(("depth", "count"), list(enumerate([1, 12, 110, 967, 8450, 77380, 713703, 6695405])))
def test_the_kernel_counts_the_known_sequences(depth, count):
    assert NATIVE.perft(NativeState(), depth) == count


@pytest.mark.parametrize(
    "text", ["k2r/p3/4/3P/R2K w Qk - 0 1", "k2r/2P1/4/4/K3 w - - 0 1", "k2r/3p/qQP1/p3/R2K b Qk - 0 1"]
)
def test_the_kernel_counts_sequences_as_the_specification_does(text):
    def count(board, depth):
        if depth == 0:
            return 1
        moves, sum_ = list(board.generate_legal_moves()), 0
        for move in moves:
            board.push(move)
            sum_ += count(board, depth - 1)
            board.pop()
        return sum_

    assert NATIVE.perft(NativeState(text), 3) == count(PythonState(text), 3)


# ---- anything at all, done to both


def some_move(rng, board):
    moves = list(board.generate_pseudo_legal_moves())
    return rng.choice(moves) if moves else chess.Move.null()


def any_move(rng):
    return chess.Move(
        rng.randrange(-2, 40),
        rng.randrange(40),
        rng.choice([None, None, 0, 2, 5, 6]),
        rng.choice([None, None, None, 0]),
    )


def any_square(rng):
    return chess.square(rng.randrange(4), rng.randrange(5)) if rng.random() < 0.95 else rng.randrange(64)


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
    board.occupied_co[rng.choice([chess.WHITE, chess.BLACK])] ^= chess.BB_SQUARES[any_square(rng)]


OPERATIONS: list[Callable[[random.Random, chess.Board], chess.Board | None]] = [
    forwarded, forwarded, stepped, stepped, stepped, stepped,
    lambda rng, board: board.push(some_move(rng, board)),
    lambda rng, board: board.push(some_move(rng, board)),
    lambda rng, board: board.push(any_move(rng)),
    lambda rng, board: board.push(chess.Move.null()),
    lambda rng, board: board.forward(any_move(rng)),
    lambda rng, board: board.forward(board.parse(rng.choice(TEXTS))),
    lambda rng, board: chess.Board.push(board, some_move(rng, board)),
    lambda rng, board: board._make(some_move(rng, board)),
    lambda rng, board: board.pop() and None,
    lambda rng, board: board.pop() and None,
    lambda rng, board: chess.Board.pop(board) and None,
    lambda rng, board: board.set_piece_at(any_square(rng), chess.Piece(rng.randrange(1, 7), rng.random() < 0.5)),
    lambda rng, board: board._set_piece_at(any_square(rng), rng.randrange(1, 7), rng.random() < 0.5, True),
    lambda rng, board: board.remove_piece_at(any_square(rng)) and None,
    lambda rng, board: setattr(board, "turn", not board.turn),
    write("castling_rights", 0, chess.BB_A1, chess.BB_D5, chess.BB_A1 | chess.BB_D5, chess.BB_H1),
    write("ep_square", None, None, None, chess.D3),
    write("halfmove_clock", 0, 1, 40, 49, 50, 10**12),
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
    lambda rng, board: board.set_fen("k2r/p3/4/3P/R2K w Qk - 0 1"),
    lambda rng, board: board.move_stack.clear(),
    lambda rng, board: board.move_stack.append(any_move(rng)),
    lambda rng, board: board._stack.pop() and None,
    lambda rng, board: setattr(board, "move_stack", board.move_stack[: rng.randrange(4)]),
    lambda rng, board: setattr(board, "_stack", board._stack[: rng.randrange(4)]),
    set_sides,
]  # fmt: skip


def live_through(seed: int, *, turns: int = 25) -> None:
    rng = random.Random(seed)
    boards = list(both("k2r/p3/4/3P/R2K w Qk - 0 1" if seed % 2 else "knbr/p3/4/3P/RBNK w Qk - 0 1"))
    held = [board.move_stack for board in boards]
    made = []
    for _ in range(turns):
        operation, dice = rng.choice(OPERATIONS), rng.random()
        made.append(OPERATIONS.index(operation))
        results = [answer(partial(operation, random.Random(dice), board)) for board in boards]
        if all(isinstance(result, chess.Board) for result in results):
            boards = results
        else:
            assert results[0] == results[1], (seed, made)
        assert [str(move) for move in held[0]] == [str(move) for move in held[1]], (seed, made)
        if rng.random() < 0.5:
            held = [board.move_stack for board in boards]
        if rng.random() < 0.5:
            assert look(boards[1]) == look(boards[0]), (seed, made)
    assert look(boards[1]) == look(boards[0]), (seed, made)


def test_both_forms_agree_after_random_operations():
    for seed in range(150):
        live_through(seed)


@pytest.mark.soak
def test_both_forms_agree_after_many_random_operations():
    for seed in range(10_000, 14_000):
        live_through(seed)


# ---- which form plays


def test_the_kernel_plays_where_it_was_built():
    assert live("microchess") == "kernel"
    assert MicrochessState is NativeState
    assert type(Microchess().start()) is NativeState
    assert issubclass(NativeState, PythonState)


def test_the_kernel_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert kernel("microchess") is None
    assert live("microchess") == "python"
