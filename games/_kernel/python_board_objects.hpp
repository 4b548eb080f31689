// The Python side of the kernels of chess and microchess: the specification's methods, and moves of python-chess.
#pragma once

#include "python_board_storage.hpp"

namespace arena::python_board {
namespace {

using python::import_attribute;
using python::OwnedRef;
using python::read_int;

PyTypeObject state_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject moves_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject iterator_type{PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject sides_type{PyVarObject_HEAD_INIT(nullptr, 0)};

// Set the name, documentation, size and flags of a type.
template <typename Object>
void describe_type(PyTypeObject& type, const char* name, const char* text, unsigned long flags) {
    static const std::string whole = std::string(Rules::module) + "." + name;
    type.tp_name = whole.c_str();
    type.tp_doc = text;
    type.tp_basicsize = sizeof(Object);
    type.tp_flags = Py_TPFLAGS_DEFAULT | flags;
}

// Python objects that are imported once and kept for ever.
struct Imported {
    PyTypeObject *specification, *live, *moves, *move, *board;
    PyObject *board_state, *ending, *margin, *new_object, *listed_moves;
    PyObject *from_square, *to_square, *promotion, *drop, *restore, *canonical, *copy;
    PyObject *limit, *seconds[2];
} imported;

State& state(PyObject* self) { return *reinterpret_cast<State*>(self); }
PyObject* object(State& board) { return reinterpret_cast<PyObject*>(&board); }

// The error of a setter that is asked to delete the attribute.
int refuse_delete() {
    PyErr_SetString(PyExc_AttributeError, "this attribute of a board cannot be deleted");
    return -1;
}

// Call the specification's method of this name.
PyObject* call_specified(PyObject* self, const char* name, PyObject* const* args = nullptr, Py_ssize_t count = 0,
                    PyObject* keywords = nullptr) {
    const OwnedRef method(PyObject_GetAttrString(reinterpret_cast<PyObject*>(imported.specification), name));
    if (!method) return nullptr;
    constexpr Py_ssize_t room = 8;
    const Py_ssize_t all = count + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
    if (all >= room) return PyErr_Format(PyExc_TypeError, "%s() takes fewer arguments", name);
    PyObject* stack[room] = {self};
    for (Py_ssize_t index = 0; index < all; ++index) stack[index + 1] = args[index];
    return PyObject_Vectorcall(method.get(), stack, static_cast<size_t>(count + 1), keywords);
}

PyObject* specified_property(PyObject* self, const char* name) {
    const OwnedRef found(PyObject_GetAttrString(reinterpret_cast<PyObject*>(imported.specification), name));
    if (!found) return nullptr;
    const descrgetfunc get = Py_TYPE(found.get())->tp_descr_get;
    return get ? get(found.get(), self, reinterpret_cast<PyObject*>(Py_TYPE(self))) : Py_NewRef(found.get());
}

// Whether no class between this one and ours overrides an attribute that the specification has.
bool find_no_overrides(PyTypeObject* type) {
    PyObject* order = type->tp_mro;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(order); ++index) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, index));
        if (base == &state_type) return true;
        const OwnedRef names(PyObject_GetAttrString(reinterpret_cast<PyObject*>(base), "__dict__"));
        const OwnedRef listed(names ? PySequence_List(names.get()) : nullptr);
        if (!listed) break;
        for (Py_ssize_t place = 0; place < PyList_GET_SIZE(listed.get()); ++place) {
            PyObject* name = PyList_GET_ITEM(listed.get(), place);
            const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
            if (text && std::strncmp(text, "__", 2) == 0) continue;
            if (!text || PyObject_HasAttr(reinterpret_cast<PyObject*>(imported.specification), name)) {
                PyErr_Clear();
                return false;
            }
        }
    }
    PyErr_Clear();
    return false;
}

// The versions of types that were examined. A type that is changed gets a new version.
struct ExaminedType {
    unsigned version = 0;
    bool overrides_nothing = false;
} examined_types[8];

bool overrides_nothing(PyTypeObject* type) {
    static unsigned place = 0;
    const unsigned version = type->tp_version_tag;
    if (version)
        for (const ExaminedType& one : examined_types)
            if (one.version == version) return one.overrides_nothing;
    const bool found = find_no_overrides(type);
    if (version && version == type->tp_version_tag) examined_types[place++ % 8] = {version, found};
    return found;
}

PyObject* move_objects[Rules::move_codes];

// The one `chess.Move` object of this move; a borrowed reference.
PyObject* move_object(Move move) {
    PyObject*& made = move_objects[move];
    if (!made) {
        const int start = Rules::from(move), end = Rules::to(move), made_ = Rules::promotion(move);
        auto* type = reinterpret_cast<PyObject*>(imported.move);
        made = made_ ? PyObject_CallFunction(type, "iii", start, end, made_) : PyObject_CallFunction(type, "ii", start, end);
    }
    return made;
}

bool number_of(PyObject* move, PyObject* name, long& number) {
    const OwnedRef value(PyObject_GetAttr(move, name));
    int overflow = 1;
    if (value && PyLong_Check(value.get())) number = PyLong_AsLongAndOverflow(value.get(), &overflow);
    if (!value) PyErr_Clear();
    return !overflow;
}

bool is_none(PyObject* move, PyObject* name) {
    const OwnedRef value(PyObject_GetAttr(move, name));
    if (!value) PyErr_Clear();
    return value.get() == Py_None;
}

// The code of a `chess.Move` on this board; false for anything unusual, which is left to the specification.
bool read_move_object(PyObject* move, Move& code) {
    if (!PyObject_TypeCheck(move, imported.move)) return false;
    long start = 0, end = 0, made = NOTHING;
    if (!number_of(move, imported.from_square, start) || !number_of(move, imported.to_square, end)) return false;
    if ((start | end) & ~7L & ~0x38L || !(Rules::board >> start & Rules::board >> end & 1)) return false;
    if (!is_none(move, imported.promotion) && (!number_of(move, imported.promotion, made) || made < KNIGHT || made > QUEEN))
        return false;
    if (!is_none(move, imported.drop)) return false;
    code = Rules::code(static_cast<int>(start), static_cast<int>(end), static_cast<int>(made));
    return true;
}

// The same for a move that will be made. Call it before reading anything from the board: reading the move may run foreign
// code that changes the board. Afterwards the move's object exists, so that making the move runs no more foreign code.
bool read_move_to_make(PyObject* move, Move& code) {
    if (!read_move_object(move, code)) return false;
    if (move_object(code)) return true;
    PyErr_Clear();
    return false;
}

// A list of moves. Short lists need no memory of their own.
struct MoveList {
    int size = 0;
    static constexpr int room = 40;
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
}  // namespace arena::python_board
