// The tree of PUCT over the kernels of the games, for Python: agents.puct._native.
#include "../core/game.hpp"
#include "puct.hpp"

namespace {

using namespace arena;

// One game's tree, whatever the game.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::Place&) = 0;
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

    void set(const search::Place& place) override { puct_.root(*place.board<Rules>(parameters_)); }
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

constexpr long long most_nodes = 30'000'000;
constexpr int most_leaves = 4096, most_cached = 24;

using Tree = python::Object<Engine>;

std::unique_ptr<Engine> make(const python::Call& call) {
    const char* game;
    search::Parameters parameters;
    long long room = 3'000'000;
    call.read("s|$LdL:Tree", {"game", "limit", "komi", "room"}, &game, &parameters.limit, &parameters.komi, &room);
    if (room < 1 || room > most_nodes) python::refuse("room must be from 1 to %lld", most_nodes);
    return search::AllGames::engine<Engine, EngineOf>(game, parameters, static_cast<std::uint32_t>(room));
}

PyObject* set(Tree& self, const python::Call& call) {
    self->set(search::Place::of(call));
    Py_RETURN_NONE;
}

std::vector<double> numbers(PyObject* tuple) {
    return python::items(tuple, [](PyObject* item) {
        const double number = PyFloat_AsDouble(item);
        if (PyErr_Occurred()) throw python::Raised();
        return number;
    });
}

PyObject* tune(Tree& self, const python::Call& call) {
    puct::Settings settings;
    PyObject* noise = nullptr;
    call.read("|$dddidO!:tune", {"c", "fpu", "loss", "batch", "epsilon", "noise"}, &settings.c, &settings.fpu, &settings.loss,
              &settings.batch, &settings.epsilon, &PyTuple_Type, &noise);
    search::must_go_on(self->over());
    if (settings.batch < 1 || settings.batch > most_leaves) python::refuse("batch must be from 1 to %d", most_leaves);
    const std::vector<double> noises = noise ? numbers(noise) : std::vector<double>();
    if (!noises.empty() && noises.size() != static_cast<std::size_t>(self->moves()))
        python::refuse("there must be as many noises as moves");
    self->set(settings, noises);
    Py_RETURN_NONE;
}

PyObject* run(Tree& self, const python::Call& call) {
    unsigned long long simulations = ~0ULL;
    double seconds = python::unlimited;
    puct::Heuristic heuristic;
    int cache = 0, timed = 0;
    call.read("|$Kdddip:run", {"simulations", "seconds", "scale", "look", "cache", "timed"}, &simulations, &seconds,
              &heuristic.scale, &heuristic.look, &cache, &timed);
    search::must_go_on(self->over());
    if (cache < 0 || cache > most_cached) python::refuse("cache must be from 0 to %d", most_cached);
    const std::size_t places = cache ? std::size_t{1} << cache : 0;
    return python::written(self.searched(seconds, ~0ULL, [&](search::Watch& watch) {
        return self->run(heuristic, places, std::max(simulations, 1ULL), timed != 0, watch);
    }));
}

PyObject* collect(Tree& self, const python::Call& call) {
    long batch;
    call.read("l:collect", {""}, &batch);
    search::must_go_on(self->over());
    if (batch < 1 || batch > most_leaves) python::refuse("batch must be from 1 to %d", most_leaves);
    return python::written(self->collect(static_cast<int>(batch)));
}

PyObject* expand(Tree& self, const python::Call& call) {
    PyObject* evaluations;
    call.read("O:expand", {""}, &evaluations);
    const int simulations = self->expand(python::items(evaluations, [](PyObject* item) {
        puct::Evaluation evaluation;
        PyObject* priors;
        if (!PyTuple_Check(item)) python::raise(PyExc_TypeError, "a tuple of value and priors is expected");
        if (!PyArg_ParseTuple(item, "dO", &evaluation.value, &priors)) throw python::Raised();
        evaluation.priors = numbers(priors);
        return evaluation;
    }));
    if (simulations < 0) python::refuse("these evaluations do not fit the leaves");
    return python::written(simulations);
}

PyObject* told(Tree& self) {
    const auto branch = [](const puct::Branch& branch) { return python::tuple(branch.move, branch.visits, branch.mean, branch.prior); };
    return python::tuple(self->visits(), self->deepest(), self->line(), python::listed(self->branches(), branch));
}

PyObject* figures(Tree& self) {
    const double* seconds = self->seconds();
    return python::tuple(self->nodes(), self->nodes() * sizeof(puct::Node), self->asked(), self->hits(), seconds[puct::SELECT],
                         seconds[puct::EVALUATE], seconds[puct::EXPAND], seconds[puct::BACKUP]);
}

PyMethodDef methods[] = {
    python::method<set>("set", "set(text, moves, *, seen, turns): the root, and the moves that led on from it; "
                               "what is known of it is kept."),
    python::method<tune>("tune", "tune(*, c, fpu, loss, batch, epsilon, noise): how simulations find their way, until the next root."),
    python::method<run>("run", "run(*, simulations, seconds, scale, look, cache, timed): simulations by a heuristic; their number."),
    python::method<collect>("collect", "collect(batch): the ways, as moves from the root, to leaves that must be evaluated."),
    python::method<expand>("expand", "expand(evaluations): (value, priors) of each of these leaves; the number of simulations."),
    python::question<told>("told", "told(): visits, depth, line, (move, visits, mean, prior) of every move."),
    python::question<figures>("figures", "figures(): nodes, bytes, positions valued, those known by then, "
                                         "seconds to select, evaluate, expand, back up."),
    {},
};

void fill(PyObject* module) {
    const char* text = "The tree of one game; it is kept from move to move.";
    python::add(module, "Tree", Tree::type<make>("agents.puct._native.Tree", text, methods));
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<fill>("agents.puct._native", "The tree of PUCT over the kernels of the games.");
}
