// The rules of Gomoku. games/gomoku.py is the specification. Boards of every size lie in one of 20 columns with a border
// of unused points, so that no line leads from one edge to the other, and a point has the same number on all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"

namespace arena::gomoku {

using Move = std::uint16_t;  // a point

inline constexpr int largest = 19;
inline constexpr int stride = largest + 1;
inline constexpr int words = 7;

constexpr int point_at(int row, int column) { return (row + 1) * stride + column + 1; }
constexpr int row_of(int point) { return (point - 1) / stride - 1; }
constexpr int column_of(int point) { return (point - 1) % stride; }

// The four lines through a point, by how far one point lies from the next.
inline constexpr int steps[] = {1, stride - 1, stride, stride + 1};
inline constexpr int points = 64 * words;
static_assert(point_at(largest - 1, largest - 1) + stride + 1 < points);

// A set of points.
struct Points {
    Bits word[words] = {};

    bool has(int point) const { return word[point >> 6] >> (point & 63) & 1; }
    void add(int point) { word[point >> 6] |= Bits{1} << (point & 63); }
    void remove(int point) { word[point >> 6] &= ~(Bits{1} << (point & 63)); }
    int size() const {
        int sum = 0;
        for (const Bits bits : word) sum += count(bits);
        return sum;
    }
    bool operator==(const Points&) const = default;

    // Call `look` with each point, the lowest first.
    template <typename Look>
    void each(Look look) const {
        for (int index = 0; index < words; ++index)
            for (Bits bits = word[index]; bits;) look(64 * index + take(bits));
    }
};

// How many stones of one side follow `point` without a gap, `step` further each time.
inline int run(const Points& own, int point, int step) {
    int length = 0;
    // No stone stands on the border: the step off the board is the last one.
    while (own.has(point += step)) ++length;
    return length;
}

// Whether a stone there stands, or would stand, in five or more.
inline bool makes_five(const Points& own, int point) {
    for (const int step : steps)
        if (run(own, point, step) + run(own, point, -step) >= 4) return true;
    return false;
}

// A position, and all that can be kept up to date as stones are placed.
struct Position {
    Points stones[2];  // Black's, White's
    Points open;       // the empty points
    std::uint64_t hash = 0;
    std::int16_t left = 0;  // how many points are empty
    std::int8_t rows = 0;
    std::int8_t columns = 0;
    std::int8_t winner = 0;  // +1 White, -1 Black, 0 nobody
    bool white = false;      // to move

    static Position empty(int rows, int columns) {
        Position position;
        position.rows = static_cast<std::int8_t>(rows);
        position.columns = static_cast<std::int8_t>(columns);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) position.open.add(point_at(row, column));
        position.left = static_cast<std::int16_t>(rows * columns);
        position.hash = mixed(static_cast<std::uint64_t>(32 * rows + columns));
        return position;
    }

    bool over() const { return winner || !left; }
    std::uint64_t key() const { return white ? ~hash : hash; }

