// How a microchess board of Python is stored: position, history, and what was written into it by hand.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstring>
#include <new>
#include <utility>

#include "binding.hpp"
#include "microchess.hpp"

namespace arena::microchess {

// One turn of a history: shared by all boards that went through it, never changed, without Python objects.
struct Turn {
    Py_ssize_t references;
    Turn* parent;
    Position before;
    std::uint32_t depth;
    Move move;
};

inline Turn* held(Turn* turn) {
    if (turn) ++turn->references;
    return turn;
}

// Not by recursion: a history may be a million turns long.
inline void released(Turn* turn) {
    while (turn && --turn->references == 0) {
        Turn* parent = turn->parent;
        PyMem_Free(turn);
        turn = parent;
    }
}

// A history that is one turn longer; it takes over the reference to `parent`. Null without memory.
inline Turn* extended(Turn* parent, const Position& before, Move move) {
    auto* turn = static_cast<Turn*>(PyMem_Malloc(sizeof(Turn)));
    if (!turn) {
        released(parent);
        PyErr_NoMemory();
        return nullptr;
    }
    *turn = Turn{1, parent, before, parent ? parent->depth + 1 : 1, move};
    return turn;
}

inline Py_ssize_t depth(const Turn* turn) { return turn ? turn->depth : 0; }

// The last `kept` turns of a history.
inline Turn* shortened(const Turn* turn, Py_ssize_t kept) {
    Turn *newest = nullptr, **place = &newest;
    for (; kept > 0; --kept, turn = turn->parent) {
        Turn* copy = extended(nullptr, turn->before, turn->move);
        if (!copy) {
            released(newest);
            return nullptr;
        }
        copy->depth = static_cast<std::uint32_t>(kept);
        *place = copy;
        place = &copy->parent;
    }
    return newest;
}

// The numbers of python-chess: a1 = 0, …, d1 = 3, a2 = 8, …, d5 = 35.
inline int widened_square(int square) { return square / files * 8 + square % files; }
inline int narrowed_square(long square) { return static_cast<int>(square / 8 * files + square % 8); }
inline Bits widened(Squares set) {
    Bits wide = 0;
    for (int rank = 0; rank < ranks; ++rank) wide |= static_cast<Bits>(set >> files * rank & 15) << 8 * rank;
    return wide;
}
inline constexpr Bits wide_board = 0x0F'0F'0F'0F'0F;
inline Squares narrowed(Bits wide) {
    Squares set = 0;
    for (int rank = 0; rank < ranks; ++rank) set |= static_cast<Squares>(wide >> 8 * rank & 15) << files * rank;
    return set;
}
inline constexpr Bits wide_rooks[2] = {Bits{1} << 35, 1};

// A board as python-chess keeps it, in the middle of being set up or otherwise out of order.
struct Loose {
    Bits piece[7];  // as in `Position`
    Bits side[2];
    Bits occupied, castling;
    long long clock, number;
    int en_passant;  // -1: none
    bool turn;
    bool unsound;  // known to be no position, until something is written

    explicit Loose(const Position& position)
        : occupied(widened(position.occupied())),
          castling((position.rights & 1 ? wide_rooks[0] : 0) | (position.rights & 2 ? wide_rooks[1] : 0)),
          clock(position.clock), number(position.number), en_passant(-1), turn(position.turn), unsound(false) {
        for (int number_ = 0; number_ < 7; ++number_) piece[number_] = widened(position.piece[number_]);
        for (int color = 0; color < 2; ++color) side[color] = widened(position.side[color]);
    }

    // The position on this board, if it is one.
    bool read(Position& position) const {
        constexpr long long most = 1 << 29;
        Bits all = occupied | side[0] | side[1] | castling;
        for (const Bits set : piece) all |= set;
        if (all & ~wide_board || occupied != (side[0] | side[1])) return false;
        if (castling & ~(wide_rooks[0] | wide_rooks[1])) return false;
        if (en_passant >= 0 || clock < 0 || clock > most || number < -most || number > most) return false;
        Position found;
        for (int number_ = 0; number_ < 7; ++number_) found.piece[number_] = narrowed(piece[number_]);
        for (int color = 0; color < 2; ++color) {
            found.side[color] = narrowed(side[color]);
            if (castling & wide_rooks[color]) found.rights |= static_cast<std::uint8_t>(1 << color);
        }
        found.turn = turn;
        found.clock = static_cast<std::int32_t>(clock);
        found.number = static_cast<std::int32_t>(number);
        if (!found.sound()) return false;
        found.hash = found.computed_key();
        position = found;
        return true;
    }
};

// The board. Its history is `turn`; a list of moves that was handed out stays in `moves`, to see whether it is changed.
// Once the history is written to by hand, or holds what is no position, it is kept as in python-chess: `moves` and
// `states` are its lists, and `turn` is null.
struct State {
    PyObject_HEAD
    PyObject *dict, *weak;
    Position at;  // if `loose` is null
    Loose* loose;
    Turn* turn;
    PyObject *moves, *states;
    PyObject* limit;
    PyObject* seconds[2];
    long long turn_limit;  // that of `limit`
    bool limited;          // `limit` is a number
    bool chess960;
    bool listed;  // the lists are known to hold what is no position
};

}  // namespace arena::microchess
