// Alpha-beta against itself, with the conventions of an earlier study of Othello, so that its figures can be reproduced.
#pragma once

#include "othello.hpp"

namespace arena::othello {

struct Study {
    int black = 0;  // discs at the end
    int white = 0;
    std::uint64_t nodes[2] = {0, 0};  // calls of `search` for moves of Black, White
    std::uint64_t moves[2] = {0, 0};  // moves that were searched; a forced pass is not searched

    // Nodes per move, rounded half up.
    std::uint64_t average(bool of_white) const {
        return moves[of_white] ? (2 * nodes[of_white] + moves[of_white]) / (2 * moves[of_white]) : 0;
    }
    std::uint64_t all_nodes() const { return nodes[0] + nodes[1]; }
};

inline constexpr int infinite = 1'000'000;

// The value for the side to move. A pass counts as a turn. A finished game is evaluated like any other position.
// `go_on` is called now and then; once it returns false the result means nothing.
template <typename GoOn>
inline int search(Bits own, Bits other, int depth, int alpha, int beta, std::uint64_t& nodes, GoOn go_on) {
    ++nodes;
    if (depth == 0 || (depth >= 7 && !go_on())) return weight_lead(own, other);
    Bits squares = enclosing(own, other);
    if (!squares) {
        if (!enclosing(other, own)) return weight_lead(own, other);
        return -search(other, own, depth - 1, -beta, -alpha, nodes, go_on);
    }
    while (squares) {
        const int square = take(squares);
        const Bits changed = flipped(own, other, square);
        const Bits grown = own | changed | Bits{1} << square;
        const int value = -search(other & ~changed, grown, depth - 1, -beta, -alpha, nodes, go_on);
        if (value > alpha) alpha = value;
        if (beta <= alpha) break;
    }
    return alpha;
}

// The first of the best moves when each is searched `depth` turns further. There must be a move that is not a pass.
template <typename GoOn>
inline int chosen(const Position& position, int depth, std::uint64_t& nodes, GoOn go_on) {
    int best = -1;
    int alpha = -infinite;
    for (Bits squares = position.squares(); squares;) {
        const int square = take(squares);
        const Position next = position.placed(square);
        const int value = -search(next.own, next.other, depth, -infinite, -alpha, nodes, go_on);
        if (best < 0 || value > alpha) best = square, alpha = value;
    }
    return best;
}

// One game of the search against itself.
template <typename GoOn>
inline Study study(int depth, GoOn go_on) {
    Study found;
    Position position = Position::start();
    while (!position.over() && go_on()) {
        if (!position.squares()) {
            position = position.passed();
            continue;
        }
        ++found.moves[position.white];
        position = position.placed(chosen(position, depth, found.nodes[position.white], go_on));
    }
    found.black = count(position.black_discs());
    found.white = count(position.white_discs());
    return found;
}

}  // namespace arena::othello