    static std::uint64_t trace(int point, bool of_white) {
        return mixed(static_cast<std::uint64_t>(2 * point + of_white) + 0x9E37'79B9'7F4A'7C15);
    }

    // Put a stone of either side on an empty point, or take it away again; whose move it is stays as it was.
    void put(int point, bool of_white) {
        stones[of_white].add(point);
        open.remove(point);
        hash ^= trace(point, of_white);
        --left;
    }
    void lift(int point, bool of_white) {
        stones[of_white].remove(point);
        open.add(point);
        hash ^= trace(point, of_white);
        ++left;
    }

    void make(int point) {
        put(point, white);
        if (makes_five(stones[white], point)) winner = white ? 1 : -1;
        white = !white;
    }

    Position after(int point) const {
        Position next = *this;
        next.make(point);
        return next;
    }

    // After stones were put: whoever has five has won, Black before White.
    void judge() {
        for (const bool of_white : {true, false})
            stones[of_white].each([&](int point) {
                if (makes_five(stones[of_white], point)) winner = of_white ? 1 : -1;
            });
    }

    bool operator==(const Position&) const = default;
};

// How many sequences of `depth` turns there are; `depth` is at least 1. The sum is worthless once `go_on`, which is
// asked now and then, says no.
template <typename GoOn>
inline std::uint64_t perft(const Position& position, int depth, GoOn go_on) {
    if (position.over()) return 0;
    if (depth == 1) return static_cast<std::uint64_t>(position.left);
    if (depth >= 4 && !go_on()) return 0;
    std::uint64_t sum = 0;
    position.open.each([&](int point) {
        if (depth > 2)
            sum += perft(position.after(point), depth - 1, go_on);
        else if (!makes_five(position.stones[position.white], point))
            sum += static_cast<std::uint64_t>(position.left - 1);
    });
    return sum;
}

// Random moves to the end: +1 White won, -1 Black won, 0 draw.
inline int playout(const Position& position, Random& dice) {
    if (position.over()) return position.winner;
    Move open[largest * largest];
    std::uint32_t left = 0;
    position.open.each([&](int point) { open[left++] = static_cast<Move>(point); });
    Points stones[2] = {position.stones[0], position.stones[1]};
    for (bool white = position.white; left; white = !white) {
        const std::uint32_t drawn = dice.below(left);
        const int point = open[drawn];
        open[drawn] = open[--left];
        if (makes_five(stones[white], point)) return white ? 1 : -1;
        stones[white].add(point);
    }
    return 0;
}

// The text of a move, column before row.
inline std::string text(Move move) { return std::to_string(column_of(move)) + "," + std::to_string(row_of(move)); }

// The legal move with this text.
inline std::optional<Move> read(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    const auto number = [&text]() {
        if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
        std::size_t digits = 1;
        if (text[0] != '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') digits = 2;
        const int found = digits == 1 ? text[0] - '0' : 10 * (text[0] - '0') + (text[1] - '0');
        text.remove_prefix(digits);
        return found;
    };
    const int column = number();
    if (column < 0 || column >= position.columns || text.empty() || text[0] != ',') return std::nullopt;
    text.remove_prefix(1);
    const int row = number();
    if (row < 0 || row >= position.rows || !text.empty()) return std::nullopt;
    const int point = point_at(row, column);
    return position.open.has(point) ? std::optional(static_cast<Move>(point)) : std::nullopt;
}

// The position in one line, as the specification writes it.
inline std::string text(const Position& position) {
    std::string text;
    text.reserve(static_cast<std::size_t>(position.rows * (position.columns + 1)) + 2);
    for (int row = 0; row < position.rows; ++row) {
        if (row) text += '/';
        for (int column = 0; column < position.columns; ++column) {
            const int point = point_at(row, column);
            text += ".XO"[position.stones[0].has(point) + 2 * position.stones[1].has(point)];
        }
    }
    return text + (position.white ? " O" : " X");
}

// The position of such a text; nothing for a text that is none.
inline std::optional<Position> read(std::string_view text) {
    const std::size_t end = text.find(' ');
    if (end == text.npos || (text.substr(end) != " X" && text.substr(end) != " O")) return std::nullopt;
    const std::size_t columns = text.find_first_of("/ "), rows = (end + 1) / (columns + 1);
    if (columns < 1 || columns > largest || rows > largest || rows * (columns + 1) != end + 1) return std::nullopt;
    Position position = Position::empty(static_cast<int>(rows), static_cast<int>(columns));
    for (std::size_t at = 0; at < end; ++at) {
        const std::size_t row = at / (columns + 1), column = at % (columns + 1);
        if ((text[at] == '/') != (column == columns)) return std::nullopt;
        if (text[at] == 'X' || text[at] == 'O')
            position.put(point_at(static_cast<int>(row), static_cast<int>(column)), text[at] == 'O');
        else if (text[at] != '.' && text[at] != '/')
            return std::nullopt;
    }
    position.white = text[end + 1] == 'O';
    position.judge();
    return position;
}

// A game in progress, for searches: what was pushed can be popped.
class Board {
public:
    using Move = gomoku::Move;
    static constexpr int max_moves = largest * largest;

    explicit Board(const Position& position) : position_(Position::empty(position.rows, position.columns)) {
        for (const bool of_white : {false, true})
            position.stones[of_white].each([&](int point) {
                lead_ += worth(point, of_white);
                position_.put(point, of_white);
            });
        position_.winner = position.winner;
        position_.white = position.white;
    }

    const Position& position() const { return position_; }

    void push(Move move) {
        line_.push_back({move, position_.winner, lead_});
        lead_ += worth(move, position_.white);
        position_.make(move);
    }

    void pop() {
        const auto [move, winner, lead] = line_.back();
        line_.pop_back();
        position_.white = !position_.white;
        position_.lift(move, position_.white);
        position_.winner = winner;
        lead_ = lead;
    }

    // By point; none when the game is over.
    int moves(Move* into) const {
        int found = 0;
        if (!over()) position_.open.each([&](int point) { into[found++] = static_cast<Move>(point); });
        return found;
    }
    bool over() const { return position_.over(); }
    int result() const { return position_.winner; }
    bool white() const { return position_.white; }
    std::uint64_t key() const { return position_.key(); }
    bool is_capture(Move) const { return false; }

    // For the side to move: the lines of five that only one side has stones in, dearer the more of them it has.
    int evaluate() const { return white() ? lead_ : -lead_; }

private:
    struct Made {
        Move move;
        std::int8_t winner;
        int lead;
    };

    // By how much a stone there changes White's lead.
    int worth(int point, bool of_white) const {
        static constexpr int values[] = {0, 1, 6, 36, 216, 1296};
        int gained = 0;
        for (const int step : steps) {
            // Nine points in a line around this one, a bit each: stones of the one, of the other, points of no use.
            unsigned own = 0, other = 0, outside = 0;
            for (int place = 0; place < 9; ++place) {
                const int at = point + (place - 4) * step;
                const bool inside = at >= 0 && at < points;
                const bool mine = inside && position_.stones[of_white].has(at);
                const bool theirs = inside && position_.stones[!of_white].has(at);
                own |= unsigned{mine} << place;
                other |= unsigned{theirs} << place;
                outside |= unsigned{!mine && !theirs && !(inside && position_.open.has(at))} << place;
            }
            for (int start = 0; start < 5; ++start) {
                if (outside >> start & 31) continue;
                const int mine = std::popcount(own >> start & 31), theirs = std::popcount(other >> start & 31);
                if (!theirs) gained += values[mine + 1] - values[mine];
                if (!mine) gained += values[theirs];
            }
        }
        return of_white ? gained : -gained;
    }

    Position position_;
    std::vector<Made> line_;
    int lead_ = 0;
};

}  // namespace arena::gomoku
