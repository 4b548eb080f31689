// What a position is worth to the side to move, from -1 to 1. agents/puct/evaluation.py is the specification.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include "../core/rules.hpp"

namespace arena::puct {

// How far the side to move is ahead, as `balance` of agents/evaluation.py has it.
inline double balance(const microchess::Board& board) {
    const auto& position = board.position();
    const int own = position.material(position.turn), other = position.material(!position.turn);
    return static_cast<double>(own - other) / (own + other);
}
inline double balance(const othello::Board& board) {
    return (count(board.position().own) - count(board.position().other)) / 64.0;
}
inline double balance(const gomoku::Board& board) {
    const int lead = board.evaluate();
    return lead / (std::abs(lead) + 1000.0);
}
inline double balance(const mushroom::Board& board) {
    const auto& position = board.position();
    return static_cast<double>(board.white() ? position.lead() : -position.lead()) / (position.rows * position.columns + 1);
}
inline double balance(const go::Board& board) {
    const auto& position = board.position();
    return board.evaluate() / (2 * (position.field.rows * position.field.columns + std::abs(position.komi) + 1));
}

// What is counted, and where the priors come from.
struct Heuristic {
    double scale = 0;  // the lead of alpha-beta that is worth a half; 0: the balance is counted
    double look = 0;   // how sharply priors follow the values one turn later, the less the sharper; 0: all are alike

    bool operator==(const Heuristic&) const = default;
};

struct Value {
    double value;  // of the side to move
    bool over;
};

// Values of positions, many of them remembered.
template <typename Rules>
class Values {
    using Board = typename Rules::Board;
    using Move = typename Rules::Move;

public:
    // `room` is a power of two, or 0.
    Values(const Heuristic& heuristic, std::size_t room) : heuristic_(heuristic), cache_(room) {}

    const Heuristic& heuristic() const { return heuristic_; }
    std::size_t room() const { return cache_.size(); }
    std::uint64_t asked() const { return asked_; }
    std::uint64_t hits() const { return hits_; }

    Value operator()(const Board& board) {
        ++asked_;
        if (cache_.empty()) return counted(board);
        const std::uint64_t key = Rules::table_key(board);
        Entry& entry = cache_[mixed(key) & (cache_.size() - 1)];
        if (entry.known && entry.key == key) {
            ++hits_;
            return {entry.value, entry.over};
        }
        const Value found = counted(board);
        entry = {key, found.value, found.over, true};
        return found;
    }

    // What the moves lead to, as priors; nothing if all are alike.
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
        bool over, known;
    };

    Value counted(const Board& board) const {
        int lead;
        if (!Rules::leaf(board, lead)) return {static_cast<double>(board.white() ? board.result() : -board.result()), true};
        return {heuristic_.scale > 0 ? lead / (std::abs(lead) + heuristic_.scale) : balance(board), false};
    }

    Heuristic heuristic_;
    std::vector<Entry> cache_;
    std::vector<double> priors_;
    std::uint64_t asked_ = 0, hits_ = 0;
};

}  // namespace arena::puct
