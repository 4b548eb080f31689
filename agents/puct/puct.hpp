// PUCT for one game: a tree search that follows priors and values. agents/puct/search.py is the specification.
#pragma once

#include <memory>
#include <optional>

#include "../core/stop_condition.hpp"
#include "tree.hpp"
#include "values.hpp"

namespace arena::puct {

enum Phase { SELECT, EVALUATE, EXPAND, BACKUP, phases };

struct Branch {
    std::string move;
    std::uint32_t visits;
    double mean, prior;  // the mean is for the side to move
};

struct Evaluation {
    double value;
    std::vector<double> priors;
};

template <search::SearchGame Game>
class Puct {
    using Board = typename Game::Board;
    using Move = typename Game::Move;

public:
    explicit Puct(std::uint32_t room) : tree_(room), moves_(new Move[Board::max_moves]) {}

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
        noise_.clear();
        deepest_ = 0;
    }
    const Tree& tree() const { return tree_; }
    bool over() const { return !board_ || board_->over(); }
    int moves() const { return board_ ? board_->moves(moves_.get()) : 0; }
    int deepest() const { return deepest_; }
    std::uint64_t asked() const { return values_ ? values_->asked() : 0; }
    std::uint64_t hits() const { return values_ ? values_->hits() : 0; }
    const double* seconds() const { return seconds_; }

    // `noise` has one value for each move of the root, or none.
    void set(const Settings& settings, const std::vector<double>& noise) {
        settings_ = settings;
        noise_ = noise;
    }

    // Make simulations that are evaluated by a heuristic; returns their number. At least one round is made.
    std::uint64_t run(const Heuristic& heuristic, int cache_bits, std::uint64_t most, bool timed, search::StopCondition& stop) {
        if (!values_ || values_->heuristic() != heuristic || values_->cache_bits() != cache_bits) values_.emplace(heuristic, cache_bits);
        drop();
        timed_ = timed;
        std::uint64_t simulations = 0, rounds = 0;
        const std::uint64_t mask = settings_.batch > 1 || heuristic.look > 0 ? 0 : 7;
        do {
            begin();
            collect(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(settings_.batch), most - simulations)), &*values_);
            simulations += leaves_.size();
            backup();
        } while (simulations < most && !stop.stop(++rounds, mask));
        return simulations;
    }

    // Walk down to `batch` leaves; returns the paths to those that the caller must evaluate.
    std::vector<std::vector<std::string>> collect(int batch) {
        drop();
        begin();
        collect(batch, nullptr);
        std::vector<std::vector<std::string>> paths;
        for (const Leaf& leaf : leaves_) {
            if (leaf.known) continue;
            auto& path = paths.emplace_back();
            for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step)
                path.push_back(Game::text(*board_, static_cast<Move>(tree_[steps_[step].node].move)));
        }
        return paths;
    }

    // Take the values and priors of those leaves, in their order. Returns the number of simulations; -1 if they do not fit.
    int expand(const std::vector<Evaluation>& evaluations) {
        auto next = evaluations.begin();
        for (Leaf& leaf : leaves_) {
            if (leaf.known) continue;
            if (next == evaluations.end() || !expand(leaf, *next++)) return drop(), -1;
        }
        if (next != evaluations.end()) return drop(), -1;
        const int simulations = static_cast<int>(leaves_.size());
        backup();
        return simulations;
    }

    std::uint32_t visits() const { return tree_[0].visits; }

    // The moves of the root in their order; none before the root is expanded.
    std::vector<Branch> branches() const {
        std::vector<Branch> found;
        const Node& root = tree_[0];
        for (std::uint32_t index = 0; root.first && index < root.size; ++index) {
            const Node& child = tree_[root.first + index];
            const double mean = child.visits ? child.total / child.visits : 0.0;
            found.push_back({Game::text(*board_, static_cast<Move>(child.move)), child.visits, mean, child.prior});
        }
        return found;
    }

    // The expected line of play.
    std::vector<std::string> line() const {
        std::vector<std::string> found;
        for (std::uint32_t node = tree_.favourite(tree_[0]); node; node = tree_.favourite(tree_[node]))
            found.push_back(Game::text(*board_, static_cast<Move>(tree_[node].move)));
        return found;
    }

