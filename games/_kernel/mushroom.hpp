// The rules of Mushroom. games/mushroom.py is the specification; White is its A, the side that begins.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "lanes.hpp"

namespace arena::mushroom {

inline constexpr int largest = 30;
inline constexpr int target = 10;

// The numbers of a rectangle as they are written, five bits each: moves have the contract's order; the pass is last.
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

// A position: the cells as they are written, row by row.
struct Position {
    char cells[largest * largest] = {};
    std::uint64_t hash = 0;
    std::int16_t owned[2] = {0, 0};  // how many cells are Black's, White's
    std::int8_t rows = 0;
    std::int8_t columns = 0;
    std::int8_t passes = 0;
    bool white = true;  // to move

    static constexpr bool is_digit(char cell) { return cell <= '9'; }
    static constexpr char owner(bool of_white) { return of_white ? 'A' : 'B'; }

    char& at(int row, int column) { return cells[row * columns + column]; }
    char at(int row, int column) const { return cells[row * columns + column]; }
    // What a cell counts in a sum.
    int value(int row, int column) const { return is_digit(at(row, column)) ? at(row, column) - '0' : 0; }

    std::uint64_t trace(int row, int column) const {
        const int place = row * columns + column;
        return mixed(static_cast<std::uint64_t>(128 * place + cells[place]) + 0x9E37'79B9'7F4A'7C15);
    }

    // Once the cells are there: what is kept up to date from then on.
    void take_stock() {
        hash = mixed(static_cast<std::uint64_t>(32 * rows + columns));
        owned[0] = owned[1] = 0;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                hash ^= trace(row, column);
                if (!is_digit(at(row, column))) ++owned[at(row, column) == owner(true)];
            }
    }

    bool over() const { return passes == 2; }

    // White's cells less Black's.
    int lead() const { return owned[1] - owned[0]; }
    // +1: White has more cells, -1: Black has, 0: neither.
    int leader() const { return (lead() > 0) - (lead() < 0); }

    std::uint64_t key() const { return hash + mixed(static_cast<std::uint64_t>(2 * passes + white)); }

