// Alpha-beta and UCT for all games as the Python module agents.core._core.
#include "alphabeta.hpp"
#include "arguments.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using search::SearchResult;

// The searches of one game, behind an interface that is the same for all games.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::PositionArguments&) = 0;
    virtual bool over() const = 0;
    virtual int moves() const = 0;
    virtual int value() const = 0;
    virtual double share() const = 0;
    virtual SearchResult alphabeta(const search::Limits&, search::StopCondition&) = 0;
    virtual SearchResult uct(const search::Recipe&, search::StopCondition&) = 0;
    virtual void use_endings(std::string_view) = 0;
};

template <search::SearchGame Game>
class EngineOf final : public Engine {
public:
    explicit EngineOf(const search::Parameters& parameters) : parameters_(parameters) {}

    void set(const search::PositionArguments& arguments) override { board_ = arguments.board<Game>(parameters_); }
    bool over() const override { return !board_ || board_->over(); }
    int moves() const override {
        const auto into = std::make_unique<typename Game::Move[]>(Game::Board::max_moves);
        return board_ ? board_->moves(into.get()) : 0;
    }
    int value() const override {
        int value = 0;
        return board_ && Game::evaluate(*board_, value) ? value : 0;
    }
    double share() const override { return board_ ? Game::white_share(*board_) : 0.5; }
    SearchResult alphabeta(const search::Limits& limits, search::StopCondition& stop) override {
        return alphabeta_.search(*board_, limits, stop);
    }
    SearchResult uct(const search::Recipe& recipe, search::StopCondition& stop) override {
        return uct_.search(*board_, recipe, stop);
    }
    void use_endings(std::string_view tables) override { search::use_endings<Game>(alphabeta_.endings(), tables); }

private:
    search::Parameters parameters_;
    std::unique_ptr<typename Game::Board> board_;
    search::AlphaBeta<Game> alphabeta_;
    search::Uct<Game> uct_;
};

using Searcher = python::Object<Engine>;

std::unique_ptr<Engine> make(const python::Call& call) {
    const char* game;
    search::Parameters parameters;
    call.read("s|$Ldp:Searcher", {"game", "limit", "komi", "suicide"}, &game, &parameters.limit, &parameters.komi,
              &parameters.suicide);
    return search::AllGames::make_engine<Engine, EngineOf>(game, parameters);
}

PyObject* set(Searcher& self, const python::Call& call) {
    self->set(search::PositionArguments::of(call));
    Py_RETURN_NONE;
}

template <typename Search>
PyObject* run(Searcher& self, double seconds, std::uint64_t most_nodes, Search search) {
    search::must_go_on(self->over());
    const SearchResult found = self.run_search(seconds, most_nodes, search);
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line, found.visits, found.tree);
}

PyObject* alphabeta(Searcher& self, const python::Call& call) {
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    unsigned without = 0;
    int depth = search::deepest, exact = 0;
    call.read("|$dKiKpI:alphabeta", {"seconds", "nodes", "depth", "seed", "exact", "without"}, &seconds, &nodes, &depth, &seed, &exact,
              &without);
    const search::Limits limits{seconds, nodes, std::clamp(depth, 1, search::deepest), seed, exact != 0, 0, without};
    return run(self, seconds, nodes, [&](search::StopCondition& stop) { return self->alphabeta(limits, stop); });
}

PyObject* uct(Searcher& self, const python::Call& call) {
    search::Recipe recipe{.seconds = python::unlimited, .c = 1.4};
    unsigned long long simulations = ~0ULL, seed = 0;
    int amplified = 0, weighted = 0;
    call.read("|$dKiddppK:uct", {"seconds", "simulations", "depth", "c", "rave", "amplify", "weighted", "seed"}, &recipe.seconds,
              &simulations, &recipe.depth, &recipe.c, &recipe.rave, &amplified, &weighted, &seed);
    recipe.simulations = simulations;
    recipe.depth = std::max(recipe.depth, 0);
    recipe.amplified = amplified != 0;
    recipe.weighted = weighted != 0;
    recipe.seed = seed;
    return run(self, recipe.seconds, simulations, [&](search::StopCondition& stop) { return self->uct(recipe, stop); });
}

PyObject* use_endings(Searcher& self, const python::Call& call) {
    const char* letters;
    Py_ssize_t size;
    call.read("y#:use_endings", {"tables"}, &letters, &size);
    self->use_endings({letters, static_cast<std::size_t>(size)});
    Py_RETURN_NONE;
}

PyObject* value(Searcher& self) { return python::to_python(self->value()); }
PyObject* share(Searcher& self) { return python::to_python(self->share()); }
PyObject* moves(Searcher& self) { return python::to_python(self->moves()); }

PyMethodDef methods[] = {
    python::method<set>("set", "set(text, moves, *, seen, turns): the position to search, and the moves made from there."),
    python::method<use_endings>("use_endings", "use_endings(tables): let alpha-beta know the results in these tables."),
    python::method<alphabeta>("alphabeta", "alphabeta(*, seconds, nodes, depth, seed, exact, without): "
                                           "move, nodes, depth, score, line, visits, tree."),
    python::method<uct>("uct", "uct(*, seconds, simulations, depth, c, rave, amplify, weighted, seed): "
                               "move, simulations, depth, mean, line, visits, tree: empty unless somebody listens."),
    {},
};
PyGetSetDef properties[] = {
    python::property<value>("value", "The value of the position for the side to move; 0 if the game is over."),
    python::property<share>("share", "White's share of the material, area or cells of both sides, from 0 to 1."),
    python::property<moves>("moves", "The number of legal moves."),
    {},
};

void fill(PyObject* module) {
    const char* text = "Searches of one game; the table and the tree are kept from move to move.";
    python::add(module, "GAMES", python::to_python(search::AllGames::names()));
    python::add(module, "Searcher", Searcher::type<make>("agents.core._core.Searcher", text, methods, properties));
    python::add(module, "DECIDED", python::to_python(search::decided));
}

}  // namespace

PyMODINIT_FUNC PyInit__core() {
    return python::module<fill>("agents.core._core", "Native searches over the kernels of the games.");
}
