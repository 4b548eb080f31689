// The rules of microchess. games/microchess.py is the specification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "chess_board.hpp"
#include "game_concept.hpp"
#include "microchess_position.hpp"

namespace arena::microchess {

inline constexpr std::string_view letters = ".pnbrqk";

// The text of a move. The null move has no text of its own.
inline std::string move_text(Move move) {
    std::string text;
    for (int square : {from(move), to(move)}) {
        text += static_cast<char>('a' + square % files);
        text += static_cast<char>('1' + square / files);
    }
    if (promotion(move)) text += letters[static_cast<std::size_t>(promotion(move))];
    return text;
}

inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text, castling in either form, even if the game is over by the competition's rules.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (text.size() != 4 && text.size() != 5) return std::nullopt;
    int place[4];
    for (int index = 0; index < 4; ++index) {
        place[index] = text[static_cast<std::size_t>(index)] - (index % 2 ? '1' : 'a');
        if (place[index] < 0 || place[index] >= (index % 2 ? ranks : files)) return std::nullopt;
    }
    const std::size_t made = text.size() == 5 ? letters.find(text[4]) : std::size_t{0};
    if (text.size() == 5 && (made < KNIGHT || made > QUEEN)) return std::nullopt;
    const int start = files * place[1] + place[0], end = files * place[3] + place[2];
    const Move move = position.canonical(make_move(start, end, static_cast<int>(made)));
    return position.legal(move) ? std::optional(move) : std::nullopt;
}

// Write the position as 4x5 FEN and return the length of the text.
inline constexpr std::size_t text_room = 80;
inline std::size_t write_text(const Position& position, char (&into)[text_room]) {
    constexpr const char* rights[4] = {"-", "k", "Q", "Qk"};
    char* end = into;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        char empty = '0';
        for (int file = 0; file < files; ++file) {
            const int square = files * rank + file, number = position.kind(square);
            if (!number) {
                ++empty;
                continue;
            }
            if (empty != '0') *end++ = std::exchange(empty, '0');
            const char letter = letters[static_cast<std::size_t>(number)];
            *end++ = position.side[WHITE] & bit(square) ? static_cast<char>(letter - 'a' + 'A') : letter;
        }
        if (empty != '0') *end++ = empty;
        *end++ = rank ? '/' : ' ';
    }
    const auto board = static_cast<std::size_t>(end - into);
    const int rest = std::snprintf(end, text_room - board, "%c %s - %d %d", position.white() ? 'w' : 'b',
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
    int file = 0, rank = ranks - 1;
    for (const char letter : text.substr(0, end)) {
        if (letter == '/') {
            if (file != files || rank-- == 0) return std::nullopt;
            file = 0;
        } else if (letter >= '1' && letter <= '4') {
            file += letter - '0';
        } else {
            const bool white = letter >= 'A' && letter <= 'Z';
            const std::size_t number = letters.find(white ? static_cast<char>(letter - 'A' + 'a') : letter);
            if (number == letters.npos || number == NOTHING || file >= files) return std::nullopt;
            position.piece[number] |= bit(files * rank + file);
            position.side[white] |= bit(files * rank + file++);
        }
        if (file > files) return std::nullopt;
    }
    if (rank || file != files || end == text.npos) return std::nullopt;
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
