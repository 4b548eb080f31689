// The rules of Gomoku. games/gomoku.py is the specification. Boards of every size use one numbering with 21 columns and a
// border of unused points. So no line continues on the other side of the board, and a point has the same number on all
// board sizes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board_text.hpp"
#include "game_concept.hpp"
#include "points.hpp"

namespace arena::gomoku {

using Move = std::uint16_t;  // a point

inline constexpr int largest = 20;  // points along one side
inline constexpr int stride = largest + 1;

constexpr int point_at(int row, int column) { return (row + 1) * stride + column + 1; }
constexpr int row_of(int point) { return (point - 1) / stride - 1; }
constexpr int column_of(int point) { return (point - 1) % stride; }
static_assert(point_at(largest - 1, largest - 1) + stride + 1 < Points::room);

// The distances from a point to the next point on each of the four lines through it.
inline constexpr int steps[] = {1, stride - 1, stride, stride + 1};

// How many stones follow `point` without a gap in steps of `step`.
inline int run(const Points& own, int point, int step) {
    int length = 0;
    // There are no stones on the border, so the loop ends there at the latest.
    while (own.has(point += step)) ++length;
    return length;
}

// Whether a stone on `point` is or would be part of a line of five or more.
inline bool makes_five(const Points& own, int point) {
    for (const int step : steps)
        if (run(own, point, step) + run(own, point, -step) >= 4) return true;
    return false;
}

// A position, with values that are updated whenever a stone is placed.
struct Position {
    using Move = gomoku::Move;
    static constexpr int max_moves = largest * largest;

    Points stones[2];  // Black's, White's
    Points open;       // the empty points
    std::uint64_t hash = 0;
    std::int16_t left = 0;  // number of empty points
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

    static std::uint64_t stone_key(int point, bool of_white) {
        return mixed(static_cast<std::uint64_t>(2 * point + of_white) + 0x9E37'79B9'7F4A'7C15);
    }

    // Put a stone of either side on an empty point, or remove it. The side to move does not change.
    void put(int point, bool of_white) {
        stones[of_white].add(point);
        open.remove(point);
        hash ^= stone_key(point, of_white);
        --left;
    }
    void remove(int point, bool of_white) {
        stones[of_white].remove(point);
        open.add(point);
        hash ^= stone_key(point, of_white);
        ++left;
    }

    void make(int point) {
        put(point, white);
        if (makes_five(stones[white], point)) winner = white ? 1 : -1;
        white = !white;
    }

    Position after(int point) const { return copy_and_make(*this, point); }

    // Find the winner after stones were put. If both sides have five, Black is the winner.
    void find_winner() {
        for (const bool of_white : {true, false})
            stones[of_white].each([&](int point) {
                if (makes_five(stones[of_white], point)) winner = of_white ? 1 : -1;
            });
    }

    bool operator==(const Position&) const = default;
};

// The legal moves in order of their points; returns their number, 0 when the game is over.
inline int legal_moves(const Position& position, Move* into) {
    int found = 0;
    if (!position.over()) position.open.each([&](int point) { into[found++] = static_cast<Move>(point); });
    return found;
}

// The number of sequences of `depth` turns. `depth` is at least 1. `go_on` is called now and then; once it returns false
// the result means nothing.
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

// Play random moves to the end: +1 White won, -1 Black won, 0 draw.
inline int playout(const Position& position, Random& random) {
    if (position.over()) return position.winner;
    Move open[Position::max_moves];
    auto left = static_cast<std::uint32_t>(legal_moves(position, open));
    Points stones[2] = {position.stones[0], position.stones[1]};
    for (bool white = position.white; left; white = !white) {
        const std::uint32_t drawn = random.below(left);
        const int point = open[drawn];
        open[drawn] = open[--left];
        if (makes_five(stones[white], point)) return white ? 1 : -1;
        stones[white].add(point);
    }
    return 0;
}

// The text of a move, column before row.
inline std::string move_text(Move move) { return std::to_string(column_of(move)) + "," + std::to_string(row_of(move)); }
inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    const int column = take_number(text);
    if (column < 0 || column >= position.columns || text.empty() || text[0] != ',') return std::nullopt;
    text.remove_prefix(1);
    const int row = take_number(text);
    if (row < 0 || row >= position.rows || !text.empty()) return std::nullopt;
    const int point = point_at(row, column);
    return position.open.has(point) ? std::optional(static_cast<Move>(point)) : std::nullopt;
}

// Rows of `.XO` from the top, and whose move it is.
inline std::string position_text(const Position& position) {
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

// The position with this text; empty if the text is not valid.
inline std::optional<Position> read_position(std::string_view text) {
    const auto board = BoardText::split(text, largest, "XO", false);
    if (!board) return std::nullopt;
    Position position = Position::empty(static_cast<int>(board->rows), static_cast<int>(board->columns));
    const bool valid = board->each_cell([&](int row, int column, char cell) {
        if (cell == 'X' || cell == 'O') position.put(point_at(row, column), cell == 'O');
        return cell == 'X' || cell == 'O' || cell == '.';
    });
    if (!valid) return std::nullopt;
    position.white = board->side == 'O';
    position.find_winner();
    return position;
}

// A game in progress, for searches. One position is changed in place.
class Board {
public:
    using Position = gomoku::Position;
    using Move = gomoku::Move;
    static constexpr int max_moves = Position::max_moves;

    explicit Board(const Position& position) : position_(Position::empty(position.rows, position.columns)) {
        for (const bool of_white : {false, true})
            position.stones[of_white].each([&](int point) {
                lead_ += gain(point, of_white);
                position_.put(point, of_white);
            });
        position_.winner = position.winner;
        position_.white = position.white;
    }

    const Position& position() const { return position_; }

    void push(Move move) {
        made_.push_back({move, position_.winner, lead_});
        lead_ += gain(move, position_.white);
        position_.make(move);
    }

    void pop() {
        const auto [move, winner, lead] = made_.back();
        made_.pop_back();
        position_.white = !position_.white;
        position_.remove(move, position_.white);
        position_.winner = winner;
        lead_ = lead;
    }

    int moves(Move* into) const { return legal_moves(position_, into); }
    bool over() const { return position_.over(); }
    int result() const { return position_.winner; }
    bool white() const { return position_.white; }
    std::uint64_t key() const { return position_.key(); }

    // For the side to move: a sum over all lines of five points in which only one side has stones. More stones count more.
    int evaluate() const { return white() ? lead_ : -lead_; }

private:
    struct Undo {
        Move move;
        std::int8_t winner;
        int lead;
    };

    // By how much a stone on `point` changes White's lead.
    int gain(int point, bool of_white) const {
        static constexpr int values[] = {0, 1, 6, 36, 216, 1296};
        int gained = 0;
        for (const int step : steps) {
            // One bit for each of nine points in a line around this one: own stones, the opponent's, points off the board.
            unsigned own = 0, other = 0, outside = 0;
            for (int place = 0; place < 9; ++place) {
                const int at = point + (place - 4) * step;
                const bool inside = at >= 0 && at < Points::room;
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
    std::vector<Undo> made_;
    int lead_ = 0;
};

static_assert(SelfContainedPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::gomoku
