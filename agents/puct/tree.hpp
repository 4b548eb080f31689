// The search tree, independent of the game. agents/puct/tree.py is the specification.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../core/nodes.hpp"

namespace arena::puct {

struct Settings {
    double c = 0;        // weight of exploration
    double fpu = 0;      // by how much an unvisited move counts less than its parent
    double loss = 0;     // virtual loss: how much a pending simulation counts as a loss
    double epsilon = 0;  // share of the noise in the priors of the root
    int batch = 1;       // leaves that are collected before their values are backed up
};

// A move and the results of its simulations. If its game is over, `size` is `finished` and `first` tells who won.
struct Node {
    std::uint32_t first;  // index of the first child, the others follow; 0: no children yet
    std::uint32_t visits;
    double total;  // rewards of the side that chose the move
    double prior;
    std::uint32_t move;
    std::uint16_t size;     // number of children, or `finished`
    std::uint16_t pending;  // simulations through here that are not backed up yet
};
static_assert(sizeof(Node) == 32);
using search::finished;

class Tree {
public:
    explicit Tree(std::uint32_t room) : nodes_(room) { clear(); }

    Node& operator[](std::uint32_t node) { return nodes_[node]; }
    const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
    std::uint32_t used() const { return nodes_.used(); }
    void clear() { nodes_.clear(); }
    // Make a node the root. Nodes that are not below it are forgotten.
    void keep(std::uint32_t node) { nodes_.keep(node); }

    // The fuller the tree, the more visits a node needs for children. So there is always room for the important nodes.
    std::uint32_t visits_to_grow() const {
        const std::uint32_t half = nodes_.room() / 2;
        return used() <= half ? 1 : static_cast<std::uint32_t>(1 + 64ULL * (used() - half) / nodes_.room());
    }

    // Give a node its children; false if there is no room. Without priors all moves have the same prior.
    template <typename Move>
    bool grow(std::uint32_t node, const Move* moves, int size, const double* priors) {
        if (!nodes_.has_room(size)) return false;
        nodes_[node].first = used();
        nodes_[node].size = static_cast<std::uint16_t>(size);
        for (int index = 0; index < size; ++index)
            nodes_.add({0, 0, 0, priors ? priors[index] : 1.0 / size, static_cast<std::uint32_t>(moves[index]), 0, 0});
        return true;
    }

    // The priors of the children, mixed with one value of noise for each.
    std::vector<double> mixed_priors(const Node& here, double epsilon, const std::vector<double>& noise) const {
        std::vector<double> mixed(here.size);
        for (std::uint32_t index = 0; index < here.size; ++index)
            mixed[index] = (1 - epsilon) * nodes_[here.first + index].prior + epsilon * noise[index];
        return mixed;
    }

    // The child with the best bound. `level` is the value of unvisited moves. `priors` replace those of the children.
    std::uint32_t select(const Node& here, double level, const Settings& settings, const double* priors = nullptr) const {
        const double width = settings.c * std::sqrt(static_cast<double>(here.visits + here.pending));
        std::uint32_t best = here.first;
        double top = -HUGE_VAL;
        for (std::uint32_t index = 0; index < here.size; ++index) {
            const Node& child = nodes_[here.first + index];
            const double tries = static_cast<double>(child.visits + child.pending);
            const double mean = tries > 0 ? (child.total - settings.loss * child.pending) / tries : level;
            const double bound = mean + width * (priors ? priors[index] : child.prior) / (1 + tries);
            if (bound > top) top = bound, best = here.first + index;
        }
        return best;
    }

    // The most visited child, then the one with the better total, then with the higher prior; 0 if none was visited.
    std::uint32_t favourite(const Node& here) const {
        std::uint32_t best = 0;
        if (here.size == finished) return best;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child)
            if (nodes_[child].visits && (!best || better(nodes_[child], nodes_[best]))) best = child;
        return best;
    }

private:
    static bool better(const Node& one, const Node& other) {
        if (one.visits != other.visits) return one.visits > other.visits;
        return one.total != other.total ? one.total > other.total : one.prior > other.prior;
    }

    search::Nodes<Node> nodes_;
};

}  // namespace arena::puct
