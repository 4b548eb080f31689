// The Mushroom kernel as the Python module games._native_mushroom.
#include "binding.hpp"

#include <new>
#include <string>
#include <vector>

#include "mushroom.hpp"

namespace {

using namespace arena;
using mushroom::largest;
using mushroom::Move;
using mushroom::Position;
using mushroom::Rectangle;

constexpr std::size_t pairs = largest * (largest + 1) / 2;

// Of rectangles, by the pair of their rows and that of their columns: made when first needed, kept for ever.
PyObject* names[pairs * pairs];
PyObject* passing_name;

struct Rules {
    using Position = mushroom::Position;
    static constexpr std::size_t fields = 4;
    static constexpr const char* name = "games.mushroom.LiveState";
    static PyMethodDef methods[];
    static PyGetSetDef properties[];

    static bool set_up(PyObject* self, PyObject* args, PyObject* kwargs);
    static PyObject* values(PyObject* self);
    static bool read(PyObject* object, Position& position);
    static std::string written(const Position& position) { return mushroom::written(position); }
    static bool same(const Position& one, const Position& other) { return one == other; }
};
using Live = binding::Value<Rules>;
using Offered = binding::Offered<Rules>;

bool is_cell(char cell) { return (cell >= '1' && cell <= '9') || cell == 'A' || cell == 'B'; }

// Copy a row of cells; the first one says how many columns there are.
bool row_of(PyObject* object, int row, Position& position) {
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a row is text, not %.100s", Py_TYPE(object)->tp_name);
        return false;
    }
    const Py_ssize_t length = PyUnicode_GET_LENGTH(object);
    if (row == 0 && length <= largest) position.columns = static_cast<std::int8_t>(length);
    bool sound = length > 0 && length == position.columns && PyUnicode_IS_ASCII(object);
    for (Py_ssize_t column = 0; sound && column < length; ++column) {
        const auto cell = static_cast<char>(PyUnicode_READ_CHAR(object, column));
        sound = is_cell(cell);
        position.at(row, static_cast<int>(column)) = cell;
    }
    if (!sound) PyErr_Format(PyExc_ValueError, "the rows are 1 to %d cells 123456789AB each, all as many", largest);
    return sound;
}

bool placed(PyObject* rows, PyObject* turn, PyObject* passes, Position& position) {
    if (!PyTuple_Check(rows)) {
        PyErr_Format(PyExc_TypeError, "rows is a tuple, not %.100s", Py_TYPE(rows)->tp_name);
        return false;
    }
    const Py_ssize_t height = PyTuple_GET_SIZE(rows);
    if (height < 1 || height > largest) {
        PyErr_Format(PyExc_ValueError, "there are 1 to %d rows", largest);
        return false;
    }
    Position found;
    found.rows = static_cast<std::int8_t>(height);
    for (int row = 0; row < found.rows; ++row)
        if (!row_of(PyTuple_GET_ITEM(rows, row), row, found)) return false;
    long long number = 0;
    if (!binding::color(turn, found.white) || (passes && !binding::whole(passes, "passes", 0, 2, number))) return false;
    found.passes = static_cast<std::int8_t>(number);
    found.take_stock();
    position = found;
    return true;
}

bool Rules::set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"rows", "turn", "passes", "turns", nullptr};
    PyObject *rows, *turn, *passes = nullptr, *turns = nullptr;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OO|OO:MushroomState", const_cast<char**>(keywords), &rows, &turn, &passes, &turns))
        return false;
    return placed(rows, turn, passes, Live::state(self).position) && Live::set_turns(self, turns);
}

bool Rules::read(PyObject* object, Position& position) {
    const binding::Held rows(PyObject_GetAttrString(object, "rows"));
    const binding::Held turn(rows ? PyObject_GetAttrString(object, "turn") : nullptr);
    const binding::Held passes(turn ? PyObject_GetAttrString(object, "passes") : nullptr);
    return passes && placed(rows.get(), turn.get(), passes.get(), position);
}

