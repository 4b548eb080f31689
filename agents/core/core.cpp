// The searches as the Python module agents.core._core.
#include "alphabeta.hpp"
#include "game.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using search::Found;

// One game's searches, whatever the game.
struct Engine {
    virtual ~Engine() = default;
    virtual void set(const search::Place&) = 0;
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

    void set(const search::Place& place) override { board_ = place.board<Rules>(parameters_); }
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

using Searcher = python::Object<Engine>;

std::unique_ptr<Engine> make(const python::Call& call) {
    const char* game;
    search::Parameters parameters;
    call.read("s|$Ld:Searcher", {"game", "limit", "komi"}, &game, &parameters.limit, &parameters.komi);
    return search::AllGames::engine<Engine, EngineOf>(game, parameters);
}

PyObject* set(Searcher& self, const python::Call& call) {
    self->set(search::Place::of(call));
    Py_RETURN_NONE;
}

template <typename Search>
PyObject* searched(Searcher& self, double seconds, std::uint64_t most, Search search) {
    search::must_go_on(self->over());
    const Found found = self.searched(seconds, most, search);
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line, found.visits);
}

PyObject* alphabeta(Searcher& self, const python::Call& call) {
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = search::deepest, exact = 0;
    call.read("|$dKiKp:alphabeta", {"seconds", "nodes", "depth", "seed", "exact"}, &seconds, &nodes, &depth, &seed, &exact);
    const search::Limits limits{seconds, nodes, std::clamp(depth, 1, search::deepest), seed, exact != 0};
    return searched(self, seconds, nodes, [&](search::Watch& watch) { return self->alphabeta(limits, watch); });
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
    return searched(self, recipe.seconds, simulations, [&](search::Watch& watch) { return self->uct(recipe, watch); });
}

PyObject* value(Searcher& self) { return python::written(self->value()); }
PyObject* share(Searcher& self) { return python::written(self->share()); }
PyObject* moves(Searcher& self) { return python::written(self->moves()); }

PyMethodDef methods[] = {
    python::method<set>("set", "set(text, moves, *, seen, turns): the position to search, and the moves that led on from it."),
    python::method<alphabeta>("alphabeta", "alphabeta(*, seconds, nodes, depth, seed, exact): move, nodes, depth, score, line, visits."),
    python::method<uct>("uct", "uct(*, seconds, simulations, depth, c, rave, amplify, weighted, seed): "
                               "move, simulations, depth, mean, line, visits."),
    {},
};
PyGetSetDef properties[] = {
    python::property<value>("value", "What the position is worth to the side to move; 0 if the game is over."),
    python::property<share>("share", "White's share of what both have."),
    python::property<moves>("moves", "How many legal moves there are."),
    {},
};

void fill(PyObject* module) {
    const char* text = "Searches of one game; the table and the tree are kept from move to move.";
    python::add(module, "GAMES", python::written(search::AllGames::names()));
    python::add(module, "Searcher", Searcher::type<make>("agents.core._core.Searcher", text, methods, properties));
    python::add(module, "DECIDED", python::written(search::decided));
}

}  // namespace

PyMODINIT_FUNC PyInit__core() {
    return python::module<fill>("agents.core._core", "Native searches over the kernels of the games.");
}
