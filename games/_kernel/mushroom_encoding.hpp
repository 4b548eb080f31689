// Mushroom for learners. games/encoding/mushroom.py is the specification.
#pragma once

#include "encoding.hpp"
#include "mushroom.hpp"

namespace arena::mushroom {

// The pairs low <= high below `size` are numbered in order of low, then high.
constexpr int number_of_pairs(int size) { return size * (size + 1) / 2; }
constexpr int pair_number(int low, int high, int size) { return low * size - low * (low - 1) / 2 + high - low; }
// How many pairs of two equal numbers come before this one.
constexpr int equal_pairs_before(int low, int high) { return low + (high > low); }

// The rectangles of at least two cells are numbered by the pair of their rows, then by the pair of their columns.
constexpr int rectangle_number(const Rectangle& taken, int rows, int columns) {
    const auto [top, left, bottom, right] = taken;
    const int all = pair_number(top, bottom, rows) * number_of_pairs(columns) + pair_number(left, right, columns);
    const int in_this_row = top == bottom ? equal_pairs_before(left, right) : 0;
    return all - equal_pairs_before(top, bottom) * columns - in_this_row;
}
constexpr int number_of_rectangles(int rows, int columns) {
    return number_of_pairs(rows) * number_of_pairs(columns) - rows * columns;
}
static_assert(number_of_rectangles(10, 17) == 8245);

}  // namespace arena::mushroom

namespace arena {

template <>
struct Encoding<mushroom::Position> {
    using Position = mushroom::Position;

    static Shape shape(const Position& position) {
        return {11, position.rows, position.columns, 3, mushroom::number_of_rectangles(position.rows, position.columns) + 1};
    }
    static void encode(const Position& position, float* out) { encode_inputs(position, out); }
    static int action(const Position& position, mushroom::Move move) {
        const int rows = position.rows, columns = position.columns;
        if (move == mushroom::pass) return mushroom::number_of_rectangles(rows, columns);
        return mushroom::rectangle_number(mushroom::Rectangle::of(move), rows, columns);
    }

    template <typename Set>
    static void each_input(const Position& position, Set set) {
        const int cells = position.rows * position.columns;
        // Own cells, the opponent's cells, then one plane for each digit.
        for (int place = 0; place < cells; ++place) {
            const char cell = position.cells[place];
            const int plane = Position::is_digit(cell) ? cell - '0' + 1 : cell != Position::owner(position.white);
            set(plane * cells + place, 1.0F);
        }
        const int scalars = 11 * cells, left = cells - position.owned[0] - position.owned[1];
        const int lead = position.white ? position.lead() : -position.lead();
        if (lead) set(scalars, static_cast<float>(static_cast<double>(lead) / cells));
        if (left) set(scalars + 1, static_cast<float>(static_cast<double>(left) / cells));
        if (position.passes) set(scalars + 2, static_cast<float>(position.passes) / 2);
    }
};

static_assert(Encodable<mushroom::Position>);
static_assert(Encodable<mushroom::Board>);

}  // namespace arena
