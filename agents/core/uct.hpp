// UCT: many simulations, more of them where they went well. The tree is kept from move to move.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "rules.hpp"
#include "watch.hpp"

namespace arena::search {

struct Recipe {
    double seconds = 0;
    std::uint64_t simulations = 0;
    int depth = 0;   // turns from the root to the place where a simulation is valued; 0: the game is played to its end
    double c = 0;    // how much is explored
    double rave = 0; // visits after which moves count as much in themselves as wherever they were played; 0: never
    bool amplified = false;  // a simulation brings 1 if it ends better than the present position, else 0
    bool weighted = false;   // playouts prefer some moves
    std::uint64_t seed = 0;
};

template <typename Rules>
class Uct {
    using Board = typename Rules::Board;
    using Move = typename Rules::Move;

public:
    Uct() = default;
    ~Uct() { std::free(nodes_); }
    Uct(const Uct&) = delete;
    Uct& operator=(const Uct&) = delete;

    // The game of `root` must not be over. Simulations of earlier moves that led here count.
    Found search(const Board& root, const Recipe& recipe, Watch& watch) {
        prepare(root, recipe);
        std::uint64_t simulations = 0;
        // Slow simulations look at the clock each time.
        const std::uint64_t often = recipe.weighted || recipe.rave > 0 ? 0 : 7;
        do simulate();
        while (++simulations < recipe.simulations && !watch.stop(simulations, often));
        return told(simulations);
    }

private:
    struct Node {
        std::uint32_t first;  // of its children, which follow one another; 0: none yet
        std::uint16_t size;   // how many there are, or `over`
        std::uint16_t tried;  // how many of them have been tried: they come first
        std::uint32_t visits;
        std::uint32_t move;
        double total;  // what the visits brought the side that made the move
        std::uint32_t rave_visits;
        float rave_total;

        double mean() const { return visits ? total / visits : 0.0; }
        double rave_mean() const { return rave_visits ? rave_total / static_cast<float>(rave_visits) : 1.0; }
    };
    static_assert(sizeof(Node) == 32 && Board::max_moves < 65535);
    static constexpr std::uint16_t over = 65535;
    static constexpr std::uint32_t room = 3'000'000;  // 96 MB at most: pages that are not used cost nothing

    static Node* fresh() {
        auto* nodes = static_cast<Node*>(std::malloc(room * sizeof(Node)));
        if (!nodes) throw std::bad_alloc();
        return nodes;
    }

    void prepare(const Board& root, const Recipe& recipe) {
        const double level = Rules::share(root);
        const std::uint32_t start = comparable(recipe, level, root.white()) ? place(root) : none;
        if (start == none) {
            if (!nodes_) nodes_ = fresh();
            used_ = 1;
            nodes_[0] = {};
        } else if (start != 0) {
            keep(start);
        }
        recipe_.emplace(recipe);
        level_ = level;
        board_.emplace(root);
        dice_ = Random(recipe.seed);
        if (played_.empty()) played_.assign(2 * Rules::codes, 0);
        if (!moves_) moves_.reset(new Move[Board::max_moves]);
        deepest_ = 0;
    }

    // Rewards that were measured by another yardstick say nothing here.
    bool comparable(const Recipe& recipe, double level, bool white) const {
        if (!recipe_ || recipe_->depth != recipe.depth || recipe_->amplified != recipe.amplified) return false;
        if ((recipe_->rave > 0) != (recipe.rave > 0) || recipe_->weighted != recipe.weighted) return false;
        return !recipe.amplified || recipe.depth == 0 || (level == level_ && white == board_->white());
    }

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Where the tree has this position: at its root, or one or two turns later.
    std::uint32_t place(const Board& sought) {
        const std::uint32_t found = place(sought, Rules::table_key(sought), 0, 0);
        return found != none && same_moves(nodes_[found], sought) ? found : none;
    }

    // Whether a node has the moves of a board; that of Go may have come about in two ways, which forbid different moves.
    bool same_moves(const Node& node, const Board& board) {
        if (!node.first) return true;
        const int size = board.moves(moves_.get());
        if (size != node.size) return false;
        std::vector<Move> moves(moves_.get(), moves_.get() + size);
        std::sort(moves.begin(), moves.end());
        const auto known = [&](const Node& child) {
            return std::binary_search(moves.begin(), moves.end(), static_cast<Move>(child.move));
        };
        return std::all_of(nodes_ + node.first, nodes_ + node.first + node.size, known);
    }

