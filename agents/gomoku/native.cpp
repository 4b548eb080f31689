// The search of the agent as the Python module agents.gomoku._native.
#include "../core/arguments.hpp"
#include "search.hpp"

namespace {

using namespace arena;
using Searcher = python::Object<gomoku::Memory>;

std::unique_ptr<gomoku::Memory> make(const python::Call& call) {
    call.read(":Searcher", {});
    return std::make_unique<gomoku::Memory>();
}

PyObject* search(Searcher& self, const python::Call& call) {
    search::PositionArguments arguments;
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = gomoku::deepest;
    call.read("s#|$dKiK:search", {"text", "seconds", "nodes", "depth", "seed"}, &arguments.text.letters, &arguments.text.size, &seconds,
              &nodes, &depth, &seed);
    const gomoku::Position position = arguments.board<search::Gomoku>()->position();
    if (position.rows != position.columns) arguments.refuse();
    search::must_go_on(position.over());
    const gomoku::Limits limits{std::clamp(depth, 1, gomoku::deepest), seed};
    const auto found = self.run_search(seconds, nodes, [&](search::StopCondition& stop) {
        return gomoku::Search(position, *self, limits, stop).run();
    });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line);
}

PyMethodDef methods[] = {
    python::method<search>("search", "search(text, *, seconds, nodes, depth, seed): move, nodes, depth, score, line."),
    {},
};

PyObject* make_type() {
    return Searcher::type<make>("agents.gomoku._native.Searcher", "The search for a move. Its tables are kept from move to move.", methods);
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<python::add_type<make_type>>("agents.gomoku._native", "The native search for moves of Gomoku.");
}
