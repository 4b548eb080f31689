// UCT that evaluates by the number of cells, with three ways to get the state of a node. uct.py and states.py are the
// specification.
#pragma once

#include <cmath>
#include <memory>

#include "../core/search_result.hpp"
#include "../core/stop_condition.hpp"
#include "choices.hpp"

namespace arena::mushroom {

inline constexpr std::size_t most_grown = 200'000;     // most nodes with children, and so most states that are copied
inline constexpr std::size_t most_nodes = 4'000'000;   // 96 MB
inline constexpr std::size_t cache_places = 1024;

struct Node {
    double total;          // rewards of the side that made the move
    std::uint32_t visits;  // the first counts the heuristic value of the move
    std::uint32_t first;   // index of the first child, the others follow; 0: no children yet
    std::uint32_t move;
    std::uint16_t size;
    bool over;

    double mean() const { return total / visits; }
};
static_assert(sizeof(Node) == 24);

using Nodes = std::vector<Node>;
using Path = std::vector<std::uint32_t>;

// Provides the position at the end of a path. It is called once for each node, when the node gets children.
struct States {
    virtual ~States() = default;
    virtual const Position& at(const Nodes& nodes, const Path& path) = 0;
    virtual std::size_t bytes() const = 0;
    std::uint64_t asked = 0, held = 0;  // how often the state of the parent was needed, and how often it was cached
};

// Every node with children keeps its state.
class Copying final : public States {
public:
    explicit Copying(const Position& root) : root_(root) {}
    const Position& at(const Nodes& nodes, const Path& path) override {
        if (path.size() == 1) return root_;
        const std::uint32_t parent = path[path.size() - 2];
        const Position state = (parent ? states_[place_[parent]] : root_).after(nodes[path.back()].move);
        if (place_.size() <= path.back()) place_.resize(nodes.size());
        place_[path.back()] = static_cast<std::uint32_t>(states_.size());
        states_.push_back(state);
        return states_.back();
    }
    std::size_t bytes() const override { return states_.size() * sizeof(Position) + place_.size() * sizeof place_[0]; }

private:
    Position root_;
    std::vector<Position> states_;
    std::vector<std::uint32_t> place_;
};

// A state is rebuilt from the nearest state above it in a small cache, or from the root.
class Rebuilding final : public States {
public:
    explicit Rebuilding(const Position& root) : root_(root), cache_(cache_places) {}
    const Position& at(const Nodes& nodes, const Path& path) override {
        if (path.size() == 1) return root_;
        std::size_t known = path.size() - 2;
        while (known && place(path[known]).node != path[known]) --known;
        ++asked;
        held += known == path.size() - 2;
        Position state = known ? place(path[known]).state : root_;
        for (std::size_t turn = known + 1; turn < path.size(); ++turn) state.make(nodes[path[turn]].move);
        Place& into = place(path.back());
        into.node = path.back();
        return into.state = state;
    }
    std::size_t bytes() const override { return cache_.size() * sizeof(Place); }

private:
    struct Place {
        std::uint32_t node = 0;
        Position state;
    };
    Place& place(std::uint32_t node) { return cache_[node % cache_.size()]; }

    Position root_;
    std::vector<Place> cache_;
};

// One board makes the moves of the path and takes them back.
class Undoing final : public States {
public:
    explicit Undoing(const Position& root) : board_(root) {}
    const Position& at(const Nodes& nodes, const Path& path) override {
        for (; turns_; --turns_) board_.pop();
        for (std::size_t turn = 1; turn < path.size(); ++turn, ++turns_) board_.push(nodes[path[turn]].move);
        return board_.position();
    }
    std::size_t bytes() const override { return sizeof board_; }

private:
    Board board_;
    std::size_t turns_ = 0;
};

inline std::unique_ptr<States> states(std::string_view kind, const Position& root) {
    if (kind == "copy") return std::make_unique<Copying>(root);
    if (kind == "rebuild") return std::make_unique<Rebuilding>(root);
    if (kind == "undo") return std::make_unique<Undoing>(root);
    return nullptr;
}

struct Recipe {
    std::uint64_t simulations;
    double c;
    std::uint64_t seed;
};

class Uct {
public:
    Uct(const Position& root, States& states, const Recipe& recipe, search::StopCondition& stop)
        : root_(root), states_(states), recipe_(recipe), stop_(stop) {}

