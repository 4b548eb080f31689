// The search of the agent as the Python module agents.gomoku._native.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <limits>
#include <new>

#include "search.hpp"

namespace {

using namespace arena;

struct Searcher {
    PyObject_HEAD
    gomoku::Memory* memory;
    bool busy;  // a search runs, without Python's lock
};
Searcher& searcher(PyObject* self) { return *reinterpret_cast<Searcher*>(self); }

// Whether the search may not go on: Ctrl-C. Asked without Python's lock.
bool interrupted() {
    const PyGILState_STATE lock = PyGILState_Ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(lock);
    return stop;
}

// Call `act`; what C++ throws becomes an exception of Python.
template <typename Act>
PyObject* guarded(Act act) {
    try {
        return act();
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
        return nullptr;
    }
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {nullptr};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Searcher", const_cast<char**>(keywords))) return nullptr;
    return guarded([&]() -> PyObject* {
        auto memory = std::make_unique<gomoku::Memory>();
        PyObject* self = type->tp_alloc(type, 0);
        if (self) searcher(self).memory = memory.release();
        return self;
    });
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete searcher(self).memory;
    type->tp_free(self);
    Py_DECREF(type);
}

// The position of a text on a square board, in which the game goes on.
std::optional<gomoku::Position> position_of(const char* text, Py_ssize_t length) {
    const auto position = gomoku::read({text, static_cast<std::size_t>(length)});
    if (!position || position->rows != position->columns) {
        PyErr_Format(PyExc_ValueError, "no position of this game: %.200s", text);
        return std::nullopt;
    }
    if (position->over()) {
        PyErr_SetString(PyExc_ValueError, "there is no move to choose: the game is over");
        return std::nullopt;
    }
    return position;
}

PyObject* texts(const std::vector<std::string>& line) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(line.size()));
    for (std::size_t index = 0; tuple && index < line.size(); ++index) {
        PyObject* text = PyUnicode_FromStringAndSize(line[index].data(), static_cast<Py_ssize_t>(line[index].size()));
        if (!text) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), text);
    }
    return tuple;
}

// (move, nodes, depth, score, line)
PyObject* search(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", "nodes", "depth", "seed", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = std::numeric_limits<double>::infinity();
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = 64;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$dKiK:search", const_cast<char**>(keywords), &text, &length,
                                     &seconds, &nodes, &depth, &seed))
        return nullptr;
    if (searcher(self).busy) return PyErr_Format(PyExc_RuntimeError, "the searcher is searching");
    const auto position = position_of(text, length);
    if (!position) return nullptr;
    const gomoku::Limits limits{std::min(std::max(depth, 1), 64), seed};
    return guarded([&]() -> PyObject* {
        search::Found found;
        std::exception_ptr thrown;
        searcher(self).busy = true;
        Py_BEGIN_ALLOW_THREADS
        try {
            search::Watch watch(seconds, nodes, interrupted);
            found = gomoku::Search(*position, *searcher(self).memory, limits, watch).found();
        } catch (...) {
            thrown = std::current_exception();
        }
        Py_END_ALLOW_THREADS
        searcher(self).busy = false;
        if (thrown) std::rethrow_exception(thrown);
        if (PyErr_Occurred()) return nullptr;
        return Py_BuildValue("(sKidN)", found.move.c_str(), static_cast<unsigned long long>(found.nodes), found.depth,
                             found.score, texts(found.line));
    });
}

PyMethodDef methods[] = {
    {"search", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(search)), METH_VARARGS | METH_KEYWORDS,
     "search(text, *, seconds, nodes, depth, seed): move, nodes, depth, score, line."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("The search for a move; what it learned is kept from move to move.")},
    {0, nullptr},
};
PyType_Spec spec = {"agents.gomoku._native.Searcher", sizeof(Searcher), 0, Py_TPFLAGS_DEFAULT, slots};

int fill(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    const int failed = PyModule_AddObjectRef(module, "Searcher", type);
    Py_XDECREF(type);
    return failed;
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill)}, {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "agents.gomoku._native", "The native search for moves of Gomoku.", 0,
                          nullptr, module_slots, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
