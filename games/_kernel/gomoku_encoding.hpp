// Gomoku for learners. games/encoding/cell_games.py is the specification.
#pragma once

#include "encoding.hpp"
#include "gomoku.hpp"

namespace arena {

template <>
struct Encoding<gomoku::Position> {
    using Position = gomoku::Position;

    static Shape shape(const Position& position) {
        return {4, position.rows, position.columns, 0, position.rows * position.columns};
    }
    static void encode(const Position& position, float* out) { encode_inputs(position, out); }
    static int action(const Position& position, gomoku::Move move) {
        return gomoku::row_of(move) * position.columns + gomoku::column_of(move);
    }

    template <typename Set>
    static void each_input(const Position& position, Set set) {
        const Points &own = position.stones[position.white], &other = position.stones[!position.white];
        const int plane = position.rows * position.columns;
        const auto cell = [&](int point) { return action(position, static_cast<gomoku::Move>(point)); };
        own.each([&](int point) { set(cell(point), 1.0F); });
        other.each([&](int point) { set(plane + cell(point), 1.0F); });
        // The empty points that would complete five, for either side.
        position.open.each([&](int point) {
            if (gomoku::makes_five(own, point)) set(2 * plane + cell(point), 1.0F);
            if (gomoku::makes_five(other, point)) set(3 * plane + cell(point), 1.0F);
        });
    }
};

static_assert(Encodable<gomoku::Position>);
static_assert(Encodable<gomoku::Board>);

}  // namespace arena
