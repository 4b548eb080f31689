// The Gomoku kernel as the Python module games._native_gomoku.
#include "python_kernel.hpp"

#include "gomoku_encoding.hpp"

namespace {

using namespace arena;
using gomoku::largest;
using gomoku::Position;
using python::OwnedRef;

struct Binding {
    using Position = gomoku::Position;
    enum { BOARD, BLACK, WHITE, TURN, TURNS, fields };  // the fields of the dataclass, and their number
    static constexpr const char* keywords[] = {"board", "black", "white", "turn", "turns", nullptr};
    static constexpr const char* format = "OOOO|O:GomokuState";
    static constexpr const char* type_name = "games.gomoku.LiveState";
    static PyObject* names[Points::room];
    static PyGetSetDef attributes[];

    static bool make_names() {
        for (int row = 0; row < largest; ++row)
            for (int column = 0; column < largest; ++column) {
                const auto point = static_cast<gomoku::Move>(gomoku::point_at(row, column));
                if (!python::make_name(names[point], gomoku::move_text(point).c_str())) return false;
            }
        return true;
    }
    static PyObject* move_name(const Position&, gomoku::Move move) { return Py_NewRef(names[move]); }
    static bool set_up(PyObject* self, PyObject** values);
    static PyObject* values(PyObject* self);
    static bool read_fields(PyObject* const* values, Position& position);
};
PyObject* Binding::names[Points::room];

using State = python::StateType<Binding>;

// The stones of one side as the specification has them: one bit for each point, row by row, with an unused bit at the
// end of each row.
using StoneBits = std::uint8_t[56];
static_assert(largest * (largest + 1) <= 8 * sizeof(StoneBits));

// Put the stones of one side; false if a point is not empty or not on the board.
bool put(const StoneBits& number, Position& position, bool of_white) {
    for (int bit = 0; bit < static_cast<int>(8 * sizeof number); ++bit) {
        if (!(number[bit / 8] >> bit % 8 & 1)) continue;
        const int row = bit / (position.columns + 1), column = bit % (position.columns + 1);
        const int point = gomoku::point_at(row, column);
        if (row >= position.rows || !position.open.has(point)) return false;
        position.put(point, of_white);
    }
    return true;
}

bool put(PyObject* object, const char* name, Position& position, bool of_white) {
    StoneBits number;
    if (!python::read_bits(object, name, number)) return false;
    if (put(number, position, of_white)) return true;
    PyErr_Format(PyExc_ValueError, "each stone of %s has a point for itself", name);
    return false;
}

bool Binding::read_fields(PyObject* const* values, Position& position) {
    int rows = 0, columns = 0;
    PyObject* board = values[BOARD];
    if (!python::read_board_side(board, "rows", largest, rows) || !python::read_board_side(board, "columns", largest, columns)) return false;
    Position found = Position::empty(rows, columns);
    if (!put(values[BLACK], "black", found, false) || !put(values[WHITE], "white", found, true)) return false;
    if (!python::read_color(values[TURN], found.white)) return false;
    found.find_winner();
    position = found;
    return true;
}

bool Binding::set_up(PyObject* self, PyObject** values) {
    const OwnedRef slot(PyUnicode_InternFromString("board"));
    return slot && read_fields(values, State::position(self)) && State::set_turns(self, values[TURNS]) &&
           PyObject_GenericSetAttr(self, slot.get(), values[BOARD]) == 0;
}

PyObject* stones(PyObject* self, bool of_white) {
    const Position& position = State::position(self);
    StoneBits number = {};
    position.stones[of_white].each([&](int point) {
        const int bit = gomoku::row_of(point) * (position.columns + 1) + gomoku::column_of(point);
        number[bit / 8] |= static_cast<std::uint8_t>(1 << bit % 8);
    });
    return python::int_of_bits(number);
}

PyObject* black(PyObject* self, void*) { return stones(self, false); }
PyObject* white(PyObject* self, void*) { return stones(self, true); }

PyObject* Binding::values(PyObject* self) {
    const OwnedRef board(PyObject_GetAttrString(self, "board"));
    const OwnedRef black(board ? stones(self, false) : nullptr);
    const OwnedRef white(black ? stones(self, true) : nullptr);
    if (!white) return nullptr;
    PyObject* turn = State::position(self).white ? Py_True : Py_False;
    return Py_BuildValue("(OOOOI)", board.get(), black.get(), white.get(), turn, State::object(self).turns);
}

PyGetSetDef Binding::attributes[] = {
    {"black", black, nullptr, "The black stones, one bit for each point of the board.", nullptr},
    {"white", white, nullptr, "The white stones, one bit for each point of the board.", nullptr},
    {},
};

}  // namespace

PyMODINIT_FUNC PyInit__native_gomoku() {
    return python::kernel_module<Binding>("games._native_gomoku", "The Gomoku kernel.");
}
