// The Python module games._native_chess.
#include "chess_python.hpp"

namespace arena::python_board {
using Rules = chess::PythonRules;
}

#include "python_board.hpp"

namespace arena::python_board {
namespace {

PyObject* text_of(const std::string& text) {
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* san(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!read_move_to_make(move, code) || !is_native(board)) return call_specified(self, "san", &move, 1);
    code = board.at.canonical(code);
    return board.at.legal(code) ? text_of(chess::san(board.at, code)) : call_specified(self, "san", &move, 1);
}

PyObject* fen(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    if (count || keywords || !is_native(board)) return call_specified(self, "fen", args, count, keywords);
    return text_of(Rules::text(board.at));
}

PyObject* has_legal_en_passant(PyObject* self, PyObject*) {
    State& board = state(self);
    return is_native(board) ? PyBool_FromLong(board.at.capturable) : call_specified(self, "has_legal_en_passant");
}

PyMethodDef own_methods[] = {
    {"san", san, METH_O, "A move in standard algebraic notation."},
    {"fen", as_function(fen), METH_FASTCALL | METH_KEYWORDS, "The position as FEN."},
    {"has_legal_en_passant", has_legal_en_passant, METH_NOARGS, "Whether a capture en passant is legal."},
    {},
};

}  // namespace
}  // namespace arena::python_board

PyMODINIT_FUNC PyInit__native_chess() {
    using namespace arena::python_board;
    return make_module("The native kernel of chess.", own_methods);
}
