// The attributes that python-chess keeps on a board, as descriptors over the storage.
#pragma once

#include "microchess_history.hpp"

namespace arena::microchess {
namespace {

enum Mask : int { OCCUPIED = 7, CASTLING = 8 };

template <typename Board>
auto& mask_in(Board& loose, int which) {
    return which < 7 ? loose.piece[which] : which == OCCUPIED ? loose.occupied : loose.castling;
}

Bits mask_of(const State& board, int which) {
    if (board.loose) return mask_in(*board.loose, which);
    if (which < 7) return widened(board.at.piece[which]);
    if (which == OCCUPIED) return widened(board.at.occupied());
    return (board.at.rights & 1 ? wide_rooks[0] : 0) | (board.at.rights & 2 ? wide_rooks[1] : 0);
}

Bits side_of(const State& board, int color) {
    return board.loose ? board.loose->side[color] : widened(board.at.side[color]);
}

bool mask_from(PyObject* value, Bits& mask) {
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
    if (!value) return undeletable();
    if (!mask_from(value, mask)) return -1;
    Loose* loose = loosened(state(self));
    if (!loose) return -1;
    mask_in(*loose, which(asked)) = mask;
    return 0;
}

PyObject* get_turn(PyObject* self, void*) {
    const State& board = state(self);
    return PyBool_FromLong(board.loose ? board.loose->turn : board.at.turn);
}

int set_turn(PyObject* self, PyObject* value, void*) {
    if (!value) return undeletable();
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "turn is a colour, not %.100s", Py_TYPE(value)->tp_name);
        return -1;
    }
    Loose* loose = loosened(state(self));
    if (loose) loose->turn = PyObject_IsTrue(value) == 1;
    return loose ? 0 : -1;
}

PyObject* get_counter(PyObject* self, void* asked) {
    const State& board = state(self);
    if (board.loose) return PyLong_FromLongLong(which(asked) ? board.loose->number : board.loose->clock);
    return PyLong_FromLong(which(asked) ? board.at.number : board.at.clock);
}

int set_counter(PyObject* self, PyObject* value, void* asked) {
    constexpr long long most = 1'000'000'000'000'000;
    long long number = 0;
    if (!value) return undeletable();
    if (!whole(value, which(asked) ? "fullmove_number" : "halfmove_clock", -most, most, number)) return -1;
    Loose* loose = loosened(state(self));
    if (!loose) return -1;
    (which(asked) ? loose->number : loose->clock) = number;
    return 0;
}

PyObject* get_en_passant(PyObject* self, void*) {
    const Loose* loose = state(self).loose;
    if (!loose || loose->en_passant < 0) Py_RETURN_NONE;
    return PyLong_FromLong(loose->en_passant);
}

int set_en_passant(PyObject* self, PyObject* value, void*) {
    long long square = -1;
    if (!value) return undeletable();
    if (value != Py_None && !whole(value, "ep_square", 0, 63, square)) return -1;
    Loose* loose = loosened(state(self));
    if (loose) loose->en_passant = static_cast<int>(square);
    return loose ? 0 : -1;
}

PyObject* get_chess960(PyObject* self, void*) { return PyBool_FromLong(state(self).chess960); }

int set_chess960(PyObject* self, PyObject* value, void*) {
    const int truth = value ? PyObject_IsTrue(value) : undeletable();
    if (truth >= 0) state(self).chess960 = truth;
    return truth < 0 ? -1 : 0;
}

PyObject* get_limit(PyObject* self, void*) { return Py_NewRef(state(self).limit); }

int set_limit(PyObject* self, PyObject* value, void*) {
    State& board = state(self);
    if (!value) value = known.limit;
    int overflow = 0;
    board.limited = PyLong_Check(value);
    board.turn_limit = board.limited ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    if (overflow) board.turn_limit = overflow > 0 ? PY_LLONG_MAX : 0;
    Py_SETREF(board.limit, Py_NewRef(value));
    return 0;
}

PyObject* get_seconds(PyObject* self, void* asked) { return Py_NewRef(state(self).seconds[which(asked)]); }

int set_seconds(PyObject* self, PyObject* value, void* asked) {
    Py_SETREF(state(self).seconds[which(asked)], Py_NewRef(value ? value : known.seconds[which(asked)]));
    return 0;
}

PyObject* get_move_stack(PyObject* self, void*) {
    State& board = state(self);
    if (board.moves && !board.states && !unchanged(board) && !listed(board)) return nullptr;
    if (!board.moves) {
        Turn* turn = held(board.turn);
        PyObject* moves = moves_of(turn);
        released(turn);
        if (!moves) return nullptr;
        Py_XSETREF(board.moves, moves);
    }
    return Py_NewRef(board.moves);
}

PyObject* get_stack(PyObject* self, void*) {
    State& board = state(self);
    return listed(board) ? Py_NewRef(board.states) : nullptr;
}

