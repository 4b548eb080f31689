// The board of microchess: squares, moves, and which squares a piece attacks. Squares are numbered row by row without
// gaps: a1 = 0, b1 = 1, …, d1 = 3, a2 = 4, …, d5 = 19.
#pragma once

#include <bit>
#include <cstdint>

#include "chess_steps.hpp"

namespace arena::microchess {

using Squares = std::uint32_t;
using Move = std::uint16_t;  // from | to << 5 | promotion << 10; `null_move` is a turn without a move
inline constexpr Move null_move = 0;

using enum boards::Piece;
using enum boards::Side;

inline constexpr int files = 4, ranks = 5, squares = 20;
inline constexpr int piece_value[7] = {0, 1, 3, 3, 5, 10, 4};

constexpr Squares bit(int square) { return Squares{1} << square; }
constexpr Squares all_squares = bit(squares) - 1, a_file = 0x11111, d_file = 0x88888, back_ranks = 0xF000F;
constexpr Squares dark = 0x5A5A5;  // a1 is dark

constexpr int from(Move move) { return move & 31; }
constexpr int to(Move move) { return move >> 5 & 31; }
constexpr int promotion(Move move) { return move >> 10; }
constexpr Move make_move(int from, int to, int promotion = NOTHING) {
    return static_cast<Move>(from | to << 5 | promotion << 10);
}

// The one castling of a side. The rook moves to the square that the king crosses.
struct Castling {
    int king, king_to, rook, rook_to;
    Squares between, path;
};
inline constexpr Castling castlings[2] = {{16, 18, 19, 17, 0x60000, 0x70000}, {3, 1, 0, 2, 0x6, 0xE}};

struct Magic {
    Squares mask;
    Squares factor;
};

// The squares that a piece attacks from each square. Attacks of rooks and bishops depend on the pieces in between: those
// bits, multiplied by a factor that was found by trial, give the index in a table ("magic bitboards").
struct Attacks : boards::Steps<files, ranks, Squares> {
    static constexpr int rook_bits = 5, bishop_bits = 3;
    Squares between[squares][squares]{}, line[squares][squares]{};
    Magic rook_magic[squares]{}, bishop_magic[squares]{};
    Squares rook[squares][1 << rook_bits]{}, bishop[squares][1 << bishop_bits]{};

    constexpr Attacks() {
        for (int square = 0; square < squares; ++square) {
            for (int other = 0; other < squares; ++other) connect(square, other);
            fill(rook[square], rook_magic[square], square, straight, rook_bits);
            fill(bishop[square], bishop_magic[square], square, diagonal, bishop_bits);
        }
    }

    // Pairs of opposite directions.
    static constexpr int straight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static constexpr int diagonal[4][2] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

    static constexpr Squares attacked(int square, const int (&ways)[4][2], Squares occupied) {
        Squares found = 0;
        for (const auto& way : ways)
            for (int far = 1; far < ranks; ++far) {
                const Squares here = step(square, far * way[0], far * way[1]);
                found |= here;
                if (!here || here & occupied) break;
            }
        return found;
    }

    // Fill `between` and `line` for two squares on a common line.
    constexpr void connect(int one, int other) {
        for (const auto& ways : {straight, diagonal})
            for (int way = 0; way < 4; way += 2) {
                Squares path = 0;
                const Squares line_here = ray(one, ways[way][0], ways[way][1]) | ray(one, ways[way + 1][0], ways[way + 1][1]) | bit(one);
                for (int end = way; end < way + 2; ++end)
                    if (ray(one, ways[end][0], ways[end][1]) & bit(other)) {
                        for (int far = 1; !(step(one, far * ways[end][0], far * ways[end][1]) & bit(other)); ++far)
                            path |= step(one, far * ways[end][0], far * ways[end][1]);
                        between[one][other] = path;
                        line[one][other] = line_here;
                    }
            }
    }

    // The squares where a piece may block an attack. The last square of a line is attacked in any case.
    static constexpr Squares blocking(int square, const int (&ways)[4][2]) {
        Squares found = 0;
        for (const auto& way : ways)
            for (int far = 1; far < ranks; ++far)
                if (step(square, (far + 1) * way[0], (far + 1) * way[1]))
                    found |= step(square, far * way[0], far * way[1]);
        return found;
    }

    // Find a factor that maps all sets of blocking pieces to the table without a conflict, and fill the table.
    static constexpr void fill(Squares* table, Magic& magic, int square, const int (&ways)[4][2], int bits) {
        magic.mask = blocking(square, ways);
        std::uint64_t seed = 1;
        while (true) {
            for (int place = 0; place < 1 << bits; ++place) table[place] = 0;
            ++seed;
            magic.factor = static_cast<Squares>(mixed(seed) & mixed(seed + 1000));
            bool fits = true;
            Squares occupied = 0;
            do {
                Squares& place = table[occupied * magic.factor >> (32 - bits)];
                const Squares found = attacked(square, ways, occupied);
                fits = place == 0 || place == found;
                place = found;
                occupied = (occupied - magic.mask) & magic.mask;
            } while (occupied && fits);
            if (fits) return;
        }
    }
};

inline constexpr Attacks attacks_from{};

inline Squares rook_attacks(int square, Squares occupied) {
    const Magic& magic = attacks_from.rook_magic[square];
    return attacks_from.rook[square][(occupied & magic.mask) * magic.factor >> (32 - Attacks::rook_bits)];
}
inline Squares bishop_attacks(int square, Squares occupied) {
    const Magic& magic = attacks_from.bishop_magic[square];
    return attacks_from.bishop[square][(occupied & magic.mask) * magic.factor >> (32 - Attacks::bishop_bits)];
}

// The lowest square of a set. `arena::take` also removes it.
inline int first(Squares set) { return std::countr_zero(set); }

// All squares that the pawns of a side attack.
inline Squares pawn_attacks(Squares pawns, int side) {
    return side == WHITE ? ((pawns & ~a_file) << 3 | (pawns & ~d_file) << 5) & all_squares
                         : (pawns & ~a_file) >> 5 | (pawns & ~d_file) >> 3;
}

}  // namespace arena::microchess
