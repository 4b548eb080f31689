// Alpha-beta that tries threats first. search.py is the specification.
#pragma once

#include "../core/search_result.hpp"
#include "force.hpp"

namespace arena::gomoku {

using search::clear, search::decided, search::infinite;

inline constexpr int deepest = 64;
inline constexpr int width = 16;
inline constexpr int root_fours = 20'000, inner_fours = 150, threes_per_depth = 1000;

struct Limits {
    int depth;
    std::uint64_t seed;
};

// The tables that are kept from move to move: 16 MB of positions, 4 MB of positions without a win by threats.
struct Memory {
    search::ScoreTable known{20}, failed{18};
};

class Search {
public:
    Search(const Position& position, Memory& memory, const Limits& limits, search::StopCondition& stop)
        : board_(position), known_(memory.known), limits_(limits), count_(stop), threats_(board_, count_, memory.failed) {
        memory.known.refresh();
        memory.failed.refresh();
    }

    search::SearchResult run() {
        Moves moves = root_moves();
        line_.assign(1, moves[0]);
        if (moves.size() > 1) deepen(moves);
        search::SearchResult found;
        found.nodes = count_.nodes();
        found.depth = depth_;
        found.score = score_;
        for (const int point : line_)
            found.line.push_back(std::to_string(point % board_.size) + "," + std::to_string(point / board_.size));
        found.move = found.line[0];
        return found;
    }

private:
    using Moves = std::vector<int>;
    using Window = search::Window;

    // The moves to search, the most promising first; a single one if it is forced.
    Moves root_moves() {
        const bool own = board_.white, other = !own;
        if (board_.fives[own].any()) {
            score_ = decided - 1;
            return {board_.fives[own].lowest()};
        }
        if (board_.fives[other].any()) return {board_.fives[other].lowest()};
        if (!(board_.stones[0] | board_.stones[1]).any()) return {board_.size / 2 * board_.size + board_.size / 2};
        return choice(limits_.seed, 2 * width);
    }

    // The answers to a threat, else the `most` best moves. The seed decides among equals.
    Moves choice(std::uint64_t seed, std::size_t most) {
        const Points urgent = board_.wins[!board_.white].any() ? board_.answers() : Points();
        const bool is_urgent = urgent.any();
        Moves moves;
        (is_urgent ? urgent : board_.near.any() ? board_.near : board_.open).each([&](int point) { moves.push_back(point); });
        const auto luck = [seed](int point) { return seed * (2 * static_cast<std::uint64_t>(point) + 1); };
        const auto better = [&](int one, int other) {
            const int left = board_.value(one), right = board_.value(other);
            if (left != right) return left > right;
            return luck(one) != luck(other) ? luck(one) < luck(other) : one < other;
        };
        const std::size_t size = is_urgent ? moves.size() : std::min(moves.size(), most);
        std::partial_sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(size), moves.end(), better);
        moves.resize(size);
        return moves;
    }

    void deepen(Moves& moves) {
        if (won(threats_.by_fours(root_fours))) return;
        for (int depth = 1; depth <= limits_.depth && !count_.stopped(); ++depth) {
            if (won(threats_.by_threes(threes_per_depth * depth, depth))) return;
            compare(moves, depth);
            while (moves.size() > 1 && refuted(line_[0], depth)) {
                std::erase(moves, line_[0]);
                line_.assign(1, moves[0]);
                compare(moves, depth);
            }
            if (count_.stopped()) return;
            depth_ = depth;
            if (std::abs(score_) > clear) return;
        }
    }

    bool won(const Line& line) {
        if (line.empty()) return false;
        line_ = line;
        score_ = decided - static_cast<int>(line.size());
        return true;
    }

    // Whether the other side wins by threats after this move.
    bool refuted(int move, int depth) {
        if (count_.stopped()) return false;
        board_.put(move);
        const bool lost = !threats_.by_threes(threes_per_depth * depth, depth).empty();
        board_.remove(move);
        return lost;
    }

    // Find the best of these moves at this depth.
    void compare(Moves moves, int depth) {
        // The best move so far comes first, so that an interrupted depth still compares others with it.
        const auto best = std::find(moves.begin(), moves.end(), line_[0]);
        if (best != moves.end()) std::rotate(moves.begin(), best, best + 1);
        int top = -infinite;
        for (const int move : moves) {
            if (count_.stopped()) return;
            board_.put(move);
            const int value = child(depth - 1, 1, {top, infinite}, top == -infinite);
            board_.remove(move);
            if (count_.stopped() || value <= top) continue;
            top = score_ = value;
            line_.assign(1, move);
        }
    }

    // The value of the last move. After the first move, an empty window shows cheaply that it is not better.
    int child(int depth, int turn, Window window, bool first) {
        if (!first) {
            const int value = -this->value(depth, turn, {-window.alpha - 1, -window.alpha});
            if (value <= window.alpha || value >= window.beta) return value;
        }
        return -this->value(depth, turn, {-window.beta, -window.alpha});
    }

    // The value for the side to move: exact inside the window, else a bound. Without meaning after a stop.
    int value(int depth, int turn, Window window) {
        if (count_.stopped() || !count_.visit()) return 0;
        const bool own = board_.white, other = !own;
        if (board_.fives[own].any()) return decided - turn - 1;
        const int forced = board_.fives[other].size();
        if (forced > 1) return turn + 2 - decided;
        if (!forced && board_.wins[own].any()) return decided - turn - 3;
        if (!board_.open.any()) return 0;
        const search::ScoreEntry* found = known_.find(board_.key());
        if (found && found->depth >= depth && found->settles(turn, window)) return found->from_root(turn);
        const int best = found ? static_cast<int>(found->best) : -1;
        if (!forced) {
            const Line line = threats_.by_fours(inner_fours);
            if (!line.empty()) {
                const int value = decided - turn - static_cast<int>(line.size());
                keep(99, value, line[0], turn, {-infinite, infinite});
                return value;
            }
            if (depth <= 0) return 5 * board_.scores[own] / 4 - board_.scores[other];
        }
        if (count_.stopped()) return 0;
        return this->best(moves(forced, best), forced ? depth : depth - 1, turn, window);
    }

    Moves moves(bool forced, int first) {
        if (forced) return {board_.fives[!board_.white].lowest()};
        Moves moves = choice(0, width);
        const auto known = std::find(moves.begin(), moves.end(), first);
        if (known != moves.end()) std::rotate(moves.begin(), known, known + 1);
        return moves;
    }

    int best(const Moves& moves, int depth, int turn, Window window) {
        int top = -infinite, best = moves[0];
        for (const int move : moves) {
            board_.put(move);
            const int value = child(depth, turn + 1, {std::max(top, window.alpha), window.beta}, top == -infinite);
            board_.remove(move);
            if (count_.stopped()) return 0;
            if (value > top) top = value, best = move;
            if (top >= window.beta) break;
        }
        keep(std::max(depth + 1, 0), top, best, turn, window);
        return top;
    }

    void keep(int depth, int value, int best, int turn, Window window) {
        known_.keep(board_.key(), search::ScoreEntry::of(board_.key(), depth, value, static_cast<std::uint32_t>(best), turn, window));
    }

    Threats board_;
    search::ScoreTable& known_;
    Limits limits_;
    NodeCount count_;
    ThreatSearch threats_;
    int depth_ = 0;
    int score_ = 0;
    Line line_;
};

}  // namespace arena::gomoku
