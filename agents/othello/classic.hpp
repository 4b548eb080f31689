// Minimax and alpha-beta with several move orders. agents/othello/plain.py is the specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../core/stop_condition.hpp"
#include "uct.hpp"

namespace arena::othello {

// A weight for each square, stored as one mask for each weight.
class SquareWeights {
public:
    // There are 64 weights.
    explicit SquareWeights(const std::vector<int>& weights) {
        for (std::size_t square = 0; square < 64; ++square) {
            const auto same = [&](const Weight& known) { return known.value == weights[square]; };
            auto mask = std::find_if(masks_.begin(), masks_.end(), same);
            if (mask == masks_.end()) mask = masks_.insert(mask, {weights[square], 0});
            mask->squares |= Bits{1} << square;
        }
    }

    int lead(Bits own, Bits other) const {
        int sum = 0;
        for (const auto& [value, squares] : masks_) sum += value * (count(own & squares) - count(other & squares));
        return sum;
    }

private:
    std::vector<Weight> masks_;
};

enum class Ordering { none, position, intuition };

struct Chosen {
    int move = pass;
    int value = 0;
    std::uint64_t nodes = 0;
    std::uint64_t presearch = 0;
};

// Both searches return the first of the best moves. The result has no meaning after a stop.
class Classic {
public:
    // With `results` a finished game counts by its result, else by the weights like any other position.
    Classic(const SquareWeights& weights, bool results, search::StopCondition& stop)
        : weights_(weights), results_(results), stop_(stop) {}

    Chosen minimax(const Position& root, int depth, int first) {
        Chosen found{.value = -endless};
        for (const int square : first_to_front(squares(root.squares()), first)) {
            const Position next = root.placed(square);
            const int value = -full_value(next.own, next.other, depth - 1);
            if (value > found.value) found.move = square, found.value = value;
        }
        found.nodes = nodes_;
        return found;
    }

    Chosen alphabeta(const Position& root, int depth, int first, Ordering ordering, int ordered) {
        ordering_ = ordering, ordered_ = ordered;
        Chosen found{.value = -endless};
        for (const int square : first_to_front(ordered_moves(root.own, root.other, root.squares(), depth, 0), first)) {
            const Position next = root.placed(square);
            const int value = -value_of(next.own, next.other, depth - 1, -endless, -found.value, 1, nodes_);
            if (value > found.value) found.move = square, found.value = value;
        }
        found.presearch = presearch_;
        found.nodes = nodes_ + presearch_;
        return found;
    }

private:
    static constexpr int endless = 1'000'000;
    static constexpr int result = 10'000;
    static constexpr int intuition = 3;
    static constexpr int shallow_from = 2 * intuition;

    struct Squares {
        int at[64];
        int size = 0;
        int* begin() { return at; }
        int* end() { return at + size; }
    };

    static Squares squares(Bits bits) {
        Squares found;
        while (bits) found.at[found.size++] = take(bits);
        return found;
    }
    static Squares first_to_front(Squares moves, int first) {
        std::stable_partition(moves.begin(), moves.end(), [first](int move) { return move == first; });
        return moves;
    }

    int leaf(Bits own, Bits other) const {
        if (results_ && !enclosing(own, other) && !enclosing(other, own)) return result * (count(own) - count(other));
        return weights_.lead(own, other);
    }

    bool stop() { return stop_.stop(++seen_, 1023); }

    int full_value(Bits own, Bits other, int depth) {
        ++nodes_;
        if (depth == 0 || stop()) return leaf(own, other);
        Bits moves = enclosing(own, other);
        if (!moves) return enclosing(other, own) ? -full_value(other, own, depth - 1) : leaf(own, other);
        int best = -endless;
        while (moves) {
            const int square = take(moves);
            const Bits changed = flipped(own, other, square);
            best = std::max(best, -full_value(other & ~changed, own | changed | Bits{1} << square, depth - 1));
        }
        return best;
    }

    int value_of(Bits own, Bits other, int depth, int alpha, int beta, int turn, std::uint64_t& nodes) {
        ++nodes;
        if (depth == 0 || stop()) return leaf(own, other);
        Bits moves = enclosing(own, other);
        if (!moves) {
            if (!enclosing(other, own)) return leaf(own, other);
            // Like the value of any other move, the value of a pass is cut off at the window.
            return std::max(alpha, -value_of(other, own, depth - 1, -beta, -alpha, turn + 1, nodes));
        }
        const auto better = [&](int square) {
            const Bits changed = flipped(own, other, square);
            const Bits grown = own | changed | Bits{1} << square;
            alpha = std::max(alpha, -value_of(other & ~changed, grown, depth - 1, -beta, -alpha, turn + 1, nodes));
            return beta > alpha;
        };
        if (turn >= ordered_ || ordering_ == Ordering::none) {
            while (moves && better(take(moves))) {}
        } else {
            for (const int square : ordered_moves(own, other, moves, depth, turn))
                if (!better(square)) break;
        }
        return alpha;
    }

    Squares ordered_moves(Bits own, Bits other, Bits moves, int depth, int turn) {
        Squares order = squares(moves);
        if (ordering_ == Ordering::none || turn >= ordered_ || order.size < 2) return order;
        int ranks[64];
        for (const int square : order) {
            const bool shallow = ordering_ == Ordering::intuition && depth >= shallow_from;
            ranks[square] = shallow ? shallow_value(own, other, square) : MAP_B[static_cast<std::size_t>(square)];
        }
        std::stable_sort(order.begin(), order.end(), [&](int one, int two) { return ranks[one] > ranks[two]; });
        return order;
    }

    int shallow_value(Bits own, Bits other, int square) {
        const Bits changed = flipped(own, other, square);
        return -value_of(other & ~changed, own | changed | Bits{1} << square, intuition - 1, -endless, endless, 1, presearch_);
    }

    const SquareWeights& weights_;
    bool results_;
    search::StopCondition& stop_;
    Ordering ordering_ = Ordering::none;
    int ordered_ = 0;
    std::uint64_t nodes_ = 0, presearch_ = 0, seen_ = 0;
};

}  // namespace arena::othello
