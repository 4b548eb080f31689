// What the strong search stores about positions, and the moves that it ranks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../core/table.hpp"
#include "bits.hpp"

namespace arena::othello {

struct Entry {
    std::uint64_t key;
    std::int16_t lower, upper;  // the value is between them
    std::uint8_t depth;         // 0: empty
    std::uint8_t move;
    std::uint8_t age;

    static Entry of(std::uint64_t key, int lower, int upper, int depth, int move, std::uint8_t age) {
        return {key, static_cast<std::int16_t>(lower), static_cast<std::int16_t>(upper), static_cast<std::uint8_t>(depth),
                static_cast<std::uint8_t>(move), age};
    }

    bool empty() const { return !depth; }
    bool is_for(std::uint64_t wanted) const { return key == wanted && depth; }
    // Shallow entries are replaced first, and those of earlier searches before those of this one.
    int worth(const Entry& added) const { return depth + (age == added.age ? 64 : 0); }
};
static_assert(sizeof(Entry) == 16);

using PositionTable = search::Table<Entry, 2>;

// A move, how good it looks, and the discs that it flips.
struct Choice {
    int square;
    int rank;
    Bits changed;
};

// Put the choice with the highest rank first. One step of a selection sort: often the first move already cuts off.
inline void best_to_front(Choice* from, Choice* end) {
    const auto worse = [](const Choice& one, const Choice& two) { return one.rank < two.rank; };
    std::iter_swap(from, std::max_element(from, end, worse));
}

}  // namespace arena::othello
