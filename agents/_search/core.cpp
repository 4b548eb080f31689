// The searches as the Python module agents._search._core.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <new>

#include "alphabeta.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using search::Found;

using Texts = std::vector<std::string_view>;

// One game's searches, whatever the game.
struct Engine {
    virtual ~Engine() = default;
    virtual bool set(std::string_view text, const Texts& moves, const Texts& seen, long long turns) = 0;
    virtual bool over() const = 0;
    virtual int moves() const = 0;
    virtual int value() const = 0;
    virtual double share() const = 0;
    virtual Found alphabeta(const search::Limits&, search::Watch&) = 0;
    virtual Found uct(const search::Recipe&, search::Watch&) = 0;
};

template <typename Rules>
class EngineOf final : public Engine {
public:
    explicit EngineOf(const search::Parameters& parameters) : parameters_(parameters) {}

    bool set(std::string_view text, const Texts& moves, const Texts& seen, long long turns) override {
        parameters_.seen = seen;
        parameters_.turns = turns;
        auto board = Rules::set_up(text, parameters_);
        parameters_.seen.clear();
        for (const std::string_view move : moves) {
            const auto found = board ? Rules::read(*board, move) : std::nullopt;
            if (!found) return false;
            board->push(*found);
        }
        if (!board) return false;
        board_ = std::move(board);
        return true;
    }
    bool over() const override { return !board_ || board_->over(); }
    int moves() const override {
        const auto into = std::make_unique<typename Rules::Move[]>(Rules::Board::max_moves);
        return board_ ? board_->moves(into.get()) : 0;
    }
    int value() const override {
        int value = 0;
        return board_ && Rules::leaf(*board_, value) ? value : 0;
    }
    double share() const override { return board_ ? Rules::share(*board_) : 0.5; }
    Found alphabeta(const search::Limits& limits, search::Watch& watch) override {
        return alphabeta_.search(*board_, limits, watch);
    }
    Found uct(const search::Recipe& recipe, search::Watch& watch) override { return uct_.search(*board_, recipe, watch); }

private:
    search::Parameters parameters_;
    std::unique_ptr<typename Rules::Board> board_;
    search::AlphaBeta<Rules> alphabeta_;
    search::Uct<Rules> uct_;
};

std::unique_ptr<Engine> engine(std::string_view game, const search::Parameters& parameters) {
    if (game == "microchess") return std::make_unique<EngineOf<search::Microchess>>(parameters);
    if (game == "othello") return std::make_unique<EngineOf<search::Othello>>(parameters);
    if (game == "gomoku") return std::make_unique<EngineOf<search::Gomoku>>(parameters);
    if (game == "mushroom") return std::make_unique<EngineOf<search::Mushroom>>(parameters);
    if (game == "go") return std::make_unique<EngineOf<search::Go>>(parameters);
    return nullptr;
}
constexpr const char* games[] = {"go", "gomoku", "microchess", "mushroom", "othello"};

constexpr long long most_turns = 2'000'000'000;

struct Searcher {
    PyObject_HEAD
    Engine* engine;
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
    static const char* keywords[] = {"game", "limit", "komi", nullptr};
    const char* game;
    search::Parameters parameters;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|$Ld:Searcher", const_cast<char**>(keywords), &game,
                                     &parameters.limit, &parameters.komi))
        return nullptr;
    if (parameters.limit < 0 || parameters.limit > most_turns || !std::isfinite(parameters.komi))
        return PyErr_Format(PyExc_ValueError, "no such limit or komi");
    return guarded([&]() -> PyObject* {
        auto found = engine(game, parameters);
        if (!found) return PyErr_Format(PyExc_ValueError, "there is no native search for %.100s", game);
        PyObject* self = type->tp_alloc(type, 0);
        if (self) searcher(self).engine = found.release();
        return self;
    });
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete searcher(self).engine;
    type->tp_free(self);
    Py_DECREF(type);
}

bool is_free(PyObject* self) {
    if (searcher(self).busy) PyErr_SetString(PyExc_RuntimeError, "the searcher is searching");
    return !searcher(self).busy;
}

// The texts of a sequence, which `held` keeps alive.
bool listed(PyObject* held, Texts& into) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(held); ++index) {
        Py_ssize_t size;
        const char* text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(held, index), &size);
        if (!text) return false;
        into.emplace_back(text, static_cast<std::size_t>(size));
    }
    return true;
}

PyObject* set(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "moves", "seen", "turns", nullptr};
    const char* text;
    Py_ssize_t length;
    PyObject *moves, *seen = nullptr;
    long long turns = 0;
    if (!is_free(self) || !PyArg_ParseTupleAndKeywords(args, kwargs, "s#O!|$O!L:set", const_cast<char**>(keywords), &text,
                                                       &length, &PyTuple_Type, &moves, &PyTuple_Type, &seen, &turns))
        return nullptr;
    if (turns < 0 || turns > most_turns) return PyErr_Format(PyExc_ValueError, "no such number of turns");
    return guarded([&]() -> PyObject* {
        Texts made, been;
        if (!listed(moves, made) || (seen && !listed(seen, been))) return nullptr;
        if (searcher(self).engine->set({text, static_cast<std::size_t>(length)}, made, been, turns)) Py_RETURN_NONE;
        return PyErr_Format(PyExc_ValueError, "no position of this game: %.200s", text);
    });
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

