// The value of a position for the side to move, from -1 to 1. agents/puct/evaluation.py is the specification.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "../core/games.hpp"
#include "../core/table.hpp"

namespace arena::puct {

// How positions are evaluated, and where the priors come from.
struct Heuristic {
    double scale = 0;  // the value of alpha-beta that counts as a half; 0: the balance of the game is used
    double look = 0;   // temperature of the priors, which follow the values one turn later; 0: all priors are equal

    bool operator==(const Heuristic&) const = default;
};

struct Value {
    double value;  // for the side to move
    bool over;
};

// Evaluates positions and caches their values.
template <search::SearchGame Game>
class Values {
    using Board = typename Game::Board;
    using Move = typename Game::Move;

public:
    // Room for 2 to the power of `cache_bits` values; 0: no cache.
    Values(const Heuristic& heuristic, int cache_bits) : heuristic_(heuristic), cache_bits_(cache_bits), cache_(cache_bits) {
        if (cache_bits_) cache_.open();
    }

    const Heuristic& heuristic() const { return heuristic_; }
    int cache_bits() const { return cache_bits_; }
    std::uint64_t asked() const { return asked_; }
    std::uint64_t hits() const { return hits_; }

    Value operator()(const Board& board) {
        ++asked_;
        if (!cache_bits_) return evaluate(board);
        const std::uint64_t key = mixed(Game::table_key(board));
        if (const Entry* known = cache_.find(key)) {
            ++hits_;
            return {known->value, known->over};
        }
        const Value found = evaluate(board);
        cache_.keep(key, {key, found.value, found.over, true});
        return found;
    }

    // The priors of the moves, by the values that they lead to; null if all priors are equal.
    const double* priors(Board& board, const Move* moves, int size) {
        if (heuristic_.look == 0) return nullptr;
        priors_.clear();
        const bool white = board.white();
        double top = -HUGE_VAL, sum = 0;
        for (int index = 0; index < size; ++index) {
            board.push(moves[index]);
            const double value = (*this)(board).value;
            priors_.push_back(board.white() == white ? value : -value);
            board.pop();
            top = std::max(top, priors_.back());
        }
        for (double& prior : priors_) sum += prior = std::exp((prior - top) / heuristic_.look);
        for (double& prior : priors_) prior /= sum;
        return priors_.data();
    }

private:
    struct Entry {
        std::uint64_t key;
        double value;
        bool over, used;

        bool empty() const { return !used; }
        bool is_for(std::uint64_t wanted) const { return used && key == wanted; }
        int worth(const Entry&) const { return 0; }
    };

    Value evaluate(const Board& board) const {
        int lead;
        if (!Game::evaluate(board, lead)) return {static_cast<double>(board.white() ? board.result() : -board.result()), true};
        return {heuristic_.scale > 0 ? lead / (std::abs(lead) + heuristic_.scale) : Game::balance(board), false};
    }

    Heuristic heuristic_;
    int cache_bits_;
    search::Table<Entry, 1> cache_;
    std::vector<double> priors_;
    std::uint64_t asked_ = 0, hits_ = 0;
};

}  // namespace arena::puct
