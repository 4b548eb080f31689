// UCT by a count of cells, with three ways to come by the state of a node. uct.py and states.py are the specification.
#pragma once

#include <cmath>
#include <memory>

#include "../core/watch.hpp"
#include "choices.hpp"

namespace arena::mushroom {

inline constexpr std::size_t most_grown = 200'000;     // nodes with children: as many states as are ever copied
inline constexpr std::size_t most_nodes = 4'000'000;   // 96 MB
inline constexpr std::size_t cache_places = 1024;

struct Node {
    double total;          // what the visits brought the side that made the move
    std::uint32_t visits;  // the first is the heuristic value of the move
    std::uint32_t first;   // of its children, which follow one another; 0: none yet
    std::uint32_t move;
    std::uint16_t size;
    bool over;

    double mean() const { return total / visits; }
};
static_assert(sizeof(Node) == 24);

using Nodes = std::vector<Node>;
using Path = std::vector<std::uint32_t>;

// Where the position at the end of a path comes from. It is asked for when that node gets children: once for each node.
struct States {
    virtual ~States() = default;
    virtual const Position& at(const Nodes& nodes, const Path& path) = 0;
    virtual std::size_t bytes() const = 0;
    std::uint64_t asked = 0, held = 0;  // how often the state before was wanted, and there
};

// Every node that has children keeps its state.
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

// No node keeps a state: it is rebuilt from the nearest one above it that a small cache holds, or from the root.
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

// One board goes down the path and back again, move by move.
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
    Uct(const Position& root, States& states, const Recipe& recipe, search::Watch& watch)
        : root_(root), states_(states), recipe_(recipe), watch_(watch) {}

    // The game must not be over.
    search::Found found() {
        nodes_.push_back({0, 1, 0, 0, 0, false});
        std::uint64_t simulations = 0;
        do simulate();
        while (++simulations < recipe_.simulations && !watch_.stop(simulations, 7));
        return told(simulations);
    }
    std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

private:
    // (mine - theirs) / (mine + theirs + 1)
    static double balance(int mine, int theirs) { return static_cast<double>(mine - theirs) / (mine + theirs + 1); }

    // Walk down to a node without children, give it some, tell every node on the way what the best of them is worth.
    void simulate() {
        path_.assign(1, 0);
        while (nodes_[path_.back()].size) path_.push_back(selected(nodes_[path_.back()]));
        deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
        double value = grown(path_.back());
        for (std::size_t turn = path_.size(); turn--; value = -value) {
            Node& node = nodes_[path_[turn]];
            ++node.visits;
            node.total += value;
        }
    }

    std::uint32_t selected(const Node& here) const {
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

    // What a node is worth to the side that made its move, once it has children.
    double grown(std::uint32_t node) {
        if (nodes_[node].over || grown_ >= most_grown || nodes_.size() > most_nodes) return nodes_[node].mean();
        ++grown_;
        const Position& state = states_.at(nodes_, path_);
        const std::vector<Choice>& choices = choices_.of(state, recipe_.seed);
        const int mine = state.owned[state.white], theirs = state.owned[!state.white];
        if (choices.size() == 1) return ended(nodes_[node], theirs - mine);
        const bool passed = state.passes == 1;
        nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
        nodes_[node].size = static_cast<std::uint16_t>(choices.size());
        double best = -1;
        for (const auto& [move, gain] : choices) {
            const double value = valued(state, move, gain, passed && move == pass);
            nodes_.push_back({value, 1, 0, move, 0, passed && move == pass});
            best = std::max(best, value);
        }
        return -best;
    }

    // Where no rectangle is left the path ends: nothing but passes can follow.
    static double ended(Node& node, int lead) {
        node.over = true;
        node.visits = 1;
        return node.total = (lead > 0) - (lead < 0);
    }

    // What a move is worth to the mover, by the cells after it.
    double valued(const Position& state, Move move, int gain, bool ends) const {
        const int mine = state.owned[state.white], theirs = state.owned[!state.white];
        if (ends) return (mine > theirs) - (mine < theirs);
        const int taken = move == pass ? 0 : lost(state, move);
        return balance(mine + gain - taken, theirs - taken);
    }

    // How many cells of the other side lie in a rectangle.
    static int lost(const Position& state, Move move) {
        const auto [top, left, bottom, right] = Rectangle::of(move);
        const char other = Position::owner(!state.white);
        int cells = 0;
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) cells += state.at(row, column) == other;
        return cells;
    }

    search::Found told(std::uint64_t simulations) const {
        search::Found found;
        found.nodes = simulations;
        found.depth = deepest_;
        const Node& root = nodes_[0];
        for (std::uint32_t child = root.first; child < root.first + root.size; ++child)
            found.visits.push_back({written(Move{nodes_[child].move}), nodes_[child].visits, nodes_[child].mean()});
        std::stable_sort(found.visits.begin(), found.visits.end(), [](const search::Visits& one, const search::Visits& other) {
            return one.visits != other.visits ? one.visits > other.visits : one.mean > other.mean;
        });
        if (found.visits.empty()) found.visits.push_back({written(pass), 1, 0});
        found.move = found.visits[0].move;
        found.score = found.visits[0].mean;
        found.line = {found.move};
        return found;
    }

    Position root_;
    States& states_;
    Recipe recipe_;
    search::Watch& watch_;
    Choices choices_;
    Nodes nodes_;
    Path path_;
    std::size_t grown_ = 0;
    int deepest_ = 0;
};

}  // namespace arena::mushroom
