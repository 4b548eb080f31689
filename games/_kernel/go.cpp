// The Go kernel as the Python module games._native_go.
#include "python_kernel.hpp"

#include <cmath>
#include <string>

#include "go_encoding.hpp"

namespace {

using namespace arena;
using go::Field;
using go::largest;
using go::Position;
using go::Seen;
using go::Stones;
using python::OwnedRef;

struct Binding {
    using Position = go::Position;
    enum { BOARD, STONES, TURN, KOMI, LIMIT, SUICIDE, PASSES, TURNS, SEEN, fields };  // the fields of the dataclass, and their number
    static constexpr const char* keywords[] = {"board",  "stones", "turn",  "komi", "limit",
                                               "suicide", "passes", "turns", "seen", nullptr};
    static constexpr const char* format = "OOO|$OOOOOO:GoState";
    static constexpr const char* type_name = "games.go.LiveState";
    static PyObject* names[largest][largest];  // by row from below and column: the same on boards of every size
    static PyObject* pass_name;
    static PyGetSetDef attributes[];

    static bool make_names();
    static PyObject* move_name(const Position& position, go::Move move) {
        if (move == go::pass) return Py_NewRef(pass_name);
        const Field& field = position.field;
        return Py_NewRef(names[field.rows - 1 - move / field.stride()][move % field.stride()]);
    }
    static bool set_up(PyObject* self, PyObject** values);
    static PyObject* values(PyObject* self);
    static PyObject* hash_values(PyObject* self);
    static PyObject* reduce(PyObject* self);
    static bool read_fields(PyObject* const* values, Position& position);
};
PyObject* Binding::names[largest][largest];
PyObject* Binding::pass_name;

using State = python::StateType<Binding>;

bool Binding::make_names() {
    for (int row = 0; row < largest; ++row)
        for (int column = 0; column < largest; ++column) {
            const std::string text = go::letters[static_cast<std::size_t>(column)] + std::to_string(row + 1);
            if (!python::make_name(names[row][column], text.c_str())) return false;
        }
    return python::make_name(pass_name, go::pass_text.data());
}

// Put the stones of both sides, given as a pair of numbers, on an empty board.
bool put_stones(PyObject* object, Field& field) {
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 2) {
        PyErr_SetString(PyExc_TypeError, "stones are a pair, Black's and White's");
        return false;
    }
    for (const bool of_white : {false, true}) {
        Points points;
        if (!python::read_bits(PyTuple_GET_ITEM(object, of_white), "stones", points)) return false;
        if ((points - field.open).any()) {
            PyErr_SetString(PyExc_ValueError, "each stone has a point of the board of its own");
            return false;
        }
        points.each([&](int point) { field.put(point, of_white); });
    }
    return true;
}

