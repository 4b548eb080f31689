// The search of the agent as the Python module agents.gomoku._native.
#include "../core/game.hpp"
#include "search.hpp"

namespace {

using namespace arena;
using Searcher = python::Object<gomoku::Memory>;

std::unique_ptr<gomoku::Memory> make(const python::Call& call) {
    call.read(":Searcher", {});
    return std::make_unique<gomoku::Memory>();
}

PyObject* search(Searcher& self, const python::Call& call) {
    search::Place place;
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = gomoku::deepest;
    call.read("s#|$dKiK:search", {"text", "seconds", "nodes", "depth", "seed"}, &place.text.letters, &place.text.size, &seconds,
              &nodes, &depth, &seed);
    const gomoku::Position position = place.board<search::Gomoku>()->position();
    if (position.rows != position.columns) place.refuse();
    search::must_go_on(position.over());
    const gomoku::Limits limits{std::clamp(depth, 1, gomoku::deepest), seed};
    const auto found = self.searched(seconds, nodes, [&](search::Watch& watch) {
        return gomoku::Search(position, *self, limits, watch).found();
    });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line);
}

PyMethodDef methods[] = {
    python::method<search>("search", "search(text, *, seconds, nodes, depth, seed): move, nodes, depth, score, line."),
    {},
};

void fill(PyObject* module) {
    const char* text = "The search for a move; what it learned is kept from move to move.";
    python::add(module, "Searcher", Searcher::type<make>("agents.gomoku._native.Searcher", text, methods));
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<fill>("agents.gomoku._native", "The native search for moves of Gomoku.");
}
