// The board of chess: squares, moves, and which squares a piece attacks. a1 = 0, b1 = 1, …, h8 = 63.
#pragma once

#include <bit>
#include <cstdint>

#include "chess_steps.hpp"

namespace arena::chess {

using Squares = Bits;
using Move = std::uint16_t;  // from | to << 6 | promotion << 12; `null_move` is a turn without a move
inline constexpr Move null_move = 0;

using enum boards::Piece;
using enum boards::Side;

inline constexpr int files = 8, ranks = 8, squares = 64;
inline constexpr int piece_value[7] = {0, 1, 3, 3, 5, 10, 4};

constexpr Squares bit(int square) { return Squares{1} << square; }
inline constexpr Squares a_file = 0x0101'0101'0101'0101, h_file = a_file << 7, back_ranks = 0xFF00'0000'0000'00FF;
inline constexpr Squares back_rank[2] = {0xFFULL << 56, 0xFF}, third_rank[2] = {0xFFULL << 40, 0xFFULL << 16};
inline constexpr Squares dark = 0xAA55'AA55'AA55'AA55;  // a1 is dark

constexpr int from(Move move) { return move & 63; }
constexpr int to(Move move) { return move >> 6 & 63; }
constexpr int promotion(Move move) { return move >> 12; }
constexpr Move make_move(int from, int to, int promotion = NOTHING) {
    return static_cast<Move>(from | to << 6 | promotion << 12);
}

// The squares that a piece attacks from each square, and lines. Attacks along a file or a diagonal are a subtraction on
// the line and one on its mirror image; attacks along a rank are in a table by the pieces in between.
struct Attacks : boards::Steps<files, ranks, Squares> {
    Squares file[squares]{}, rising[squares]{}, falling[squares]{};  // without the square itself
    Squares rook_rays[squares]{}, bishop_rays[squares]{};            // on an empty board
    Squares between[squares][squares]{}, line[squares][squares]{};
    std::uint8_t rank[files][64]{};  // by the file of the piece and the pieces on the files b to g

    constexpr Attacks() {
        for (int square = 0; square < squares; ++square) {
            file[square] = ray(square, 0, 1) | ray(square, 0, -1);
            rising[square] = ray(square, 1, 1) | ray(square, -1, -1);
            falling[square] = ray(square, 1, -1) | ray(square, -1, 1);
            rook_rays[square] = file[square] | ray(square, 1, 0) | ray(square, -1, 0);
            bishop_rays[square] = rising[square] | falling[square];
            for (int across = -1; across <= 1; ++across)
                for (int along = -1; along <= 1; ++along)
                    if (across || along) connect(square, across, along);
        }
        for (int place = 0; place < files; ++place)
            for (int inner = 0; inner < 64; ++inner)
                for (const int way : {-1, 1})
                    for (int at = place + way; at >= 0 && at < files; at += way) {
                        rank[place][inner] |= static_cast<std::uint8_t>(1 << at);
                        if (inner << 1 >> at & 1) break;
                    }
    }

private:
    // Fill `between` and `line` for the squares in one direction.
    constexpr void connect(int square, int across, int along) {
        const Squares whole = ray(square, across, along) | ray(square, -across, -along) | bit(square);
        Squares path = 0;
        for (int far = 1; far < files; ++far) {
            const Squares here = step(square, far * across, far * along);
            if (!here) return;
            const int other = std::countr_zero(here);
            between[square][other] = path;
            line[square][other] = whole;
            path |= here;
        }
    }
};

inline constexpr Attacks attacks_from{};

// The attacks of a slider at `here` along one line that crosses every rank at most once.
inline Squares line_attacks(Squares line, Squares here, Squares occupied) {
    const Squares ahead = occupied & line, behind = __builtin_bswap64(ahead);
    return ((ahead - 2 * here) ^ __builtin_bswap64(behind - 2 * __builtin_bswap64(here))) & line;
}
inline Squares bishop_attacks(int square, Squares occupied) {
    return line_attacks(attacks_from.rising[square], bit(square), occupied) |
           line_attacks(attacks_from.falling[square], bit(square), occupied);
}
inline Squares rook_attacks(int square, Squares occupied) {
    const int start = square & 56;
    const Squares rank = attacks_from.rank[square & 7][occupied >> (start + 1) & 63];
    return rank << start | line_attacks(attacks_from.file[square], bit(square), occupied);
}

// The lowest square of a set. `arena::take` also removes it.
inline int first(Squares set) { return std::countr_zero(set); }
inline int last(Squares set) { return 63 - std::countl_zero(set); }

// All squares that the pawns of a side attack.
inline Squares pawn_attacks(Squares pawns, int side) {
    return side == WHITE ? (pawns & ~a_file) << 7 | (pawns & ~h_file) << 9 : (pawns & ~a_file) >> 9 | (pawns & ~h_file) >> 7;
}
// The squares one step ahead of the pawns of a side.
inline Squares ahead_of(Squares pawns, int side) { return side == WHITE ? pawns << 8 : pawns >> 8; }

}  // namespace arena::chess
