// A position of microchess and its legal moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "microchess_attacks.hpp"

namespace arena::microchess {

using boards::Verdict;

// Hash keys of what distinguishes positions.
struct Keys {
    std::uint64_t piece[2][7][squares]{}, rights[4]{}, turn{};
    constexpr Keys() {
        std::uint64_t seed = 0x6d6963726f;
        const auto next = [&seed] { return mixed(seed += 0x9E3779B97F4A7C15U); };
        for (auto& side : piece)
            for (auto& kind : side)
                for (auto& key : kind) key = next();
        for (auto& key : rights) key = next();
        turn = next();
    }
};
inline constexpr Keys keys{};

// The safety of the king of the side to move.
struct Safety {
    int king;         // its square
    Squares danger;   // where it may not go
    Squares answers;  // where other pieces may go: all squares, or those that end the check
    Squares pinned;   // own pieces that may move only in line with the king
    bool check;
};

// A position with one king on each side and no pawn on a back rank, in which the side that just moved is not in check.
// Castling rights exist only with king and rook in place.
struct Position {
    using Move = microchess::Move;
    static constexpr int max_moves = 256, quiet_turns = 50, most_repetitions = 5;
    static constexpr long long usual_limit = 80;

    Squares piece[7]{};  // by `Piece`; index 0 holds the promoted pieces
    Squares side[2]{};
    std::uint8_t turn = WHITE;
    std::uint8_t rights = 0;  // 1 << side
    std::int32_t clock = 0;   // turns without capture or pawn move
    std::int32_t number = 1;
    std::uint64_t hash = 0;

    static Position start();

    Squares occupied() const { return side[0] | side[1]; }
    bool white() const { return turn == WHITE; }
    std::uint64_t key() const { return hash; }
    long long turns() const { return 2LL * (number - 1) + (turn == BLACK); }
    int king(int color) const { return first(piece[KING] & side[color]); }

    int kind(int square) const {
        const Squares here = bit(square);
        for (int number = PAWN; number <= KING; ++number)
            if (piece[number] & here) return number;
        return NOTHING;
    }

    std::uint64_t computed_key() const {
        std::uint64_t sum = keys.rights[rights] ^ (turn == WHITE ? keys.turn : 0);
        for (int color = 0; color < 2; ++color)
            for (int number = PAWN; number <= KING; ++number)
                for (Squares left = piece[number] & side[color]; left;) sum ^= keys.piece[color][number][take(left)];
        return sum;
    }

    bool same(const Position& other) const {
        if (hash != other.hash || turn != other.turn || rights != other.rights) return false;
        bool equal = side[0] == other.side[0] && side[1] == other.side[1];
        for (int number = PAWN; number < KING; ++number) equal &= piece[number] == other.piece[number];
        return equal;
    }

    // The pieces of `color` that attack a square.
    Squares attackers(int color, int square, Squares blocking) const {
        const Squares queens = piece[QUEEN];
        return side[color] & ((attacks_from.knight[square] & piece[KNIGHT]) | (attacks_from.king[square] & piece[KING]) |
                              (attacks_from.pawn[!color][square] & piece[PAWN]) |
                              (rook_attacks(square, blocking) & (piece[ROOK] | queens)) |
                              (bishop_attacks(square, blocking) & (piece[BISHOP] | queens)));
    }
    bool attacked(int color, int square) const { return attackers(color, square, occupied()) != 0; }
    bool check() const { return attacked(!turn, king(turn)); }

    // All squares that `color` attacks.
    Squares attacks(int color, Squares blocking) const {
        const Squares own = side[color];
        Squares found = pawn_attacks(piece[PAWN] & own, color) | attacks_from.king[king(color)];
        for (Squares left = piece[KNIGHT] & own; left;) found |= attacks_from.knight[take(left)];
        for (Squares left = (piece[BISHOP] | piece[QUEEN]) & own; left;) found |= bishop_attacks(take(left), blocking);
        for (Squares left = (piece[ROOK] | piece[QUEEN]) & own; left;) found |= rook_attacks(take(left), blocking);
        return found;
    }

    Safety safety() const {
        const Squares own = side[turn], other = side[!turn], all = own | other;
        Safety found{first(piece[KING] & own), 0, all_squares, 0, false};
        // Without the king, which does not block an attack on the square behind it.
        found.danger = attacks(!turn, all ^ bit(found.king));
        Squares snipers = other & ((rook_attacks(found.king, 0) & (piece[ROOK] | piece[QUEEN])) |
                                   (bishop_attacks(found.king, 0) & (piece[BISHOP] | piece[QUEEN])));
        Squares checkers = 0;
        while (snipers) {
            const int sniper = take(snipers);
            const Squares blockers = attacks_from.between[found.king][sniper] & all;
            if (!blockers) checkers |= bit(sniper);
            else if (!(blockers & (blockers - 1))) found.pinned |= blockers & own;
        }
        if (!(found.danger & bit(found.king))) return found;
        found.check = true;
        checkers |= other & ((attacks_from.knight[found.king] & piece[KNIGHT]) | (attacks_from.king[found.king] & piece[KING]) |
                             (attacks_from.pawn[turn][found.king] & piece[PAWN]));
        found.answers = checkers & (checkers - 1) ? 0 : checkers | attacks_from.between[found.king][first(checkers)];
        return found;
    }

