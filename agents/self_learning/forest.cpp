// Self-play and search with a network as the Python module agents.self_learning._forest.
#include "../core/arguments.hpp"
#include "forest.hpp"
#include "forest_python.hpp"

namespace {

using namespace arena;
using namespace arena::learning;

// A chunk of games of one game, behind an interface that is the same for all games.
struct Chunk {
    virtual ~Chunk() = default;
    virtual const Shape& shape() const = 0;
    virtual const Batch& batch() const = 0;
    virtual const Harvest& harvest() const = 0;
    virtual const Stages& stages() const = 0;
    virtual bool collect() = 0;
    virtual void expand(const float* values, const float* logits) = 0;
    virtual bool run(Perceptron&, search::StopCondition&) = 0;
    std::size_t width = 0;
    bool waits = false;  // a batch was collected and not expanded
};

struct ChunkArguments {
    PlaySettings settings;
    ChunkSettings chunk;
    python::Texts starts;
};

template <search::SearchGame Game>
class ChunkOf final : public Chunk {
public:
    ChunkOf(const search::Parameters& parameters, const ChunkArguments* given)
        : forest_(given->settings, given->chunk, boards(parameters, given->starts)) {
        width = static_cast<std::size_t>(given->settings.width);
    }
    const Shape& shape() const override { return forest_.shape(); }
    const Batch& batch() const override { return forest_.batch(); }
    const Harvest& harvest() const override { return forest_.harvest(); }
    const Stages& stages() const override { return forest_.stages(); }
    bool collect() override { return forest_.collect(); }
    void expand(const float* values, const float* logits) override { forest_.expand(values, logits); }
    bool run(Perceptron& perceptron, search::StopCondition& stop) override { return forest_.run(perceptron, stop); }

private:
    static std::vector<typename Game::Board> boards(const search::Parameters& parameters, const python::Texts& starts) {
        std::vector<typename Game::Board> found;
        for (const std::string_view text : starts) {
            const auto board = Game::make_board(text, parameters);
            if (!board) python::raise_value_error("no position of this game: %.200s", std::string(text).c_str());
            found.push_back(*board);
        }
        return found;
    }
    Forest<Game> forest_;
};

using ForestObject = python::Object<Chunk>;

std::unique_ptr<Chunk> make_forest(const python::Call& call) {
    const char* game;
    PyObject* starts;
    search::Parameters parameters;
    ChunkArguments given;
    PlaySettings& play = given.settings;
    long long games = 1, parallel = 1, examples = 0;
    int record_fast = 0;
    unsigned long long seed = 0;
    unsigned int generation = 0;
    call.read("sO!|$LdpLLLKIdddddddiiidpdddidiii:Forest",
              {"game", "starts", "limit", "komi", "suicide", "games", "parallel", "examples", "seed", "generation", "c", "fpu", "loss",
               "epsilon", "alpha", "root_temperature", "forced", "considered", "full", "fast", "full_share", "record_fast",
               "temperature", "temperature_end", "halflife", "opening", "surprise", "leaves", "most_turns", "width"},
              &game, &PyTuple_Type, &starts, &parameters.limit, &parameters.komi, &parameters.suicide, &games, &parallel, &examples,
              &seed, &generation,
              &play.search.c, &play.search.fpu, &play.search.loss, &play.root.epsilon, &play.root.alpha, &play.root.temperature,
              &play.root.forced, &play.root.considered, &play.full, &play.fast, &play.full_share, &record_fast, &play.temperature,
              &play.temperature_end, &play.halflife, &play.opening, &play.surprise, &play.leaves, &play.most_turns, &play.width);
    play.record_fast = record_fast;
    given.starts = python::texts(starts);
    if (given.starts.empty()) python::raise_value_error("there must be a start position");
    must_be("games", games, 0, 1'000'000);
    must_be("parallel", parallel, 1, 4096);
    must_be("examples", examples, 0, 1'000'000);
    must_be("full", play.full, 1, 100'000);
    must_be("fast", play.fast, 1, 100'000);
    must_be("leaves", play.leaves, 1, 1024);
    must_be("width", play.width, 1, 4096);
    must_be("opening", play.opening, 0, 10'000);
    given.chunk = {static_cast<std::size_t>(games), static_cast<std::size_t>(parallel), static_cast<std::size_t>(examples), seed, generation};
    auto made = search::AllGames::make_engine<Chunk, ChunkOf>(game, parameters, &given);
    must_be("actions", made->shape().actions, 1, Samples::no_move);
    return made;
}

PyObject* forest_run(ForestObject& self, const python::Call& call) {
    PyObject* network;
    call.read("O:run", {""}, &network);
    Perceptron& perceptron = perceptron_of(network, self->shape());
    return python::to_python(self.run_search(python::unlimited, ~0ULL, [&](search::StopCondition& stop) {
        return self->run(perceptron, stop);
    }));
}

PyObject* forest_collect(ForestObject& self, const python::Call& call) {
    Floats inputs;
    call.read("w*:collect", {""}, &inputs.view);
    if (!self->waits) self->waits = self->collect();
    return python::to_python(inputs.take(self->batch()));
}

PyObject* forest_expand(ForestObject& self, const python::Call& call) {
    Floats values, logits;
    call.read("y*y*:expand", {"", ""}, &values.view, &logits.view);
    const std::size_t size = self->batch().size(), actions = static_cast<std::size_t>(self->shape().actions);
    if (!self->waits || values.size() < size || logits.size() < size * actions)
        python::raise_value_error("there must be a value and a row of logits for each leaf");
    self->expand(values.numbers(), logits.numbers());
    self->waits = false;
    Py_RETURN_NONE;
}

PyObject* forest_rows(ForestObject& self) {
    std::size_t size = 0;
    for (const auto& game : self->harvest().rows) size += game.size();
    PyObject* bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (!bytes) throw python::Raised();
    char* into = PyBytes_AS_STRING(bytes);
    for (const auto& game : self->harvest().rows) into = std::copy(game.begin(), game.end(), into);
    return bytes;
}

PyObject* forest_figures(ForestObject& self) {
    const Harvest& harvest = self->harvest();
    return python::tuple(harvest.games, harvest.positions, harvest.nodes, Samples::row_size(self->shape(), static_cast<int>(self->width)),
                         seconds_of(self->stages()), python::to_python(harvest.examples));
}

PyMethodDef forest_methods[] = {
    python::method<forest_run>("run", "run(perceptron): play all games; False if it was stopped."),
    python::method<forest_collect>("collect", "collect(inputs): walk to the next leaves and write their inputs; their number, 0 at the end."),
    python::method<forest_expand>("expand", "expand(values, logits): go on with the values of these leaves and the logits of all actions."),
    python::simple_method<forest_rows>("rows", "rows(): the samples of all finished games, in the order of the games."),
    python::simple_method<forest_figures>("figures", "figures(): games, positions, nodes, bytes of a row, ((stage, CPU seconds), ...), examples."),
    {},
};

PyObject* make_forest_type() {
    return ForestObject::type<make_forest>("agents.self_learning._forest.Forest", "Many games of self-play at once.", forest_methods);
}

void fill(PyObject* module) {
    python::add_type<make_forest_type>(module);
    python::add_type<make_perceptron_type>(module);
    python::add_type<make_search_type>(module);
    python::add(module, "GAMES", python::to_python(search::AllGames::names()));
}

}  // namespace

PyMODINIT_FUNC PyInit__forest() {
    return python::module<fill>("agents.self_learning._forest", "PUCT with a network: self-play over many games, and search.");
}