private:
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

    void begin() {
        leaves_.clear();
        steps_.clear();
        if (timed_) lap_ = search::now();
    }

    void collect(int batch, Values<Game>* values) {
        priors_from_ = values;
        for (int index = 0; index < batch; ++index) {
            const std::size_t begin = steps_.size();
            descend();
            Node& node = tree_[steps_.back().node];
            // Another simulation of this round waits for the value of this leaf: end the round.
            const bool is_pending = !node.visits && node.pending;
            lap(SELECT);
            if (!is_pending) {
                leaves_.push_back(leaf(begin, values));
                for (std::size_t step = begin; step < steps_.size(); ++step) ++tree_[steps_[step].node].pending;
            }
            for (std::size_t step = begin + 1; step < steps_.size(); ++step) board_->pop();
            lap(EVALUATE);
            if (is_pending) return steps_.resize(begin);
        }
    }

    // Walk down to a node without children; the board is then in its position.
    void descend() {
        std::uint32_t node = 0;
        bool chooser = chooser_;
        const double* noise = noise_.empty() ? nullptr : noise_.data();
        const std::size_t begin = steps_.size();
        steps_.push_back({node, chooser});
        while (tree_[node].size != finished && (tree_[node].first || grow(node))) {
            const Node& here = tree_[node];
            const bool mover = board_->white();
            const double mean = here.visits ? here.total / here.visits : 0.0;
            node = tree_.select(here, (chooser == mover ? mean : -mean) - settings_.fpu, settings_, noise);
            noise = nullptr;
            chooser = mover;
            board_->push(static_cast<Move>(tree_[node].move));
            steps_.push_back({node, chooser});
        }
        deepest_ = std::max(deepest_, static_cast<int>(steps_.size() - begin) - 1);
    }

    // Give a node its children at its second visit: most nodes are visited once.
    bool grow(std::uint32_t node) {
        if (!priors_from_ || tree_[node].visits == 0 || tree_[node].visits < tree_.visits_to_grow()) return false;
        lap(SELECT);
        const int size = board_->moves(moves_.get());
        const bool done = tree_.grow(node, moves_.get(), size, priors_from_->priors(*board_, moves_.get(), size));
        lap(EXPAND);
        return done;
    }

    // The leaf at the board's position. Without `values` only the value of a finished game is known.
    Leaf leaf(std::size_t begin, Values<Game>* values) {
        Node& node = tree_[steps_.back().node];
        Leaf found{begin, steps_.size(), board_->white(), true, 0};
        if (node.size == finished) {
            found.value = result(node, found.white);
        } else if (values) {
            const Value value = (*values)(*board_);
            found.value = value.value;
            if (value.over) finish(node);
        } else if (board_->over()) {
            finish(node);
            found.value = result(node, found.white);
        } else {
            found.known = false;
        }
        return found;
    }

    void finish(Node& node) {
        node.size = finished;
        node.first = static_cast<std::uint32_t>(1 + board_->result());
    }
    static double result(const Node& node, bool white) {
        const double of_white = static_cast<double>(node.first) - 1;
        return white ? of_white : -of_white;
    }

    bool expand(Leaf& leaf, const Evaluation& evaluation) {
        for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step)
            board_->push(static_cast<Move>(tree_[steps_[step].node].move));
        const int size = board_->moves(moves_.get());
        const std::uint32_t node = steps_[leaf.end - 1].node;
        const bool fits = static_cast<std::size_t>(size) == evaluation.priors.size();
        if (fits && !tree_[node].first) tree_.grow(node, moves_.get(), size, evaluation.priors.data());
        for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step) board_->pop();
        leaf.value = evaluation.value;
        return fits;
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
        leaves_.clear();
        lap(BACKUP);
    }

    // Forget a round that was not backed up. Only children that were added stay.
    void drop() {
        for (const Leaf& leaf : leaves_)
            for (std::size_t step = leaf.begin; step < leaf.end; ++step) --tree_[steps_[step].node].pending;
        leaves_.clear();
    }

    void lap(Phase phase) {
        if (!timed_) return;
        const double time = search::now();
        seconds_[phase] += time - lap_;
        lap_ = time;
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

    Tree tree_;
    Settings settings_;
    std::optional<Board> board_;
    bool chooser_ = false;  // the side that chose the root
    std::optional<Values<Game>> values_;
    Values<Game>* priors_from_ = nullptr;  // gives priors to nodes that get children; null: the caller expands them
    std::unique_ptr<Move[]> moves_;
    std::vector<double> noise_;
    std::vector<Step> steps_;
    std::vector<Leaf> leaves_;
    int deepest_ = 0;
    bool timed_ = false;
    double lap_ = 0, seconds_[phases] = {};
};

}  // namespace arena::puct
