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

bool weights_of(PyObject* tuple, int (&weights)[64]) {
    if (PyTuple_GET_SIZE(tuple) != 64) {
        PyErr_SetString(PyExc_ValueError, "there must be 64 weights");
        return false;
    }
    for (Py_ssize_t square = 0; square < 64; ++square) {
        const long weight = PyLong_AsLong(PyTuple_GET_ITEM(tuple, square));
        if (weight == -1 && PyErr_Occurred()) return false;
        if (weight < -1000 || weight > 1000) return PyErr_SetString(PyExc_ValueError, "a weight is from -1000 to 1000"), false;
        weights[square] = static_cast<int>(weight);
    }
    return true;
}

// What both searches are asked for.
struct Question {
    const char* text;
    Py_ssize_t length;
    PyObject* map;
    int depth = 1, first = -1, results = 0, ordered = 64;
    const char* ordering = "none";
    double seconds = unlimited;
};

template <typename Search>
PyObject* chosen(const Question& asked, Search search) {
    Position position;
    int weights[64];
    if (!placed(asked.text, asked.length, position, true) || !weights_of(asked.map, weights)) return nullptr;
    if (asked.depth < 1 || asked.depth > 60) return PyErr_Format(PyExc_ValueError, "depth must be from 1 to 60");
    othello::Chosen found;
    bool stopped = false;
    return searched(
        [&] {
            search::Watch watch(asked.seconds, ~0ULL, interrupted);
            const othello::Map map(weights);
            found = search(othello::Classic(map, asked.results != 0, watch), position);
            stopped = watch.stopped();
        },
        [&]() -> PyObject* {
            if (stopped) Py_RETURN_NONE;
            return Py_BuildValue("(siKK)", othello::text(static_cast<othello::Move>(found.move)).c_str(), found.value,
                                 static_cast<unsigned long long>(found.nodes), static_cast<unsigned long long>(found.presearch));
        });
}

PyObject* minimax(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "weights", "depth", "first", "results", "seconds", nullptr};
    Question asked;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#O!|$iipd:minimax", const_cast<char**>(keywords), &asked.text, &asked.length,
                                     &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.results, &asked.seconds))
        return nullptr;
    return chosen(asked, [&](othello::Classic search, const Position& root) { return search.minimax(root, asked.depth, asked.first); });
}

PyObject* alphabeta(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "weights", "depth", "first", "results", "ordering", "ordered", "seconds", nullptr};
    Question asked;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#O!|$iipsid:alphabeta", const_cast<char**>(keywords), &asked.text,
                                     &asked.length, &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.results, &asked.ordering,
                                     &asked.ordered, &asked.seconds))
        return nullptr;
    const std::string_view names[] = {"none", "position", "intuition"};
    const auto name = std::find(std::begin(names), std::end(names), asked.ordering);
    if (name == std::end(names)) return PyErr_Format(PyExc_ValueError, "no ordering is called %.50s", asked.ordering);
    const auto ordering = static_cast<othello::Ordering>(name - std::begin(names));
    return chosen(asked, [&](othello::Classic search, const Position& root) {
        return search.alphabeta(root, asked.depth, asked.first, ordering, asked.ordered);
    });
}

PyObject* uct(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "playout", "simulations", "c", "rave", "seed", "seconds", nullptr};
    const char *text, *playout = "random";
    Py_ssize_t length;
    unsigned long long simulations = ~0ULL, seed = 0;
    double seconds = unlimited;
    othello::Recipe recipe;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$sKddKd:uct", const_cast<char**>(keywords), &text, &length, &playout,
                                     &simulations, &recipe.c, &recipe.rave, &seed, &seconds) ||
        !placed(text, length, position, true))
        return nullptr;
    const std::string_view names[] = {"random", "light", "heavy", "adaptive", "combined"};
    const auto name = std::find(std::begin(names), std::end(names), playout);
    if (name == std::end(names)) return PyErr_Format(PyExc_ValueError, "no playout is called %.50s", playout);
    recipe.playout = static_cast<othello::Playout>(name - std::begin(names));
    recipe.simulations = simulations;
    recipe.seed = seed;
    std::uint64_t made = 0;
    std::vector<othello::Visited> visited;
    return searched(
        [&] {
            search::Watch watch(seconds, ~0ULL, interrupted);
            othello::Tree tree(position, recipe);
            made = tree.run(watch);
            visited = tree.ranked();
        },
        [&] {
            PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(visited.size()));
            for (std::size_t index = 0; tuple && index < visited.size(); ++index) {
                const auto& [move, visits, mean] = visited[index];
                PyObject* item = Py_BuildValue("(sId)", othello::text(static_cast<othello::Move>(move)).c_str(), visits, mean);
                if (!item) Py_CLEAR(tuple);
                else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), item);
            }
            return Py_BuildValue("(KN)", static_cast<unsigned long long>(made), tuple);
        });
}

