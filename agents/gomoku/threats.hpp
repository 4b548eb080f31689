// A board that knows at every moment what each empty point would give each side. threats.py is the specification.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "gomoku.hpp"
#include "shapes.hpp"

namespace arena::gomoku {

// Points are numbered row by row here, without a border.
inline Points operator&(Points one, const Points& other) {
    for (int index = 0; index < words; ++index) one.word[index] &= other.word[index];
    return one;
}
inline Points operator|(Points one, const Points& other) {
    for (int index = 0; index < words; ++index) one.word[index] |= other.word[index];
    return one;
}
inline bool any(const Points& points) {
    Bits bits = 0;
    for (const Bits word : points.word) bits |= word;
    return bits;
}
inline int lowest(const Points& points) {
    for (int index = 0; index < words; ++index)
        if (points.word[index]) return 64 * index + arena::lowest(points.word[index]);
    return -1;
}
inline Points only(int point) {
    Points points;
    points.add(point);
    return points;
}

inline constexpr int most_cells = largest * largest;
inline constexpr int fork = 200;

// Which points see a point, and what a point sees of the edge: for boards of one size.
class Views {
public:
    struct View {
        std::uint16_t point;
        std::uint8_t line, shift;
    };

    explicit Views(int size) : size_(size) {
        for (int point = 0; point < size * size; ++point)
            for (int line = 0; line < 4; ++line) look(point, line);
    }
    static const Views& of(int size) {
        static std::map<int, Views> all;
        return all.try_emplace(size, size).first->second;
    }

    std::vector<View> around[most_cells];
    Key edges[4][most_cells] = {};

private:
    void look(int point, int line) {
        static constexpr int down[] = {0, 1, 1, 1}, right[] = {1, -1, 0, 1};
        for (int distance = -reach; distance <= reach; ++distance) {
            if (!distance) continue;
            const int row = point / size_ + distance * down[line], column = point % size_ + distance * right[line];
            const int shift = 2 * (distance > 0 ? reach - distance : reach - distance - 1);
            if (row >= 0 && row < size_ && column >= 0 && column < size_)
                around[point].push_back({static_cast<std::uint16_t>(row * size_ + column), static_cast<std::uint8_t>(line),
                                         static_cast<std::uint8_t>(shift)});
            else
                edges[line][point] = static_cast<Key>(edges[line][point] | 3 << (14 - shift));
        }
    }

    int size_;
};

class Threats {
public:
    // The board of a square position.
    explicit Threats(const Position& position) : size(position.rows), views_(&Views::of(size)) {
        std::copy(&views_->edges[0][0], &views_->edges[0][0] + 4 * most_cells, &keys_[0][0]);
        for (int point = 0; point < size * size; ++point) open.add(point);
        for (int point = 0; point < size * size; ++point) count(point);
        for (const bool color : {false, true})
            position.stones[color].each([&](int point) {
                white = color;
                put(row_of(point) * size + column_of(point));
            });
        white = position.white;
    }

    int size;
    bool white = false;  // to move
    Points stones[2], open, near;
    Points fives[2], wins[2], fours[2], threes[2];
    int scores[2] = {0, 0};
    std::uint16_t values[2][most_cells] = {};

    void put(int point) {
        change(point, white);
        white = !white;
    }
    void lift(int point) {
        white = !white;
        change(point, white);
    }

    int value(int point) const { return values[0][point] + values[1][point]; }
    std::uint64_t key() const { return white ? ~hash_ : hash_; }

    // All moves that may help against the wins of the other side, which has no fives.
    Points answers() {
        const bool own = white, other = !white;
        Points stops = open;
        const Points winning = wins[other];
        winning.each([&](int point) {
            white = other;
            put(point);
            stops = stops & (fives[other] | only(point));
            lift(point);
        });
        white = own;
        return stops | fours[own] | wins[own];
    }

private:
    void change(int point, bool color) {
        if (open.has(point)) {
            stones[color].add(point);
            open.remove(point);
        } else {
            stones[color].remove(point);
            open.add(point);
        }
        hash_ ^= Position::trace(point, color);
        count(point);
        const int stone = color ? 2 : 1;
        for (const auto& [other, line, shift] : views_->around[point]) {
            Key& key = keys_[line][other];
            const Key old = std::exchange(key, static_cast<Key>(key ^ stone << shift));
            // Most changes leave what a stone would make as it was.
            if (open.has(other) && !same(old, key)) count(other);
        }
    }

    static bool same(Key one, Key other) {
        return shapes().of_black(one) == shapes().of_black(other) && shapes().of_white(one) == shapes().of_white(other);
    }

    void count(int point) {
        near.remove(point);
        const bool is_open = open.has(point);
        for (const bool color : {false, true}) {
            int value = 0, fours_made = 0, threes_made = 0;
            Shape best = nothing;
            for (int line = 0; is_open && line < 4; ++line) {
                const Key key = keys_[line][point];
                const Shape made = color ? shapes().of_white(key) : shapes().of_black(key);
                value += shape_values[made];
                fours_made += made == four;
                threes_made += made == open_three;
                best = std::max(best, made);
            }
            if (fours_made + threes_made > 1) value += fork;
            scores[color] += value - values[color][point];
            values[color][point] = static_cast<std::uint16_t>(value);
            const bool winning = best == open_four || (best == four && fours_made > 1);
            mark(fives[color], point, best == five);
            mark(wins[color], point, winning);
            mark(fours[color], point, best == four && !winning);
            mark(threes[color], point, best == open_three);
            if (best >= two) near.add(point);
        }
    }

    static void mark(Points& points, int point, bool belongs) { belongs ? points.add(point) : points.remove(point); }

    const Views* views_;
    Key keys_[4][most_cells];
    std::uint64_t hash_ = 0;
};

}  // namespace arena::gomoku
