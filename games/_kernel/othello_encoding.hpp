// Othello for learners. games/encoding/cell_games.py is the specification.
#pragma once

#include "encoding.hpp"
#include "othello.hpp"

namespace arena {

template <>
struct Encoding<othello::Position> {
    using Position = othello::Position;

    static Shape shape(const Position&) { return {4, 8, 8, 2, othello::pass + 1}; }
    static void encode(const Position& position, float* out) { encode_inputs(position, out); }
    static int action(const Position&, othello::Move move) { return move; }

    template <typename Set>
    static void each_input(const Position& position, Set set) {
        const Bits own = position.own, other = position.other;
        int plane = 0;
        // Own discs, the opponent's discs, and where either side could place one.
        for (Bits squares : {own, other, othello::enclosing(own, other), othello::enclosing(other, own)}) {
            while (squares) set(plane + take(squares), 1.0F);
            plane += 64;
        }
        const int lead = count(own) - count(other), empty = 64 - count(own) - count(other);
        if (lead) set(plane, static_cast<float>(lead) / 64);
        if (empty) set(plane + 1, static_cast<float>(empty) / 64);
    }
};

static_assert(Encodable<othello::Position>);
static_assert(Encodable<othello::Board>);

}  // namespace arena
