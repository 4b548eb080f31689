// The strong search: alpha-beta with the pattern evaluation, and the exact solver near the end of the game.
#pragma once

#include <cmath>
#include <string>

#include "solver.hpp"

namespace arena::othello {

struct Limits {
    int depth = 60;         // turns; passes do not count
    int solve = 0;          // with at most so many empty squares the game is solved to its end
    bool selective = true;  // leave out moves that a shallower search finds far outside the window
};

struct Answer {
    int move = pass;
    int score = 0;          // for the side to move, in eighths of a disc
    int depth = 0;          // the last depth that was completed
    bool won_lost = false;  // the sign of the score is certain
    bool exact = false;     // the score is that of best play to the end
    std::uint64_t nodes = 0;
    std::vector<int> line;
};

class Strong {
public:
    Strong() : table_(20), endings_(20), solver_(weights_, endings_) {}

    bool learn(const std::int8_t* weights, std::size_t size) { return weights_.read(weights, size); }
    int value(const Position& position) const { return weights_.value(PatternPosition::of(position)); }
    void forget() { table_.clear(), endings_.clear(); }

    // The best move. The position must have a move that is not a pass.
    Answer search(const Position& position, const Limits& limits, search::StopCondition& quick, search::StopCondition& stop) {
        table_.open(), endings_.open();
        ++age_, ++solver_.age;
        limits_ = limits;
        nodes_ = solver_.nodes = 0;
        const PatternPosition root = PatternPosition::of(position);
        std::vector<RootMove> moves = root_moves(root);
        Answer answer;
        answer.move = moves[0].square;
        const int empty = root.empty();
        const bool to_end = empty <= limits.solve;
        // Before the solver starts, a shallow search finds good moves, which then come first.
        const int most = std::min(limits.depth, to_end ? std::max(1, empty - 6) : empty);
        deepen(root, moves, most, to_end ? quick : stop, answer);
        if (to_end) finish(root, moves, stop, answer);
        answer.nodes = nodes_ + solver_.nodes;
        answer.line = line(root, answer);
        return answer;
    }

    // The exact lead of the side to move, in discs.
    Answer solve(const Position& position, search::StopCondition& stop) {
        endings_.open();
        ++solver_.age;
        solver_.nodes = 0;
        Answer answer;
        answer.score = solver_.solve(PatternPosition::of(position), -64, 64, stop);
        answer.exact = !stop.stopped();
        answer.nodes = solver_.nodes;
        return answer;
    }

private:
    struct RootMove {
        int square;
        PatternPosition place;  // after the move
    };

    static constexpr int infinite = 64 * disc + 1;
    static constexpr int finished_from = 9;  // with at most so many empty squares a search to the end is left to the solver

    std::vector<RootMove> root_moves(const PatternPosition& root) const {
        std::vector<RootMove> moves;
        for (Bits squares = root.position.squares(); squares;) {
            const int square = take(squares);
            moves.push_back({square, root.placed(square, flipped(root.position.own, root.position.other, square))});
        }
        std::stable_sort(moves.begin(), moves.end(), [this](const RootMove& one, const RootMove& two) {
            return weights_.value(one.place) < weights_.value(two.place);
        });
        return moves;
    }

    static void to_front(std::vector<RootMove>& moves, std::size_t index) {
        const auto found = moves.begin() + static_cast<std::ptrdiff_t>(index);
        std::rotate(moves.begin(), found, found + 1);
    }

    // Iterative deepening. The best move so far comes first, so that an interrupted depth still compares others with it.
    void deepen(const PatternPosition& root, std::vector<RootMove>& moves, int most, search::StopCondition& stop, Answer& answer) {
        stop_ = &stop;
        for (int depth = 1; depth <= most; ++depth) {
            int top = -infinite;
            std::size_t best = 0;
            for (std::size_t index = 0; index < moves.size(); ++index) {
                int value = -infinite;
                if (index) value = -value_of(moves[index].place, depth - 1, -top - 1, -top);
                if (!index || (value > top && !stop.stopped()))
                    value = -value_of(moves[index].place, depth - 1, -infinite, -top);
                if (stop.stopped()) break;
                if (value > top) {
                    top = value, best = index;
                    answer.move = moves[index].square;
                    answer.score = value;
                }
            }
            if (top > -infinite) to_front(moves, best);
            if (stop.stopped()) break;
            answer.depth = depth;
            answer.exact = answer.won_lost = !limits_.selective && depth >= root.empty();
        }
    }

