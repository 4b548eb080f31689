// Moves as Python walks over them: `legal_moves` and `generate_legal_moves()`.
#pragma once

#include "microchess_history.hpp"

namespace arena::microchess {
namespace {

struct Walk {
    PyObject_HEAD
    int at;
    MoveList moves;
};

// The last one that was given back: most walks are over before the next begins.
Walk* spare = nullptr;

PyObject* walk_over(const Move* moves, int size) {
    Walk* walk = std::exchange(spare, nullptr);
    if (walk) PyObject_Init(reinterpret_cast<PyObject*>(walk), &walk_type);
    else walk = PyObject_New(Walk, &walk_type);
    if (!walk) return nullptr;
    walk->at = 0;
    if (!walk->moves.take(moves, size)) {
        walk->moves.size = 0;
        Py_DECREF(walk);
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(walk);
}

PyObject* walk_next(PyObject* self) {
    Walk& walk = *reinterpret_cast<Walk*>(self);
    return walk.at < walk.moves.size ? Py_XNewRef(shared(walk.moves.begin()[walk.at++])) : nullptr;
}

PyObject* walk_left(PyObject* self, PyObject*) {
    const Walk& walk = *reinterpret_cast<Walk*>(self);
    return PyLong_FromLong(walk.moves.size - walk.at);
}

void walk_dealloc(PyObject* self) {
    PyMem_Free(reinterpret_cast<Walk*>(self)->moves.many);
    if (spare) PyObject_Free(self);
    else spare = reinterpret_cast<Walk*>(self);
}

PyMethodDef walk_methods[] = {
    {"__length_hint__", walk_left, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// `legal_moves`.

struct Moves {
    PyObject_HEAD
    PyObject *dict, *weak, *board;
    MoveList list;
};

Moves& legal(PyObject* self) { return *reinterpret_cast<Moves*>(self); }

PyObject* moves_new(PyTypeObject* type, PyObject*, PyObject*) {
    return PyErr_Format(PyExc_TypeError, "%.100s are asked of a state", type->tp_name);
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
    if (!legal(self).dict && legal(self).board && Py_TYPE(legal(self).board) == known.live) return moves_free(self);
    // Something else was put there, which can lead to other things and so on, a million times: not by recursion.
    Py_TRASHCAN_BEGIN(self, moves_dealloc)
    moves_free(self);
    Py_TRASHCAN_END
}

Py_ssize_t moves_length(PyObject* self) { return legal(self).list.size; }
int moves_bool(PyObject* self) { return legal(self).list.size != 0; }
PyObject* moves_count(PyObject* self, PyObject*) { return PyLong_FromLong(legal(self).list.size); }
PyObject* moves_iter(PyObject* self) { return walk_over(legal(self).list.begin(), legal(self).list.size); }

PyObject* moves_item(PyObject* self, Py_ssize_t index) {
    const MoveList& list = legal(self).list;
    if (index < 0 || index >= list.size) return PyErr_Format(PyExc_IndexError, "list index out of range");
    return Py_XNewRef(shared(list.begin()[index]));
}

PyObject* moves_get(PyObject* self, PyObject* key) {
    if (PyLong_Check(key)) {
        const Py_ssize_t index = PyLong_AsSsize_t(key);
        if (index == -1 && PyErr_Occurred()) PyErr_Clear();
        else return moves_item(self, index < 0 ? index + legal(self).list.size : index);
    }
    const Held list(PySequence_List(self));
    return list ? PyObject_GetItem(list.get(), key) : nullptr;
}

int moves_contains(PyObject* self, PyObject* move) {
    const Moves& moves = legal(self);
    const Held board(Py_XNewRef(moves.board));
    Move code = null_move;
    if (!PyObject_TypeCheck(move, known.move) || !board) return 0;
    const bool simple = decoded(move, code);
    const auto is_alias = [code](const Castling& castling) {
        return code == coded(castling.king, castling.rook);
    };
    if (simple && !is_alias(castlings[0]) && !is_alias(castlings[1])) {
        for (int index = 0; index < moves.list.size; ++index)
            if (moves.list.begin()[index] == code) return 1;
        return 0;
    }
    const Held plain_move(PyObject_CallMethodOneArg(board.get(), known.canonical, move));
    const Held list(plain_move ? PySequence_List(self) : nullptr);
    return list ? PySequence_Contains(list.get(), plain_move.get()) : -1;
}

PyObject* moves_get_board(PyObject* self, void*) {
    PyObject* board = legal(self).board;
    return board ? Py_NewRef(board) : PyErr_Format(PyExc_AttributeError, "board");
}

int moves_set_board(PyObject* self, PyObject* value, void*) {
    if (!value) return undeletable();
    Py_XSETREF(legal(self).board, Py_NewRef(value));
    return 0;
}

PyObject* moves_reduce(PyObject* self, PyObject*) {
    return Py_BuildValue("(O(O))", known.listed_moves, legal(self).board ? legal(self).board : Py_None);
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
    if (!native(board)) return specified_property(self, "legal_moves");
    Move found[most_moves];
    int size = board.at.moves(found);
    if (size && ended(board, false) != Verdict::none) size = 0;
    auto* moves = PyObject_GC_New(Moves, known.moves);
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

}  // namespace
}  // namespace arena::microchess
