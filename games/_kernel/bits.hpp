// Sets of up to 64 squares as the bits of a number, and a hash function.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace arena {

using Bits = std::uint64_t;

inline int count(Bits bits) { return std::popcount(bits); }

// The index of the lowest set bit. `bits` must not be 0.
inline int lowest(Bits bits) { return std::countr_zero(bits); }

// Clear the lowest set bit and return its index. `bits` must not be 0.
template <std::unsigned_integral Set>
int take(Set& bits) {
    const int index = std::countr_zero(bits);
    bits &= bits - 1;
    return index;
}

// The splitmix64 finaliser: every bit of the result depends on every bit of the input.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

}  // namespace arena
