// The Othello searches as the Python module agents.othello._native.
#include "../core/python_objects.hpp"
#include "classic.hpp"
#include "strong.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using othello::Position;
using python::Call, python::Text;

Position read_position(const Text& text) {
    const auto found = othello::read_position(text);
    if (!found) python::raise_value_error("no position of Othello: %.100s", text.letters);
    return *found;
}
// A position in which the side to move can place a disc.
Position read_movable(const Text& text) {
    const Position position = read_position(text);
    if (!position.squares()) python::raise_value_error("there is no square to choose");
    return position;
}

std::string text_of(int move) { return othello::move_text(static_cast<othello::Move>(move)); }

// The enumerator with the index of `name` in `names`.
template <typename Kind, std::size_t size>
Kind read_name(const char* what, const char* name, const std::string_view (&names)[size]) {
    const auto found = std::find(std::begin(names), std::end(names), name);
    if (found == std::end(names)) python::raise_value_error("no %s is called %.50s", what, name);
    return static_cast<Kind>(found - std::begin(names));
}

std::vector<int> read_weights(PyObject* tuple) {
    if (PyTuple_GET_SIZE(tuple) != 64) python::raise_value_error("there must be 64 weights");
    return python::items(tuple, [](PyObject* item) {
        const long weight = PyLong_AsLong(item);
        if (weight == -1 && PyErr_Occurred()) throw python::Raised();
        if (weight < -1000 || weight > 1000) python::raise_value_error("a weight is from -1000 to 1000");
        return static_cast<int>(weight);
    });
}

// The arguments of both searches.
struct SearchArguments {
    Text text;
    PyObject* map;
    int depth = 1, first = -1, results = 0, ordered = 64;
    const char* ordering = "none";
    double seconds = python::unlimited;
};

template <typename Search>
PyObject* run_classic(const SearchArguments& arguments, Search search) {
    const Position position = read_movable(arguments.text);
    const std::vector<int> weights = read_weights(arguments.map);
    if (arguments.depth < 1 || arguments.depth > 60) python::raise_value_error("depth must be from 1 to 60");
    bool stopped = false;
    const auto found = python::run_search(arguments.seconds, ~0ULL, [&](search::StopCondition& stop) {
        const othello::SquareWeights map(weights);
        const auto found = search(othello::Classic(map, arguments.results != 0, stop), position);
        stopped = stop.stopped();
        return found;
    });
    if (stopped) Py_RETURN_NONE;
    return python::tuple(text_of(found.move), found.value, found.nodes, found.presearch);
}

PyObject* minimax(const Call& call) {
    SearchArguments arguments;
    call.read("s#O!|$iipd:minimax", {"text", "weights", "depth", "first", "results", "seconds"}, &arguments.text.letters,
              &arguments.text.size, &PyTuple_Type, &arguments.map, &arguments.depth, &arguments.first, &arguments.results,
              &arguments.seconds);
    return run_classic(arguments, [&](othello::Classic search, const Position& root) {
        return search.minimax(root, arguments.depth, arguments.first);
    });
}

PyObject* alphabeta(const Call& call) {
    SearchArguments arguments;
    call.read("s#O!|$iipsid:alphabeta", {"text", "weights", "depth", "first", "results", "ordering", "ordered", "seconds"},
              &arguments.text.letters, &arguments.text.size, &PyTuple_Type, &arguments.map, &arguments.depth, &arguments.first,
              &arguments.results, &arguments.ordering, &arguments.ordered, &arguments.seconds);
    const auto ordering = read_name<othello::Ordering>("ordering", arguments.ordering, {"none", "position", "intuition"});
    return run_classic(arguments, [&](othello::Classic search, const Position& root) {
        return search.alphabeta(root, arguments.depth, arguments.first, ordering, arguments.ordered);
    });
}

