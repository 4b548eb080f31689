"""An agent that plays only if its state has the whole history of the game."""

import chess

from agents import BaseAgent


class Historian(BaseAgent):
    def reset(self):
        self.seen = []

    def act(self, state: chess.Board):
        assert isinstance(state, chess.Board)
        assert state.turn == self.color == self.turn != self.opponent_color
        assert len(state.move_stack) == state.turns
        assert [move.uci() for move in state.move_stack][: len(self.seen)] == self.seen
        mine = state.white_remain_sec if self.color == chess.WHITE else state.black_remain_sec
        assert mine == self.time_left > 0
        if state.turns >= 8:
            assert state.is_repetition(2), "the knights went home, and the state does not know it"
        knights = {chess.C1: chess.D3, chess.D3: chess.C1, chess.B5: chess.A3, chess.A3: chess.B5}
        for move in state.legal_moves:
            if (
                state.piece_type_at(move.from_square) == chess.KNIGHT
                and knights.get(move.from_square) == move.to_square
            ):
                self.seen = [*(one.uci() for one in state.move_stack), move.uci()]
                return move
        raise AssertionError("no knight to move")
