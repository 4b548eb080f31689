// A board that always knows which shapes a stone on each empty point would make. threats.py is the specification.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "gomoku.hpp"
#include "shapes.hpp"

namespace arena::gomoku {

// Points are numbered row by row here, without a border.
inline constexpr int most_cells = largest * largest;
inline constexpr int fork = 200;

// For boards of one size: the points in line with each point, and where its lines leave the board.
class Views {
public:
    struct View {
        std::uint16_t point;
        std::uint8_t line, shift;
    };

    explicit Views(int size) : size_(size) {
        for (int point = 0; point < size * size; ++point)
            for (int line = 0; line < 4; ++line) add(point, line);
    }
    static const Views& of(int size) {
        static std::map<int, Views> all;
        return all.try_emplace(size, size).first->second;
    }

    std::vector<View> around[most_cells];
    Key edges[4][most_cells] = {};

private:
    void add(int point, int line) {
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
    // The position must be square.
    explicit Threats(const Position& position) : size(position.rows), views_(&Views::of(size)) {
        std::copy(&views_->edges[0][0], &views_->edges[0][0] + 4 * most_cells, &keys_[0][0]);
        for (int point = 0; point < size * size; ++point) open.add(point);
        for (int point = 0; point < size * size; ++point)
            for (const bool side : {false, true}) set(point, side, seen(point, side));
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
    void remove(int point) {
        white = !white;
        change(point, white);
    }

    int value(int point) const { return values[0][point] + values[1][point]; }
    std::uint64_t key() const { return white ? ~hash_ : hash_; }

    // All moves that may stop the winning moves of the opponent, who cannot make five yet.
    Points answers() {
        const bool own = white, other = !white;
        Points stops = open;
        const Points winning = wins[other];
        winning.each([&](int point) {
            white = other;
            put(point);
            stops = stops & (fives[other] | Points::of(point));
            remove(point);
        });
        white = own;
        return stops | fours[own] | wins[own];
    }

private:
    // The shapes that a stone would make on the four lines through a point, four bits each.
    using Made = std::uint16_t;

    // The value of such shapes together, and the best of them, which decides the set that the point belongs to.
    struct Worth {
        std::uint16_t value;
        std::uint8_t best;  // a `Shape`; two fours count as an open four
    };

    static const std::vector<Worth>& worths() {
        static const std::vector<Worth> all = [] {
            std::vector<Worth> worths(1 << 16);
            for (int made = 0; made < 1 << 16; ++made) worths[static_cast<std::size_t>(made)] = worth(made);
            return worths;
        }();
        return all;
    }

    static Worth worth(int made) {
        int value = 0, fours_made = 0, threes_made = 0, best = nothing;
        for (int line = 0; line < 4; ++line) {
            const int shape = std::min<int>(made >> 4 * line & 15, five);
            value += shape_values[shape];
            fours_made += shape == four;
            threes_made += shape == open_three;
            best = std::max(best, shape);
        }
        if (fours_made + threes_made > 1) value += fork;
        if (best == four && fours_made > 1) best = open_four;
        return {static_cast<std::uint16_t>(value), static_cast<std::uint8_t>(best)};
    }

    void change(int point, bool color) {
        hash_ ^= Position::stone_key(point, color);
        if (open.has(point)) {
            stones[color].add(point);
            open.remove(point);
            for (const bool side : {false, true}) set(point, side, 0);
        } else {
            stones[color].remove(point);
            open.add(point);
            for (const bool side : {false, true}) set(point, side, seen(point, side));
        }
        const int stone = color ? 2 : 1;
        for (const auto& [other, line, shift] : views_->around[point]) {
            Key& key = keys_[line][other];
            key = static_cast<Key>(key ^ stone << shift);
            if (!open.has(other)) continue;
            // Most changes do not change a shape.
            for (const bool side : {false, true}) {
                const Made old = made_[side][other];
                const auto now = static_cast<Made>((old & ~(15 << 4 * line)) | shape(key, side) << 4 * line);
                if (now != old) set(other, side, now);
            }
        }
    }

    Shape shape(Key key, bool of_white) const { return of_white ? shapes_->of_white(key) : shapes_->of_black(key); }

    Made seen(int point, bool of_white) const {
        int made = 0;
        for (int line = 0; line < 4; ++line) made |= shape(keys_[line][point], of_white) << 4 * line;
        return static_cast<Made>(made);
    }

    // Always inline: as a function call it costs one per cent of the search.
    [[gnu::always_inline]] void set(int point, bool color, Made made) {
        const auto [old_value, old_best] = worths_[made_[color][point]];
        const auto [value, best] = worths_[made];
        made_[color][point] = made;
        scores[color] += value - old_value;
        values[color][point] = value;
        if (best == old_best) return;
        if (Points* set = set_of(color, old_best)) set->remove(point);
        if (Points* set = set_of(color, best)) set->add(point);
        const bool is_near = best >= two || worths_[made_[!color][point]].best >= two;
        is_near ? near.add(point) : near.remove(point);
    }

    Points* set_of(bool color, int best) {
        switch (best) {
            case five: return &fives[color];
            case open_four: return &wins[color];
            case four: return &fours[color];
            case open_three: return &threes[color];
            default: return nullptr;
        }
    }

    const Views* views_;
    const Shapes* shapes_ = &shapes();
    const Worth* worths_ = worths().data();
    Key keys_[4][most_cells];
    Made made_[2][most_cells] = {};
    std::uint64_t hash_ = 0;
};

}  // namespace arena::gomoku