    std::uint32_t place(const Board& sought, std::uint64_t key, std::uint32_t node, int turn) {
        if (board_->white() == sought.white() && Rules::table_key(*board_) == key) return node;
        if (turn == 2) return none;
        const Node& here = nodes_[node];
        for (std::uint32_t child = here.first; child < here.first + here.tried; ++child) {
            board_->push(static_cast<Move>(nodes_[child].move));
            const std::uint32_t found = place(sought, key, child, turn + 1);
            board_->pop();
            if (found != none) return found;
        }
        return none;
    }

    // Make a node the root; what is not below it is forgotten.
    void keep(std::uint32_t start) {
        Node* old = std::exchange(nodes_, nullptr);
        try {
            nodes_ = fresh();
        } catch (...) {
            nodes_ = old;
            throw;
        }
        nodes_[0] = old[start];
        used_ = 1;
        for (std::uint32_t node = 0; node < used_; ++node) {
            Node& here = nodes_[node];
            if (!here.first) continue;
            std::copy(old + here.first, old + here.first + here.size, nodes_ + used_);
            here.first = used_;
            used_ += here.size;
        }
        std::free(old);
    }

    // Walk down, value what is there, tell every node on the way.
    void simulate() {
        path_.assign(1, 0);
        way_.clear();
        while (!deep_enough()) {
            const std::uint32_t node = path_.back();
            if (!nodes_[node].first && !grown(node)) break;
            const std::uint32_t child = selected(nodes_[node]);
            path_.push_back(child);
            make(static_cast<Move>(nodes_[child].move));
            if (nodes_[child].visits == 0) break;
        }
        deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
        const double white = reward();
        for (std::size_t turn = way_.size(); turn; --turn) board_->pop();
        bool of_white = !board_->white();
        for (const std::uint32_t node : path_) {
            ++nodes_[node].visits;
            nodes_[node].total += of_white ? white : 1 - white;
            of_white = !of_white;
        }
        if (recipe_->rave > 0) spread(white);
    }

    bool deep_enough() const { return recipe_->depth && way_.size() >= static_cast<std::size_t>(recipe_->depth); }

    void make(Move move) {
        way_.push_back(static_cast<std::uint32_t>(Rules::code(move) + (board_->white() ? Rules::codes : 0)));
        board_->push(move);
    }

    // Give a node its children, in random order; not if the game is over, nor as long as it is too early.
    bool grown(std::uint32_t node) {
        Node& here = nodes_[node];
        // The fuller the tree, the more visits a node needs: so there is always room where it matters.
        if (here.size == over || (node && here.visits < 1 + 32ULL * used_ / room)) return false;
        const int size = board_->moves(moves_.get());
        if (!size) here.size = over;
        if (!size || used_ + static_cast<std::uint32_t>(size) > room) return false;
        for (int left = size; left > 1; --left)
            std::swap(moves_[left - 1], moves_[dice_.below(static_cast<std::uint32_t>(left))]);
        here.first = used_;
        here.size = static_cast<std::uint16_t>(size);
        here.tried = 0;
        for (int index = 0; index < size; ++index) {
            nodes_[used_] = {};
            nodes_[used_++].move = static_cast<std::uint32_t>(moves_[index]);
        }
        return true;
    }

    // A child that nobody has tried, then the most promising.
    std::uint32_t selected(Node& here) {
        if (recipe_->rave > 0) {
            here.tried = here.size;
        } else if (here.tried < here.size) {
            return here.first + here.tried++;
        }
        const double width = recipe_->c * std::sqrt(std::log(static_cast<double>(here.visits) + 1));
        std::uint32_t best = here.first;
        double top = -1;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
            const double bound = recipe_->rave > 0 ? blended(nodes_[child], width)
                                                   : nodes_[child].mean() + width / std::sqrt(nodes_[child].visits);
            if (bound > top) top = bound, best = child;
        }
        return best;
    }

    // With few visits, what counts is how games went in which the move was played at any later time.
    double blended(const Node& node, double width) const {
        const double trust = std::sqrt(recipe_->rave / (3.0 * node.visits + recipe_->rave));
        return (1 - trust) * node.mean() + trust * node.rave_mean() + width / std::sqrt(node.visits + 1.0);
    }

