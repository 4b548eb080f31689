// A board for random games of Go. It updates groups and liberties with every stone.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "go_field.hpp"
#include "random.hpp"

namespace arena::go {

// A board with a border of edge cells; cell = point + stride + 1.
//
// A liberty of a group counts once for each stone that touches it. A group has no liberty exactly if the count is 0, and
// the count can be updated without a walk over the group.
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

    // A random legal cell that is neither suicide nor an own eye; 0 if there is none.
    int random_cell(std::int8_t side, Random& random) {
        for (int candidates = left_; candidates;) {
            const auto drawn = static_cast<int>(random.below(static_cast<std::uint32_t>(candidates)));
            const int cell = empty_[drawn];
            if (cell != ko_ && !is_eye(cell, side) && has_liberty_after(cell, side)) return cell;
            swap(drawn, --candidates);
        }
        return 0;
    }

    void pass() { ko_ = 0; }

    // Place a stone on a cell for which `has_liberty_after` is true.
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
            captured += remove_group(beside);
        }
        // One captured stone, and the new stone could be captured in return: a ko.
        ko_ = enclosed && captured == 1 ? last : 0;
    }

    // Black's area minus White's. An empty region that touches both sides counts for neither.
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

    // Add a stone: it joins own groups next to it and takes a liberty from every group next to it.
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

    // Remove a group and return its number of stones.
    int remove_group(int first) {
        int stone = first, removed = 0;
        do {
            open(stone);
            ++removed;
            for (const int step : steps())
                if (color_[stone + step] <= white) ++liberties_[group_[stone + step]];
            stone = next_[stone];
        } while (stone != first);
        return removed;
    }

    // Whether a stone on `cell` would have a liberty, also by a capture.
    bool has_liberty_after(int cell, std::int8_t side) {
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

    // Whether an empty cell is a real eye: own stones or edges on four sides, and the opponent has too few of the
    // diagonal cells to make it false.
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

    // The size of an empty region if it touches Black only, the negative size if White only, else 0.
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
    std::int16_t place_[most_cells];  // by empty cell: its index in `empty_`
    std::int16_t empty_[largest * largest];
    std::int16_t group_[most_cells], next_[most_cells];        // by stone: its group, the next stone of the group
    std::int16_t liberties_[most_cells], stones_[most_cells];  // by group: its counts
};

}  // namespace arena::go
