// The Othello searches as the Python module agents.othello._native.
#include "../core/binding.hpp"
#include "classic.hpp"
#include "strong.hpp"
#include "uct.hpp"

namespace {

using namespace arena;
using othello::Position;
using python::Call, python::Text;

// The position of a text.
Position placed(const Text& text) {
    const auto found = othello::read(text);
    if (!found) python::refuse("no position of Othello: %.100s", text.letters);
    return *found;
}
// One in which a square can be taken.
Position to_move(const Text& text) {
    const Position position = placed(text);
    if (!position.squares()) python::refuse("there is no square to choose");
    return position;
}

std::string text_of(int move) { return othello::text(static_cast<othello::Move>(move)); }

// Which of these names it is, as the number of a kind.
template <typename Kind, std::size_t size>
Kind named(const char* what, const char* name, const std::string_view (&names)[size]) {
    const auto found = std::find(std::begin(names), std::end(names), name);
    if (found == std::end(names)) python::refuse("no %s is called %.50s", what, name);
    return static_cast<Kind>(found - std::begin(names));
}

std::vector<int> weights_of(PyObject* tuple) {
    if (PyTuple_GET_SIZE(tuple) != 64) python::refuse("there must be 64 weights");
    return python::items(tuple, [](PyObject* item) {
        const long weight = PyLong_AsLong(item);
        if (weight == -1 && PyErr_Occurred()) throw python::Raised();
        if (weight < -1000 || weight > 1000) python::refuse("a weight is from -1000 to 1000");
        return static_cast<int>(weight);
    });
}

// What both searches are asked for.
struct Question {
    Text text;
    PyObject* map;
    int depth = 1, first = -1, results = 0, ordered = 64;
    const char* ordering = "none";
    double seconds = python::unlimited;
};

template <typename Search>
PyObject* chosen(const Question& asked, Search search) {
    const Position position = to_move(asked.text);
    const std::vector<int> weights = weights_of(asked.map);
    if (asked.depth < 1 || asked.depth > 60) python::refuse("depth must be from 1 to 60");
    bool stopped = false;
    const auto found = python::searched(asked.seconds, ~0ULL, [&](search::Watch& watch) {
        const othello::Map map(weights);
        const auto found = search(othello::Classic(map, asked.results != 0, watch), position);
        stopped = watch.stopped();
        return found;
    });
    if (stopped) Py_RETURN_NONE;
    return python::tuple(text_of(found.move), found.value, found.nodes, found.presearch);
}

PyObject* minimax(const Call& call) {
    Question asked;
    call.read("s#O!|$iipd:minimax", {"text", "weights", "depth", "first", "results", "seconds"}, &asked.text.letters,
              &asked.text.size, &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.results, &asked.seconds);
    return chosen(asked, [&](othello::Classic search, const Position& root) { return search.minimax(root, asked.depth, asked.first); });
}

PyObject* alphabeta(const Call& call) {
    Question asked;
    call.read("s#O!|$iipsid:alphabeta", {"text", "weights", "depth", "first", "results", "ordering", "ordered", "seconds"},
              &asked.text.letters, &asked.text.size, &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.results,
              &asked.ordering, &asked.ordered, &asked.seconds);
    const auto ordering = named<othello::Ordering>("ordering", asked.ordering, {"none", "position", "intuition"});
    return chosen(asked, [&](othello::Classic search, const Position& root) {
        return search.alphabeta(root, asked.depth, asked.first, ordering, asked.ordered);
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
    const Position position = to_move(text);
    recipe.playout = named<othello::Playout>("playout", playout, {"random", "light", "heavy", "adaptive", "combined"});
    recipe.simulations = simulations;
    recipe.seed = seed;
    std::vector<othello::Visited> visited;
    const auto made = python::searched(seconds, ~0ULL, [&](search::Watch& watch) {
        othello::Tree tree(position, recipe);
        const auto made = tree.run(watch);
        visited = tree.ranked();
        return made;
    });
    return python::tuple(made, python::listed(visited, [](const othello::Visited& one) {
        return python::tuple(text_of(one.move), one.visits, one.mean);
    }));
}

using Strong = python::Object<othello::Strong>;

std::unique_ptr<othello::Strong> make(const Call& call) {
    Text weights;
    call.read("y#:Strong", {"weights"}, &weights.letters, &weights.size);
    auto strong = std::make_unique<othello::Strong>();
    if (!strong->learn(reinterpret_cast<const std::int8_t*>(weights.letters), static_cast<std::size_t>(weights.size)))
        python::refuse("there must be %zu weights", othello::Weights::stored());
    return strong;
}

PyObject* search(Strong& self, const Call& call) {
    Text text;
    double seconds = python::unlimited;
    othello::Limits limits;
    int selective = 1;
    call.read("s#|$diip:search", {"text", "seconds", "depth", "solve", "selective"}, &text.letters, &text.size, &seconds,
              &limits.depth, &limits.solve, &selective);
    const Position position = to_move(text);
    limits.selective = selective != 0;
    const auto answer = self.searched(seconds, ~0ULL, [&](search::Watch& watch) {
        // A search to the end begins with a look at the moves, for a fifth of the time.
        search::Watch quick(seconds / 5, ~0ULL, python::interrupted);
        return self->search(position, limits, quick, watch);
    });
    return python::tuple(text_of(answer.move), answer.score, answer.depth, answer.won_lost, answer.exact, answer.nodes,
                         python::listed(answer.line, [](int move) { return python::written(text_of(move)); }));
}

PyObject* solve(Strong& self, const Call& call) {
    Text text;
    double seconds = python::unlimited;
    call.read("s#|$d:solve", {"text", "seconds"}, &text.letters, &text.size, &seconds);
    const Position position = placed(text);
    const auto answer = self.searched(seconds, ~0ULL, [&](search::Watch& watch) { return self->solve(position, watch); });
    return python::tuple(answer.exact ? python::written(answer.score) : Py_NewRef(Py_None), answer.nodes);
}

PyObject* value(Strong& self, const Call& call) {
    Text text;
    call.read("s#:value", {""}, &text.letters, &text.size);
    return python::written(self->value(placed(text)));
}

PyObject* forget(Strong& self) {
    self->forget();
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    python::method<search>("search", "search(text, *, seconds, depth, solve, selective): move, score, depth, won_lost, exact, nodes, line."),
    python::method<solve>("solve", "solve(text, *, seconds): the exact lead (None: no time), nodes."),
    python::method<value>("value", "value(text): what the patterns are worth to the side to move."),
    python::question<forget>("forget", "Forget all positions."),
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

void fill(PyObject* module) {
    const char* text = "The strong search; positions are remembered from move to move.";
    python::add(module, "Strong", Strong::type<make>("agents.othello._native.Strong", text, methods));
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<fill>("agents.othello._native", "Native searches of Othello.", functions);
}
