// The rules of Mushroom. games/mushroom.py is the specification. White is its side A, which moves first.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board_text.hpp"
#include "game_concept.hpp"
#include "lanes.hpp"

namespace arena::mushroom {

inline constexpr int largest = 30;
inline constexpr int target = 10;

// The four numbers of a rectangle in the order of its text, five bits each. So moves sort in the order of the
// specification, with the pass last.
using Move = std::uint32_t;
inline constexpr Move pass = (Move{1} << 20) - 1;

struct Rectangle {
    int top, left, bottom, right;

    static constexpr Rectangle of(Move move) {
        const auto number = [move](int place) { return static_cast<int>(move >> 5 * place & 31); };
        return {number(3), number(2), number(1), number(0)};
    }
    constexpr Move move() const { return static_cast<Move>(top << 15 | left << 10 | bottom << 5 | right); }
};

// For each row and each two columns at most one rectangle, and the pass.
constexpr int most_moves(int rows, int columns) { return rows * columns * (columns + 1) / 2 + 1; }

// A position: the characters of its cells, row by row, with values that are updated whenever a move is made.
struct Position {
    using Move = mushroom::Move;
    static constexpr int max_moves = most_moves(largest, largest);

    char cells[largest * largest] = {};
    std::uint64_t hash = 0;
    std::int16_t owned[2] = {0, 0};  // number of cells of Black, White
    std::int8_t rows = 0;
    std::int8_t columns = 0;
    std::int8_t passes = 0;
    bool white = true;  // to move

    static constexpr bool is_cell(char cell) { return (cell >= '1' && cell <= '9') || cell == 'A' || cell == 'B'; }
    static constexpr bool is_digit(char cell) { return cell <= '9'; }  // of a cell
    static constexpr char owner(bool of_white) { return of_white ? 'A' : 'B'; }

    char& at(int row, int column) { return cells[row * columns + column]; }
    char at(int row, int column) const { return cells[row * columns + column]; }
    // The number that a cell adds to a sum.
    int value(int row, int column) const { return is_digit(at(row, column)) ? at(row, column) - '0' : 0; }

    std::uint64_t cell_key(int row, int column) const {
        const int place = row * columns + column;
        return mixed(static_cast<std::uint64_t>(128 * place + cells[place]) + 0x9E37'79B9'7F4A'7C15);
    }

    // Compute `hash` and `owned` from the cells.
    void count_cells() {
        hash = mixed(static_cast<std::uint64_t>(32 * rows + columns));
        owned[0] = owned[1] = 0;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                hash ^= cell_key(row, column);
                if (!is_digit(at(row, column))) ++owned[at(row, column) == owner(true)];
            }
    }

    bool over() const { return passes == 2; }

    // White's cells minus Black's.
    int lead() const { return owned[1] - owned[0]; }
    // +1 if White has more cells, -1 if Black has, 0 if equal.
    int leader() const { return (lead() > 0) - (lead() < 0); }

    std::uint64_t key() const { return hash + mixed(static_cast<std::uint64_t>(2 * passes + white)); }

    // Whether the cells of a rectangle on the board sum to ten and each of its four sides has a digit.
    bool allows(const Rectangle& taken) const {
        int sum = 0;
        bool above = false, below = false, at_left = false, at_right = false;
        for (int row = taken.top; row <= taken.bottom && sum <= target; ++row)
            for (int column = taken.left; column <= taken.right; ++column) {
                if (!is_digit(at(row, column))) continue;
                sum += value(row, column);
                above |= row == taken.top;
                below |= row == taken.bottom;
                at_left |= column == taken.left;
                at_right |= column == taken.right;
            }
        return sum == target && above && below && at_left && at_right;
    }

    // Make a legal move.
    void make(Move move) {
        if (move == pass) {
            ++passes;
        } else {
            const auto [top, left, bottom, right] = Rectangle::of(move);
            for (int row = top; row <= bottom; ++row)
                for (int column = left; column <= right; ++column) put(row, column);
            passes = 0;
        }
        white = !white;
    }

    Position after(Move move) const { return copy_and_make(*this, move); }