    // The game must not be over.
    search::SearchResult run() {
        nodes_.push_back({0, 1, 0, 0, 0, false});
        std::uint64_t simulations = 0;
        do simulate();
        while (++simulations < recipe_.simulations && !stop_.stop(simulations, 7));
        return result(simulations);
    }
    std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

private:
    // (mine - theirs) / (mine + theirs + 1)
    static double balance(int mine, int theirs) { return static_cast<double>(mine - theirs) / (mine + theirs + 1); }

    // Walk down to a node without children, add its children, and update every node on the path with the best of them.
    void simulate() {
        path_.assign(1, 0);
        while (nodes_[path_.back()].size) path_.push_back(select(nodes_[path_.back()]));
        deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
        double value = grow(path_.back());
        for (std::size_t turn = path_.size(); turn--; value = -value) {
            Node& node = nodes_[path_[turn]];
            ++node.visits;
            node.total += value;
        }
    }

    std::uint32_t select(const Node& here) const {
        const double width = recipe_.c * std::sqrt(std::log(static_cast<double>(here.visits)));
        std::uint32_t best = here.first;
        double top = -1e9;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
            const Node& node = nodes_[child];
            const double bound = node.mean() + width / std::sqrt(static_cast<double>(node.visits));
            if (bound > top) top = bound, best = child;
        }
        return best;
    }

    // Add the children of a node and return its value for the side that made its move.
    double grow(std::uint32_t node) {
        if (nodes_[node].over || grown_ >= most_grown || nodes_.size() > most_nodes) return nodes_[node].mean();
        ++grown_;
        const Position& state = states_.at(nodes_, path_);
        const std::vector<Choice>& choices = choices_.of(state, recipe_.seed);
        const int mine = state.owned[state.white], theirs = state.owned[!state.white];
        if (choices.size() == 1) return finish(nodes_[node], theirs - mine);
        const bool passed = state.passes == 1;
        nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
        nodes_[node].size = static_cast<std::uint16_t>(choices.size());
        double best = -1;
        for (const auto& [move, gain] : choices) {
            const double value = value_of(state, move, gain, passed && move == pass);
            nodes_.push_back({value, 1, 0, move, 0, passed && move == pass});
            best = std::max(best, value);
        }
        return -best;
    }

    // A node where no rectangle is left is final: only passes can follow.
    static double finish(Node& node, int lead) {
        node.over = true;
        node.visits = 1;
        return node.total = (lead > 0) - (lead < 0);
    }

    // The value of a move for the mover, by the number of cells after it.
    double value_of(const Position& state, Move move, int gain, bool ends) const {
        const int mine = state.owned[state.white], theirs = state.owned[!state.white];
        if (ends) return (mine > theirs) - (mine < theirs);
        const int taken = move == pass ? 0 : lost(state, move);
        return balance(mine + gain - taken, theirs - taken);
    }

    // The number of cells of the opponent in a rectangle.
    static int lost(const Position& state, Move move) {
        const auto [top, left, bottom, right] = Rectangle::of(move);
        const char other = Position::owner(!state.white);
        int cells = 0;
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) cells += state.at(row, column) == other;
        return cells;
    }

    search::SearchResult result(std::uint64_t simulations) const {
        search::SearchResult found;
        found.nodes = simulations;
        found.depth = deepest_;
        const Node& root = nodes_[0];
        for (std::uint32_t child = root.first; child < root.first + root.size; ++child)
            found.visits.push_back({move_text(Move{nodes_[child].move}), nodes_[child].visits, nodes_[child].mean()});
        std::stable_sort(found.visits.begin(), found.visits.end(), search::more_visited<search::Visits>);
        if (found.visits.empty()) found.visits.push_back({move_text(pass), 1, 0});
        found.move = found.visits[0].move;
        found.score = found.visits[0].mean;
        found.line = {found.move};
        return found;
    }

    Position root_;
    States& states_;
    Recipe recipe_;
    search::StopCondition& stop_;
    Choices choices_;
    Nodes nodes_;
    Path path_;
    std::size_t grown_ = 0;
    int deepest_ = 0;
};

}  // namespace arena::mushroom
