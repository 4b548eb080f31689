// UCT: Monte Carlo tree search with an upper confidence bound. The tree is kept from move to move.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "games.hpp"
#include "nodes.hpp"
#include "search_result.hpp"
#include "stop_condition.hpp"

namespace arena::search {

struct Recipe {
    double seconds = 0;
    std::uint64_t simulations = 0;
    int depth = 0;           // turns from the root at which a simulation is evaluated; 0: the game is played to its end
    double c = 0;            // weight of exploration
    double rave = 0;         // number of visits at which a move's own mean and its RAVE mean weigh about the same; 0: no RAVE
    bool amplified = false;  // the reward is 1 if a simulation ends better than the present position, else 0
    bool weighted = false;   // playouts prefer some moves
    std::uint64_t seed = 0;
};

template <SearchGame Game>
class Uct {
    using Board = typename Game::Board;
    using Move = typename Game::Move;

public:
    // The game of `root` must not be over. Simulations of earlier searches below this position count.
    SearchResult search(const Board& root, const Recipe& recipe, StopCondition& stop) {
        prepare(root, recipe);
        std::uint64_t simulations = 0;
        // Slow simulations read the clock each time.
        const std::uint64_t mask = recipe.weighted || recipe.rave > 0 ? 0 : 7;
        do {
            simulate();
            if (stop.report_due()) stop.tell(result(simulations + 1, true));
        } while (++simulations < recipe.simulations && !stop.stop(simulations, mask));
        return result(simulations, stop.has_listener());
    }

private:
    struct Node {
        std::uint32_t first;  // index of the first child, the others follow; 0: no children yet
        std::uint16_t size;   // number of children, or `finished`
        std::uint16_t tried;  // number of children that were visited: the first ones
        std::uint32_t visits;
        std::uint32_t move;
        double total;  // rewards of the side that made the move
        std::uint32_t rave_visits;
        float rave_total;

        double mean() const { return visits ? total / visits : 0.0; }
        double rave_mean() const { return rave_visits ? rave_total / static_cast<float>(rave_visits) : 1.0; }
    };
    static_assert(sizeof(Node) == 32 && Board::max_moves < finished);
    static constexpr std::uint32_t room = 3'000'000;  // nodes; 96 MB at most: memory that is never touched costs nothing

    void prepare(const Board& root, const Recipe& recipe) {
        const double level = Game::white_share(root);
        const std::uint32_t start = comparable(recipe, level, root.white()) ? find_node(root) : none;
        if (start == none) {
            nodes_.clear();
        } else if (start != 0) {
            nodes_.keep(start);
        }
        recipe_.emplace(recipe);
        level_ = level;
        board_.emplace(root);
        random_ = Random(recipe.seed);
        if (played_.empty()) played_.assign(2 * Game::move_indexes, 0);
        if (!moves_) moves_.reset(new Move[Board::max_moves]);
        deepest_ = 0;
    }

    // Whether the rewards in the tree were computed as this search computes them.
    bool comparable(const Recipe& recipe, double level, bool white) const {
        if (!recipe_ || recipe_->depth != recipe.depth || recipe_->amplified != recipe.amplified) return false;
        if ((recipe_->rave > 0) != (recipe.rave > 0) || recipe_->weighted != recipe.weighted) return false;
        return !recipe.amplified || recipe.depth == 0 || (level == level_ && white == board_->white());
    }

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // The node of this position, at the root or one or two turns later.
    std::uint32_t find_node(const Board& sought) {
        const std::uint32_t found = find_node(sought, Game::table_key(sought), 0, 0);
        return found != none && same_moves(nodes_[found], sought) ? found : none;
    }

    // Whether a node has the moves of a board. In Go the same board with another history may have other moves.
    bool same_moves(const Node& node, const Board& board) {
        if (!node.first) return true;
        const int size = board.moves(moves_.get());
        if (size != node.size) return false;
        std::vector<Move> moves(moves_.get(), moves_.get() + size);
        std::sort(moves.begin(), moves.end());
        const auto known = [&](const Node& child) {
            return std::binary_search(moves.begin(), moves.end(), static_cast<Move>(child.move));
        };
        return std::all_of(&nodes_[node.first], &nodes_[node.first] + node.size, known);
    }

