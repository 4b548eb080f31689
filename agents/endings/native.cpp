// Building and reading the tables of microchess endings, as the Python module agents.endings._native.
#include "../core/arguments.hpp"
#include "build.hpp"

namespace {

using namespace arena;

PyObject* build(const python::Call& call) {
    call.read(":build", {});
    std::string bytes;
    Py_BEGIN_ALLOW_THREADS
    bytes = endings::build_all();
    Py_END_ALLOW_THREADS
    return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
}

PyObject* position(const python::Call& call) {
    unsigned int index;
    call.read("I:position", {"index"}, &index);
    const endings::Layout& layout = endings::layout();
    if (index >= layout.size) python::raise_value_error("there is no entry %u", index);
    const auto number = std::upper_bound(layout.begin.begin(), layout.begin.end(), index) - layout.begin.begin() - 1;
    const endings::Builder::Done none;
    const endings::Builder builder(layout.materials[static_cast<std::size_t>(number)], none);
    const auto found = builder.position_of(index - layout.begin[static_cast<std::size_t>(number)]);
    if (!found || microchess::Board(*found).over()) Py_RETURN_NONE;
    return python::to_python(position_text(*found));
}

// The tables, for those who look into them one by one.
std::unique_ptr<endings::Tables> make(const python::Call& call) {
    const char* letters;
    Py_ssize_t size;
    call.read("y#:Tables", {"tables"}, &letters, &size);
    auto found = endings::Tables::of({letters, static_cast<std::size_t>(size)});
    if (!found) python::raise_value_error("these are not the tables of the endings");
    return std::make_unique<endings::Tables>(std::move(*found));
}

using Tables = python::Object<endings::Tables>;

PyObject* sure_answer(Tables& self, const python::Call& call) {
    search::PositionArguments arguments;
    search::Parameters parameters;
    PyObject* moves;
    call.read("s#O!L:sure_answer", {"text", "moves", "limit"}, &arguments.text.letters, &arguments.text.size, &PyTuple_Type, &moves,
              &parameters.limit);
    arguments.moves = python::texts(moves);
    const auto board = arguments.board<search::Microchess>(parameters);
    const auto found = self->sure_answer(*board);
    if (!found) Py_RETURN_NONE;
    return python::tuple(static_cast<int>(found->result), found->turns);
}

PyMethodDef methods[] = {
    python::method<sure_answer>("sure_answer", "sure_answer(text, moves, limit): result and turns, if they hold in this game."),
    {},
};
PyMethodDef functions[] = {
    python::method<build>("build", "build(): all tables, one byte for each position."),
    python::method<position>("position", "position(index): the text of an entry; None where there is no position."),
    {},
};

void fill(PyObject* module) {
    python::add(module, "Tables", Tables::type<make>("agents.endings._native.Tables", "The tables of all endings.", methods));
}

}  // namespace

PyMODINIT_FUNC PyInit__native() {
    return python::module<fill>("agents.endings._native", "Tables of microchess endings.", functions);
}
