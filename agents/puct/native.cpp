// The tree of PUCT over the kernels of the games, for Python: agents.puct._native.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <iterator>
#include <limits>

#include "puct.hpp"

namespace {

using namespace arena;

using Texts = std::vector<std::string_view>;

// One game's tree, whatever the game.
struct Engine {
    virtual ~Engine() = default;
    virtual bool set(std::string_view text, const Texts& moves, const Texts& seen, long long turns) = 0;
    virtual bool over() const = 0;
    virtual int moves() const = 0;
    virtual void set(const puct::Settings&, const std::vector<double>& noise) = 0;
    virtual std::uint64_t run(const puct::Heuristic&, std::size_t cache, std::uint64_t most, bool timed, search::Watch&) = 0;
    virtual std::vector<std::vector<std::string>> collect(int batch) = 0;
    virtual int expand(const std::vector<puct::Evaluation>&) = 0;
    virtual std::uint32_t visits() const = 0;
    virtual int deepest() const = 0;
    virtual std::vector<puct::Branch> branches() const = 0;
    virtual std::vector<std::string> line() const = 0;
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint64_t asked() const = 0;
    virtual std::uint64_t hits() const = 0;
    virtual const double* seconds() const = 0;
};

template <typename Rules>
class EngineOf final : public Engine {
public:
    EngineOf(const search::Parameters& parameters, std::uint32_t room) : parameters_(parameters), puct_(room) {}

    bool set(std::string_view text, const Texts& moves, const Texts& seen, long long turns) override {
        search::Parameters parameters = parameters_;
        parameters.seen = seen;
        parameters.turns = turns;
        const auto board = Rules::set_up(text, parameters);
        for (const std::string_view move : moves) {
            const auto found = board ? Rules::read(*board, move) : std::nullopt;
            if (!found) return false;
            board->push(*found);
        }
        if (board) puct_.root(*board);
        return board != nullptr;
    }
    bool over() const override { return puct_.over(); }
    int moves() const override { return puct_.moves(); }
    void set(const puct::Settings& settings, const std::vector<double>& noise) override { puct_.set(settings, noise); }
    std::uint64_t run(const puct::Heuristic& heuristic, std::size_t cache, std::uint64_t most, bool timed, search::Watch& watch) override {
        return puct_.run(heuristic, cache, most, timed, watch);
    }
    std::vector<std::vector<std::string>> collect(int batch) override { return puct_.collect(batch); }
    int expand(const std::vector<puct::Evaluation>& evaluations) override { return puct_.expand(evaluations); }
    std::uint32_t visits() const override { return puct_.visits(); }
    int deepest() const override { return puct_.deepest(); }
    std::vector<puct::Branch> branches() const override { return puct_.branches(); }
    std::vector<std::string> line() const override { return puct_.line(); }
    std::uint32_t nodes() const override { return puct_.tree().used(); }
    std::uint64_t asked() const override { return puct_.asked(); }
    std::uint64_t hits() const override { return puct_.hits(); }
    const double* seconds() const override { return puct_.seconds(); }

private:
    search::Parameters parameters_;
    puct::Puct<Rules> puct_;
};

std::unique_ptr<Engine> engine(std::string_view game, const search::Parameters& parameters, std::uint32_t room) {
    if (game == "microchess") return std::make_unique<EngineOf<search::Microchess>>(parameters, room);
    if (game == "othello") return std::make_unique<EngineOf<search::Othello>>(parameters, room);
    if (game == "gomoku") return std::make_unique<EngineOf<search::Gomoku>>(parameters, room);
    if (game == "mushroom") return std::make_unique<EngineOf<search::Mushroom>>(parameters, room);
    if (game == "go") return std::make_unique<EngineOf<search::Go>>(parameters, room);
    return nullptr;
}

constexpr long long most_turns = 2'000'000'000, most_nodes = 30'000'000;
constexpr int most_leaves = 4096, most_cached = 24;

struct TreeObject {
    PyObject_HEAD
    Engine* engine;
    bool busy;  // a search runs, without Python's lock
};
TreeObject& tree(PyObject* self) { return *reinterpret_cast<TreeObject*>(self); }
Engine& engine_of(PyObject* self) { return *tree(self).engine; }

bool is_free(PyObject* self) {
    if (tree(self).busy) PyErr_SetString(PyExc_RuntimeError, "the tree is being searched");
    return !tree(self).busy;
}

bool goes_on(PyObject* self) {
    if (!is_free(self)) return false;
    if (engine_of(self).over()) PyErr_SetString(PyExc_ValueError, "there is no move to choose: the game is over");
    return !PyErr_Occurred();
}

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

bool is_tuple(PyObject* object) {
    if (!PyTuple_Check(object)) PyErr_SetString(PyExc_TypeError, "a tuple is expected");
    return PyTuple_Check(object);
}

// The texts of a tuple, which keeps them alive.
bool read(PyObject* held, Texts& into) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(held); ++index) {
        Py_ssize_t size;
        const char* text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(held, index), &size);
        if (!text) return false;
        into.emplace_back(text, static_cast<std::size_t>(size));
    }
    return true;
}