    bool operator==(const Position& other) const {
        return rows == other.rows && columns == other.columns && passes == other.passes && white == other.white &&
               !std::memcmp(cells, other.cells, static_cast<std::size_t>(rows * columns));
    }

private:
    // Give the cell to the side to move.
    void put(int row, int column) {
        char& cell = at(row, column);
        if (cell == owner(white)) return;
        hash ^= cell_key(row, column);
        if (!is_digit(cell)) --owned[!white];
        cell = owner(white);
        ++owned[white];
        hash ^= cell_key(row, column);
    }
};

// Rows of cells, whose move it is, and how many passes in a row were made.
inline std::string position_text(const Position& position) {
    std::string text;
    for (int row = 0; row < position.rows; ++row) {
        if (row) text += '/';
        text.append(position.cells + row * position.columns, static_cast<std::size_t>(position.columns));
    }
    return text + ' ' + Position::owner(position.white) + ' ' + static_cast<char>('0' + position.passes);
}

// The position with this text; empty if the text is not valid.
inline std::optional<Position> read_position(std::string_view text) {
    const auto board = BoardText::split(text, largest, "AB", true);
    if (!board) return std::nullopt;
    Position position;
    position.rows = static_cast<std::int8_t>(board->rows);
    position.columns = static_cast<std::int8_t>(board->columns);
    const bool valid = board->each_cell([&](int row, int column, char cell) {
        position.at(row, column) = cell;
        return Position::is_cell(cell);
    });
    if (!valid) return std::nullopt;
    position.white = board->side == 'A';
    position.passes = board->passes;
    position.count_cells();
    return position;
}

inline constexpr std::string_view pass_text = "-1 -1 -1 -1";

inline std::string move_text(Move move) {
    if (move == pass) return std::string(pass_text);
    const auto [top, left, bottom, right] = Rectangle::of(move);
    std::string text;  // short enough for the small string optimisation
    for (const int number : {top, left, bottom, right}) {
        if (!text.empty()) text += ' ';
        if (number > 9) text += static_cast<char>('0' + number / 10);
        text += static_cast<char>('0' + number % 10);
    }
    return text;
}
inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    if (text == pass_text) return pass;
    int numbers[4];
    for (int index = 0; index < 4; ++index) {
        if (index) {
            if (text.empty() || text[0] != ' ') return std::nullopt;
            text.remove_prefix(1);
        }
        if ((numbers[index] = take_number(text)) < 0) return std::nullopt;
    }
    const auto [top, left, bottom, right] = numbers;
    const bool on_board = top <= bottom && bottom < position.rows && left <= right && right < position.columns;
    if (!text.empty() || !on_board || !position.allows({top, left, bottom, right})) return std::nullopt;
    return Rectangle{top, left, bottom, right}.move();
}

inline std::size_t most_moves(const Position& position) {
    return static_cast<std::size_t>(most_moves(position.rows, position.columns));
}

// The rectangles that may be taken, in order; returns their number.
inline int rectangles(const Position& position, Move* into) {
    const int rows = position.rows, columns = position.columns;
    // The numbers of the cells, with 255 behind the last column so that no sum there is ten; and the columns with a digit.
    std::uint8_t values[largest][32];
    std::uint32_t digits[largest];
    for (int row = 0; row < rows; ++row) {
        std::memset(values[row], 255, sizeof values[row]);
        for (int column = 0; column < columns; ++column)
            values[row][column] = static_cast<std::uint8_t>(position.value(row, column));
        digits[row] = ~Lanes::at(values[row]).is(0) & ((1U << columns) - 1);
    }
    int found = 0;
    for (int top = 0; top < rows; ++top) {
        if (!digits[top]) continue;
        const int first = found;
        // The sums of the columns from `top` to `bottom`, and the columns whose sum is not 0.
        alignas(16) std::uint8_t sums[64];
        std::memset(sums, 255, sizeof sums);
        Lanes strip = Lanes::all(0);
        std::uint32_t filled = 0;
        for (int bottom = top; bottom < rows; ++bottom) {
            if (!digits[bottom]) continue;
            strip = strip + Lanes::at(values[bottom]);
            filled |= digits[bottom];
            if (!(strip.at_most(target) & filled)) break;
            strip.store(sums);
            // All left columns at once; the rectangles get one column wider each time.
            Lanes sum = strip;
            std::uint32_t above = digits[top], below = digits[bottom];
            for (int width = 0;;) {
                std::uint32_t fitting = sum.is(target) & filled & filled >> width & above & below;
                while (fitting) {
                    const int left = lowest(fitting);
                    fitting &= fitting - 1;
                    into[found++] = Rectangle{top, left, bottom, left + width}.move();
                }
                if (!(sum.at_most(target - 1) & filled)) break;
                ++width;
                sum = sum + Lanes::at(sums + width);
                above |= digits[top] >> width;
                below |= digits[bottom] >> width;
            }
        }
        std::sort(into + first, into + found);
    }
    return found;
}

