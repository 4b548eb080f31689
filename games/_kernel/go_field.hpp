// A board of Go: which stones a move captures, and who owns the area. Points are numbered as the bits of the
// specification: an unused point ends each row, so that no line continues in another row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "points.hpp"

namespace arena::go {

inline constexpr int largest = 19;  // points along one side

using Move = std::uint16_t;  // a point, or `pass`
inline constexpr Move pass = largest * (largest + 1);
static_assert(pass <= Points::room);

// The points next to these. Some are unused points or off the board.
inline Points around(const Points& points, int stride) {
    Points found;
    Bits below = 0;
    for (int index = 0; index < Points::words; ++index) {
        const Bits here = points.word[index], above = index + 1 < Points::words ? points.word[index + 1] : 0;
        found.word[index] = here << 1 | below >> 63 | here << stride | below >> (64 - stride) |  //
                            here >> 1 | above << 63 | here >> stride | above << (64 - stride);
        below = here;
    }
    return found;
}

// The points of `through` that are connected to a neighbour of `from` within `through`.
inline Points reachable(const Points& from, const Points& through, int stride) {
    Points found = around(from, stride) & through;
    for (;;) {
        const Points grown = (found | around(found, stride)) & through;
        if (grown == found) return found;
        found = grown;
    }
}

// Hash keys of stones, by colour and point.
inline constexpr auto STONE_KEYS = [] {
    std::array<std::array<std::uint64_t, pass>, 2> all{};
    for (std::uint64_t color = 0; color < 2; ++color)
        for (std::uint64_t point = 0; point < pass; ++point)
            all[color][point] = mixed(2 * point + color + 0x9E37'79B9'7F4A'7C15);
    return all;
}();

// The stones of Black and of White.
struct Stones {
    Points of[2];
    bool operator==(const Stones&) const = default;
};

// A board with stones.
struct Field {
    Stones stones;
    Points open;  // the empty points
    std::uint64_t hash = 0;
    std::int16_t count[2] = {0, 0};  // number of stones of Black, White
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
        hash ^= STONE_KEYS[of_white][static_cast<std::size_t>(point)];
        ++count[of_white];
    }
    void remove(int point, bool of_white) {
        stones.of[of_white].remove(point);
        open.add(point);
        hash ^= STONE_KEYS[of_white][static_cast<std::size_t>(point)];
        --count[of_white];
    }

    // Call `look` with the points next to `point`. Some are unused points.
    template <typename Look>
    void each_beside(int point, Look look) const {
        if (point >= stride()) look(point - stride());
        if (point >= 1) look(point - 1);
        look(point + 1);
        if (point + stride() < end()) look(point + stride());
    }

    // The group of the stone on `point` if it has no liberty, else an empty set.
    Points captured_group(int point, bool of_white) const {
        std::int16_t waiting[pass];
        int left = 1;
        bool has_liberty = false;
        Points group;
        group.add(point);
        waiting[0] = static_cast<std::int16_t>(point);
        while (left && !has_liberty)
            each_beside(waiting[--left], [&](int beside) {
                if (open.has(beside)) {
                    has_liberty = true;
                } else if (stones.of[of_white].has(beside) && !group.has(beside)) {
                    group.add(beside);
                    waiting[left++] = static_cast<std::int16_t>(beside);
                }
            });
        return has_liberty ? Points{} : group;
    }

    // Place a stone on an empty point. The opponent's groups without a liberty are removed. If there are none, and the
    // stone's own group has no liberty, that group is removed.
    void place(int point, bool of_white) {
        put(point, of_white);
        bool captured = false;
        each_beside(point, [&](int beside) {
            if (!stones.of[!of_white].has(beside)) return;
            captured_group(beside, !of_white).each([&](int stone) {
                captured = true;
                remove(stone, !of_white);
            });
        });
        if (!captured) captured_group(point, of_white).each([&](int stone) { remove(stone, of_white); });
    }

    Field after(int point, bool of_white) const {
        Field next = *this;
        next.place(point, of_white);
        return next;
    }

    // The stones of one side whose group has no liberty.
    Points without_liberty(bool of_white) const {
        return stones.of[of_white] - reachable(open, stones.of[of_white], stride());
    }

    // Black's area minus White's: stones, and empty points from which only stones of one side can be reached.
    int area() const {
        const Points black = reachable(stones.of[0], open, stride()), white = reachable(stones.of[1], open, stride());
        return count[0] - count[1] + (black - white).size() - (white - black).size();
    }
};

}  // namespace arena::go
