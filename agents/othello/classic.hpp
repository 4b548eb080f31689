// Minimax, alpha-beta and the orders in which moves are tried. agents/othello/plain.py is the specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../core/watch.hpp"
#include "uct.hpp"

namespace arena::othello {

// A weight for each square, as one mask for each weight that occurs.
class Map {
public:
    // There are 64 weights.
    explicit Map(const std::vector<int>& weights) {
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

// What both searches share: the first of the best moves. Worthless once the watch stops.
class Classic {
public:
    // A finished game is weighed like any other position, or valued by its result if `results`.
    Classic(const Map& map, bool results, search::Watch& watch) : map_(map), results_(results), watch_(watch) {}

    Chosen minimax(const Position& root, int depth, int first) {
        Chosen found{.value = -endless};
        for (const int square : led_by(squares(root.squares()), first)) {
            const Position next = root.taken(square);
            const int value = -every(next.own, next.other, depth - 1);
            if (value > found.value) found.move = square, found.value = value;
        }
        found.nodes = nodes_;
        return found;
    }

    Chosen alphabeta(const Position& root, int depth, int first, Ordering ordering, int ordered) {
        ordering_ = ordering, ordered_ = ordered;
        Chosen found{.value = -endless};
        for (const int square : led_by(tried(root.own, root.other, root.squares(), depth, 0), first)) {
            const Position next = root.taken(square);
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
    static constexpr int looked_from = 2 * intuition;

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
    static Squares led_by(Squares moves, int first) {
        std::stable_partition(moves.begin(), moves.end(), [first](int move) { return move == first; });
        return moves;
    }

    int leaf(Bits own, Bits other) const {
        if (results_ && !enclosing(own, other) && !enclosing(other, own)) return result * (count(own) - count(other));
        return map_.lead(own, other);
    }

    bool stop() { return watch_.stop(++seen_, 1023); }

    int every(Bits own, Bits other, int depth) {
        ++nodes_;
        if (depth == 0 || stop()) return leaf(own, other);
        Bits moves = enclosing(own, other);
        if (!moves) return enclosing(other, own) ? -every(other, own, depth - 1) : leaf(own, other);
        int best = -endless;
        while (moves) {
            const int square = take(moves);
            const Bits changed = turned(own, other, square);
            best = std::max(best, -every(other & ~changed, own | changed | Bits{1} << square, depth - 1));
        }
        return best;
    }

    int value_of(Bits own, Bits other, int depth, int alpha, int beta, int turn, std::uint64_t& nodes) {
        ++nodes;
        if (depth == 0 || stop()) return leaf(own, other);
        Bits moves = enclosing(own, other);
        if (!moves) {
            if (!enclosing(other, own)) return leaf(own, other);
            // Like any other move, it is only worth what lies in the window.
            return std::max(alpha, -value_of(other, own, depth - 1, -beta, -alpha, turn + 1, nodes));
        }
        const auto better = [&](int square) {
            const Bits changed = turned(own, other, square);
            const Bits grown = own | changed | Bits{1} << square;
            alpha = std::max(alpha, -value_of(other & ~changed, grown, depth - 1, -beta, -alpha, turn + 1, nodes));
            return beta > alpha;
        };
        if (turn >= ordered_ || ordering_ == Ordering::none) {
            while (moves && better(take(moves))) {}
        } else {
            for (const int square : tried(own, other, moves, depth, turn))
                if (!better(square)) break;
        }
        return alpha;
    }

    Squares tried(Bits own, Bits other, Bits moves, int depth, int turn) {
        Squares order = squares(moves);
        if (ordering_ == Ordering::none || turn >= ordered_ || order.size < 2) return order;
        int ranks[64];
        for (const int square : order) {
            const bool looks = ordering_ == Ordering::intuition && depth >= looked_from;
            ranks[square] = looks ? look(own, other, square) : MAP_B[static_cast<std::size_t>(square)];
        }
        std::stable_sort(order.begin(), order.end(), [&](int one, int two) { return ranks[one] > ranks[two]; });
        return order;
    }

    int look(Bits own, Bits other, int square) {
        const Bits changed = turned(own, other, square);
        return -value_of(other & ~changed, own | changed | Bits{1} << square, intuition - 1, -endless, endless, 1, presearch_);
    }

    const Map& map_;
    bool results_;
    search::Watch& watch_;
    Ordering ordering_ = Ordering::none;
    int ordered_ = 0;
    std::uint64_t nodes_ = 0, presearch_ = 0, seen_ = 0;
};

}  // namespace arena::othello
