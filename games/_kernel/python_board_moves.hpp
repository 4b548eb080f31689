// Lists of moves for Python: `legal_moves` and `generate_legal_moves()`.
#pragma once

#include "python_board_history.hpp"

namespace arena::python_board {
namespace {

struct MoveIterator {
    PyObject_HEAD
    int at;
    MoveList moves;
};

// The iterator that was freed last, kept for reuse: most iterations end before the next one begins.
MoveIterator* spare = nullptr;

PyObject* iterate(const Move* moves, int size) {
    MoveIterator* iterator = std::exchange(spare, nullptr);
    if (iterator) PyObject_Init(reinterpret_cast<PyObject*>(iterator), &iterator_type);
    else iterator = PyObject_New(MoveIterator, &iterator_type);
    if (!iterator) return nullptr;
    iterator->at = 0;
    if (!iterator->moves.take(moves, size)) {
        iterator->moves.size = 0;
        Py_DECREF(iterator);
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(iterator);
}

PyObject* iterator_next(PyObject* self) {
    MoveIterator& iterator = *reinterpret_cast<MoveIterator*>(self);
    return iterator.at < iterator.moves.size ? Py_XNewRef(move_object(iterator.moves.begin()[iterator.at++])) : nullptr;
}

PyObject* iterator_length_hint(PyObject* self, PyObject*) {
    const MoveIterator& iterator = *reinterpret_cast<MoveIterator*>(self);
    return PyLong_FromLong(iterator.moves.size - iterator.at);
}

void iterator_dealloc(PyObject* self) {
    PyMem_Free(reinterpret_cast<MoveIterator*>(self)->moves.many);
    if (spare) PyObject_Free(self);
    else spare = reinterpret_cast<MoveIterator*>(self);
}

PyMethodDef iterator_methods[] = {
    {"__length_hint__", iterator_length_hint, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// The object of `legal_moves`.
struct Moves {
    PyObject_HEAD
    PyObject *dict, *weak, *board;
    MoveList list;
};

Moves& legal(PyObject* self) { return *reinterpret_cast<Moves*>(self); }

PyObject* moves_new(PyTypeObject* type, PyObject*, PyObject*) {
    return PyErr_Format(PyExc_TypeError, "cannot create %.100s; use the attribute legal_moves of a state", type->tp_name);
}

int moves_init(PyObject*, PyObject*, PyObject*) { return 0; }

int moves_traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(legal(self).dict);
    Py_VISIT(legal(self).board);
    return 0;
}

int moves_clear(PyObject* self) {
    Py_CLEAR(legal(self).dict);
    Py_CLEAR(legal(self).board);
    return 0;
}

void moves_free(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    if (legal(self).weak) PyObject_ClearWeakRefs(self);
    moves_clear(self);
    PyMem_Free(legal(self).list.many);
    type->tp_free(self);
    Py_DECREF(type);
}

void moves_dealloc(PyObject* self) {
    PyObject_GC_UnTrack(self);
    if (!legal(self).dict && legal(self).board && Py_TYPE(legal(self).board) == imported.live) return moves_free(self);
    // An attribute can refer to another object and so on, a million times. The trashcan avoids deep recursion.
    Py_TRASHCAN_BEGIN(self, moves_dealloc)
    moves_free(self);
    Py_TRASHCAN_END
}

Py_ssize_t moves_length(PyObject* self) { return legal(self).list.size; }
int moves_bool(PyObject* self) { return legal(self).list.size != 0; }
PyObject* moves_count(PyObject* self, PyObject*) { return PyLong_FromLong(legal(self).list.size); }
PyObject* moves_iter(PyObject* self) { return iterate(legal(self).list.begin(), legal(self).list.size); }

PyObject* moves_item(PyObject* self, Py_ssize_t index) {
    const MoveList& list = legal(self).list;
    if (index < 0 || index >= list.size) return PyErr_Format(PyExc_IndexError, "list index out of range");
    return Py_XNewRef(move_object(list.begin()[index]));
}

PyObject* moves_get(PyObject* self, PyObject* key) {
    if (PyLong_Check(key)) {
        const Py_ssize_t index = PyLong_AsSsize_t(key);
        if (index == -1 && PyErr_Occurred()) PyErr_Clear();
        else return moves_item(self, index < 0 ? index + legal(self).list.size : index);
    }
    const OwnedRef list(PySequence_List(self));
    return list ? PyObject_GetItem(list.get(), key) : nullptr;
}

int moves_contains(PyObject* self, PyObject* move) {
    const Moves& moves = legal(self);
    const OwnedRef board(Py_XNewRef(moves.board));
    Move code = null_move;
    if (!PyObject_TypeCheck(move, imported.move) || !board) return 0;
    const bool simple = read_move_object(move, code);
    if (simple && !Rules::may_be_alias(code)) {
        for (int index = 0; index < moves.list.size; ++index)
            if (moves.list.begin()[index] == code) return 1;
        return 0;
    }
    const OwnedRef plain_move(PyObject_CallMethodOneArg(board.get(), imported.canonical, move));
    const OwnedRef list(plain_move ? PySequence_List(self) : nullptr);
    return list ? PySequence_Contains(list.get(), plain_move.get()) : -1;
}

PyObject* moves_get_board(PyObject* self, void*) {
    PyObject* board = legal(self).board;
    return board ? Py_NewRef(board) : PyErr_Format(PyExc_AttributeError, "board");
}

int moves_set_board(PyObject* self, PyObject* value, void*) {
    if (!value) return refuse_delete();
    Py_XSETREF(legal(self).board, Py_NewRef(value));
    return 0;
}

PyObject* moves_reduce(PyObject* self, PyObject*) {
    return Py_BuildValue("(O(O))", imported.listed_moves, legal(self).board ? legal(self).board : Py_None);
}

PyMethodDef moves_methods[] = {
    {"count", moves_count, METH_NOARGS, "The number of moves, as in python-chess."},
    {"__reduce__", moves_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef moves_attributes[] = {
    {"board", moves_get_board, moves_set_board, "The board whose moves these are.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* get_legal_moves(PyObject* self, void*) {
    State& board = state(self);
    if (!is_native(board)) return specified_property(self, "legal_moves");
    Move found[Position::max_moves];
    int size = board.at.moves(found);
    if (size && verdict_of(board, false) != Verdict::none) size = 0;
    auto* moves = PyObject_GC_New(Moves, imported.moves);
    if (!moves) return nullptr;
    moves->dict = moves->weak = nullptr;
    moves->board = Py_NewRef(self);
    moves->list.size = 0;
    const bool taken = moves->list.take(found, size);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(moves));
    if (!taken) {
        Py_DECREF(moves);
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(moves);
}

void describe_iterator() {
    PyTypeObject& type = iterator_type;
    describe_type<MoveIterator>(type, "MoveIterator", "An iterator over moves.",
        Py_TPFLAGS_DISALLOW_INSTANTIATION);
    type.tp_dealloc = iterator_dealloc;
    type.tp_iter = PyObject_SelfIter;
    type.tp_iternext = iterator_next;
    type.tp_methods = iterator_methods;
}

void describe_moves() {
    static PySequenceMethods sequence{};
    static PyMappingMethods mapping{};
    static PyNumberMethods number{};
    sequence.sq_length = moves_length;
    sequence.sq_item = moves_item;
    sequence.sq_contains = moves_contains;
    mapping.mp_subscript = moves_get;
    number.nb_bool = moves_bool;
    PyTypeObject& type = moves_type;
    describe_type<Moves>(type, "Moves", "The legal moves of a state when the attribute was read.",
        Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC);
    type.tp_new = moves_new;
    type.tp_init = moves_init;
    type.tp_dealloc = moves_dealloc;
    type.tp_traverse = moves_traverse;
    type.tp_clear = moves_clear;
    type.tp_dictoffset = offsetof(Moves, dict);
    type.tp_weaklistoffset = offsetof(Moves, weak);
    type.tp_as_sequence = &sequence;
    type.tp_as_mapping = &mapping;
    type.tp_as_number = &number;
    type.tp_iter = moves_iter;
    type.tp_methods = moves_methods;
    type.tp_getset = moves_attributes;
}

}  // namespace
}  // namespace arena::python_board
