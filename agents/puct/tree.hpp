// The tree of the search as flat memory, whatever the game. agents/puct/tree.py and selection.py are the specification.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace arena::puct {

struct Settings {
    double c = 0;        // how much is explored
    double fpu = 0;      // how much worse than its parent a move counts that nobody has tried
    double loss = 0;     // what a simulation that is under way counts, as a loss
    double epsilon = 0;  // the part of the noise in the priors of the root
    int batch = 1;       // leaves that are collected before their values are told
};

// A move, and what its simulations brought. Of a finished game `first` tells who won: see `finished`.
struct Node {
    std::uint32_t first;  // of its children, which follow one another; 0: none yet
    std::uint32_t visits;
    double total;  // what the visits brought the side that chose the move
    double prior;
    std::uint32_t move;
    std::uint16_t size;     // how many children there are, or `finished`
    std::uint16_t pending;  // simulations under way through here
};
static_assert(sizeof(Node) == 32);
inline constexpr std::uint16_t finished = 65535;

class Tree {
public:
    // There is never room for more nodes; memory that is not used costs nothing.
    explicit Tree(std::uint32_t room) : room_(room), nodes_(fresh()) { clear(); }
    ~Tree() { std::free(nodes_); }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    Node& operator[](std::uint32_t node) { return nodes_[node]; }
    const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
    std::uint32_t used() const { return used_; }

    void clear() {
        used_ = 1;
        nodes_[0] = {};
    }

    // The fuller the tree, the more visits a node needs for children: so there is always room where it matters.
    std::uint32_t visits_to_grow() const {
        const std::uint32_t half = room_ / 2;
        return used_ <= half ? 1 : static_cast<std::uint32_t>(1 + 64ULL * (used_ - half) / room_);
    }

    // Give a node its children; false if there is no room. Without priors all moves are alike.
    template <typename Move>
    bool grow(std::uint32_t node, const Move* moves, int size, const double* priors) {
        if (static_cast<std::uint32_t>(size) > room_ - used_) return false;
        nodes_[node].first = used_;
        nodes_[node].size = static_cast<std::uint16_t>(size);
        for (int index = 0; index < size; ++index)
            nodes_[used_++] = {0, 0, 0, priors ? priors[index] : 1.0 / size, static_cast<std::uint32_t>(moves[index]), 0, 0};
        return true;
    }

    // The child with the best bound. `level` is what a move counts that nobody has tried; noise is of the root only.
    std::uint32_t select(const Node& here, double level, const Settings& settings, const double* noise) const {
        const double width = settings.c * std::sqrt(static_cast<double>(here.visits + here.pending));
        std::uint32_t best = here.first;
        double top = -HUGE_VAL;
        for (std::uint32_t index = 0; index < here.size; ++index) {
            const Node& child = nodes_[here.first + index];
            const double tries = static_cast<double>(child.visits + child.pending);
            const double mean = tries > 0 ? (child.total - settings.loss * child.pending) / tries : level;
            const double prior = noise ? (1 - settings.epsilon) * child.prior + settings.epsilon * noise[index] : child.prior;
            const double bound = mean + width * prior / (1 + tries);
            if (bound > top) top = bound, best = here.first + index;
        }
        return best;
    }

    // The most visited child, of equals the better, then the one of the greater prior; 0 if nobody visited one.
    std::uint32_t favourite(const Node& here) const {
        std::uint32_t best = 0;
        if (here.size == finished) return best;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child)
            if (nodes_[child].visits && (!best || better(nodes_[child], nodes_[best]))) best = child;
        return best;
    }

    // Make a node the root; what is not below it is forgotten.
    void keep(std::uint32_t start) {
        Node* old = std::exchange(nodes_, fresh());
        nodes_[0] = old[start];
        used_ = 1;
        for (std::uint32_t node = 0; node < used_; ++node) {
            Node& here = nodes_[node];
            if (!here.first || here.size == finished) continue;
            std::copy(old + here.first, old + here.first + here.size, nodes_ + used_);
            here.first = used_;
            used_ += here.size;
        }
        std::free(old);
    }

private:
    static bool better(const Node& one, const Node& other) {
        if (one.visits != other.visits) return one.visits > other.visits;
        return one.total != other.total ? one.total > other.total : one.prior > other.prior;
    }

    // Throws before anything has changed.
    Node* fresh() const {
        auto* nodes = static_cast<Node*>(std::malloc(room_ * sizeof(Node)));
        if (!nodes) throw std::bad_alloc();
        return nodes;
    }

    std::uint32_t room_, used_ = 0;
    Node* nodes_;
};

}  // namespace arena::puct
