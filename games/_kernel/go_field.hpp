// Boards of Go: what a stone captures, and whose the area is. Points have the numbers of the specification's bits: an
// unused one ends each row, so that no line leads into another row.
#pragma once

#include <array>
#include <cstddef>

#include "gomoku.hpp"

namespace arena::go {

using gomoku::largest;
using gomoku::Points;
using gomoku::words;

using Move = std::uint16_t;  // a point, or `pass`
inline constexpr Move pass = largest * (largest + 1);

inline Points operator&(Points one, const Points& other) {
    for (int index = 0; index < words; ++index) one.word[index] &= other.word[index];
    return one;
}
inline Points operator|(Points one, const Points& other) {
    for (int index = 0; index < words; ++index) one.word[index] |= other.word[index];
    return one;
}
inline Points without(Points one, const Points& other) {
    for (int index = 0; index < words; ++index) one.word[index] &= ~other.word[index];
    return one;
}
inline bool empty(const Points& points) { return points == Points{}; }

// The points next to these; some lie off the board.
inline Points around(const Points& points, int stride) {
    Points found;
    Bits below = 0;
    for (int index = 0; index < words; ++index) {
        const Bits here = points.word[index], above = index + 1 < words ? points.word[index + 1] : 0;
        found.word[index] = here << 1 | below >> 63 | here << stride | below >> (64 - stride) |  //
                            here >> 1 | above << 63 | here >> stride | above << (64 - stride);
        below = here;
    }
    return found;
}

// What can be reached from `from` through points of `through`; `from` itself only as far as it lies there.
inline Points flooded(const Points& from, const Points& through, int stride) {
    Points found = around(from, stride) & through;
    for (;;) {
        const Points grown = (found | around(found, stride)) & through;
        if (grown == found) return found;
        found = grown;
    }
}

inline constexpr auto TRACES = [] {
    std::array<std::array<std::uint64_t, pass>, 2> all{};
    for (std::uint64_t color = 0; color < 2; ++color)
        for (std::uint64_t point = 0; point < pass; ++point)
            all[color][point] = mixed(2 * point + color + 0x9E37'79B9'7F4A'7C15);
    return all;
}();

// The stones of both sides.
struct Stones {
    Points of[2];  // Black's, White's
    bool operator==(const Stones&) const = default;
};

// A board with stones on it, each with a liberty.
struct Field {
    Stones stones;
    Points open;  // the empty points
    std::uint64_t hash = 0;
    std::int16_t count[2] = {0, 0};  // of the stones
    std::int8_t rows = 0;
    std::int8_t columns = 0;

    static Field empty(int rows, int columns) {
        Field field;
        field.rows = static_cast<std::int8_t>(rows);
        field.columns = static_cast<std::int8_t>(columns);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) field.open.add(row * (columns + 1) + column);
        field.hash = mixed(static_cast<std::uint64_t>(32 * rows + columns));
        return field;
    }

    int stride() const { return columns + 1; }
    int end() const { return rows * stride(); }
    std::int16_t total() const { return static_cast<std::int16_t>(count[0] + count[1]); }

    void put(int point, bool of_white) {
        stones.of[of_white].add(point);
        open.remove(point);
        hash ^= TRACES[of_white][static_cast<std::size_t>(point)];
        ++count[of_white];
    }
    void lift(int point, bool of_white) {
        stones.of[of_white].remove(point);
        open.add(point);
        hash ^= TRACES[of_white][static_cast<std::size_t>(point)];
        --count[of_white];
    }

    // Call `look` with the points next to one; some lie on unused bits.
    template <typename Look>
    void each_beside(int point, Look look) const {
        if (point >= stride()) look(point - stride());
        if (point >= 1) look(point - 1);
        look(point + 1);
        if (point + stride() < end()) look(point + stride());
    }

    // The group of a stone if it has no liberty; nothing if it has one.
    Points stifled(int point, bool of_white) const {
        std::int16_t waiting[pass];
        int left = 1;
        bool breathes = false;
        Points group;
        group.add(point);
        waiting[0] = static_cast<std::int16_t>(point);
        while (left && !breathes)
            each_beside(waiting[--left], [&](int beside) {
                if (open.has(beside)) {
                    breathes = true;
                } else if (stones.of[of_white].has(beside) && !group.has(beside)) {
                    group.add(beside);
                    waiting[left++] = static_cast<std::int16_t>(beside);
                }
            });
        return breathes ? Points{} : group;
    }

    // Place a stone on an empty point: the other side's stones without a liberty are lifted, and if there are none
    // the own ones.
    void place(int point, bool of_white) {
        put(point, of_white);
        bool captured = false;
        each_beside(point, [&](int beside) {
            if (!stones.of[!of_white].has(beside)) return;
            stifled(beside, !of_white).each([&](int stone) {
                captured = true;
                lift(stone, !of_white);
            });
        });
        if (!captured) stifled(point, of_white).each([&](int stone) { lift(stone, of_white); });
    }

    Field after(int point, bool of_white) const {
        Field next = *this;
        next.place(point, of_white);
        return next;
    }

    // The stones of one side that no liberty can be reached from.
    Points without_liberty(bool of_white) const {
        return without(stones.of[of_white], flooded(open, stones.of[of_white], stride()));
    }

    // The points that are one side's, or empty and reach its stones only: Black's less White's.
    int area() const {
        const Points black = flooded(stones.of[0], open, stride()), white = flooded(stones.of[1], open, stride());
        return count[0] - count[1] + without(black, white).size() - without(white, black).size();
    }
};

}  // namespace arena::go