    bool may_castle(Squares danger) const {
        const Castling& castling = castlings[turn];
        return rights >> turn & 1 && !(castling.between & occupied()) && !(castling.path & danger);
    }

    Squares pawn_targets(int square) const {
        const Squares empty = ~occupied() & all_squares, here = bit(square);
        Squares steps;
        if (turn == WHITE) {
            steps = here << 4 & empty;
            steps |= (steps & 0x00F00) << 4 & empty;
        } else {
            steps = here >> 4 & empty;
            steps |= (steps & 0x00F00) >> 4 & empty;
        }
        return steps | (attacks_from.pawn[turn][square] & side[!turn]);
    }

    // Where a knight, bishop, rook or queen may go if the safety of the king is ignored.
    Squares piece_targets(int number, int square) const {
        const Squares all = occupied();
        switch (number) {
            case KNIGHT: return attacks_from.knight[square] & ~side[turn];
            case BISHOP: return bishop_attacks(square, all) & ~side[turn];
            case ROOK: return rook_attacks(square, all) & ~side[turn];
            default: return (bishop_attacks(square, all) | rook_attacks(square, all)) & ~side[turn];
        }
    }

    Squares king_targets(int square) const { return attacks_from.king[square] & ~side[turn]; }

    // Where the piece of the side to move on `square` may go.
    Squares targets(int number, int square, const Safety& safety) const {
        if (number == KING) {
            const Squares steps = king_targets(square) & ~safety.danger;
            return may_castle(safety.danger) ? steps | bit(castlings[turn].king_to) : steps;
        }
        Squares found = (number == PAWN ? pawn_targets(square) : piece_targets(number, square)) & safety.answers;
        return safety.pinned & bit(square) ? found & attacks_from.line[safety.king][square] : found;
    }

    bool captures(Move move) const { return side[!turn] & bit(to(move)); }
    bool promotes(Move move) const { return piece[PAWN] & bit(from(move)) && bit(to(move)) & back_ranks; }

    // Whether there is an own piece to move, and a promotion exactly where a pawn needs one.
    bool well_formed(Move move) const {
        if (from(move) >= squares || to(move) >= squares || !(side[turn] & bit(from(move)))) return false;
        const int number = promotion(move);
        return promotes(move) ? number >= KNIGHT && number <= QUEEN : number == NOTHING;
    }
    bool legal(Move move) const {
        return well_formed(move) && targets(kind(from(move)), from(move), safety()) & bit(to(move));
    }
    bool pseudo_legal(Move move) const {
        if (!well_formed(move)) return false;
        const int number = kind(from(move)), square = from(move);
        Squares found = number == PAWN ? pawn_targets(square)
                        : number == KING ? king_targets(square) : piece_targets(number, square);
        if (number == KING && rights >> turn & 1 && may_castle(safety().danger)) found |= bit(castlings[turn].king_to);
        return found & bit(to(move));
    }

    // Castling written as king takes rook becomes the king's move. Other moves stay as they are.
    Move canonical(Move move) const {
        const Castling& castling = castlings[turn];
        const bool castles = rights >> turn & 1 && move == make_move(castling.king, castling.rook);
        return castles ? make_move(castling.king, castling.king_to) : move;
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
        const Squares own = side[turn], all = own | side[!turn], free = ~own & here.answers;
        const auto kept = [&](int square, Squares ends) {
            return here.pinned & bit(square) ? ends & attacks_from.line[here.king][square] : ends;
        };
        int sum = std::popcount(attacks_from.king[here.king] & ~own & ~here.danger) + may_castle(here.danger);
        for (Squares left = piece[KNIGHT] & own & ~here.pinned; left;)
            sum += std::popcount(attacks_from.knight[take(left)] & free);
        for (Squares left = piece[BISHOP] & own; left;) {
            const int square = take(left);
            sum += std::popcount(kept(square, bishop_attacks(square, all) & free));
        }
        for (Squares left = piece[ROOK] & own; left;) {
            const int square = take(left);
            sum += std::popcount(kept(square, rook_attacks(square, all) & free));
        }
        for (Squares left = piece[QUEEN] & own; left;) {
            const int square = take(left);
            sum += std::popcount(kept(square, (rook_attacks(square, all) | bishop_attacks(square, all)) & free));
        }
        for (Squares left = piece[PAWN] & own; left;) {
            const int square = take(left);
            const Squares ends = kept(square, pawn_targets(square) & here.answers);
            sum += std::popcount(ends) + 3 * std::popcount(ends & back_ranks);
        }
        return sum;
    }

    // The position after a pseudo-legal move. If the move was not legal, a king may be missing afterwards.
    Position after(Move move) const { return made<true>(move); }

