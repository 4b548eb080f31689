// Microchess for learners. games/encoding/chess_games.py is the specification.
#pragma once

#include <algorithm>

#include "chess_inputs.hpp"
#include "microchess.hpp"

namespace arena::microchess {

// The board is rotated by 180 degrees for Black. The start position then looks the same for both sides.
constexpr int seen_square(bool white, int square) { return white ? square : squares - 1 - square; }

inline constexpr boards::ActionTable<files, ranks> action_table{};

inline constexpr int most_lead = 10;  // in material; one of 21 inputs
using Inputs = boards::Inputs<squares, 0, 2, 2 * most_lead + 1>;

// Call `set(index, value)` for each input that is not 0. `occurrences` counts this time too; a limit of 0 is no limit.
template <typename Set>
void each_input(const Position& position, int occurrences, long long limit, Set set) {
    const int own = position.turn, other = !position.turn;
    const bool white = position.white();
    Inputs::each(position, occurrences, limit, [white](int square) { return seen_square(white, square); }, set);
    if (position.rights >> own & 1) set(Inputs::castling, 1.0F);
    if (position.rights >> other & 1) set(Inputs::castling + 1, 1.0F);
    const int lead = std::clamp(position.material(own) - position.material(other), -most_lead, most_lead);
    set(Inputs::lead + most_lead + lead, 1.0F);
}

inline int action(const Position& position, Move move) {
    const int start = seen_square(position.white(), from(move)), end = seen_square(position.white(), to(move));
    return promotion(move) ? action_table.promotion[start][end] + promotion(move) - KNIGHT : action_table.plain[start][end];
}

inline constexpr Shape encoding_shape = Inputs::shape(ranks, files, action_table.size);
static_assert(encoding_shape.inputs() == Inputs::size);

}  // namespace arena::microchess

namespace arena {

// Of a board and not of a position: repetitions and the turn limit are part of the state.
template <>
struct Encoding<microchess::Board> {
    using Board = microchess::Board;
    static Shape shape(const Board&) { return microchess::encoding_shape; }
    static void encode(const Board& board, float* out) { encode_inputs(board, out); }
    static int action(const Board& board, microchess::Move move) { return microchess::action(board.position(), move); }
    template <typename Set>
    static void each_input(const Board& board, Set set) {
        microchess::each_input(board.position(), board.occurrences(), board.turn_limit(), set);
    }
};

static_assert(Encodable<microchess::Board>);

}  // namespace arena
