// A seeded random number generator.
#pragma once

#include <bit>
#include <cstdint>

#include "bits.hpp"

namespace arena {

// xoshiro256++: fast and good enough for games; not for secrets.
class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (auto& word : state_) word = mixed(seed += 0x9E3779B97F4A7C15U);
    }

    std::uint64_t next() {
        const std::uint64_t answer = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return answer;
    }

    // A number from 0 to `limit` - 1. `limit` is at least 1.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>(((next() >> 32) * limit) >> 32);
    }

private:
    std::uint64_t state_[4];
};

}  // namespace arena
