// 32 numbers of 8 bits, handled at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace arena {

#ifdef __SSE2__

class Lanes {
public:
    static Lanes all(std::uint8_t value) {
        const __m128i half = _mm_set1_epi8(static_cast<char>(value));
        return {half, half};
    }
    static Lanes at(const std::uint8_t* from) {
        const auto* halves = reinterpret_cast<const __m128i*>(from);
        return {_mm_loadu_si128(halves), _mm_loadu_si128(halves + 1)};
    }
    void store(std::uint8_t* into) const {
        auto* halves = reinterpret_cast<__m128i*>(into);
        _mm_storeu_si128(halves, low_);
        _mm_storeu_si128(halves + 1, high_);
    }

    // Sums stop at 255.
    Lanes operator+(const Lanes& other) const {
        return {_mm_adds_epu8(low_, other.low_), _mm_adds_epu8(high_, other.high_)};
    }

    // One bit for each lane that is equal to `value`.
    std::uint32_t is(std::uint8_t value) const {
        const Lanes values = all(value);
        return bits(_mm_cmpeq_epi8(low_, values.low_), _mm_cmpeq_epi8(high_, values.high_));
    }
    // One bit for each lane that is at most `value`.
    std::uint32_t at_most(std::uint8_t value) const {
        const Lanes values = all(value);
        return bits(
            _mm_cmpeq_epi8(_mm_min_epu8(low_, values.low_), low_),
            _mm_cmpeq_epi8(_mm_min_epu8(high_, values.high_), high_));
    }

private:
    Lanes(__m128i low, __m128i high) : low_(low), high_(high) {}

    static std::uint32_t bits(__m128i low, __m128i high) {
        return static_cast<std::uint32_t>(_mm_movemask_epi8(low)) |
               static_cast<std::uint32_t>(_mm_movemask_epi8(high)) << 16;
    }

    __m128i low_, high_;
};

#else

class Lanes {
public:
    static Lanes all(std::uint8_t value) {
        Lanes lanes;
        std::memset(lanes.lane_, value, sizeof lanes.lane_);
        return lanes;
    }
    static Lanes at(const std::uint8_t* from) {
        Lanes lanes;
        std::memcpy(lanes.lane_, from, sizeof lanes.lane_);
        return lanes;
    }
    void store(std::uint8_t* into) const { std::memcpy(into, lane_, sizeof lane_); }

    Lanes operator+(const Lanes& other) const {
        Lanes lanes;
        for (int lane = 0; lane < 32; ++lane)
            lanes.lane_[lane] = static_cast<std::uint8_t>(std::min(lane_[lane] + other.lane_[lane], 255));
        return lanes;
    }

    std::uint32_t is(std::uint8_t value) const {
        std::uint32_t bits = 0;
        for (int lane = 0; lane < 32; ++lane) bits |= std::uint32_t{lane_[lane] == value} << lane;
        return bits;
    }
    std::uint32_t at_most(std::uint8_t value) const {
        std::uint32_t bits = 0;
        for (int lane = 0; lane < 32; ++lane) bits |= std::uint32_t{lane_[lane] <= value} << lane;
        return bits;
    }

private:
    Lanes() = default;
    std::uint8_t lane_[32];
};

#endif

}  // namespace arena
