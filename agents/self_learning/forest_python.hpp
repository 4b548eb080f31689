// The Python types Perceptron and Search of agents.self_learning._forest, and arrays of numbers.
#pragma once

#include "../core/arguments.hpp"
#include "forest.hpp"

namespace arena::learning {

inline void must_be(const char* name, long long value, long long least, long long most) {
    if (value < least || value > most) python::raise_value_error("%s must be from %lld to %lld, not %lld", name, least, most, value);
}

// An array of 32-bit numbers that Python owns.
struct Floats {
    Py_buffer view{};
    ~Floats() {
        if (view.obj) PyBuffer_Release(&view);
    }
    std::size_t size() const { return static_cast<std::size_t>(view.len) / sizeof(float); }
    float* numbers() const { return static_cast<float*>(view.buf); }

    // Copy the inputs of a batch into the array; returns the number of leaves.
    std::size_t take(const Batch& batch) const {
        if (size() < batch.numbers.size()) python::raise_value_error("the array has no room for %zu leaves", batch.size());
        std::copy(batch.numbers.begin(), batch.numbers.end(), numbers());
        return batch.size();
    }
};

inline PyObject* seconds_of(const Stages& stages) {
    PyObject* made = PyTuple_New(static_cast<Py_ssize_t>(Stage::count));
    for (int index = 0; index < static_cast<int>(Stage::count); ++index)
        python::put(made, index, python::tuple(std::string(stage_names[index]), stages.seconds(static_cast<Stage>(index))));
    return made;
}

using PerceptronObject = python::Object<Perceptron>;

inline std::unique_ptr<Perceptron> make_perceptron(const python::Call& call) {
    Floats weights;
    PyObject* hidden;
    PerceptronShape shape;
    int plain = 0;
    call.read("y*iO!i|$p:Perceptron", {"weights", "inputs", "hidden", "actions", "plain"}, &weights.view, &shape.inputs, &PyTuple_Type,
              &hidden, &shape.actions, &plain);
    must_be("inputs", shape.inputs, 1, 1'000'000);
    must_be("actions", shape.actions, 1, 65'534);
    shape.hidden = python::items(hidden, [](PyObject* item) {
        const long width = PyLong_AsLong(item);
        if (PyErr_Occurred()) throw python::Raised();
        must_be("the width of a layer", width, 1, 65'536);
        return static_cast<int>(width);
    });
    if (shape.hidden.empty()) python::raise_value_error("there must be a hidden layer");
    if (weights.size() != shape.weights() || weights.view.len % 4)
        python::raise_value_error("a network of this shape has %zu weights, not %zu", shape.weights(), weights.size());
    return std::make_unique<Perceptron>(shape, weights.numbers(), !plain);
}

// evaluate(inputs, values, margins, logits): fill three arrays.
inline PyObject* perceptron_evaluate(PerceptronObject& self, const python::Call& call) {
    Floats inputs, values, margins, logits;
    call.read("y*w*w*w*:evaluate", {"", "", "", ""}, &inputs.view, &values.view, &margins.view, &logits.view);
    const auto width = static_cast<std::size_t>(self->shape().inputs), actions = static_cast<std::size_t>(self->shape().actions);
    const std::size_t size = inputs.size() / width;
    if (inputs.size() % width || values.size() < size || margins.size() < size || logits.size() < size * actions)
        python::raise_value_error("these arrays do not fit the network");
    for (std::size_t row = 0; row < size; ++row) {
        self->read(inputs.numbers() + row * width);
        values.numbers()[row] = self->value();
        margins.numbers()[row] = self->margin();
        for (std::size_t action = 0; action < actions; ++action)
            logits.numbers()[row * actions + action] = self->logit(static_cast<int>(action));
    }
    return python::to_python(size);
}

inline PyMethodDef perceptron_methods[] = {
    python::method<perceptron_evaluate>("evaluate", "evaluate(inputs, values, margins, logits): fill the last three arrays; the number of positions."),
    {},
};

inline PyTypeObject* perceptron_type = nullptr;

inline PyObject* make_perceptron_type() {
    PyObject* made = PerceptronObject::type<make_perceptron>("agents.self_learning._forest.Perceptron",
                                                             "A multi-layer perceptron with heads for value, margin and policy.", perceptron_methods);
    perceptron_type = reinterpret_cast<PyTypeObject*>(made);
    return made;
}

inline Perceptron& perceptron_of(PyObject* object, const Shape& shape) {
    if (!PyObject_TypeCheck(object, perceptron_type)) python::raise(PyExc_TypeError, "a Perceptron is expected");
    Perceptron& found = *PerceptronObject::idle(object);
    if (found.shape().inputs != shape.inputs() || found.shape().actions != shape.actions)
        python::raise_value_error("the network has %d inputs and %d actions, the game %d and %d", found.shape().inputs,
                                  found.shape().actions, shape.inputs(), shape.actions);
    return found;
}

struct Branch {
    std::string move;
    std::uint32_t visits;
    double mean, prior;
};

// How a search treats its root; `simulations` is for the plan of Gumbel selection. A game that counts has no noise.
struct EngineSettings {
    SearchSettings search;
    RootSettings root;
    int simulations = 0;
    std::uint64_t seed = 0;
};

// The tree of one game. It is kept from move to move.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::PositionArguments&) = 0;
    virtual void tune(const EngineSettings&) = 0;
    virtual bool over() const = 0;
    virtual Shape shape() const = 0;
    virtual const Batch& batch() const = 0;
    virtual int collect(int leaves) = 0;
    virtual void expand(const float* values, const float* logits) = 0;
    virtual std::uint64_t run(Perceptron&, std::uint64_t most, int leaves, search::StopCondition&) = 0;
    virtual std::vector<Branch> branches() const = 0;
    virtual std::vector<double> root_priors() = 0;
    virtual std::vector<double> target() = 0;
    virtual std::vector<search::Branch> two_levels() const = 0;
    virtual std::vector<std::string> line() const = 0;
    virtual double value() const = 0;
    virtual std::uint32_t visits() const = 0;
    virtual int deepest() const = 0;
};

template <search::SearchGame Game>
class EngineOf final : public Engine {
public:
    EngineOf(const search::Parameters& parameters, std::uint32_t room) : parameters_(parameters), tree_(room) {}

    void set(const search::PositionArguments& arguments) override {
        tree_.begin(*arguments.board<Game>(parameters_), settings_.root, settings_.simulations, &random_);
        batch_.inputs = shape().inputs();
        batch_.clear();
    }
    void tune(const EngineSettings& settings) override {
        settings_ = settings;
        random_ = Random(settings.seed);
        tree_.set(settings.search);
    }
    bool over() const override { return tree_.over(); }
    Shape shape() const override { return Encoding<typename Game::Board>::shape(tree_.board()); }
    const Batch& batch() const override { return batch_; }
    int collect(int leaves) override {
        batch_.clear();
        const int made = tree_.collect(tree_.has_children() ? leaves : 1, batch_);
        if (!tree_.waits()) tree_.expand(batch_);
        return made;
    }
    void expand(const float* values, const float* logits) override {
        take_arrays(values, logits, shape().actions, batch_);
        tree_.expand(batch_);
        batch_.clear();
    }
    std::uint64_t run(Perceptron& perceptron, std::uint64_t most, int leaves, search::StopCondition& stop) override {
        std::uint64_t simulations = 0, rounds = 0;
        do {
            simulations += static_cast<std::uint64_t>(collect(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(leaves), most - simulations))));
            evaluate(perceptron, batch_);
            if (tree_.waits()) tree_.expand(batch_);
        } while (simulations < most && !stop.stop(++rounds, 7));
        batch_.clear();
        return simulations;
    }
    std::vector<Branch> branches() const override {
        std::vector<Branch> found;
        for (int index = 0; index < tree_.children(); ++index) {
            const puct::Node& child = tree_.child(index);
            found.push_back({Game::text(tree_.board(), static_cast<typename Game::Move>(child.move)), child.visits, tree_.mean(index), child.prior});
        }
        return found;
    }
    std::vector<double> root_priors() override { return tree_.has_children() ? tree_.root_priors() : std::vector<double>(); }
    std::vector<double> target() override { return tree_.has_children() ? tree_.target() : std::vector<double>(); }
    std::vector<search::Branch> two_levels() const override { return tree_.two_levels(); }
    std::vector<std::string> line() const override { return tree_.line(); }
    double value() const override { return tree_.value(); }
    std::uint32_t visits() const override { return tree_.visits(); }
    int deepest() const override { return tree_.deepest(); }

private:
    search::Parameters parameters_;
    EngineSettings settings_;
    Random random_{0};
    PolicyTree<Game> tree_;
    Batch batch_;
};