    // Tell every sibling on the way whose move was made later by the same side.
    void spread(double white) {
        ++stamp_;
        for (std::size_t turn = way_.size(); turn--;) {
            played_[way_[turn]] = stamp_;
            if (turn >= path_.size() || !nodes_[path_[turn]].first) continue;
            const bool of_white = board_->white() == (turn % 2 == 0);
            const std::uint32_t* played = &played_[of_white ? Rules::codes : 0];
            const Node& here = nodes_[path_[turn]];
            for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
                Node& node = nodes_[child];
                if (played[Rules::code(static_cast<Move>(node.move))] != stamp_) continue;
                ++node.rave_visits;
                node.rave_total += static_cast<float>(of_white ? white : 1 - white);
            }
        }
    }

    static double points(int result) { return (1 + result) / 2.0; }

    // What the simulation brings White, from where the tree ends.
    double reward() {
        const bool weighs = recipe_->weighted && Rules::weighs;
        for (int size, made = 0; !deep_enough(); make(drawn(size)), ++made) {
            // To the end of the game the kernel is faster, but does not say by which moves it went.
            if constexpr (requires(Board& board, Random& dice) { Rules::playout(board, dice); })
                if (!recipe_->depth && !weighs && (recipe_->rave == 0 || made == noted)) return points(Rules::playout(*board_, dice_));
            if ((size = board_->moves(moves_.get())) == 0) return points(board_->result());
        }
        int value;
        if (!Rules::leaf(*board_, value)) return points(board_->result());
        const double share = Rules::share(*board_);
        if (!recipe_->amplified) return share;
        return root_is_white() ? share > level_ : !(share < level_);
    }
    static constexpr int noted = 16;  // moves beyond the tree that RAVE learns from

    // Whether White is to move at the root.
    bool root_is_white() const { return board_->white() == (way_.size() % 2 == 0); }

    // One of the moves that were just found.
    Move drawn(int size) {
        if (!recipe_->weighted || !Rules::weighs) return moves_[dice_.below(static_cast<std::uint32_t>(size))];
        weights_.clear();
        std::uint32_t sum = 0;
        for (int index = 0; index < size; ++index) weights_.push_back(sum += Rules::weight(*board_, moves_[index]));
        const auto place = std::upper_bound(weights_.begin(), weights_.end(), dice_.below(sum));
        return moves_[place - weights_.begin()];
    }

    // The children of a node, most visited first; of equally visited ones the better on average.
    std::vector<std::uint32_t> ranked(const Node& node) const {
        std::vector<std::uint32_t> children;
        for (std::uint32_t child = node.first; node.first && child < node.first + node.size; ++child)
            if (nodes_[child].visits) children.push_back(child);
        std::sort(children.begin(), children.end(), [this](std::uint32_t one, std::uint32_t other) {
            const Node &left = nodes_[one], &right = nodes_[other];
            return left.visits != right.visits ? left.visits > right.visits : left.mean() > right.mean();
        });
        return children;
    }

    // Whether the side that made the move has won by it.
    bool won(std::uint32_t node) {
        board_->push(static_cast<Move>(nodes_[node].move));
        const bool wins = board_->over() && board_->result() == (board_->white() ? -1 : 1);
        board_->pop();
        return wins;
    }

    Found told(std::uint64_t simulations) {
        Found found;
        std::vector<std::uint32_t> children = ranked(nodes_[0]);
        // A move that wins at once needs no more visits to be trusted.
        const auto winner = std::find_if(children.begin(), children.end(), [this](std::uint32_t child) { return won(child); });
        if (winner != children.end()) std::rotate(children.begin(), winner, winner + 1);
        found.nodes = simulations;
        found.depth = deepest_;
        found.score = nodes_[children[0]].mean();
        for (const std::uint32_t child : children)
            found.visits.push_back({Rules::text(*board_, static_cast<Move>(nodes_[child].move)), nodes_[child].visits, nodes_[child].mean()});
        found.move = found.visits[0].move;
        for (; !children.empty(); children = ranked(nodes_[children[0]]))
            found.line.push_back(Rules::text(*board_, static_cast<Move>(nodes_[children[0]].move)));
        return found;
    }

    Node* nodes_ = nullptr;
    std::uint32_t used_ = 0;
    std::optional<Recipe> recipe_;
    std::optional<Board> board_;
    double level_ = 0;
    Random dice_{0};
    std::unique_ptr<Move[]> moves_;
    std::vector<std::uint32_t> path_, way_, played_, weights_;
    std::uint32_t stamp_ = 0;
    int deepest_ = 0;
};

}  // namespace arena::search
