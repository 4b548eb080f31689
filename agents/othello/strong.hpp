// The strong search: alpha-beta over the pattern evaluation, and the exact solver where the end is near.
#pragma once

#include <cmath>
#include <string>

#include "solver.hpp"

namespace arena::othello {

struct Limits {
    int depth = 60;        // turns; passes do not count
    int solve = 0;         // empty squares from which on the game is searched to its end
    bool selective = true; // leave out what a shallower search finds hopeless
};

struct Answer {
    int move = pass;
    int score = 0;       // of the side to move, in eighths of a disc
    int depth = 0;       // searched to the end
    bool won_lost = false;  // the score's sign is certain
    bool exact = false;  // the score is that of best play to the end
    std::uint64_t nodes = 0;
    std::vector<int> line;
};

class Strong {
public:
    Strong() : table_(20), endings_(20), solver_(weights_, endings_) {}

    bool learn(const std::int8_t* weights, std::size_t size) { return weights_.read(weights, size); }
    int value(const Position& position) const { return weights_.value(Place::of(position)); }
    void forget() { table_.clear(), endings_.clear(); }

    // The best move of a position that has one which is no pass.
    Answer search(const Position& position, const Limits& limits, search::Watch& quick, search::Watch& watch) {
        table_.open(), endings_.open();
        table_.age(), endings_.age();
        limits_ = limits;
        nodes_ = solver_.nodes = 0;
        const Place root = Place::of(position);
        std::vector<Root> moves = listed(root);
        Answer answer;
        answer.move = moves[0].square;
        const int empty = root.empty();
        const bool to_end = empty <= limits.solve;
        // Before the end is searched, a look that is not so deep: good moves come first then.
        const int most = std::min(limits.depth, to_end ? std::max(1, empty - 6) : empty);
        deepen(root, moves, most, to_end ? quick : watch, answer);
        if (to_end) finish(root, moves, watch, answer);
        answer.nodes = nodes_ + solver_.nodes;
        answer.line = line(root, answer);
        return answer;
    }

    // The exact lead of the side to move, in discs.
    Answer solve(const Position& position, search::Watch& watch) {
        endings_.open(), endings_.age();
        solver_.nodes = 0;
        Answer answer;
        answer.score = solver_.solve(Place::of(position), -64, 64, watch);
        answer.exact = !watch.stopped();
        answer.nodes = solver_.nodes;
        return answer;
    }

private:
    struct Root {
        int square;
        Place place;  // after the move
    };
    struct Choice {
        int square;
        int rank;
        Bits changed;
    };

    static constexpr int infinite = 64 * disc + 1;
    static constexpr int finished_from = 9;  // empty squares from which on down a search to the end is the solver's

    std::vector<Root> listed(const Place& root) const {
        std::vector<Root> moves;
        for (Bits squares = root.position.squares(); squares;) {
            const int square = take(squares);
            moves.push_back({square, root.taken(square, turned(root.position.own, root.position.other, square))});
        }
        std::stable_sort(moves.begin(), moves.end(), [this](const Root& one, const Root& two) {
            return weights_.value(one.place) < weights_.value(two.place);
        });
        return moves;
    }

    static void to_front(std::vector<Root>& moves, std::size_t index) {
        const auto found = moves.begin() + static_cast<std::ptrdiff_t>(index);
        std::rotate(moves.begin(), found, found + 1);
    }

    // One turn deep, then two, and so on. The best so far goes first: a depth that is broken off has then compared it.
    void deepen(const Place& root, std::vector<Root>& moves, int most, search::Watch& watch, Answer& answer) {
        watch_ = &watch;
        for (int depth = 1; depth <= most; ++depth) {
            int top = -infinite;
            std::size_t best = 0;
            for (std::size_t index = 0; index < moves.size(); ++index) {
                int value = -infinite;
                if (index) value = -value_of(moves[index].place, depth - 1, -top - 1, -top);
                if (!index || (value > top && !watch.stopped()))
                    value = -value_of(moves[index].place, depth - 1, -infinite, -top);
                if (watch.stopped()) break;
                if (value > top) {
                    top = value, best = index;
                    answer.move = moves[index].square;
                    answer.score = value;
                }
            }
            if (top > -infinite) to_front(moves, best);
            if (watch.stopped()) break;
            answer.depth = depth;
            answer.exact = answer.won_lost = !limits_.selective && depth >= root.empty();
        }
    }

