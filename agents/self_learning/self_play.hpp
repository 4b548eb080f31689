// One game that a network plays against itself.
#pragma once

#include "policy_tree.hpp"
#include "samples.hpp"

namespace arena::learning {

struct PlaySettings {
    SearchSettings search;
    RootSettings root;           // of full searches; fast ones have no noise
    int full = 200, fast = 40;   // simulations
    double full_share = 0.3;     // of the moves that are searched fully; only they teach the policy
    bool record_fast = false;    // fast searches teach the value
    double temperature = 1, temperature_end = 0.25, halflife = 10;  // by which moves are drawn; halved towards the end
    int opening = 8;             // at most so many random turns at the start
    double surprise = 0.5;       // share of the weight that follows the surprise
    int leaves = 1;              // leaves of one tree in one round
    int most_turns = 0;          // a longer game is decided as it stands; 0: no limit
    int width = 64;              // moves of a stored policy
};

// White's margin in the unit of the game, 0 where nothing is counted.
inline double white_margin(const microchess::Board& board) {
    return board.position().material(microchess::WHITE) - board.position().material(microchess::BLACK);
}
inline double white_margin(const chess::Board&) { return 0; }
inline double white_margin(const othello::Board& board) {
    const int lead = count(board.position().own) - count(board.position().other);
    return board.white() ? lead : -lead;
}
inline double white_margin(const mushroom::Board& board) { return board.position().lead(); }
inline double white_margin(const go::Board& board) { return -board.position().margin(); }
inline double white_margin(const gomoku::Board&) { return 0; }

template <search::SearchGame Game>
class SelfPlay {
    using Board = typename Game::Board;
    using Move = typename Game::Move;
    using Code = Encoding<Board>;

public:
    SelfPlay(const PlaySettings& settings, const Shape& shape, std::uint32_t generation, Stages* stages)
        : settings_(settings), shape_(shape), stages_(stages), tree_(room(settings)), random_(0),
          samples_(shape, settings.width, generation), inputs_(static_cast<std::size_t>(shape.inputs())),
          moves_(new Move[Board::max_moves]) {
        tree_.set(settings.search);
        tree_.time_with(stages);
    }

    void start(const Board& board, std::uint64_t seed) {
        random_ = Random(seed);
        samples_.clear();
        texts_.clear();
        positions_ = turns_ = 0;
        Board opened = board;
        open(opened);
        tree_.begin(opened, {}, 0, &random_);
        begin_search();
    }

    // Walk to the next leaves that must be evaluated, through as many moves as it takes. False: the game is over.
    bool collect(Batch& batch) {
        while (!over_) {
            if (searched()) {
                make_move();
                continue;
            }
            const int made = tree_.collect(leaves_now(), batch);
            nodes_ += static_cast<std::uint64_t>(made);
            if (tree_.waits()) return true;
            tree_.expand(batch);
        }
        return false;
    }
    void expand(const Batch& batch) { tree_.expand(batch); }

    // After the end: the samples, and what the game was like.
    std::vector<std::uint8_t> finish() {
        return samples_.finish(tree_.board().result(), white_margin(tree_.board()), settings_.surprise);
    }
    const std::vector<std::string>& texts() const { return texts_; }
    int positions() const { return positions_; }
    std::uint64_t take_nodes() { return std::exchange(nodes_, 0); }

private:
    static std::uint32_t room(const PlaySettings& settings) {
        const auto most = static_cast<std::uint32_t>(std::max(settings.full, settings.fast) + settings.leaves + 2);
        return most * static_cast<std::uint32_t>(std::min(Board::max_moves, 512));
    }

