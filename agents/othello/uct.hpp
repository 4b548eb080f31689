// UCT with or without RAVE, with several kinds of playouts. agents/othello/tree.py and playouts.py are the specification.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../core/search_result.hpp"
#include "../core/stop_condition.hpp"
#include "othello.hpp"

namespace arena::othello {

enum class Playout { random, light, heavy, adaptive, combined };

struct Recipe {
    std::uint64_t simulations = 0;
    Playout playout = Playout::random;
    double c = 1.4;
    double rave = 0;
    std::uint64_t seed = 0;
};

constexpr std::array<std::int8_t, 64> map_b() {
    std::array<std::int8_t, 64> weights{};
    for (const auto& [value, squares] : WEIGHTS)
        for (std::size_t square = 0; square < 64; ++square)
            if (squares >> square & 1) weights[square] = static_cast<std::int8_t>(value);
    return weights;
}
inline constexpr std::array<std::int8_t, 64> MAP_B = map_b();

// Chooses the moves of a playout.
class PlayoutPolicy {
public:
    PlayoutPolicy(Playout kind, Random& random) : kind_(kind), random_(random) {}

    // A move in a position that has one. `made` is the number of moves made so far in the playout.
    int move(const Position& position, Bits squares, int made) {
        switch (kind_) {
            case Playout::random: return draw(squares);
            case Playout::light: return roulette(squares);
            case Playout::heavy: return best(position, squares, true);
            case Playout::adaptive: return made < careful ? best(position, squares, false) : draw(squares);
            case Playout::combined: return made < careful ? best(position, squares, false) : roulette(squares);
        }
        return pass;
    }

private:
    static constexpr int careful = 10;
    static constexpr int chance = 26;

    int draw(Bits squares) {
        for (std::uint32_t skip = random_.below(static_cast<std::uint32_t>(count(squares))); skip; --skip) squares &= squares - 1;
        return lowest(squares);
    }

    int roulette(Bits squares) {
        int sum = 0;
        for (Bits left = squares; left;) sum += MAP_B[static_cast<std::size_t>(take(left))] + chance;
        int ball = static_cast<int>(random_.below(static_cast<std::uint32_t>(sum)));
        while (true) {
            const int square = take(squares);
            ball -= MAP_B[static_cast<std::size_t>(square)] + chance;
            if (ball < 0) return square;
        }
    }

    int best(const Position& position, Bits squares, bool reply) {
        int best = pass, top = std::numeric_limits<int>::min();
        std::uint32_t equals = 0;
        while (squares) {
            const int square = take(squares);
            const Position next = position.placed(square);
            const int value = reply ? -best_reply(next) : -weight_lead(next.own, next.other);
            equals = value > top ? 1 : equals + (value == top);
            if (value > top || (value == top && random_.below(equals) == 0)) best = square, top = value;
        }
        return best;
    }

    // The best value that the side to move can reach with one move.
    static int best_reply(const Position& position) {
        Bits squares = position.squares();
        if (!squares) return weight_lead(position.own, position.other);
        int top = std::numeric_limits<int>::min();
        while (squares) {
            const Position next = position.placed(take(squares));
            top = std::max(top, -weight_lead(next.own, next.other));
        }
        return top;
    }

    Playout kind_;
    Random& random_;
};

struct Visited {
    int move;
    std::uint32_t visits;
    double mean;
};

class Tree {
public:
    Tree(const Position& root, const Recipe& recipe)
        : root_(root), recipe_(recipe), random_(recipe.seed), policy_(recipe.playout, random_), nodes_(1) {}

    std::uint64_t run(search::StopCondition& stop) {
        std::uint64_t simulations = 0;
        do simulate();
        while (++simulations < recipe_.simulations && !stop.stop(simulations, 0));
        return simulations;
    }

    // The moves at the root, most visited first; the better mean first among equals.
    std::vector<Visited> ranked() const {
        std::vector<Visited> found;
        const Node& root = nodes_[0];
        for (std::uint32_t child = root.first; child < root.first + root.size; ++child)
            if (nodes_[child].visits) found.push_back({nodes_[child].move, nodes_[child].visits, nodes_[child].mean()});
        std::stable_sort(found.begin(), found.end(), search::more_visited<Visited>);
        return found;
    }

private:
    struct Node {
        std::uint32_t first = 0;  // index of the first child, the others follow
        std::uint8_t size = 0;
        std::uint8_t move = pass;
        bool grown = false;
        std::uint32_t visits = 0;
        double total = 0;  // rewards of the side that made the move
        std::uint32_t rave_visits = 0;
        double rave_total = 0;

