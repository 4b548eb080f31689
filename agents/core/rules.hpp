// What the searches must know of a game beyond its `Board`:
//   name                     of the game
//   codes, code(move)        a small number for each move
//   captures                 whether there are moves after which a position must not be valued at once: see `loud`
//   table_key(board)         tells apart what the search must not mix up
//   leaf(board, value)       false if the game is over; else the value for the side to move
//   share(board)             White's share of what both have, as agents/evaluation.py counts it, in [0, 1]
//   promise(board, move)     what is tried first: more is better
//   weight(board, move)      how likely a weighted playout takes the move
//   playout(board, dice)     random moves to the end: +1 White won, -1 Black won, 0 nobody; only where the board's
//                            own moves would be slower
//   width                    how many moves alpha-beta looks at in one place, if it need not be exact
//   set_up, text, read       positions and moves as the specification writes them
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "go.hpp"
#include "gomoku.hpp"
#include "microchess.hpp"
#include "mushroom.hpp"
#include "othello.hpp"

namespace arena::search {

inline constexpr int everything = 1 << 20;

// What belongs to a position besides its text; what a game does not know it does not read.
struct Parameters {
    long long limit = 0;  // on all turns; 0: none
    double komi = 0;
    long long turns = 0;                 // made so far
    std::vector<std::string_view> seen;  // boards that may not come again: the bits of both colours, in base 16
};

// What begins and ends the text of a board with passes: "rows/of/cells side passes".
struct Frame {
    std::size_t rows, columns, end;
    char side;
    std::int8_t passes;

    // The frame of such a text; the cells are not looked at.
    static std::optional<Frame> of(std::string_view text, std::size_t largest, std::string_view sides) {
        const std::size_t end = text.find(' ');
        if (end == text.npos || text.size() != end + 4 || text[end + 2] != ' ') return std::nullopt;
        const std::size_t columns = text.find_first_of("/ "), rows = (end + 1) / (columns + 1);
        if (columns < 1 || columns > largest || rows > largest || rows * (columns + 1) != end + 1) return std::nullopt;
        const char side = text[end + 1], passes = text[end + 3];
        if (sides.find(side) == sides.npos || passes < '0' || passes > '2') return std::nullopt;
        for (std::size_t at = 0; at < end; ++at)
            if ((text[at] == '/') != (at % (columns + 1) == columns)) return std::nullopt;
        return Frame{rows, columns, end, side, static_cast<std::int8_t>(passes - '0')};
    }
};

template <typename Game>
struct Plain {
    using Board = Game;
    using Move = typename Board::Move;
    static constexpr bool captures = false;
    static constexpr bool weighs = true;
    static constexpr int width = everything;

    static int code(Move move) { return static_cast<int>(move); }
    static std::uint64_t table_key(const Board& board) { return board.key(); }
    static bool leaf(const Board& board, int& value) {
        if (board.over()) return false;
        value = board.evaluate();
        return true;
    }
    static int promise(Board&, Move) { return 0; }
    static bool loud(const Board&, Move) { return false; }
    static bool pressed(const Board&) { return false; }
    static std::uint32_t weight(Board&, Move) { return 1; }  // where it `weighs`
};

struct Microchess : Plain<microchess::Board> {
    static constexpr const char* name = "microchess";
    static constexpr bool captures = true;
    static constexpr int codes = 1 << 13;

    static std::unique_ptr<Board> set_up(std::string_view text, const Parameters& parameters) {
        const auto position = microchess::read(text);
        return position ? std::make_unique<Board>(*position, parameters.limit) : nullptr;
    }
    static std::string text(const Board&, Move move) { return microchess::text(move); }
    static std::optional<Move> read(const Board& board, std::string_view text) {
        const auto move = microchess::read(board.position(), text);
        return move && board.position().legal(*move) ? move : std::nullopt;
    }

