// Chess for learners. games/encoding/chess_games.py is the specification.
#pragma once

#include "chess.hpp"
#include "chess_inputs.hpp"

namespace arena::chess {

// The board is mirrored top to bottom for Black, as the colours are in the start position.
constexpr int seen_square(bool white, int square) { return white ? square : square ^ 56; }

inline constexpr boards::ActionTable<files, ranks> action_table{};

using Inputs = boards::Inputs<squares, 1, 4, 0>;  // the last plane: where a capture en passant is possible

// Call `set(index, value)` for each input that is not 0. `occurrences` counts this time too; a limit of 0 is no limit.
template <typename Set>
void each_input(const Position& position, int occurrences, long long limit, Set set) {
    const int own = position.turn, other = !position.turn;
    const bool white = position.white();
    Inputs::each(position, occurrences, limit, [white](int square) { return seen_square(white, square); }, set);
    for (const int color : {own, other})
        for (Squares left = position.castling & back_rank[color]; left;) {
            const bool queen_side = take(left) < position.king(color);
            set(Inputs::castling + (color == own ? 0 : 2) + queen_side, 1.0F);
        }
    if (position.capturable) set(12 * squares + seen_square(white, position.en_passant), 1.0F);
}

inline int action(const Position& position, Move move) {
    const int start = seen_square(position.white(), from(move)), end = seen_square(position.white(), to(move));
    return promotion(move) ? action_table.promotion[start][end] + promotion(move) - KNIGHT : action_table.plain[start][end];
}

inline constexpr Shape encoding_shape = Inputs::shape(ranks, files, action_table.size);
static_assert(encoding_shape.inputs() == Inputs::size);

}  // namespace arena::chess

namespace arena {

// Of a board and not of a position: repetitions and the turn limit are part of the state.
template <>
struct Encoding<chess::Board> {
    using Board = chess::Board;
    static Shape shape(const Board&) { return chess::encoding_shape; }
    static void encode(const Board& board, float* out) { encode_inputs(board, out); }
    static int action(const Board& board, chess::Move move) { return chess::action(board.position(), move); }
    template <typename Set>
    static void each_input(const Board& board, Set set) {
        chess::each_input(board.position(), board.occurrences(), board.turn_limit(), set);
    }
};

static_assert(Encodable<chess::Board>);

}  // namespace arena
