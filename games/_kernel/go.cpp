// The Go kernel as the Python module games._native_go.
#include "binding.hpp"

#include <cmath>
#include <new>
#include <string>

#include "go.hpp"

namespace {

using namespace arena;
using go::Field;
using go::largest;
using go::Points;
using go::Position;
using go::Seen;
using go::Stones;

// A1, …, by row from below and column, the same on boards of every size; made once, kept for ever.
PyObject* names[largest][largest];
PyObject* pass_name;

struct Rules {
    using Position = go::Position;
    static constexpr std::size_t fields = 8;
    static constexpr const char* name = "games.go.LiveState";
    static PyMethodDef methods[];
    static PyGetSetDef properties[];

    static bool set_up(PyObject* self, PyObject* args, PyObject* kwargs);
    static PyObject* values(PyObject* self);
    static PyObject* hashed(PyObject* self);
    static bool read(PyObject* object, Position& position);
    static std::string written(const Position& position) { return go::written(position); }
    static bool same(const Position& one, const Position& other);
};
using Live = binding::Value<Rules>;
using Offered = binding::Offered<Rules>;

// The fields of the dataclass, in order.
enum { BOARD, STONES, TURN, KOMI, LIMIT, PASSES, TURNS, SEEN };
const char* keywords[] = {"board", "stones", "turn", "komi", "limit", "passes", "turns", "seen", nullptr};

bool side(PyObject* board, const char* name, int& into) {
    const binding::Held length(PyObject_GetAttrString(board, name));
    long long number = 0;
    if (!length || !binding::whole(length.get(), name, 1, largest, number)) return false;
    into = static_cast<int>(number);
    return true;
}

// Put the stones of both sides, a pair of numbers, on an empty board; each must find its point empty.
bool put(PyObject* object, Field& field) {
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 2) {
        PyErr_SetString(PyExc_TypeError, "stones are a pair, Black's and White's");
        return false;
    }
    for (const bool of_white : {false, true}) {
        Points points;
        if (!binding::bits(PyTuple_GET_ITEM(object, of_white), "stones", points)) return false;
        if (!go::empty(go::without(points, field.open))) {
            PyErr_SetString(PyExc_ValueError, "each stone has a point of the board of its own");
            return false;
        }
        points.each([&](int point) { field.put(point, of_white); });
    }
    return true;
}

bool number(PyObject* object, double& into) {
    if (!PyLong_Check(object) && !PyFloat_Check(object)) {
        PyErr_Format(PyExc_TypeError, "komi is a number, not %.100s", Py_TYPE(object)->tp_name);
        return false;
    }
    into = PyFloat_AsDouble(object);
    if (into == -1 && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    if (PyErr_Occurred() || !(std::fabs(into) <= 1'000'000)) {
        PyErr_SetString(PyExc_ValueError, "komi is a number from -1000000 to 1000000");
        return false;
    }
    return true;
}

// Read the boards that may not come again.
bool remember(PyObject* seen, const Field& bare, go::Past& past) {
    if (!PyAnySet_Check(seen)) {
        PyErr_Format(PyExc_TypeError, "seen is a set of stones, not %.100s", Py_TYPE(seen)->tp_name);
        return false;
    }
    const binding::Held boards(PyObject_GetIter(seen));
    while (boards) {
        const binding::Held stones(PyIter_Next(boards.get()));
        if (!stones) break;
        Field field = bare;
        if (!put(stones.get(), field)) return false;
        past.add(field);
    }
    return !PyErr_Occurred();
}

// The position with these values of the fields; those that have a default may be missing.
bool placed(PyObject* const* values, Position& position) {
    int rows = 0, columns = 0;
    if (!side(values[BOARD], "rows", rows) || !side(values[BOARD], "columns", columns)) return false;
    Position found;
    const Field bare = found.field = Field::empty(rows, columns);
    long long limit = 0, passes = 0, turns = 0;
    if (!put(values[STONES], found.field) || !binding::color(values[TURN], found.white) ||
        !number(values[KOMI], found.komi) ||
        (values[LIMIT] && !binding::whole(values[LIMIT], "limit", 0, binding::most_turns, limit)) ||
        (values[PASSES] && !binding::whole(values[PASSES], "passes", 0, 2, passes)) ||
        (values[TURNS] && !binding::whole(values[TURNS], "turns", 0, binding::most_turns, turns)))
        return false;
    if (!go::empty(found.field.without_liberty(false)) || !go::empty(found.field.without_liberty(true))) {
        PyErr_SetString(PyExc_ValueError, "each stone has a liberty");
        return false;
    }
    found.limit = static_cast<std::uint32_t>(limit);
    found.passes = static_cast<std::int8_t>(passes);
    found.turns = static_cast<std::uint32_t>(turns);
    try {
        if (!remember(values[SEEN], bare, found.past)) return false;
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
    position = found;
    return true;
}

bool Rules::set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
    PyObject* values[fields] = {};
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OOO|$OOOOO:GoState", const_cast<char**>(keywords), &values[BOARD], &values[STONES],
            &values[TURN], &values[KOMI], &values[LIMIT], &values[PASSES], &values[TURNS], &values[SEEN]))
        return false;
    if (!values[KOMI] || !values[SEEN]) {
        PyErr_SetString(PyExc_TypeError, "GoState() needs komi and seen");
        return false;
    }
    Position position;
    if (!placed(values, position) || !Live::set_turns(self, values[TURNS])) return false;
    const binding::Held none(PyLong_FromLong(0));
    if (!values[LIMIT]) values[LIMIT] = none.get();
    // These the specification's own slots hold, as they were given.
    for (const int field : {BOARD, KOMI, LIMIT}) {
        const binding::Held slot(PyUnicode_InternFromString(keywords[field]));
        if (!slot || !values[field] || PyObject_GenericSetAttr(self, slot.get(), values[field]) < 0) return false;
    }
    // Last, and once: foreign code ran until here.
    if (Live::state(self).ready) {
        PyErr_SetString(PyExc_TypeError, "a state is set up once");
        return false;
    }
    Live::state(self).position = position;
    return true;
}