    std::uint32_t find_node(const Board& sought, std::uint64_t key, std::uint32_t node, int turn) {
        if (board_->white() == sought.white() && Game::table_key(*board_) == key) return node;
        if (turn == 2) return none;
        const Node& here = nodes_[node];
        for (std::uint32_t child = here.first; child < here.first + here.tried; ++child) {
            board_->push(static_cast<Move>(nodes_[child].move));
            const std::uint32_t found = find_node(sought, key, child, turn + 1);
            board_->pop();
            if (found != none) return found;
        }
        return none;
    }

    // Walk down the tree, evaluate the position there, and update every node on the path.
    void simulate() {
        path_.assign(1, 0);
        made_.clear();
        while (!deep_enough()) {
            const std::uint32_t node = path_.back();
            if (!nodes_[node].first && !grow(node)) break;
            const std::uint32_t child = select(nodes_[node]);
            path_.push_back(child);
            make(static_cast<Move>(nodes_[child].move));
            if (nodes_[child].visits == 0) break;
        }
        deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
        const double white = reward();
        for (std::size_t turn = made_.size(); turn; --turn) board_->pop();
        bool of_white = !board_->white();
        for (const std::uint32_t node : path_) {
            ++nodes_[node].visits;
            nodes_[node].total += of_white ? white : 1 - white;
            of_white = !of_white;
        }
        if (recipe_->rave > 0) update_rave(white);
    }

    bool deep_enough() const { return recipe_->depth && made_.size() >= static_cast<std::size_t>(recipe_->depth); }

    void make(Move move) {
        made_.push_back(static_cast<std::uint32_t>(Game::move_index(move) + (board_->white() ? Game::move_indexes : 0)));
        board_->push(move);
    }

    // Give a node its children, in random order. False if the game is over, or if the node has too few visits yet.
    bool grow(std::uint32_t node) {
        Node& here = nodes_[node];
        // The fuller the tree, the more visits a node needs. So there is always room for the important nodes.
        if (here.size == finished || (node && here.visits < 1 + 32ULL * nodes_.used() / room)) return false;
        const int size = board_->moves(moves_.get());
        if (!size) here.size = finished;
        if (!size || !nodes_.has_room(size)) return false;
        for (int left = size; left > 1; --left)
            std::swap(moves_[left - 1], moves_[random_.below(static_cast<std::uint32_t>(left))]);
        here.first = nodes_.used();
        here.size = static_cast<std::uint16_t>(size);
        here.tried = 0;
        for (int index = 0; index < size; ++index) nodes_.add({.move = static_cast<std::uint32_t>(moves_[index])});
        return true;
    }

    // A child without visits, else the child with the highest bound.
    std::uint32_t select(Node& here) {
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

    // With few visits the RAVE mean counts: the results of simulations in which the move was made at any later time.
    double blended(const Node& node, double width) const {
        const double trust = std::sqrt(recipe_->rave / (3.0 * node.visits + recipe_->rave));
        return (1 - trust) * node.mean() + trust * node.rave_mean() + width / std::sqrt(node.visits + 1.0);
    }

    // Update the RAVE values of all children along the path whose move was made later by the same side.
    void update_rave(double white) {
        ++stamp_;
        for (std::size_t turn = made_.size(); turn--;) {
            played_[made_[turn]] = stamp_;
            if (turn >= path_.size() || !nodes_[path_[turn]].first) continue;
            const bool of_white = board_->white() == (turn % 2 == 0);
            const std::uint32_t* played = &played_[of_white ? Game::move_indexes : 0];
            const Node& here = nodes_[path_[turn]];
            for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
                Node& node = nodes_[child];
                if (played[Game::move_index(static_cast<Move>(node.move))] != stamp_) continue;
                ++node.rave_visits;
                node.rave_total += static_cast<float>(of_white ? white : 1 - white);
            }
        }
    }

    static double points(int winner) { return (1 + winner) / 2.0; }

