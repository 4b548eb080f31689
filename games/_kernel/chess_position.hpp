// A position of chess and its legal moves, also with the castling of Chess960.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chess_attacks.hpp"

namespace arena::chess {

// Hash keys of what distinguishes positions.
struct Keys {
    std::uint64_t piece[2][7][squares]{}, castling[squares]{}, en_passant[files]{}, turn{};
    constexpr Keys() {
        std::uint64_t seed = 0x6368657373;
        const auto next = [&seed] { return mixed(seed += 0x9E3779B97F4A7C15U); };
        for (auto& side : piece)
            for (auto& kind : side)
                for (auto& key : kind) key = next();
        for (auto& key : castling) key = next();
        for (auto& key : en_passant) key = next();
        turn = next();
    }
};
inline constexpr Keys keys{};

using boards::Verdict;

// The safety of the king of the side to move.
struct Safety {
    int king;          // its square
    Squares checkers;  // the pieces that give check
    Squares answers;   // where other pieces may go: all squares, or those that end the check
    Squares pinned;    // own pieces that may move only in line with the king
};

// A position with one king on each side and no pawn on a back rank, in which the side that just moved is not in check.
// Castling rights exist only with king and rook in place; `en_passant` is set after every double step.
struct Position {
    using Move = chess::Move;
    static constexpr int max_moves = 256, quiet_turns = 150, most_repetitions = 5;
    static constexpr long long usual_limit = 0;

    Squares piece[7]{};  // by `Piece`; index 0 holds the promoted pieces
    Squares side[2]{};
    Squares castling = 0;  // the rooks that may castle
    std::uint64_t hash = 0;
    std::int32_t clock = 0;  // turns without capture or pawn move
    std::int32_t number = 1;
    std::uint8_t turn = WHITE;
    std::int8_t en_passant = -1;  // the square behind a pawn that has just made a double step
    bool capturable = false;      // a capture there is legal: only then the square distinguishes positions
    bool chess960 = false;        // castling is written as king takes rook

    static Position start();

    Squares occupied() const { return side[0] | side[1]; }
    bool white() const { return turn == WHITE; }
    std::uint64_t key() const { return hash; }
    long long turns() const { return 2LL * (number - 1) + (turn == BLACK); }
    int king(int color) const { return first(piece[KING] & side[color]); }
    Squares of(int color, int number_) const { return piece[number_] & side[color]; }

    int kind(int square) const {
        int found = 0;
        for (int number_ = PAWN; number_ <= KING; ++number_) found |= number_ * static_cast<int>(piece[number_] >> square & 1);
        return found;
    }

    std::uint64_t computed_key() const {
        std::uint64_t sum = turn == WHITE ? keys.turn : 0;
        for (int color = 0; color < 2; ++color)
            for (int number_ = PAWN; number_ <= KING; ++number_)
                for (Squares left = of(color, number_); left;) sum ^= keys.piece[color][number_][take(left)];
        for (Squares left = castling; left;) sum ^= keys.castling[take(left)];
        return capturable ? sum ^ keys.en_passant[en_passant & 7] : sum;
    }

    bool same(const Position& other) const {
        if (hash != other.hash || turn != other.turn || castling != other.castling) return false;
        bool equal = side[0] == other.side[0] && side[1] == other.side[1] && capturable == other.capturable;
        for (int number_ = PAWN; number_ <= KING; ++number_) equal &= piece[number_] == other.piece[number_];
        return equal && (!capturable || en_passant == other.en_passant);
    }

    // The pieces of `color` that attack a square.
    Squares attackers(int color, int square, Squares blocking) const {
        return side[color] &
               ((attacks_from.knight[square] & piece[KNIGHT]) | (attacks_from.king[square] & piece[KING]) |
                (attacks_from.pawn[!color][square] & piece[PAWN]) |
                (rook_attacks(square, blocking) & (piece[ROOK] | piece[QUEEN])) |
                (bishop_attacks(square, blocking) & (piece[BISHOP] | piece[QUEEN])));
    }
    bool attacked(int color, int square, Squares blocking) const { return attackers(color, square, blocking) != 0; }
    Squares checkers() const { return attackers(!turn, king(turn), occupied()); }
    bool check() const { return checkers() != 0; }

