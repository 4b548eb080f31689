"""How microchess ends, by which rule, and who wins."""

import chess
import pytest

from games.base import BLACK, WHITE, Ending, Margin
from games.microchess import Microchess

DRAW = None
SHUFFLE = "b1b2 c5c4 b2b1 c4c5 "

ENDED = {
    "mate": ("4/4/k3/3q/K3 b - - 0 10", "d2b2", BLACK, "checkmate", ""),
    "mate on turn 80": ("4/4/k3/3q/K3 b - - 0 40", "d2b2", BLACK, "checkmate", ""),
    "mate on the fiftieth quiet turn": ("4/4/k3/3q/K3 b - - 49 35", "d2b2", BLACK, "checkmate", ""),
    "check with an escape on turn 80": ("k3/4/4/3q/K3 b - - 0 40", "d2d1", BLACK, "turn-limit", "material 4-14"),
    "K against k+b": ("k2b/4/4/4/3K w - - 0 1", "", BLACK, "insufficient-material", "material 4-7"),
    "K+N against k": ("k3/4/4/4/2NK b - - 0 1", "", WHITE, "insufficient-material", "material 7-4"),
    "K against k": ("k3/4/4/4/3K w - - 0 1", "", DRAW, "insufficient-material", "material 4-4"),
    "bishops of one colour": ("k1b1/4/4/4/2BK w - - 0 1", "", DRAW, "insufficient-material", "material 7-7"),
    "the last pawn is taken": ("k3/4/4/2p1/3K w - - 0 9", "d1c2", DRAW, "insufficient-material", "material 4-4"),
    "insufficient before stalemate": (
        "k3/2B1/1K2/4/4 b - - 0 10", "", WHITE, "insufficient-material", "material 7-4"),
    "stalemate, White ahead": ("k3/4/1Q2/4/3K b - - 0 10", "", WHITE, "stalemate", "material 14-4"),
    "stalemate, Black ahead": ("3k/4/1q2/4/K3 w - - 0 10", "", BLACK, "stalemate", "material 4-14"),
    "stalemate, equal": ("k3/p1K1/P3/4/4 b - - 0 10", "", DRAW, "stalemate", "material 5-5"),
    "stalemate on turn 80": ("k3/4/4/1Q2/3K w - - 0 40", "b2b3", WHITE, "stalemate", "material 14-4"),
    "turn limit, equal": ("knbr/p3/4/3P/RBNK b Qk - 0 40", "a4a3", DRAW, "turn-limit", "material 16-16"),
    "turn limit, White ahead": ("k3/p3/4/3P/RN1K b - - 0 40", "a4a3", WHITE, "turn-limit", "material 13-5"),
    "fifty turns, equal": ("k1r1/4/4/4/1R1K w - - 49 30", "b1b2", DRAW, "fifty-turns", "material 9-9"),
    "fifty turns, White ahead": ("k3/4/4/4/1R1K w - - 49 30", "b1b2", WHITE, "fifty-turns", "material 9-4"),
    "fifty turns before turn limit": ("k1r1/4/4/4/1R1K b - - 49 40", "c5c4", DRAW, "fifty-turns", "material 9-9"),
    "fifty turns before repetition": ("k1r1/4/4/4/1R1K w - - 34 10", SHUFFLE * 4, DRAW, "fifty-turns", "material 9-9"),
    "repetition, equal": ("k1r1/4/4/4/1R1K w - - 0 1", SHUFFLE * 4, DRAW, "repetition", "material 9-9"),
    "repetition, White ahead": (
        "k3/4/4/4/1R1K w - - 0 1", "b1b2 a5a4 b2b1 a4a5 " * 4, WHITE, "repetition", "material 9-4"),
    "repetition before turn limit": ("k1r1/4/4/4/1R1K w - - 0 33", SHUFFLE * 4, DRAW, "repetition", "material 9-9"),
}  # fmt: skip

GOING_ON = {
    "49 quiet turns": ("k1r1/4/4/4/1R1K w - - 48 30", "b1b2"),
    "a pawn moves on the fiftieth turn": ("k1r1/4/4/3P/1R1K w - - 49 30", "d2d3"),
    "a capture on the fiftieth turn": ("kr2/4/4/4/1R1K w - - 49 30", "b1b5"),
    "the fourth occurrence": ("k1r1/4/4/4/1R1K w - - 0 1", SHUFFLE * 3),
    "the right to castle is part of a position": ("k2r/p3/4/3P/R2K w Qk - 0 1", "d1c1 d5d4 c1d1 d4d5 " * 4),
    "turn 79": ("knbr/p3/4/3P/RBNK w Qk - 0 40", "d2d3"),
    "K+B against k+n can still mate": ("kn2/4/4/4/2BK w - - 0 1", ""),
    "bishops of two colours can still mate": ("kb2/4/4/4/2BK w - - 0 1", ""),
    "check with an escape": ("k3/4/4/3q/K3 b - - 0 10", "d2d1"),
}