    // Solve for win, draw or loss first, then for the exact score.
    void finish(const PatternPosition& root, std::vector<RootMove>& moves, search::StopCondition& stop, Answer& answer) {
        if (!decide(moves, -1, 1, stop, answer)) return;
        answer.won_lost = true;
        answer.depth = root.empty();
        const int sign = answer.score;
        const int low = sign > 0 ? 0 : sign < 0 ? -64 : -1, high = sign > 0 ? 64 : sign < 0 ? 0 : 1;
        if (!decide(moves, low, high, stop, answer)) {
            answer.score = sign * disc;
            return;
        }
        answer.exact = true;
        answer.score *= disc;
    }

    // Find the best move by the solver, for leads from `alpha` to `beta`; false if the time was too short.
    bool decide(std::vector<RootMove>& moves, int alpha, int beta, search::StopCondition& stop, Answer& answer) {
        std::size_t best = 0;
        int top = -64 - 1;
        for (std::size_t index = 0; index < moves.size() && top < beta; ++index) {
            const int floor = std::max(alpha, top);
            const PatternPosition& next = moves[index].place;
            int value = -solver_.solve(next, index ? -floor - 1 : -beta, -floor, stop);
            if (index && value > floor && value < beta && !stop.stopped()) value = -solver_.solve(next, -beta, -value, stop);
            if (stop.stopped()) {
                // The best move so far. If all solved moves lose, the first move that is not solved yet.
                if (index) answer.move = moves[top > alpha || alpha != -1 ? best : index].square;
                return false;
            }
            if (value > top) top = value, best = index;
        }
        to_front(moves, best);
        answer.move = moves[0].square;
        answer.score = std::clamp(top, alpha, beta);
        return true;
    }

    int value_of(const PatternPosition& place, int depth, int alpha, int beta) {
        ++nodes_;
        if (stop_->stop(nodes_, 255)) return alpha;
        if (depth == 0) return weights_.value(place);
        const auto& [own, other, white] = place.position;
        const Bits squares = enclosing(own, other);
        if (!squares) {
            if (!enclosing(other, own)) return disc * final_lead(own, other);
            return -value_of(place.passed(), depth, -beta, -alpha);
        }
        if (depth == 1) return leaves(place, squares, beta);
        const int empty = place.empty();
        if (depth >= empty && empty <= finished_from) return to_end(place, alpha, beta);
        return depth < 3 ? near(place, squares, depth, alpha, beta) : far(place, squares, depth, alpha, beta);
    }

    int to_end(const PatternPosition& place, int alpha, int beta) {
        const auto down = [](int value) { return static_cast<int>(std::floor(static_cast<double>(value) / disc)); };
        return disc * solver_.solve(place, down(alpha), -down(-beta), *stop_);
    }

    // The last turn: every position after it is evaluated.
    int leaves(const PatternPosition& place, Bits squares, int beta) {
        const auto& [own, other, white] = place.position;
        int best = -infinite;
        while (squares) {
            const int square = take(squares);
            ++nodes_;
            best = std::max(best, -weights_.value(place.placed(square, flipped(own, other, square))));
            if (best >= beta) break;
        }
        return best;
    }

    // Depth 2, without the table.
    int near(const PatternPosition& place, Bits squares, int depth, int alpha, int beta) {
        Choice choices[34];
        const int size = ranked(place, squares, depth, pass, choices);
        int best = -infinite;
        for (int index = 0; index < size; ++index) {
            best_to_front(choices + index, choices + size);
            const PatternPosition after = place.placed(choices[index].square, choices[index].changed);
            const int value = -value_of(after, depth - 1, -beta, -std::max(alpha, best));
            if (stop_->stopped()) return best;
            best = std::max(best, value);
            if (best >= beta) break;
        }
        return best;
    }

    // Depth 3 and more.
    int far(const PatternPosition& place, Bits squares, int depth, int alpha, int beta) {
        const std::uint64_t key = table_key(place.position);
        int hinted = pass;
        if (const Entry* known = table_.find(key)) {
            hinted = known->move;
            if (deep_enough(*known, depth)) {
                if (known->lower >= beta || known->lower == known->upper) return known->lower;
                if (known->upper <= alpha) return known->upper;
            }
        }
        int cut;
        if (limits_.selective && beta - alpha == 1 && outside_window(place, depth, alpha, beta, cut)) return cut;
        Choice choices[34];
        const int size = ranked(place, squares, depth, hinted, choices);
        if (depth >= 5 && beta - alpha == 1) {
            // A reply that is known to cause a cutoff spares the search of all others.
            for (int index = 0; index < size; ++index) {
                const PatternPosition after = place.placed(choices[index].square, choices[index].changed);
                const Entry* known = table_.find(table_key(after.position));
                if (known && deep_enough(*known, depth - 1) && -known->upper >= beta) return -known->upper;
            }
        }
        int best = -infinite, move = pass;
        for (int index = 0; index < size; ++index) {
            best_to_front(choices + index, choices + size);
            const PatternPosition after = place.placed(choices[index].square, choices[index].changed);
            const int floor = std::max(alpha, best);
            const bool scout = index && beta - floor > 1;
            int value = -value_of(after, depth - 1, scout ? -floor - 1 : -beta, -floor);
            if (scout && value > floor && value < beta && !stop_->stopped())
                value = -value_of(after, depth - 1, -beta, -floor);
            if (stop_->stopped()) return best;
            if (value > best) best = value, move = choices[index].square;
            if (best >= beta) break;
        }
        table_.keep(key, Entry::of(key, best > alpha ? best : -64 * disc, best < beta ? best : 64 * disc, depth, move, age_));
        return best;
    }