    Safety safety() const {
        const Squares own = side[turn], other = side[!turn], all = own | other;
        const int king_ = first(piece[KING] & own);
        Safety found{king_, attackers(!turn, king_, all), ~Squares{0}, 0};
        Squares snipers = other & ((attacks_from.rook_rays[king_] & (piece[ROOK] | piece[QUEEN])) |
                                   (attacks_from.bishop_rays[king_] & (piece[BISHOP] | piece[QUEEN])));
        while (snipers) {
            const Squares blockers = attacks_from.between[king_][take(snipers)] & all;
            if (blockers && !(blockers & (blockers - 1))) found.pinned |= blockers & own;
        }
        if (found.checkers & (found.checkers - 1)) found.answers = 0;
        else if (found.checkers) found.answers = found.checkers | attacks_from.between[king_][first(found.checkers)];
        return found;
    }

    // Where the king may step.
    Squares king_steps(const Safety& safety) const {
        const Squares others = occupied() ^ bit(safety.king);  // the king does not block an attack on the square behind it
        const Squares steps = attacks_from.king[safety.king] & ~side[turn];
        Squares found = 0;
        for (Squares left = steps; left;) {
            const int square = take(left);
            if (!attacked(!turn, square, others)) found |= bit(square);
        }
        return found;
    }

    // The squares that castling moves of the king are written with.
    Squares castling_targets(const Safety& safety) const {
        const Squares rooks = castling & back_rank[turn] & side[turn];
        if (!rooks || safety.checkers) return 0;
        Squares found = 0;
        for (Squares left = rooks; left;) {
            const int rook = take(left);
            if (may_castle(safety.king, rook)) found |= bit(castling_target(safety.king, rook));
        }
        return found;
    }

    // The square that castling with this rook is written with.
    int castling_target(int king_, int rook) const { return chess960 ? rook : (king_ & 56) + (rook < king_ ? 2 : 6); }

    Squares pawn_targets(int square) const {
        const Squares empty = ~occupied(), steps = ahead_of(bit(square), turn) & empty;
        return steps | (ahead_of(steps & third_rank[turn], turn) & empty) | (attacks_from.pawn[turn][square] & side[!turn]);
    }

    // Where a knight, bishop, rook or queen may go if the safety of the king is ignored.
    Squares piece_targets(int number_, int square) const {
        const Squares all = occupied(), free = ~side[turn];
        switch (number_) {
            case KNIGHT: return attacks_from.knight[square] & free;
            case BISHOP: return bishop_attacks(square, all) & free;
            case ROOK: return rook_attacks(square, all) & free;
            default: return (bishop_attacks(square, all) | rook_attacks(square, all)) & free;
        }
    }

    // Where the piece of the side to move on `square` may go.
    Squares targets(int number_, int square, const Safety& safety) const {
        if (number_ == KING) return king_steps(safety) | castling_targets(safety);
        Squares found = (number_ == PAWN ? pawn_targets(square) : piece_targets(number_, square)) & safety.answers;
        if (safety.pinned & bit(square)) found &= attacks_from.line[safety.king][square];
        const bool takes = number_ == PAWN && capturable && attacks_from.pawn[turn][square] & bit(en_passant);
        return takes && may_take_en_passant(square) ? found | bit(en_passant) : found;
    }

