// Making a move of chess, and which positions are valid.
#pragma once

#include "chess_position.hpp"

namespace arena::chess {

template <bool keyed>
void Position::castle(int king_, int rook) {
    const int us = turn, rank = king_ & 56, king_to = rank + (rook < king_ ? 2 : 6), rook_to = rank + (rook < king_ ? 3 : 5);
    piece[KING] ^= bit(king_);
    piece[ROOK] ^= bit(rook);
    side[us] ^= bit(king_) | bit(rook);
    piece[KING] ^= bit(king_to);
    piece[ROOK] ^= bit(rook_to);
    side[us] ^= bit(king_to) | bit(rook_to);
    piece[NOTHING] &= ~(bit(king_) | bit(rook));
    if constexpr (keyed)
        hash ^= keys.piece[us][KING][king_] ^ keys.piece[us][KING][king_to] ^ keys.piece[us][ROOK][rook] ^
                keys.piece[us][ROOK][rook_to];
}

template <bool keyed>
Position Position::made(Move move) const {
    Position next = *this;
    const int us = turn, them = !turn, start = chess::from(move), end = chess::to(move);
    const Squares leaving = bit(start), arriving = bit(end);
    const int number_ = kind(start);
    next.clock = clock + 1;
    if (keyed) next.forget_en_passant();
    else next.en_passant = -1, next.capturable = false;
    Squares lost = leaving | arriving;  // castling rights of these rooks
    if (number_ == KING) lost |= back_rank[us];
    const int rook = number_ == KING ? castling_rook(move) : -1;
    if (rook >= 0) {
        next.castle<keyed>(start, rook);
    } else {
        Squares taken = side[them] & arriving;
        int taken_at = end;
        if (number_ == PAWN) {
            next.clock = 0;
            if (is_en_passant(move)) {
                taken_at = end ^ 8;
                taken = bit(taken_at);
            }
        }
        if (taken) {
            const int captured = kind(taken_at);
            next.piece[captured] ^= taken;
            next.side[them] ^= taken;
            next.piece[NOTHING] &= ~taken;
            next.clock = 0;
            if constexpr (keyed) next.hash ^= keys.piece[them][captured][taken_at];
        }
        const int made = promotion(move) ? promotion(move) : number_;
        next.side[us] ^= leaving | arriving;
        next.piece[number_] ^= leaving;
        next.piece[made] ^= arriving;
        if constexpr (keyed) next.hash ^= keys.piece[us][number_][start] ^ keys.piece[us][made][end];
        // A promoted piece stays marked wherever it goes, until it is captured.
        next.piece[NOTHING] &= ~leaving;
        if (promotion(move) || piece[NOTHING] & leaving) next.piece[NOTHING] |= arriving;
    }
    if (castling & lost) {
        if constexpr (keyed)
            for (Squares left = castling & lost; left;) next.hash ^= keys.castling[take(left)];
        next.castling = castling & ~lost;
    }
    next.number += us == BLACK;
    next.turn = static_cast<std::uint8_t>(them);
    if constexpr (keyed) next.hash ^= keys.turn;
    if (number_ == PAWN && (start ^ end) == 16) {
        next.en_passant = static_cast<std::int8_t>((start + end) / 2);
        next.capturable = next.has_legal_en_passant();
        if constexpr (keyed)
            if (next.capturable) next.hash ^= keys.en_passant[start & 7];
    }
    return next;
}

// The rooks that may castle, as python-chess filters them; without `all_squares` only those of standard chess.
inline Squares Position::clean_castling(bool all_squares) const {
    constexpr int king_squares[2] = {60, 4};
    Squares found = 0;
    for (int color = 0; color < 2; ++color) {
        const Squares rooks = castling & of(color, ROOK) & back_rank[color];
        const int king_ = king(color);
        if (!all_squares) {
            if (king_ == king_squares[color]) found |= rooks & (bit(king_ + 3) | bit(king_ - 4));
        } else if (rooks && back_rank[color] & bit(king_)) {
            const int lowest = first(rooks), highest = last(rooks);
            if (lowest < king_) found |= bit(lowest);
            if (highest > king_) found |= bit(highest);
        }
    }
    return found;
}

// Whether the conditions at the top of `Position` hold. All other functions rely on them.
inline bool Position::is_valid() const {
    const Squares all = occupied();
    Squares sum = 0;
    bool overlap = side[0] & side[1];
    for (int number_ = PAWN; number_ <= KING; ++number_) {
        overlap |= (sum & piece[number_]) != 0;
        sum |= piece[number_];
    }
    if (overlap || sum != all || piece[NOTHING] & ~(all ^ piece[KING] ^ piece[PAWN])) return false;
    for (int color = 0; color < 2; ++color)
        if (std::popcount(of(color, KING)) != 1) return false;
    if (piece[PAWN] & back_ranks || turn > 1 || castling != clean_castling(chess960)) return false;
    if (en_passant >= 0) {
        const Squares here = bit(en_passant);
        if (!(here & third_rank[!turn]) || all & (here | ahead_of(here, turn))) return false;
        if (!(of(!turn, PAWN) & ahead_of(here, !turn))) return false;
    }
    return !attacked(turn, king(!turn), all);
}

inline Position Position::start() {
    constexpr int first_rank[files] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    Position position;
    for (int file = 0; file < files; ++file) position.piece[first_rank[file]] |= bit(file) | bit(56 + file);
    position.piece[PAWN] = 0x00FF'0000'0000'FF00;
    position.side[WHITE] = 0xFFFF;
    position.side[BLACK] = 0xFFFFULL << 48;
    position.castling = bit(0) | bit(7) | bit(56) | bit(63);
    position.complete();
    return position;
}

}  // namespace arena::chess
