// The tree of one game, searched by PUCT with the policy and the value of a network.
//
// The walk down, virtual loss and backup are those of agents/puct. Here are the parts that belong to a network: leaves wait
// in a batch for their values and logits, and the root has noise, a temperature, forced playouts or Gumbel selection.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "../puct/descents.hpp"
#include "chess_encoding.hpp"
#include "go_encoding.hpp"
#include "gomoku_encoding.hpp"
#include "gumbel.hpp"
#include "microchess_encoding.hpp"
#include "mushroom_encoding.hpp"
#include "othello_encoding.hpp"
#include "random_numbers.hpp"
#include "stages.hpp"

namespace arena::learning {

// How simulations find their way below the root.
struct SearchSettings {
    double c = 1.5;    // weight of exploration
    double fpu = 0.2;  // an unvisited move counts less than its parent, by this times the root of the prior visited so far
    double loss = 1;   // virtual loss
};

// What is special about the root. All zero: nothing, as in a game that counts.
struct RootSettings {
    double epsilon = 0;      // share of the noise in the priors
    double alpha = 10;       // parameter of the noise, summed over all moves
    double temperature = 1;  // above 1 the priors become more equal
    double forced = 0;       // a visited move gets at least the root of forced * prior * visits
    int considered = 0;      // moves at the start of Gumbel selection; 0: PUCT
};

// The leaves of one round, of one tree or of many.
struct Batch {
    int inputs = 0;
    std::vector<float> numbers;           // the inputs of every leaf
    std::vector<std::uint32_t> moves;     // the legal moves of every leaf, and the index of their actions
    std::vector<int> actions;
    std::vector<std::size_t> begin{0};    // where the moves of each leaf begin; one more for the end
    std::vector<float> values, logits;    // to be filled in: one value for each leaf, one logit for each move

    std::size_t size() const { return begin.size() - 1; }
    const float* leaf(std::size_t index) const { return numbers.data() + index * static_cast<std::size_t>(inputs); }
    void clear() {
        numbers.clear();
        moves.clear();
        actions.clear();
        begin.resize(1);
        values.clear();
        logits.clear();
    }
};

template <search::SearchGame Game>
class PolicyTree : public puct::Descents<PolicyTree<Game>, Game> {
    using Base = puct::Descents<PolicyTree<Game>, Game>;
    friend Base;
    using typename Base::Leaf;
    using Base::board_, Base::chooser_, Base::leaves_, Base::moves_, Base::steps_, Base::tree_;

public:
    using typename Base::Board, typename Base::Move;
    using Code = Encoding<Board>;

    explicit PolicyTree(std::uint32_t room) : Base(room) {}

    const Board& board() const { return *board_; }
    void set(const SearchSettings& settings) { settings_ = {settings.c, settings.fpu, settings.loss, 0, 1}; }
    void time_with(Stages* stages) { stages_ = stages; }

    // Begin a search at this position; the tree below it is kept. Before the first simulation the root gets its noise.
    void begin(const Board& board, const RootSettings& root, int simulations, Random* random) {
        Base::set_root(board);
        begin(root, simulations, random);
    }
    void begin(const RootSettings& root, int simulations, Random* random) {
        root_ = root;
        simulations_ = simulations;
        random_ = random;
        prepared_ = false;
    }
    // Make a legal move. The tree below it is kept.
    void play(Move move) {
        const puct::Node& root = tree_[0];
        for (std::uint32_t child = root.first; has_children() && child < root.first + root.size; ++child)
            if (static_cast<Move>(tree_[child].move) == move) return Base::advance(child);
        this->drop();
        board_->push(move);
        tree_.clear();
        chooser_ = board_->white();
    }

    // Walk to at most `leaves` leaves and add those without a known value to the batch; returns the number of all leaves.
    int collect(int leaves, Batch& batch) {
        batch_ = &batch;
        slots_.clear();
        Base::collect(leaves);
        return static_cast<int>(leaves_.size());
    }
    bool waits() const { return !slots_.empty(); }