    // White's reward of the simulation, played on from the end of the path.
    double reward() {
        const bool weighted = recipe_->weighted && Game::has_weights;
        for (int size, made = 0; !deep_enough(); make(draw(size)), ++made) {
            // The playout of the kernel is faster, but does not tell its moves.
            if constexpr (HasFastPlayout<Game>)
                if (!recipe_->depth && !weighted && (recipe_->rave == 0 || made == rave_moves))
                    return points(Game::playout(*board_, random_));
            if ((size = board_->moves(moves_.get())) == 0) return points(board_->result());
        }
        int value;
        if (!Game::evaluate(*board_, value)) return points(board_->result());
        const double share = Game::white_share(*board_);
        if (!recipe_->amplified) return share;
        return root_is_white() ? share > level_ : !(share < level_);
    }
    static constexpr int rave_moves = 16;  // moves beyond the tree that count for RAVE

    // Whether White is to move at the root.
    bool root_is_white() const { return board_->white() == (made_.size() % 2 == 0); }

    // A random one of the legal moves that were found last.
    Move draw(int size) {
        if (!recipe_->weighted || !Game::has_weights) return moves_[random_.below(static_cast<std::uint32_t>(size))];
        weights_.clear();
        std::uint32_t sum = 0;
        for (int index = 0; index < size; ++index) weights_.push_back(sum += Game::weight(*board_, moves_[index]));
        const auto place = std::upper_bound(weights_.begin(), weights_.end(), random_.below(sum));
        return moves_[place - weights_.begin()];
    }

    // The visited children of a node, most visited first; the better mean first among equals.
    std::vector<std::uint32_t> ranked_children(const Node& node) const {
        std::vector<std::uint32_t> children;
        for (std::uint32_t child = node.first; node.first && child < node.first + node.size; ++child)
            if (nodes_[child].visits) children.push_back(child);
        std::sort(children.begin(), children.end(), [this](std::uint32_t one, std::uint32_t other) {
            const Node &left = nodes_[one], &right = nodes_[other];
            return left.visits != right.visits ? left.visits > right.visits : left.mean() > right.mean();
        });
        return children;
    }

    // Whether the move of a child of the root wins at once.
    bool won(std::uint32_t node) {
        board_->push(static_cast<Move>(nodes_[node].move));
        const bool wins = board_->over() && board_->result() == (board_->white() ? -1 : 1);
        board_->pop();
        return wins;
    }

    // The first children of the root, each with its most visited children.
    std::vector<Branch> two_levels(const std::vector<std::uint32_t>& children) {
        std::vector<Branch> found;
        for (std::size_t index = 0; index < std::min(told_moves, children.size()); ++index) {
            const Node& child = nodes_[children[index]];
            const std::string move = Game::text(*board_, static_cast<Move>(child.move));
            found.push_back({{move}, child.visits, child.mean()});
            board_->push(static_cast<Move>(child.move));
            const std::vector<std::uint32_t> answers = ranked_children(child);
            for (std::size_t at = 0; at < std::min(told_answers, answers.size()); ++at) {
                const Node& answer = nodes_[answers[at]];
                found.push_back({{move, Game::text(*board_, static_cast<Move>(answer.move))}, answer.visits, 1 - answer.mean()});
            }
            board_->pop();
        }
        return found;
    }

    SearchResult result(std::uint64_t simulations, bool with_tree) {
        SearchResult found;
        std::vector<std::uint32_t> children = ranked_children(nodes_[0]);
        // A move that wins at once is best, however few visits it has.
        const auto winner = std::find_if(children.begin(), children.end(), [this](std::uint32_t child) { return won(child); });
        if (winner != children.end()) std::rotate(children.begin(), winner, winner + 1);
        found.nodes = simulations;
        found.depth = deepest_;
        found.score = nodes_[children[0]].mean();
        for (const std::uint32_t child : children) {
            const Node& node = nodes_[child];
            found.visits.push_back({Game::text(*board_, static_cast<Move>(node.move)), node.visits, node.mean()});
        }
        found.move = found.visits[0].move;
        if (with_tree) found.tree = two_levels(children);
        for (; !children.empty(); children = ranked_children(nodes_[children[0]]))
            found.line.push_back(Game::text(*board_, static_cast<Move>(nodes_[children[0]].move)));
        return found;
    }

    Nodes<Node> nodes_{room};
    std::optional<Recipe> recipe_;
    std::optional<Board> board_;
    double level_ = 0;
    Random random_{0};
    std::unique_ptr<Move[]> moves_;
    std::vector<std::uint32_t> path_, made_, played_, weights_;
    std::uint32_t stamp_ = 0;
    int deepest_ = 0;
};

}  // namespace arena::search
