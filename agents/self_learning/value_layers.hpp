// The arithmetic of a learned value, in whole numbers: with AVX2 where the machine has it, and the same without.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "value_weights.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define ARENA_AVX2 __attribute__((target("avx2")))
#endif

namespace arena::value {

// Numbers at an address that suits vector instructions.
template <typename Number>
class Aligned {
public:
    explicit Aligned(std::size_t size = 0) : numbers_(static_cast<Number*>(std::aligned_alloc(64, rounded(size)))) {
        if (!numbers_) throw std::bad_alloc();
        std::fill_n(numbers_.get(), size, Number{});
    }
    Number* data() const { return numbers_.get(); }
    Number& operator[](std::size_t index) const { return numbers_.get()[index]; }

private:
    struct Free {
        void operator()(Number* numbers) const { std::free(numbers); }
    };
    static std::size_t rounded(std::size_t size) { return (std::max<std::size_t>(size, 1) * sizeof(Number) + 63) / 64 * 64; }
    std::unique_ptr<Number, Free> numbers_;
};

// The second layer and the last one.
struct Upper {
    int first, second;
    Aligned<std::int8_t> weights;  // by four inputs, then by unit, then by input: as the vector instructions take them
    Aligned<std::int32_t> bias;
    std::vector<std::int16_t> output;
    std::int64_t output_bias;

    explicit Upper(const Weights& from)
        : first(from.first), second(from.second), weights(from.second_weights.size()), bias(from.second_bias.size()),
          output(from.output_weights), output_bias(from.output_bias) {
        for (int unit = 0; unit < second; ++unit)
            for (int input = 0; input < first; ++input)
                weights[at(input, unit)] = from.second_weights[static_cast<std::size_t>(unit * first + input)];
        std::copy(from.second_bias.begin(), from.second_bias.end(), bias.data());
    }
    std::size_t at(int input, int unit) const { return static_cast<std::size_t>((input / 4 * second + unit) * 4 + input % 4); }

    // The value that belongs to the sums of the second layer.
    int value(const std::int32_t* sums) const {
        std::int32_t total = 0;
        for (int unit = 0; unit < second; ++unit)
            total += std::clamp(sums[unit] >> hidden_shift, 0, 32767) * output[static_cast<std::size_t>(unit)];
        constexpr std::int64_t one = std::int64_t{hidden_scale} * output_scale;
        const std::int64_t value = (total + output_bias) * value_scale / one;
        return static_cast<int>(std::clamp<std::int64_t>(value, -100'000, 100'000));
    }
};

// Rows of the first layer that are added and taken away.
struct Changes {
    static constexpr int room = 1024;
    const std::int16_t* added[room];
    const std::int16_t* removed[room];
    int additions = 0, removals = 0;
};

// The two steps of the arithmetic. `update` writes the sums `from` with the changes to `to`; they may be the same.
struct Layers {
    void (*update)(const std::int16_t* from, std::int16_t* to, int size, const Changes&);
    int (*value)(const Upper&, const std::int16_t* sums);
};

inline void plain_update(const std::int16_t* from, std::int16_t* to, int size, const Changes& changes) {
    if (from != to) std::copy_n(from, size, to);
    for (int change = 0; change < changes.additions; ++change)
        for (int unit = 0; unit < size; ++unit) to[unit] = static_cast<std::int16_t>(to[unit] + changes.added[change][unit]);
    for (int change = 0; change < changes.removals; ++change)
        for (int unit = 0; unit < size; ++unit) to[unit] = static_cast<std::int16_t>(to[unit] - changes.removed[change][unit]);
}

inline int plain_value(const Upper& upper, const std::int16_t* sums) {
    std::int32_t hidden[most_second];
    std::copy_n(upper.bias.data(), upper.second, hidden);
    for (int input = 0; input < upper.first; ++input) {
        const int active = std::clamp<int>(sums[input], 0, first_scale) >> input_shift;
        if (!active) continue;
        const std::int8_t* weights = upper.weights.data() + upper.at(input, 0);
        for (int unit = 0; unit < upper.second; ++unit) hidden[unit] += active * weights[4 * unit];
    }
    return upper.value(hidden);
}

inline constexpr Layers plain_layers{plain_update, plain_value};

#if defined(ARENA_AVX2)
template <int vectors>
ARENA_AVX2 inline void update_block(const std::int16_t* from, std::int16_t* to, int offset, const Changes& changes) {
    __m256i sums[vectors];
    const auto load = [offset](const std::int16_t* row, int vector) ARENA_AVX2 {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(row + offset) + vector);
    };
    for (int vector = 0; vector < vectors; ++vector) sums[vector] = load(from, vector);
    for (int change = 0; change < changes.additions; ++change)
        for (int vector = 0; vector < vectors; ++vector)
            sums[vector] = _mm256_add_epi16(sums[vector], load(changes.added[change], vector));
    for (int change = 0; change < changes.removals; ++change)
        for (int vector = 0; vector < vectors; ++vector)
            sums[vector] = _mm256_sub_epi16(sums[vector], load(changes.removed[change], vector));
    for (int vector = 0; vector < vectors; ++vector)
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + offset) + vector, sums[vector]);
}

