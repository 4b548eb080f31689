// What a search by alpha-beta may spend, and which of its features it uses.
#pragma once

#include <cstdint>

namespace arena::search {

inline constexpr int deepest = 64;

// What makes the search faster or better, as bits, so that a match can tell what each is worth.
enum Feature : unsigned {
    null_moves = 1,         // a position that is good enough even after a turn without a move is not searched
    reductions = 2,         // late quiet moves are searched less deeply first
    killers = 4,            // quiet moves that caused a cutoff in positions of the same turn come early
    history = 8,            // and so do those that caused many cutoffs anywhere
    check_extensions = 16,  // an answer to a check is searched one turn deeper
    exchanges = 32,         // captures that lose material count as quiet
    aspiration = 64,        // each depth begins with a narrow window around the last score
    margins = 128,          // near the leaves a position far ahead of the bound is not searched
};

struct Limits {
    double seconds;
    std::uint64_t nodes;
    int depth;
    std::uint64_t seed;  // 0: equal moves are tried in the order of the kernel
    bool exact;          // the value is that of a plain search to exactly this depth
    int contempt = 0;    // a drawn game is worth this much less than 0 to the side to move at the root
    unsigned without = 0;  // the features that are switched off
};

}  // namespace arena::search
