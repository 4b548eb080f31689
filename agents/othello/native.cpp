// The Othello searches as the Python module agents.othello._native.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <limits>
#include <memory>

#include "classic.hpp"
#include "strong.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using othello::Position;

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Whether the search may not go on: Ctrl-C. Asked without Python's lock.
bool interrupted() {
    const PyGILState_STATE lock = PyGILState_Ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(lock);
    return stop;
}

// Call `act` without Python's lock, then `told` with it; what C++ throws becomes an exception of Python.
template <typename Act, typename Told>
PyObject* searched(Act act, Told told) {
    std::exception_ptr thrown;
    Py_BEGIN_ALLOW_THREADS
    try {
        act();
    } catch (...) {
        thrown = std::current_exception();
    }
    Py_END_ALLOW_THREADS
    if (PyErr_Occurred()) return nullptr;
    try {
        if (thrown) std::rethrow_exception(thrown);
        return told();
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
        return nullptr;
    }
}

// The position of a text; one in which a square can be taken if `to_move`.
bool placed(const char* text, Py_ssize_t length, Position& position, bool to_move) {
    const auto found = othello::read({text, static_cast<std::size_t>(length)});
    if (!found) PyErr_Format(PyExc_ValueError, "no position of Othello: %.100s", text);
    else if (to_move && !found->squares()) PyErr_SetString(PyExc_ValueError, "there is no square to choose");
    else position = *found;
    return !PyErr_Occurred();
}

PyObject* texts(const std::vector<int>& moves) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(moves.size()));
    for (std::size_t index = 0; tuple && index < moves.size(); ++index) {
        PyObject* text = PyUnicode_FromString(othello::text(static_cast<othello::Move>(moves[index])).c_str());
        if (!text) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), text);
    }
    return tuple;
}

template <typename Function>
PyCFunction called(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

#include "native_classic.hpp"
#include "native_strong.hpp"

PyMethodDef functions[] = {
    {"minimax", called(minimax), METH_VARARGS | METH_KEYWORDS, "minimax(text, weights, *, depth, first, seconds): move, value, nodes, presearch; None: no time."},
    {"alphabeta", called(alphabeta), METH_VARARGS | METH_KEYWORDS,
     "alphabeta(text, weights, *, depth, first, ordering, ordered, seconds): move, value, nodes, presearch; None: no time."},
    {"uct", called(uct), METH_VARARGS | METH_KEYWORDS,
     "uct(text, *, playout, simulations, c, rave, seed, seconds): simulations, and of each move tried its text, visits and mean."},
    {nullptr, nullptr, 0, nullptr},
};

int fill(PyObject* module) {
    PyObject* type = PyType_FromSpec(&strong_spec);
    const int failed = PyModule_AddObjectRef(module, "Strong", type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill)}, {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "agents.othello._native", "Native searches of Othello.",
                          0, functions, module_slots, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
