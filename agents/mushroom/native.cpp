// The searches of the agents as the Python module agents.mushroom._native.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <limits>
#include <new>

#include "alphabeta.hpp"
#include "uct.hpp"

namespace {

using namespace arena;

struct Searcher {
    PyObject_HEAD
    mushroom::Table* known;
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
        auto known = std::make_unique<mushroom::Table>(18);  // 16 MB
        PyObject* self = type->tp_alloc(type, 0);
        if (self) searcher(self).known = known.release();
        return self;
    });
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete searcher(self).known;
    type->tp_free(self);
    Py_DECREF(type);
}

// Read rows of cells, whose move it is and the passes; false if the text is no position.
bool read(std::string_view text, mushroom::Position& position) {
    const std::size_t end = text.find(' ');
    if (end == text.npos || text.size() != end + 4 || text[end + 2] != ' ') return false;
    const std::size_t columns = text.find_first_of("/ "), rows = (end + 1) / (columns + 1);
    if (columns < 1 || columns > mushroom::largest || rows > mushroom::largest || rows * (columns + 1) != end + 1) return false;
    position.rows = static_cast<std::int8_t>(rows);
    position.columns = static_cast<std::int8_t>(columns);
    for (std::size_t at = 0; at < end; ++at) {
        const std::size_t column = at % (columns + 1);
        const char cell = text[at];
        if ((cell == '/') != (column == columns)) return false;
        if (cell == '/') continue;
        if (!(cell >= '1' && cell <= '9') && cell != 'A' && cell != 'B') return false;
        position.at(static_cast<int>(at / (columns + 1)), static_cast<int>(column)) = cell;
    }
    const char side = text[end + 1], passes = text[end + 3];
    if ((side != 'A' && side != 'B') || passes < '0' || passes > '2') return false;
    position.white = side == 'A';
    position.passes = static_cast<std::int8_t>(passes - '0');
    position.take_stock();
    return true;
}

// The position of a text, in which the game goes on.
bool position_of(const char* text, Py_ssize_t length, mushroom::Position& position) {
    if (!read({text, static_cast<std::size_t>(length)}, position)) {
        PyErr_Format(PyExc_ValueError, "no position of this game: %.200s", text);
        return false;
    }
    if (position.over()) PyErr_SetString(PyExc_ValueError, "there is no move to choose: the game is over");
    return !position.over();
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

PyObject* counts(const std::vector<search::Visits>& visits) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(visits.size()));
    for (std::size_t index = 0; tuple && index < visits.size(); ++index) {
        const auto& [move, times, mean] = visits[index];
        PyObject* item = Py_BuildValue("(sKd)", move.c_str(), static_cast<unsigned long long>(times), mean);
        if (!item) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), item);
    }
    return tuple;
}

// Run a search without Python's lock; false with an exception set if it failed.
template <typename Search>
bool searched(PyObject* self, double seconds, unsigned long long most, Search search) {
    std::exception_ptr thrown;
    searcher(self).busy = true;
    Py_BEGIN_ALLOW_THREADS
    try {
        search::Watch watch(seconds, most, interrupted);
        search(watch);
    } catch (...) {
        thrown = std::current_exception();
    }
    Py_END_ALLOW_THREADS
    searcher(self).busy = false;
    if (thrown) std::rethrow_exception(thrown);
    return !PyErr_Occurred();
}

bool is_free(PyObject* self) {
    if (searcher(self).busy) PyErr_SetString(PyExc_RuntimeError, "the searcher is searching");
    return !searcher(self).busy;
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

PyObject* alphabeta(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", "nodes", "depth", "seed", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = mushroom::deepest;
    mushroom::Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$dKiK:alphabeta", const_cast<char**>(keywords), &text, &length,
                                     &seconds, &nodes, &depth, &seed))
        return nullptr;
    if (!is_free(self) || !position_of(text, length, position)) return nullptr;
    const mushroom::Limits limits{std::min(std::max(depth, 1), mushroom::deepest), seed};
    return guarded([&]() -> PyObject* {
        search::Found found;
        const auto search = [&](search::Watch& watch) {
            found = mushroom::AlphaBeta(position, *searcher(self).known, limits, watch).found();
        };
        if (!searched(self, seconds, nodes, search)) return nullptr;
        return Py_BuildValue("(sKidN)", found.move.c_str(), static_cast<unsigned long long>(found.nodes), found.depth,
                             found.score, texts(found.line));
    });
}

PyObject* uct(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "states", "seconds", "simulations", "c", "seed", nullptr};
    const char *text, *kind = "undo";
    Py_ssize_t length;
    double seconds = unlimited, c = 0.02;
    unsigned long long simulations = ~0ULL, seed = 0;
    mushroom::Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$sdKdK:uct", const_cast<char**>(keywords), &text, &length, &kind,
                                     &seconds, &simulations, &c, &seed))
        return nullptr;
    if (!is_free(self) || !position_of(text, length, position)) return nullptr;
    return guarded([&]() -> PyObject* {
        const auto states = mushroom::states(kind, position);
        if (!states) return PyErr_Format(PyExc_ValueError, "states is copy, rebuild or undo, not %.100s", kind);
        search::Found found;
        std::size_t bytes = 0;
        const auto search = [&](search::Watch& watch) {
            mushroom::Uct uct(position, *states, {simulations, c, seed}, watch);
            found = uct.found();
            bytes = uct.bytes() + states->bytes();
        };
        if (!searched(self, seconds, simulations, search)) return nullptr;
        return Py_BuildValue("(sKidNN(KKn))", found.move.c_str(), static_cast<unsigned long long>(found.nodes), found.depth,
                             found.score, texts(found.line), counts(found.visits),
                             static_cast<unsigned long long>(states->asked), static_cast<unsigned long long>(states->held),
                             static_cast<Py_ssize_t>(bytes));
    });
}

PyMethodDef methods[] = {
    {"alphabeta", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(alphabeta)), METH_VARARGS | METH_KEYWORDS,
     "alphabeta(text, *, seconds, nodes, depth, seed): move, nodes, depth, score, line."},
    {"uct", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(uct)), METH_VARARGS | METH_KEYWORDS,
     "uct(text, *, states, seconds, simulations, c, seed): move, simulations, depth, mean, line, visits, (asked, held, bytes)."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("Searches for moves; what alpha-beta learned is kept from move to move.")},
    {0, nullptr},
};
PyType_Spec spec = {"agents.mushroom._native.Searcher", sizeof(Searcher), 0, Py_TPFLAGS_DEFAULT, slots};

int fill(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    const int failed = PyModule_AddObjectRef(module, "Searcher", type);
    Py_XDECREF(type);
    return failed;
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill)}, {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "agents.mushroom._native", "The native searches for moves of Mushroom.", 0,
                          nullptr, module_slots, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
