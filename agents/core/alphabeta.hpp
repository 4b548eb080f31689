// Alpha-beta: deepening step by step, with a table of positions that is kept from move to move.
#pragma once

#include <cstdlib>
#include <new>
#include <utility>

#include "rules.hpp"
#include "table.hpp"
#include "watch.hpp"

namespace arena::search {

inline constexpr int deepest = 64;

struct Limits {
    double seconds;
    std::uint64_t nodes;
    int depth;
    std::uint64_t seed;  // 0: equal moves are tried in the order of the rules
    bool exact;          // the value is that of a full search to the depth, nothing more and nothing less
};

template <typename Rules>
class AlphaBeta {
    using Board = typename Rules::Board;
    using Move = typename Rules::Move;

public:
    AlphaBeta() = default;
    ~AlphaBeta() { std::free(table_); }
    AlphaBeta(const AlphaBeta&) = delete;
    AlphaBeta& operator=(const AlphaBeta&) = delete;

    // The game of `root` must not be over.
    Found search(const Board& root, const Limits& limits, Watch& watch) {
        prepare(root, limits, watch);
        Found found;
        const int size = board_->moves(frames_[0].moves);
        if (limits.seed) shuffle(size, limits.seed);
        line_.assign(1, frames_[0].moves[0]);
        for (int depth = 1; depth <= limits.depth; ++depth) {
            deepen(size, depth);
            if (watch.stopped()) break;
            found.depth = depth;
            // What is decided within the depth stays so however far one looks.
            if (!exact_ && (size == 1 || std::abs(score_) >= decided - depth)) break;
        }
        found.nodes = nodes_;
        found.score = score_;
        found.move = Rules::text(*board_, line_[0]);
        for (const Move move : line_) found.line.push_back(Rules::text(*board_, move));
        return found;
    }

private:
    enum Bound : std::uint8_t { none, lower, upper, both };

    struct Entry {
        std::uint32_t check;
        std::int32_t value;
        std::uint32_t move;
        std::int8_t depth;
        std::uint8_t bound;
        std::uint16_t age;
    };
    static_assert(sizeof(Entry) == 16);
    static constexpr std::size_t entries = std::size_t{1} << 21;  // 32 MB at most: pages that are not used cost nothing

    struct Frame {
        Move moves[Board::max_moves];
        int order[Board::max_moves];
        Move killers[2];
        Move line[deepest + 1];
        int length;
    };
    static constexpr int further = 24;  // how many turns beyond `deepest` captures are followed
    static constexpr int frames = deepest + further + 1;

    void prepare(const Board& root, const Limits& limits, Watch& watch) {
        if (!table_) table_ = static_cast<Entry*>(std::calloc(entries, sizeof(Entry)));
        if (!table_) throw std::bad_alloc();
        if (!frames_) frames_.reset(new Frame[frames]);
        for (int turn = 0; turn < frames; ++turn) {
            frames_[turn].killers[0] = frames_[turn].killers[1] = static_cast<Move>(~Move{});
            frames_[turn].length = 0;
        }
        history_.assign(2 * Rules::codes, 0);
        board_.emplace(root);
        watch_ = &watch;
        nodes_ = 0;
        score_ = 0;
        exact_ = limits.exact;
        ++age_;
    }

    void shuffle(int size, std::uint64_t seed) {
        Random dice(seed);
        for (int left = size; left > 1; --left)
            std::swap(frames_[0].moves[left - 1], frames_[0].moves[dice.below(static_cast<std::uint32_t>(left))]);
    }

    // One step of the deepening. Broken off, it counts as far as it got: the best move so far comes first.
    void deepen(int size, int depth) {
        Move* moves = frames_[0].moves;
        Move* best = std::find(moves, moves + size, line_[0]);
        std::rotate(moves, best, best + 1);
        int top = -infinite;
        for (int index = 0; index < size; ++index) {
            board_->push(moves[index]);
            const int value = index ? narrow(1, depth - 1, top, infinite) : -visit(1, depth - 1, -infinite, infinite);
            board_->pop();
            if (watch_->stopped()) return;
            if (value <= top) continue;
            top = score_ = value;
            line_.assign(1, moves[index]);
            line_.insert(line_.end(), frames_[1].line, frames_[1].line + frames_[1].length);
        }
    }