def after(state, moves):
    for move in moves.split():
        assert state.ending is None
        state = state.forward(state.parse(move))
    return state


@pytest.mark.parametrize(("position", "moves", "winner", "reason", "detail"), ENDED.values(), ids=ENDED)
def test_the_game_is_over(microchess, position, moves, winner, reason, detail):
    state = after(microchess.position(position), moves)
    ending = state.ending
    assert (ending.winner, ending.reason, ending.detail) == (winner, reason, detail)


@pytest.mark.parametrize(("position", "moves"), GOING_ON.values(), ids=GOING_ON)
def test_the_game_goes_on(microchess, position, moves):
    assert after(microchess.position(position), moves).ending is None


@pytest.mark.parametrize(("position", "moves"), [case[:2] for case in ENDED.values()], ids=ENDED)
def test_methods_of_python_chess_agree_with_the_ending(microchess, position, moves):
    state = after(microchess.position(position), moves)
    assert state.is_game_over()
    assert not state.legal_moves
    assert state.outcome().winner == state.ending.winner
    assert state.result() == {WHITE: "1-0", BLACK: "0-1", None: "1/2-1/2"}[state.ending.winner]
    assert state.is_checkmate() == (state.ending.reason == "checkmate")
    assert state.adjudicate() == state.ending


@pytest.mark.parametrize(
    ("case", "termination"),
    [
        ("mate", chess.Termination.CHECKMATE),
        ("K against k", chess.Termination.INSUFFICIENT_MATERIAL),
        ("stalemate, equal", chess.Termination.STALEMATE),
        ("fifty turns, equal", chess.Termination.FIFTY_MOVES),
        ("repetition, equal", chess.Termination.FIVEFOLD_REPETITION),
        ("turn limit, equal", chess.Termination.VARIANT_DRAW),
        ("turn limit, White ahead", chess.Termination.VARIANT_WIN),
        ("check with an escape on turn 80", chess.Termination.VARIANT_LOSS),
    ],
)
def test_the_outcome_has_the_matching_termination(microchess, case, termination):
    position, moves, *_ = ENDED[case]
    assert after(microchess.position(position), moves).outcome().termination == termination


def test_at_the_turn_limit_position_methods_ignore_the_limit(microchess):
    state = after(microchess.position("k3/4/4/3q/K3 b - - 0 40"), "d2d1")
    assert state.is_check()
    assert not state.is_checkmate()
    assert not state.is_stalemate()
    assert [move.uci() for move in state.generate_legal_moves()] == ["a1a2", "a1b2"]
    assert state.is_legal(chess.Move.from_uci("a1a2"))
    assert state.san(chess.Move.from_uci("a1a2")) == "Ka2"
    assert chess.Move.from_uci("a1a2") not in state.legal_moves


def test_the_turn_limit_is_a_parameter():
    state = after(Microchess(turns=3).start(), "d2d3 a4a3 d3d4")
    assert state.ending == Ending(DRAW, "turn-limit", Margin(16, 16, "material"))


def test_without_a_turn_limit_the_game_goes_on():
    assert after(Microchess(turns=0).position("knbr/p3/4/3P/RBNK b Qk - 0 40"), "a4a3").ending is None


def test_the_turn_limit_counts_in_look_ahead_with_push():
    state = Microchess(turns=1).start()
    state.push(state.parse("d2d3"))
    assert state.is_game_over()
    state.pop()
    assert not state.is_game_over()


def test_nobody_can_claim_a_draw(microchess):
    state = after(microchess.position("k1r1/4/4/4/1R1K w - - 0 1"), SHUFFLE * 3)
    assert not state.can_claim_draw()
    assert not state.can_claim_threefold_repetition()
    assert not state.can_claim_fifty_moves()
    assert not state.is_game_over(claim_draw=True)


def test_a_game_that_must_stop_is_decided_by_material(microchess):
    assert microchess.position("k3/p3/4/3P/RN1K w - - 0 5").adjudicate() == Ending(
        WHITE, "adjudication", Margin(13, 5, "material")
    )


@pytest.mark.parametrize("turns", [-1, 2.5, "many", True, None])
def test_an_invalid_turn_limit_is_refused(turns):
    with pytest.raises(ValueError, match="turns is a whole number"):
        Microchess(turns=turns)
