// Wins in which every move is a threat, so that the other side has few answers or one. force.py is the specification.
#pragma once

#include "../core/table.hpp"
#include "../core/watch.hpp"
#include "threats.hpp"

namespace arena::gomoku {

using Line = std::vector<int>;

// Counts the nodes of a whole search, and says when there may be no more.
class Count {
public:
    explicit Count(search::Watch& watch) : watch_(watch) {}
    bool visit() { return !watch_.stop(++nodes_); }
    bool stopped() const { return watch_.stopped(); }
    std::uint64_t nodes() const { return nodes_; }

private:
    search::Watch& watch_;
    std::uint64_t nodes_ = 0;
};

class Forcing {
public:
    Forcing(Threats& board, Count& count, search::Table& failed) : board_(board), count_(count), failed_(failed) {}

    // A won line, up to the five, in which each move of the winner makes a four; empty if none was found.
    Line by_fours(int nodes) { return attempt(nodes, 16, false); }
    // The same by fours and open threes: the line against the longest defence.
    Line by_threes(int nodes, int depth) { return attempt(nodes, depth, true); }

private:
    Line attempt(int nodes, int depth, bool threes) {
        left_ = nodes;
        threes_ = threes;
        broken_ = false;
        Line line = attack(depth);
        return broken_ ? Line() : line;
    }

    // The won line of the side to move; it may make so many threats.
    Line attack(int depth) {
        if (!count_.visit() || --left_ < 0) broken_ = true;
        if (broken_) return {};
        const bool own = board_.white, other = !own;
        if (any(board_.fives[own])) return {lowest(board_.fives[own])};
        const Points forced = board_.fives[other];
        const int fives = forced.size();
        if (fives > 1) return {};
        const Points winning = fives ? board_.wins[own] & forced : board_.wins[own];
        if (any(winning)) return two_ways(lowest(winning));
        const std::uint64_t key = board_.key() ^ (threes_ ? 0x9E37'79B9'7F4A'7C15 : 0);
        const search::Known* known = depth ? failed_.find(key) : nullptr;
        if (!depth || (known && known->depth >= depth)) return {};
        std::uint16_t attempts[most_cells];
        const int size = threats(attempts, forced, fives);
        for (int index = 0; index < size; ++index) {
            Line line = threat(attempts[index], depth);
            if (!line.empty() || broken_) return line;
        }
        failed_.keep({.key = key, .depth = depth});
        return {};
    }

    Line two_ways(int point) {
        const bool own = board_.white;
        board_.put(point);
        Points fives = board_.fives[own];
        board_.lift(point);
        const int first = lowest(fives);
        fives.remove(first);
        return {point, first, lowest(fives)};
    }

    // What may be a threat, fours first; where a five must be stopped there is nothing to choose.
    int threats(std::uint16_t* into, const Points& forced, bool is_forced) const {
        const bool own = board_.white;
        if (is_forced) {
            // By threes the answer need not be a threat: an older one may still stand.
            if (!threes_ && !any(forced & board_.fours[own])) return 0;
            into[0] = static_cast<std::uint16_t>(lowest(forced));
            return 1;
        }
        const int found = ordered(into, board_.fours[own]);
        return threes_ ? found + ordered(into + found, board_.threes[own]) : found;
    }

    int ordered(std::uint16_t* into, const Points& points) const {
        int found = 0;
        points.each([&](int point) { into[found++] = static_cast<std::uint16_t>(point); });
        const std::uint16_t* values = board_.values[board_.white];
        std::stable_sort(into, into + found, [values](int one, int other) { return values[one] > values[other]; });
        return found;
    }

    // The won line that begins with this move; empty if it makes no threat, or an answer helps.
    Line threat(int point, int depth) {
        const bool own = board_.white;
        board_.put(point);
        Line longest;
        bool holds = true;
        const Points all = answers(own);
        for (int index = 0; index < words && holds; ++index)
            for (Bits bits = all.word[index]; bits && holds;) {
                const int answer = 64 * index + take(bits);
                board_.put(answer);
                Line line = attack(depth - 1);
                board_.lift(answer);
                holds = !line.empty();
                if (!holds || line.size() < longest.size()) continue;
                longest = std::move(line);
                longest.insert(longest.begin(), answer);
            }
        board_.lift(point);
        if (!holds || longest.empty()) return {};
        longest.insert(longest.begin(), point);
        return longest;
    }

    Points answers(bool attacker) {
        if (any(board_.fives[attacker])) return board_.fives[attacker];
        if (!any(board_.wins[attacker])) return {};
        // Where nothing helps, any move is as good as another.
        const Points found = board_.answers();
        return any(found) ? found : only(lowest(board_.open));
    }

    Threats& board_;
    Count& count_;
    search::Table& failed_;
    int left_ = 0;
    bool threes_ = false;
    bool broken_ = false;
};

}  // namespace arena::gomoku
