// The Othello kernel as the Python module games._native_othello.
#include "python_kernel.hpp"

#include "othello.hpp"

namespace {

using namespace arena;
using othello::Position;
using python::OwnedRef;

struct Binding {
    using Position = othello::Position;
    static constexpr std::size_t fields = 4;
    static constexpr const char* type_name = "games.othello.LiveState";
    static PyObject* names[othello::pass + 1];
    static PyGetSetDef attributes[];

    static bool make_names() {
        for (int move = 0; move <= othello::pass; ++move)
            if (!python::make_name(names[move], othello::move_text(static_cast<othello::Move>(move)).c_str())) return false;
        return true;
    }
    static PyObject* move_name(const Position&, othello::Move move) { return Py_NewRef(names[move]); }
    static bool set_up(PyObject* self, PyObject* args, PyObject* kwargs);
    static PyObject* values(PyObject* self);
    static bool read_state(PyObject* state, Position& position);
};
PyObject* Binding::names[othello::pass + 1];

using State = python::StateType<Binding>;

bool read_fields(PyObject* black, PyObject* white, PyObject* turn, Position& position) {
    Bits black_discs = 0, white_discs = 0;
    bool white_moves = false;
    if (!python::read_squares(black, "black", black_discs) || !python::read_squares(white, "white", white_discs)) return false;
    if (!python::read_color(turn, white_moves)) return false;
    if (black_discs & white_discs) {
        PyErr_SetString(PyExc_ValueError, "a square holds one disc");
        return false;
    }
    position = white_moves ? Position{white_discs, black_discs, true} : Position{black_discs, white_discs, false};
    return true;
}

bool Binding::set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"black", "white", "turn", "turns", nullptr};
    PyObject *black, *white, *turn, *turns = nullptr;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OOO|O:OthelloState", const_cast<char**>(keywords), &black, &white, &turn, &turns))
        return false;
    return read_fields(black, white, turn, State::position(self)) && State::set_turns(self, turns);
}

bool Binding::read_state(PyObject* state, Position& position) {
    const OwnedRef black(PyObject_GetAttrString(state, "black"));
    const OwnedRef white(black ? PyObject_GetAttrString(state, "white") : nullptr);
    const OwnedRef turn(white ? PyObject_GetAttrString(state, "turn") : nullptr);
    return turn && read_fields(black.get(), white.get(), turn.get(), position);
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
    {"legal_moves", State::get_legal_moves, nullptr, "The squares where a disc flips others, else `pass`.", nullptr},
    {"ending", State::get_ending, nullptr, "The verdict once neither side can place a disc.", nullptr},
    {"text", State::get_text, nullptr, "64 characters `-XO`, row by row from a1, and whose move it is.", nullptr},
    State::turn,
    State::turns,
    State::end,
};

}  // namespace

PyMODINIT_FUNC PyInit__native_othello() {
    return python::kernel_module<Binding>("games._native_othello", "The Othello kernel.");
}
