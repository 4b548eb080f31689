// PUCT for one game: a tree search that follows priors and values. agents/puct/search.py is the specification.
#pragma once

#include "../core/stop_condition.hpp"
#include "descents.hpp"
#include "values.hpp"

namespace arena::puct {

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
class Puct : public Descents<Puct<Game>, Game> {
    using Base = Descents<Puct<Game>, Game>;
    friend Base;
    using typename Base::Board, typename Base::Leaf, typename Base::Move;
    using Base::board_, Base::leaves_, Base::moves_, Base::steps_, Base::tree_;

public:
    using Base::Base;

    void set_root(const Board& board) {
        Base::set_root(board);
        noise_.clear();
        root_priors_.clear();
    }
    std::uint64_t asked() const { return values_ ? values_->asked() : 0; }
    std::uint64_t hits() const { return values_ ? values_->hits() : 0; }
    const double* seconds() const { return seconds_; }

    // `noise` has one value for each move of the root, or none.
    void set(const Settings& settings, const std::vector<double>& noise) {
        settings_ = settings;
        noise_ = noise;
        root_priors_.clear();
    }

    // Make simulations that are evaluated by a heuristic; returns their number. At least one round is made.
    std::uint64_t run(const Heuristic& heuristic, int cache_bits, std::uint64_t most, bool timed, search::StopCondition& stop) {
        if (!values_ || values_->heuristic() != heuristic || values_->cache_bits() != cache_bits) values_.emplace(heuristic, cache_bits);
        this->drop();
        timed_ = timed;
        evaluator_ = &*values_;
        std::uint64_t simulations = 0, rounds = 0;
        const std::uint64_t mask = settings_.batch > 1 || heuristic.look > 0 ? 0 : 7;
        do {
            begin();
            Base::collect(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(settings_.batch), most - simulations)));
            simulations += leaves_.size();
            this->backup();
        } while (simulations < most && !stop.stop(++rounds, mask));
        return simulations;
    }

    // Walk down to `batch` leaves; returns the paths to those that the caller must evaluate.
    std::vector<std::vector<std::string>> collect(int batch) {
        this->drop();
        begin();
        evaluator_ = nullptr;
        Base::collect(batch);
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
            if (next == evaluations.end() || !expand(leaf, *next++)) return this->drop(), -1;
        }
        if (next != evaluations.end()) return this->drop(), -1;
        const int simulations = static_cast<int>(leaves_.size());
        this->backup();
        return simulations;
    }

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

private:
    void begin() {
        this->clear_round();
        if (timed_) lap_ = search::now();
    }

    // Give a node its children at its second visit: most nodes are visited once.
    bool grow(std::uint32_t node) {
        if (!evaluator_ || tree_[node].visits == 0 || tree_[node].visits < tree_.visits_to_grow()) return false;
        lap(SELECT);
        const int size = board_->moves(moves_.get());
        const bool done = tree_.grow(node, moves_.get(), size, evaluator_->priors(*board_, moves_.get(), size));
        lap(EXPAND);
        return done;
    }

    // An unvisited move counts as its parent, minus `fpu`. Only the root has noise.
    std::uint32_t choose(std::uint32_t node, double mean) {
        const Node& here = tree_[node];
        if (node == 0 && !noise_.empty() && root_priors_.empty()) root_priors_ = tree_.mixed_priors(here, settings_.epsilon, noise_);
        const double* priors = node == 0 && !root_priors_.empty() ? root_priors_.data() : nullptr;
        return tree_.select(here, mean - settings_.fpu, settings_, priors);
    }

    // Without an evaluator only the value of a finished game is known.
    void evaluate(Leaf& leaf) {
        const std::uint32_t at = steps_.back().node;
        if (!evaluator_ || tree_[at].size == finished) {
            this->finish(leaf, at);
            return;
        }
        const Value value = (*evaluator_)(*board_);
        leaf.value = value.value;
        leaf.known = true;
        if (value.over) this->mark_finished(tree_[at]);
    }

    bool expand(Leaf& leaf, const Evaluation& evaluation) {
        for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step)
            board_->push(static_cast<Move>(tree_[steps_[step].node].move));
        const int size = board_->moves(moves_.get());
        const std::uint32_t node = this->node_of(leaf);
        const bool fits = static_cast<std::size_t>(size) == evaluation.priors.size();
        if (fits && !tree_[node].first) tree_.grow(node, moves_.get(), size, evaluation.priors.data());
        for (std::size_t step = leaf.begin + 1; step < leaf.end; ++step) board_->pop();
        leaf.value = evaluation.value;
        return fits;
    }

    void lap(Phase phase) {
        if (!timed_) return;
        const double time = search::now();
        seconds_[phase] += time - lap_;
        lap_ = time;
    }

    Settings settings_;
    std::optional<Values<Game>> values_;
    Values<Game>* evaluator_ = nullptr;  // evaluates leaves and gives priors; null: the caller does
    std::vector<double> noise_, root_priors_;
    bool timed_ = false;
    double lap_ = 0, seconds_[phases] = {};
};

}  // namespace arena::puct
