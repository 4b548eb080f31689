// The Othello kernel as the Python module games._native_othello.
#include "python_kernel.hpp"

#include "othello_encoding.hpp"

namespace {

using namespace arena;
using othello::Position;

struct Binding {
    using Position = othello::Position;
    enum { BLACK, WHITE, TURN, TURNS, fields };  // the fields of the dataclass, and their number
    static constexpr const char* keywords[] = {"black", "white", "turn", "turns", nullptr};
    static constexpr const char* format = "OOO|O:OthelloState";
    static constexpr const char* type_name = "games.othello.LiveState";
    static PyObject* names[othello::pass + 1];
    static PyGetSetDef attributes[];

    static bool make_names() {
        for (int move = 0; move <= othello::pass; ++move)
            if (!python::make_name(names[move], othello::move_text(static_cast<othello::Move>(move)).c_str())) return false;
        return true;
    }
    static PyObject* move_name(const Position&, othello::Move move) { return Py_NewRef(names[move]); }
    static bool set_up(PyObject* self, PyObject** values);
    static PyObject* values(PyObject* self);
    static bool read_fields(PyObject* const* values, Position& position);
};
PyObject* Binding::names[othello::pass + 1];

using State = python::StateType<Binding>;

bool Binding::read_fields(PyObject* const* values, Position& position) {
    Bits black_discs = 0, white_discs = 0;
    bool white_moves = false;
    if (!python::read_squares(values[BLACK], "black", black_discs) ||
        !python::read_squares(values[WHITE], "white", white_discs) || !python::read_color(values[TURN], white_moves))
        return false;
    if (black_discs & white_discs) {
        PyErr_SetString(PyExc_ValueError, "a square holds one disc");
        return false;
    }
    position = white_moves ? Position{white_discs, black_discs, true} : Position{black_discs, white_discs, false};
    return true;
}

bool Binding::set_up(PyObject* self, PyObject** values) {
    return read_fields(values, State::position(self)) && State::set_turns(self, values[TURNS]);
}

PyObject* Binding::values(PyObject* self) {
    const Position& position = State::position(self);
    const unsigned long long black = position.black_discs(), white = position.white_discs();
    return Py_BuildValue("(KKOI)", black, white, position.white ? Py_True : Py_False, State::object(self).turns);
}

PyObject* black(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(State::position(self).black_discs()); }
PyObject* white(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(State::position(self).white_discs()); }

PyGetSetDef Binding::attributes[] = {
    {"black", black, nullptr, "The black discs, one bit for each square.", nullptr},
    {"white", white, nullptr, "The white discs, one bit for each square.", nullptr},
    {},
};

}  // namespace

PyMODINIT_FUNC PyInit__native_othello() {
    return python::kernel_module<Binding>("games._native_othello", "The Othello kernel.");
}