bool read(PyObject* held, std::vector<double>& into) {
    if (!is_tuple(held)) return false;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(held); ++index) {
        into.push_back(PyFloat_AsDouble(PyTuple_GET_ITEM(held, index)));
        if (PyErr_Occurred()) return false;
    }
    return true;
}

// Tuples of (value, priors).
bool read(PyObject* held, std::vector<puct::Evaluation>& into) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(held); ++index) {
        PyObject* item = PyTuple_GET_ITEM(held, index);
        PyObject* priors;
        auto& evaluation = into.emplace_back();
        if (!is_tuple(item) || !PyArg_ParseTuple(item, "dO", &evaluation.value, &priors) || !read(priors, evaluation.priors)) return false;
    }
    return true;
}

PyObject* written(const std::string& text) {
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
PyObject* written(const puct::Branch& branch) {
    return Py_BuildValue("(skdd)", branch.move.c_str(), static_cast<unsigned long>(branch.visits), branch.mean, branch.prior);
}
template <typename Item>
PyObject* written(const std::vector<Item>& items) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(items.size()));
    for (std::size_t index = 0; tuple && index < items.size(); ++index) {
        PyObject* item = written(items[index]);
        if (!item) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), item);
    }
    return tuple;
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"game", "limit", "komi", "room", nullptr};
    const char* game;
    search::Parameters parameters;
    long long room = 3'000'000;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|$LdL:Tree", const_cast<char**>(keywords), &game, &parameters.limit,
                                     &parameters.komi, &room))
        return nullptr;
    if (parameters.limit < 0 || parameters.limit > most_turns || !std::isfinite(parameters.komi))
        return PyErr_Format(PyExc_ValueError, "no such limit or komi");
    if (room < 1 || room > most_nodes) return PyErr_Format(PyExc_ValueError, "room must be from 1 to %lld", most_nodes);
    return guarded([&]() -> PyObject* {
        auto found = engine(game, parameters, static_cast<std::uint32_t>(room));
        if (!found) return PyErr_Format(PyExc_ValueError, "there is no native tree for %.100s", game);
        PyObject* self = type->tp_alloc(type, 0);
        if (self) tree(self).engine = found.release();
        return self;
    });
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete tree(self).engine;
    type->tp_free(self);
    Py_DECREF(type);
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
        if (!read(moves, made) || (seen && !read(seen, been))) return nullptr;
        if (engine_of(self).set({text, static_cast<std::size_t>(length)}, made, been, turns)) Py_RETURN_NONE;
        return PyErr_Format(PyExc_ValueError, "no position of this game: %.200s", text);
    });
}

PyObject* tune(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"c", "fpu", "loss", "batch", "epsilon", "noise", nullptr};
    puct::Settings settings;
    PyObject* held = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$dddidO!:tune", const_cast<char**>(keywords), &settings.c, &settings.fpu,
                                     &settings.loss, &settings.batch, &settings.epsilon, &PyTuple_Type, &held) ||
        !goes_on(self))
        return nullptr;
    if (settings.batch < 1 || settings.batch > most_leaves)
        return PyErr_Format(PyExc_ValueError, "batch must be from 1 to %d", most_leaves);
    return guarded([&]() -> PyObject* {
        std::vector<double> noise;
        if (held && !read(held, noise)) return nullptr;
        if (!noise.empty() && noise.size() != static_cast<std::size_t>(engine_of(self).moves()))
            return PyErr_Format(PyExc_ValueError, "there must be as many noises as moves");
        engine_of(self).set(settings, noise);
        Py_RETURN_NONE;
    });
}

