// What alpha-beta found out about positions, as long as there is room.
#pragma once

#include <cstdint>
#include <vector>

namespace arena::mushroom {

// The value is exact, or at least (+1) or at most (-1) so much.
struct Known {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    std::uint32_t best : 20 = 0;
    std::int32_t depth : 8 = -1;  // of an empty place
    std::int32_t bound : 4 = 0;
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

}  // namespace arena::mushroom
