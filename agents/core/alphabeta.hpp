// Alpha-beta with iterative deepening. Its transposition table is kept from move to move.
#pragma once

#include <cstdlib>
#include <utility>

#include "games.hpp"
#include "known_endings.hpp"
#include "leaf.hpp"
#include "search_limits.hpp"
#include "search_result.hpp"
#include "stop_condition.hpp"
#include "table.hpp"

namespace arena::search {

// The turns beyond `deepest` that captures are followed.
inline constexpr int further = 24;
// Up to this depth a position far ahead is not searched, where the leaf evaluation has a margin.
inline constexpr int most_margins = 3;
inline constexpr int most_table_bits = 21;  // 32 MB

template <SearchGame Game, LeafEvaluation<Game> Leaf = StaticLeaf<Game>>
class AlphaBeta {
    using Board = typename Game::Board;
    using Move = typename Game::Move;

public:
    // What a search has found, without texts.
    struct Best {
        Move move;
        int score, depth;
        std::uint64_t nodes;
    };

    explicit AlphaBeta(Leaf leaf = Leaf(), int table_bits = most_table_bits) : table_(table_bits), leaf_(std::move(leaf)) {}

    // The game of `root` must not be over.
    SearchResult search(const Board& root, const Limits& limits, StopCondition& stop) {
        return with_texts(best_of(root, limits, stop));
    }

    Best best_of(const Board& root, const Limits& limits, StopCondition& stop) {
        prepare(root, limits, stop);
        int reached = 0;
        int size = board_->moves(frames_[0].moves);
        if (limits.seed) shuffle(size, limits.seed);
        if constexpr (KnownEndings<Game>::exist) size = endings_.keep(*board_, frames_[0].moves, size);
        line_.assign(1, frames_[0].moves[0]);
        for (int depth = 1; depth <= limits.depth; ++depth) {
            deepen_around(size, depth);
            if (stop.stopped()) break;
            reached = depth;
            if (stop.has_listener()) stop.tell(with_texts({line_[0], score_, reached, nodes_}));
            // A game that is decided within the depth stays decided at higher depths.
            if (!exact_ && (size == 1 || std::abs(score_) >= decided - depth)) break;
        }
        return {line_[0], score_, reached, nodes_};
    }

    const Leaf& leaf() const { return leaf_; }
    KnownEndings<Game>& endings() { return endings_; }

private:
    SearchResult with_texts(const Best& best) const {
        SearchResult found;
        found.nodes = best.nodes;
        found.depth = best.depth;
        found.score = best.score;
        found.move = Game::text(*board_, best.move);
        for (const Move move : line_) found.line.push_back(Game::text(*board_, move));
        return found;
    }

    static constexpr Move no_move = static_cast<Move>(~Move{});

    struct Entry {
        std::uint32_t check;  // the upper half of the key
        std::int32_t value;
        std::uint32_t move;
        std::int8_t depth;
        Bound bound;
        std::uint16_t age;

        bool empty() const { return bound == Bound::none; }
        bool is_for(std::uint64_t key) const { return check == static_cast<std::uint32_t>(key >> 32) && !empty(); }
        // Deeper results of the same search are never replaced by other positions.
        int worth(const Entry& added) const { return !empty() && age == added.age && depth > added.depth ? never_replaced : 0; }
    };
    static_assert(sizeof(Entry) == 16);

    struct Frame {
        Move moves[Board::max_moves];
        int order[Board::max_moves];
        Move killers[2];
        Move line[deepest + 1];
        int length;
        bool after_pass;  // the other side has just passed
    };
    static constexpr int frames = deepest + further + 1;

    void prepare(const Board& root, const Limits& limits, StopCondition& stop) {
        table_.open();
        if (!frames_) frames_.reset(new Frame[frames]);
        for (int turn = 0; turn < frames; ++turn) {
            frames_[turn].killers[0] = frames_[turn].killers[1] = no_move;
            frames_[turn].length = 0;
            frames_[turn].after_pass = false;
        }
        history_.assign(2 * Game::move_indexes, 0);
        board_.emplace(root);
        stop_ = &stop;
        nodes_ = 0;
        score_ = 0;
        exact_ = limits.exact;
        without_ = limits.without;
        contempt_ = limits.contempt;
        if constexpr (KnownEndings<Game>::exist) endings_.begin(root, !exact_);
        ++age_;
    }

