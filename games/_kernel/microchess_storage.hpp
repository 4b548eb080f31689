// How a microchess board is stored for Python: its position, its history, and values that were written by hand.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstring>
#include <new>
#include <utility>

#include "python_values.hpp"
#include "microchess.hpp"

namespace arena::microchess {

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

// Squares as python-chess numbers them: a1 = 0, …, d1 = 3, a2 = 8, …, d5 = 35.
inline int square_8x8(int square) { return square / files * 8 + square % files; }
inline int square_4x5(long square) { return static_cast<int>(square / 8 * files + square % 8); }
inline Bits to_8x8(Squares set) {
    Bits wide = 0;
    for (int rank = 0; rank < ranks; ++rank) wide |= static_cast<Bits>(set >> files * rank & 15) << 8 * rank;
    return wide;
}
inline constexpr Bits board_8x8 = 0x0F'0F'0F'0F'0F;
inline Squares from_8x8(Bits wide) {
    Squares set = 0;
    for (int rank = 0; rank < ranks; ++rank) set |= static_cast<Squares>(wide >> 8 * rank & 15) << files * rank;
    return set;
}
inline constexpr Bits rooks_8x8[2] = {Bits{1} << 35, 1};

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
        : occupied(to_8x8(position.occupied())),
          castling((position.rights & 1 ? rooks_8x8[0] : 0) | (position.rights & 2 ? rooks_8x8[1] : 0)),
          clock(position.clock), number(position.number), en_passant(-1), turn(position.turn), known_invalid(false) {
        for (int number_ = 0; number_ < 7; ++number_) piece[number_] = to_8x8(position.piece[number_]);
        for (int color = 0; color < 2; ++color) side[color] = to_8x8(position.side[color]);
    }

    // Read the position of this board; false if it is not valid.
    bool read(Position& position) const {
        constexpr long long most = 1 << 29;
        Bits all = occupied | side[0] | side[1] | castling;
        for (const Bits set : piece) all |= set;
        if (all & ~board_8x8 || occupied != (side[0] | side[1])) return false;
        if (castling & ~(rooks_8x8[0] | rooks_8x8[1])) return false;
        if (en_passant >= 0 || clock < 0 || clock > most || number < -most || number > most) return false;
        Position found;
        for (int number_ = 0; number_ < 7; ++number_) found.piece[number_] = from_8x8(piece[number_]);
        for (int color = 0; color < 2; ++color) {
            found.side[color] = from_8x8(side[color]);
            if (castling & rooks_8x8[color]) found.rights |= static_cast<std::uint8_t>(1 << color);
        }
        found.turn = turn;
        found.clock = static_cast<std::int32_t>(clock);
        found.number = static_cast<std::int32_t>(number);
        if (!found.is_valid()) return false;
        found.hash = found.computed_key();
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

}  // namespace arena::microchess
