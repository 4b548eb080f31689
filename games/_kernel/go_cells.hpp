// Boards for random games of Go: groups and their liberties are kept up to date stone by stone.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "go_field.hpp"

namespace arena::go {

// A board as a field of cells with an edge around them, corners included; cell = point + stride + 1.
//
// A liberty counts once for each stone that touches it: then a group has none exactly if the count is 0, and a count
// is kept up to date without looking at the group.
class Cells {
public:
    explicit Cells(const Field& field) : stride_(field.stride()), cells_((field.rows + 2) * field.stride() + 1) {
        std::fill(color_, color_ + cells_, edge);
        const auto cell = [&](int point) { return point + stride_ + 1; };
        field.open.each([&](int point) { open(cell(point)); });
        for (const std::int8_t side : {black, white})
            field.stones.of[side].each([&](int point) { open(cell(point)); });
        for (const std::int8_t side : {black, white})
            field.stones.of[side].each([&](int point) { put(cell(point), side); });
    }

    // A random cell that may be taken and is worth it, or 0. Suicide and the filling of own eyes never are.
    int chosen(std::int8_t side, Random& dice) {
        for (int candidates = left_; candidates;) {
            const auto drawn = static_cast<int>(dice.below(static_cast<std::uint32_t>(candidates)));
            const int cell = empty_[drawn];
            if (cell != ko_ && !is_eye(cell, side) && lives(cell, side)) return cell;
            swap(drawn, --candidates);
        }
        return 0;
    }

    void passed() { ko_ = 0; }

    // Place a stone where it lives.
    void place(int cell, std::int8_t side) {
        const std::int8_t other = 1 - side;
        bool enclosed = true;
        for (const int step : steps()) enclosed &= color_[cell + step] == other || color_[cell + step] == edge;
        put(cell, side);
        int captured = 0, last = 0;
        for (const int step : steps()) {
            const int beside = cell + step;
            if (color_[beside] != other || liberties_[group_[beside]]) continue;
            last = beside;
            captured += lift(beside);
        }
        // One stone, taken by a stone that could be taken in return.
        ko_ = enclosed && captured == 1 ? last : 0;
    }

    // Black's stones and eyes less White's, if nothing but eyes is empty; else one that reaches both sides is neither's.
    int area() const {
        int sum = 0;
        std::int8_t reached[most_cells] = {};
        for (int cell = 0; cell < cells_; ++cell)
            if (color_[cell] <= white) sum += color_[cell] == black ? 1 : -1;
        for (int index = 0; index < left_; ++index)
            if (!reached[empty_[index]]) sum += region(empty_[index], reached);
        return sum;
    }

private:
    static constexpr std::int8_t black = 0, white = 1, none = 2, edge = 3;
    static constexpr int most_cells = (largest + 2) * (largest + 1) + 1;

    std::array<int, 4> steps() const { return {-stride_, -1, 1, stride_}; }

    void open(int cell) {
        color_[cell] = none;
        place_[cell] = static_cast<std::int16_t>(left_);
        empty_[left_++] = static_cast<std::int16_t>(cell);
    }

    void swap(int one, int other) {
        std::swap(empty_[one], empty_[other]);
        place_[empty_[one]] = static_cast<std::int16_t>(one);
        place_[empty_[other]] = static_cast<std::int16_t>(other);
    }

    // A stone joins the groups it touches and takes a liberty of all of them.
    void put(int cell, std::int8_t side) {
        swap(place_[cell], --left_);
        color_[cell] = side;
        group_[cell] = next_[cell] = static_cast<std::int16_t>(cell);
        stones_[cell] = 1;
        liberties_[cell] = 0;
        for (const int step : steps()) {
            const int beside = cell + step;
            if (color_[beside] == none) ++liberties_[group_[cell]];
            if (color_[beside] > white) continue;
            --liberties_[group_[beside]];
            if (color_[beside] == side && group_[beside] != group_[cell]) join(group_[beside], group_[cell]);
        }
    }

    void join(int one, int other) {
        if (stones_[one] < stones_[other]) std::swap(one, other);
        stones_[one] = static_cast<std::int16_t>(stones_[one] + stones_[other]);
        liberties_[one] = static_cast<std::int16_t>(liberties_[one] + liberties_[other]);
        int stone = other;
        do {
            group_[stone] = static_cast<std::int16_t>(one);
            stone = next_[stone];
        } while (stone != other);
        std::swap(next_[one], next_[other]);
    }

    // Take a group away and say how many stones it had.
    int lift(int first) {
        int stone = first, lifted = 0;
        do {
            open(stone);
            ++lifted;
            for (const int step : steps())
                if (color_[stone + step] <= white) ++liberties_[group_[stone + step]];
            stone = next_[stone];
        } while (stone != first);
        return lifted;
    }

    // Whether a stone there would have a liberty, perhaps by a capture.
    bool lives(int cell, std::int8_t side) {
        for (const int step : steps())
            if (color_[cell + step] == none) return true;
        for (const int step : steps())
            if (color_[cell + step] <= white) --liberties_[group_[cell + step]];
        bool alive = false;
        for (const int step : steps()) {
            const int beside = cell + step;
            if (color_[beside] <= white) alive |= (color_[beside] == side) == (liberties_[group_[beside]] != 0);
        }
        for (const int step : steps())
            if (color_[cell + step] <= white) ++liberties_[group_[cell + step]];
        return alive;
    }

    // An empty cell between own stones, which the other side cannot spoil from the corners.
    bool is_eye(int cell, std::int8_t side) const {
        for (const int step : steps())
            if (color_[cell + step] != side && color_[cell + step] != edge) return false;
        int others = 0;
        bool at_edge = false;
        for (const int corner : {-stride_ - 1, -stride_ + 1, stride_ - 1, stride_ + 1}) {
            others += color_[cell + corner] == 1 - side;
            at_edge |= color_[cell + corner] == edge;
        }
        return others + at_edge < 2;
    }

    int region(int first, std::int8_t* reached) const {
        std::int16_t waiting[largest * largest];
        int left = 1, size = 0;
        bool touches[4] = {};
        waiting[0] = static_cast<std::int16_t>(first);
        reached[first] = 1;
        while (left) {
            const int cell = waiting[--left];
            ++size;
            for (const int step : steps()) {
                const int beside = cell + step;
                touches[color_[beside]] = true;
                if (color_[beside] != none || reached[beside]) continue;
                reached[beside] = 1;
                waiting[left++] = static_cast<std::int16_t>(beside);
            }
        }
        return touches[black] == touches[white] ? 0 : touches[black] ? size : -size;
    }

    int stride_, cells_;
    int left_ = 0, ko_ = 0;
    std::int8_t color_[most_cells];
    std::int16_t place_[most_cells];  // of an empty cell in the list of them
    std::int16_t empty_[largest * largest];
    std::int16_t group_[most_cells], next_[most_cells];        // of a stone
    std::int16_t liberties_[most_cells], stones_[most_cells];  // of a group
};

}  // namespace arena::go