    // The value of the move that led here. Most moves are no better than the best: that is cheaper to see than by how
    // much they are better.
    int narrow(int turn, int depth, int alpha, int beta) {
        const int value = -visit(turn, depth, -alpha - 1, -alpha);
        return value > alpha && value < beta && !watch_->stopped() ? -visit(turn, depth, -beta, -alpha) : value;
    }

    int ending(int turn) const {
        const int winner = board_->result();
        return winner == 0 ? 0 : (winner > 0) == board_->white() ? decided - turn : turn - decided;
    }

    // The value for the side to move, exact between `alpha` and `beta`, else a bound; worthless once the watch stops.
    int visit(int turn, int depth, int alpha, int beta) {
        Frame& frame = frames_[turn];
        frame.length = 0;
        if (depth <= 0 || turn >= deepest) {
            if constexpr (Rules::captures)
                if (!exact_) return settle(turn, alpha, beta);
            ++nodes_;
            int value;
            return watch_->stop(nodes_) ? 0 : Rules::leaf(*board_, value) ? value : ending(turn);
        }
        if (watch_->stop(++nodes_)) return 0;
        const std::uint64_t key = Rules::table_key(*board_);
        Entry& entry = table_[key & (entries - 1)];
        const bool known = entry.bound != none && entry.check == static_cast<std::uint32_t>(key >> 32);
        if (known && (exact_ ? entry.depth == depth : entry.depth >= depth) && settles(entry, turn, alpha, beta))
            return recalled(entry.value, turn);
        const int size = board_->moves(frame.moves);
        if (!size) return ending(turn);
        const Move hint = known ? static_cast<Move>(entry.move) : static_cast<Move>(~Move{});
        arrange(frame, size, depth, hint);
        const auto [best, value] = among(turn, depth, alpha, beta, size);
        if (!watch_->stopped()) store(entry, key, turn, depth, best, value, value <= alpha ? upper : value >= beta ? lower : both);
        return value;
    }

    // The best of the moves in the frame and its value.
    std::pair<Move, int> among(int turn, int depth, int alpha, int beta, int size) {
        Frame& frame = frames_[turn];
        Move best = frame.moves[0];
        int top = -infinite;
        // Beyond the best few nothing is expected that matters; where the search ends, there is no order.
        const int width = exact_ || depth == 1 ? size : std::min(size, Rules::width);
        for (int index = 0; index < width; ++index) {
            const Move move = next(frame, index, size);
            const bool late = reducible(index, depth, move);
            board_->push(move);
            int value;
            if (!index) value = -visit(turn + 1, depth - 1, -beta, -alpha);
            else if (!late || (value = -visit(turn + 1, depth - 2, -alpha - 1, -alpha)) > alpha)
                value = narrow(turn + 1, depth - 1, alpha, beta);
            board_->pop();
            if (watch_->stopped()) break;
            if (value <= top) continue;
            top = value;
            best = move;
            if (value <= alpha) continue;
            alpha = value;
            extend(frame, turn, move);
            if (alpha >= beta) {
                if (!Rules::loud(*board_, move)) remember(frame, depth, move);
                break;
            }
        }
        return {best, top};
    }

    // Quiet moves that come late in a good order are first looked at less deeply.
    bool reducible(int index, int depth, Move move) const {
        if constexpr (!Rules::captures) return false;
        return !exact_ && depth >= 3 && index >= 4 && !Rules::loud(*board_, move) && !Rules::pressed(*board_);
    }

    // Captures until nothing is left to take; the side to move may also leave things as they are, unless in check.
    int settle(int turn, int alpha, int beta) {
        if (watch_->stop(++nodes_)) return 0;
        Frame& frame = frames_[turn];
        frame.length = 0;
        int top;
        if (!Rules::leaf(*board_, top)) return ending(turn);
        if (turn + 1 >= frames) return top;
        const bool pressed = Rules::pressed(*board_);
        if (pressed) top = -infinite;
        else if (top >= beta) return top;
        alpha = std::max(alpha, top);
        int size = 0;
        const int all = board_->moves(frame.moves);
        for (int index = 0; index < all; ++index) {
            const Move move = frame.moves[index];
            if (!pressed && !Rules::loud(*board_, move)) continue;
            frame.order[size] = Rules::promise(*board_, move);
            frame.moves[size++] = move;
        }
        for (int index = 0; index < size; ++index) {
            const Move move = next(frame, index, size);
            board_->push(move);
            const int value = -settle(turn + 1, -beta, -alpha);
            board_->pop();
            if (watch_->stopped()) return 0;
            if (value <= top) continue;
            top = value;
            if (top >= beta) break;
            alpha = std::max(alpha, top);
        }
        return top;
    }