    void shuffle(int size, std::uint64_t seed) {
        Random random(seed);
        for (int left = size; left > 1; --left)
            std::swap(frames_[0].moves[left - 1], frames_[0].moves[random.below(static_cast<std::uint32_t>(left))]);
    }

    // Whether the search may leave out what is most likely not worth searching.
    bool prunes() const { return PassesToPrune<Game> && !exact_; }
    bool uses(Feature feature) const { return !(without_ & feature); }
    bool is_tactical(Move move) const {
        if constexpr (PassesToPrune<Game>)
            if (!uses(exchanges) && board_->is_capture(move)) return true;
        return Game::is_tactical(*board_, move);
    }

    // Search one depth, first in a narrow window around the last score, which is cheaper if the score stays within it.
    void deepen_around(int size, int depth) {
        int below = 30, above = 30;
        while (prunes() && uses(aspiration) && depth >= 4 && std::abs(score_) < clear && below < 1000 && above < 1000) {
            const Window window{score_ - below, score_ + above};
            const int value = deepen(size, depth, window);
            if (stop_->stopped() || (value > window.alpha && value < window.beta)) return;
            (value <= window.alpha ? below : above) *= 4;
        }
        deepen(size, depth, {-infinite, infinite});
    }

    // Search one depth and return its value. The best move so far comes first, so that an interrupted depth still counts.
    int deepen(int size, int depth, Window window) {
        Move* moves = frames_[0].moves;
        Move* best = std::find(moves, moves + size, line_[0]);
        std::rotate(moves, best, best + 1);
        int top = -infinite;
        for (int index = 0; index < size; ++index) {
            board_->push(moves[index]);
            const int value = index ? narrow(1, depth - 1, std::max(top, window.alpha), window.beta)
                                    : -visit(1, depth - 1, -window.beta, -window.alpha);
            board_->pop();
            if (stop_->stopped()) return top;
            if (value <= top) continue;
            top = value;
            if (value <= window.alpha) continue;
            score_ = value;
            line_.assign(1, moves[index]);
            line_.insert(line_.end(), frames_[1].line, frames_[1].line + frames_[1].length);
            if (value >= window.beta) break;
        }
        return top;
    }

    // The value of the last move. A search with an empty window shows cheaply that most moves are not better than `alpha`.
    int narrow(int turn, int depth, int alpha, int beta) {
        const int value = -visit(turn, depth, -alpha - 1, -alpha);
        return value > alpha && value < beta && !stop_->stopped() ? -visit(turn, depth, -beta, -alpha) : value;
    }

    int drawn(int turn) const { return turn % 2 ? contempt_ : -contempt_; }
    int ending(int turn) const {
        const int winner = board_->result();
        if (winner == 0) return drawn(turn);
        return (winner > 0) == board_->white() ? decided - turn : turn - decided;
    }

    // The value for the side to move: exact between `alpha` and `beta`, else a bound. Without meaning after a stop.
    int visit(int turn, int depth, int alpha, int beta) {
        Frame& frame = frames_[turn];
        frame.length = 0;
        bool in_check = false;
        if constexpr (PassesToPrune<Game>) {
            if (prunes()) {
                if (Game::repeats(*board_)) return drawn(turn);
                in_check = Game::in_check(*board_);
                depth += in_check && uses(check_extensions);  // an answer to a check is searched one turn deeper
            }
        }
        if constexpr (KnownEndings<Game>::exist)
            if (int value; endings_.value(*board_, turn, drawn(turn), value)) return ++nodes_, value;
        if (depth <= 0 || turn >= deepest) {
            if constexpr (Game::has_tactical_moves)
                if (!exact_) return settle(turn, alpha, beta);
            ++nodes_;
            int value;
            return stop_->stop(nodes_) ? 0 : leaf_.evaluate(*board_, turn, value) ? value : ending(turn);
        }
        if (stop_->stop(++nodes_)) return 0;
        const std::uint64_t key = Game::table_key(*board_);
        const Entry* known = table_.find(key);
        if (known && (exact_ ? known->depth == depth : known->depth >= depth)) {
            const int value = from_stored(known->value, turn);
            if (settles(value, known->bound, {alpha, beta})) return value;
        }
        if (int value; !in_check && is_hopeless(turn, depth, alpha, beta, value)) return value;
        const Move hint = known ? static_cast<Move>(known->move) : no_move;
        if constexpr (PassesToPrune<Game>) {
            int value;
            if (prunes() && uses(null_moves) && !in_check && beta - alpha == 1 && is_better_without_a_move(turn, depth, beta, value)) return value;
            if (stop_->stopped()) return 0;
        }
        const int size = board_->moves(frame.moves);
        if (!size) return ending(turn);
        arrange(frame, size, depth, hint);
        const auto [best, value] = best_move(turn, depth, alpha, beta, size);
        if (!stop_->stopped()) store(key, turn, depth, best, value, bound_of(value, {alpha, beta}));
        return value;
    }

