// The attribute `occupied_co` of a board: the squares of Black and of White. Writing to it writes to the board.
#pragma once

#include "python_board_attributes.hpp"

namespace arena::python_board {
namespace {

// The object of `occupied_co`: a list of two items that are those of its board.
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

bool set_both_sides(State& board, PyObject* sides) {
    Bits masks[2];
    const OwnedRef both(PySequence_Fast(sides, "occupied_co is a list"));
    if (!both) return false;
    if (PySequence_Fast_GET_SIZE(both.get()) != 2) {
        PyErr_SetString(PyExc_ValueError, "occupied_co has two items, Black's squares and White's");
        return false;
    }
    for (int color = 0; color < 2; ++color)
        if (!read_mask(PySequence_Fast_GET_ITEM(both.get(), color), masks[color])) return false;
    RawBoard* raw = raw_board(board);
    if (raw) std::memcpy(raw->side, masks, sizeof masks);
    return raw != nullptr;
}

int sides_set_item(PyObject* self, Py_ssize_t index, PyObject* value) {
    Bits mask = 0;
    if (!value) return refuse_delete();
    if (index < 0 || index > 1) {
        PyErr_SetString(PyExc_IndexError, "list assignment index out of range");
        return -1;
    }
    if (!read_mask(value, mask)) return -1;
    RawBoard* raw = raw_board(state(sides_board(self)));
    if (raw) raw->side[index] = mask;
    return raw ? 0 : -1;
}

PyObject* sides_get(PyObject* self, PyObject* key) {
    if (PyBool_Check(key)) return sides_item(self, key == Py_True);
    const OwnedRef list(sides_list(self));
    return list ? PyObject_GetItem(list.get(), key) : nullptr;
}

int sides_set(PyObject* self, PyObject* key, PyObject* value) {
    if (PyBool_Check(key)) return sides_set_item(self, key == Py_True, value);
    const OwnedRef list(sides_list(self));
    if (!list || !value) return list ? refuse_delete() : -1;
    if (PyObject_SetItem(list.get(), key, value) < 0) return -1;
    return set_both_sides(state(sides_board(self)), list.get()) ? 0 : -1;
}

Py_ssize_t sides_length(PyObject*) { return 2; }

PyObject* sides_repr(PyObject* self) {
    const OwnedRef list(sides_list(self));
    return list ? PyObject_Repr(list.get()) : nullptr;
}

PyObject* sides_compare(PyObject* self, PyObject* other, int how) {
    const OwnedRef one(sides_list(self));
    const OwnedRef two(Py_TYPE(other) == &sides_type ? sides_list(other) : Py_NewRef(other));
    return one && two ? PyObject_RichCompare(one.get(), two.get(), how) : nullptr;
}

PyObject* sides_reverse(PyObject* self, PyObject*) {
    RawBoard* raw = raw_board(state(sides_board(self)));
    if (!raw) return nullptr;
    std::swap(raw->side[0], raw->side[1]);
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
    {"copy", sides_copy, METH_NOARGS, "A copy as a list."},
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
    if (!value) return refuse_delete();
    return set_both_sides(state(self), value) ? 0 : -1;
}

void describe_sides() {
    static PySequenceMethods sequence{};
    static PyMappingMethods mapping{};
    sequence.sq_length = sides_length;
    sequence.sq_item = sides_item;
    sequence.sq_ass_item = sides_set_item;
    mapping.mp_length = sides_length;
    mapping.mp_subscript = sides_get;
    mapping.mp_ass_subscript = sides_set;
    PyTypeObject& type = sides_type;
    describe_type<Sides>(type, "Sides", "The squares of Black and of White; writing here writes to the board.",
        Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION);
    type.tp_dealloc = sides_dealloc;
    type.tp_traverse = sides_traverse;
    type.tp_as_sequence = &sequence;
    type.tp_as_mapping = &mapping;
    type.tp_repr = sides_repr;
    type.tp_richcompare = sides_compare;
    type.tp_hash = PyObject_HashNotImplemented;
    type.tp_methods = sides_methods;
}

}  // namespace
}  // namespace arena::python_board
