// What the Python side of the kernel needs to know about chess.
#pragma once

#include <array>

#include "chess_encoding.hpp"

namespace arena::chess {

struct PythonRules {
    using Position = chess::Position;
    using Set = Squares;
    static constexpr const char* module = "games._native_chess";
    static constexpr const char* quiet_reason = "seventyfive-moves";
    static constexpr bool material_decides = false;
    static constexpr Bits board = ~Bits{0};
    static constexpr int move_codes = 1 << 15;
    static constexpr std::array<Move, 4> castlings{make_move(4, 6), make_move(4, 2), make_move(60, 62), make_move(60, 58)};
    static constexpr Shape shape = encoding_shape;

    static Move code(int start, int end, int made) { return make_move(start, end, made); }
    static int from(Move move) { return chess::from(move); }
    static int to(Move move) { return chess::to(move); }
    static int promotion(Move move) { return chess::promotion(move); }
    static Bits wide(Squares set) { return set; }
    static Squares narrow(Bits set) { return set; }

    static Bits castling(const Position& position) { return position.castling; }
    static int en_passant(const Position& position) { return position.en_passant; }
    static bool read_rights(Bits castling, int en_passant, bool chess960, Position& into) {
        into.castling = castling;
        into.en_passant = static_cast<std::int8_t>(en_passant);
        into.chess960 = chess960;
        return true;
    }

    static bool may_return(const Position&, int, const Position& before, Move move) { return !before.irreversible(move); }
    static bool may_be_alias(Move move) {
        for (const int king : {4, 60})
            if (move == make_move(king, king + 3) || move == make_move(king, king - 4)) return true;
        return false;
    }
    static void order_as_generated(const Position& position, Move* moves, int size) {
        chess::order_as_generated(position, moves, size);
    }
    static std::string text(const Position& position) { return position_text(position); }
    static std::optional<Move> read_move(const Position& position, std::string_view text) {
        return chess::read_move(position, text);
    }
    static int action(const Position& position, Move move) { return chess::action(position, move); }
    template <typename Visit>
    static void each_input(const Position& position, int occurrences, long long limit, Visit set) {
        chess::each_input(position, occurrences, limit, set);
    }
};

}  // namespace arena::chess
