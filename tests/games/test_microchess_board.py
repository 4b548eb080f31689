"""Microchess states are boards of python-chess, and its methods work."""

import copy
import pickle

import chess
import pytest

from games.base import Clocked
from games.errors import IllegalMove
from games.microchess import MATERIAL, MicrochessState


def played(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


def test_a_state_is_a_board_of_python_chess(microchess):
    assert isinstance(microchess.start(), chess.Board)
    assert isinstance(microchess.start().legal_moves, chess.LegalMoveGenerator)


def test_push_and_pop_come_back_to_the_same_position(microchess, walk):
    for state in walk(microchess, 5):
        before = state.text
        for move in state.legal_moves:
            state.push(move)
            assert state.text == state.copy().text
            assert state.pop() == move
            assert state.text == before


def test_push_and_forward_lead_to_the_same_position(microchess, walk):
    pushed = microchess.start()
    for state in walk(microchess, 6):
        if state.move_stack:
            pushed.push(state.peek())
        assert pushed == state
        assert pushed.text == state.text
        assert pushed.ending == state.ending


def test_forward_keeps_the_history(microchess):
    state = played(microchess.start(), "d2d3 a4a3 d3d4")
    assert [str(move) for move in state.move_stack] == ["d2d3", "a4a3", "d3d4"]
    assert state.root().text == microchess.start().text
    state.pop()
    assert state.text == played(microchess.start(), "d2d3 a4a3").text


STRANGERS = [
    None, 0, "", "d2d3", object(), [], chess.Move.null(), chess.Move(chess.D2, chess.D3, drop=chess.PAWN),
    chess.Move(chess.D2, chess.D3, drop=0), chess.Move(chess.D2, chess.D3, promotion=chess.QUEEN),
    chess.Move(99, 3), chess.Move(3, 99), chess.Move(-61, 11), chess.Move("d2", "d3"), chess.Move(3.0, 11.0),
    chess.Move(None, None), chess.Move(chess.E2, chess.E4), chess.Move(chess.A4, chess.A3),
]  # fmt: skip


@pytest.mark.parametrize("thing", STRANGERS, ids=range(len(STRANGERS)))
def test_forward_refuses_anything_that_is_not_a_legal_move(microchess, thing):
    state = microchess.start()
    assert thing not in state.legal_moves
    with pytest.raises(IllegalMove):
        state.forward(thing)


@pytest.mark.parametrize("thing", [thing for thing in STRANGERS if thing != chess.Move.null()])
def test_a_refused_push_does_not_change_the_board(microchess, thing):
    state = microchess.start()
    with pytest.raises(IllegalMove):
        state.push(thing)
    assert state == microchess.start()
    assert state.move_stack == []
    with pytest.raises(IndexError):
        state.pop()


def test_a_null_move_can_be_pushed_as_in_python_chess(microchess):
    state = microchess.start()
    state.push(chess.Move.null())
    assert (state.turn, state.turns) == (chess.BLACK, 1)
    state.pop()
    assert state == microchess.start()


def test_the_text_of_a_null_move_is_not_read(microchess):
    with pytest.raises(IllegalMove, match="'0000' is not a legal move in knbr/"):
        microchess.start().parse("0000")


def test_legal_moves_have_a_length_an_order_and_members(microchess):
    moves = microchess.start().legal_moves
    assert len(moves) == moves.count() == len(list(moves)) == 12
    assert bool(moves)
    assert moves[0] == chess.Move.from_uci("a1a2")
    assert moves[-1] == chess.Move.from_uci("d2d4")
    with pytest.raises(IndexError):
        moves[12]


def test_legal_moves_are_those_at_the_time_of_the_call(microchess):
    state = microchess.start()
    moves = state.legal_moves
    state.push(moves[0])
    assert len(moves) == len(list(moves)) == 12
    assert len(state.legal_moves) != 12


def test_legal_moves_follow_a_board_that_is_changed_by_hand(microchess):
    state = microchess.start()
    assert len(state.legal_moves) == 12
    state.remove_piece_at(chess.C1)
    assert len(state.legal_moves) == 10
    state.turn = chess.BLACK
    assert {chess.square_name(move.from_square) for move in state.legal_moves} == {"a4", "a5", "b5", "c5", "d5"}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_copies_keep_everything_and_share_nothing(microchess, copied):
    state = played(microchess.start(), "d2d3 a4a3")
    state.turn_limit, state.white_remain_sec, state.black_remain_sec = 10, 1.5, 2.5
    other = copied(state)
    assert other == state
    assert other.text == state.text
    assert (other.turn_limit, other.white_remain_sec, other.black_remain_sec) == (10, 1.5, 2.5)
    assert other.move_stack == state.move_stack
    other.push(other.legal_moves[0])
    assert len(state.move_stack) == 2
    assert state.text == played(microchess.start(), "d2d3 a4a3").text
    other.pop()
    other.pop()
    assert other.text == played(microchess.start(), "d2d3").text


@pytest.mark.parametrize(("stack", "kept"), [(True, 3), (False, 0), (0, 0), (1, 1), (2, 2), (9, 3)])
def test_a_copy_keeps_the_given_number_of_moves(microchess, stack, kept):
    state = played(microchess.start(), "d2d3 a4a3 d3d4")
    assert state.copy(stack=stack).move_stack == state.move_stack[3 - kept :]


def test_the_clocks_are_copied_with_the_state(microchess):
    state = microchess.start()
    assert isinstance(state, Clocked)
    assert (state.white_remain_sec, state.black_remain_sec) == (400.0, 400.0)
    state.white_remain_sec = 12.5
    assert state.forward(state.legal_moves[0]).white_remain_sec == 12.5
    assert state.root().white_remain_sec == 12.5
    assert microchess.start().white_remain_sec == 400.0


def test_the_turn_limit_is_copied_with_the_state():
    from games.microchess import Microchess

    state = Microchess(turns=2).start()
    assert state.copy(stack=False).turn_limit == state.root().turn_limit == 2
    assert played(state, "d2d3 a4a3").is_game_over()


def test_an_agent_written_for_python_chess_can_search(microchess):
    def negamax(board, depth):
        if depth == 0 or board.is_game_over():
            own, other = (
                sum(worth * len(board.pieces(piece, color)) for piece, worth in MATERIAL.items())
                for color in (board.turn, not board.turn)
            )
            return own - other
        values = []
        for move in board.legal_moves:
            board.push(move)
            values.append(-negamax(board, depth - 1))
            board.pop()
        return max(values)

    state = microchess.position("k2r/2P1/4/4/K3 w - - 0 1")
    assert negamax(state, 1) == 10
    assert state.move_stack == []


def test_pieces_and_attacks_can_be_queried(microchess):
    state = microchess.start()
    assert len(state.piece_map()) == 10
    assert state.piece_at(chess.D5) == chess.Piece.from_symbol("r")
    assert state.king(chess.BLACK) == chess.A5
    assert list(state.attackers(chess.WHITE, chess.C2)) == [chess.B1, chess.D1]
    assert state.material(chess.WHITE) == 16
    assert state.gives_check(chess.Move.from_uci("c1b3"))
    assert state.is_capture(chess.Move.from_uci("a1a4"))


def test_a_pawn_that_promotes_is_found_as_a_queen(microchess):
    state = microchess.position("k3/2P1/4/4/K3 w - - 0 1")
    assert str(state.find_move(chess.C4, chess.C5)) == "c4c5q"
    assert str(state.find_move(chess.C4, chess.C5, chess.KNIGHT)) == "c4c5n"
    with pytest.raises(chess.IllegalMoveError):
        state.find_move(chess.A1, chess.A3)


def test_moves_are_written_and_read_in_algebraic_notation(microchess, walk):
    for state in walk(microchess, 7):
        for move in state.legal_moves:
            assert state.parse_san(state.san(move)) == move
            assert state.parse_uci(state.uci(move)) == move


def test_mate_is_written_as_mate(microchess):
    state = microchess.position("4/4/k3/3q/K3 b - - 0 40")
    assert state.san(chess.Move.from_uci("d2b2")) == "Qb2#"


def test_mirroring_rotates_the_board_and_swaps_the_colours(microchess):
    start = microchess.start()
    assert start.mirror().text == "knbr/p3/4/3P/RBNK b Qk - 0 1"
    state = microchess.position("k2r/p3/4/3P/RB1K w Qk - 0 1")
    assert state.mirror().text == "k1br/p3/4/3P/R2K b Qk - 0 1"
    assert len(state.mirror().legal_moves) == len(state.legal_moves)


def test_boards_are_made_empty_and_reset_as_in_python_chess():
    board = MicrochessState.empty()
    assert board.text == "4/4/4/4/4 w - - 0 1"
    assert not board.is_valid()
    board.reset()
    assert board.text == MicrochessState().text
    assert board.is_valid()
    board.push(board.legal_moves[0])
    board.reset_board()
    assert board.piece_map() == MicrochessState().piece_map()
    assert board.move_stack == []
    assert MicrochessState(None, chess960=True).text == "4/4/4/4/4 w - - 0 1"


def test_a_board_without_kings_can_be_asked_for_moves():
    board = MicrochessState.empty()
    board.set_piece_at(chess.A1, chess.Piece.from_symbol("R"))
    assert [str(move) for move in board.legal_moves] == ["a1b1", "a1c1", "a1d1", "a1a2", "a1a3", "a1a4", "a1a5"]


def test_a_board_can_be_built_from_its_repr(microchess):
    state = played(microchess.start(), "d2d4 a4a2")
    assert eval(repr(state)) == state


def test_an_epd_is_read(microchess):
    board, operations = MicrochessState.from_epd("k2r/2P1/4/4/K3 w - - bm c5=Q;")
    assert operations == {"bm": [chess.Move.from_uci("c4c5q")]}
    assert board.epd() == "8/8/8/k2r4/2P5/8/8/K7 w - -"


def test_fifty_quiet_turns_are_known_to_python_chess(microchess):
    assert microchess.position("k1r1/4/4/4/1R1K w - - 50 30").is_fifty_moves()
    assert not microchess.position("k1r1/4/4/4/1R1K w - - 49 30").is_fifty_moves()


def test_repetition_is_counted_in_the_history(microchess):
    state = played(microchess.position("k1r1/4/4/4/1R1K w - - 0 1"), "b1b2 c5c4 b2b1 c4c5 " * 2)
    assert state.is_repetition(3)
    assert not state.is_repetition(4)
    assert not state.copy(stack=False).is_repetition(2)


def test_the_picture_shows_the_4x5_board_only(microchess):
    svg = microchess.start().svg()
    assert svg.startswith("<svg")
    assert 'viewBox="-20 0 200 245"' in svg
    assert svg.count("<use") == 10


def test_the_picture_marks_the_last_move_and_a_check(microchess):
    state = played(microchess.start(), "d2d4")
    assert state.svg(state.peek()).count('class="last"') == state._repr_svg_().count('class="last"') == 2
    assert 'class="last"' not in state.svg()
    assert 'class="check"' in microchess.position("k2r/4/4/4/3K w - - 0 1").svg()