// The legal moves in order, the pass last; returns their number, 0 when the game is over.
inline int legal_moves(const Position& position, Move* into) {
    if (position.over()) return 0;
    const int found = rectangles(position, into);
    into[found] = pass;
    return found + 1;
}

// The number of sequences of `depth` turns. `depth` is at least 1. `go_on` is called now and then; once it returns false
// the result means nothing.
template <typename GoOn>
inline std::uint64_t perft(const Position& position, int depth, GoOn go_on) {
    if (position.over() || (depth >= 3 && !go_on())) return 0;
    std::vector<Move> moves(most_moves(position));
    const int found = rectangles(position, moves.data());
    if (depth == 1) return static_cast<std::uint64_t>(found) + 1;
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) sum += perft(position.after(moves[static_cast<std::size_t>(index)]), depth - 1, go_on);
    return sum + perft(position.after(pass), depth - 1, go_on);
}

// Play random moves to the end: +1 White won, -1 Black won, 0 draw.
inline int playout(Position position, Random& random) {
    std::vector<Move> moves(most_moves(position));
    while (!position.over()) {
        const auto found = static_cast<std::uint32_t>(rectangles(position, moves.data()));
        const std::uint32_t drawn = random.below(found + 1);
        position.make(drawn == found ? pass : moves[drawn]);
    }
    return position.leader();
}

// A game in progress, for searches. One position is changed in place.
class Board {
public:
    using Position = mushroom::Position;
    using Move = mushroom::Move;
    static constexpr int max_moves = Position::max_moves;

    explicit Board(const Position& position) : position_(position) {}

    const Position& position() const { return position_; }

    void push(Move move) {
        made_.push_back({position_.hash, move, {position_.owned[0], position_.owned[1]}, position_.passes});
        if (move != pass)
            each_row(move, [&](char* row, std::size_t length) { covered_.insert(covered_.end(), row, row + length); });
        position_.make(move);
    }

    void pop() {
        const Undo& made = made_.back();
        position_.hash = made.hash;
        position_.owned[0] = made.owned[0];
        position_.owned[1] = made.owned[1];
        position_.passes = made.passes;
        position_.white = !position_.white;
        if (made.move != pass) {
            const auto [top, left, bottom, right] = Rectangle::of(made.move);
            const auto area = static_cast<std::size_t>((bottom + 1 - top) * (right + 1 - left));
            const char* cells = covered_.data() + (covered_.size() - area);
            each_row(made.move, [&](char* row, std::size_t length) {
                std::memcpy(row, cells, length);
                cells += length;
            });
            covered_.resize(covered_.size() - area);
        }
        made_.pop_back();
    }

    int moves(Move* into) const { return legal_moves(position_, into); }
    bool over() const { return position_.over(); }
    int result() const { return position_.leader(); }
    bool white() const { return position_.white; }
    std::uint64_t key() const { return position_.key(); }

    // For the side to move: its cells minus the opponent's.
    int evaluate() const { return white() ? position_.lead() : -position_.lead(); }

private:
    struct Undo {
        std::uint64_t hash;
        Move move;
        std::int16_t owned[2];
        std::int8_t passes;
    };

    template <typename Look>
    void each_row(Move move, Look look) {
        const auto [top, left, bottom, right] = Rectangle::of(move);
        for (int row = top; row <= bottom; ++row) look(&position_.at(row, left), static_cast<std::size_t>(right + 1 - left));
    }

    Position position_;
    std::vector<Undo> made_;
    std::vector<char> covered_;  // the cells under the rectangles that were made, before each move
};

static_assert(SelfContainedPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::mushroom