ARENA_AVX2 inline void avx2_update(const std::int16_t* from, std::int16_t* to, int size, const Changes& changes) {
    int offset = 0;
    for (; offset + 128 <= size; offset += 128) update_block<8>(from, to, offset, changes);
    for (; offset < size; offset += 32) update_block<2>(from, to, offset, changes);
}

// Each of the `blocks` vectors holds the sums of eight units.
template <int blocks>
ARENA_AVX2 inline int avx2_value_of(const Upper& upper, const std::int16_t* sums) {
    alignas(32) std::uint8_t active[1024];
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi16(first_scale), ones = _mm256_set1_epi16(1);
    for (int input = 0; input < upper.first; input += 32) {
        const auto* from = reinterpret_cast<const __m256i*>(sums + input);
        const __m256i low = _mm256_min_epi16(_mm256_max_epi16(_mm256_load_si256(from), zero), most);
        const __m256i high = _mm256_min_epi16(_mm256_max_epi16(_mm256_load_si256(from + 1), zero), most);
        const __m256i packed = _mm256_packus_epi16(_mm256_srli_epi16(low, input_shift), _mm256_srli_epi16(high, input_shift));
        // Packing works within halves of the vectors; this puts the quarters in order.
        _mm256_store_si256(reinterpret_cast<__m256i*>(active + input), _mm256_permute4x64_epi64(packed, 0b11'01'10'00));
    }
    __m256i hidden[blocks];
    for (int block = 0; block < blocks; ++block) hidden[block] = _mm256_load_si256(reinterpret_cast<const __m256i*>(upper.bias.data()) + block);
    const auto* weights = reinterpret_cast<const __m256i*>(upper.weights.data());
    for (int input = 0; input < upper.first; input += 4, weights += blocks) {
        std::int32_t four;
        std::memcpy(&four, active + input, 4);
        const __m256i inputs = _mm256_set1_epi32(four);
        for (int block = 0; block < blocks; ++block) {
            const __m256i pairs = _mm256_maddubs_epi16(inputs, _mm256_load_si256(weights + block));
            hidden[block] = _mm256_add_epi32(hidden[block], _mm256_madd_epi16(pairs, ones));
        }
    }
    alignas(32) std::int32_t found[8 * blocks];
    for (int block = 0; block < blocks; ++block) _mm256_store_si256(reinterpret_cast<__m256i*>(found) + block, hidden[block]);
    return upper.value(found);
}

ARENA_AVX2 inline int avx2_value(const Upper& upper, const std::int16_t* sums) {
    static constexpr int (*by_size[])(const Upper&, const std::int16_t*) = {
        avx2_value_of<1>, avx2_value_of<2>, avx2_value_of<3>, avx2_value_of<4>,
        avx2_value_of<5>, avx2_value_of<6>, avx2_value_of<7>, avx2_value_of<8>};
    return by_size[upper.second / 8 - 1](upper, sums);
}

inline constexpr Layers avx2_layers{avx2_update, avx2_value};
inline bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
inline constexpr Layers avx2_layers = plain_layers;
inline bool has_avx2() { return false; }
#endif

// The fastest that this machine can do, or the plain form, whose results are the same.
inline const Layers& layers(bool plain) { return plain || !has_avx2() ? plain_layers : avx2_layers; }

}  // namespace arena::value
