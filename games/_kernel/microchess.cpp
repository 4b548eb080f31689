// The Python module games._native_microchess.
#include "microchess_python.hpp"

namespace arena::python_board {
using Rules = microchess::PythonRules;
}

#include "python_board.hpp"

namespace arena::python_board {
namespace {

PyObject* material(PyObject* self, PyObject* color) {
    State& board = state(self);
    if (!PyBool_Check(color) || !is_native(board)) return call_specified(self, "material", &color, 1);
    return PyLong_FromLong(board.at.material(color == Py_True));
}

PyMethodDef own_methods[] = {
    {"material", material, METH_O, "What the pieces of `color` are worth: K 4, Q 10, R 5, B 3, N 3, P 1."},
    {},
};

}  // namespace
}  // namespace arena::python_board

PyMODINIT_FUNC PyInit__native_microchess() {
    using namespace arena::python_board;
    return make_module("The native kernel of microchess.", own_methods);
}