    // Take values and priors from the batch, and back up all leaves of the round.
    void expand(const Batch& batch) {
        auto slot = slots_.begin();
        for (Leaf& leaf : leaves_) {
            if (leaf.known) continue;
            leaf.value = batch.values[*slot];
            const std::uint32_t node = this->node_of(leaf);
            if (!tree_[node].first) grow(node, batch, *slot);
            ++slot;
        }
        slots_.clear();
        lap(puct::EXPAND);
        this->backup();
    }

    bool has_children() const { return tree_[0].first && tree_[0].size != search::finished; }
    int children() const { return has_children() ? tree_[0].size : 0; }
    const puct::Node& child(int index) const { return tree_[tree_[0].first + static_cast<std::uint32_t>(index)]; }
    // The value of the root for the side to move.
    double value() const {
        const puct::Node& root = tree_[0];
        const double mean = root.visits ? root.total / root.visits : 0.0;
        return chooser_ == board_->white() ? mean : -mean;
    }
    double mean(int index) const { return child(index).visits ? child(index).total / child(index).visits : value(); }

    // The share of each move in what the search found: visits without those that were only forced, or the improved policy
    // of Gumbel selection. The root must have children.
    std::vector<double> target() {
        if (!prepared_) prepare();
        if (root_.considered > 0) return gumbel_.improved_policy(edges());
        std::vector<double> shares(static_cast<std::size_t>(children()));
        int best = 0;
        for (int index = 0; index < children(); ++index)
            if (child(index).visits > child(best).visits) best = index;
        for (int index = 0; index < children(); ++index)
            shares[static_cast<std::size_t>(index)] = index == best ? child(index).visits : kept_visits(index, best);
        double sum = 0;
        for (const double share : shares) sum += share;
        for (double& share : shares) share = sum > 0 ? share / sum : 1.0 / children();
        return shares;
    }
    // With temperature and noise. The root must have children.
    const std::vector<double>& root_priors() {
        if (!prepared_) prepare();
        return root_priors_;
    }
    // The move that Gumbel selection prefers in the end.
    int gumbel_choice() {
        if (!prepared_) prepare();
        return gumbel_.best(edges());
    }

private:
    bool grow(std::uint32_t) { return false; }  // children come with the evaluation of a leaf

    void grow(std::uint32_t node, const Batch& batch, std::size_t slot) {
        const std::size_t begin = batch.begin[slot], size = batch.begin[slot + 1] - begin;
        const float* logits = batch.logits.data() + begin;
        const float top = *std::max_element(logits, logits + size);
        priors_.resize(size);
        double sum = 0;
        for (std::size_t index = 0; index < size; ++index) sum += priors_[index] = std::exp(logits[index] - top);
        for (double& prior : priors_) prior /= sum;
        tree_.grow(node, batch.moves.data() + begin, static_cast<int>(size), priors_.data());
    }

    std::uint32_t choose(std::uint32_t node, double mean) {
        const puct::Node& here = tree_[node];
        const double* priors = nullptr;
        if (node == 0) {
            if (!prepared_) prepare();
            if (root_.considered > 0) return here.first + static_cast<std::uint32_t>(gumbel_.next(edges()));
            if (const std::uint32_t forced = forced_child(here)) return forced;
            priors = root_priors_.data();
        }
        double visited = 0;
        for (std::uint32_t child = here.first; child < here.first + here.size; ++child)
            if (tree_[child].visits + tree_[child].pending) visited += tree_[child].prior;
        return tree_.select(here, mean - settings_.fpu * std::sqrt(visited), settings_, priors);
    }

