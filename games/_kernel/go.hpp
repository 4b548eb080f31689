// The rules of Go. games/go.py is the specification.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "go_cells.hpp"
#include "go_field.hpp"

namespace arena::go {

// A board that has been, and those before it.
struct Seen {
    Stones stones;
    std::uint64_t hash;
    std::int16_t count[2];
    std::int16_t highest;  // the most stones that one of the boards has
    std::uint32_t length;  // how many boards, this one included
    Seen* before;
    std::atomic<std::uint32_t> owners;
};

// The boards that may not come again. Later pasts share the earlier ones with each other.
class Past {
public:
    Past() = default;
    Past(const Past& other) : last_(other.last_) {
        if (last_) last_->owners.fetch_add(1, std::memory_order_relaxed);
    }
    Past(Past&& other) noexcept : last_(std::exchange(other.last_, nullptr)) {}
    Past& operator=(Past other) noexcept {
        std::swap(last_, other.last_);
        return *this;
    }
    ~Past() {
        // A loop, for the chain may be a million boards long.
        while (last_ && last_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete std::exchange(last_, last_->before);
    }

    void add(const Field& field) {
        const std::int16_t highest = std::max(field.total(), last_ ? last_->highest : std::int16_t{0});
        last_ = new Seen{field.stones, field.hash, {field.count[0], field.count[1]}, highest, length() + 1, last_, {1}};
    }

    std::uint32_t length() const { return last_ ? last_->length : 0; }

    bool has(const Field& field) const {
        return last_ && field.total() <= last_->highest && among(field.stones, field.hash, last_);
    }

    // Call `look` with each board, the latest first.
    template <typename Look>
    void each(Look look) const {
        for (const Seen* seen = last_; seen; seen = seen->before) look(*seen);
    }

    // Whether these are the same boards, in any order.
    bool same(const Past& other) const {
        if (length() != other.length()) return false;
        const Seen *mine = last_, *theirs = other.last_;
        while (mine != theirs && mine->hash == theirs->hash && mine->stones == theirs->stones)
            mine = mine->before, theirs = theirs->before;
        return mine == theirs || std::ranges::equal(sorted(mine), sorted(theirs), [](const Seen* one, const Seen* two) {
                   return one->hash == two->hash && one->stones == two->stones;
               });
    }

private:
    static bool among(const Stones& stones, std::uint64_t hash, const Seen* seen) {
        for (; seen; seen = seen->before)
            if (seen->hash == hash && seen->stones == stones) return true;
        return false;
    }

    static std::vector<const Seen*> sorted(const Seen* seen) {
        std::vector<const Seen*> found;
        for (; seen; seen = seen->before) found.push_back(seen);
        std::ranges::sort(found, [](const Seen* one, const Seen* two) {
            if (one->hash != two->hash) return one->hash < two->hash;
            return std::memcmp(&one->stones, &two->stones, sizeof one->stones) < 0;
        });
        return found;
    }

    Seen* last_ = nullptr;
};

// A position of a game: the board, what may not come again, and what ends and decides the game.
struct Position {
    Field field;
    Past past;
    double komi = 0;
    std::uint32_t limit = 0;  // on all turns; 0: none
    std::uint32_t turns = 0;
    std::int8_t passes = 0;
    bool white = false;  // to move

    static Position start(int rows, int columns, double komi) {
        Position position;
        position.field = Field::empty(rows, columns);
        position.past.add(position.field);
        position.komi = komi;
        return position;
    }

    bool over() const { return passes == 2 || (limit && limit <= turns); }

    // Black's area less White's and komi.
    double margin() const { return field.area() - komi; }
    // +1 White, -1 Black, 0 nobody.
    int leader() const { return (margin() < 0) - (margin() > 0); }

    std::uint64_t key() const { return field.hash + mixed(static_cast<std::uint64_t>(2 * passes + white)); }

    // Whether the empty point may be taken, if the game is not over.
    bool allows(int point) const { return !past.has(field.after(point, white)); }

    // The points that may be taken, if the game is not over: all empty ones, unless a board would come again.
    Points points() const {
        Points found = field.open;
        const Points &own = field.stones.of[white], &other = field.stones.of[!white];
        past.each([&](const Seen& seen) {
            // Does one more own stone, and perhaps fewer of the other side's, make that board?
            if (seen.count[white] != field.count[white] + 1 || seen.count[!white] > field.count[!white]) return;
            const Points placed = without(seen.stones.of[white], own);
            if (placed.size() != 1 || !empty(without(seen.stones.of[!white], other))) return;
            placed.each([&](int point) {
                if (field.after(point, white).stones == seen.stones) found.remove(point);
            });
        });
        // Suicide is possible only where no empty point is near.
        without(field.open, around(field.open, field.stride())).each([&](int point) {
            const Field after = field.after(point, white);
            if (after.count[white] <= field.count[white] && past.has(after)) found.remove(point);
        });
        return found;
    }

