// The rules of Go. games/go.py is the specification.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "board_text.hpp"
#include "game_concept.hpp"
#include "go_cells.hpp"
#include "go_field.hpp"
#include "go_history.hpp"
#include "position_stack.hpp"

namespace arena::go {

// A position: the board, the boards that may not occur again, and what ends and decides the game.
struct Position {
    using Move = go::Move;
    static constexpr int max_moves = largest * largest + 1;

    Field field;
    History history;
    double komi = 0;
    std::uint32_t limit = 0;  // on the number of turns; 0: none
    std::uint32_t turns = 0;
    std::int8_t passes = 0;
    bool white = false;  // to move
    bool suicide = false;  // whether it is legal

    static Position start(int rows, int columns, double komi) {
        Position position;
        position.field = Field::empty(rows, columns);
        position.history.add(position.field);
        position.komi = komi;
        return position;
    }

    bool over() const { return passes == 2 || (limit && limit <= turns); }

    // Black's area minus White's, minus komi.
    double margin() const { return field.area() - komi; }
    // +1 if White is ahead, -1 if Black is, 0 if equal.
    int leader() const { return (margin() < 0) - (margin() > 0); }

    std::uint64_t key() const { return field.hash + mixed(static_cast<std::uint64_t>(2 * passes + white)); }

    // Whether a stone may be placed on this empty point, unless the game is over.
    bool allows(int point) const {
        const Field after = field.after(point, white);
        return (suicide || after.stones.of[white].has(point)) && !history.has(after);
    }

    // The points where a stone may be placed, unless the game is over: the empty ones that do not repeat a board, and
    // are not suicide if that is not legal.
    Points points() const {
        Points found = field.open - repeating_and_staying();
        each_suicide([&](int point, const Field& after) {
            if (!suicide || history.has(after)) found.remove(point);
        });
        return found;
    }

    // The empty points on which a stone would repeat a board, whether or not it would be suicide.
    Points repeating() const {
        Points found = repeating_and_staying();
        each_suicide([&](int point, const Field& after) {
            if (history.has(after)) found.add(point);
        });
        return found;
    }

    // The empty points on which a stone would repeat a board and stay there.
    Points repeating_and_staying() const {
        Points found;
        const Points &own = field.stones.of[white], &other = field.stones.of[!white];
        history.each([&](const Seen& seen) {
            // Can one more own stone, perhaps with captures, lead to that board?
            if (seen.count[white] != field.count[white] + 1 || seen.count[!white] > field.count[!white]) return;
            const Points placed = seen.stones.of[white] - own;
            if (placed.size() != 1 || (seen.stones.of[!white] - other).any()) return;
            placed.each([&](int point) {
                if (field.after(point, white).stones == seen.stones) found.add(point);
            });
        });
        return found;
    }

    // Call `look` with each empty point on which a stone would be suicide, and the board after it.
    template <typename Look>
    void each_suicide(Look look) const {
        // It is possible only on a point without an empty neighbour.
        (field.open - around(field.open, field.stride())).each([&](int point) {
            const Field after = field.after(point, white);
            if (!after.stones.of[white].has(point)) look(point, after);
        });
    }

    // Make a legal move.
    void make(Move move) {
        if (move == pass) {
            ++passes;
        } else {
            field.place(move, white);
            history.add(field);
            passes = 0;
        }
        ++turns;
        white = !white;
    }

    Position after(Move move) const { return copy_and_make(*this, move); }

