// The earlier study of Othello as the Python module othello_study, for tests and benchmarks.
#include "python_values.hpp"

#include "othello_study.hpp"

namespace {

using namespace arena;

PyTypeObject* figures_type;

PyStructSequence_Field fields[] = {
    {"black", "Black's discs at the end."},
    {"white", "White's discs at the end."},
    {"nodes_black", "Nodes for each of Black's moves."},
    {"nodes_white", "Nodes for each of White's moves."},
    {"nodes", "All nodes."},
    {nullptr, nullptr},
};
PyStructSequence_Desc description = {"othello_study.Figures", "A game of alpha-beta against itself.", fields, 5};

PyObject* study(PyObject*, PyObject* number) {
    long long depth = 0;
    if (!python::read_int(number, "depth", 0, 12, depth)) return nullptr;
    const othello::Study found = othello::study(static_cast<int>(depth), python::go_on);
    if (PyErr_Occurred()) return nullptr;
    const std::uint64_t values[] = {
        static_cast<std::uint64_t>(found.black), static_cast<std::uint64_t>(found.white),
        found.average(false), found.average(true), found.all_nodes(),
    };
    python::OwnedRef figures(PyStructSequence_New(figures_type));
    for (Py_ssize_t index = 0; figures && index < 5; ++index) {
        PyObject* value = PyLong_FromUnsignedLongLong(values[index]);
        if (!value) return nullptr;
        PyStructSequence_SET_ITEM(figures.get(), index, value);
    }
    return figures.release();
}

PyMethodDef functions[] = {
    {"study", study, METH_O, "study(depth) -> the figures of a game of alpha-beta against itself, with map B"},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "othello_study", "An earlier study of Othello.", -1, functions, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit_othello_study() {
    if (!figures_type) figures_type = PyStructSequence_NewType(&description);
    return figures_type ? PyModule_Create(&module) : nullptr;
}
