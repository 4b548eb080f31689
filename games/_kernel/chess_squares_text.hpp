// Squares, moves and pieces of chess and microchess as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "chess_verdict.hpp"

namespace arena::boards {

inline constexpr std::string_view letters = ".pnbrqk";

inline char upper(char letter) { return static_cast<char>(letter - 'a' + 'A'); }
inline char lower(char letter) { return static_cast<char>(letter - 'A' + 'a'); }
inline bool is_white(char letter) { return letter >= 'A' && letter <= 'Z'; }
inline char letter_of(int number) { return letters[static_cast<std::size_t>(number)]; }

struct FromTo {
    int from, to, promotion;
};

// Text of a board whose squares are numbered row by row from a1.
template <int files, int ranks>
struct SquaresText {
    static std::string square(int square) {
        return {static_cast<char>('a' + square % files), static_cast<char>('1' + square / files)};
    }

    static std::string move(const FromTo& move) {
        std::string text = square(move.from) + square(move.to);
        if (move.promotion) text += letter_of(move.promotion);
        return text;
    }

    // The squares and the promotion of a move; empty if the text is not one.
    static std::optional<FromTo> read_move(std::string_view text) {
        if (text.size() != 4 && text.size() != 5) return std::nullopt;
        int place[4];
        for (int index = 0; index < 4; ++index) {
            place[index] = text[static_cast<std::size_t>(index)] - (index % 2 ? '1' : 'a');
            if (place[index] < 0 || place[index] >= (index % 2 ? ranks : files)) return std::nullopt;
        }
        const std::size_t made = text.size() == 5 ? letters.find(text[4]) : std::size_t{0};
        if (text.size() == 5 && (made < KNIGHT || made > QUEEN)) return std::nullopt;
        return FromTo{files * place[1] + place[0], files * place[3] + place[2], static_cast<int>(made)};
    }

    // Write the pieces, the first field of a FEN, and return the end of the text.
    template <typename Position>
    static char* write_pieces(const Position& position, char* end) {
        for (int rank = ranks - 1; rank >= 0; --rank) {
            char empty = '0';
            for (int file = 0; file < files; ++file) {
                const int square = files * rank + file, number = position.kind(square);
                if (!number) {
                    ++empty;
                    continue;
                }
                if (empty != '0') *end++ = std::exchange(empty, '0');
                *end++ = position.side[WHITE] >> square & 1 ? upper(letter_of(number)) : letter_of(number);
            }
            if (empty != '0') *end++ = empty;
            if (rank) *end++ = '/';
        }
        return end;
    }

    // Read the pieces; false if the text is not that many ranks and files.
    template <typename Position>
    static bool read_pieces(Position& position, std::string_view text) {
        int file = 0, rank = ranks - 1;
        for (const char letter : text) {
            if (letter == '/') {
                if (file != files || rank-- == 0) return false;
                file = 0;
            } else if (letter >= '1' && letter <= '0' + files) {
                file += letter - '0';
            } else {
                const bool white = is_white(letter);
                const std::size_t number = letters.find(white ? lower(letter) : letter);
                if (number == letters.npos || number == NOTHING || file >= files) return false;
                const auto here = decltype(position.side[0] + 0){1} << (files * rank + file++);
                position.piece[number] |= here;
                position.side[white] |= here;
            }
            if (file > files) return false;
        }
        return rank == 0 && file == files;
    }
};

}  // namespace arena::boards