    // Win, draw or loss first; then by how much.
    void finish(const Place& root, std::vector<Root>& moves, search::Watch& watch, Answer& answer) {
        if (!decide(moves, -1, 1, watch, answer)) return;
        answer.won_lost = true;
        answer.depth = root.empty();
        const int sign = answer.score;
        const int low = sign > 0 ? 0 : sign < 0 ? -64 : -1, high = sign > 0 ? 64 : sign < 0 ? 0 : 1;
        if (!decide(moves, low, high, watch, answer)) {
            answer.score = sign * disc;
            return;
        }
        answer.exact = true;
        answer.score *= disc;
    }

    // The best move by the solver, between two leads; whether there was time for it.
    bool decide(std::vector<Root>& moves, int alpha, int beta, search::Watch& watch, Answer& answer) {
        std::size_t best = 0;
        int top = -64 - 1;
        for (std::size_t index = 0; index < moves.size() && top < beta; ++index) {
            const int floor = std::max(alpha, top);
            const Place& next = moves[index].place;
            int value = -solver_.solve(next, index ? -floor - 1 : -beta, -floor, watch);
            if (index && value > floor && value < beta && !watch.stopped()) value = -solver_.solve(next, -beta, -value, watch);
            if (watch.stopped()) {
                // The best so far; if all so far lose, the one of which that is not yet known.
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

    int value_of(const Place& place, int depth, int alpha, int beta) {
        ++nodes_;
        if (watch_->stop(nodes_, 255)) return alpha;
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

    int to_end(const Place& place, int alpha, int beta) {
        const auto down = [](int value) { return static_cast<int>(std::floor(static_cast<double>(value) / disc)); };
        return disc * solver_.solve(place, down(alpha), -down(-beta), *watch_);
    }

    // The last turn: each position after it is valued.
    int leaves(const Place& place, Bits squares, int beta) {
        const auto& [own, other, white] = place.position;
        int best = -infinite;
        while (squares) {
            const int square = take(squares);
            ++nodes_;
            best = std::max(best, -weights_.value(place.taken(square, turned(own, other, square))));
            if (best >= beta) break;
        }
        return best;
    }

    // Two turns: too little to be worth remembering.
    int near(const Place& place, Bits squares, int depth, int alpha, int beta) {
        Choice choices[34];
        const int size = ranked(place, squares, depth, pass, choices);
        int best = -infinite;
        for (int index = 0; index < size; ++index) {
            next(choices + index, choices + size);
            const Place after = place.taken(choices[index].square, choices[index].changed);
            const int value = -value_of(after, depth - 1, -beta, -std::max(alpha, best));
            if (watch_->stopped()) return best;
            best = std::max(best, value);
            if (best >= beta) break;
        }
        return best;
    }

    int far(const Place& place, Bits squares, int depth, int alpha, int beta) {
        const std::uint64_t key = place.position.key();
        const int kind = limits_.selective ? 1 : 2;
        int hinted = pass;
        if (const Entry* known = table_.find(key, kind)) {
            hinted = known->move;
            if (deep_enough(*known, depth)) {
                if (known->lower >= beta || known->lower == known->upper) return known->lower;
                if (known->upper <= alpha) return known->upper;
            }
        }
        int cut;
        if (limits_.selective && beta - alpha == 1 && hopeless(place, depth, alpha, beta, cut)) return cut;
        Choice choices[34];
        const int size = ranked(place, squares, depth, hinted, choices);
        if (depth >= 5 && beta - alpha == 1) {
            // One reply that is known to be good enough spares all others.
            for (int index = 0; index < size; ++index) {
                const Place after = place.taken(choices[index].square, choices[index].changed);
                const Entry* known = table_.find(after.position.key(), kind);
                if (known && deep_enough(*known, depth - 1) && -known->upper >= beta) return -known->upper;
            }
        }
        int best = -infinite, move = pass;
        for (int index = 0; index < size; ++index) {
            next(choices + index, choices + size);
            const Place after = place.taken(choices[index].square, choices[index].changed);
            const int floor = std::max(alpha, best);
            const bool scout = index && beta - floor > 1;
            int value = -value_of(after, depth - 1, scout ? -floor - 1 : -beta, -floor);
            if (scout && value > floor && value < beta && !watch_->stopped())
                value = -value_of(after, depth - 1, -beta, -floor);
            if (watch_->stopped()) return best;
            if (value > best) best = value, move = choices[index].square;
            if (best >= beta) break;
        }
        table_.keep(key, best > alpha ? best : -64 * disc, best < beta ? best : 64 * disc, depth, move, kind);
        return best;
    }

    // A search that leaves nothing out must not be mixed with deeper ones: its value would be neither's.
    bool deep_enough(const Entry& known, int depth) const {
        return limits_.selective ? known.depth >= depth : known.depth == depth;
    }

    // The depth of the search that stands for a deeper one, and how far their values lie apart: the standard deviation,
    // measured on positions from games.
    static int shallower(int depth) { return depth < 5 ? depth - 2 : depth % 2 + (depth < 8 ? 2 : depth < 12 ? 4 : 6); }
    static double spread(int depth, int empty) {
        const double grown = 1 + 0.06 * (depth - shallower(depth) - 2);
        return disc * grown * (empty > 40 ? 3.3 : empty > 26 ? 3.4 : 4.6);
    }
    static constexpr double trust = 1.3;

    // Whether a shallower search is so far outside the window that this one will be outside too.
    bool hopeless(const Place& place, int depth, int alpha, int beta, int& cut) {
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

    // The moves with a rank each: by how few replies they leave and, but for the leaves, by what they lead to.
    int ranked(const Place& place, Bits squares, int depth, int hinted, Choice* into) {
        const auto& [own, other, white] = place.position;
        int size = 0;
        while (squares) {
            const int square = take(squares);
            const Bits changed = turned(own, other, square);
            int rank = 1 << 20;
            if (square != hinted) {
                const Bits shrunk = other & ~changed, grown = own | changed | Bits{1} << square;
                const Bits replies = enclosing(shrunk, grown);
                rank = -disc * (count(replies) + count(replies & CORNERS));
                if (depth > 2) rank = rank / 2 - at_first_sight(place.taken(square, changed), depth);
                else if (CORNERS >> square & 1) rank += 4 * disc;
            }
            into[size++] = {square, rank, changed};
        }
        return size;
    }

    // What a position is worth before it is searched: the deeper that will be, the more care is taken.
    int at_first_sight(const Place& place, int depth) {
        return depth < 6 ? weights_.value(place) : value_of(place, depth < 10 ? 1 : 2, -infinite, infinite);
    }

    // Put the best of the moves that are left first. Often the first move cuts: rather a selection than a sort.
    static void next(Choice* from, Choice* end) {
        const auto worse = [](const Choice& one, const Choice& two) { return one.rank < two.rank; };
        std::iter_swap(from, std::max_element(from, end, worse));
    }

    // The moves expected, as far as they are remembered.
    std::vector<int> line(const Place& root, const Answer& answer) const {
        std::vector<int> moves{answer.move};
        Position position = root.position.taken(answer.move);
        while (moves.size() < 30) {
            if (!position.squares()) {
                if (!position.must_pass()) break;
                moves.push_back(pass);
                position = position.passed();
                continue;
            }
            const int kind = limits_.selective ? 1 : 2;
            const Entry* known = answer.won_lost ? endings_.find(position.key()) : table_.find(position.key(), kind);
            if (!known || known->move == pass || !(position.squares() >> known->move & 1)) break;
            moves.push_back(known->move);
            position = position.taken(known->move);
        }
        return moves;
    }

    Weights weights_;
    Table table_, endings_;
    Solver solver_;
    Limits limits_;
    search::Watch* watch_ = nullptr;
    std::uint64_t nodes_ = 0;
};

}  // namespace arena::othello