    // Make a legal move.
    void make(Move move) {
        if (move == pass) {
            ++passes;
        } else {
            field.place(move, white);
            past.add(field);
            passes = 0;
        }
        ++turns;
        white = !white;
    }

    Position after(Move move) const {
        Position next = *this;
        next.make(move);
        return next;
    }

    bool operator==(const Position& other) const {
        return field.rows == other.field.rows && field.columns == other.field.columns && white == other.white &&
               passes == other.passes && limit == other.limit && turns == other.turns && komi == other.komi &&
               field.stones == other.field.stones && past.same(other.past);
    }
};

// Rows of `.XO`, whose move it is, and how many passes in a row were made.
inline std::string written(const Position& position) {
    const auto& [stones, rows, columns] = std::tie(position.field.stones, position.field.rows, position.field.columns);
    std::string text;
    for (int row = 0; row < rows; ++row) {
        if (row) text += '/';
        for (int column = 0, point = row * (columns + 1); column < columns; ++column, ++point)
            text += ".XO"[stones.of[0].has(point) + 2 * stones.of[1].has(point)];
    }
    return text + ' ' + (position.white ? 'O' : 'X') + ' ' + static_cast<char>('0' + position.passes);
}

inline constexpr std::string_view passing = "pass";
inline constexpr std::string_view letters = "ABCDEFGHJKLMNOPQRST";

// How a move is written.
inline std::string written(const Position& position, Move move) {
    if (move == pass) return std::string(passing);
    const int stride = position.field.stride();
    return letters[static_cast<std::size_t>(move % stride)] + std::to_string(position.field.rows - move / stride);
}

// The legal move that is written so, or nothing.
inline std::optional<Move> read(const Position& position, std::string_view text) {
    if (position.over()) return std::nullopt;
    if (text == passing) return pass;
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

// How many sequences of `depth` turns there are; `depth` is at least 1. The sum is worthless once `go_on`, which is
// asked now and then, says no.
template <typename GoOn>
inline std::uint64_t perft(const Position& position, int depth, GoOn go_on) {
    if (position.over() || (depth >= 3 && !go_on())) return 0;
    const Points points = position.points();
    if (depth == 1) return static_cast<std::uint64_t>(points.size()) + 1;
    std::uint64_t sum = perft(position.after(pass), depth - 1, go_on);
    points.each([&](int point) { sum += perft(position.after(static_cast<Move>(point)), depth - 1, go_on); });
    return sum;
}

// Random moves to the end: +1 White won, -1 Black won, 0 draw. No suicide, no filling of own eyes; a ko is not retaken
// at once, longer repetitions are left to the cap on turns.
inline int playout(const Position& position, Random& dice) {
    if (position.over()) return position.leader();
    Cells cells(position.field);
    int passes = position.passes;
    std::int8_t side = position.white;
    std::uint32_t turns = 3U * static_cast<std::uint32_t>(position.field.rows * position.field.columns);
    if (position.limit) turns = std::min(turns, position.limit - position.turns);
    for (; turns && passes < 2; --turns) {
        const int cell = cells.chosen(side, dice);
        if (cell) {
            cells.place(cell, side);
            passes = 0;
        } else {
            cells.passed();
            ++passes;
        }
        side = 1 - side;
    }
    const double margin = cells.area() - position.komi;
    return (margin < 0) - (margin > 0);
}

// A game in progress, for searches: what was pushed can be popped.
class Board {
public:
    using Move = go::Move;
    static constexpr int max_moves = largest * largest + 1;

    explicit Board(const Position& position) { line_.push_back(position); }

    const Position& position() const { return line_.back(); }
    void push(Move move) { line_.push_back(position().after(move)); }
    void pop() { line_.pop_back(); }

    // By point, the pass last; none when the game is over.
    int moves(Move* into) const {
        if (over()) return 0;
        int found = 0;
        position().points().each([&](int point) { into[found++] = static_cast<Move>(point); });
        into[found++] = pass;
        return found;
    }
    bool over() const { return position().over(); }
    int result() const { return position().leader(); }
    bool white() const { return position().white; }
    std::uint64_t key() const { return position().key(); }
    bool is_capture(Move) const { return false; }

    // For the side to move: its area as it stands less the other's, komi included, in half points.
    int evaluate() const {
        const int lead = static_cast<int>(std::lround(2 * position().margin()));
        return white() ? -lead : lead;
    }

private:
    std::vector<Position> line_;
};

}  // namespace arena::go
