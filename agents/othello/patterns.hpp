// The evaluation of positions by patterns of squares. agents/othello/patterns.py is the specification.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "othello.hpp"

namespace arena::othello {

inline constexpr int disc = 8;  // the unit of a value is an eighth of a disc
inline constexpr int phases = 6;
inline constexpr int kinds = 10;
inline constexpr int instances = 38;

struct Pattern {
    int size;
    int squares[10];
    int mirror[10];  // the indexes of the squares in the mirrored pattern
};

// Edge with the squares b2 and g2, corner, second to fourth row, diagonals of eight to four squares.
inline constexpr Pattern PATTERNS[kinds] = {
    {10, {9, 0, 1, 2, 3, 4, 5, 6, 7, 14}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    {9, {0, 1, 2, 8, 9, 10, 16, 17, 18}, {0, 3, 6, 1, 4, 7, 2, 5, 8}},
    {8, {8, 9, 10, 11, 12, 13, 14, 15}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {8, {16, 17, 18, 19, 20, 21, 22, 23}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {8, {24, 25, 26, 27, 28, 29, 30, 31}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {8, {0, 9, 18, 27, 36, 45, 54, 63}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {7, {8, 17, 26, 35, 44, 53, 62}, {6, 5, 4, 3, 2, 1, 0}},
    {6, {16, 25, 34, 43, 52, 61}, {5, 4, 3, 2, 1, 0}},
    {5, {24, 33, 42, 51, 60}, {4, 3, 2, 1, 0}},
    {4, {32, 41, 50, 59}, {3, 2, 1, 0}},
};

constexpr int power(int places) {
    int product = 1;
    while (places--) product *= 3;
    return product;
}

// The image of a square under one of the eight symmetries of the board.
constexpr int image(int square, int symmetry) {
    int row = square / 8, column = square % 8;
    if (symmetry & 1) column = 7 - column;
    if (symmetry & 2) row = 7 - row;
    if (symmetry & 4) std::swap(row, column);
    return 8 * row + column;
}

// All instances of all patterns on the board: the kind of pattern, and what a disc on a square adds to its number.
struct Layout {
    int kind[instances]{};
    int start[instances]{};  // where the table of its kind begins
    int size = 0;            // of all tables together
    alignas(16) std::uint16_t weight[64][40]{};
};

constexpr Layout layout() {
    Layout all;
    int found = 0;
    for (int kind = 0; kind < kinds; ++kind) {
        const Pattern& pattern = PATTERNS[kind];
        Bits known[8] = {};
        int different = 0;
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            Bits squares = 0;
            for (int at = 0; at < pattern.size; ++at) squares |= Bits{1} << image(pattern.squares[at], symmetry);
            bool again = false;
            for (int index = 0; index < different; ++index) again |= known[index] == squares;
            if (again) continue;
            known[different++] = squares;
            all.kind[found] = kind;
            all.start[found] = all.size;
            for (int at = 0; at < pattern.size; ++at)
                all.weight[image(pattern.squares[at], symmetry)][found] = static_cast<std::uint16_t>(power(at));
            ++found;
        }
        all.size += power(pattern.size);
    }
    return all;
}

inline constexpr Layout LAYOUT = layout();

// The numbers of all instances in base 3: a digit is 0 for an empty square, 1 for black, 2 for white.
struct Numbers {
    typedef std::uint16_t Eight __attribute__((vector_size(16)));
    union {
        Eight lanes[5];
        std::uint16_t number[40];
    };

    static const Eight* of(int square) { return reinterpret_cast<const Eight*>(LAYOUT.weight[square]); }

    void add(int square, std::uint16_t times) {
        for (int lane = 0; lane < 5; ++lane) lanes[lane] += of(square)[lane] * times;
    }

    // The numbers after a disc on `square` that flips the discs `changed`.
    Numbers after(int square, Bits changed, bool white) const {
        Numbers turns{};
        while (changed) {
            const Eight* weights = of(take(changed));
            for (int lane = 0; lane < 5; ++lane) turns.lanes[lane] += weights[lane];
        }
        Numbers next;
        const Eight* placed = of(square);
        for (int lane = 0; lane < 5; ++lane)
            next.lanes[lane] = white ? lanes[lane] + placed[lane] + placed[lane] + turns.lanes[lane]
                                     : lanes[lane] + placed[lane] - turns.lanes[lane];
        return next;
    }
};

// A position with the numbers of its patterns.
struct PatternPosition {
    Position position;
    Numbers numbers;

    static PatternPosition of(const Position& position) {
        PatternPosition place{position, {}};
        for (Bits black = position.black_discs(); black;) place.numbers.add(take(black), 1);
        for (Bits white = position.white_discs(); white;) place.numbers.add(take(white), 2);
        return place;
    }
    PatternPosition placed(int square, Bits changed) const {
        const auto& [own, other, white] = position;
        return {{other & ~changed, own | changed | Bits{1} << square, !white}, numbers.after(square, changed, white)};
    }
    PatternPosition passed() const { return {position.passed(), numbers}; }
    int empty() const { return 64 - count(position.own | position.other); }
};

// The learned weights of all patterns, by phase and by the side to move.
class Weights {
public:
    // The number of stored weights. For each phase: a weight for every number of every pattern, with digit 1 for own discs
    // and 2 for the opponent's; of two numbers that are mirror images only the smaller. Then a constant for 0 to 64 discs.
    static constexpr std::size_t stored() {
        std::size_t size = 0;
        for (const Pattern& pattern : PATTERNS) {
            int symmetric = 1;  // numbers that are their own mirror image
            for (int at = 0; at < pattern.size; ++at)
                if (pattern.mirror[at] >= at) symmetric *= 3;
            size += static_cast<std::size_t>((power(pattern.size) + symmetric) / 2);
        }
        return phases * size + 65;
    }

    bool read(const std::int8_t* from, std::size_t size) {
        if (size != stored()) return false;
        table_.resize(static_cast<std::size_t>(phases * 2 * LAYOUT.size));
        for (int phase = 0; phase < phases; ++phase) {
            int start = 0;
            for (const Pattern& pattern : PATTERNS) {
                for (int number = 0; number < power(pattern.size); ++number) {
                    const int mirrored = transformed(pattern, number, false, true);
                    if (mirrored >= number) put(phase, start, pattern, number, *from++);
                }
                start += power(pattern.size);
            }
        }
        std::copy(from, from + 65, base_);
        return true;
    }

    // For the side to move.
    int value(const PatternPosition& place) const {
        const auto& [own, other, white] = place.position;
        if (!own) return -64 * disc;
        if (!other) return 64 * disc;
        const int discs = count(own | other);
        const std::int8_t* table = &table_[static_cast<std::size_t>((2 * phase(discs) + white) * LAYOUT.size)];
        int sum = base_[discs];
        for (int index = 0; index < instances; ++index) sum += table[LAYOUT.start[index] + place.numbers.number[index]];
        return std::clamp(sum, -64 * disc, 64 * disc);
    }

    static int phase(int discs) { return std::min((discs - 4) / 10, phases - 1); }

private:
    // A pattern's number with the colours swapped, or mirrored, or both.
    static int transformed(const Pattern& pattern, int number, bool colors, bool mirror) {
        int digits[10], sum = 0;
        for (int at = 0; at < pattern.size; ++at, number /= 3) digits[at] = number % 3;
        for (int at = 0; at < pattern.size; ++at) {
            const int digit = digits[mirror ? pattern.mirror[at] : at];
            sum += power(at) * (colors ? (3 - digit) % 3 : digit);
        }
        return sum;
    }

    void put(int phase, int start, const Pattern& pattern, int number, std::int8_t weight) {
        for (const bool white : {false, true})
            for (const bool mirror : {false, true})
                table_[static_cast<std::size_t>((2 * phase + white) * LAYOUT.size + start +
                                                transformed(pattern, number, white, mirror))] = weight;
    }

    std::vector<std::int8_t> table_;
    std::int8_t base_[65] = {};
};

}  // namespace arena::othello