    // The end of the game depends on three counters. They matter only when it can be seen from here.
    static std::uint64_t table_key(const Board& board) {
        const auto& position = board.position();
        std::uint64_t key = board.key();
        if (board.turn_limit() > 0) key ^= mixed(static_cast<std::uint64_t>(board.turns()) + 1);
        if (position.clock >= 4) {
            const int quiet = position.clock >= 24 ? position.clock : 0, times = board.occurrences();
            if (quiet || times > 1) key ^= mixed(static_cast<std::uint64_t>(quiet << 8 | times) << 32);
        }
        return key;
    }
    // Material, and a hundredth of a pawn for each move to choose from.
    static bool leaf(const Board& board, int& value) {
        const auto& position = board.position();
        const int choices = position.count_moves();
        const auto repeats = [&] { return position.clock >= microchess::times - 1 && board.occurrences() >= microchess::times; };
        if (position.verdict(choices == 0, board.turn_limit(), repeats) != microchess::Verdict::none) return false;
        value = board.evaluate() + choices;
        return true;
    }
    static double share(const Board& board) {
        const double white = board.position().material(microchess::WHITE), black = board.position().material(microchess::BLACK);
        return (1 + (white - black) / (white + black)) / 2;
    }
    // Much for little first.
    static int promise(Board& board, Move move) {
        const auto& position = board.position();
        const int made = microchess::promotion(move);
        if (!board.is_capture(move) && !made) return 0;
        const int taken = microchess::worth[position.kind(microchess::to(move))];
        return 100 + 16 * (taken + microchess::worth[made]) - microchess::worth[position.kind(microchess::from(move))];
    }
    static bool loud(const Board& board, Move move) { return board.is_capture(move) || microchess::promotion(move); }
    static bool pressed(const Board& board) { return board.position().check(); }
    static std::uint32_t weight(Board& board, Move move) {
        const int taken = microchess::worth[board.position().kind(microchess::to(move))];
        return static_cast<std::uint32_t>(1 + 4 * (taken + microchess::worth[microchess::promotion(move)]));
    }
};

struct Othello : Plain<othello::Board> {
    static constexpr const char* name = "othello";
    static constexpr int codes = 65;

    static std::unique_ptr<Board> set_up(std::string_view text, const Parameters&) {
        const auto position = othello::read(text);
        return position ? std::make_unique<Board>(*position) : nullptr;
    }
    static std::string text(const Board&, Move move) { return othello::text(move); }
    static std::optional<Move> read(const Board& board, std::string_view text) { return othello::read(board.position(), text); }
    static double share(const Board& board) {
        return (1 + (count(board.position().white_discs()) - count(board.position().black_discs())) / 64.0) / 2;
    }
    static int value(Move move) {
        for (const auto& [value, squares] : othello::WEIGHTS)
            if (move != othello::pass && squares >> move & 1) return value;
        return 0;
    }
    static int promise(Board&, Move move) { return value(move); }
    static std::uint32_t weight(Board&, Move move) { return static_cast<std::uint32_t>(std::max(1, 30 + value(move))); }
    static int playout(Board& board, Random& dice) { return othello::playout(board.position(), dice); }
};

struct Gomoku : Plain<gomoku::Board> {
    static constexpr const char* name = "gomoku";
    static constexpr int codes = gomoku::points;
    static constexpr int width = 14;

    static std::unique_ptr<Board> set_up(std::string_view text, const Parameters&) {
        const auto position = gomoku::read(text);
        return position ? std::make_unique<Board>(*position) : nullptr;
    }
    static std::string text(const Board&, Move move) { return gomoku::text(move); }
    static std::optional<Move> read(const Board& board, std::string_view text) { return gomoku::read(board.position(), text); }
    static double share(const Board& board) {
        const int lead = board.white() ? board.evaluate() : -board.evaluate();
        return (1 + lead / (std::abs(lead) + 1000.0)) / 2;
    }
    // What the stone gains there, and takes from the other side.
    static int promise(Board& board, Move move) {
        const int before = board.evaluate();
        board.push(move);
        const int after = -board.evaluate();
        board.pop();
        return after - before;
    }
    // Next to stones, and above all where there are or would be five.
    static std::uint32_t weight(Board& board, Move move) {
        const auto& stones = board.position().stones;
        bool near = false;
        for (const int step : gomoku::steps)
            for (const int beside : {move - step, move + step}) near |= stones[0].has(beside) || stones[1].has(beside);
        if (!near) return 1;
        const bool white = board.white();
        return gomoku::makes_five(stones[white], move) ? 5000 : gomoku::makes_five(stones[!white], move) ? 500 : 10;
    }
    static int playout(Board& board, Random& dice) { return gomoku::playout(board.position(), dice); }
};

struct Mushroom : Plain<mushroom::Board> {
    static constexpr const char* name = "mushroom";
    static constexpr int codes = 1 << 14;

