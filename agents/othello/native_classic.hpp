// Minimax, alpha-beta and UCT as functions of Python; part of native.cpp.

bool weights_of(PyObject* tuple, int (&weights)[64]) {
    if (PyTuple_GET_SIZE(tuple) != 64) {
        PyErr_SetString(PyExc_ValueError, "there must be 64 weights");
        return false;
    }
    for (Py_ssize_t square = 0; square < 64; ++square) {
        const long weight = PyLong_AsLong(PyTuple_GET_ITEM(tuple, square));
        if (weight == -1 && PyErr_Occurred()) return false;
        if (weight < -1000 || weight > 1000) return PyErr_SetString(PyExc_ValueError, "a weight is from -1000 to 1000"), false;
        weights[square] = static_cast<int>(weight);
    }
    return true;
}

// What both searches are asked for.
struct Question {
    const char* text;
    Py_ssize_t length;
    PyObject* map;
    int depth = 1, first = -1, ordered = 64;
    const char* ordering = "none";
    double seconds = unlimited;
};

template <typename Search>
PyObject* chosen(const Question& asked, Search search) {
    Position position;
    int weights[64];
    if (!placed(asked.text, asked.length, position, true) || !weights_of(asked.map, weights)) return nullptr;
    if (asked.depth < 1 || asked.depth > 60) return PyErr_Format(PyExc_ValueError, "depth must be from 1 to 60");
    othello::Chosen found;
    bool stopped = false;
    return searched(
        [&] {
            search::Watch watch(asked.seconds, ~0ULL, interrupted);
            const othello::Map map(weights);
            found = search(othello::Classic(map, watch), position);
            stopped = watch.stopped();
        },
        [&]() -> PyObject* {
            if (stopped) Py_RETURN_NONE;
            return Py_BuildValue("(siKK)", othello::text(static_cast<othello::Move>(found.move)).c_str(), found.value,
                                 static_cast<unsigned long long>(found.nodes), static_cast<unsigned long long>(found.presearch));
        });
}

PyObject* minimax(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "weights", "depth", "first", "seconds", nullptr};
    Question asked;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#O!|$iid:minimax", const_cast<char**>(keywords), &asked.text, &asked.length,
                                     &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.seconds))
        return nullptr;
    return chosen(asked, [&](othello::Classic search, const Position& root) { return search.minimax(root, asked.depth, asked.first); });
}

PyObject* alphabeta(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "weights", "depth", "first", "ordering", "ordered", "seconds", nullptr};
    Question asked;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#O!|$iisid:alphabeta", const_cast<char**>(keywords), &asked.text,
                                     &asked.length, &PyTuple_Type, &asked.map, &asked.depth, &asked.first, &asked.ordering,
                                     &asked.ordered, &asked.seconds))
        return nullptr;
    const std::string_view names[] = {"none", "position", "intuition"};
    const auto name = std::find(std::begin(names), std::end(names), asked.ordering);
    if (name == std::end(names)) return PyErr_Format(PyExc_ValueError, "no ordering is called %.50s", asked.ordering);
    const auto ordering = static_cast<othello::Ordering>(name - std::begin(names));
    return chosen(asked, [&](othello::Classic search, const Position& root) {
        return search.alphabeta(root, asked.depth, asked.first, ordering, asked.ordered);
    });
}

PyObject* uct(PyObject*, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "playout", "simulations", "c", "rave", "seed", "seconds", nullptr};
    const char *text, *playout = "random";
    Py_ssize_t length;
    unsigned long long simulations = ~0ULL, seed = 0;
    double seconds = unlimited;
    othello::Recipe recipe;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$sKddKd:uct", const_cast<char**>(keywords), &text, &length, &playout,
                                     &simulations, &recipe.c, &recipe.rave, &seed, &seconds) ||
        !placed(text, length, position, true))
        return nullptr;
    const std::string_view names[] = {"random", "light", "heavy", "adaptive", "combined"};
    const auto name = std::find(std::begin(names), std::end(names), playout);
    if (name == std::end(names)) return PyErr_Format(PyExc_ValueError, "no playout is called %.50s", playout);
    recipe.playout = static_cast<othello::Playout>(name - std::begin(names));
    recipe.simulations = simulations;
    recipe.seed = seed;
    std::uint64_t made = 0;
    std::vector<othello::Visited> visited;
    return searched(
        [&] {
            search::Watch watch(seconds, ~0ULL, interrupted);
            othello::Tree tree(position, recipe);
            made = tree.run(watch);
            visited = tree.ranked();
        },
        [&] {
            PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(visited.size()));
            for (std::size_t index = 0; tuple && index < visited.size(); ++index) {
                const auto& [move, visits, mean] = visited[index];
                PyObject* item = Py_BuildValue("(sId)", othello::text(static_cast<othello::Move>(move)).c_str(), visits, mean);
                if (!item) Py_CLEAR(tuple);
                else PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(index), item);
            }
            return Py_BuildValue("(KN)", static_cast<unsigned long long>(made), tuple);
        });
}
