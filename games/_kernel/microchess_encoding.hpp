// Microchess for learners. games/encoding/chess_games.py is the specification.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "encoding.hpp"
#include "microchess.hpp"

namespace arena::microchess {

// The board is rotated by 180 degrees for Black. The start position then looks the same for both sides.
constexpr int seen_square(bool white, int square) { return white ? square : squares - 1 - square; }

// The index of every move that a queen or a knight could make on an empty board, by from and to, then of every promotion.
struct ActionTable {
    std::int16_t plain[squares][squares];
    std::int16_t promotion[squares][squares];  // to a knight; bishop, rook and queen follow
    int size = 0;

    constexpr ActionTable() : plain{}, promotion{} {
        for (int start = 0; start < squares; ++start)
            for (int end = 0; end < squares; ++end) {
                const int across = distance(start % files, end % files), along = distance(start / files, end / files);
                const bool straight = across == 0 || along == 0 || across == along, jump = across * along == 2;
                plain[start][end] = static_cast<std::int16_t>(start != end && (straight || jump) ? size++ : -1);
            }
        for (int start = 0; start < squares; ++start)
            for (int end = 0; end < squares; ++end) {
                const bool possible = start / files == ranks - 2 && end / files == ranks - 1 &&
                                      distance(start % files, end % files) <= 1;
                promotion[start][end] = static_cast<std::int16_t>(possible ? size : -1);
                if (possible) size += QUEEN - KNIGHT + 1;
            }
    }

private:
    static constexpr int distance(int one, int other) { return one < other ? other - one : one - other; }
};
inline constexpr ActionTable action_table{};

// The order of the inputs after the planes. All but the last two are 0 or 1.
struct Inputs {
    static constexpr int planes = 12;  // own pawn, knight, bishop, rook, queen, king, then the opponent's
    static constexpr std::array<int, 11> turns_left{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};  // at most
    static constexpr std::array<int, 5> quiet{8, 16, 24, 32, 40};                           // turns, at least
    static constexpr int most_lead = 10;

    static constexpr int castling = planes * squares;  // own, the opponent's
    static constexpr int repetition = castling + 2;    // the position occurred at least 2, 3, 4 times
    static constexpr int left = repetition + 3;
    static constexpr int quiet_first = left + static_cast<int>(turns_left.size());
    static constexpr int lead = quiet_first + static_cast<int>(quiet.size());  // in material, one of 21
    static constexpr int left_share = lead + 2 * most_lead + 1;                // of the turns up to the limit
    static constexpr int quiet_share = left_share + 1;                         // of the turns up to `quiet_turns`
    static constexpr int size = quiet_share + 1;
};

// Call `set(index, value)` for each input that is not 0. `occurrences` counts this time too; a limit of 0 is no limit.
template <typename Set>
void each_input(const Position& position, int occurrences, long long limit, Set set) {
    const int own = position.turn, other = !position.turn;
    for (const int color : {own, other})
        for (int number = PAWN; number <= KING; ++number)
            for (Squares left = position.piece[number] & position.side[color]; left;) {
                const int plane = number - PAWN + (color == own ? 0 : KING);
                set(plane * squares + seen_square(position.white(), take(left)), 1.0F);
            }
    if (position.rights >> own & 1) set(Inputs::castling, 1.0F);
    if (position.rights >> other & 1) set(Inputs::castling + 1, 1.0F);
    for (int times = 2; times <= std::min(occurrences, 4); ++times) set(Inputs::repetition + times - 2, 1.0F);
    const long long left = std::max(limit - position.turns(), 0LL);
    for (std::size_t index = 0; index < Inputs::turns_left.size(); ++index)
        if (limit > 0 && left <= Inputs::turns_left[index]) set(Inputs::left + static_cast<int>(index), 1.0F);
    for (std::size_t index = 0; index < Inputs::quiet.size(); ++index)
        if (position.clock >= Inputs::quiet[index]) set(Inputs::quiet_first + static_cast<int>(index), 1.0F);
    const int lead = std::clamp(position.material(own) - position.material(other), -Inputs::most_lead, Inputs::most_lead);
    set(Inputs::lead + Inputs::most_lead + lead, 1.0F);
    if (limit <= 0 || left > 0)
        set(Inputs::left_share, limit > 0 ? static_cast<float>(static_cast<double>(left) / static_cast<double>(limit)) : 1.0F);
    if (position.clock > 0)
        set(Inputs::quiet_share, static_cast<float>(static_cast<double>(position.clock) / quiet_turns));
}

inline int action(const Position& position, Move move) {
    const int start = seen_square(position.white(), from(move)), end = seen_square(position.white(), to(move));
    return promotion(move) ? action_table.promotion[start][end] + promotion(move) - KNIGHT : action_table.plain[start][end];
}

inline constexpr Shape encoding_shape{
    Inputs::planes, ranks, files, Inputs::size - Inputs::planes * squares, action_table.size};
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