    // Whether there is an own piece to move, and a promotion exactly where a pawn needs one.
    bool well_formed(Move move) const {
        if (!(side[turn] & bit(from(move)))) return false;
        const bool promotes = piece[PAWN] & bit(from(move)) && bit(to(move)) & back_ranks;
        return promotes ? promotion(move) >= KNIGHT && promotion(move) <= QUEEN : promotion(move) == NOTHING;
    }
    bool legal(Move move) const {
        return well_formed(move) && targets(kind(from(move)), from(move), safety()) & bit(to(move));
    }
    bool pseudo_legal(Move move) const {
        if (!well_formed(move)) return false;
        const int number_ = kind(from(move)), square = from(move);
        if (number_ == KING)
            return ((attacks_from.king[square] & ~side[turn]) | castling_targets(safety())) & bit(to(move));
        if (number_ != PAWN) return piece_targets(number_, square) & bit(to(move));
        const Squares taking = en_passant < 0 ? 0 : attacks_from.pawn[turn][square] & bit(en_passant);
        return (pawn_targets(square) | taking) & bit(to(move));
    }

    // The square of the rook if the move is castling, else -1.
    int castling_rook(Move move) const {
        const int start = chess::from(move), end = chess::to(move);
        if (!(piece[KING] & bit(start))) return -1;
        if (side[turn] & bit(end)) return end;
        if (chess960 || (start - end != 2 && end - start != 2)) return -1;
        return end > start ? start | 7 : start & 56;
    }

    // Castling written as king takes rook becomes the king's move, unless that is how it is written.
    Move canonical(Move move) const {
        constexpr int king_squares[2] = {60, 4};
        const int start = chess::from(move), end = chess::to(move);
        if (chess960 || promotion(move) || !(piece[KING] & bit(start))) return move;
        for (const int place : king_squares)
            if (start == place && (end == place + 3 || end == place - 4)) return make_move(start, end > start ? place + 2 : place - 2);
        return move;
    }

    bool is_en_passant(Move move) const {
        return en_passant >= 0 && chess::to(move) == en_passant && piece[PAWN] & bit(chess::from(move)) &&
               (chess::from(move) & 7) != (en_passant & 7);
    }
    bool captures(Move move) const { return side[!turn] & bit(chess::to(move)) || is_en_passant(move); }

    // Whether no position before this move can occur again after it. As python-chess defines it.
    bool irreversible(Move move) const {
        const Squares touched = bit(from(move)) ^ bit(to(move));
        if (capturable || touched & piece[PAWN] || touched & side[!turn] || touched & castling) return true;
        return (castling & back_rank[WHITE] && touched & of(WHITE, KING)) || (castling & back_rank[BLACK] && touched & of(BLACK, KING));
    }

    // The legal moves in order of from, to and promotion, even if the game is over by the competition's rules.
    int moves(Move* into) const {
        const Safety here = safety();
        const auto to = [&](int number_, int square) { return targets(number_, square, here); };
        const auto make = [](int start, int end, int made) { return make_move(start, end, made); };
        return boards::generate(*this, back_ranks, to, make, into);
    }

    // The number of legal moves.
    int count_moves() const {
        const Safety here = safety();
        const Squares own = side[turn], all = occupied(), free = ~own & here.answers;
        int sum = std::popcount(king_steps(here)) + std::popcount(castling_targets(here));
        if (!here.answers) return sum;  // a double check
        for (Squares left = piece[KNIGHT] & own & ~here.pinned; left;) sum += std::popcount(attacks_from.knight[take(left)] & free);
        const auto slide = [&](Squares sliders, auto attacks) {
            for (Squares left = sliders & own; left;) {
                const int square = take(left);
                Squares ends = attacks(square, all) & free;
                if (here.pinned & bit(square)) ends &= attacks_from.line[here.king][square];
                sum += std::popcount(ends);
            }
        };
        slide(piece[BISHOP] | piece[QUEEN], bishop_attacks);
        slide(piece[ROOK] | piece[QUEEN], rook_attacks);
        return sum + count_pawn_moves(here, own & piece[PAWN]);
    }

    // The position after a pseudo-legal move. If the move was not legal, a king may be missing afterwards.
    Position after(Move move) const { return made<true>(move); }

    template <bool keyed>
    Position made(Move move) const;