struct StrongObject {
    PyObject_HEAD
    othello::Strong* strong;
    bool busy;  // a search runs, without Python's lock
};
StrongObject& held(PyObject* self) { return *reinterpret_cast<StrongObject*>(self); }

bool is_free(PyObject* self) {
    if (held(self).busy) PyErr_SetString(PyExc_RuntimeError, "the engine is searching");
    return !held(self).busy;
}

PyObject* make_strong(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"weights", nullptr};
    const char* weights;
    Py_ssize_t size;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y#:Strong", const_cast<char**>(keywords), &weights, &size)) return nullptr;
    try {
        auto strong = std::make_unique<othello::Strong>();
        if (!strong->learn(reinterpret_cast<const std::int8_t*>(weights), static_cast<std::size_t>(size)))
            return PyErr_Format(PyExc_ValueError, "there must be %zu weights", othello::Weights::stored());
        PyObject* self = type->tp_alloc(type, 0);
        if (self) held(self).strong = strong.release();
        return self;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

void free_strong(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete held(self).strong;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* told(const othello::Answer& answer) {
    return Py_BuildValue("(siiOOKN)", othello::text(static_cast<othello::Move>(answer.move)).c_str(), answer.score, answer.depth,
                         answer.won_lost ? Py_True : Py_False, answer.exact ? Py_True : Py_False,
                         static_cast<unsigned long long>(answer.nodes), texts(answer.line));
}

PyObject* strong_search(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", "depth", "solve", "selective", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = unlimited;
    othello::Limits limits;
    int selective = 1;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$diip:search", const_cast<char**>(keywords), &text, &length, &seconds,
                                     &limits.depth, &limits.solve, &selective) ||
        !is_free(self) || !placed(text, length, position, true))
        return nullptr;
    limits.selective = selective != 0;
    othello::Answer answer;
    held(self).busy = true;
    PyObject* found = searched(
        [&] {
            // A search to the end begins with a look at the moves, for a fifth of the time.
            search::Watch quick(seconds / 5, ~0ULL, interrupted), watch(seconds, ~0ULL, interrupted);
            answer = held(self).strong->search(position, limits, quick, watch);
        },
        [&] { return told(answer); });
    held(self).busy = false;
    return found;
}

PyObject* strong_solve(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = unlimited;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$d:solve", const_cast<char**>(keywords), &text, &length, &seconds) ||
        !is_free(self) || !placed(text, length, position, false))
        return nullptr;
    othello::Answer answer;
    held(self).busy = true;
    PyObject* found = searched(
        [&] {
            search::Watch watch(seconds, ~0ULL, interrupted);
            answer = held(self).strong->solve(position, watch);
        },
        [&]() -> PyObject* {
            const auto nodes = static_cast<unsigned long long>(answer.nodes);
            return answer.exact ? Py_BuildValue("(iK)", answer.score, nodes) : Py_BuildValue("(OK)", Py_None, nodes);
        });
    held(self).busy = false;
    return found;
}

PyObject* strong_value(PyObject* self, PyObject* args) {
    const char* text;
    Py_ssize_t length;
    Position position;
    if (!PyArg_ParseTuple(args, "s#:value", &text, &length) || !is_free(self) || !placed(text, length, position, false)) return nullptr;
    return PyLong_FromLong(held(self).strong->value(position));
}

PyObject* strong_forget(PyObject* self, PyObject*) {
    if (!is_free(self)) return nullptr;
    held(self).strong->forget();
    Py_RETURN_NONE;
}

PyMethodDef strong_methods[] = {
    {"search", called(strong_search), METH_VARARGS | METH_KEYWORDS,
     "search(text, *, seconds, depth, solve, selective): move, score, depth, won_lost, exact, nodes, line."},
    {"solve", called(strong_solve), METH_VARARGS | METH_KEYWORDS, "solve(text, *, seconds): the exact lead (None: no time), nodes."},
    {"value", strong_value, METH_VARARGS, "value(text): what the patterns are worth to the side to move."},
    {"forget", strong_forget, METH_NOARGS, "Forget all positions."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot strong_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make_strong)},
    {Py_tp_dealloc, reinterpret_cast<void*>(free_strong)},
    {Py_tp_methods, strong_methods},
    {Py_tp_doc, const_cast<char*>("The strong search; positions are remembered from move to move.")},
    {0, nullptr},
};
PyType_Spec strong_spec = {"agents.othello._native.Strong", sizeof(StrongObject), 0, Py_TPFLAGS_DEFAULT, strong_slots};

PyMethodDef functions[] = {
    {"minimax", called(minimax), METH_VARARGS | METH_KEYWORDS,
     "minimax(text, weights, *, depth, first, results, seconds): move, value, nodes, presearch; None: no time."},
    {"alphabeta", called(alphabeta), METH_VARARGS | METH_KEYWORDS,
     "alphabeta(text, weights, *, depth, first, results, ordering, ordered, seconds): move, value, nodes, presearch; None: no time."},
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
