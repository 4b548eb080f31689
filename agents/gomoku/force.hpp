// Search for wins in which every move is a threat, so that the opponent has few answers. force.py is the specification.
#pragma once

#include "../core/stop_condition.hpp"
#include "../core/table.hpp"
#include "threats.hpp"

namespace arena::gomoku {

using Line = std::vector<int>;

// Counts the nodes of a whole search and tells when it must stop.
class NodeCount {
public:
    explicit NodeCount(search::StopCondition& stop) : stop_(stop) {}
    bool visit() { return !stop_.stop(++nodes_); }
    bool stopped() const { return stop_.stopped(); }
    std::uint64_t nodes() const { return nodes_; }

private:
    search::StopCondition& stop_;
    std::uint64_t nodes_ = 0;
};

class ThreatSearch {
public:
    ThreatSearch(Threats& board, NodeCount& count, search::ScoreTable& failed) : board_(board), count_(count), failed_(failed) {}

    // A winning line, up to the five, in which each move of the winner makes a four; empty if none was found.
    Line by_fours(int nodes) { return attempt(nodes, 16, false); }
    // The same with fours and open threes: the line against the longest defence.
    Line by_threes(int nodes, int depth) { return attempt(nodes, depth, true); }

private:
    Line attempt(int nodes, int depth, bool threes) {
        left_ = nodes;
        threes_ = threes;
        gave_up_ = false;
        Line line = attack(depth);
        return gave_up_ ? Line() : line;
    }

    // The winning line of the side to move, with at most `depth` threats.
    Line attack(int depth) {
        if (!count_.visit() || --left_ < 0) gave_up_ = true;
        if (gave_up_) return {};
        const bool own = board_.white, other = !own;
        if (board_.fives[own].any()) return {board_.fives[own].lowest()};
        const Points forced = board_.fives[other];
        const int fives = forced.size();
        if (fives > 1) return {};
        const Points winning = fives ? board_.wins[own] & forced : board_.wins[own];
        if (winning.any()) return two_ways(winning.lowest());
        const std::uint64_t key = board_.key() ^ (threes_ ? 0x9E37'79B9'7F4A'7C15 : 0);
        const search::ScoreEntry* known = depth ? failed_.find(key) : nullptr;
        if (!depth || (known && known->depth >= depth)) return {};
        std::uint16_t attempts[most_cells];
        const int size = threats(attempts, forced, fives);
        for (int index = 0; index < size; ++index) {
            Line line = threat(attempts[index], depth);
            if (!line.empty() || gave_up_) return line;
        }
        failed_.keep(key, search::ScoreEntry::of(key, depth, 0, 0, 0, {-1, 1}));
        return {};
    }

    // The line of a move after which there are two ways to make five.
    Line two_ways(int point) {
        const bool own = board_.white;
        board_.put(point);
        Points fives = board_.fives[own];
        board_.remove(point);
        const int first = fives.lowest();
        fives.remove(first);
        return {point, first, fives.lowest()};
    }

    // The moves that may be a threat, fours first. If the opponent threatens five, only the answer to that.
    int threats(std::uint16_t* into, const Points& forced, bool is_forced) const {
        const bool own = board_.white;
        if (is_forced) {
            // With threes the answer need not be a threat itself: an earlier threat may still stand.
            if (!threes_ && !(forced & board_.fours[own]).any()) return 0;
            into[0] = static_cast<std::uint16_t>(forced.lowest());
            return 1;
        }
        const int found = best_first(into, board_.fours[own]);
        return threes_ ? found + best_first(into + found, board_.threes[own]) : found;
    }

    int best_first(std::uint16_t* into, const Points& points) const {
        int found = 0;
        points.each([&](int point) { into[found++] = static_cast<std::uint16_t>(point); });
        const std::uint16_t* values = board_.values[board_.white];
        std::stable_sort(into, into + found, [values](int one, int other) { return values[one] > values[other]; });
        return found;
    }

    // The winning line that begins with this move; empty if it is not a threat, or if an answer stops it.
    Line threat(int point, int depth) {
        const bool own = board_.white;
        board_.put(point);
        Line longest;
        bool holds = true;
        const Points all = answers(own);
        for (int index = 0; index < Points::words && holds; ++index)
            for (Bits bits = all.word[index]; bits && holds;) {
                const int answer = 64 * index + take(bits);
                board_.put(answer);
                Line line = attack(depth - 1);
                board_.remove(answer);
                holds = !line.empty();
                if (!holds || line.size() < longest.size()) continue;
                longest = std::move(line);
                longest.insert(longest.begin(), answer);
            }
        board_.remove(point);
        if (!holds || longest.empty()) return {};
        longest.insert(longest.begin(), point);
        return longest;
    }

    Points answers(bool attacker) {
        if (board_.fives[attacker].any()) return board_.fives[attacker];
        if (!board_.wins[attacker].any()) return {};
        // If nothing helps, any move will do.
        const Points found = board_.answers();
        return found.any() ? found : Points::of(board_.open.lowest());
    }

    Threats& board_;
    NodeCount& count_;
    search::ScoreTable& failed_;
    int left_ = 0;
    bool threes_ = false;
    bool gave_up_ = false;
};

}  // namespace arena::gomoku