PyObject* uct(const Call& call) {
    Text text;
    const char* playout = "random";
    unsigned long long simulations = ~0ULL, seed = 0;
    double seconds = python::unlimited;
    othello::Recipe recipe;
    call.read("s#|$sKddKd:uct", {"text", "playout", "simulations", "c", "rave", "seed", "seconds"}, &text.letters, &text.size,
              &playout, &simulations, &recipe.c, &recipe.rave, &seed, &seconds);
    const Position position = read_movable(text);
    recipe.playout = read_name<othello::Playout>("playout", playout, {"random", "light", "heavy", "adaptive", "combined"});
    recipe.simulations = simulations;
    recipe.seed = seed;
    std::vector<othello::Visited> visited;
    const auto made = python::run_search(seconds, ~0ULL, [&](search::StopCondition& stop) {
        othello::Tree tree(position, recipe);
        const auto made = tree.run(stop);
        visited = tree.ranked();
        return made;
    });
    return python::tuple(made, python::tuple_of(visited, [](const othello::Visited& one) {
        return python::tuple(text_of(one.move), one.visits, one.mean);
    }));
}

using Strong = python::Object<othello::Strong>;

std::unique_ptr<othello::Strong> make(const Call& call) {
    Text weights;
    call.read("y#:Strong", {"weights"}, &weights.letters, &weights.size);
    auto strong = std::make_unique<othello::Strong>();
    if (!strong->learn(reinterpret_cast<const std::int8_t*>(weights.letters), static_cast<std::size_t>(weights.size)))
        python::raise_value_error("there must be %zu weights", othello::Weights::stored());
    return strong;
}

PyObject* search(Strong& self, const Call& call) {
    Text text;
    double seconds = python::unlimited;
    othello::Limits limits;
    int selective = 1;
    call.read("s#|$diip:search", {"text", "seconds", "depth", "solve", "selective"}, &text.letters, &text.size, &seconds,
              &limits.depth, &limits.solve, &selective);
    const Position position = read_movable(text);
    limits.selective = selective != 0;
    const auto answer = self.run_search(seconds, ~0ULL, [&](search::StopCondition& stop) {
        // A search to the end begins with a shallow search of the moves, for a fifth of the time.
        search::StopCondition quick = stop.within(seconds / 5);
        return self->search(position, limits, quick, stop);
    });
    return python::tuple(text_of(answer.move), answer.score, answer.depth, answer.won_lost, answer.exact, answer.nodes,
                         python::tuple_of(answer.line, [](int move) { return python::to_python(text_of(move)); }));
}

PyObject* solve(Strong& self, const Call& call) {
    Text text;
    double seconds = python::unlimited;
    call.read("s#|$d:solve", {"text", "seconds"}, &text.letters, &text.size, &seconds);
    const Position position = read_position(text);
    const auto answer = self.run_search(seconds, ~0ULL, [&](search::StopCondition& stop) { return self->solve(position, stop); });
    return python::tuple(answer.exact ? python::to_python(answer.score) : Py_NewRef(Py_None), answer.nodes);
}

PyObject* value(Strong& self, const Call& call) {
    Text text;
    call.read("s#:value", {""}, &text.letters, &text.size);
    return python::to_python(self->value(read_position(text)));
}

PyObject* forget(Strong& self) {
    self->forget();
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    python::method<search>("search", "search(text, *, seconds, depth, solve, selective): "
                                     "move, score, depth, won_lost, exact, nodes, line."),
    python::method<solve>("solve", "solve(text, *, seconds): the exact lead (None: no time), nodes."),
    python::method<value>("value", "value(text): the pattern evaluation for the side to move."),
    python::simple_method<forget>("forget", "Forget all positions."),
    {},
};
PyMethodDef functions[] = {
    python::method<minimax>("minimax", "minimax(text, weights, *, depth, first, results, seconds): "
                                       "move, value, nodes, presearch; None: no time."),
    python::method<alphabeta>("alphabeta", "alphabeta(text, weights, *, depth, first, results, ordering, ordered, seconds): "
                                           "move, value, nodes, presearch; None: no time."),
    python::method<uct>("uct", "uct(text, *, playout, simulations, c, rave, seed, seconds): "
                               "simulations, and of each move tried its text, visits and mean."),
    {},
};

PyObject* make_type() {
    return Strong::type<make>("agents.othello._native.Strong", "The strong search. Its tables are kept from move to move.", methods);
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<python::add_type<make_type>>("agents.othello._native", "Native searches of Othello.", functions);
}
