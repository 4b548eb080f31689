// Positions and moves of chess as text: FEN, UCI and SAN.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "chess_made.hpp"
#include "chess_squares_text.hpp"

namespace arena::chess {

using boards::letter_of, boards::upper;
using SquaresText = boards::SquaresText<files, ranks>;
inline std::string square_text(int square) { return SquaresText::square(square); }

// The text of a move. The null move has no text of its own.
inline std::string move_text(Move move) { return SquaresText::move({from(move), to(move), promotion(move)}); }
inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text, castling in either form, even if the game is over by the competition's rules.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    const auto squares = SquaresText::read_move(text);
    if (!squares) return std::nullopt;
    const Move move = position.canonical(make_move(squares->from, squares->to, squares->promotion));
    return position.legal(move) ? std::optional(move) : std::nullopt;
}

// The castling field of a FEN: letters of the sides, or of the rook's file where another rook stands farther out.
inline char* write_castling(const Position& position, char* end) {
    const char* start = end;
    for (const int color : {WHITE, BLACK}) {
        const int king = position.king(color);
        const Squares rooks = position.of(color, ROOK) & back_rank[color];
        for (Squares left = position.castling & back_rank[color]; left;) {
            const int rook = last(left);
            left ^= bit(rook);
            const bool queen_side = (rook & 7) < (king & 7);
            const Squares others = queen_side ? rooks & (bit(rook) - 1) : rooks & ~(bit(rook) | (bit(rook) - 1));
            const char letter = others ? static_cast<char>('a' + (rook & 7)) : queen_side ? 'q' : 'k';
            *end++ = color == WHITE ? upper(letter) : letter;
        }
    }
    if (end == start) *end++ = '-';
    return end;
}

// Write the position as FEN and return the length of the text.
inline constexpr std::size_t text_room = 120;
inline std::size_t write_text(const Position& position, char (&into)[text_room]) {
    char* end = SquaresText::write_pieces(position, into);
    *end++ = ' ';
    *end++ = position.white() ? 'w' : 'b';
    *end++ = ' ';
    end = write_castling(position, end);
    const auto written = static_cast<std::size_t>(end - into);
    const std::string square = position.capturable ? square_text(position.en_passant) : "-";
    const int rest = std::snprintf(end, text_room - written, " %s %d %d", square.c_str(), position.clock, position.number);
    return written + static_cast<std::size_t>(rest);
}
inline std::string position_text(const Position& position) {
    char text[text_room];
    return std::string(text, write_text(position, text));
}

// Read the castling field; the pieces are known.
inline bool read_castling(Position& position, std::string_view text) {
    if (text == "-") return true;
    for (const char letter : text) {
        const int color = boards::is_white(letter) ? WHITE : BLACK;
        const char side = color == WHITE ? boards::lower(letter) : letter;
        const Squares rooks = position.of(color, ROOK) & back_rank[color];
        if (side == 'k' && rooks) position.castling |= bit(last(rooks));
        else if (side == 'q' && rooks) position.castling |= bit(first(rooks));
        else if (side >= 'a' && side <= 'h') position.castling |= back_rank[color] & a_file << (side - 'a');
        else return false;
    }
    return true;
}

// The position with this text; empty if the text or the position is not valid. Castling rights that are not those of
// standard chess make it a position of Chess960.
inline std::optional<Position> read_position(std::string_view text) {
    Position position;
    const std::size_t end = text.find(' ');
    if (end == text.npos || !SquaresText::read_pieces(position, text.substr(0, end))) return std::nullopt;
    if (!position.piece[KING] || std::popcount(position.of(WHITE, KING)) != 1 || std::popcount(position.of(BLACK, KING)) != 1)
        return std::nullopt;
    char side = 0, castling[9] = "", taking[3] = "", rest[2] = "";
    const std::string fields(text.substr(end));
    const int read = std::sscanf(fields.c_str(), " %c %8s %2s %9d %9d %1s", &side, castling, taking, &position.clock,
                                 &position.number, rest);
    if (read != 5 || position.clock < 0 || (side != 'w' && side != 'b')) return std::nullopt;
    position.turn = side == 'w' ? WHITE : BLACK;
    if (!read_castling(position, castling)) return std::nullopt;
    const std::string_view square(taking);
    if (square != "-") {
        if (square.size() != 2 || square[0] < 'a' || square[0] > 'h' || square[1] < '1' || square[1] > '8') return std::nullopt;
        position.en_passant = static_cast<std::int8_t>(files * (square[1] - '1') + square[0] - 'a');
    }
    position.chess960 = position.castling != position.clean_castling(false);
    if (!position.is_valid()) return std::nullopt;
    position.complete();
    return position;
}

// A legal move in standard algebraic notation.
inline std::string san(const Position& position, Move move) {
    const int number = position.kind(from(move));
    std::string text;
    const Position next = position.after(move);
    const int rook = number == KING ? position.castling_rook(move) : -1;
    if (rook >= 0) {
        text = rook < from(move) ? "O-O-O" : "O-O";
    } else {
        const bool takes = position.captures(move);
        if (number == PAWN) {
            if (takes) text += square_text(from(move))[0];
        } else {
            text += upper(letter_of(number));
            Squares others = 0;
            const Safety safety = position.safety();
            for (Squares left = position.of(position.turn, number) & ~bit(from(move)); left;) {
                const int square = take(left);
                if (position.targets(number, square, safety) & bit(to(move))) others |= bit(square);
            }
            const bool same_rank = others & (Squares{0xFF} << (from(move) & 56)), same_file = others & (a_file << (from(move) & 7));
            if (others && (same_rank || !same_file)) text += square_text(from(move))[0];
            if (same_file) text += square_text(from(move))[1];
        }
        if (takes) text += 'x';
        text += square_text(to(move));
        if (promotion(move)) (text += '=') += upper(letter_of(promotion(move)));
    }
    if (next.check()) text += next.count_moves() ? '+' : '#';
    return text;
}

}  // namespace arena::chess
