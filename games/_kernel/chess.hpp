// The rules of chess. games/chess.py is the specification.
#pragma once

#include <algorithm>
#include <tuple>

#include "chess_board.hpp"
#include "chess_text.hpp"
#include "game_concept.hpp"

namespace arena::chess {

using Board = boards::Board<Position>;

// Sort the legal moves, as `Position::moves` gives them, into the order in which python-chess generates them: pieces, castling,
// then pawns that capture, step and take en passant; in check the king first.
inline void order_as_generated(const Position& position, Move* moves, int size) {
    const bool in_check = position.check();
    const auto rank_of = [&](Move move) {
        const int start = from(move), end = to(move);
        if (!(position.piece[PAWN] & bit(start))) {
            const bool king = position.piece[KING] & bit(start);
            const int rook = king ? position.castling_rook(move) : -1;
            return rook >= 0 ? std::tuple(2, -rook, 0, 0) : std::tuple(king && in_check ? 0 : 1, -start, -end, 0);
        }
        if (position.is_en_passant(move)) return std::tuple(6, -start, 0, 0);
        if ((start & 7) != (end & 7)) return std::tuple(3, -start, -end, -promotion(move));
        return std::tuple((start ^ end) == 16 ? 5 : 4, -end, -promotion(move), 0);
    };
    std::sort(moves, moves + size, [&](Move one, Move other) { return rank_of(one) < rank_of(other); });
}

static_assert(KernelPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::chess