// The first so many fields.
PyObject* fields_of(PyObject* self, Py_ssize_t number) {
    binding::Held values(PyTuple_New(number));
    for (Py_ssize_t field = 0; values && field < number; ++field) {
        PyObject* value = PyObject_GetAttrString(self, keywords[field]);
        if (!value) return nullptr;
        PyTuple_SET_ITEM(values.get(), field, value);
    }
    return values.given();
}

bool Rules::read(PyObject* object, Position& position) {
    const binding::Held values(fields_of(object, fields));
    return values && placed(&PyTuple_GET_ITEM(values.get(), 0), position);
}

// The pair of numbers that the specification calls `Stones`.
PyObject* pair(const Stones& stones) {
    static PyObject* type = nullptr;
    if (!type) {
        const binding::Held module(PyImport_ImportModule("games._go"));
        const binding::Held found(module ? PyObject_GetAttrString(module.get(), "Stones") : nullptr);
        if (!found) return nullptr;
        if (!PyType_Check(found.get()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(found.get()), &PyTuple_Type))
            return PyErr_Format(PyExc_TypeError, "games._go.Stones is a pair");
        type = Py_NewRef(found.get());
    }
    const binding::Held black(binding::number(stones.of[0]));
    const binding::Held white(black ? binding::number(stones.of[1]) : nullptr);
    const binding::Held args(white ? Py_BuildValue("((OO))", black.get(), white.get()) : nullptr);
    return args ? PyTuple_Type.tp_new(reinterpret_cast<PyTypeObject*>(type), args.get(), nullptr) : nullptr;
}

PyObject* stones(PyObject* self, void*) {
    const Stones stones = Live::state(self).position.field.stones;
    return pair(stones);
}
PyObject* passes(PyObject* self, void*) { return PyLong_FromLong(Live::state(self).position.passes); }

PyObject* seen(PyObject* self, void*) {
    const go::Past past = Live::state(self).position.past;
    binding::Held found(PyFrozenSet_New(nullptr));
    bool failed = !found;
    past.each([&](const Seen& seen) {
        const binding::Held board(failed ? nullptr : pair(seen.stones));
        failed = failed || !board || PySet_Add(found.get(), board.get()) < 0;
    });
    return failed ? nullptr : found.given();
}

