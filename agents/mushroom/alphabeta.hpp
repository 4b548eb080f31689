// Alpha-beta over rectangles, the highest gain first. alphabeta.py is the specification.
#pragma once

#include <algorithm>

#include "../core/search_result.hpp"
#include "../core/stop_condition.hpp"
#include "../core/table.hpp"
#include "choices.hpp"

namespace arena::mushroom {

using search::clear, search::decided, search::infinite;

inline constexpr int deepest = 64;
// The value of a cell, and of a cell that the best next move would gain.
inline constexpr int cell = 2, next_cell = 1;
// Moves from this index on are first searched less deeply.
inline constexpr std::size_t late = 6;

struct Limits {
    int depth;
    std::uint64_t seed;
};

class AlphaBeta {
public:
    AlphaBeta(const Position& position, search::ScoreTable& known, const Limits& limits, search::StopCondition& stop)
        : board_(position), known_(known), limits_(limits), stop_(stop) {
        known.refresh();
    }

    // The game must not be over.
    search::SearchResult run() {
        std::vector<Choice> choices = choices_.of(board_.position(), limits_.seed);
        best_ = choices[0].move;
        for (int depth = 1; choices.size() > 1 && depth <= limits_.depth && !stop_.stopped(); ++depth) {
            compare(choices, depth);
            if (stop_.stopped()) break;
            depth_ = depth;
            if (std::abs(score_) > clear) break;
        }
        search::SearchResult found;
        found.nodes = nodes_;
        found.depth = depth_;
        found.score = score_;
        found.move = move_text(best_);
        found.line = {found.move};
        return found;
    }

private:
    using Window = search::Window;

    void compare(std::vector<Choice>& choices, int depth) {
        // The best move so far comes first, so that an interrupted depth still compares others with it.
        to_front(choices, best_);
        int top = -infinite;
        for (const auto& [move, gain] : choices) {
            board_.push(move);
            const int value = child(depth - 1, 1, {top, infinite}, top == -infinite, 0);
            board_.pop();
            if (stop_.stopped()) return;
            if (value <= top) continue;
            top = score_ = value;
            best_ = move;
        }
    }

    static void to_front(std::vector<Choice>& choices, Move move) {
        const auto known = std::find_if(choices.begin(), choices.end(), [move](const Choice& choice) { return choice.move == move; });
        if (known != choices.end()) std::rotate(choices.begin(), known, known + 1);
    }

    // The value of the last move. After the first move, an empty window shows cheaply that it is not better.
    int child(int depth, int turn, Window window, bool first, int less) {
        if (!first) {
            const Window narrow{-window.alpha - 1, -window.alpha};
            int value = -this->value(depth - less, turn, narrow);
            if (less && value > window.alpha) value = -this->value(depth, turn, narrow);
            if (value <= window.alpha || value >= window.beta) return value;
        }
        return -this->value(depth, turn, {-window.beta, -window.alpha});
    }

    // The value for the side to move: exact inside the window, else a bound. Without meaning after a stop.
    int value(int depth, int turn, Window window) {
        if (stop_.stopped() || stop_.stop(++nodes_)) return 0;
        const int lead = board_.evaluate(), passes = board_.position().passes;
        if (board_.over()) return final_value(lead, turn);
        if (passes == 1 && lead > 0) return decided - turn - 1;
        const search::ScoreEntry* found = known_.find(board_.key());
        if (found && found->depth >= depth && found->settles(turn, window)) return found->from_root(turn);
        const Move best = found ? Move{found->best} : 0;
        std::vector<Choice>& all = choices_.of(board_.position());
        if (all.size() == 1) return final_value(lead, turn + 2 - passes);
        if (depth <= 0) return cell * lead + next_cell * all[0].gain;
        std::vector<Choice> choices = all;
        if (found) to_front(choices, best);
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
            if (stop_.stopped()) return 0;
            if (value > top) top = value, best = choices[index].move;
            if (top >= window.beta) break;
        }
        known_.keep(board_.key(), search::ScoreEntry::of(board_.key(), depth, top, best, turn, window));
        return top;
    }

    static int final_value(int lead, int turn) { return lead > 0 ? decided - turn : lead < 0 ? turn - decided : 0; }

    Board board_;
    search::ScoreTable& known_;
    Limits limits_;
    search::StopCondition& stop_;
    Choices choices_;
    std::uint64_t nodes_ = 0;
    int depth_ = 0;
    int score_ = 0;
    Move best_ = pass;
};

}  // namespace arena::mushroom
