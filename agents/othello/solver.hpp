// The exact result of Othello's last moves: the difference in discs with best play.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "../core/stop_condition.hpp"
#include "entry.hpp"
#include "patterns.hpp"

namespace arena::othello {

inline constexpr Bits CORNERS = 0x8100'0000'0000'0081;

// The lead of the side to move when the game is over.
inline int final_lead(Bits own, Bits other) { return count(own) - count(other); }

class Solver {
public:
    Solver(const Weights& weights, PositionTable& table) : weights_(weights), table_(table) {}

    std::uint64_t nodes = 0;
    std::uint8_t age = 1;  // of the entries that are stored

    // The lead of the side to move: exact between `alpha` and `beta`, else a bound. Without meaning after a stop.
    int solve(const PatternPosition& place, int alpha, int beta, search::StopCondition& stop) {
        stop_ = &stop;
        return deep(place, alpha, beta, false);
    }

private:
    static constexpr int shallow_from = 7;  // with at most so many empty squares the table is not used
    static constexpr int judged_from = 12;  // with at least so many empty squares moves are ordered by their value

    static constexpr Bits quarter(int square) {
        const Bits left = 0x0F0F'0F0F, right = 0xF0F0'F0F0;
        return (square % 8 < 4 ? left : right) << (square < 32 ? 0 : 32);
    }

    static int replies(Bits own, Bits other) {
        const Bits squares = enclosing(own, other);
        return count(squares) + count(squares & CORNERS);
    }

    int deep(const PatternPosition& place, int alpha, int beta, bool passed) {
        const auto& [own, other, white] = place.position;
        const int empty = place.empty();
        if (empty <= shallow_from) return shallow(own, other, ~(own | other), empty, alpha, beta, passed);
        ++nodes;
        if (stop_->stop(nodes, 255)) return alpha;
        Bits squares = enclosing(own, other);
        if (!squares) {
            if (passed || !enclosing(other, own)) return final_lead(own, other);
            return -deep(place.passed(), -beta, -alpha, true);
        }
        const std::uint64_t key = place.position.key();
        int hinted = pass;
        if (const Entry* known = table_.find(key)) {
            if (known->lower >= beta || known->lower == known->upper) return known->lower;
            if (known->upper <= alpha) return known->upper;
            alpha = std::max<int>(alpha, known->lower);
            beta = std::min<int>(beta, known->upper);
            hinted = known->move;
        }
        Choice choices[34];
        const int size = ranked(place, squares, empty, hinted, alpha, choices);
        const int from = alpha;
        int best = -64 - 1, move = pass;
        for (int index = 0; index < size; ++index) {
            best_to_front(choices + index, choices + size);
            const PatternPosition next = place.placed(choices[index].square, choices[index].changed);
            const int floor = std::max(alpha, best);
            const bool scout = index && beta - floor > 1;
            int value = -deep(next, scout ? -floor - 1 : -beta, -floor, false);
            if (scout && value > floor && value < beta) value = -deep(next, -beta, -value, false);
            if (stop_->stopped()) return best;
            if (value > best) best = value, move = choices[index].square;
            if (best >= beta) break;
        }
        table_.keep(key, Entry::of(key, best > from ? best : -64, best < beta ? best : 64, empty, move, age));
        return best;
    }

    // The moves with their ranks: the fewer replies the better.
    int ranked(const PatternPosition& place, Bits squares, int empty, int hinted, int alpha, Choice* into) {
        const auto& [own, other, white] = place.position;
        int size = 0;
        while (squares) {
            const int square = take(squares);
            const Bits changed = flipped(own, other, square);
            const Bits grown = own | changed | Bits{1} << square, shrunk = other & ~changed;
            int rank = square == hinted ? 1 << 20 : 0;
            if (!shrunk) rank = 1 << 21;
            else {
                rank -= 16 * replies(shrunk, grown);
                if (CORNERS >> square & 1) rank += 16;
                if (count(quarter(square) & ~(own | other)) & 1) rank += 6;
                if (empty >= judged_from) rank -= (alpha > 30 ? 1 : 2) * weights_.value(place.placed(square, changed)) / 2;
            }
            into[size++] = {square, rank, changed};
        }
        return size;
    }

    // Without the table. Squares in a quarter with an odd number of empty squares come first: who moves there first also
    // moves there last.
    int shallow(Bits own, Bits other, Bits empties, int empty, int alpha, int beta, bool passed) {
        ++nodes;
        if (empty == 0) return final_lead(own, other);
        if (empty == 1) return last(own, other, lowest(empties));
        if (empty <= 4) return few(own, other, empties, empty, alpha, beta, passed);
        Bits squares = enclosing(own, other);
        if (!squares) {
            if (passed || !enclosing(other, own)) return final_lead(own, other);
            return -shallow(other, own, empties, empty, -beta, -alpha, true);
        }
        Choice choices[8];
        int size = 0;
        while (squares) {
            const int square = take(squares);
            const Bits changed = flipped(own, other, square);
            int rank = (CORNERS >> square & 1 ? 8 : 0) + (count(quarter(square) & empties) & 1 ? 5 : 0);
            if (empty >= 6) rank -= 4 * replies(other & ~changed, own | changed | Bits{1} << square);
            choices[size++] = {square, rank, changed};
        }
        int best = -64 - 1;
        for (int index = 0; index < size; ++index) {
            for (int later = index + 1; later < size; ++later)
                if (choices[later].rank > choices[index].rank) std::swap(choices[later], choices[index]);
            const auto& [square, rank, changed] = choices[index];
            const Bits placed = Bits{1} << square;
            const int floor = std::max(alpha, best);
            const int value = -shallow(other & ~changed, own | changed | placed, empties ^ placed, empty - 1, -beta, -floor, false);
            best = std::max(best, value);
            if (best >= beta) break;
        }
        return best;
    }

    // Two to four empty squares: they are tried without computing first which moves are legal.
    int few(Bits own, Bits other, Bits empties, int empty, int alpha, int beta, bool passed) {
        Bits odd = 0;
        if (empty > 2)
            for (Bits left = empties; left;) {
                const int square = take(left);
                if (count(quarter(square) & empties) & 1) odd |= Bits{1} << square;
            }
        int best = -64 - 1;
        for (Bits group : {odd, empties & ~odd})
            while (group) {
                const int square = take(group);
                const Bits changed = flipped(own, other, square);
                if (!changed) continue;
                const Bits placed = Bits{1} << square;
                const int floor = std::max(alpha, best);
                const int value = -shallow(other & ~changed, own | changed | placed, empties ^ placed, empty - 1, -beta, -floor, false);
                best = std::max(best, value);
                if (best >= beta) return best;
            }
        if (best >= -64) return best;
        return passed ? final_lead(own, other) : -few(other, own, empties, empty, -beta, -alpha, true);
    }

    // The last empty square goes to the side to move if it can move there, else to the opponent.
    static int last(Bits own, Bits other, int square) {
        const int lead = final_lead(own, other);
        if (const Bits changed = flipped(own, other, square)) return lead + 2 * count(changed) + 1;
        if (const Bits changed = flipped(other, own, square)) return lead - 2 * count(changed) - 1;
        return lead;
    }

    const Weights& weights_;
    PositionTable& table_;
    search::StopCondition* stop_ = nullptr;
};

}  // namespace arena::othello