    // Whether the side to move is so far ahead near the leaves that the opponent will hardly go for this position. The bound
    // is the value of the position as it stands, less a margin for each turn.
    bool is_hopeless(int turn, int depth, int alpha, int beta, int& value) {
        if constexpr (!Game::has_tactical_moves || Leaf::margin == 0) return false;
        if (exact_ || !uses(margins) || depth > most_margins || beta - alpha > 1 || std::abs(beta) > clear || Game::in_check(*board_)) return false;
        if (!leaf_.evaluate(*board_, turn, value)) return false;
        value -= depth * Leaf::margin;
        return value >= beta;
    }

    // Whether the position is better than `beta` for the side to move even after a turn without a move.
    bool is_better_without_a_move(int turn, int depth, int beta, int& value)
        requires PassesToPrune<Game>
    {
        if (depth < 2 || frames_[turn].after_pass || std::abs(beta) >= clear || !Game::may_pass(*board_)) return false;
        if (!leaf_.evaluate(*board_, turn, value) || value < beta) return false;
        board_->pass();
        frames_[turn + 1].after_pass = true;
        value = -visit(turn + 1, depth - 3 - depth / 4, -beta, 1 - beta);
        frames_[turn + 1].after_pass = false;
        board_->pop();
        if (value > clear) value = beta;
        return value >= beta;
    }

    // The best of the moves in the frame and its value.
    std::pair<Move, int> best_move(int turn, int depth, int alpha, int beta, int size) {
        Frame& frame = frames_[turn];
        Move best = frame.moves[0];
        int top = -infinite;
        // Only the best moves are searched, but at depth 1 they have no order yet.
        const int width = exact_ || depth == 1 ? size : std::min(size, Game::max_width);
        for (int index = 0; index < width; ++index) {
            const Move move = next(frame, index, size);
            const int less = reduction(index, depth, move);
            board_->push(move);
            int value;
            if (!index) value = -visit(turn + 1, depth - 1, -beta, -alpha);
            else if (!less || (value = -visit(turn + 1, depth - 1 - less, -alpha - 1, -alpha)) > alpha)
                value = narrow(turn + 1, depth - 1, alpha, beta);
            board_->pop();
            if (stop_->stopped()) break;
            if (value <= top) continue;
            top = value;
            best = move;
            if (value <= alpha) continue;
            alpha = value;
            extend(frame, turn, move);
            if (alpha >= beta) {
                if (!is_tactical(move)) remember(frame, depth, move);
                break;
            }
        }
        return {best, top};
    }

    // How much less deeply a late quiet move is searched first.
    int reduction(int index, int depth, Move move) const {
        if constexpr (!Game::has_tactical_moves) return 0;
        const bool reducible =
            !exact_ && uses(reductions) && depth >= 3 && index >= 4 && !is_tactical(move) && !Game::in_check(*board_);
        if (!PassesToPrune<Game> || !reducible) return reducible;
        return 1 + (index >= 8) + (depth >= 6) + (depth >= 8 && index >= 16);
    }