    // The priors of the root: made more equal by the temperature, then mixed with noise. Those in the tree stay as they are.
    void prepare() {
        prepared_ = true;
        const puct::Node& root = tree_[0];
        root_priors_.resize(root.size);
        double sum = 0;
        for (std::uint32_t index = 0; index < root.size; ++index) {
            const double prior = tree_[root.first + index].prior;
            sum += root_priors_[index] = root_.temperature == 1 ? prior : std::pow(prior, 1 / root_.temperature);
        }
        for (double& prior : root_priors_) prior /= sum;
        if (root_.epsilon > 0) {
            const std::vector<double> noise = dirichlet(root.size, root_.alpha, *random_);
            for (std::size_t index = 0; index < noise.size(); ++index)
                root_priors_[index] = (1 - root_.epsilon) * root_priors_[index] + root_.epsilon * noise[index];
        }
        if (root_.considered > 0) gumbel_.begin(edges(), root_.considered, simulations_, random_);
    }

    // A visited move that has fewer visits than its share of forced playouts; 0 if there is none.
    std::uint32_t forced_child(const puct::Node& root) const {
        if (root_.forced <= 0) return 0;
        for (std::uint32_t index = 0; index < root.size; ++index) {
            const puct::Node& child = tree_[root.first + index];
            const double tries = child.visits + child.pending;
            if (tries > 0 && tries * tries < root_.forced * root_priors_[index] * (root.visits + root.pending)) return root.first + index;
        }
        return 0;
    }

    // The visits of a move that PUCT would have made without forced playouts: it stops where the bound of the move falls
    // below that of the best move. A single visit does not count.
    double kept_visits(int index, int best) const {
        const puct::Node& move = child(index);
        if (root_.forced <= 0 || move.visits == 0) return move.visits;
        const double width = settings_.c * std::sqrt(static_cast<double>(tree_[0].visits));
        const double bound = mean(best) + width * root_priors_[static_cast<std::size_t>(best)] / (1.0 + child(best).visits);
        const double prior = root_priors_[static_cast<std::size_t>(index)];
        const double gap = bound - mean(index);
        // Visits at which mean + width * prior / (1 + visits) equals the bound.
        const double wanted = gap > 0 ? width * prior / gap - 1 : HUGE_VAL;
        const double forced = std::sqrt(root_.forced * prior * tree_[0].visits);
        const double least = std::max(0.0, move.visits - std::floor(forced));
        const double kept = std::clamp(std::ceil(wanted), least, static_cast<double>(move.visits));
        return kept <= 1 ? 0 : kept;
    }

    std::vector<Edge> edges() {
        std::vector<Edge> found;
        for (int index = 0; index < children(); ++index) {
            const puct::Node& move = child(index);
            found.push_back({std::log(std::max(move.prior, 1e-12)), mean(index), move.visits, move.visits + move.pending});
        }
        return found;
    }

    // A finished game has a known value; any other leaf joins the batch.
    void evaluate(Leaf& leaf) {
        if (this->finish(leaf, steps_.back().node)) return;
        Batch& batch = *batch_;
        slots_.push_back(batch.size());
        const std::size_t at = batch.numbers.size();
        batch.numbers.resize(at + static_cast<std::size_t>(batch.inputs));
        Code::encode(*board_, batch.numbers.data() + at);
        const int size = board_->moves(moves_.get());
        for (int index = 0; index < size; ++index) {
            batch.moves.push_back(static_cast<std::uint32_t>(moves_[index]));
            batch.actions.push_back(Code::action(*board_, moves_[index]));
        }
        batch.begin.push_back(batch.moves.size());
    }

    void lap(puct::Phase phase) {
        if (stages_) stages_->lap(phase == puct::SELECT ? Stage::select : phase == puct::EVALUATE ? Stage::encode
                                  : phase == puct::EXPAND ? Stage::expand : Stage::backup);
    }

    puct::Settings settings_{1.5, 0.2, 1, 0, 1};
    RootSettings root_;
    int simulations_ = 0;
    Random* random_ = nullptr;
    bool prepared_ = false;
    std::vector<double> root_priors_, priors_;
    Gumbel gumbel_;
    Batch* batch_ = nullptr;
    std::vector<std::size_t> slots_;  // the places of the leaves of this round in the batch
    Stages* stages_ = nullptr;
};

}  // namespace arena::learning
