// The rules of Othello. games/othello.py is the specification. Squares are numbered as there: a1 = 0, b1 = 1, …, h8 = 63.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "game_concept.hpp"
#include "position_stack.hpp"

namespace arena::othello {

using Move = std::uint8_t;  // a square, or `pass`
inline constexpr Move pass = 64;

// Two boards in one vector: the board, and the board with its rows in reverse order. One shift then handles a direction
// and its opposite.
typedef Bits Pair __attribute__((vector_size(16)));

inline Pair both(Bits bits) { return Pair{bits, __builtin_bswap64(bits)}; }
inline Bits merged(Pair pair) { return pair[0] | __builtin_bswap64(pair[1]); }

// The squares just beyond each run of `middle` discs that starts next to an `own` disc and goes in steps of `step`.
template <typename Board>
inline Board beyond(Board own, Board middle, int step, bool up) {
    const auto shifted = [up](Board board, int by) { return up ? board << by : board >> by; };
    Board run = middle & shifted(own, step);
    run |= middle & shifted(run, step);
    const Board pairs = middle & shifted(middle, step);
    run |= pairs & shifted(run, 2 * step);
    run |= pairs & shifted(run, 2 * step);
    return shifted(run, step);
}

// The empty squares on which a disc of `own` encloses some of `other`.
inline Bits enclosing(Bits own, Bits other) {
    // Only vertical runs may contain discs of the outer columns. So no run wraps around the edge.
    const Bits inner = other & 0x7E7E'7E7E'7E7E'7E7E;
    const Pair owns = both(own), inners = both(inner);
    const Pair found = beyond(owns, both(other), 8, true) | beyond(owns, inners, 7, true) | beyond(owns, inners, 9, true);
    return (merged(found) | beyond(own, inner, 1, true) | beyond(own, inner, 1, false)) & ~(own | other);
}

// The squares in line with one square: for each downward direction the ray on the board and on the reversed board, and
// both sides of its row.
struct alignas(64) Rays {
    Bits down[3][2];
    Bits right, left;
};

constexpr std::array<Rays, 64> rays() {
    std::array<Rays, 64> all{};
    const auto ray = [](int row, int column, int to_row, int to_column) {
        Bits squares = 0;
        for (row += to_row, column += to_column; row >= 0 && row < 8 && column >= 0 && column < 8;
             row += to_row, column += to_column)
            squares |= Bits{1} << (8 * row + column);
        return squares;
    };
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            Rays& here = all[static_cast<std::size_t>(8 * row + column)];
            for (int way = 0; way < 3; ++way) {
                here.down[way][0] = ray(row, column, 1, way - 1);
                here.down[way][1] = ray(7 - row, column, 1, way - 1);
            }
            here.right = ray(row, column, 0, 1);
            here.left = ray(row, column, 0, -1);
        }
    return all;
}

inline constexpr std::array<Rays, 64> RAYS = rays();

// The discs of `other` that a disc of `own` on `square` flips.
inline Bits flipped(Bits own, Bits other, int square) {
    const Rays& here = RAYS[static_cast<std::size_t>(square)];
    const Pair owns = both(own), others = both(other);
    Pair found{};
    for (const auto& way : here.down) {
        // The carry of the addition runs along the ray through the opponent's discs and stops behind the last of them.
        const Pair ray{way[0], way[1]};
        const Pair end = ((others | ~ray) + 1) & ray & owns;
        found |= (end + (Pair)(end != 0)) & ray;
    }
    const Bits end = ((other | ~here.right) + 1) & here.right & own;
    const Bits open = here.left & ~other;
    const Bits start = (Bits{1} << (63 - std::countl_zero(open | 1))) & here.left & own;
    return merged(found) | ((end - (end != 0)) & here.right) | ((0 - 2 * start) & here.left);
}

