// What every PUCT search does: walk down the tree to leaves, remember the ways, and back up the values of the leaves.
// agents/puct/tree.py is the specification.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../core/games.hpp"
#include "../core/search_result.hpp"
#include "tree.hpp"

namespace arena::puct {

enum Phase { SELECT, EVALUATE, EXPAND, BACKUP, phases };

// `Search` derives from this and has these members:
//   bool grow(node)                 give a node its children when a descent meets it; false: the descent ends there
//   std::uint32_t choose(node, mean)  the child to go to; `mean` is the value of the node for the side to move
//   void evaluate(leaf)             the board is in the position of the leaf: set its value, or leave it unknown
//   void lap(phase)                 called at the end of a phase
template <typename Search, search::SearchGame Game>
class Descents {
public:
    using Board = typename Game::Board;
    using Move = typename Game::Move;

    explicit Descents(std::uint32_t room) : tree_(room), moves_(new Move[Board::max_moves]) {}

    // Set the position to search from. The part of the tree below it is kept.
    void set_root(const Board& board) {
        drop();
        const std::uint32_t start = board_ ? find_node(board) : none;
        if (start == none) {
            tree_.clear();
            chooser_ = board.white();
        } else if (start != 0) {
            tree_.keep(start);
        }
        board_.emplace(board);
        deepest_ = 0;
    }
    const Tree& tree() const { return tree_; }
    bool over() const { return !board_ || board_->over(); }
    int moves() const { return board_ ? board_->moves(moves_.get()) : 0; }
    int deepest() const { return deepest_; }
    std::uint32_t visits() const { return tree_[0].visits; }

    // The expected line of play.
    std::vector<std::string> line() const {
        std::vector<std::string> found;
        for (std::uint32_t node = tree_.favourite(tree_[0]); node; node = tree_.favourite(tree_[node]))
            found.push_back(Game::text(*board_, static_cast<Move>(tree_[node].move)));
        return found;
    }

    // The most visited moves of the root, each with its most visited answers.
    std::vector<search::Branch> two_levels() const {
        std::vector<search::Branch> found;
        if (!board_) return found;
        Board board = *board_;
        for (const std::uint32_t child : most_visited(tree_[0], search::told_moves)) {
            const std::string move = Game::text(board, static_cast<Move>(tree_[child].move));
            found.push_back({{move}, tree_[child].visits, mean(child)});
            board.push(static_cast<Move>(tree_[child].move));
            for (const std::uint32_t answer : most_visited(tree_[child], search::told_answers))
                found.push_back({{move, Game::text(board, static_cast<Move>(tree_[answer].move))}, tree_[answer].visits, -mean(answer)});
            board.pop();
        }
        return found;
    }

protected:
    // One step of a descent: its node, and the side that chose it. For a root without history it is the side to move.
    struct Step {
        std::uint32_t node;
        bool white;
    };
    // The end of a descent: its steps, the side to move there, and the value for that side.
    struct Leaf {
        std::size_t begin, end;
        bool white, known;
        double value;
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // The mean reward of the side that chose the move of a node that was visited.
    double mean(std::uint32_t node) const { return tree_[node].total / tree_[node].visits; }

    std::vector<std::uint32_t> most_visited(const Node& here, std::size_t most) const {
        std::vector<std::uint32_t> found;
        if (here.size == finished) return found;
        for (std::uint32_t child = here.first; here.first && child < here.first + here.size; ++child)
            if (tree_[child].visits) found.push_back(child);
        std::stable_sort(found.begin(), found.end(), [this](auto one, auto other) { return tree_[one].visits > tree_[other].visits; });
        if (found.size() > most) found.resize(most);
        return found;
    }

    // Walk down to at most `batch` leaves. They are added to those of this round.
    void collect(int batch) {
        for (int index = 0; index < batch; ++index) {
            const std::size_t begin = steps_.size();
            descend();
            Node& node = tree_[steps_.back().node];
            // Another simulation of this round waits for the value of this leaf: end the round.
            const bool is_pending = !node.visits && node.pending;
            self().lap(SELECT);
            if (!is_pending) {
                leaves_.push_back(leaf(begin));
                for (std::size_t step = begin; step < steps_.size(); ++step) ++tree_[steps_[step].node].pending;
            }
            for (std::size_t step = begin + 1; step < steps_.size(); ++step) board_->pop();
            self().lap(EVALUATE);
            if (is_pending) return steps_.resize(begin);
        }
    }

