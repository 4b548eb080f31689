// Alpha-beta over rectangles, the most gainful first. alphabeta.py is the specification.
#pragma once

#include <algorithm>

#include "../core/table.hpp"
#include "../core/watch.hpp"
#include "choices.hpp"

namespace arena::mushroom {

using search::clear, search::decided, search::infinite;

inline constexpr int deepest = 64;
// What a cell counts, and a cell that the best next move would gain: the other side moves after it.
inline constexpr int cell = 2, next_cell = 1;
// Moves after so many are first looked at less deeply.
inline constexpr std::size_t late = 6;

struct Limits {
    int depth;
    std::uint64_t seed;
};

class AlphaBeta {
public:
    AlphaBeta(const Position& position, search::Table& known, const Limits& limits, search::Watch& watch)
        : board_(position), known_(known), limits_(limits), watch_(watch) {
        known.refresh();
    }

    // The game must not be over.
    search::Found found() {
        std::vector<Choice> choices = choices_.of(board_.position(), limits_.seed);
        best_ = choices[0].move;
        for (int depth = 1; choices.size() > 1 && depth <= limits_.depth && !watch_.stopped(); ++depth) {
            compare(choices, depth);
            if (watch_.stopped()) break;
            depth_ = depth;
            if (std::abs(score_) > clear) break;
        }
        search::Found found;
        found.nodes = nodes_;
        found.depth = depth_;
        found.score = score_;
        found.move = written(best_);
        found.line = {found.move};
        return found;
    }

private:
    using Window = search::Window;

    void compare(std::vector<Choice>& choices, int depth) {
        // The best so far goes first: a depth that is broken off has then compared it with others.
        first(choices, best_);
        int top = -infinite;
        for (const auto& [move, gain] : choices) {
            board_.push(move);
            const int value = child(depth - 1, 1, {top, infinite}, top == -infinite, 0);
            board_.pop();
            if (watch_.stopped()) return;
            if (value <= top) continue;
            top = score_ = value;
            best_ = move;
        }
    }

    static void first(std::vector<Choice>& choices, Move move) {
        const auto known = std::find_if(choices.begin(), choices.end(), [move](const Choice& choice) { return choice.move == move; });
        if (known != choices.end()) std::rotate(choices.begin(), known, known + 1);
    }

    // What the move that was just made is worth: after the first one, try to show that it is no better.
    int child(int depth, int turn, Window window, bool first, int less) {
        if (!first) {
            const Window narrow{-window.alpha - 1, -window.alpha};
            int value = -this->value(depth - less, turn, narrow);
            if (less && value > window.alpha) value = -this->value(depth, turn, narrow);
            if (value <= window.alpha || value >= window.beta) return value;
        }
        return -this->value(depth, turn, {-window.beta, -window.alpha});
    }

    // The value for the side to move, exact inside of the window, else a bound; worthless once the search must stop.
    int value(int depth, int turn, Window window) {
        if (watch_.stopped() || watch_.stop(++nodes_)) return 0;
        const int lead = board_.evaluate(), passes = board_.position().passes;
        if (board_.over()) return ended(lead, turn);
        if (passes == 1 && lead > 0) return decided - turn - 1;
        const search::Known* found = known_.find(board_.key());
        if (found && found->depth >= depth && found->settles(turn, window)) return found->from_root(turn);
        const Move best = found ? Move{found->best} : 0;
        std::vector<Choice>& all = choices_.of(board_.position());
        if (all.size() == 1) return ended(lead, turn + 2 - passes);
        if (depth <= 0) return cell * lead + next_cell * all[0].gain;
        std::vector<Choice> choices = all;
        if (found) first(choices, best);
        return this->best(choices, depth, turn, window);
    }

    int best(const std::vector<Choice>& choices, int depth, int turn, Window window) {
        int top = -infinite;
        Move best = choices[0].move;
        for (std::size_t index = 0; index < choices.size(); ++index) {
            board_.push(choices[index].move);
            const int less = depth >= 3 && index >= late ? 1 : 0;
            const int value = child(depth - 1, turn + 1, {std::max(top, window.alpha), window.beta}, index == 0, less);
            board_.pop();
            if (watch_.stopped()) return 0;
            if (value > top) top = value, best = choices[index].move;
            if (top >= window.beta) break;
        }
        known_.keep(search::Known::of(board_.key(), depth, top, best, turn, window));
        return top;
    }

    static int ended(int lead, int turn) { return lead > 0 ? decided - turn : lead < 0 ? turn - decided : 0; }

    Board board_;
    search::Table& known_;
    Limits limits_;
    search::Watch& watch_;
    Choices choices_;
    std::uint64_t nodes_ = 0;
    int depth_ = 0;
    int score_ = 0;
    Move best_ = pass;
};

}  // namespace arena::mushroom