bool read_komi(PyObject* object, double& into) {
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

// Read the boards that may not occur again.
bool read_history(PyObject* seen, const Field& bare, go::History& history) {
    if (!PyAnySet_Check(seen)) {
        PyErr_Format(PyExc_TypeError, "seen is a set of stones, not %.100s", Py_TYPE(seen)->tp_name);
        return false;
    }
    const OwnedRef boards(PyObject_GetIter(seen));
    while (boards) {
        const OwnedRef stones(PyIter_Next(boards.get()));
        if (!stones) break;
        Field field = bare;
        if (!put_stones(stones.get(), field)) return false;
        history.add(field);
    }
    return !PyErr_Occurred();
}

// The position with these values of the fields. Values with a default may be null.
bool Binding::read_fields(PyObject* const* values, Position& position) {
    int rows = 0, columns = 0;
    if (!python::read_board_side(values[BOARD], "rows", largest, rows) ||
        !python::read_board_side(values[BOARD], "columns", largest, columns)) return false;
    Position found;
    const Field bare = found.field = Field::empty(rows, columns);
    long long limit = 0, passes = 0, turns = 0;
    if (!put_stones(values[STONES], found.field) || !python::read_color(values[TURN], found.white) ||
        !read_komi(values[KOMI], found.komi) ||
        (values[LIMIT] && !python::read_int(values[LIMIT], "limit", 0, python::most_turns, limit)) ||
        (values[SUICIDE] && !python::read_bool(values[SUICIDE], "suicide", found.suicide)) ||
        (values[PASSES] && !python::read_int(values[PASSES], "passes", 0, 2, passes)) ||
        (values[TURNS] && !python::read_int(values[TURNS], "turns", 0, python::most_turns, turns)))
        return false;
    if (found.field.without_liberty(false).any() || found.field.without_liberty(true).any()) {
        PyErr_SetString(PyExc_ValueError, "each stone has a liberty");
        return false;
    }
    found.limit = static_cast<std::uint32_t>(limit);
    found.passes = static_cast<std::int8_t>(passes);
    found.turns = static_cast<std::uint32_t>(turns);
    try {
        if (!read_history(values[SEEN], bare, found.history)) return false;
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
    position = found;
    return true;
}

bool Binding::set_up(PyObject* self, PyObject** values) {
    if (!values[KOMI] || !values[SEEN]) {
        PyErr_SetString(PyExc_TypeError, "GoState() needs komi and seen");
        return false;
    }
    Position position;
    if (!read_fields(values, position) || !State::set_turns(self, values[TURNS])) return false;
    const OwnedRef none(PyLong_FromLong(0));
    if (!values[LIMIT]) values[LIMIT] = none.get();
    if (!values[SUICIDE]) values[SUICIDE] = Py_False;
    // The specification's own slots hold these values as they were given.
    for (const int field : {BOARD, KOMI, LIMIT, SUICIDE}) {
        const OwnedRef slot(PyUnicode_InternFromString(keywords[field]));
        if (!slot || !values[field] || PyObject_GenericSetAttr(self, slot.get(), values[field]) < 0) return false;
    }
    // Checked again at the end: the calls above may have run Python code that sets this state up.
    if (!State::check_not_ready(self)) return false;
    State::position(self) = position;
    return true;
}

// The stones as the specification's class `Stones`, a pair of numbers.
PyObject* stones_object(const Stones& stones) {
    static PyObject* type = nullptr;
    if (!type) {
        const OwnedRef found(python::import_attribute("games._go", "Stones"));
        if (!found) return nullptr;
        if (!PyType_Check(found.get()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(found.get()), &PyTuple_Type))
            return PyErr_Format(PyExc_TypeError, "games._go.Stones is a pair");
        type = Py_NewRef(found.get());
    }
    const OwnedRef black(python::int_of_bits(stones.of[0]));
    const OwnedRef white(black ? python::int_of_bits(stones.of[1]) : nullptr);
    const OwnedRef args(white ? Py_BuildValue("((OO))", black.get(), white.get()) : nullptr);
    return args ? PyTuple_Type.tp_new(reinterpret_cast<PyTypeObject*>(type), args.get(), nullptr) : nullptr;
}

// Both make copies first: the garbage collector may run code that sets this state up.
PyObject* stones(PyObject* self, void*) {
    const Stones stones = State::position(self).field.stones;
    return stones_object(stones);
}

PyObject* seen(PyObject* self, void*) {
    const go::History history = State::position(self).history;
    OwnedRef found(PyFrozenSet_New(nullptr));
    bool failed = !found;
    history.each([&](const Seen& seen) {
        const OwnedRef board(failed ? nullptr : stones_object(seen.stones));
        failed = failed || !board || PySet_Add(found.get(), board.get()) < 0;
    });
    return failed ? nullptr : found.release();
}

PyObject* Binding::values(PyObject* self) { return python::get_attributes(self, keywords, fields); }
PyObject* Binding::hash_values(PyObject* self) { return python::get_attributes(self, keywords, SEEN); }

// With keyword arguments, as the specification wants them: either form can read the other's pickle.
PyObject* Binding::reduce(PyObject* self) {
    const OwnedRef partial(python::import_attribute("functools", "partial"));
    const OwnedRef values(partial ? Binding::values(self) : nullptr);
    const OwnedRef kwargs(values ? PyDict_New() : nullptr);
    const OwnedRef args(kwargs ? PyTuple_Pack(1, Py_TYPE(self)) : nullptr);
    for (int field = 0; args && keywords[field]; ++field)
        if (PyDict_SetItemString(kwargs.get(), keywords[field], PyTuple_GET_ITEM(values.get(), field)) < 0) return nullptr;
    return args ? Py_BuildValue("(N())", PyObject_Call(partial.get(), args.get(), kwargs.get())) : nullptr;
}

PyGetSetDef Binding::attributes[] = {
    {"stones", stones, nullptr, "The stones of both colours, one bit for each point of the board.", nullptr},
    {"passes", State::get_passes, nullptr, "How many passes in a row were made.", nullptr},
    {"seen", seen, nullptr, "All boards that may not occur again.", nullptr},
    {},
};

}  // namespace

PyMODINIT_FUNC PyInit__native_go() {
    return python::kernel_module<Binding>("games._native_go", "The Go kernel.");
}