    // Quiescence search: only tactical moves are followed. Unless in check, the side to move may also stop there.
    int settle(int turn, int alpha, int beta) {
        if (stop_->stop(++nodes_)) return 0;
        Frame& frame = frames_[turn];
        frame.length = 0;
        int top;
        if constexpr (KnownEndings<Game>::exist)
            if (endings_.value(*board_, turn, drawn(turn), top)) return top;
        if (!leaf_.evaluate(*board_, turn, top)) return ending(turn);
        if (turn + 1 >= frames) return top;
        const bool in_check = Game::in_check(*board_);
        if (in_check) top = -infinite;
        else if (top >= beta) return top;
        alpha = std::max(alpha, top);
        int size = 0;
        const int all = board_->moves(frame.moves);
        for (int index = 0; index < all; ++index) {
            const Move move = frame.moves[index];
            if (!in_check && !is_tactical(move)) continue;
            frame.order[size] = Game::promise(*board_, move);
            frame.moves[size++] = move;
        }
        for (int index = 0; index < size; ++index) {
            const Move move = next(frame, index, size);
            board_->push(move);
            const int value = -settle(turn + 1, -beta, -alpha);
            board_->pop();
            if (stop_->stopped()) return 0;
            if (value <= top) continue;
            top = value;
            if (top >= beta) break;
            alpha = std::max(alpha, top);
        }
        return top;
    }

    static constexpr int hinted = 1 << 30, tactical = 1 << 28, killing = 1 << 17, step = 1 << 8, most_history = 1 << 16;

    // Rate the moves: first the move of the table, then tactical moves, then moves of promise or that caused cutoffs.
    void arrange(Frame& frame, int size, int depth, Move hint) {
        const int* history = &history_[board_->white() ? Game::move_indexes : 0];
        for (int index = 0; index < size; ++index) {
            const Move move = frame.moves[index];
            int& order = frame.order[index];
            if (move == hint) {
                order = hinted;
                continue;
            }
            order = depth > 1 ? Game::promise(*board_, move) : 0;
            if (is_tactical(move)) order += tactical;
            else order = step * order + (uses(Feature::history) ? history[Game::move_index(move)] : 0) +
                         (uses(killers) && is_killer(frame, move) ? killing : 0);
        }
    }

    static bool is_killer(const Frame& frame, Move move) { return move == frame.killers[0] || move == frame.killers[1]; }

    // Move the best rated of the moves from `index` on to `index`; the first of equals.
    static Move next(Frame& frame, int index, int size) {
        int best = index;
        for (int other = index + 1; other < size; ++other)
            if (frame.order[other] > frame.order[best]) best = other;
        std::swap(frame.moves[index], frame.moves[best]);
        std::swap(frame.order[index], frame.order[best]);
        return frame.moves[index];
    }

    // Remember a quiet move that caused a cutoff: it may do so elsewhere.
    void remember(Frame& frame, int depth, Move move) {
        if (frame.killers[0] != move) {
            frame.killers[1] = frame.killers[0];
            frame.killers[0] = move;
        }
        int& score = history_[static_cast<std::size_t>(Game::move_index(move) + (board_->white() ? Game::move_indexes : 0))];
        score += depth * depth;
        if (score >= most_history)
            for (int& other : history_) other /= 2;
    }

    // Set the expected line of play: the move, then the line after it.
    void extend(Frame& frame, int turn, Move move) {
        const Frame& after = frames_[turn + 1];
        frame.line[0] = move;
        frame.length = 1 + std::min(after.length, deepest - turn);
        std::copy(after.line, after.line + frame.length - 1, frame.line + 1);
    }

    void store(std::uint64_t key, int turn, int depth, Move best, int value, Bound bound) {
        table_.keep(key, {static_cast<std::uint32_t>(key >> 32), to_stored(value, turn), static_cast<std::uint32_t>(best),
                          static_cast<std::int8_t>(depth), bound, age_});
    }

    Table<Entry, 1> table_;
    Leaf leaf_;
    KnownEndings<Game> endings_;
    std::unique_ptr<Frame[]> frames_;
    std::vector<int> history_;
    std::optional<Board> board_;
    StopCondition* stop_ = nullptr;
    std::vector<Move> line_;
    std::uint64_t nodes_ = 0;
    int score_ = 0, contempt_ = 0;
    unsigned without_ = 0;
    std::uint16_t age_ = 0;
    bool exact_ = false;
};

}  // namespace arena::search
