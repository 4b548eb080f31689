// The rules of microchess. games/microchess.py is the specification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "chess_board.hpp"
#include "chess_squares_text.hpp"
#include "game_concept.hpp"
#include "microchess_position.hpp"

namespace arena::microchess {

using SquaresText = boards::SquaresText<files, ranks>;

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

// Write the position as 4x5 FEN and return the length of the text.
inline constexpr std::size_t text_room = 80;
inline std::size_t write_text(const Position& position, char (&into)[text_room]) {
    constexpr const char* rights[4] = {"-", "k", "Q", "Qk"};
    char* end = SquaresText::write_pieces(position, into);
    const auto board = static_cast<std::size_t>(end - into);
    const int rest = std::snprintf(end, text_room - board, " %c %s - %d %d", position.white() ? 'w' : 'b',
                                   rights[position.rights], position.clock, position.number);
    return board + static_cast<std::size_t>(rest);
}
inline std::string position_text(const Position& position) {
    char text[text_room];
    return std::string(text, write_text(position, text));
}

// The position with this text; empty if the text or the position is not valid.
inline std::optional<Position> read_position(std::string_view text) {
    Position position;
    const std::size_t end = text.find(' ');
    if (end == text.npos || !SquaresText::read_pieces(position, text.substr(0, end))) return std::nullopt;
    char side = 0, castling[3] = "", rest[2] = "";
    const std::string fields(text.substr(end));
    const int read = std::sscanf(fields.c_str(), " %c %2s - %9d %9d %1s", &side, castling, &position.clock,
                                 &position.number, rest);
    if (read != 4 || position.clock < 0) return std::nullopt;
    if (side != 'w' && side != 'b') return std::nullopt;
    position.turn = side == 'w' ? WHITE : BLACK;
    for (const char letter : std::string_view(castling)) {
        if (letter == 'K' || letter == 'Q') position.rights |= 1 << WHITE;
        else if (letter == 'k' || letter == 'q') position.rights |= 1 << BLACK;
        else if (letter != '-') return std::nullopt;
    }
    if (!position.is_valid()) return std::nullopt;
    position.complete();
    return position;
}

using Board = boards::Board<Position>;

static_assert(KernelPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::microchess
