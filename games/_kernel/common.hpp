// What the kernels of all games share: bits, and dice with a seed.
#pragma once

#include <bit>
#include <cstdint>

namespace arena {

using Bits = std::uint64_t;

inline int count(Bits bits) { return std::popcount(bits); }

// The index of the lowest bit; there must be one.
inline int lowest(Bits bits) { return std::countr_zero(bits); }

// Take the lowest bit away and give its index; there must be one.
inline int take(Bits& bits) {
    const int index = lowest(bits);
    bits &= bits - 1;
    return index;
}

// The splitmix64 finaliser: every bit of the answer depends on every bit of the question.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

// Dice (xoshiro256++): fast, good enough for games, no secret.
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

    // A number from 0 to `limit` - 1; `limit` is at least 1.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>(((next() >> 32) * limit) >> 32);
    }

private:
    std::uint64_t state_[4];
};

}  // namespace arena