    // The position after a turn without a move.
    Position passed() const {
        Position next = *this;
        ++next.clock;
        next.number += turn == BLACK;
        next.turn ^= 1;
        next.hash ^= keys.turn;
        next.forget_en_passant();
        return next;
    }

    int material(int color) const {
        int sum = 0;
        for (int number_ = PAWN; number_ <= KING; ++number_) sum += piece_value[number_] * std::popcount(of(color, number_));
        return sum;
    }
    bool insufficient() const { return boards::insufficient(*this, WHITE, dark) && boards::insufficient(*this, BLACK, dark); }

    template <typename Repeats>
    Verdict verdict(bool no_moves, long long limit, Repeats repeats) const {
        return boards::verdict(*this, no_moves, quiet_turns, limit, repeats);
    }
    // The winner under this verdict: +1 White, -1 Black, 0 nobody. All endings but checkmate are draws.
    int winner(Verdict verdict) const { return verdict != Verdict::checkmate ? 0 : turn == WHITE ? -1 : 1; }

    bool is_valid() const;
    Squares clean_castling(bool all_squares) const;

    // Set what follows from the rest: whether a capture en passant is legal, and the hash.
    void complete() {
        capturable = en_passant >= 0 && has_legal_en_passant();
        hash = computed_key();
    }

private:
    bool may_castle(int king_, int rook) const {
        const int rank = king_ & 56;
        const bool queen_side = rook < king_;
        const int king_to = rank + (queen_side ? 2 : 6), rook_to = rank + (queen_side ? 3 : 5);
        const Squares others = occupied() ^ bit(king_) ^ bit(rook), path = attacks_from.between[king_][king_to];
        if (others & (path | attacks_from.between[rook][rook_to] | bit(king_to) | bit(rook_to))) return false;
        for (Squares left = path; left;)
            if (attacked(!turn, take(left), occupied() ^ bit(king_))) return false;
        return !attacked(!turn, king_to, others | bit(rook_to));
    }

    // Whether the king is safe after the capture en passant by the pawn on `square`.
    bool may_take_en_passant(int square) const {
        const Squares taken = ahead_of(bit(en_passant), !turn);
        const Squares blocking = (occupied() ^ bit(square) ^ taken) | bit(en_passant);
        return !(attackers(!turn, king(turn), blocking) & ~taken);
    }
    bool has_legal_en_passant() const {
        for (Squares left = attacks_from.pawn[!turn][en_passant] & of(turn, PAWN); left;)
            if (may_take_en_passant(take(left))) return true;
        return false;
    }
    void forget_en_passant() {
        if (capturable) hash ^= keys.en_passant[en_passant & 7];
        en_passant = -1;
        capturable = false;
    }

    int count_pawn_moves(const Safety& here, Squares pawns) const {
        const Squares other = side[!turn], empty = ~occupied();
        int sum = 0;
        const auto add = [&](Squares ends) { sum += std::popcount(ends) + 3 * std::popcount(ends & back_ranks); };
        for (Squares left = pawns & here.pinned; left;) {
            const int square = take(left);
            add(pawn_targets(square) & here.answers & attacks_from.line[here.king][square]);
        }
        const Squares able = pawns & ~here.pinned, steps = ahead_of(able, turn) & empty;
        add(steps & here.answers);
        sum += std::popcount(ahead_of(steps & third_rank[turn], turn) & empty & here.answers);
        const int up = turn == WHITE ? 0 : 16;  // a step down is a step up moved by two ranks
        add(((able & ~a_file) << 7 >> up) & other & here.answers);
        add(((able & ~h_file) << 9 >> up) & other & here.answers);
        if (capturable)
            for (Squares left = attacks_from.pawn[!turn][en_passant] & pawns; left;) sum += may_take_en_passant(take(left));
        return sum;
    }

    template <bool keyed>
    void castle(int king_, int rook);
};

}  // namespace arena::chess

#include "chess_made.hpp"
