// The search tree of PUCT as the Python module agents.puct._native.
#include "../core/arguments.hpp"
#include "puct.hpp"

namespace {

using namespace arena;

// The tree of one game, behind an interface that is the same for all games.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::PositionArguments&) = 0;
    virtual bool over() const = 0;
    virtual int moves() const = 0;
    virtual void set(const puct::Settings&, const std::vector<double>& noise) = 0;
    virtual std::uint64_t run(const puct::Heuristic&, int cache_bits, std::uint64_t most, bool timed, search::StopCondition&) = 0;
    virtual std::vector<std::vector<std::string>> collect(int batch) = 0;
    virtual int expand(const std::vector<puct::Evaluation>&) = 0;
    virtual std::uint32_t visits() const = 0;
    virtual int deepest() const = 0;
    virtual std::vector<puct::Branch> branches() const = 0;
    virtual std::vector<search::Branch> two_levels() const = 0;
    virtual std::vector<std::string> line() const = 0;
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint64_t asked() const = 0;
    virtual std::uint64_t hits() const = 0;
    virtual const double* seconds() const = 0;
};

template <search::SearchGame Game>
class EngineOf final : public Engine {
public:
    EngineOf(const search::Parameters& parameters, std::uint32_t room) : parameters_(parameters), puct_(room) {}

    void set(const search::PositionArguments& arguments) override { puct_.set_root(*arguments.board<Game>(parameters_)); }
    bool over() const override { return puct_.over(); }
    int moves() const override { return puct_.moves(); }
    void set(const puct::Settings& settings, const std::vector<double>& noise) override { puct_.set(settings, noise); }
    std::uint64_t run(const puct::Heuristic& heuristic, int cache_bits, std::uint64_t most, bool timed, search::StopCondition& stop) override {
        return puct_.run(heuristic, cache_bits, most, timed, stop);
    }
    std::vector<std::vector<std::string>> collect(int batch) override { return puct_.collect(batch); }
    int expand(const std::vector<puct::Evaluation>& evaluations) override { return puct_.expand(evaluations); }
    std::uint32_t visits() const override { return puct_.visits(); }
    int deepest() const override { return puct_.deepest(); }
    std::vector<puct::Branch> branches() const override { return puct_.branches(); }
    std::vector<search::Branch> two_levels() const override { return puct_.two_levels(); }
    std::vector<std::string> line() const override { return puct_.line(); }
    std::uint32_t nodes() const override { return puct_.tree().used(); }
    std::uint64_t asked() const override { return puct_.asked(); }
    std::uint64_t hits() const override { return puct_.hits(); }
    const double* seconds() const override { return puct_.seconds(); }

private:
    search::Parameters parameters_;
    puct::Puct<Game> puct_;
};

constexpr long long most_nodes = 30'000'000;
constexpr int most_leaves = 4096, most_cached = 24;

using Tree = python::Object<Engine>;

std::unique_ptr<Engine> make(const python::Call& call) {
    const char* game;
    search::Parameters parameters;
    long long room = 3'000'000;
    call.read("s|$LdpL:Tree", {"game", "limit", "komi", "suicide", "room"}, &game, &parameters.limit, &parameters.komi,
              &parameters.suicide, &room);
    if (room < 1 || room > most_nodes) python::raise_value_error("room must be from 1 to %lld", most_nodes);
    return search::AllGames::make_engine<Engine, EngineOf>(game, parameters, static_cast<std::uint32_t>(room));
}

PyObject* set(Tree& self, const python::Call& call) {
    self->set(search::PositionArguments::of(call));
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
    if (settings.batch < 1 || settings.batch > most_leaves) python::raise_value_error("batch must be from 1 to %d", most_leaves);
    const std::vector<double> noises = noise ? numbers(noise) : std::vector<double>();
    if (!noises.empty() && noises.size() != static_cast<std::size_t>(self->moves()))
        python::raise_value_error("there must be one noise value for each move");
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
    if (cache < 0 || cache > most_cached) python::raise_value_error("cache must be from 0 to %d", most_cached);
    return python::to_python(self.run_search(seconds, ~0ULL, [&](search::StopCondition& stop) {
        return self->run(heuristic, cache, std::max(simulations, 1ULL), timed != 0, stop);
    }));
}

PyObject* collect(Tree& self, const python::Call& call) {
    long batch;
    call.read("l:collect", {""}, &batch);
    search::must_go_on(self->over());
    if (batch < 1 || batch > most_leaves) python::raise_value_error("batch must be from 1 to %d", most_leaves);
    return python::to_python(self->collect(static_cast<int>(batch)));
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
    if (simulations < 0) python::raise_value_error("these evaluations do not fit the leaves");
    return python::to_python(simulations);
}

PyObject* told(Tree& self) {
    const auto branch = [](const puct::Branch& branch) { return python::tuple(branch.move, branch.visits, branch.mean, branch.prior); };
    return python::tuple(self->visits(), self->deepest(), self->line(), python::tuple_of(self->branches(), branch));
}

PyObject* two_levels(Tree& self) { return python::to_python(self->two_levels()); }

PyObject* figures(Tree& self) {
    const double* seconds = self->seconds();
    return python::tuple(self->nodes(), self->nodes() * sizeof(puct::Node), self->asked(), self->hits(), seconds[puct::SELECT],
                         seconds[puct::EVALUATE], seconds[puct::EXPAND], seconds[puct::BACKUP]);
}

PyMethodDef methods[] = {
    python::method<set>("set", "set(text, moves, *, seen, turns): the root, and the moves made from there; "
                               "the part of the tree below it is kept."),
    python::method<tune>("tune", "tune(*, c, fpu, loss, batch, epsilon, noise): how simulations choose moves, until the next root."),
    python::method<run>("run", "run(*, simulations, seconds, scale, look, cache, timed): make simulations, evaluated by a heuristic; returns their number."),
    python::method<collect>("collect", "collect(batch): the paths, as moves from the root, to leaves that must be evaluated."),
    python::method<expand>("expand", "expand(evaluations): (value, priors) of each of these leaves; the number of simulations."),
    python::simple_method<told>("told", "told(): visits, depth, line, (move, visits, mean, prior) of every move."),
    python::simple_method<two_levels>("two_levels", "two_levels(): (line, visits, mean) of the most visited moves and answers."),
    python::simple_method<figures>("figures", "figures(): nodes, bytes, positions evaluated, cache hits, "
                                         "seconds to select, evaluate, expand, back up."),
    {},
};

PyObject* make_type() {
    return Tree::type<make>("agents.puct._native.Tree", "The tree of one game. It is kept from move to move.", methods);
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<python::add_type<make_type>>("agents.puct._native", "The search tree of PUCT for all games.");
}
