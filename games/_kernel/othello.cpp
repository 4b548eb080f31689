// The Othello kernel as the Python module games._native_othello.
#include "binding.hpp"

#include "othello.hpp"
#include "othello_study.hpp"

namespace {

using namespace arena;
using othello::Position;

PyTypeObject* study_type;

struct Rules {
    using Position = othello::Position;
    static constexpr std::size_t fields = 4;
    static constexpr const char* name = "games.othello.LiveState";
    static PyObject* names[65];  // of the moves: made once, kept for ever
    static PyMethodDef methods[];
    static PyGetSetDef properties[];

    static bool set_up(PyObject* self, PyObject* args, PyObject* kwargs);
    static PyObject* values(PyObject* self);
    static bool read(PyObject* object, Position& position);
    static std::string written(const Position& position) { return othello::text(position); }
    static bool same(const Position& one, const Position& other) {
        return one.own == other.own && one.other == other.other && one.white == other.white;
    }
};
using Live = binding::Value<Rules>;
using Offered = binding::Offered<Rules>;

PyObject* Rules::names[65];

bool discs(PyObject* object, const char* name, Bits& into) {
    if (!PyLong_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is a whole number, not %.100s", name, Py_TYPE(object)->tp_name);
        return false;
    }
    into = PyLong_AsUnsignedLongLong(object);
    if (into != ~Bits{0} || !PyErr_Occurred()) return true;
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s has one bit for each of 64 squares", name);
    return false;
}

bool placed(PyObject* black, PyObject* white, PyObject* turn, Position& position) {
    Bits dark = 0, light = 0;
    bool white_moves = false;
    if (!discs(black, "black", dark) || !discs(white, "white", light) || !binding::color(turn, white_moves)) return false;
    if (dark & light) {
        PyErr_SetString(PyExc_ValueError, "a square holds one disc");
        return false;
    }
    position = white_moves ? Position{light, dark, true} : Position{dark, light, false};
    return true;
}

bool Rules::set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"black", "white", "turn", "turns", nullptr};
    PyObject *black, *white, *turn, *turns = nullptr;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OOO|O:OthelloState", const_cast<char**>(keywords), &black, &white, &turn, &turns))
        return false;
    return placed(black, white, turn, Live::state(self).position) && Live::set_turns(self, turns);
}

bool Rules::read(PyObject* object, Position& position) {
    const binding::Held black(PyObject_GetAttrString(object, "black"));
    const binding::Held white(black ? PyObject_GetAttrString(object, "white") : nullptr);
    const binding::Held turn(white ? PyObject_GetAttrString(object, "turn") : nullptr);
    return turn && placed(black.get(), white.get(), turn.get(), position);
}

PyObject* Rules::values(PyObject* self) {
    const Position& position = Live::state(self).position;
    const unsigned long long black = position.black_discs(), white = position.white_discs();
    return Py_BuildValue("(KKOI)", black, white, position.white ? Py_True : Py_False, Live::state(self).turns);
}

PyObject* black(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(Live::state(self).position.black_discs()); }
PyObject* white(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(Live::state(self).position.white_discs()); }

PyObject* legal_moves(PyObject* self, void*) {
    if (!Live::plain(self)) return Live::specified(self, "legal_moves");
    const Position& position = Live::state(self).position;
    Bits squares = position.squares();
    if (!squares) return position.must_pass() ? PyTuple_Pack(1, Rules::names[othello::pass]) : PyTuple_New(0);
    PyObject* moves = PyTuple_New(count(squares));
    for (Py_ssize_t index = 0; moves && squares; ++index) PyTuple_SET_ITEM(moves, index, Py_NewRef(Rules::names[take(squares)]));
    return moves;
}

PyMethodDef Rules::methods[] = {
    Offered::forward,
    {"is_game_over", Live::is_game_over, METH_NOARGS, "Whether neither side can enclose anything."},
    {"parse", Live::parse, METH_O, "The legal move written `text`, upper case allowed; `IllegalMove` if there is none."},
    Offered::set,
    Offered::remove,
    Offered::reduce,
    Offered::end,
};

PyGetSetDef Rules::properties[] = {
    {"black", black, nullptr, "The black discs, one bit a square.", nullptr},
    {"white", white, nullptr, "The white discs, one bit a square.", nullptr},
    {"turn", Live::turn, nullptr, "Whose move it is.", nullptr},
    {"turns", Live::turns, nullptr, "Moves made since the start.", nullptr},
    {"legal_moves", legal_moves, nullptr, "The squares that enclose something, else `pass`.", nullptr},
    {"ending", Live::ending, nullptr, "The verdict once neither side can enclose anything.", nullptr},
    {"text", Live::text, nullptr, "64 characters `-XO`, row by row from a1, and whose move it is.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyStructSequence_Field study_fields[] = {
    {"black", "Black's discs at the end."},
    {"white", "White's discs at the end."},
    {"nodes_black", "Nodes for each of Black's moves."},
    {"nodes_white", "Nodes for each of White's moves."},
    {"nodes", "All nodes."},
    {nullptr, nullptr},
};

PyStructSequence_Desc study_description = {
    "games._native_othello.Study", "A game of alpha-beta against itself.", study_fields, 5,
};

PyObject* study(PyObject*, PyObject* number) {
    long long depth = 0;
    if (!binding::whole(number, "depth", 0, 12, depth)) return nullptr;
    const othello::Study found = othello::study(static_cast<int>(depth), binding::go_on);
    if (PyErr_Occurred()) return nullptr;
    const unsigned long long values[] = {
        static_cast<unsigned long long>(found.black), static_cast<unsigned long long>(found.white),
        found.average(false), found.average(true), found.all_nodes(),
    };
    binding::Held answer(PyStructSequence_New(study_type));
    for (Py_ssize_t index = 0; answer && index < 5; ++index) {
        PyObject* value = PyLong_FromUnsignedLongLong(values[index]);
        if (!value) return nullptr;
        PyStructSequence_SET_ITEM(answer.get(), index, value);
    }
    return answer.given();
}

PyMethodDef functions[] = {
    Offered::derived,
    Offered::key,
    Offered::perft,
    Offered::playouts,
    {"study", study, METH_O, "study(depth) -> a game of alpha-beta against itself, map B, in figures"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "games._native_othello", "The Othello kernel.", -1, functions, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native_othello() {
    for (int move = 0; move < 65; ++move) {
        const std::string name = othello::text(static_cast<othello::Move>(move));
        if (!Rules::names[move]) Rules::names[move] = PyUnicode_InternFromString(name.c_str());
        if (!Rules::names[move]) return nullptr;
    }
    if (!study_type) study_type = PyStructSequence_NewType(&study_description);
    return study_type ? PyModule_Create(&module) : nullptr;
}
