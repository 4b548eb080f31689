// The attributes that python-chess keeps on a board, as descriptors.
#pragma once

#include "python_board_history.hpp"

namespace arena::python_board {
namespace {

enum Mask : int { OCCUPIED = 7, CASTLING = 8 };

template <typename Board>
auto& mask_in(Board& raw, int which) {
    return which < 7 ? raw.piece[which] : which == OCCUPIED ? raw.occupied : raw.castling;
}

Bits mask_of(const State& board, int which) {
    if (board.raw) return mask_in(*board.raw, which);
    if (which < 7) return Rules::wide(board.at.piece[which]);
    return which == OCCUPIED ? Rules::wide(board.at.occupied()) : Rules::castling(board.at);
}

Bits side_of(const State& board, int color) {
    return board.raw ? board.raw->side[color] : Rules::wide(board.at.side[color]);
}

bool read_mask(PyObject* value, Bits& mask) {
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "squares are a whole number of 64 bits, not %.100s", Py_TYPE(value)->tp_name);
        return false;
    }
    mask = PyLong_AsUnsignedLongLong(value);
    if (mask == static_cast<Bits>(-1) && PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "squares are a whole number of 64 bits");
        return false;
    }
    return true;
}

int which(void* closure) { return static_cast<int>(reinterpret_cast<intptr_t>(closure)); }
void* closure(int which) { return reinterpret_cast<void*>(static_cast<intptr_t>(which)); }

PyObject* get_mask(PyObject* self, void* asked) {
    return PyLong_FromUnsignedLongLong(mask_of(state(self), which(asked)));
}

int set_mask(PyObject* self, PyObject* value, void* asked) {
    Bits mask = 0;
    if (!value) return refuse_delete();
    if (!read_mask(value, mask)) return -1;
    RawBoard* raw = raw_board(state(self));
    if (!raw) return -1;
    mask_in(*raw, which(asked)) = mask;
    return 0;
}

PyObject* get_turn(PyObject* self, void*) {
    const State& board = state(self);
    return PyBool_FromLong(board.raw ? board.raw->turn : board.at.turn);
}

int set_turn(PyObject* self, PyObject* value, void*) {
    if (!value) return refuse_delete();
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "turn is a colour, not %.100s", Py_TYPE(value)->tp_name);
        return -1;
    }
    RawBoard* raw = raw_board(state(self));
    if (raw) raw->turn = PyObject_IsTrue(value) == 1;
    return raw ? 0 : -1;
}

PyObject* get_counter(PyObject* self, void* asked) {
    const State& board = state(self);
    if (board.raw) return PyLong_FromLongLong(which(asked) ? board.raw->number : board.raw->clock);
    return PyLong_FromLong(which(asked) ? board.at.number : board.at.clock);
}

int set_counter(PyObject* self, PyObject* value, void* asked) {
    constexpr long long most = 1'000'000'000'000'000;
    long long number = 0;
    if (!value) return refuse_delete();
    if (!read_int(value, which(asked) ? "fullmove_number" : "halfmove_clock", -most, most, number)) return -1;
    RawBoard* raw = raw_board(state(self));
    if (!raw) return -1;
    (which(asked) ? raw->number : raw->clock) = number;
    return 0;
}

PyObject* get_en_passant(PyObject* self, void*) {
    const State& board = state(self);
    const int square = board.raw ? board.raw->en_passant : Rules::en_passant(board.at);
    if (square < 0) Py_RETURN_NONE;
    return PyLong_FromLong(square);
}

int set_en_passant(PyObject* self, PyObject* value, void*) {
    long long square = -1;
    if (!value) return refuse_delete();
    if (value != Py_None && !read_int(value, "ep_square", 0, 63, square)) return -1;
    RawBoard* raw = raw_board(state(self));
    if (raw) raw->en_passant = static_cast<int>(square);
    return raw ? 0 : -1;
}

PyObject* get_chess960(PyObject* self, void*) { return PyBool_FromLong(state(self).chess960); }

int set_chess960(PyObject* self, PyObject* value, void*) {
    State& board = state(self);
    const int truth = value ? PyObject_IsTrue(value) : refuse_delete();
    if (truth < 0) return -1;
    if (board.chess960 == (truth == 1)) return 0;
    // Positions know how castling is written in them, so all of them are read again.
    if (!use_lists(board) || !raw_board(board)) return -1;
    board.chess960 = truth == 1;
    board.lists_invalid = false;
    return 0;
}

PyObject* get_limit(PyObject* self, void*) { return Py_NewRef(state(self).limit); }

int set_limit(PyObject* self, PyObject* value, void*) {
    State& board = state(self);
    if (!value) value = imported.limit;
    int overflow = 0;
    board.limited = PyLong_Check(value);
    board.turn_limit = board.limited ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    if (overflow) board.turn_limit = overflow > 0 ? PY_LLONG_MAX : 0;
    Py_SETREF(board.limit, Py_NewRef(value));
    return 0;
}

PyObject* get_seconds(PyObject* self, void* asked) { return Py_NewRef(state(self).seconds[which(asked)]); }

int set_seconds(PyObject* self, PyObject* value, void* asked) {
    Py_SETREF(state(self).seconds[which(asked)], Py_NewRef(value ? value : imported.seconds[which(asked)]));
    return 0;
}

PyObject* get_move_stack(PyObject* self, void*) {
    State& board = state(self);
    if (board.moves && !board.states && !list_is_unchanged(board) && !use_lists(board)) return nullptr;
    if (!board.moves) {
        Turn* turn = share(board.turn);
        PyObject* moves = move_list(turn);
        release(turn);
        if (!moves) return nullptr;
        Py_XSETREF(board.moves, moves);
    }
    return Py_NewRef(board.moves);
}

PyObject* get_stack(PyObject* self, void*) {
    State& board = state(self);
    return use_lists(board) ? Py_NewRef(board.states) : nullptr;
}

int set_list(PyObject* self, PyObject* value, void* asked) {
    State& board = state(self);
    if (!value) return refuse_delete();
    if (!PyList_Check(value)) {
        PyErr_Format(PyExc_TypeError, "a history is a list, not %.100s", Py_TYPE(value)->tp_name);
        return -1;
    }
    if (!use_lists(board)) return -1;
    board.lists_invalid = false;
    PyObject*& list = which(asked) ? board.states : board.moves;
    Py_XSETREF(list, Py_NewRef(value));
    return 0;
}

}  // namespace
}  // namespace arena::python_board
