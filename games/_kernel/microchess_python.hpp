// What the microchess kernel knows of Python: the specification's methods, and moves of python-chess.
#pragma once

#include "microchess_store.hpp"

namespace arena::microchess {
namespace {

using binding::Held;
using binding::whole;

PyTypeObject state_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject moves_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject walk_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject sides_type{PyVarObject_HEAD_INIT(nullptr, 0)};

// What is needed of Python, for good.
struct Known {
    PyTypeObject *specification, *live, *moves, *move, *board;
    PyObject *board_state, *ending, *margin, *new_object, *listed_moves;
    PyObject *from_square, *to_square, *promotion, *drop, *restore, *canonical, *copy;
    PyObject *limit, *seconds[2];
} known;

State& state(PyObject* self) { return *reinterpret_cast<State*>(self); }
PyObject* object(State& board) { return reinterpret_cast<PyObject*>(&board); }

// What a setter says when it is told to delete.
int undeletable() {
    PyErr_SetString(PyExc_AttributeError, "a board cannot do without this attribute");
    return -1;
}

// The answer of the specification's method of this name.
PyObject* specified(PyObject* self, const char* name, PyObject* const* args = nullptr, Py_ssize_t count = 0,
                    PyObject* keywords = nullptr) {
    const Held method(PyObject_GetAttrString(reinterpret_cast<PyObject*>(known.specification), name));
    if (!method) return nullptr;
    constexpr Py_ssize_t room = 8;
    const Py_ssize_t all = count + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
    if (all >= room) return PyErr_Format(PyExc_TypeError, "%s() takes fewer arguments", name);
    PyObject* stack[room] = {self};
    for (Py_ssize_t index = 0; index < all; ++index) stack[index + 1] = args[index];
    return PyObject_Vectorcall(method.get(), stack, static_cast<size_t>(count + 1), keywords);
}

PyObject* specified_property(PyObject* self, const char* name) {
    const Held found(PyObject_GetAttrString(reinterpret_cast<PyObject*>(known.specification), name));
    if (!found) return nullptr;
    const descrgetfunc get = Py_TYPE(found.get())->tp_descr_get;
    return get ? get(found.get(), self, reinterpret_cast<PyObject*>(Py_TYPE(self))) : Py_NewRef(found.get());
}

// Whether no class between this one and ours overrides anything that the specification asks itself.
bool overrides_nothing(PyTypeObject* type) {
    PyObject* order = type->tp_mro;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(order); ++index) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, index));
        if (base == &state_type) return true;
        const Held names(PyObject_GetAttrString(reinterpret_cast<PyObject*>(base), "__dict__"));
        const Held listed(names ? PySequence_List(names.get()) : nullptr);
        if (!listed) break;
        for (Py_ssize_t place = 0; place < PyList_GET_SIZE(listed.get()); ++place) {
            PyObject* name = PyList_GET_ITEM(listed.get(), place);
            const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
            if (text && std::strncmp(text, "__", 2) == 0) continue;
            if (!text || PyObject_HasAttr(reinterpret_cast<PyObject*>(known.specification), name)) {
                PyErr_Clear();
                return false;
            }
        }
    }
    PyErr_Clear();
    return false;
}

// The versions of types that were looked at: a type that is changed gets another one.
struct Seen {
    unsigned version = 0;
    bool plain = false;
} seen[8];

bool plain(PyTypeObject* type) {
    static unsigned place = 0;
    const unsigned version = type->tp_version_tag;
    if (version)
        for (const Seen& one : seen)
            if (one.version == version) return one.plain;
    const bool found = overrides_nothing(type);
    if (version && version == type->tp_version_tag) seen[place++ % 8] = {version, found};
    return found;
}

PyObject* shared_moves[1 << 13];

// The one `chess.Move` of this code; borrowed.
PyObject* shared(Move move) {
    PyObject*& made = shared_moves[move];
    if (!made) {
        const int start = widened_square(from(move)), end = widened_square(to(move));
        auto* type = reinterpret_cast<PyObject*>(known.move);
        made = promotion(move) ? PyObject_CallFunction(type, "iii", start, end, promotion(move))
                               : PyObject_CallFunction(type, "ii", start, end);
    }
    return made;
}

bool number_of(PyObject* move, PyObject* name, long& number) {
    const Held value(PyObject_GetAttr(move, name));
    int overflow = 1;
    if (value && PyLong_Check(value.get())) number = PyLong_AsLongAndOverflow(value.get(), &overflow);
    if (!value) PyErr_Clear();
    return !overflow;
}

bool is_none(PyObject* move, PyObject* name) {
    const Held value(PyObject_GetAttr(move, name));
    if (!value) PyErr_Clear();
    return value.get() == Py_None;
}

// The code of a `chess.Move` on this board; false for anything unusual, which the specification judges.
bool decoded(PyObject* move, Move& code) {
    if (!PyObject_TypeCheck(move, known.move)) return false;
    long start = 0, end = 0, made = NOTHING;
    if (!number_of(move, known.from_square, start) || !number_of(move, known.to_square, end)) return false;
    if ((start | end) & ~7L & ~0x38L || !(wide_board >> start & wide_board >> end & 1)) return false;
    if (!is_none(move, known.promotion) && (!number_of(move, known.promotion, made) || made < KNIGHT || made > QUEEN))
        return false;
    if (!is_none(move, known.drop)) return false;
    code = coded(narrowed_square(start), narrowed_square(end), static_cast<int>(made));
    return true;
}

// The same for a move that is to be made. It comes before every question about a board, since what a stranger's move or
// the garbage collector runs may change that board; after this there is nothing left to be made for the move.
bool understood(PyObject* move, Move& code) {
    if (!decoded(move, code)) return false;
    if (shared(code)) return true;
    PyErr_Clear();
    return false;
}

// A list of moves, most often a short one.
struct MoveList {
    int size = 0;
    static constexpr int room = 32;
    Move few[room];
    Move* many = nullptr;

    const Move* begin() const { return many ? many : few; }
    bool take(const Move* from, int count) {
        many = nullptr;
        if (count > room && !(many = static_cast<Move*>(PyMem_Malloc(sizeof(Move) * static_cast<size_t>(count))))) {
            PyErr_NoMemory();
            return false;
        }
        std::memcpy(many ? many : few, from, sizeof(Move) * static_cast<size_t>(count));
        size = count;
        return true;
    }
};

}  // namespace
}  // namespace arena::microchess
