// The value of a chess position by material, squares, mobility, king safety and pawns, between middlegame and endgame.
// chess_evaluation.py is the specification, and chess_weights.json says how the weights were found.
#pragma once

#include <algorithm>

#include "chess.hpp"
#include "chess_weights.hpp"

namespace arena::search {

// What follows from a square alone; Black sees the board mirrored.
struct ChessTables {
    Bits passed[2][64]{}, beside[8]{};    // where enemy pawns stop a pawn; the files next to a file
    Bits near_king[64]{};
    Bits shield[2][64]{};                 // two ranks before a king

    constexpr ChessTables() {
        for (int square = 0; square < 64; ++square) {
            const int file = square % 8, rank = square / 8;
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
        if (position_.white()) lead += weights::tempo[0];
        else lead -= weights::tempo[0];
        const int phase = std::min(phase_, whole_phase);
        int balance = (lead.middle * phase + lead.end * (whole_phase - phase)) / whole_phase;
        // Without pawns a small lead does not win.
        const int ahead = balance > 0 ? chess::WHITE : chess::BLACK;
        if (!position_.of(ahead, chess::PAWN) && position_.material(ahead) - position_.material(!ahead) < 4) balance /= 4;
        return position_.white() ? balance : -balance;
    }

private:
    using Tables = ChessTables;
    static constexpr int phase[7] = {0, 0, 1, 1, 2, 4, 0}, whole_phase = 24;
    static constexpr const Tapered* places[7] = {nullptr,         weights::pawn, weights::knight, weights::bishop,
                                                 weights::rook, weights::queen, weights::king};
    static constexpr const Tapered* mobility[6] = {nullptr, nullptr, weights::knight_mobility, weights::bishop_mobility,
                                                   weights::rook_mobility, weights::queen_mobility};
    static constexpr const Tapered* attack[6] = {nullptr, nullptr, weights::knight_attack, weights::bishop_attack,
                                                 weights::rook_attack, weights::queen_attack};

    static int seen(int color, int square) { return color == chess::WHITE ? square : square ^ 56; }
    // A piece on a square, as its side sees the board; both wings are the same.
    static Tapered place(int piece, int color, int square) {
        const int there = seen(color, square), file = there & 7;
        return places[piece][4 * (there >> 3) + std::min(file, 7 - file)];
    }

    Tapered side(int color) {
        Tapered sum = pawns(color), attacks;
        const Bits own = position_.side[color], all = position_.occupied(), own_pawns = position_.of(color, chess::PAWN);
        const Bits hit = pawn_attacks_[!color], free = ~own & ~hit, zone = chess_tables.near_king[position_.king(!color)];
        int attackers = 0;
        for (int piece = chess::KNIGHT; piece <= chess::QUEEN; ++piece)
            for (Bits left = position_.of(color, piece); left;) {
                const int square = take(left);
                Bits reached = piece == chess::KNIGHT ? chess::attacks_from.knight[square] : 0;
                if (piece == chess::BISHOP || piece == chess::QUEEN) reached |= chess::bishop_attacks(square, all);
                if (piece == chess::ROOK || piece == chess::QUEEN) reached |= chess::rook_attacks(square, all);
                sum += place(piece, color, square);
                sum += mobility[piece][count(reached & free)];
                if (reached & zone) ++attackers, attacks += attack[piece][0] * count(reached & zone);
                if (piece == chess::ROOK && !(own_pawns & Tables::column(square & 7)))
                    sum += position_.piece[chess::PAWN] & Tables::column(square & 7) ? weights::half_open_file[0]
                                                                                    : weights::open_file[0];
                phase_ += phase[piece];
            }
        // One attacker alone is harmless, and each further one counts more.
        if (attackers >= 2) sum += attacks * attackers;
        sum += weights::hit_by_pawn[0] * count(hit & own & ~position_.piece[chess::PAWN] & ~position_.piece[chess::KING]);
        if (count(position_.of(color, chess::BISHOP)) >= 2) sum += weights::bishop_pair[0];
        sum += place(chess::KING, color, position_.king(color));
        sum += king_safety(color);
        return sum;
    }

    Tapered pawns(int color) const {
        Tapered sum;
        const Bits own = position_.of(color, chess::PAWN), other = position_.of(!color, chess::PAWN);
        for (Bits left = own; left;) {
            const int square = take(left), file = square & 7;
            sum += place(chess::PAWN, color, square);
            const Bits ahead = chess_tables.passed[color][square];
            if (own & ahead & Tables::column(file)) sum += weights::doubled[0];
            else if (!(other & ahead)) sum += passed(color, square);
            if (!(own & chess_tables.beside[file])) sum += weights::isolated[0];
            if (pawn_attacks_[color] & chess::bit(square)) sum += weights::guarded[0];
        }
        return sum;
    }

    // A passed pawn: the far king of the other side makes it stronger, a piece on its next square weaker.
    Tapered passed(int color, int square) const {
        const int rank = seen(color, square) >> 3, next = color == chess::WHITE ? square + 8 : square - 8;
        Tapered value = position_.side[!color] & chess::bit(next) ? weights::blocked[rank] : weights::passed[rank];
        value += weights::passed_king[0] * ((steps(position_.king(!color), next) - steps(position_.king(color), next)) * rank);
        return value;
    }
    static int steps(int one, int other) {
        return std::max(Tables::distance(one & 7, other & 7), Tables::distance(one >> 3, other >> 3));
    }

    // The pawns that are missing before the king.
    Tapered king_safety(int color) const {
        const int king = position_.king(color);
        const Bits own = position_.of(color, chess::PAWN);
        Tapered sum = weights::missing_shield[0] * std::max(0, 3 - count(own & chess_tables.shield[color][king]));
        for (int file = std::max(0, (king & 7) - 1); file <= std::min(7, (king & 7) + 1); ++file)
            if (!(own & Tables::column(file))) sum += weights::open_near_king[0];
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