    bool operator==(const Position& other) const {
        return field.rows == other.field.rows && field.columns == other.field.columns && white == other.white &&
               passes == other.passes && limit == other.limit && turns == other.turns && komi == other.komi &&
               suicide == other.suicide && field.stones == other.field.stones && history.same(other.history);
    }
};

// Rows of `.XO`, whose move it is, and how many passes in a row were made.
inline std::string position_text(const Position& position) {
    const auto& [stones, rows, columns] = std::tie(position.field.stones, position.field.rows, position.field.columns);
    std::string text;
    for (int row = 0; row < rows; ++row) {
        if (row) text += '/';
        for (int column = 0, point = row * (columns + 1); column < columns; ++column, ++point)
            text += ".XO"[stones.of[0].has(point) + 2 * stones.of[1].has(point)];
    }
    return text + ' ' + (position.white ? 'O' : 'X') + ' ' + static_cast<char>('0' + position.passes);
}

// Put a stone on each point whose bit is set in a hexadecimal number; false if one is not an empty point of the board.
inline bool put_hexadecimal(Field& field, std::string_view bits, bool of_white) {
    int point = static_cast<int>(4 * bits.size());
    for (const char letter : bits) {
        const int value = letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : letter - '0';
        if (value < 0 || value > 15) return false;
        point -= 4;
        for (int bit = 0; bit < 4; ++bit) {
            if (!(value >> bit & 1)) continue;
            if (point + bit >= field.end() || !field.open.has(point + bit)) return false;
            field.put(point + bit, of_white);
        }
    }
    return true;
}

// The position with this text; empty if the text is not valid. Each of `seen` is a board that may not occur again: the
// bits of Black's and White's stones as two hexadecimal numbers. Komi, limit, suicide and turns are left at 0.
inline std::optional<Position> read_position(std::string_view text, const std::vector<std::string_view>& seen = {}) {
    const auto board = BoardText::split(text, largest, "XO", true);
    if (!board) return std::nullopt;
    const Field empty = Field::empty(static_cast<int>(board->rows), static_cast<int>(board->columns));
    Position position;
    position.field = empty;
    const bool valid = board->each_cell([&](int row, int column, char cell) {
        if (cell == 'X' || cell == 'O') position.field.put(row * empty.stride() + column, cell == 'O');
        return cell == 'X' || cell == 'O' || cell == '.';
    });
    if (!valid) return std::nullopt;
    for (const std::string_view stones : seen) {
        Field field = empty;
        const std::size_t middle = stones.find(' ');
        if (middle == stones.npos || !put_hexadecimal(field, stones.substr(0, middle), false) ||
            !put_hexadecimal(field, stones.substr(middle + 1), true))
            return std::nullopt;
        position.history.add(field);
    }
    if (!position.history.has(position.field)) position.history.add(position.field);
    position.white = board->side == 'O';
    position.passes = board->passes;
    return position;
}

inline constexpr std::string_view pass_text = "pass";
inline constexpr std::string_view letters = "ABCDEFGHJKLMNOPQRST";

inline std::string move_text(const Position& position, Move move) {
    if (move == pass) return std::string(pass_text);
    const int stride = position.field.stride();
    return letters[static_cast<std::size_t>(move % stride)] + std::to_string(position.field.rows - move / stride);
}

// The legal move with this text.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    if (text == pass_text) return pass;
    if (text.size() < 2 || text.size() > 3 || text[1] == '0') return std::nullopt;
    int number = 0;
    for (const char digit : text.substr(1)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        number = 10 * number + (digit - '0');
    }
    const Field& field = position.field;
    const std::size_t column = letters.find(text[0]);
    if (column >= static_cast<std::size_t>(field.columns) || number > field.rows) return std::nullopt;
    const int point = (field.rows - number) * field.stride() + static_cast<int>(column);
    if (!field.open.has(point) || !position.allows(point)) return std::nullopt;
    return static_cast<Move>(point);
}

// The legal moves in order of their points, the pass last; returns their number, 0 when the game is over.
inline int legal_moves(const Position& position, Move* into) {
    if (position.over()) return 0;
    int found = 0;
    position.points().each([&](int point) { into[found++] = static_cast<Move>(point); });
    into[found++] = pass;
    return found;
}

// The number of sequences of `depth` turns. `depth` is at least 1. `go_on` is called now and then; once it returns false
// the result means nothing.
template <typename GoOn>
inline std::uint64_t perft(const Position& position, int depth, GoOn go_on) {
    if (position.over() || (depth >= 3 && !go_on())) return 0;
    const Points points = position.points();
    if (depth == 1) return static_cast<std::uint64_t>(points.size()) + 1;
    std::uint64_t sum = perft(position.after(pass), depth - 1, go_on);
    points.each([&](int point) { sum += perft(position.after(static_cast<Move>(point)), depth - 1, go_on); });
    return sum;
}

// Play random moves to the end: +1 White won, -1 Black won, 0 draw. There is no suicide and own eyes are not filled. A ko
// is not retaken at once; longer repetitions end at the limit on turns.
inline int playout(const Position& position, Random& random) {
    if (position.over()) return position.leader();
    Cells cells(position.field);
    int passes = position.passes;
    std::int8_t side = position.white;
    std::uint32_t turns = 3U * static_cast<std::uint32_t>(position.field.rows * position.field.columns);
    if (position.limit) turns = std::min(turns, position.limit - position.turns);
    for (; turns && passes < 2; --turns) {
        const int cell = cells.random_cell(side, random);
        if (cell) {
            cells.place(cell, side);
            passes = 0;
        } else {
            cells.pass();
            ++passes;
        }
        side = 1 - side;
    }
    const double margin = cells.area() - position.komi;
    return (margin < 0) - (margin > 0);
}

// A game in progress, for searches.
class Board : public SelfContainedBoard<Position> {
public:
    using SelfContainedBoard::SelfContainedBoard;

    // For the side to move: its area minus the opponent's, komi included, in half points.
    int evaluate() const {
        const int lead = static_cast<int>(std::lround(2 * position().margin()));
        return white() ? -lead : lead;
    }
};

static_assert(SelfContainedPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::go
