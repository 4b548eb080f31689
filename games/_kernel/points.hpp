// Sets of points of a Go or Gomoku board.
#pragma once

#include "bits.hpp"

namespace arena {

// A set of points, numbered from 0 to `room` - 1. Each game chooses its own numbering.
struct Points {
    static constexpr int words = 8;  // enough for a Gomoku board of 20 x 20 with its border
    static constexpr int room = 64 * words;
    Bits word[words] = {};

    static Points of(int point) {
        Points points;
        points.add(point);
        return points;
    }

    bool has(int point) const { return word[point >> 6] >> (point & 63) & 1; }
    void add(int point) { word[point >> 6] |= Bits{1} << (point & 63); }
    void remove(int point) { word[point >> 6] &= ~(Bits{1} << (point & 63)); }
    int size() const {
        int sum = 0;
        for (const Bits bits : word) sum += count(bits);
        return sum;
    }
    bool any() const {
        Bits bits = 0;
        for (const Bits one : word) bits |= one;
        return bits;
    }
    // The point with the lowest number, -1 if the set is empty.
    int lowest() const {
        for (int index = 0; index < words; ++index)
            if (word[index]) return 64 * index + arena::lowest(word[index]);
        return -1;
    }
    bool operator==(const Points&) const = default;

    // Call `look` with each point, the lowest number first.
    template <typename Look>
    void each(Look look) const {
        for (int index = 0; index < words; ++index)
            for (Bits bits = word[index]; bits;) look(64 * index + take(bits));
    }
};

inline Points operator&(Points one, const Points& other) {
    for (int index = 0; index < Points::words; ++index) one.word[index] &= other.word[index];
    return one;
}
inline Points operator|(Points one, const Points& other) {
    for (int index = 0; index < Points::words; ++index) one.word[index] |= other.word[index];
    return one;
}
// The points of `one` that are not in `other`.
inline Points operator-(Points one, const Points& other) {
    for (int index = 0; index < Points::words; ++index) one.word[index] &= ~other.word[index];
    return one;
}

}  // namespace arena
