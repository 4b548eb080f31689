// How a board of chess or microchess is stored for Python: its position, its history, and values that were written by hand.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <concepts>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "python_values.hpp"
#include "chess_board.hpp"
#include "encoding.hpp"

namespace arena::python_board {

using enum boards::Piece;
using enum boards::Side;
using boards::Verdict;

// What these headers need to know about the rules of a game. The source file of a module defines `Rules` before it includes
// them. Squares and sets of squares are those of python-chess here.
template <typename R>
concept BoardRules = requires(const typename R::Position& position, typename R::Position& into, typename R::Position::Move move,
                              typename R::Position::Move* moves, typename R::Set set, std::string_view text, bool yes) {
    { R::module } -> std::convertible_to<const char*>;
    { R::quiet_reason } -> std::convertible_to<const char*>;  // the name of the ending without progress
    { R::material_decides } -> std::convertible_to<bool>;     // the endings other than checkmate
    { R::board } -> std::convertible_to<Bits>;                // the squares of the game
    { R::move_codes } -> std::convertible_to<int>;            // moves are numbers below this
    { R::code(1, 2, 3) } -> std::same_as<typename R::Position::Move>;
    { R::from(move) } -> std::same_as<int>;
    { R::to(move) } -> std::same_as<int>;
    { R::promotion(move) } -> std::same_as<int>;
    { R::wide(set) } -> std::same_as<Bits>;
    { R::narrow(Bits{}) } -> std::same_as<typename R::Set>;
    { R::castling(position) } -> std::same_as<Bits>;          // the rooks that may castle
    { R::en_passant(position) } -> std::same_as<int>;         // -1: none
    { R::read_rights(Bits{}, 0, yes, into) } -> std::same_as<bool>;  // castling, en passant, Chess960; false: not valid
    // Whether the position before this move, so many turns ago, or an earlier one may be the same as `position`.
    { R::may_return(position, 1, position, move) } -> std::same_as<bool>;
    { R::may_be_alias(move) } -> std::same_as<bool>;          // castling that may have another notation
    { R::castlings.size() } -> std::convertible_to<std::size_t>;  // moves that have another notation
    { R::order_as_generated(position, moves, 1) } -> std::same_as<void>;
    { R::text(position) } -> std::same_as<std::string>;
    { R::read_move(position, text) } -> std::same_as<std::optional<typename R::Position::Move>>;
    { R::shape } -> std::convertible_to<Shape>;
    { R::action(position, move) } -> std::same_as<int>;
};
static_assert(BoardRules<Rules>);

using Position = Rules::Position;
using Move = Position::Move;
inline constexpr Move null_move = 0;

// One turn of a history. It is shared by all boards that went through it and never changes. It has no Python objects.
struct Turn {
    Py_ssize_t references;
    Turn* parent;
    Position before;
    std::uint32_t depth;
    Move move;
};

inline Turn* share(Turn* turn) {
    if (turn) ++turn->references;
    return turn;
}

// A loop and not recursion: a history may be a million turns long.
inline void release(Turn* turn) {
    while (turn && --turn->references == 0) {
        Turn* parent = turn->parent;
        PyMem_Free(turn);
        turn = parent;
    }
}

// A history that is one turn longer. It takes over the reference to `parent`. Null with an exception if memory is short.
inline Turn* extend(Turn* parent, const Position& before, Move move) {
    auto* turn = static_cast<Turn*>(PyMem_Malloc(sizeof(Turn)));
    if (!turn) {
        release(parent);
        PyErr_NoMemory();
        return nullptr;
    }
    *turn = Turn{1, parent, before, parent ? parent->depth + 1 : 1, move};
    return turn;
}

inline Py_ssize_t depth(const Turn* turn) { return turn ? turn->depth : 0; }

// A new history of the last `kept` turns.
inline Turn* last_turns(const Turn* turn, Py_ssize_t kept) {
    Turn *newest = nullptr, **place = &newest;
    for (; kept > 0; --kept, turn = turn->parent) {
        Turn* copy = extend(nullptr, turn->before, turn->move);
        if (!copy) {
            release(newest);
            return nullptr;
        }
        copy->depth = static_cast<std::uint32_t>(kept);
        *place = copy;
        place = &copy->parent;
    }
    return newest;
}

// A board as python-chess keeps it. Its attributes may be written one by one, so it need not be a valid position.
struct RawBoard {
    Bits piece[7];  // as in `Position`
    Bits side[2];
    Bits occupied, castling;
    long long clock, number;
    int en_passant;  // -1: none
    bool turn;
    bool known_invalid;  // it was found not to be a position, and nothing was written since then

    explicit RawBoard(const Position& position)
        : occupied(Rules::wide(position.occupied())), castling(Rules::castling(position)), clock(position.clock),
          number(position.number), en_passant(Rules::en_passant(position)), turn(position.turn), known_invalid(false) {
        for (int number_ = 0; number_ < 7; ++number_) piece[number_] = Rules::wide(position.piece[number_]);
        for (int color = 0; color < 2; ++color) side[color] = Rules::wide(position.side[color]);
    }

    // Read the position of this board; false if it is not valid.
    bool read(Position& position, bool chess960) const {
        constexpr long long most = 1 << 29;
        Bits all = occupied | side[0] | side[1] | castling;
        for (const Bits set : piece) all |= set;
        if (all & ~Rules::board || occupied != (side[0] | side[1])) return false;
        if (clock < 0 || clock > most || number < -most || number > most) return false;
        Position found;
        for (int number_ = 0; number_ < 7; ++number_) found.piece[number_] = Rules::narrow(piece[number_]);
        for (int color = 0; color < 2; ++color) found.side[color] = Rules::narrow(side[color]);
        found.turn = turn;
        found.clock = static_cast<std::int32_t>(clock);
        found.number = static_cast<std::int32_t>(number);
        if (!Rules::read_rights(castling, en_passant, chess960, found) || !found.is_valid()) return false;
        found.complete();
        position = found;
        return true;
    }
};

// The board. Its history is `turn`. A list of moves that was handed out stays in `moves`, to notice whether it is changed.
// Once the history was written by hand, or contains an invalid position, it is kept as in python-chess: in the lists
// `moves` and `states`. Then `turn` is null.
struct State {
    PyObject_HEAD
    PyObject *dict, *weak;
    Position at;  // unless `raw` is set
    RawBoard* raw;
    Turn* turn;
    PyObject *moves, *states;
    PyObject* limit;
    PyObject* seconds[2];
    long long turn_limit;  // the number in `limit`
    bool limited;          // `limit` is an integer
    bool chess960;
    bool lists_invalid;  // the lists are known to contain an invalid position
};

}  // namespace arena::python_board