    // Random turns, so that games differ. A line in which the game ends is tried again.
    void open(Board& board) {
        const int wanted = static_cast<int>(random_.below(static_cast<std::uint32_t>(settings_.opening) + 1));
        for (int attempt = 0; attempt < 100; ++attempt) {
            int made = 0;
            for (int size; made < wanted && (size = board.moves(moves_.get())) > 0; ++made)
                push(board, moves_[random_.below(static_cast<std::uint32_t>(size))]);
            if (!board.over()) return;
            for (; made > 0; --made) board.pop();
            texts_.clear();
        }
    }
    void push(Board& board, Move move) {
        texts_.push_back(Game::text(board, move));
        board.push(move);
    }

    void begin_search() {
        turns_ = static_cast<int>(texts_.size());
        over_ = tree_.over() || (settings_.most_turns && turns_ >= settings_.most_turns);
        if (over_) return;
        full_ = uniform(random_) < settings_.full_share;
        simulations_ = full_ ? settings_.full : settings_.fast;
        RootSettings root = settings_.root;
        if (!full_) root = {0, root.alpha, 1, 0, root.considered};
        tree_.begin(root, simulations_, &random_);
        before_ = tree_.visits();
        only_move_ = tree_.moves() == 1;
    }

    // Visits that were kept from the search before count, but not for Gumbel selection, which has a plan.
    int missing() const {
        const int done = static_cast<int>(tree_.visits()) - 1;
        return simulations_ - (settings_.root.considered > 0 && before_ ? done + 1 - static_cast<int>(before_) : done);
    }
    bool searched() const { return only_move_ || (tree_.has_children() && missing() <= 0); }
    // The first leaf is the root itself: until it has children there is nothing to choose.
    int leaves_now() const { return tree_.has_children() ? std::clamp(missing(), 1, settings_.leaves) : 1; }

    void make_move() {
        if (stages_) stages_->lap(Stage::select);
        Move move;
        if (only_move_) {
            tree_.board().moves(moves_.get());
            move = moves_[0];
        } else {
            const std::vector<double> target = tree_.target();
            if (full_ || settings_.record_fast) record(target);
            ++positions_;
            move = static_cast<Move>(tree_.child(choose(target)).move);
        }
        texts_.push_back(Game::text(tree_.board(), move));
        tree_.play(move);
        begin_search();
        if (stages_) stages_->lap(Stage::record);
    }

    int choose(std::vector<double> target) {
        if (settings_.root.considered > 0) return tree_.gumbel_choice();
        const double share = settings_.halflife > 0 ? std::exp2(-turns_ / settings_.halflife) : 0;
        const double temperature = settings_.temperature_end + (settings_.temperature - settings_.temperature_end) * share;
        const double top = *std::max_element(target.begin(), target.end());
        if (temperature <= 0) return static_cast<int>(std::max_element(target.begin(), target.end()) - target.begin());
        for (double& each : target) each = std::pow(each / top, 1 / temperature);
        return static_cast<int>(draw(target, random_));
    }

    void record(const std::vector<double>& target) {
        const Board& board = tree_.board();
        Code::encode(board, inputs_.data());
        std::vector<int> actions;
        double surprise = 0;
        for (int index = 0; index < tree_.children(); ++index) {
            const puct::Node& child = tree_.child(index);
            const double share = target[static_cast<std::size_t>(index)];
            actions.push_back(Code::action(board, static_cast<Move>(child.move)));
            if (share > 0) surprise += share * std::log(share / std::max(child.prior, 1e-9));
        }
        samples_.add({inputs_.data(), actions, target, tree_.value(), std::max(surprise, 0.0), turns_, board.white(), full_});
    }

    PlaySettings settings_;
    Shape shape_;
    Stages* stages_;
    PolicyTree<Game> tree_;
    Random random_;
    Samples samples_;
    std::vector<float> inputs_;
    std::unique_ptr<Move[]> moves_;
    std::vector<std::string> texts_;
    int positions_ = 0, turns_ = 0, simulations_ = 0;
    std::uint32_t before_ = 0;  // visits of the root that were kept
    std::uint64_t nodes_ = 0;
    bool full_ = false, over_ = false, only_move_ = false;
};

}  // namespace arena::learning
