// The Gomoku kernel as the Python module games._native_gomoku.
#include "binding.hpp"

#include "gomoku.hpp"

namespace {

using namespace arena;
using gomoku::largest;
using gomoku::Points;
using gomoku::Position;

struct Rules {
    using Position = gomoku::Position;
    static constexpr std::size_t fields = 5;
    static constexpr const char* name = "games.gomoku.LiveState";
    static PyObject* names[gomoku::points];  // of the moves: made once, kept for ever
    static PyMethodDef methods[];
    static PyGetSetDef properties[];

    static bool set_up(PyObject* self, PyObject* args, PyObject* kwargs);
    static PyObject* values(PyObject* self);
    static bool read(PyObject* object, Position& position);
    static std::string written(const Position& position) { return gomoku::text(position); }
    static bool same(const Position& one, const Position& other) { return one == other; }
};
using Live = binding::Value<Rules>;
using Offered = binding::Offered<Rules>;

PyObject* Rules::names[gomoku::points];

bool side(PyObject* board, const char* name, int& into) {
    const binding::Held length(PyObject_GetAttrString(board, name));
    long long number = 0;
    if (!length || !binding::whole(length.get(), name, 1, largest, number)) return false;
    into = static_cast<int>(number);
    return true;
}

// The specification's numbers of stones, one bit a point: row by row, an unused bit at the end of each.
using Number = std::uint8_t[48];
static_assert(largest * (largest + 1) <= 8 * sizeof(Number));

// Put the stones of one side; false if one finds no empty point.
bool put(const Number& number, Position& position, bool of_white) {
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
    Number number;
    if (!binding::bits(object, name, number)) return false;
    if (put(number, position, of_white)) return true;
    PyErr_Format(PyExc_ValueError, "each stone of %s has a point for itself", name);
    return false;
}

bool placed(PyObject* board, PyObject* black, PyObject* white, PyObject* turn, Position& position) {
    int rows = 0, columns = 0;
    if (!side(board, "rows", rows) || !side(board, "columns", columns)) return false;
    Position found = Position::empty(rows, columns);
    if (!put(black, "black", found, false) || !put(white, "white", found, true)) return false;
    if (!binding::color(turn, found.white)) return false;
    found.judge();
    position = found;
    return true;
}

bool Rules::set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"board", "black", "white", "turn", "turns", nullptr};
    PyObject *board, *black, *white, *turn, *turns = nullptr;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OOOO|O:GomokuState", const_cast<char**>(keywords), &board, &black, &white, &turn, &turns))
        return false;
    const binding::Held slot(PyUnicode_InternFromString("board"));
    return slot && placed(board, black, white, turn, Live::state(self).position) && Live::set_turns(self, turns) &&
           PyObject_GenericSetAttr(self, slot.get(), board) == 0;
}

bool Rules::read(PyObject* object, Position& position) {
    const binding::Held board(PyObject_GetAttrString(object, "board"));
    const binding::Held black(board ? PyObject_GetAttrString(object, "black") : nullptr);
    const binding::Held white(black ? PyObject_GetAttrString(object, "white") : nullptr);
    const binding::Held turn(white ? PyObject_GetAttrString(object, "turn") : nullptr);
    return turn && placed(board.get(), black.get(), white.get(), turn.get(), position);
}

PyObject* stones(PyObject* self, bool of_white) {
    const Position& position = Live::state(self).position;
    Number number = {};
    position.stones[of_white].each([&](int point) {
        const int bit = gomoku::row_of(point) * (position.columns + 1) + gomoku::column_of(point);
        number[bit / 8] |= static_cast<std::uint8_t>(1 << bit % 8);
    });
    return binding::number(number);
}

PyObject* black(PyObject* self, void*) { return stones(self, false); }
PyObject* white(PyObject* self, void*) { return stones(self, true); }

PyObject* Rules::values(PyObject* self) {
    const binding::Held board(PyObject_GetAttrString(self, "board"));
    const binding::Held black(board ? stones(self, false) : nullptr);
    const binding::Held white(black ? stones(self, true) : nullptr);
    if (!white) return nullptr;
    PyObject* turn = Live::state(self).position.white ? Py_True : Py_False;
    return Py_BuildValue("(OOOOI)", board.get(), black.get(), white.get(), turn, Live::state(self).turns);
}

PyObject* legal_moves(PyObject* self, void*) {
    if (!Live::plain(self)) return Live::specified(self, "legal_moves");
    const Position& position = Live::state(self).position;
    if (position.over()) return PyTuple_New(0);
    PyObject* moves = PyTuple_New(position.left);
    if (!moves) return nullptr;
    Py_ssize_t index = 0;
    position.open.each([&](int point) { PyTuple_SET_ITEM(moves, index++, Py_NewRef(Rules::names[point])); });
    return moves;
}

PyMethodDef Rules::methods[] = {
    Offered::forward,
    {"is_game_over", Live::is_game_over, METH_NOARGS, "Whether there is an ending."},
    {"parse", Live::parse, METH_O, "The legal move written `text`; `IllegalMove` if there is none."},
    Offered::set,
    Offered::remove,
    Offered::reduce,
    Offered::end,
};

PyGetSetDef Rules::properties[] = {
    {"black", black, nullptr, "The black stones, one bit a point of the board.", nullptr},
    {"white", white, nullptr, "The white stones, one bit a point of the board.", nullptr},
    {"turn", Live::turn, nullptr, "Whose move it is.", nullptr},
    {"turns", Live::turns, nullptr, "Moves made since the start.", nullptr},
    {"legal_moves", legal_moves, nullptr, "The empty points, row by row from the top left.", nullptr},
    {"ending", Live::ending, nullptr, "The verdict once there are five in a line, or no empty point is left.", nullptr},
    {"text", Live::text, nullptr, "Rows of `.XO` from the top, and whose move it is.", nullptr},
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
    PyModuleDef_HEAD_INIT, "games._native_gomoku", "The Gomoku kernel.", -1, functions, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native_gomoku() {
    for (int row = 0; row < largest; ++row)
        for (int column = 0; column < largest; ++column) {
            const int point = gomoku::point_at(row, column);
            const std::string name = gomoku::text(static_cast<gomoku::Move>(point));
            if (!Rules::names[point]) Rules::names[point] = PyUnicode_InternFromString(name.c_str());
            if (!Rules::names[point]) return nullptr;
        }
    return PyModule_Create(&module);
}
