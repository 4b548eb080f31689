// What alpha-beta found out about positions, as long as there is room.
#pragma once

#include <cstdint>
#include <vector>

namespace arena::search {

// A decided game is worth this much, less one for each turn until then, to the side that wins.
inline constexpr int decided = 10'000'000;
inline constexpr int infinite = decided + 1;
inline constexpr int clear = decided - 1000;  // a value beyond it is that of a decided game

struct Window {
    int alpha, beta;
};

// The value is exact, or at least (+1) or at most (-1) so much.
struct Known {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    std::uint32_t best : 20 = 0;
    std::int32_t bound : 4 = 0;
    std::int32_t depth : 8 = -1;  // of an empty place; a whole byte, for it is asked most

    // What was found for a window, as many turns below the root.
    static Known of(std::uint64_t key, int depth, int value, std::uint32_t best, int turn, Window window) {
        // Counted from this position on: it may be reached by other ways.
        const int counted = value > clear ? value + turn : value < -clear ? value - turn : value;
        return {key, counted, best, value >= window.beta ? 1 : value <= window.alpha ? -1 : 0, depth};
    }

    int from_root(int turn) const { return value > clear ? value - turn : value < -clear ? value + turn : value; }
    bool settles(int turn, Window window) const {
        return bound == 0 || (bound > 0 ? from_root(turn) >= window.beta : from_root(turn) <= window.alpha);
    }
};
static_assert(sizeof(Known) == 16);

class Table {
public:
    // Room for four times 2 to the power of `bits`.
    explicit Table(int bits) : places_(std::size_t{4} << bits) {}

    const Known* find(std::uint64_t key) const {
        const Known* group = &places_[start(key)];
        for (int place = 0; place < 4; ++place)
            if (group[place].key == key && group[place].depth >= 0) return group + place;
        return nullptr;
    }

    // The shallowest of its group gives way.
    void keep(const Known& known) {
        Known* group = &places_[start(known.key)];
        Known* chosen = group;
        for (int place = 0; place < 4; ++place) {
            if (group[place].key == known.key) {
                chosen = group + place;
                break;
            }
            if (group[place].depth < chosen->depth) chosen = group + place;
        }
        used_ += chosen->depth < 0;
        *chosen = known;
    }

    // Before a search: a table that is nearly full is of more use empty.
    void refresh() {
        if (used_ < places_.size() / 2) return;
        places_.assign(places_.size(), Known());
        used_ = 0;
    }

private:
    std::size_t start(std::uint64_t key) const { return key * 4 & (places_.size() - 1); }

    std::vector<Known> places_;
    std::size_t used_ = 0;
};

}  // namespace arena::search
