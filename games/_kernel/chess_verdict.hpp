// Pieces of chess and microchess, and how a game ends by the rules of the competition.
#pragma once

#include <bit>
#include <cstdint>

namespace arena::boards {

// The numbers of python-chess.
enum Piece : int { NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum Side : int { BLACK, WHITE };

enum class Verdict { none, checkmate, insufficient_material, stalemate, quiet_turns, repetition, turn_limit };

// Whether this side can never mate. `dark` holds the dark squares.
template <typename Position, typename Squares>
bool insufficient(const Position& position, int color, Squares dark) {
    const auto& piece = position.piece;
    const Squares own = position.side[color], other = position.side[!color];
    if (own & (piece[PAWN] | piece[ROOK] | piece[QUEEN])) return false;
    // A helpmate may be possible if the opponent has pieces that block its own king.
    if (own & piece[KNIGHT]) return std::popcount(own) <= 2 && !(other & ~piece[KING] & ~piece[QUEEN]);
    if (own & piece[BISHOP]) {
        const bool alike = !(piece[BISHOP] & dark) || !(piece[BISHOP] & ~dark);
        return alike && !piece[PAWN] && !piece[KNIGHT];
    }
    return true;
}

// The verdict, for a caller that knows whether there is no legal move. `quiet` turns without capture or pawn move end the
// game; `repeats()` tells whether the position occurred too often.
template <typename Position, typename Repeats>
Verdict verdict(const Position& position, bool no_moves, int quiet, long long limit, Repeats repeats) {
    if (no_moves && position.check()) return Verdict::checkmate;
    if (position.insufficient()) return Verdict::insufficient_material;
    if (no_moves) return Verdict::stalemate;
    if (position.clock >= quiet) return Verdict::quiet_turns;
    if (repeats()) return Verdict::repetition;
    return 0 < limit && limit <= position.turns() ? Verdict::turn_limit : Verdict::none;
}

}  // namespace arena::boards
