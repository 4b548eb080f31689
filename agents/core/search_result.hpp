// What a search has found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace arena::search {

struct Visits {
    std::string move;
    std::uint64_t visits;
    double mean;  // of the rewards of the side to move
};

// A part of a search tree: the moves that lead there, and the mean reward of the side to move at the root.
struct Branch {
    std::vector<std::string> line;
    std::uint64_t visits;
    double mean;
};
// Of a tree, so many of the most visited moves are told, and so many answers to each.
inline constexpr std::size_t told_moves = 6, told_answers = 4;

struct SearchResult {
    std::string move;
    std::uint64_t nodes = 0;
    int depth = 0;     // the last depth that was completed; the depth of the deepest node in UCT
    double score = 0;  // for the side to move
    std::vector<std::string> line;
    std::vector<Visits> visits;
    std::vector<Branch> tree;  // two levels, for who listens
};

// Most visits first; among equal visits the better mean first.
template <typename Move>
bool more_visited(const Move& one, const Move& other) {
    return one.visits != other.visits ? one.visits > other.visits : one.mean > other.mean;
}

}  // namespace arena::search