    // Update every node on the paths, each for the side that chose it.
    void backup() {
        for (const Leaf& leaf : leaves_)
            for (std::size_t step = leaf.begin; step < leaf.end; ++step) {
                Node& node = tree_[steps_[step].node];
                --node.pending;
                ++node.visits;
                node.total += steps_[step].white == leaf.white ? leaf.value : -leaf.value;
            }
        clear_round();
        self().lap(BACKUP);
    }

    // Forget a round that was not backed up. Only children that were added stay.
    void drop() {
        for (const Leaf& leaf : leaves_)
            for (std::size_t step = leaf.begin; step < leaf.end; ++step) --tree_[steps_[step].node].pending;
        clear_round();
    }
    void clear_round() {
        leaves_.clear();
        steps_.clear();
    }

    // Whether the game of a node is over; the board is in its position. The node then remembers who won.
    bool finish(Leaf& leaf, std::uint32_t at) {
        Node& node = tree_[at];
        if (node.size != finished) {
            if (!board_->over()) return false;
            mark_finished(node);
        }
        const double of_white = static_cast<double>(node.first) - 1;
        leaf.value = leaf.white ? of_white : -of_white;
        leaf.known = true;
        return true;
    }
    void mark_finished(Node& node) {
        node.size = finished;
        node.first = static_cast<std::uint32_t>(1 + board_->result());
    }
    std::uint32_t node_of(const Leaf& leaf) const { return steps_[leaf.end - 1].node; }

    // Make the move of a child of the root, which becomes the root.
    void advance(std::uint32_t child) {
        drop();
        chooser_ = board_->white();
        board_->push(static_cast<Move>(tree_[child].move));
        tree_.keep(child);
        deepest_ = 0;
    }

    Tree tree_;
    std::optional<Board> board_;
    bool chooser_ = false;  // the side that chose the root
    std::unique_ptr<Move[]> moves_;
    std::vector<Step> steps_;
    std::vector<Leaf> leaves_;
    int deepest_ = 0;

private:
    Search& self() { return static_cast<Search&>(*this); }

    // Walk down to a node without children; the board is then in its position.
    void descend() {
        std::uint32_t node = 0;
        bool chooser = chooser_;
        const std::size_t begin = steps_.size();
        steps_.push_back({node, chooser});
        while (tree_[node].size != finished && (tree_[node].first || self().grow(node))) {
            const Node& here = tree_[node];
            const bool mover = board_->white();
            const double mean = here.visits ? here.total / here.visits : 0.0;
            node = self().choose(node, chooser == mover ? mean : -mean);
            chooser = mover;
            board_->push(static_cast<Move>(tree_[node].move));
            steps_.push_back({node, chooser});
        }
        deepest_ = std::max(deepest_, static_cast<int>(steps_.size() - begin) - 1);
    }

    Leaf leaf(std::size_t begin) {
        Leaf found{begin, steps_.size(), board_->white(), false, 0};
        self().evaluate(found);
        return found;
    }

    // The node of this position, at the root or one or two turns later.
    std::uint32_t find_node(const Board& sought) {
        const std::uint32_t found = find_node(sought, Game::table_key(sought), 0, 0, chooser_);
        return found != none && same_moves(tree_[found], sought) ? found : none;
    }
    std::uint32_t find_node(const Board& sought, std::uint64_t key, std::uint32_t node, int turn, bool chooser) {
        if (board_->white() == sought.white() && Game::table_key(*board_) == key) return chooser_ = chooser, node;
        const Node& here = tree_[node];
        if (turn == 2 || here.size == finished || !here.first) return none;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
            if (!tree_[child].visits) continue;
            const bool mover = board_->white();
            board_->push(static_cast<Move>(tree_[child].move));
            const std::uint32_t found = find_node(sought, key, child, turn + 1, mover);
            board_->pop();
            if (found != none) return found;
        }
        return none;
    }
    // Whether a node has the moves of a board. In Go the same board with another history may have other moves.
    bool same_moves(const Node& node, const Board& board) {
        if (node.size == finished || !node.first) return node.size != finished;
        const int size = board.moves(moves_.get());
        if (size != node.size) return false;
        for (int index = 0; index < size; ++index)
            if (tree_[node.first + static_cast<std::uint32_t>(index)].move != static_cast<std::uint32_t>(moves_[index])) return false;
        return true;
    }
};

}  // namespace arena::puct