    template <bool keyed>
    Position made(Move move) const {
        Position next = *this;
        const int us = turn, them = !turn, start = microchess::from(move), end = microchess::to(move);
        const Squares leaving = bit(start), arriving = bit(end);
        const int number = kind(start);
        next.clock = clock + 1;
        if (side[them] & arriving) {
            const int taken = kind(end);
            next.piece[taken] ^= arriving;
            next.side[them] ^= arriving;
            next.clock = 0;
            if constexpr (keyed) next.hash ^= keys.piece[them][taken][end];
        }
        next.side[us] ^= leaving | arriving;
        next.piece[number] ^= leaving;
        const int made = promotion(move) ? promotion(move) : number;
        next.piece[made] ^= arriving;
        if constexpr (keyed) next.hash ^= keys.piece[us][number][start] ^ keys.piece[us][made][end];
        // A promoted piece stays marked wherever it goes, until it is captured.
        next.piece[0] &= ~(leaving | arriving);
        if (promotion(move) || piece[0] & leaving) next.piece[0] |= arriving;
        if (number == PAWN) next.clock = 0;
        else if (number == KING && (start - end == 2 || end - start == 2)) next.move_rook<keyed>(us);
        if (rights) {
            next.rights = static_cast<std::uint8_t>(rights & kept_rights[start] & kept_rights[end]);
            if constexpr (keyed) next.hash ^= keys.rights[rights] ^ keys.rights[next.rights];
        }
        next.number += us == BLACK;
        next.turn = static_cast<std::uint8_t>(them);
        if constexpr (keyed) next.hash ^= keys.turn;
        return next;
    }

    // The position after a turn without a move.
    Position passed() const {
        Position next = *this;
        ++next.clock;
        next.number += turn == BLACK;
        next.turn ^= 1;
        next.hash ^= keys.turn;
        return next;
    }

    int material(int color) const {
        int sum = 0;
        for (int number = PAWN; number <= KING; ++number)
            sum += piece_value[number] * std::popcount(piece[number] & side[color]);
        return sum;
    }

    bool insufficient() const { return boards::insufficient(*this, WHITE, dark) && boards::insufficient(*this, BLACK, dark); }

    template <typename Repeats>
    Verdict verdict(bool no_moves, long long limit, Repeats repeats) const {
        return boards::verdict(*this, no_moves, quiet_turns, limit, repeats);
    }

    // The winner under this verdict: +1 White, -1 Black, 0 nobody. Material decides every ending but checkmate.
    int winner(Verdict verdict) const {
        if (verdict == Verdict::checkmate) return turn == WHITE ? -1 : 1;
        const int lead = material(WHITE) - material(BLACK);
        return (lead > 0) - (lead < 0);
    }

    // Set what follows from the rest.
    void complete() { hash = computed_key(); }

    // Whether the conditions above hold. All other functions rely on them.
    bool is_valid() const {
        const Squares all = occupied();
        Squares sum = 0;
        int overlap = (side[0] & side[1]) != 0;
        for (int number = PAWN; number <= KING; ++number) {
            overlap |= (sum & piece[number]) != 0;
            sum |= piece[number];
        }
        if (overlap || sum != all || all & ~all_squares || piece[0] & ~(all ^ piece[KING] ^ piece[PAWN])) return false;
        for (int color = 0; color < 2; ++color) {
            if (std::popcount(piece[KING] & side[color]) != 1) return false;
            const Castling& castling = castlings[color];
            const bool king = piece[KING] & side[color] & bit(castling.king);
            const bool rook = piece[ROOK] & side[color] & bit(castling.rook);
            if (rights >> color & 1 && !(king && rook)) return false;
        }
        return !(piece[PAWN] & back_ranks) && rights < 4 && turn < 2 && !attacked(turn, king(!turn));
    }

private:
    static constexpr std::array<std::uint8_t, squares> kept_rights = [] {
        std::array<std::uint8_t, squares> kept{};
        for (auto& rights : kept) rights = 3;
        for (int color = 0; color < 2; ++color)
            for (int square : {castlings[color].king, castlings[color].rook})
                kept[static_cast<std::size_t>(square)] &= static_cast<std::uint8_t>(~(1 << color));
        return kept;
    }();

    template <bool keyed>
    void move_rook(int color) {
        const auto [king, king_to, start, end, between, path] = castlings[color];
        side[color] ^= bit(start) | bit(end);
        piece[ROOK] ^= bit(start) | bit(end);
        piece[0] &= ~bit(start);
        if constexpr (keyed) hash ^= keys.piece[color][ROOK][start] ^ keys.piece[color][ROOK][end];
    }
};

inline Position Position::start() {
    Position position;
    const int first_rank[4] = {ROOK, BISHOP, KNIGHT, KING};
    for (int file = 0; file < files; ++file) {
        position.piece[first_rank[file]] |= bit(file) | bit(squares - 1 - file);
        position.side[WHITE] |= bit(file);
        position.side[BLACK] |= bit(squares - 1 - file);
    }
    position.piece[PAWN] = bit(7) | bit(12);
    position.side[WHITE] |= bit(7);
    position.side[BLACK] |= bit(12);
    position.rights = 3;
    position.complete();
    return position;
}

}  // namespace arena::microchess
