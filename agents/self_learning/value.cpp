// Alpha-beta with a learned value, and its self-play, as the Python module agents.self_learning._value.
#include "../core/arguments.hpp"
#include "value_play.hpp"

namespace {

using namespace arena;
using LearnedGames = search::GameList<search::Chess, search::Gomoku, search::Microchess, search::Othello>;

// The search of one game with one set of weights.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::PositionArguments&) = 0;
    virtual bool over() const = 0;
    virtual bool is_ready() const = 0;
    virtual void use_endings(std::string_view) = 0;
    virtual int value() = 0;
    virtual std::uint64_t key() const = 0;
    virtual std::vector<int> features() const = 0;
    virtual std::pair<int, int> sizes() const = 0;
    virtual std::pair<std::uint64_t, std::uint64_t> effort() const = 0;
    virtual search::SearchResult alphabeta(const search::Limits&, search::StopCondition&) = 0;
    virtual value::Played play(const value::PlaySettings&, search::StopCondition&) const = 0;
};

template <search::SearchGame Game>
class EngineOf final : public Engine {
    using Set = value::Features<Game>;
    using Leaf = value::LearnedLeaf<Game>;

public:
    EngineOf(const search::Parameters& parameters, std::string_view weights, bool plain)
        : parameters_(parameters), plain_(plain) {
        if (!weights.empty()) weights_.emplace(value::Weights::read(weights));
    }

    void set(const search::PositionArguments& arguments) override {
        board_ = arguments.board<Game>(parameters_);
        if (!weights_ || (network_ && size_ == Set::size(board_->position()))) return;
        network_ = std::make_shared<const value::Network<Game>>(*weights_, board_->position(), plain_);
        size_ = Set::size(board_->position());
        leaf_.emplace(network_);
        alphabeta_.emplace(Leaf(network_));
    }
    bool over() const override { return !board_ || board_->over(); }
    int value() override {
        int value = 0;
        return board_ && leaf_ && leaf_->evaluate(*board_, 0, value) ? value : 0;
    }
    std::uint64_t key() const override { return board_ ? Game::table_key(*board_) : 0; }
    std::vector<int> features() const override {
        std::vector<int> found;
        Bits bits[Set::words];
        if (!board_ || !Set::collect(*board_, bits)) return found;
        for (int word = 0; word < Set::words; ++word)
            for (Bits left = bits[word]; left;)
                found.push_back(Set::feature(board_->position(), Set::view(*board_), 64 * word + take(left)));
        std::sort(found.begin(), found.end());
        return found;
    }
    std::pair<int, int> sizes() const override {
        if (!board_) return {0, 0};
        return {Set::size(board_->position()), Set::most_active(board_->position())};
    }
    std::pair<std::uint64_t, std::uint64_t> effort() const override {
        if (!alphabeta_) return {0, 0};
        return {alphabeta_->leaf().evaluations(), alphabeta_->leaf().changes()};
    }
    search::SearchResult alphabeta(const search::Limits& limits, search::StopCondition& stop) override {
        return alphabeta_->search(*board_, limits, stop);
    }
    value::Played play(const value::PlaySettings& settings, search::StopCondition& stop) const override {
        return value::SelfPlay<Game>(network_, settings).play(*board_, [&] { return !stop.stop(0); });
    }
    bool is_ready() const override { return alphabeta_.has_value(); }
    void use_endings(std::string_view tables) override {
        if (alphabeta_) search::use_endings<Game>(alphabeta_->endings(), tables);
    }

private:
    search::Parameters parameters_;
    bool plain_;
    int size_ = 0;
    std::optional<value::Weights> weights_;
    std::unique_ptr<typename Game::Board> board_;
    std::shared_ptr<const value::Network<Game>> network_;
    std::optional<Leaf> leaf_;
    std::optional<search::AlphaBeta<Game, Leaf>> alphabeta_;
};

using Searcher = python::Object<Engine>;

// Bad weights are the caller's mistake, not ours.
template <typename Run>
auto with_weights(Run run) {
    try {
        return run();
    } catch (const value::BadWeights& error) {
        python::raise_value_error("%s", error.what());
    }
}

std::unique_ptr<Engine> make(const python::Call& call) {
    const char *game, *bytes;
    Py_ssize_t size;
    int plain = 0;
    search::Parameters parameters;
    call.read("sy#|$Ldpp:Searcher", {"game", "weights", "limit", "komi", "suicide", "plain"}, &game, &bytes, &size, &parameters.limit,
              &parameters.komi, &parameters.suicide, &plain);
    const std::string_view weights(bytes, static_cast<std::size_t>(size));
    return with_weights([&] { return LearnedGames::make_engine<Engine, EngineOf>(game, parameters, weights, plain != 0); });
}