    // A search that is not selective needs values of exactly its depth.
    bool deep_enough(const Entry& known, int depth) const {
        return limits_.selective ? known.depth >= depth : known.depth == depth;
    }

    // The depth of the shallow search that predicts a deeper one, and the standard deviation of the difference of their
    // values, measured on positions from games.
    static int shallower(int depth) { return depth < 5 ? depth - 2 : depth % 2 + (depth < 8 ? 2 : depth < 12 ? 4 : 6); }
    static double spread(int depth, int empty) {
        const double grown = 1 + 0.06 * (depth - shallower(depth) - 2);
        return disc * grown * (empty > 40 ? 3.3 : empty > 26 ? 3.4 : 4.6);
    }
    static constexpr double trust = 1.3;

    // Whether a shallower search is so far outside the window that this one will be outside too (ProbCut).
    bool outside_window(const PatternPosition& place, int depth, int alpha, int beta, int& cut) {
        const int less = shallower(depth);
        const int margin = static_cast<int>(std::lround(trust * spread(depth, place.empty())));
        const int value = weights_.value(place);
        if (value >= beta - margin / 2 && beta + margin <= 64 * disc) {
            const int high = beta + margin;
            if (value_of(place, less, high - 1, high) >= high) return cut = beta, true;
        }
        if (value <= alpha + margin / 2 && alpha - margin >= -64 * disc) {
            const int low = alpha - margin;
            if (value_of(place, less, low, low + 1) <= low) return cut = alpha, true;
        }
        return false;
    }

    // The moves with their ranks: by how few replies they leave and, at depth 3 and more, by the value after the move.
    int ranked(const PatternPosition& place, Bits squares, int depth, int hinted, Choice* into) {
        const auto& [own, other, white] = place.position;
        int size = 0;
        while (squares) {
            const int square = take(squares);
            const Bits changed = flipped(own, other, square);
            int rank = 1 << 20;
            if (square != hinted) {
                const Bits shrunk = other & ~changed, grown = own | changed | Bits{1} << square;
                const Bits replies = enclosing(shrunk, grown);
                rank = -disc * (count(replies) + count(replies & CORNERS));
                if (depth > 2) rank = rank / 2 - quick_value(place.placed(square, changed), depth);
                else if (CORNERS >> square & 1) rank += 4 * disc;
            }
            into[size++] = {square, rank, changed};
        }
        return size;
    }

    // A quick value for ranking. The deeper the search, the more is spent on it.
    int quick_value(const PatternPosition& place, int depth) {
        return depth < 6 ? weights_.value(place) : value_of(place, depth < 10 ? 1 : 2, -infinite, infinite);
    }

    // The expected moves, as far as the tables have them.
    std::vector<int> line(const PatternPosition& root, const Answer& answer) const {
        std::vector<int> moves{answer.move};
        Position position = root.position.placed(answer.move);
        while (moves.size() < 30) {
            if (!position.squares()) {
                if (!position.opponent_can_move()) break;
                moves.push_back(pass);
                position = position.passed();
                continue;
            }
            const Entry* known = answer.won_lost ? endings_.find(position.key()) : table_.find(table_key(position));
            if (!known || known->move == pass || !(position.squares() >> known->move & 1)) break;
            moves.push_back(known->move);
            position = position.placed(known->move);
        }
        return moves;
    }

    // Selective and full searches share the table, but not its values: the two top bits of the key tell them apart.
    std::uint64_t table_key(const Position& position) const {
        return position.key() ^ (limits_.selective ? std::uint64_t{1} : std::uint64_t{2}) << 62;
    }

    Weights weights_;
    PositionTable table_, endings_;
    std::uint8_t age_ = 1;  // of the entries of `table_`
    Solver solver_;
    Limits limits_;
    search::StopCondition* stop_ = nullptr;
    std::uint64_t nodes_ = 0;
};

}  // namespace arena::othello