// The square weights "map B" of Yoshioka and others (1999), with one mask for each weight.
struct Weight {
    int value;
    Bits squares;
};
inline constexpr Weight WEIGHTS[] = {
    {100, 0x8100'0000'0000'0081}, {-25, 0x42C3'0000'0000'C342}, {10, 0x2400'8100'0081'0024},
    {5, 0x1800'2481'8124'0018},   {2, 0x0000'1824'2418'0000},   {1, 0x003C'425A'5A42'3C00},
};

// The sum of the weights of `own` minus the sum of the weights of `other`.
inline int weight_lead(Bits own, Bits other) {
    int sum = 0;
    for (const auto& [value, squares] : WEIGHTS) sum += value * (count(own & squares) - count(other & squares));
    return sum;
}

// A position: the discs of the side to move, those of the opponent, and whether White is to move.
struct Position {
    using Move = othello::Move;
    static constexpr int max_moves = 64;

    Bits own = 0;
    Bits other = 0;
    bool white = false;

    static Position start() { return {0x0000'0008'1000'0000, 0x0000'0010'0800'0000, false}; }

    // The squares where the side to move may place a disc. If there are none, it passes or the game is over.
    Bits squares() const { return enclosing(own, other); }
    bool opponent_can_move() const { return enclosing(other, own) != 0; }
    bool over() const { return !squares() && !opponent_can_move(); }

    Position after(Move move) const { return move == pass ? passed() : placed(move); }
    Position placed(int square) const {
        const Bits changed = flipped(own, other, square);
        return {other & ~changed, own | changed | Bits{1} << square, !white};
    }
    Position passed() const { return {other, own, !white}; }

    Bits black_discs() const { return white ? other : own; }
    Bits white_discs() const { return white ? own : other; }

    // +1 if White has more discs, -1 if Black has, 0 if equal.
    int leader() const {
        const int lead = white ? count(own) - count(other) : count(other) - count(own);
        return (lead > 0) - (lead < 0);
    }

    std::uint64_t key() const {
        return mixed(mixed(own + 0x9E37'79B9'7F4A'7C15) ^ std::rotl(other * 0xD6E8'FEB8'6659'FD93, 29)) ^
               (white ? 0xA5A3'56B1'0F3C'7E2D : 0);
    }

    bool operator==(const Position&) const = default;
};

inline std::string move_text(Move move) {
    if (move == pass) return "pass";
    return {static_cast<char>('a' + move % 8), static_cast<char>('1' + move / 8)};
}
inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (text == "pass") return !position.squares() && position.opponent_can_move() ? std::optional(pass) : std::nullopt;
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
    const int square = 8 * (text[1] - '1') + (text[0] - 'a');
    if ((position.own | position.other) >> square & 1) return std::nullopt;
    return flipped(position.own, position.other, square) ? std::optional(static_cast<Move>(square)) : std::nullopt;
}

// 64 characters `-XO`, row by row from a1, and whose move it is.
inline std::string position_text(const Position& position) {
    const Bits black = position.black_discs(), white = position.white_discs();
    std::string text(66, ' ');
    for (std::size_t at = 0; at < 64; ++at) text[at] = "-XO"[(black >> at & 1) + 2 * (white >> at & 1)];
    text[65] = position.white ? 'O' : 'X';
    return text;
}

// The position with this text; empty if the text is not valid.
inline std::optional<Position> read_position(std::string_view text) {
    if (text.size() != 66 || text[64] != ' ' || (text[65] != 'X' && text[65] != 'O')) return std::nullopt;
    Bits discs[2] = {0, 0};
    for (std::size_t at = 0; at < 64; ++at) {
        if (text[at] != '-' && text[at] != 'X' && text[at] != 'O') return std::nullopt;
        if (text[at] != '-') discs[text[at] == 'O'] |= Bits{1} << at;
    }
    const bool white = text[65] == 'O';
    return Position{discs[white], discs[!white], white};
}

// The legal moves in order of their squares, or the pass; returns their number, 0 when the game is over.
inline int legal_moves(const Position& position, Move* into) {
    Bits squares = position.squares();
    if (!squares) {
        if (!position.opponent_can_move()) return 0;
        *into = pass;
        return 1;
    }
    int found = 0;
    while (squares) into[found++] = static_cast<Move>(take(squares));
    return found;
}

// The number of sequences of `depth` turns, passes counted as turns. `depth` is at least 1. `go_on` is called now and
// then; once it returns false the result means nothing.
template <typename GoOn>
inline std::uint64_t perft(const Position& position, int depth, GoOn go_on) {
    Bits squares = position.squares();
    if (!squares) {
        if (!position.opponent_can_move()) return 0;
        return depth == 1 ? 1 : perft(position.passed(), depth - 1, go_on);
    }
    if (depth == 1) return static_cast<std::uint64_t>(count(squares));
    if (depth >= 7 && !go_on()) return 0;
    std::uint64_t sum = 0;
    while (squares) sum += perft(position.placed(take(squares)), depth - 1, go_on);
    return sum;
}

// Play random moves to the end: +1 White won, -1 Black won, 0 draw.
inline int playout(Position position, Random& random) {
    for (bool passed = false;;) {
        Bits squares = position.squares();
        if (!squares) {
            if (passed) return position.leader();
            passed = true;
            position = position.passed();
            continue;
        }
        passed = false;
        for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(count(squares))); skip; --skip)
            squares &= squares - 1;
        position = position.placed(lowest(squares));
    }
}

// A game in progress, for searches.
class Board : public SelfContainedBoard<Position> {
public:
    using SelfContainedBoard::SelfContainedBoard;

    // For the side to move: the lead in discs plus ten times the lead in available moves.
    int evaluate() const {
        const auto& [own, other, white] = position();
        return count(own) - count(other) + 10 * (count(enclosing(own, other)) - count(enclosing(other, own)));
    }
};

static_assert(SelfContainedPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::othello
