"""Encodings seen from both sides, and symmetries: a game that is turned move by move is the same game for a learner."""

import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

import games
from games.base import State
from games.encoding import BaseEncoding, Symmetry, of

#: How each symmetry acts on the rows of a board.
ON_ROWS: dict[str, Callable[[Any], Any]] = {
    "identity": lambda rows: rows,
    "rotation 180": lambda rows: rows[::-1, ::-1],
    "mirror left-right": lambda rows: rows[:, ::-1],
    "mirror top-bottom": lambda rows: rows[::-1],
    "rotation 90": np.rot90,
    "rotation 270": lambda rows: np.rot90(rows, 3),
    "diagonal": np.transpose,
    "other diagonal": lambda rows: rows[::-1, ::-1].T,
}
CELL_GAMES = ["go:size=5", "gomoku:size=7", "mushroom:rows=5,columns=6", "mushroom:rows=5,columns=5", "othello"]
PASSES = {"go": "pass", "mushroom": "-1 -1 -1 -1", "othello": "pass"}


def encoding_of(text: str, *, native: bool = True) -> BaseEncoding:
    return of(games.load(text), native=native)  # type: ignore[return-value]


def turned(text: str, name: str) -> str:
    """The text of a position with its board turned or mirrored."""
    board, *rest = text.split()
    rows = board.split("/") if "/" in board else [board[start : start + 8] for start in range(0, 64, 8)]
    image = ON_ROWS[name](np.array([list(row) for row in rows]))
    return " ".join([("/" if "/" in board else "").join("".join(row) for row in image), *rest])


def random_game(state: State, rng: random.Random, *, turns: int = 80) -> list[Any]:
    """The moves of a random game; it rarely passes."""
    moves = []
    for _ in range(turns):
        legal = list(state.legal_moves)
        if not legal:
            break
        moves.append(rng.choice(legal[:-1] if len(legal) > 1 and rng.random() < 0.9 else legal))
        state = state.forward(moves[-1])
    return moves


# Both sides see the same


@pytest.mark.parametrize(
    ("text", "turned_start", "games_played"),
    [
        ("microchess:turns=0", "knbr/p3/4/3P/RBNK b Qk - 0 1", 40),
        ("chess:turns=0", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 3),
        # Both may castle at once.
        ("microchess:turns=0", "k2r/p3/4/3P/R2K b Qk - 0 1", 20),
        ("chess:turns=0", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 3),
    ],
)
def test_pitfall_08_both_colours_see_the_same_in_turned_games(text: str, turned_start: str, games_played: int) -> None:
    game, encoding = games.load(text), encoding_of(text)
    castlings = set()
    for seed in range(games_played):
        one: Any = game.position(turned_start.replace(" b ", " w "))
        other: Any = game.position(turned_start)
        for move in random_game(one, random.Random(seed)):
            np.testing.assert_array_equal(*encoding.encoded([one, other]))
            assert sorted(encoding.legal_actions(one)) == sorted(encoding.legal_actions(other))
            answer = encoding.move(other, encoding.action(one, move))
            assert isinstance(answer, chess.Move)
            if one.is_castling(move):
                assert other.is_castling(answer)
                castlings.add((one.turn, move.uci(), answer.uci()))
            one, other = one.forward(move), other.forward(answer)
            assert one.turn != other.turn
    if text.startswith("microchess") and turned_start.startswith("k2r"):
        assert castlings == {(chess.WHITE, "d1b1", "a5c5"), (chess.BLACK, "a5c5", "d1b1")}


@pytest.mark.parametrize("native", [True, False])
def test_pitfall_08_the_rotated_board_of_microchess_has_the_same_encoding(native: bool) -> None:
    game = games.load("microchess:turns=0")
    encoding = encoding_of("microchess:turns=0", native=native)
    state: Any = game.start()
    rng = random.Random(5)
    for move in random_game(state, rng):
        state = state.forward(move)
        # The mirror has no history, so neither may the state.
        fresh: Any = game.position(state.text)
        np.testing.assert_array_equal(*encoding.encoded([fresh, fresh.mirror()]))


def test_pitfall_08_castling_rights_swap_with_the_side_to_move() -> None:
    encoding = encoding_of("microchess")
    game = games.load("microchess")
    texts = [f"k2r/p3/4/3P/R2K {side} {rights} - 0 1" for side in "wb" for rights in ("Q", "k", "Qk", "-")]
    castling = encoding.encoded([game.position(text) for text in texts])[:, 240:242]
    white, black = [[1, 0], [0, 1], [1, 1], [0, 0]], [[0, 1], [1, 0], [1, 1], [0, 0]]
    assert castling.tolist() == white + black


def swapped(text: str, one: str, other: str) -> str:
    return text.translate(str.maketrans(one + other, other + one))


@pytest.mark.parametrize(
    ("text", "other_text", "sides"),
    [
        ("othello", "othello", "XO"),
        ("gomoku:size=6", "gomoku:size=6", "XO"),
        ("go:size=5,komi=3.5", "go:size=5,komi=-3.5", "XO"),
        ("mushroom:rows=4,columns=5", "mushroom:rows=4,columns=5", "AB"),
    ],
)
def test_pitfall_08_swapped_colours_have_the_same_encoding(text: str, other_text: str, sides: str) -> None:
    game, other = games.load(text), games.load(other_text)
    state = game.start(3)
    for move in random_game(state, random.Random(7), turns=40):
        state = state.forward(move)
        rows = encoding_of(text).encoded([game.position(state.text)])
        other_rows = encoding_of(other_text).encoded([other.position(swapped(state.text, *sides))])
        np.testing.assert_array_equal(rows, other_rows)