    // Few of the rectangles occur in one game: that two of them share a number matters little.
    static int code(Move move) { return static_cast<int>(move * 0x9E37'79B1U >> 18); }

    static std::unique_ptr<Board> set_up(std::string_view text, const Parameters&) {
        const auto frame = Frame::of(text, mushroom::largest, "AB");
        if (!frame) return nullptr;
        mushroom::Position position;
        position.rows = static_cast<std::int8_t>(frame->rows);
        position.columns = static_cast<std::int8_t>(frame->columns);
        for (std::size_t at = 0; at < frame->end; ++at) {
            const char cell = text[at];
            if (cell == '/') continue;
            if (!(cell >= '1' && cell <= '9') && cell != 'A' && cell != 'B') return nullptr;
            const std::size_t row = at / (frame->columns + 1), column = at % (frame->columns + 1);
            position.at(static_cast<int>(row), static_cast<int>(column)) = cell;
        }
        position.white = frame->side == 'A';
        position.passes = frame->passes;
        position.take_stock();
        return std::make_unique<Board>(position);
    }
    static std::string text(const Board&, Move move) { return mushroom::written(move); }
    static std::optional<Move> read(const Board& board, std::string_view text) { return mushroom::read(board.position(), text); }
    static double share(const Board& board) {
        const auto& position = board.position();
        return (1 + static_cast<double>(position.lead()) / (position.rows * position.columns + 1)) / 2;
    }
    // How many cells the mover has more than before, the other side's counted twice.
    static int promise(Board& board, Move move) {
        if (move == mushroom::pass) return 0;
        const auto& position = board.position();
        const auto [top, left, bottom, right] = mushroom::Rectangle::of(move);
        const char own = position.owner(position.white), other = position.owner(!position.white);
        int gained = 0;
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) {
                const char cell = position.at(row, column);
                gained += cell == other ? 2 : cell != own;
            }
        return gained;
    }
    static std::uint32_t weight(Board& board, Move move) {
        const auto gained = static_cast<std::uint32_t>(promise(board, move));
        return 1 + gained * gained;
    }
    static int playout(Board& board, Random& dice) { return mushroom::playout(board.position(), dice); }
};

struct Go : Plain<go::Board> {
    static constexpr const char* name = "go";
    static constexpr int codes = go::pass + 1;
    static constexpr bool weighs = false;

    static std::unique_ptr<Board> set_up(std::string_view text, const Parameters& parameters) {
        const auto frame = Frame::of(text, go::largest, "XO");
        if (!frame) return nullptr;
        const go::Field empty = go::Field::empty(static_cast<int>(frame->rows), static_cast<int>(frame->columns));
        go::Position position;
        position.field = empty;
        for (std::size_t at = 0; at < frame->end; ++at) {
            if (text[at] == 'X' || text[at] == 'O') position.field.put(static_cast<int>(at), text[at] == 'O');
            else if (text[at] != '.' && text[at] != '/') return nullptr;
        }
        for (const std::string_view seen : parameters.seen) {
            go::Field field = empty;
            const std::size_t middle = seen.find(' ');
            if (middle == seen.npos) return nullptr;
            if (!place(field, seen.substr(0, middle), false) || !place(field, seen.substr(middle + 1), true)) return nullptr;
            position.past.add(field);
        }
        if (!position.past.has(position.field)) position.past.add(position.field);
        position.white = frame->side == 'O';
        position.passes = frame->passes;
        position.komi = parameters.komi;
        position.limit = static_cast<std::uint32_t>(parameters.limit);
        position.turns = static_cast<std::uint32_t>(parameters.turns);
        return std::make_unique<Board>(position);
    }
    // Put a stone on each point whose bit is set; false if one does not lie on an empty point.
    static bool place(go::Field& field, std::string_view bits, bool of_white) {
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

    static std::string text(const Board& board, Move move) { return go::written(board.position(), move); }
    static std::optional<Move> read(const Board& board, std::string_view text) { return go::read(board.position(), text); }
    static std::uint64_t table_key(const Board& board) {
        return board.key() ^ (board.position().limit ? mixed(board.position().turns + 1) : 0);
    }
    static double share(const Board& board) {
        const auto& position = board.position();
        const int lead = board.white() ? board.evaluate() : -board.evaluate();
        return (1 + lead / (2 * (position.field.rows * position.field.columns + std::abs(position.komi) + 1))) / 2;
    }
    static int playout(Board& board, Random& dice) { return go::playout(board.position(), dice); }
};

}  // namespace arena::search
