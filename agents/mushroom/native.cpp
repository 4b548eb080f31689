// The searches of the agents as the Python module agents.mushroom._native.
#include "../core/game.hpp"
#include "alphabeta.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using Searcher = python::Object<search::Table>;

std::unique_ptr<search::Table> make(const python::Call& call) {
    call.read(":Searcher", {});
    return std::make_unique<search::Table>(18);  // 16 MB
}

// The position of a text, in which the game goes on.
mushroom::Position begun(const search::Place& place) {
    const auto board = place.board<search::Mushroom>();
    search::must_go_on(board->over());
    return board->position();
}

PyObject* alphabeta(Searcher& self, const python::Call& call) {
    search::Place place;
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = mushroom::deepest;
    call.read("s#|$dKiK:alphabeta", {"text", "seconds", "nodes", "depth", "seed"}, &place.text.letters, &place.text.size,
              &seconds, &nodes, &depth, &seed);
    const mushroom::Position position = begun(place);
    const mushroom::Limits limits{std::clamp(depth, 1, mushroom::deepest), seed};
    const auto found = self.searched(seconds, nodes, [&](search::Watch& watch) {
        return mushroom::AlphaBeta(position, *self, limits, watch).found();
    });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line);
}

PyObject* uct(Searcher& self, const python::Call& call) {
    search::Place place;
    const char* kind = "undo";
    double seconds = python::unlimited, c = 0.02;
    unsigned long long simulations = ~0ULL, seed = 0;
    call.read("s#|$sdKdK:uct", {"text", "states", "seconds", "simulations", "c", "seed"}, &place.text.letters, &place.text.size,
              &kind, &seconds, &simulations, &c, &seed);
    const mushroom::Position position = begun(place);
    const auto states = mushroom::states(kind, position);
    if (!states) python::refuse("states is copy, rebuild or undo, not %.100s", kind);
    std::size_t bytes = 0;
    const auto found = self.searched(seconds, simulations, [&](search::Watch& watch) {
        mushroom::Uct uct(position, *states, {simulations, c, seed}, watch);
        auto found = uct.found();
        bytes = uct.bytes() + states->bytes();
        return found;
    });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line, found.visits,
                         python::tuple(states->asked, states->held, bytes));
}

PyMethodDef methods[] = {
    python::method<alphabeta>("alphabeta", "alphabeta(text, *, seconds, nodes, depth, seed): move, nodes, depth, score, line."),
    python::method<uct>("uct", "uct(text, *, states, seconds, simulations, c, seed): "
                               "move, simulations, depth, mean, line, visits, (asked, held, bytes)."),
    {},
};

void fill(PyObject* module) {
    const char* text = "Searches for moves; what alpha-beta learned is kept from move to move.";
    python::add(module, "Searcher", Searcher::type<make>("agents.mushroom._native.Searcher", text, methods));
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<fill>("agents.mushroom._native", "The native searches for moves of Mushroom.");
}