# Symmetries


def follow(text: str, symmetry: Symmetry, state: State, other: State, *, seed: int) -> int:
    """Play a random game and its image, and compare them after every move; return how many moves were made."""
    encoding = encoding_of(text)
    moves = random_game(state, random.Random(seed), turns=40)
    for move in moves:
        before, after = encoding.encoded([state, other])
        np.testing.assert_array_equal(symmetry.transform(before), after)
        legal = np.zeros((2, encoding.actions), dtype=np.float32)
        legal[0, encoding.legal_actions(state)] = 1
        legal[1, encoding.legal_actions(other)] = 1
        np.testing.assert_array_equal(symmetry.transform_policy(legal[0]), legal[1])
        image = encoding.move(other, int(symmetry.actions[encoding.action(state, move)]))
        state, other = state.forward(move), other.forward(image)
    return len(moves)


@pytest.mark.parametrize("text", CELL_GAMES)
def test_pitfall_09_symmetries_permute_the_policy_too(text: str) -> None:
    game = games.load(text)
    symmetries = encoding_of(text).symmetries()
    assert [symmetry.name for symmetry in symmetries] == list(ON_ROWS)[: len(symmetries)]
    assert len(symmetries) == (4 if "columns=6" in text else 8)
    for symmetry in symmetries:
        for seed in range(3):
            state = game.start(seed)
            assert follow(text, symmetry, state, game.position(turned(state.text, symmetry.name)), seed=seed) > 3


@pytest.mark.parametrize("text", CELL_GAMES)
def test_pitfall_09_the_board_is_turned_as_the_name_of_the_symmetry_says(text: str) -> None:
    game, encoding = games.load(text), encoding_of(text)
    state = game.start(1)
    for move in random_game(state, random.Random(2), turns=9):
        state = state.forward(move)
    state = game.position(state.text)
    for symmetry in encoding.symmetries():
        other = game.position(turned(state.text, symmetry.name))
        before, after = encoding.encoded([state, other])
        np.testing.assert_array_equal(symmetry.transform(before), after)


@pytest.mark.parametrize("text", [text for text in CELL_GAMES if text.split(":")[0] in PASSES])
def test_pitfall_09_the_pass_stays_where_it_is(text: str) -> None:
    encoding = encoding_of(text)
    last = encoding.actions - 1
    assert all(symmetry.actions[last] == last for symmetry in encoding.symmetries())
    if "othello" not in text:  # where a pass is legal at the start
        state = games.load(text).start()
        assert encoding.action(state, PASSES[text.split(":")[0]]) == last


@pytest.mark.parametrize("text", [*CELL_GAMES, "microchess", "chess", "go", "mushroom", "gomoku"])
def test_pitfall_09_every_symmetry_is_a_permutation(text: str) -> None:
    encoding = encoding_of(text)
    policy = np.random.default_rng(1).random((2, encoding.actions))
    for symmetry in encoding.symmetries():
        assert sorted(symmetry.inputs) == list(range(encoding.inputs))
        assert sorted(symmetry.actions) == list(range(encoding.actions))
        moved = symmetry.transform_policy(policy)
        np.testing.assert_array_equal(moved[:, symmetry.actions], policy)
    first = encoding.symmetries()[0]
    assert first.inputs.tolist() == list(range(encoding.inputs))
    assert first.actions.tolist() == list(range(encoding.actions))


def mirrored(fen: str) -> str:
    """A FEN without castling, with left and right exchanged."""
    board, side, castling, en_passant, *rest = fen.split()
    rows = "/".join(row[::-1] for row in board.split("/"))
    if en_passant != "-":
        en_passant = "hgfedcba"["abcdefgh".index(en_passant[0])] + en_passant[1]
    return " ".join([rows, side, castling, en_passant, *rest])


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("microchess", "1k1r/p2n/4/1b1P/RBNK w - - 3 9"),
        ("microchess", "k1b1/2P1/4/p3/2RK b - - 0 20"),
        ("chess", "r6r/p1p1k1pP/8/3pP3/8/2n5/PP3p1P/2K4R w - d6 0 9"),
    ],
)
def test_pitfall_09_the_chess_games_may_be_mirrored_when_nobody_can_castle(text: str, position: str) -> None:
    game = games.load(text)
    _, mirror = encoding_of(text).symmetries()
    assert mirror.holds(encoding_of(text).encoded([game.position(position)])).all()
    for seed in range(20 if text == "microchess" else 2):
        assert follow(text, mirror, game.position(position), game.position(mirrored(position)), seed=seed) > 0


@pytest.mark.parametrize("text", ["microchess", "chess"])
def test_the_mirror_does_not_hold_while_somebody_may_castle(text: str) -> None:
    game, encoding = games.load(text), encoding_of(text)
    identity, mirror = encoding.symmetries()
    back = "k2r/p3/4/3P/R2K w {} - 0 1" if text == "microchess" else "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    letters = ("Qk", "Q", "k", "-") if text == "microchess" else ("KQkq", "K", "Q", "k", "q", "-")
    encoded = encoding.encoded([game.position(back.format(rights)) for rights in letters])
    assert mirror.holds(encoded).tolist() == [False] * (len(letters) - 1) + [True]
    assert identity.holds(encoded).all()