PyObject* rows(PyObject* self, void*) {
    const Position position = Live::state(self).position;
    binding::Held found(PyTuple_New(position.rows));
    for (int row = 0; found && row < position.rows; ++row) {
        PyObject* cells = PyUnicode_FromStringAndSize(position.cells + row * position.columns, position.columns);
        if (!cells) return nullptr;
        PyTuple_SET_ITEM(found.get(), row, cells);
    }
    return found.given();
}

PyObject* passes(PyObject* self, void*) { return PyLong_FromLong(Live::state(self).position.passes); }

PyObject* Rules::values(PyObject* self) {
    const Position& position = Live::state(self).position;
    PyObject* cells = rows(self, nullptr);
    if (!cells) return nullptr;
    return Py_BuildValue(
        "(NOiI)", cells, position.white ? Py_True : Py_False, static_cast<int>(position.passes), Live::state(self).turns);
}

// A new reference; null with an exception set if there is no memory.
PyObject* name_of(Move move) {
    if (move == mushroom::pass) return Py_NewRef(passing_name);
    const Rectangle taken = Rectangle::of(move);
    const auto pair = [](int low, int high) { return static_cast<std::size_t>(high * (high + 1) / 2 + low); };
    PyObject*& name = names[pair(taken.top, taken.bottom) * pairs + pair(taken.left, taken.right)];
    if (!name) {
        const std::string text = mushroom::written(move);
        name = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
    return Py_XNewRef(name);
}

PyObject* named(const std::vector<Move>& moves) {
    binding::Held names(PyTuple_New(static_cast<Py_ssize_t>(moves.size())));
    for (std::size_t index = 0; names && index < moves.size(); ++index) {
        PyObject* name = name_of(moves[index]);
        if (!name) return nullptr;
        PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(index), name);
    }
    return names.given();
}

PyObject* legal_moves(PyObject* self, void*) {
    if (!Live::plain(self)) return Live::specified(self, "legal_moves");
    const Position& position = Live::state(self).position;
    if (position.over()) return PyTuple_New(0);
    try {
        std::vector<Move> moves(mushroom::most_moves(position));
        moves.resize(static_cast<std::size_t>(mushroom::rectangles(position, moves.data())));
        moves.push_back(mushroom::pass);
        return named(moves);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

PyObject* parse(PyObject* self, PyObject* object) {
    const auto move = Live::move_named(self, object);
    return move ? name_of(*move) : Live::called(self, "parse", object);
}

PyMethodDef Rules::methods[] = {
    Offered::forward,
    {"is_game_over", Live::is_game_over, METH_NOARGS, "Whether both sides passed."},
    {"parse", parse, METH_O, "The legal move written `text`; `IllegalMove` if there is none."},
    Offered::set,
    Offered::remove,
    Offered::reduce,
    Offered::end,
};

PyGetSetDef Rules::properties[] = {
    {"rows", rows, nullptr, "Rows of digits and owners, from the top.", nullptr},
    {"turn", Live::turn, nullptr, "Whose move it is.", nullptr},
    {"passes", passes, nullptr, "How many passes in a row were made.", nullptr},
    {"turns", Live::turns, nullptr, "Moves made since the start.", nullptr},
    {"legal_moves", legal_moves, nullptr, "The rectangles in the order of their numbers, then the pass.", nullptr},
    {"ending", Live::ending, nullptr, "The verdict after two passes in a row.", nullptr},
    {"text", Live::text, nullptr, "Rows, whose move it is, and how many passes in a row were made.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef functions[] = {
    Offered::derived,
    Offered::key,
    Offered::perft,
    Offered::playouts,
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "games._native_mushroom", "The Mushroom kernel.", -1, functions, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native_mushroom() {
    if (!passing_name) passing_name = PyUnicode_InternFromString(mushroom::passing.data());
    return passing_name ? PyModule_Create(&module) : nullptr;
}
