// The searches of the agents as the Python module agents.mushroom._native.
#include "../core/arguments.hpp"
#include "alphabeta.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using Searcher = python::Object<search::ScoreTable>;

std::unique_ptr<search::ScoreTable> make(const python::Call& call) {
    call.read(":Searcher", {});
    return std::make_unique<search::ScoreTable>(20);  // 16 MB
}

// The position, in which the game must not be over.
mushroom::Position read_position(const search::PositionArguments& arguments) {
    const auto board = arguments.board<search::Mushroom>();
    search::must_go_on(board->over());
    return board->position();
}

PyObject* alphabeta(Searcher& self, const python::Call& call) {
    search::PositionArguments arguments;
    double seconds = python::unlimited;
    unsigned long long nodes = ~0ULL, seed = 0;
    int depth = mushroom::deepest;
    call.read("s#|$dKiK:alphabeta", {"text", "seconds", "nodes", "depth", "seed"}, &arguments.text.letters, &arguments.text.size,
              &seconds, &nodes, &depth, &seed);
    const mushroom::Position position = read_position(arguments);
    const mushroom::Limits limits{std::clamp(depth, 1, mushroom::deepest), seed};
    const auto found = self.run_search(seconds, nodes, [&](search::StopCondition& stop) {
        return mushroom::AlphaBeta(position, *self, limits, stop).run();
    });
    return python::tuple(found.move, found.nodes, found.depth, found.score, found.line);
}

PyObject* uct(Searcher& self, const python::Call& call) {
    search::PositionArguments arguments;
    const char* kind = "undo";
    double seconds = python::unlimited, c = 0.02;
    unsigned long long simulations = ~0ULL, seed = 0;
    call.read("s#|$sdKdK:uct", {"text", "states", "seconds", "simulations", "c", "seed"}, &arguments.text.letters, &arguments.text.size,
              &kind, &seconds, &simulations, &c, &seed);
    const mushroom::Position position = read_position(arguments);
    const auto states = mushroom::states(kind, position);
    if (!states) python::raise_value_error("states is copy, rebuild or undo, not %.100s", kind);
    std::size_t bytes = 0;
    const auto found = self.run_search(seconds, simulations, [&](search::StopCondition& stop) {
        mushroom::Uct uct(position, *states, {simulations, c, seed}, stop);
        auto found = uct.run();
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

PyObject* make_type() {
    return Searcher::type<make>("agents.mushroom._native.Searcher", "Searches for moves. The table of alpha-beta is kept from move to move.", methods);
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<python::add_type<make_type>>("agents.mushroom._native", "The native searches for moves of Mushroom.");
}