bool Rules::same(const Position& one, const Position& other) {
    try {
        return one == other;
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
}

PyObject* Rules::values(PyObject* self) { return fields_of(self, fields); }
PyObject* Rules::hashed(PyObject* self) { return fields_of(self, SEEN); }

// By keyword, as the specification wants it: a pickle is read by either form.
PyObject* reduced(PyObject* self, PyObject*) {
    const binding::Held module(PyImport_ImportModule("functools"));
    const binding::Held partial(module ? PyObject_GetAttrString(module.get(), "partial") : nullptr);
    const binding::Held values(partial ? Rules::values(self) : nullptr);
    const binding::Held kwargs(values ? PyDict_New() : nullptr);
    const binding::Held args(kwargs ? PyTuple_Pack(1, Py_TYPE(self)) : nullptr);
    for (int field = 0; args && keywords[field]; ++field)
        if (PyDict_SetItemString(kwargs.get(), keywords[field], PyTuple_GET_ITEM(values.get(), field)) < 0) return nullptr;
    return args ? Py_BuildValue("(N())", PyObject_Call(partial.get(), args.get(), kwargs.get())) : nullptr;
}

PyObject* name_of(const Field& field, int point) {
    return Py_NewRef(names[field.rows - 1 - point / field.stride()][point % field.stride()]);
}

PyObject* legal_moves(PyObject* self, void*) {
    if (!Live::plain(self)) return Live::specified(self, "legal_moves");
    const Position& position = Live::state(self).position;
    if (position.over()) return PyTuple_New(0);
    const Points points = position.points();
    PyObject* moves = PyTuple_New(points.size() + 1);
    if (!moves) return nullptr;
    Py_ssize_t index = 0;
    points.each([&](int point) { PyTuple_SET_ITEM(moves, index++, name_of(position.field, point)); });
    PyTuple_SET_ITEM(moves, index, Py_NewRef(pass_name));
    return moves;
}

PyObject* forward(PyObject* self, PyObject* object) {
    try {
        return Live::forward(self, object);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyObject* parse(PyObject* self, PyObject* object) {
    const auto move = Live::move_named(self, object);
    if (!move) return Live::called(self, "parse", object);
    return *move == go::pass ? Py_NewRef(pass_name) : name_of(Live::state(self).position.field, *move);
}

PyObject* perft(PyObject* module, PyObject* args) {
    try {
        return binding::perft<Rules>(module, args);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyMethodDef Rules::methods[] = {
    {"forward", forward, METH_O, "The state after a legal move; `IllegalMove` for anything else."},
    {"is_game_over", Live::is_game_over, METH_NOARGS, "Whether there is an ending."},
    {"parse", parse, METH_O, "The legal move written `text`, lower case allowed; `IllegalMove` if there is none."},
    {"__setattr__", Live::refused, METH_VARARGS, nullptr},
    {"__delattr__", Live::refused, METH_VARARGS, nullptr},
    {"__reduce__", reduced, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef Rules::properties[] = {
    {"stones", stones, nullptr, "The stones of both colours, one bit a point of the board.", nullptr},
    {"turn", Live::turn, nullptr, "Whose move it is.", nullptr},
    {"passes", passes, nullptr, "How many passes in a row were made.", nullptr},
    {"turns", Live::turns, nullptr, "Moves made since the start.", nullptr},
    {"seen", seen, nullptr, "All boards that may not come again.", nullptr},
    {"legal_moves", legal_moves, nullptr, "The points that may be taken, row by row from the top left, then `pass`.",
     nullptr},
    {"ending", Live::ending, nullptr, "The verdict after two passes in a row, or at the turn limit.", nullptr},
    {"text", Live::text, nullptr, "Rows of `.XO`, whose move it is, and how many passes in a row were made.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef functions[] = {
    Offered::derived,
    {"key", binding::key<Rules>, METH_O, "key(state) -> 64 bits that tell positions apart, whatever came before them"},
    {"perft", perft, METH_VARARGS, "perft(state, depth) -> how many sequences of turns there are"},
    Offered::playouts,
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "games._native_go", "The Go kernel.", -1, functions, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native_go() {
    for (int row = 0; row < largest; ++row)
        for (int column = 0; column < largest; ++column) {
            PyObject*& name = names[row][column];
            if (!name) name = PyUnicode_FromFormat("%c%d", go::letters[static_cast<std::size_t>(column)], row + 1);
            if (!name) return nullptr;
            PyUnicode_InternInPlace(&name);
        }
    if (!pass_name) pass_name = PyUnicode_InternFromString(go::passing.data());
    return pass_name ? PyModule_Create(&module) : nullptr;
}