PyObject* set(Searcher& self, const python::Call& call) {
    with_weights([&] { self->set(search::PositionArguments::of(call)); });
    Py_RETURN_NONE;
}

// Raise unless there is a move to choose and something to choose it by.
void must_be_ready(Searcher& self) {
    search::must_go_on(self->over());
    if (!self->is_ready()) python::raise_value_error("there are no weights to search with");
}

PyObject* alphabeta(Searcher& self, const python::Call& call) {
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = search::deepest, exact = 0, contempt = 0;
    call.read("|$dKiKpi:alphabeta", {"seconds", "nodes", "depth", "seed", "exact", "contempt"}, &seconds, &nodes, &depth, &seed,
              &exact, &contempt);
    const search::Limits limits{seconds, nodes, std::clamp(depth, 1, search::deepest), seed, exact != 0,
                                std::clamp(contempt, -100'000, 100'000)};
    must_be_ready(self);
    const auto found = self.run_search(seconds, nodes, [&](search::StopCondition& stop) { return self->alphabeta(limits, stop); });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line, found.visits);
}

PyObject* play(Searcher& self, const python::Call& call) {
    value::PlaySettings settings;
    unsigned long long seed = 0, least = 0, most = 0;
    call.read("$KiKKiiidi:play",
              {"seed", "games", "least_nodes", "most_nodes", "least_opening", "most_opening", "random_turns", "random_share", "examples"},
              &seed, &settings.games, &least, &most, &settings.least_opening, &settings.most_opening, &settings.random_turns,
              &settings.random_share, &settings.examples);
    if (settings.games < 0 || least < 1 || most < least || most > 1'000'000'000 || settings.least_opening < 0 ||
        settings.most_opening < settings.least_opening || !(settings.random_share >= 0 && settings.random_share < 1))
        python::raise_value_error("no such settings of self-play");
    settings.seed = seed, settings.least_nodes = least, settings.most_nodes = most;
    must_be_ready(self);
    const value::Played found = self.run_search(python::unlimited, ~0ULL, [&](search::StopCondition& stop) { return self->play(settings, stop); });
    PyObject* rows = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(found.rows.data()), static_cast<Py_ssize_t>(2 * found.rows.size()));
    return python::tuple(rows, found.positions, found.nodes, found.turns, found.examples);
}

PyObject* use_endings(Searcher& self, const python::Call& call) {
    const char* letters;
    Py_ssize_t size;
    call.read("y#:use_endings", {"tables"}, &letters, &size);
    must_be_ready(self);
    self->use_endings({letters, static_cast<std::size_t>(size)});
    Py_RETURN_NONE;
}

PyObject* value_of(Searcher& self) { return python::to_python(self->value()); }
PyObject* key(Searcher& self) { return python::to_python(self->key()); }
PyObject* features(Searcher& self) { return python::to_python(self->features()); }
PyObject* sizes(Searcher& self) { return python::tuple(self->sizes().first, self->sizes().second); }
PyObject* effort(Searcher& self) { return python::tuple(self->effort().first, self->effort().second); }

PyMethodDef methods[] = {
    python::method<set>("set", "set(text, moves, *, seen, turns): the position to search, and the moves made from there."),
    python::method<use_endings>("use_endings", "use_endings(tables): let alpha-beta know the results in these tables."),
    python::method<alphabeta>("alphabeta", "alphabeta(*, seconds, nodes, depth, seed, exact, contempt): "
                                           "move, nodes, depth, score, line, visits."),
    python::method<play>("play", "play(*, seed, games, least_nodes, most_nodes, least_opening, most_opening, random_turns, "
                                 "random_share, examples): rows, positions, nodes, turns, examples."),
    {},
};
PyGetSetDef properties[] = {
    python::property<value_of>("value", "The value of the position for the side to move; 0 if the game is over."),
    python::property<key>("key", "The key of the position in the table of the search."),
    python::property<features>("features", "The active features of the position, ascending; none if the game is over."),
    python::property<sizes>("sizes", "The number of features, and how many of them can be active at once."),
    python::property<effort>("effort", "Evaluations of the searches so far, and the rows of the first layer that they changed."),
    {},
};

void fill(PyObject* module) {
    const char* text = "Alpha-beta with a learned value; its table is kept from move to move.";
    python::add(module, "GAMES", python::to_python(LearnedGames::names()));
    python::add(module, "AVX2", python::to_python(value::has_avx2()));
    python::add(module, "Searcher", Searcher::type<make>("agents.self_learning._value.Searcher", text, methods, properties));
}

}  // namespace

PyMODINIT_FUNC PyInit__value() {
    return python::module<fill>("agents.self_learning._value", "Alpha-beta with a learned value, and its self-play.");
}