using SearchObject = python::Object<Engine>;

inline std::unique_ptr<Engine> make_search(const python::Call& call) {
    const char* game;
    search::Parameters parameters;
    long long room = 3'000'000;
    call.read("s|$LdpL:Search", {"game", "limit", "komi", "suicide", "room"}, &game, &parameters.limit, &parameters.komi,
              &parameters.suicide, &room);
    must_be("room", room, 1, 30'000'000);
    return search::AllGames::make_engine<Engine, EngineOf>(game, parameters, static_cast<std::uint32_t>(room));
}

inline PyObject* search_set(SearchObject& self, const python::Call& call) {
    self->set(search::PositionArguments::of(call));
    Py_RETURN_NONE;
}
inline PyObject* search_tune(SearchObject& self, const python::Call& call) {
    EngineSettings settings;
    unsigned long long seed = 0;
    call.read("|$dddddddiiK:tune", {"c", "fpu", "loss", "epsilon", "alpha", "root_temperature", "forced", "considered", "simulations", "seed"},
              &settings.search.c, &settings.search.fpu, &settings.search.loss, &settings.root.epsilon, &settings.root.alpha,
              &settings.root.temperature, &settings.root.forced, &settings.root.considered, &settings.simulations, &seed);
    settings.seed = seed;
    self->tune(settings);
    Py_RETURN_NONE;
}
inline PyObject* search_run(SearchObject& self, const python::Call& call) {
    PyObject* network;
    unsigned long long simulations = ~0ULL;
    double seconds = python::unlimited;
    int leaves = 1;
    call.read("O|$Kdi:run", {"", "simulations", "seconds", "leaves"}, &network, &simulations, &seconds, &leaves);
    search::must_go_on(self->over());
    must_be("leaves", leaves, 1, 1024);
    Perceptron& perceptron = perceptron_of(network, self->shape());
    return python::to_python(self.run_search(seconds, ~0ULL, [&](search::StopCondition& stop) {
        return self->run(perceptron, std::max(simulations, 1ULL), leaves, stop);
    }));
}
inline PyObject* search_collect(SearchObject& self, const python::Call& call) {
    Floats inputs;
    int leaves = 1;
    call.read("w*i:collect", {"", ""}, &inputs.view, &leaves);
    search::must_go_on(self->over());
    must_be("leaves", leaves, 1, 1024);
    if (self->batch().size()) python::raise_value_error("leaves wait for their values");
    if (inputs.size() < static_cast<std::size_t>(leaves) * static_cast<std::size_t>(self->shape().inputs()))
        python::raise_value_error("the array has no room for %d leaves", leaves);
    const int made = self->collect(leaves);
    return python::tuple(made, inputs.take(self->batch()));
}
inline PyObject* search_expand(SearchObject& self, const python::Call& call) {
    Floats values, logits;
    call.read("y*y*:expand", {"", ""}, &values.view, &logits.view);
    const std::size_t size = self->batch().size();
    if (!size || values.size() < size || logits.size() < size * static_cast<std::size_t>(self->shape().actions))
        python::raise_value_error("there must be a value and a row of logits for each leaf");
    self->expand(values.numbers(), logits.numbers());
    Py_RETURN_NONE;
}
inline PyObject* search_told(SearchObject& self) {
    const auto branch = [](const Branch& each) { return python::tuple(each.move, each.visits, each.mean, each.prior); };
    return python::tuple(self->visits(), self->deepest(), self->value(), self->line(), python::tuple_of(self->branches(), branch));
}
inline PyObject* search_two_levels(SearchObject& self) { return python::to_python(self->two_levels()); }
inline PyObject* search_target(SearchObject& self) { return python::tuple(python::to_python(self->target()), python::to_python(self->root_priors())); }

inline PyMethodDef search_methods[] = {
    python::method<search_set>("set", "set(text, moves, *, seen, turns): the root, and the moves made from there; the tree below it is kept."),
    python::method<search_tune>("tune", "tune(*, c, fpu, loss, epsilon, alpha, root_temperature, forced, considered, simulations, seed): "
                                       "how simulations choose moves, from the next root on."),
    python::method<search_run>("run", "run(perceptron, *, simulations, seconds, leaves): make simulations; returns their number."),
    python::method<search_collect>("collect", "collect(inputs, leaves): walk to leaves; the number of simulations, and of leaves that must be evaluated."),
    python::method<search_expand>("expand", "expand(values, logits): finish these simulations."),
    python::simple_method<search_target>("target", "target(): what a sample would store as the policy, and the priors of the root with noise."),
    python::simple_method<search_told>("told", "told(): visits, depth, value, line, (move, visits, mean, prior) of every move."),
    python::simple_method<search_two_levels>("two_levels", "two_levels(): (line, visits, mean) of the most visited moves and answers."),
    {},
};

inline PyObject* make_search_type() {
    return SearchObject::type<make_search>("agents.self_learning._forest.Search", "The tree of one game. It is kept from move to move.", search_methods);
}

}  // namespace arena::learning
