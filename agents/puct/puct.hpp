// PUCT over one game: simulations that follow priors and values. agents/puct/search.py is the specification.
#pragma once

#include <memory>
#include <optional>

#include "../core/watch.hpp"
#include "tree.hpp"
#include "values.hpp"

namespace arena::puct {

enum Phase { SELECT, EVALUATE, EXPAND, BACKUP, phases };

struct Branch {
    std::string move;
    std::uint32_t visits;
    double mean, prior;  // the mean is that of the side to move
};

struct Evaluation {
    double value;
    std::vector<double> priors;
};

template <typename Rules>
class Puct {
    using Board = typename Rules::Board;
    using Move = typename Rules::Move;

public:
    explicit Puct(std::uint32_t room) : tree_(room), moves_(new Move[Board::max_moves]) {}

    // The position to search from. What is known of it from earlier ones is kept.
    void root(const Board& board) {
        drop();
        const std::uint32_t start = board_ ? place(board) : none;
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

    // As many noises as the root has moves, or none.
    void set(const Settings& settings, const std::vector<double>& noise) {
        settings_ = settings;
        noise_ = noise;
    }

    // Simulations without anybody else; gives their number. At least one round is made.
    std::uint64_t run(const Heuristic& heuristic, std::size_t cache, std::uint64_t most, bool timed, search::Watch& watch) {
        if (!values_ || values_->heuristic() != heuristic || values_->room() != cache) values_.emplace(heuristic, cache);
        drop();
        timed_ = timed;
        std::uint64_t simulations = 0, rounds = 0;
        const std::uint64_t often = settings_.batch > 1 || heuristic.look > 0 ? 0 : 7;
        do {
            begin();
            collect(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(settings_.batch), most - simulations)), &*values_);
            simulations += leaves_.size();
            backup();
        } while (simulations < most && !watch.stop(++rounds, often));
        return simulations;
    }

    // Walk down to as many leaves as `batch` says; give the ways to those that somebody must evaluate.
    std::vector<std::vector<std::string>> collect(int batch) {
        drop();
        begin();
        collect(batch, nullptr);
        std::vector<std::vector<std::string>> ways;
        for (const Leaf& leaf : leaves_) {
            if (leaf.known) continue;
            auto& way = ways.emplace_back();
            for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step)
                way.push_back(Rules::text(*board_, static_cast<Move>(tree_[steps_[step].node].move)));
        }
        return ways;
    }

    // The values and priors of those leaves, in their order. Gives the number of simulations; -1 if they do not fit.
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

    // The moves of the root in their order; none before the root was expanded.
    std::vector<Branch> branches() const {
        std::vector<Branch> found;
        const Node& root = tree_[0];
        for (std::uint32_t index = 0; root.first && index < root.size; ++index) {
            const Node& child = tree_[root.first + index];
            const double mean = child.visits ? child.total / child.visits : 0.0;
            found.push_back({Rules::text(*board_, static_cast<Move>(child.move)), child.visits, mean, child.prior});
        }
        return found;
    }

    // The line expected.
    std::vector<std::string> line() const {
        std::vector<std::string> found;
        for (std::uint32_t node = tree_.favourite(tree_[0]); node; node = tree_.favourite(tree_[node]))
            found.push_back(Rules::text(*board_, static_cast<Move>(tree_[node].move)));
        return found;
    }

private:
    // One turn of a descent: where it led, and who chose it. A root that nobody chose counts as its own side's.
    struct Step {
        std::uint32_t node;
        bool white;
    };
    // A place where a descent ended: its steps, whose move it is there, and what that is worth to this side.
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

    void collect(int batch, Values<Rules>* values) {
        grows_ = values;
        for (int index = 0; index < batch; ++index) {
            const std::size_t begin = steps_.size();
            descend();
            Node& node = tree_[steps_.back().node];
            // Somebody is on the way to this leaf already: the others of this round are worth waiting for.
            const bool taken = !node.visits && node.pending;
            lap(SELECT);
            if (!taken) {
                leaves_.push_back(leaf(begin, values));
                for (std::size_t step = begin; step < steps_.size(); ++step) ++tree_[steps_[step].node].pending;
            }
            for (std::size_t step = begin + 1; step < steps_.size(); ++step) board_->pop();
            lap(EVALUATE);
            if (taken) return steps_.resize(begin);
        }
    }

    // Walk down to a node without children, where the board then stands.
    void descend() {
        std::uint32_t node = 0;
        bool chooser = chooser_;
        const double* noise = noise_.empty() ? nullptr : noise_.data();
        const std::size_t begin = steps_.size();
        steps_.push_back({node, chooser});
        while (tree_[node].size != finished && (tree_[node].first || grown(node))) {
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

    // Give a node its children when a second simulation comes by: most nodes never see one.
    bool grown(std::uint32_t node) {
        if (!grows_ || tree_[node].visits == 0 || tree_[node].visits < tree_.visits_to_grow()) return false;
        lap(SELECT);
        const int size = board_->moves(moves_.get());
        const bool done = tree_.grow(node, moves_.get(), size, grows_->priors(*board_, moves_.get(), size));
        lap(EXPAND);
        return done;
    }

    // The leaf where the board stands; without values only a finished game is known.
    Leaf leaf(std::size_t begin, Values<Rules>* values) {
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

    // Tell every node on the ways, each from the view of the side that chose it.
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

    // A round that nobody finished leaves no trace but children.
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

    // Where the tree has this position: at its root, or one or two turns later.
    std::uint32_t place(const Board& sought) {
        const std::uint32_t found = place(sought, Rules::table_key(sought), 0, 0, chooser_);
        return found != none && same_moves(tree_[found], sought) ? found : none;
    }
    std::uint32_t place(const Board& sought, std::uint64_t key, std::uint32_t node, int turn, bool chooser) {
        if (board_->white() == sought.white() && Rules::table_key(*board_) == key) return chooser_ = chooser, node;
        const Node& here = tree_[node];
        if (turn == 2 || here.size == finished || !here.first) return none;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child) {
            if (!tree_[child].visits) continue;
            const bool mover = board_->white();
            board_->push(static_cast<Move>(tree_[child].move));
            const std::uint32_t found = place(sought, key, child, turn + 1, mover);
            board_->pop();
            if (found != none) return found;
        }
        return none;
    }
    // A board of Go may have come about in two ways, which forbid different moves.
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
    bool chooser_ = false;  // who chose the root
    std::optional<Values<Rules>> values_;
    Values<Rules>* grows_ = nullptr;  // who gives priors where a simulation comes by again
    std::unique_ptr<Move[]> moves_;
    std::vector<double> noise_;
    std::vector<Step> steps_;
    std::vector<Leaf> leaves_;
    int deepest_ = 0;
    bool timed_ = false;
    double lap_ = 0, seconds_[phases] = {};
};

}  // namespace arena::puct
