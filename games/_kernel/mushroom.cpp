// The Mushroom kernel as the Python module games._native_mushroom.
#include "python_kernel.hpp"

#include <string>

#include "mushroom_encoding.hpp"

namespace {

using namespace arena;
using mushroom::largest;
using mushroom::Move;
using mushroom::Position;

struct Binding {
    using Position = mushroom::Position;
    enum { ROWS, TURN, PASSES, TURNS, fields };  // the fields of the dataclass, and their number
    static constexpr const char* keywords[] = {"rows", "turn", "passes", "turns", nullptr};
    static constexpr const char* format = "OO|OO:MushroomState";
    static constexpr const char* type_name = "games.mushroom.LiveState";
    static PyGetSetDef attributes[];

    static bool make_names();
    static PyObject* move_name(const Position&, Move move);
    static bool set_up(PyObject* self, PyObject** values);
    static PyObject* values(PyObject* self);
    static bool read_fields(PyObject* const* values, Position& position);
};
using State = python::StateType<Binding>;

// The texts of rectangles, by the pair of their rows and the pair of their columns. Each is made when it is first needed
// and kept for ever.
constexpr std::size_t pairs = largest * (largest + 1) / 2;
PyObject* rectangle_names[pairs * pairs];
PyObject* pass_name;

bool Binding::make_names() { return python::make_name(pass_name, mushroom::pass_text.data()); }

PyObject* Binding::move_name(const Position&, Move move) {
    if (move == mushroom::pass) return Py_NewRef(pass_name);
    const auto [top, left, bottom, right] = mushroom::Rectangle::of(move);
    const auto pair = [](int low, int high) { return static_cast<std::size_t>(high * (high + 1) / 2 + low); };
    PyObject*& name = rectangle_names[pair(top, bottom) * pairs + pair(left, right)];
    if (!name) {
        const std::string text = mushroom::move_text(move);
        name = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
    return Py_XNewRef(name);
}

// Copy a row of cells. The first row sets the number of columns.
bool read_row(PyObject* object, int row, Position& position) {
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a row is text, not %.100s", Py_TYPE(object)->tp_name);
        return false;
    }
    const Py_ssize_t length = PyUnicode_GET_LENGTH(object);
    if (row == 0 && length <= largest) position.columns = static_cast<std::int8_t>(length);
    bool valid = length > 0 && length == position.columns && PyUnicode_IS_ASCII(object);
    for (Py_ssize_t column = 0; valid && column < length; ++column) {
        const auto cell = static_cast<char>(PyUnicode_READ_CHAR(object, column));
        valid = Position::is_cell(cell);
        position.at(row, static_cast<int>(column)) = cell;
    }
    if (!valid) PyErr_Format(PyExc_ValueError, "the rows are 1 to %d cells 123456789AB each, all as many", largest);
    return valid;
}

bool Binding::read_fields(PyObject* const* values, Position& position) {
    PyObject* rows = values[ROWS];
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
        if (!read_row(PyTuple_GET_ITEM(rows, row), row, found)) return false;
    long long number = 0;
    if (!python::read_color(values[TURN], found.white) ||
        (values[PASSES] && !python::read_int(values[PASSES], "passes", 0, 2, number)))
        return false;
    found.passes = static_cast<std::int8_t>(number);
    found.count_cells();
    position = found;
    return true;
}

bool Binding::set_up(PyObject* self, PyObject** values) {
    return read_fields(values, State::position(self)) && State::set_turns(self, values[TURNS]);
}

PyObject* rows(PyObject* self, void*) {
    // A copy: the garbage collector may run code that sets this state up.
    const Position position = State::position(self);
    python::OwnedRef found(PyTuple_New(position.rows));
    for (int row = 0; found && row < position.rows; ++row) {
        PyObject* cells = PyUnicode_FromStringAndSize(position.cells + row * position.columns, position.columns);
        if (!cells) return nullptr;
        PyTuple_SET_ITEM(found.get(), row, cells);
    }
    return found.release();
}

PyObject* Binding::values(PyObject* self) {
    const Position& position = State::position(self);
    PyObject* cells = rows(self, nullptr);
    if (!cells) return nullptr;
    return Py_BuildValue(
        "(NOiI)", cells, position.white ? Py_True : Py_False, static_cast<int>(position.passes), State::object(self).turns);
}

PyGetSetDef Binding::attributes[] = {
    {"rows", rows, nullptr, "Rows of digits and owners, from the top.", nullptr},
    {"passes", State::get_passes, nullptr, "How many passes in a row were made.", nullptr},
    {},
};

}  // namespace

PyMODINIT_FUNC PyInit__native_mushroom() {
    return python::kernel_module<Binding>("games._native_mushroom", "The Mushroom kernel.");
}
