// The value of a chess position by material, squares, mobility, king safety and pawns, between middlegame and endgame.
// chess_evaluation.py is the specification.
//
// The weights are our own: formulas of the distance to the centre and round numbers, tuned by nothing but matches.
#pragma once

#include <algorithm>

#include "chess.hpp"

namespace arena::search {

// A value in the middlegame and in the endgame, in hundredths of a pawn.
struct Tapered {
    int middle = 0, end = 0;
    constexpr Tapered& operator+=(Tapered other) { return middle += other.middle, end += other.end, *this; }
    constexpr Tapered& operator-=(Tapered other) { return middle -= other.middle, end -= other.end, *this; }
    constexpr Tapered operator*(int times) const { return {middle * times, end * times}; }
};

struct ChessWeights {
    static constexpr Tapered piece[7] = {{}, {88, 118}, {330, 305}, {345, 325}, {485, 545}, {1000, 1010}, {}};
    static constexpr Tapered mobility[7] = {{}, {}, {4, 4}, {4, 5}, {2, 4}, {1, 3}, {}};
    static constexpr int usual_mobility[7] = {0, 0, 4, 6, 7, 13, 0};
    static constexpr Tapered passed[8] = {{}, {2, 8}, {6, 14}, {12, 30}, {28, 58}, {55, 100}, {90, 160}, {}};
    static constexpr Tapered bishop_pair{28, 46}, doubled{-8, -18}, isolated{-11, -13}, guarded{5, 5};
    static constexpr Tapered open_file{22, 9}, half_open_file{10, 6};
    static constexpr int tempo = 12, missing_shield = 14, open_near_king = 12;
    static constexpr int attack[7] = {0, 0, 2, 2, 3, 5, 0};  // of a piece on squares next to the king
    static constexpr int phase[7] = {0, 0, 1, 1, 2, 4, 0}, whole_phase = 24;
};

// What follows from a square alone, for White; Black sees the board mirrored.
struct ChessTables {
    Tapered value[7][64]{};               // piece and square
    Bits passed[2][64]{}, beside[8]{};    // where enemy pawns stop a pawn; the files next to a file
    Bits near_king[64]{};
    Bits shield[2][64]{};                 // two ranks before a king

    constexpr ChessTables() {
        for (int square = 0; square < 64; ++square) {
            const int file = square % 8, rank = square / 8;
            const int far = (distance(2 * file, 7) + distance(2 * rank, 7)) / 2;  // from the centre: 1 to 7
            for (int piece = chess::PAWN; piece <= chess::KING; ++piece) {
                value[piece][square] = ChessWeights::piece[piece];
                value[piece][square] += place(piece, file, rank, far);
            }
            near_king[square] = chess::attacks_from.king[square] | chess::bit(square);
            const Bits files = column(file) | (file ? column(file - 1) : 0) | (file < 7 ? column(file + 1) : 0);
            beside[file] = files & ~column(file);
            const Bits above = rank < 7 ? ~Bits{0} << 8 * (rank + 1) : 0, below = chess::bit(8 * rank) - 1;
            passed[1][square] = files & above;
            passed[0][square] = files & below;
            shield[1][square] = files & above & (rank < 5 ? chess::bit(8 * (rank + 3)) - 1 : ~Bits{0});
            shield[0][square] = files & below & (rank > 2 ? ~Bits{0} << 8 * (rank - 2) : ~Bits{0});
        }
    }

    static constexpr int distance(int one, int other) { return one < other ? other - one : one - other; }
    static constexpr Bits column(int file) { return chess::a_file << file; }

private:
    static constexpr Tapered place(int piece, int file, int rank, int far) {
        constexpr int pawn_files[8] = {-6, -3, 2, 10, 10, 0, -2, -6}, king_files[8] = {12, 28, 14, -10, -4, -8, 30, 18};
        switch (piece) {
            case chess::PAWN: return {rank * pawn_files[file] / 3 + (rank - 1) * 2, (rank - 1) * 5};
            case chess::KNIGHT: return {32 - 9 * far - (rank == 0 ? 6 : 0), 22 - 8 * far};
            case chess::BISHOP: return {16 - 4 * far - (rank == 0 ? 8 : 0), 10 - 3 * far};
            case chess::ROOK: return {(rank == 6 ? 14 : 0) + 6 - 2 * distance(2 * file, 7) / 2, rank == 6 ? 16 : 0};
            case chess::QUEEN: return {6 - 2 * far, 20 - 5 * far};
            default: return {king_files[file] - (rank ? 12 + 14 * rank : 0), 44 - 12 * far};
        }
    }
};
inline constexpr ChessTables chess_tables{};

class ChessEvaluation {
public:
    explicit ChessEvaluation(const chess::Position& position) : position_(position) {}

    // For the side to move.
    int value() {
        for (int color = 0; color < 2; ++color) pawn_attacks_[color] = chess::pawn_attacks(position_.of(color, chess::PAWN), color);
        Tapered lead = side(chess::WHITE);
        lead -= side(chess::BLACK);
        const int phase = std::min(phase_, ChessWeights::whole_phase);
        int balance = (lead.middle * phase + lead.end * (ChessWeights::whole_phase - phase)) / ChessWeights::whole_phase;
        // Without pawns a small lead does not win.
        const int ahead = balance > 0 ? chess::WHITE : chess::BLACK;
        if (!position_.of(ahead, chess::PAWN) && position_.material(ahead) - position_.material(!ahead) < 4) balance /= 4;
        return (position_.white() ? balance : -balance) + ChessWeights::tempo;
    }

private:
    using Tables = ChessTables;