int set_list(PyObject* self, PyObject* value, void* asked) {
    State& board = state(self);
    if (!value) return undeletable();
    if (!PyList_Check(value)) {
        PyErr_Format(PyExc_TypeError, "a history is a list, not %.100s", Py_TYPE(value)->tp_name);
        return -1;
    }
    if (!listed(board)) return -1;
    board.listed = false;
    PyObject*& list = which(asked) ? board.states : board.moves;
    Py_XSETREF(list, Py_NewRef(value));
    return 0;
}

// `occupied_co`, which writes through to the board.

struct Sides {
    PyObject_HEAD
    PyObject* board;
};

PyObject* sides_board(PyObject* self) { return reinterpret_cast<Sides*>(self)->board; }

PyObject* both_sides(const State& board) {
    return Py_BuildValue("[KK]", static_cast<unsigned long long>(side_of(board, 0)),
                         static_cast<unsigned long long>(side_of(board, 1)));
}

PyObject* sides_list(PyObject* self) { return both_sides(state(sides_board(self))); }

PyObject* sides_item(PyObject* self, Py_ssize_t index) {
    if (index < 0 || index > 1) return PyErr_Format(PyExc_IndexError, "list index out of range");
    return PyLong_FromUnsignedLongLong(side_of(state(sides_board(self)), static_cast<int>(index)));
}

bool put_sides(State& board, PyObject* sides) {
    Bits masks[2];
    const Held both(PySequence_Fast(sides, "occupied_co is a list"));
    if (!both) return false;
    if (PySequence_Fast_GET_SIZE(both.get()) != 2) {
        PyErr_SetString(PyExc_ValueError, "occupied_co has two items, Black's squares and White's");
        return false;
    }
    for (int color = 0; color < 2; ++color)
        if (!mask_from(PySequence_Fast_GET_ITEM(both.get(), color), masks[color])) return false;
    Loose* loose = loosened(board);
    if (loose) std::memcpy(loose->side, masks, sizeof masks);
    return loose != nullptr;
}

int sides_put_item(PyObject* self, Py_ssize_t index, PyObject* value) {
    Bits mask = 0;
    if (!value) return undeletable();
    if (index < 0 || index > 1) {
        PyErr_SetString(PyExc_IndexError, "list assignment index out of range");
        return -1;
    }
    if (!mask_from(value, mask)) return -1;
    Loose* loose = loosened(state(sides_board(self)));
    if (loose) loose->side[index] = mask;
    return loose ? 0 : -1;
}

PyObject* sides_get(PyObject* self, PyObject* key) {
    if (PyBool_Check(key)) return sides_item(self, key == Py_True);
    const Held list(sides_list(self));
    return list ? PyObject_GetItem(list.get(), key) : nullptr;
}

int sides_put(PyObject* self, PyObject* key, PyObject* value) {
    if (PyBool_Check(key)) return sides_put_item(self, key == Py_True, value);
    const Held list(sides_list(self));
    if (!list || !value) return list ? undeletable() : -1;
    if (PyObject_SetItem(list.get(), key, value) < 0) return -1;
    return put_sides(state(sides_board(self)), list.get()) ? 0 : -1;
}

Py_ssize_t sides_length(PyObject*) { return 2; }

PyObject* sides_repr(PyObject* self) {
    const Held list(sides_list(self));
    return list ? PyObject_Repr(list.get()) : nullptr;
}

PyObject* sides_compared(PyObject* self, PyObject* other, int how) {
    const Held one(sides_list(self));
    const Held two(Py_TYPE(other) == &sides_type ? sides_list(other) : Py_NewRef(other));
    return one && two ? PyObject_RichCompare(one.get(), two.get(), how) : nullptr;
}

PyObject* sides_reverse(PyObject* self, PyObject*) {
    Loose* loose = loosened(state(sides_board(self)));
    if (!loose) return nullptr;
    std::swap(loose->side[0], loose->side[1]);
    Py_RETURN_NONE;
}

PyObject* sides_copy(PyObject* self, PyObject*) { return sides_list(self); }

PyObject* sides_reduce(PyObject* self, PyObject*) {
    return Py_BuildValue("(O(N))", reinterpret_cast<PyObject*>(&PyList_Type), sides_list(self));
}

int sides_traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(sides_board(self));
    return 0;
}

void sides_dealloc(PyObject* self) {
    PyObject_GC_UnTrack(self);
    Py_DECREF(sides_board(self));
    PyObject_GC_Del(self);
}

PyMethodDef sides_methods[] = {
    {"copy", sides_copy, METH_NOARGS, "The two as a list of their own."},
    {"reverse", sides_reverse, METH_NOARGS, "Swap the two sides."},
    {"__reduce__", sides_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyObject* get_sides(PyObject* self, void*) {
    Sides* sides = PyObject_GC_New(Sides, &sides_type);
    if (!sides) return nullptr;
    sides->board = Py_NewRef(self);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(sides));
    return reinterpret_cast<PyObject*>(sides);
}

int set_sides(PyObject* self, PyObject* value, void*) {
    if (!value) return undeletable();
    return put_sides(state(self), value) ? 0 : -1;
}

}  // namespace
}  // namespace arena::microchess