    static constexpr int hinted = 1 << 30, loud = 1 << 28, killing = 1 << 17, step = 1 << 8, most_history = 1 << 16;

    // How good each move looks: what the table says, then captures, then what looks good in itself or cut elsewhere.
    void arrange(Frame& frame, int size, int depth, Move hint) {
        const int* history = &history_[board_->white() ? Rules::codes : 0];
        for (int index = 0; index < size; ++index) {
            const Move move = frame.moves[index];
            int& order = frame.order[index];
            if (move == hint) {
                order = hinted;
                continue;
            }
            order = depth > 1 ? Rules::promise(*board_, move) : 0;
            if (Rules::loud(*board_, move)) order += loud;
            else order = step * order + history[Rules::code(move)] + (is_killer(frame, move) ? killing : 0);
        }
    }

    static bool is_killer(const Frame& frame, Move move) { return move == frame.killers[0] || move == frame.killers[1]; }

    // The best looking of the moves from `index` on, put there; of equals the first.
    static Move next(Frame& frame, int index, int size) {
        int best = index;
        for (int other = index + 1; other < size; ++other)
            if (frame.order[other] > frame.order[best]) best = other;
        std::swap(frame.moves[index], frame.moves[best]);
        std::swap(frame.order[index], frame.order[best]);
        return frame.moves[index];
    }

    // A quiet move that was good enough here may be so elsewhere.
    void remember(Frame& frame, int depth, Move move) {
        if (frame.killers[0] != move) {
            frame.killers[1] = frame.killers[0];
            frame.killers[0] = move;
        }
        int& score = history_[static_cast<std::size_t>(Rules::code(move) + (board_->white() ? Rules::codes : 0))];
        score += depth * depth;
        if (score >= most_history)
            for (int& other : history_) other /= 2;
    }

    // The line of play that is expected: the move, and what follows it.
    void extend(Frame& frame, int turn, Move move) {
        const Frame& after = frames_[turn + 1];
        frame.line[0] = move;
        frame.length = 1 + std::min(after.length, deepest - turn);
        std::copy(after.line, after.line + frame.length - 1, frame.line + 1);
    }

    // Decisions are counted from the root in the search, from the position in the table.
    static int recalled(int value, int turn) {
        return value > decided - 2 * frames ? value - turn : value < 2 * frames - decided ? value + turn : value;
    }
    static int counted(int value, int turn) {
        return value > decided - 2 * frames ? value + turn : value < 2 * frames - decided ? value - turn : value;
    }

    static bool settles(const Entry& entry, int turn, int alpha, int beta) {
        const int value = recalled(entry.value, turn);
        return entry.bound == both || (entry.bound == lower ? value >= beta : value <= alpha);
    }

    void store(Entry& entry, std::uint64_t key, int turn, int depth, Move best, int value, Bound bound) {
        const auto check = static_cast<std::uint32_t>(key >> 32);
        // What was searched deeper in this move stays, unless it is the same position.
        if (entry.bound != none && entry.age == age_ && entry.depth > depth && entry.check != check) return;
        entry = {check, counted(value, turn), static_cast<std::uint32_t>(best), static_cast<std::int8_t>(depth), bound, age_};
    }

    Entry* table_ = nullptr;
    std::unique_ptr<Frame[]> frames_;
    std::vector<int> history_;
    std::optional<Board> board_;
    Watch* watch_ = nullptr;
    std::vector<Move> line_;
    std::uint64_t nodes_ = 0;
    int score_ = 0;
    std::uint16_t age_ = 0;
    bool exact_ = false;
};

}  // namespace arena::search