    // Whether the rectangle, which lies on the board, sums to ten, and each of its sides holds a digit.
    bool fits(const Rectangle& taken) const {
        int sum = 0;
        bool above = false, below = false, before = false, behind = false;
        for (int row = taken.top; row <= taken.bottom && sum <= target; ++row)
            for (int column = taken.left; column <= taken.right; ++column) {
                if (!is_digit(at(row, column))) continue;
                sum += value(row, column);
                above |= row == taken.top;
                below |= row == taken.bottom;
                before |= column == taken.left;
                behind |= column == taken.right;
            }
        return sum == target && above && below && before && behind;
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

    Position after(Move move) const {
        Position next = *this;
        next.make(move);
        return next;
    }

    bool operator==(const Position& other) const {
        return rows == other.rows && columns == other.columns && passes == other.passes && white == other.white &&
               !std::memcmp(cells, other.cells, static_cast<std::size_t>(rows * columns));
    }

private:
    // The cell becomes the mover's.
    void put(int row, int column) {
        char& cell = at(row, column);
        if (cell == owner(white)) return;
        hash ^= trace(row, column);
        if (!is_digit(cell)) --owned[!white];
        cell = owner(white);
        ++owned[white];
        hash ^= trace(row, column);
    }
};

// Rows of cells, whose move it is, and how many passes in a row were made.
inline std::string written(const Position& position) {
    std::string text;
    for (int row = 0; row < position.rows; ++row) {
        if (row) text += '/';
        text.append(position.cells + row * position.columns, static_cast<std::size_t>(position.columns));
    }
    return text + ' ' + Position::owner(position.white) + ' ' + static_cast<char>('0' + position.passes);
}

inline constexpr std::string_view passing = "-1 -1 -1 -1";

// How a move is written.
inline std::string written(Move move) {
    if (move == pass) return std::string(passing);
    const auto [top, left, bottom, right] = Rectangle::of(move);
    std::string text;  // short enough to need no memory of its own
    for (const int number : {top, left, bottom, right}) {
        if (!text.empty()) text += ' ';
        if (number > 9) text += static_cast<char>('0' + number / 10);
        text += static_cast<char>('0' + number % 10);
    }
    return text;
}

// Take a number from 0 to 99 from the front of a text; -1 if there is none.
inline int number(std::string_view& text) {
    const auto digit = [&] { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
    const auto taken = [&] {
        const int value = text[0] - '0';
        text.remove_prefix(1);
        return value;
    };
    if (!digit()) return -1;
    const int first = taken();
    return first && digit() ? 10 * first + taken() : first;
}

// The legal move that is written so, or nothing.
inline std::optional<Move> read(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    if (text == passing) return pass;
    int numbers[4];
    for (int index = 0; index < 4; ++index) {
        if (index) {
            if (text.empty() || text[0] != ' ') return std::nullopt;
            text.remove_prefix(1);
        }
        if ((numbers[index] = number(text)) < 0) return std::nullopt;
    }
    const auto [top, left, bottom, right] = numbers;
    const bool on_board = top <= bottom && bottom < position.rows && left <= right && right < position.columns;
    if (!text.empty() || !on_board || !position.fits({top, left, bottom, right})) return std::nullopt;
    return Rectangle{top, left, bottom, right}.move();
}

// For each row, and each two columns, one rectangle at most; and the pass.
constexpr int most_moves(int rows, int columns) { return rows * columns * (columns + 1) / 2 + 1; }
inline std::size_t most_moves(const Position& position) {
    return static_cast<std::size_t>(most_moves(position.rows, position.columns));
}

// The rectangles that may be taken, in order; gives their number.
inline int rectangles(const Position& position, Move* into) {
    const int rows = position.rows, columns = position.columns;
    // What the cells count, so many that no sum is ten beyond the last column; and the columns with a digit.
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
        // The sums of the columns from `top` to `bottom`, and which of them are not 0.
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
            // For all left sides at once, one column more each time. A side without a digit is none.
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

// How many sequences of `depth` turns there are; `depth` is at least 1. The sum is worthless once `go_on`, which is
// asked now and then, says no.
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

// A game in progress, for searches: what was pushed can be popped.
class Board {
public:
    using Move = mushroom::Move;
    static constexpr int max_moves = most_moves(largest, largest);

    explicit Board(const Position& position) : position_(position) {}

    const Position& position() const { return position_; }

    void push(Move move) {
        line_.push_back({position_.hash, move, {position_.owned[0], position_.owned[1]}, position_.passes});
        if (move != pass)
            each_row(move, [&](char* row, std::size_t length) { covered_.insert(covered_.end(), row, row + length); });
        position_.make(move);
    }

    void pop() {
        const Made& made = line_.back();
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
        line_.pop_back();
    }

    // By their numbers, the pass last; none when the game is over.
    int moves(Move* into) const {
        if (over()) return 0;
        const int found = rectangles(position_, into);
        into[found] = pass;
        return found + 1;
    }
    bool over() const { return position_.over(); }
    int result() const { return position_.leader(); }
    bool white() const { return position_.white; }
    std::uint64_t key() const { return position_.key(); }
    bool is_capture(Move) const { return false; }

    // For the side to move: its cells less the other's.
    int evaluate() const { return white() ? position_.lead() : -position_.lead(); }

private:
    struct Made {
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
    std::vector<Made> line_;
    std::vector<char> covered_;  // the cells as they were under the rectangles of the line
};

// Random moves to the end: +1 White won, -1 Black won, 0 draw.
inline int playout(Position position, Random& dice) {
    std::vector<Move> moves(most_moves(position));
    while (!position.over()) {
        const auto found = static_cast<std::uint32_t>(rectangles(position, moves.data()));
        const std::uint32_t drawn = dice.below(found + 1);
        position.make(drawn == found ? pass : moves[drawn]);
    }
    return position.leader();
}

}  // namespace arena::mushroom