        double mean() const { return visits ? total / visits : 0.0; }
        double rave_mean() const { return rave_visits ? rave_total / rave_visits : 1.0; }
    };
    struct Step {
        bool white;
        std::uint8_t move;
    };
    static constexpr std::size_t room = 3'000'000;  // nodes; 144 MB at most, then the tree stops growing

    void simulate() {
        path_.assign(1, 0);
        steps_.clear();
        Position position = root_;
        while (grow(path_.back(), position)) {
            const std::uint32_t child = select(nodes_[path_.back()]);
            path_.push_back(child);
            steps_.push_back({position.white, nodes_[child].move});
            position = position.after(nodes_[child].move);
            if (!nodes_[child].visits) break;
        }
        const double white = play_out(position);
        bool mover = !root_.white;
        for (const std::uint32_t node : path_) {
            ++nodes_[node].visits;
            nodes_[node].total += mover ? white : 1 - white;
            mover = !mover;
        }
        if (recipe_.rave > 0) update_rave(white);
    }

    // Give the node its children if it has none yet and there is room; whether it has any.
    bool grow(std::uint32_t at, const Position& position) {
        if (nodes_[at].grown) return nodes_[at].size;
        std::uint8_t moves[64];
        int size = 0;
        for (Bits squares = position.squares(); squares;) moves[size++] = static_cast<std::uint8_t>(take(squares));
        if (!size && position.opponent_can_move()) moves[size++] = pass;
        if (nodes_.size() + static_cast<std::size_t>(size) > room) return false;
        for (int left = size; left > 1; --left) std::swap(moves[left - 1], moves[random_.below(static_cast<std::uint32_t>(left))]);
        nodes_[at].grown = true;
        nodes_[at].first = static_cast<std::uint32_t>(nodes_.size());
        nodes_[at].size = static_cast<std::uint8_t>(size);
        for (int index = 0; index < size; ++index) nodes_.emplace_back().move = moves[index];
        return size;
    }

    std::uint32_t select(const Node& node) const {
        const double width = recipe_.c * std::sqrt(std::log(node.visits + 1.0));
        std::uint32_t best = node.first;
        double top = -std::numeric_limits<double>::infinity();
        for (std::uint32_t child = node.first; child < node.first + node.size; ++child) {
            const Node& here = nodes_[child];
            if (recipe_.rave == 0 && !here.visits) return child;
            const double bound = recipe_.rave > 0 ? blended(here, width) : here.mean() + width / std::sqrt(here.visits);
            if (bound > top) best = child, top = bound;
        }
        return best;
    }

    double blended(const Node& node, double width) const {
        const double trust = std::sqrt(recipe_.rave / (3.0 * node.visits + recipe_.rave));
        return (1 - trust) * node.mean() + trust * node.rave_mean() + width / std::sqrt(node.visits + 1.0);
    }

    double play_out(Position position) {
        for (int made = 0;; ++made) {
            const Bits squares = position.squares();
            if (!squares && !position.opponent_can_move()) return (1 + position.leader()) / 2.0;
            const int move = squares ? policy_.move(position, squares, made) : int{pass};
            if (recipe_.rave > 0) steps_.push_back({position.white, static_cast<std::uint8_t>(move)});
            position = position.after(static_cast<Move>(move));
        }
    }

    void update_rave(double white) {
        bool later[2][65] = {};
        for (std::size_t turn = steps_.size(); turn--;) {
            const bool color = steps_[turn].white;
            later[color][steps_[turn].move] = true;
            if (turn >= path_.size()) continue;
            const Node& node = nodes_[path_[turn]];
            for (std::uint32_t child = node.first; child < node.first + node.size; ++child) {
                if (!later[color][nodes_[child].move]) continue;
                ++nodes_[child].rave_visits;
                nodes_[child].rave_total += color ? white : 1 - white;
            }
        }
    }

    Position root_;
    Recipe recipe_;
    Random random_;
    PlayoutPolicy policy_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Step> steps_;
};

}  // namespace arena::othello
