// What the Python side of the kernel needs to know about microchess.
#pragma once

#include <array>

#include "microchess_encoding.hpp"

namespace arena::microchess {

// Squares as python-chess numbers them: a1 = 0, …, d1 = 3, a2 = 8, …, d5 = 35.
struct PythonRules {
    using Position = microchess::Position;
    using Set = Squares;
    static constexpr const char* module = "games._native_microchess";
    static constexpr const char* quiet_reason = "fifty-turns";
    static constexpr bool material_decides = true;
    static constexpr Bits board = 0x0F'0F'0F'0F'0F;
    static constexpr int move_codes = 1 << 13;
    static constexpr std::array<Move, 2> castlings{make_move(microchess::castlings[0].king, microchess::castlings[0].king_to),
                                                   make_move(microchess::castlings[1].king, microchess::castlings[1].king_to)};
    static constexpr Shape shape = encoding_shape;

    static int square_8x8(int square) { return square / files * 8 + square % files; }
    static int square_4x5(int square) { return square / 8 * files + square % 8; }
    static Move code(int start, int end, int made) { return make_move(square_4x5(start), square_4x5(end), made); }
    static int from(Move move) { return square_8x8(microchess::from(move)); }
    static int to(Move move) { return square_8x8(microchess::to(move)); }
    static int promotion(Move move) { return microchess::promotion(move); }

    static Bits wide(Squares set) {
        Bits found = 0;
        for (int rank = 0; rank < ranks; ++rank) found |= static_cast<Bits>(set >> files * rank & 15) << 8 * rank;
        return found;
    }
    static Squares narrow(Bits set) {
        Squares found = 0;
        for (int rank = 0; rank < ranks; ++rank) found |= static_cast<Squares>(set >> 8 * rank & 15) << files * rank;
        return found;
    }

    static constexpr Bits rooks[2] = {Bits{1} << 35, 1};
    static Bits castling(const Position& position) {
        return (position.rights & 1 ? rooks[0] : 0) | (position.rights & 2 ? rooks[1] : 0);
    }
    static int en_passant(const Position&) { return -1; }
    static bool read_rights(Bits castling, int en_passant, bool, Position& into) {
        for (int color = 0; color < 2; ++color)
            if (castling & rooks[color]) into.rights |= static_cast<std::uint8_t>(1 << color);
        return !(castling & ~(rooks[0] | rooks[1])) && en_passant < 0;
    }

    static bool may_return(const Position& now, int back, const Position&, Move) { return back <= now.clock; }
    static bool may_be_alias(Move move) {
        for (const Castling& castling : microchess::castlings)
            if (move == make_move(castling.king, castling.rook)) return true;
        return false;
    }
    static void order_as_generated(const Position&, Move*, int) {}
    static std::string text(const Position& position) { return position_text(position); }
    static std::optional<Move> read_move(const Position& position, std::string_view text) {
        return microchess::read_move(position, text);
    }
    static int action(const Position& position, Move move) { return microchess::action(position, move); }
    template <typename Visit>
    static void each_input(const Position& position, int occurrences, long long limit, Visit set) {
        microchess::each_input(position, occurrences, limit, set);
    }
};

}  // namespace arena::microchess
