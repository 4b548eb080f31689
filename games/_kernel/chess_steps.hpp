// What the boards of chess and microchess share: steps from square to square, and the order of the moves.
#pragma once

#include "bits.hpp"
#include "chess_verdict.hpp"

namespace arena::boards {

// The squares that kings, knights and pawns attack. Squares are numbered row by row from a1.
template <int files, int ranks, typename Squares>
struct Steps {
    static constexpr int squares = files * ranks;
    Squares knight[squares]{}, king[squares]{}, pawn[2][squares]{};

    constexpr Steps() {
        for (int square = 0; square < squares; ++square) {
            for (int across = -2; across <= 2; ++across)
                for (int along = -2; along <= 2; ++along) {
                    const int size = across * across + along * along;
                    if (size == 5) knight[square] |= step(square, across, along);
                    if (size == 1 || size == 2) king[square] |= step(square, across, along);
                }
            pawn[WHITE][square] = step(square, -1, 1) | step(square, 1, 1);
            pawn[BLACK][square] = step(square, -1, -1) | step(square, 1, -1);
        }
    }

    // The square that many files and ranks away; 0 if it is off the board.
    static constexpr Squares step(int square, int across, int along) {
        across += square % files, along += square / files;
        const bool on_board = across >= 0 && across < files && along >= 0 && along < ranks;
        return on_board ? Squares{1} << (along * files + across) : 0;
    }

    // All squares in one direction.
    static constexpr Squares ray(int square, int across, int along) {
        Squares found = 0;
        for (int far = 1; far < ranks; ++far) found |= step(square, far * across, far * along);
        return found;
    }
};

// Write the legal moves in order of from, to and promotion. `targets(number, square)` are the squares where a piece may go.
template <typename Position, typename Squares, typename Targets, typename MakeMove>
int generate(const Position& position, Squares back_ranks, Targets targets, MakeMove make_move, typename Position::Move* into) {
    const auto* start = into;
    for (Squares left = position.side[position.turn]; left;) {
        const int square = take(left), number = position.kind(square);
        const bool pawn = number == PAWN;
        for (Squares ends = targets(number, square); ends;) {
            const int end = take(ends);
            if (pawn && back_ranks >> end & 1)
                for (int made = KNIGHT; made <= QUEEN; ++made) *into++ = make_move(square, end, made);
            else
                *into++ = make_move(square, end, NOTHING);
        }
    }
    return static_cast<int>(into - start);
}

}  // namespace arena::boards