    static int seen(int color, int square) { return color == chess::WHITE ? square : square ^ 56; }

    Tapered side(int color) {
        Tapered sum = pawns(color);
        const Bits own = position_.side[color], all = position_.occupied(), own_pawns = position_.of(color, chess::PAWN);
        const Bits free = ~own & ~pawn_attacks_[!color], zone = chess_tables.near_king[position_.king(!color)];
        int attackers = 0, attack = 0;
        for (int piece = chess::KNIGHT; piece <= chess::QUEEN; ++piece)
            for (Bits left = position_.of(color, piece); left;) {
                const int square = take(left);
                Bits reached = piece == chess::KNIGHT ? chess::attacks_from.knight[square] : 0;
                if (piece == chess::BISHOP || piece == chess::QUEEN) reached |= chess::bishop_attacks(square, all);
                if (piece == chess::ROOK || piece == chess::QUEEN) reached |= chess::rook_attacks(square, all);
                sum += chess_tables.value[piece][seen(color, square)];
                sum += ChessWeights::mobility[piece] * (count(reached & free) - ChessWeights::usual_mobility[piece]);
                if (reached & zone) ++attackers, attack += ChessWeights::attack[piece] * count(reached & zone);
                if (piece == chess::ROOK && !(own_pawns & Tables::column(square & 7)))
                    sum += position_.piece[chess::PAWN] & Tables::column(square & 7) ? ChessWeights::half_open_file
                                                                                    : ChessWeights::open_file;
                phase_ += ChessWeights::phase[piece];
            }
        if (count(position_.of(color, chess::BISHOP)) >= 2) sum += ChessWeights::bishop_pair;
        // One attacker alone is harmless, and each further one counts more.
        if (attackers >= 2) sum.middle += std::min(attack * attackers * 2, 400);
        sum.middle -= weakness(color);
        const int king = position_.king(color);
        sum += chess_tables.value[chess::KING][seen(color, king)];
        return sum;
    }

    Tapered pawns(int color) const {
        Tapered sum;
        const Bits own = position_.of(color, chess::PAWN), other = position_.of(!color, chess::PAWN);
        for (Bits left = own; left;) {
            const int square = take(left), file = square & 7, rank = seen(color, square) >> 3;
            sum += chess_tables.value[chess::PAWN][seen(color, square)];
            const Bits ahead = chess_tables.passed[color][square];
            if (own & ahead & Tables::column(file)) sum += ChessWeights::doubled;
            else if (!(other & ahead)) sum += passed(color, square, rank);
            if (!(own & chess_tables.beside[file])) sum += ChessWeights::isolated;
            if (pawn_attacks_[color] & chess::bit(square)) sum += ChessWeights::guarded;
        }
        return sum;
    }

    // A passed pawn is worth more if the other king is far from the square before it, and less if something stands there.
    Tapered passed(int color, int square, int rank) const {
        Tapered value = ChessWeights::passed[rank];
        const int next = color == chess::WHITE ? square + 8 : square - 8;
        value.end += (steps(position_.king(!color), next) - steps(position_.king(color), next)) * rank * 2;
        if (position_.side[!color] & chess::bit(next)) value.end /= 2, value.middle /= 2;
        return value;
    }
    static int steps(int one, int other) {
        return std::max(Tables::distance(one & 7, other & 7), Tables::distance(one >> 3, other >> 3));
    }

    // Of the pawns before the king.
    int weakness(int color) const {
        const int king = position_.king(color);
        const Bits own = position_.of(color, chess::PAWN);
        int sum = std::max(0, 3 - count(own & chess_tables.shield[color][king])) * ChessWeights::missing_shield;
        for (int file = std::max(0, (king & 7) - 1); file <= std::min(7, (king & 7) + 1); ++file)
            if (!(own & Tables::column(file))) sum += ChessWeights::open_near_king;
        return sum;
    }

    const chess::Position& position_;
    Bits pawn_attacks_[2]{};
    int phase_ = 0;
};

// What the side to move gains by a capture if both sides go on capturing on that square with their cheapest piece, in pawns.
inline int exchange(const chess::Position& position, chess::Move move) {
    const int target = chess::to(move);
    Bits all = position.occupied() & ~chess::bit(chess::from(move));
    int gain[32], depth = 0, on_target = position.kind(chess::from(move)), color = !position.turn;
    constexpr int worth[7] = {0, 1, 3, 3, 5, 9, 100};
    gain[0] = position.is_en_passant(move) ? 1 : worth[position.kind(target)];
    while (depth < 31) {
        const Bits attackers = position.attackers(color, target, all) & all;
        if (!attackers) break;
        int cheapest = chess::PAWN;
        while (!(attackers & position.piece[cheapest])) ++cheapest;
        if (cheapest == chess::KING && position.attackers(!color, target, all) & all) break;
        ++depth;
        gain[depth] = worth[on_target] - gain[depth - 1];
        on_target = cheapest;
        all &= ~chess::bit(chess::first(attackers & position.piece[cheapest]));
        color = !color;
    }
    for (; depth > 0; --depth) gain[depth - 1] = -std::max(-gain[depth - 1], gain[depth]);
    return gain[0];
}

}  // namespace arena::search