// Run a search without Python's lock: (move, nodes, depth, score, line, visits).
template <typename Search>
PyObject* searched(PyObject* self, double seconds, unsigned long long most, Search search) {
    if (!is_free(self)) return nullptr;
    if (searcher(self).engine->over()) {
        PyErr_SetString(PyExc_ValueError, "there is no move to choose: the game is over");
        return nullptr;
    }
    return guarded([&]() -> PyObject* {
        Found found;
        std::exception_ptr thrown;
        searcher(self).busy = true;
        Py_BEGIN_ALLOW_THREADS
        try {
            search::Watch watch(seconds, most, interrupted);
            found = search(*searcher(self).engine, watch);
        } catch (...) {
            thrown = std::current_exception();
        }
        Py_END_ALLOW_THREADS
        searcher(self).busy = false;
        if (thrown) std::rethrow_exception(thrown);
        if (PyErr_Occurred()) return nullptr;
        return Py_BuildValue("(sKidNN)", found.move.c_str(), static_cast<unsigned long long>(found.nodes), found.depth,
                             found.score, texts(found.line), counts(found.visits));
    });
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

PyObject* alphabeta(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"seconds", "nodes", "depth", "seed", "exact", nullptr};
    double seconds = unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = search::deepest, exact = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$dKiKp:alphabeta", const_cast<char**>(keywords), &seconds, &nodes,
                                     &depth, &seed, &exact))
        return nullptr;
    const search::Limits limits{seconds, nodes, std::min(std::max(depth, 1), search::deepest), seed, exact != 0};
    return searched(self, seconds, nodes, [&](Engine& engine, search::Watch& watch) { return engine.alphabeta(limits, watch); });
}

PyObject* uct(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"seconds", "simulations", "depth", "c", "rave", "amplify", "weighted", "seed", nullptr};
    search::Recipe recipe{.seconds = unlimited, .c = 1.4};
    unsigned long long simulations = ~0ULL, seed = 0;
    int amplified = 0, weighted = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$dKiddppK:uct", const_cast<char**>(keywords), &recipe.seconds,
                                     &simulations, &recipe.depth, &recipe.c, &recipe.rave, &amplified, &weighted, &seed))
        return nullptr;
    recipe.simulations = simulations;
    recipe.depth = std::max(recipe.depth, 0);
    recipe.amplified = amplified != 0;
    recipe.weighted = weighted != 0;
    recipe.seed = seed;
    return searched(self, recipe.seconds, simulations, [&](Engine& engine, search::Watch& watch) { return engine.uct(recipe, watch); });
}

PyObject* value(PyObject* self, void*) { return is_free(self) ? PyLong_FromLong(searcher(self).engine->value()) : nullptr; }
PyObject* share(PyObject* self, void*) { return is_free(self) ? PyFloat_FromDouble(searcher(self).engine->share()) : nullptr; }
PyObject* moves(PyObject* self, void*) { return is_free(self) ? PyLong_FromLong(searcher(self).engine->moves()) : nullptr; }

PyMethodDef methods[] = {
    {"set", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set)), METH_VARARGS | METH_KEYWORDS,
     "set(text, moves, *, seen, turns): the position to search, and the moves that led on from it."},
    {"alphabeta", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(alphabeta)), METH_VARARGS | METH_KEYWORDS,
     "alphabeta(*, seconds, nodes, depth, seed, exact): move, nodes, depth, score, line, visits."},
    {"uct", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(uct)), METH_VARARGS | METH_KEYWORDS,
     "uct(*, seconds, simulations, depth, c, rave, amplify, weighted, seed): move, simulations, depth, mean, line, visits."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef properties[] = {
    {"value", value, nullptr, "What the position is worth to the side to move; 0 if the game is over.", nullptr},
    {"share", share, nullptr, "White's share of what both have.", nullptr},
    {"moves", moves, nullptr, "How many legal moves there are.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, const_cast<char*>("Searches of one game; the table and the tree are kept from move to move.")},
    {0, nullptr},
};
PyType_Spec spec = {"agents._search._core.Searcher", sizeof(Searcher), 0, Py_TPFLAGS_DEFAULT, slots};

int fill(PyObject* module) {
    PyObject* names = PyTuple_New(std::size(games));
    for (std::size_t index = 0; names && index < std::size(games); ++index)
        PyTuple_SET_ITEM(names, static_cast<Py_ssize_t>(index), PyUnicode_FromString(games[index]));
    PyObject* type = PyType_FromSpec(&spec);
    const int failed = PyModule_AddObjectRef(module, "GAMES", names) || PyModule_AddObjectRef(module, "Searcher", type) ||
                       PyModule_AddIntConstant(module, "DECIDED", search::decided);
    Py_XDECREF(names);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill)}, {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "agents._search._core", "Native searches over the kernels of the games.",
                          0, nullptr, module_slots, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__core() { return PyModuleDef_Init(&definition); }