PyObject* run(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"simulations", "seconds", "scale", "look", "cache", "timed", nullptr};
    unsigned long long simulations = ~0ULL;
    double seconds = std::numeric_limits<double>::infinity();
    puct::Heuristic heuristic;
    int cache = 0, timed = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$Kdddip:run", const_cast<char**>(keywords), &simulations, &seconds,
                                     &heuristic.scale, &heuristic.look, &cache, &timed) ||
        !goes_on(self))
        return nullptr;
    if (cache < 0 || cache > most_cached) return PyErr_Format(PyExc_ValueError, "cache must be from 0 to %d", most_cached);
    return guarded([&]() -> PyObject* {
        std::uint64_t made = 0;
        std::exception_ptr thrown;
        tree(self).busy = true;
        Py_BEGIN_ALLOW_THREADS
        try {
            search::Watch watch(seconds, ~0ULL, interrupted);
            made = engine_of(self).run(heuristic, cache ? std::size_t{1} << cache : 0, std::max(simulations, 1ULL), timed != 0, watch);
        } catch (...) {
            thrown = std::current_exception();
        }
        Py_END_ALLOW_THREADS
        tree(self).busy = false;
        if (thrown) std::rethrow_exception(thrown);
        return PyErr_Occurred() ? nullptr : PyLong_FromUnsignedLongLong(made);
    });
}

PyObject* collect(PyObject* self, PyObject* argument) {
    const long batch = PyLong_AsLong(argument);
    if ((batch == -1 && PyErr_Occurred()) || !goes_on(self)) return nullptr;
    if (batch < 1 || batch > most_leaves) return PyErr_Format(PyExc_ValueError, "batch must be from 1 to %d", most_leaves);
    return guarded([&] { return written(engine_of(self).collect(static_cast<int>(batch))); });
}

PyObject* expand(PyObject* self, PyObject* argument) {
    if (!is_free(self) || !is_tuple(argument)) return nullptr;
    return guarded([&]() -> PyObject* {
        std::vector<puct::Evaluation> evaluations;
        if (!read(argument, evaluations)) return nullptr;
        const int simulations = engine_of(self).expand(evaluations);
        if (simulations < 0) return PyErr_Format(PyExc_ValueError, "these evaluations do not fit the leaves");
        return PyLong_FromLong(simulations);
    });
}

PyObject* told(PyObject* self, PyObject*) {
    if (!is_free(self)) return nullptr;
    return guarded([&]() -> PyObject* {
        const Engine& engine = engine_of(self);
        return Py_BuildValue("(kiNN)", static_cast<unsigned long>(engine.visits()), engine.deepest(), written(engine.line()),
                             written(engine.branches()));
    });
}

PyObject* figures(PyObject* self, PyObject*) {
    if (!is_free(self)) return nullptr;
    const Engine& engine = engine_of(self);
    const double* seconds = engine.seconds();
    return Py_BuildValue("(kkKKdddd)", static_cast<unsigned long>(engine.nodes()),
                         static_cast<unsigned long>(engine.nodes() * sizeof(puct::Node)),
                         static_cast<unsigned long long>(engine.asked()), static_cast<unsigned long long>(engine.hits()),
                         seconds[puct::SELECT], seconds[puct::EVALUATE], seconds[puct::EXPAND], seconds[puct::BACKUP]);
}

PyCFunction with_keywords(PyCFunctionWithKeywords function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
PyMethodDef methods[] = {
    {"set", with_keywords(set), METH_VARARGS | METH_KEYWORDS,
     "set(text, moves, *, seen, turns): the root, and the moves that led on from it; what is known of it is kept."},
    {"tune", with_keywords(tune), METH_VARARGS | METH_KEYWORDS,
     "tune(*, c, fpu, loss, batch, epsilon, noise): how simulations find their way, until the next root."},
    {"run", with_keywords(run), METH_VARARGS | METH_KEYWORDS,
     "run(*, simulations, seconds, scale, look, cache, timed): simulations by a heuristic; their number."},
    {"collect", collect, METH_O, "collect(batch): the ways, as moves from the root, to leaves that must be evaluated."},
    {"expand", expand, METH_O, "expand(evaluations): (value, priors) of each of these leaves; the number of simulations."},
    {"told", told, METH_NOARGS, "told(): visits, depth, line, (move, visits, mean, prior) of every move."},
    {"figures", figures, METH_NOARGS,
     "figures(): nodes, bytes, positions valued, those known by then, seconds to select, evaluate, expand, back up."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("The tree of one game; it is kept from move to move.")},
    {0, nullptr},
};
PyType_Spec spec = {"agents.puct._native.Tree", sizeof(TreeObject), 0, Py_TPFLAGS_DEFAULT, slots};

int fill(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    const int failed = PyModule_AddObjectRef(module, "Tree", type);
    Py_XDECREF(type);
    return failed;
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill)}, {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "agents.puct._native", "The tree of PUCT over the kernels of the games.",
                          0, nullptr, module_slots, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
