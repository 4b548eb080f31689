// The shape that a stone makes on a line through it, such as a four. shapes.py is the specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace arena::gomoku {

inline constexpr int reach = 4;

enum Shape : std::uint8_t { nothing, one, two, open_two, three, open_three, four, open_four, five, unknown };

inline constexpr int shape_values[] = {0, 1, 3, 12, 14, 50, 60, 300, 1000};

// The eight points around a stone on one line, two bits each: 0 empty, 1 Black, 2 White, 3 outside of the board.
using Key = std::uint16_t;

// The same line with the colours swapped.
constexpr Key swapped(Key key) {
    return static_cast<Key>((key & 0x5555) << 1 | (key >> 1 & 0x5555));
}

// The shapes that a stone makes on every possible line.
class Shapes {
public:
    Shapes() : shape_(1 << 16, unknown) {
        for (int key = 0; key < 1 << 16; ++key) find(static_cast<Key>(key));
    }
    Shape of_black(Key key) const { return shape_[key]; }
    Shape of_white(Key key) const { return shape_[swapped(key)]; }

private:
    Shape find(Key key) {
        Shape& found = shape_[key];
        if (found != unknown) return found;
        if (has_five(key)) return found = five;
        int fives = 0;
        Shape best = nothing;
        for (int shift = 0; shift < 16; shift += 2) {
            if (key >> shift & 3) continue;
            const Shape next = find(static_cast<Key>(key | 1 << shift));
            fives += next == five;
            best = std::max(best, next);
        }
        return found = fives ? (fives == 1 ? four : open_four) : before(best);
    }

    // Whether Black has five or more in a row through the middle.
    static bool has_five(Key key) {
        const auto black = [key](int place) { return (key >> 2 * place & 3) == 1; };
        int length = 1;
        for (int place = reach - 1; place >= 0 && black(place); --place) ++length;
        for (int place = reach; place < 2 * reach && black(place); ++place) ++length;
        return length >= 5;
    }

    // The shape of a line on which the best next stone makes the shape `next`.
    static Shape before(Shape next) {
        static constexpr Shape shapes[] = {nothing, one, one, one, two, open_two, three, open_three};
        return shapes[next];
    }

    std::vector<Shape> shape_;
};

inline const Shapes& shapes() {
    static const Shapes all;
    return all;
}

}  // namespace arena::gomoku
