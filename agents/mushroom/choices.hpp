// The moves of a position with their gains, the highest first. board.py is the specification.
#pragma once

#include <algorithm>
#include <vector>

#include "mushroom.hpp"

namespace arena::mushroom {

struct Choice {
    Move move;
    int gain;  // cells gained by the mover plus cells lost by the opponent
};

// Finds the moves of positions. It is reused because it needs much memory.
class Choices {
public:
    // All moves, the highest gain first, the pass last. The seed decides among equals.
    std::vector<Choice>& of(const Position& position, std::uint64_t seed = 0) {
        sum_up(position);
        moves_.resize(most_moves(position));
        const int found = rectangles(position, moves_.data());
        choices_.clear();
        for (const Move* move = moves_.data(); move != moves_.data() + found; ++move) choices_.push_back({*move, gain(*move)});
        const auto order = [seed](Move move) { return seed * (2 * std::uint64_t{move} + 1); };
        std::sort(choices_.begin(), choices_.end(), [&](const Choice& one, const Choice& other) {
            if (one.gain != other.gain) return one.gain > other.gain;
            return order(one.move) != order(other.move) ? order(one.move) < order(other.move) : one.move < other.move;
        });
        choices_.push_back({pass, 0});
        return choices_;
    }

private:
    // Prefix sums over all cells above and to the left: a digit counts 1, a cell of the opponent 2.
    void sum_up(const Position& position) {
        const char other = Position::owner(!position.white);
        for (int row = 0; row < position.rows; ++row) {
            int sum = 0;
            for (int column = 0; column < position.columns; ++column) {
                const char cell = position.at(row, column);
                sum += cell == other ? 2 : Position::is_digit(cell);
                sums_[row + 1][column + 1] = static_cast<std::int16_t>(sums_[row][column + 1] + sum);
            }
        }
    }

    int gain(Move move) const {
        const auto [top, left, bottom, right] = Rectangle::of(move);
        return sums_[bottom + 1][right + 1] - sums_[top][right + 1] - sums_[bottom + 1][left] + sums_[top][left];
    }

    std::int16_t sums_[largest + 1][largest + 1] = {};
    std::vector<Move> moves_;
    std::vector<Choice> choices_;
};

}  // namespace arena::mushroom
