// The strong search as the Python type Strong; part of native.cpp.

struct StrongObject {
    PyObject_HEAD
    othello::Strong* strong;
    bool busy;  // a search runs, without Python's lock
};
StrongObject& held(PyObject* self) { return *reinterpret_cast<StrongObject*>(self); }

bool is_free(PyObject* self) {
    if (held(self).busy) PyErr_SetString(PyExc_RuntimeError, "the engine is searching");
    return !held(self).busy;
}

PyObject* make_strong(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"weights", nullptr};
    const char* weights;
    Py_ssize_t size;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y#:Strong", const_cast<char**>(keywords), &weights, &size)) return nullptr;
    try {
        auto strong = std::make_unique<othello::Strong>();
        if (!strong->learn(reinterpret_cast<const std::int8_t*>(weights), static_cast<std::size_t>(size)))
            return PyErr_Format(PyExc_ValueError, "there must be %zu weights", othello::Weights::stored());
        PyObject* self = type->tp_alloc(type, 0);
        if (self) held(self).strong = strong.release();
        return self;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

void free_strong(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete held(self).strong;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* told(const othello::Answer& answer) {
    return Py_BuildValue("(siiOOKN)", othello::text(static_cast<othello::Move>(answer.move)).c_str(), answer.score, answer.depth,
                         answer.won_lost ? Py_True : Py_False, answer.exact ? Py_True : Py_False,
                         static_cast<unsigned long long>(answer.nodes), texts(answer.line));
}

PyObject* strong_search(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", "depth", "solve", "selective", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = unlimited;
    othello::Limits limits;
    int selective = 1;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$diip:search", const_cast<char**>(keywords), &text, &length, &seconds,
                                     &limits.depth, &limits.solve, &selective) ||
        !is_free(self) || !placed(text, length, position, true))
        return nullptr;
    limits.selective = selective != 0;
    othello::Answer answer;
    held(self).busy = true;
    PyObject* found = searched(
        [&] {
            // A search to the end begins with a look at the moves, for a fifth of the time.
            search::Watch quick(seconds / 5, ~0ULL, interrupted), watch(seconds, ~0ULL, interrupted);
            answer = held(self).strong->search(position, limits, quick, watch);
        },
        [&] { return told(answer); });
    held(self).busy = false;
    return found;
}

PyObject* strong_solve(PyObject* self, PyObject* args, PyObject* kwargs) {
    static const char* keywords[] = {"text", "seconds", nullptr};
    const char* text;
    Py_ssize_t length;
    double seconds = unlimited;
    Position position;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|$d:solve", const_cast<char**>(keywords), &text, &length, &seconds) ||
        !is_free(self) || !placed(text, length, position, false))
        return nullptr;
    othello::Answer answer;
    held(self).busy = true;
    PyObject* found = searched(
        [&] {
            search::Watch watch(seconds, ~0ULL, interrupted);
            answer = held(self).strong->solve(position, watch);
        },
        [&]() -> PyObject* {
            const auto nodes = static_cast<unsigned long long>(answer.nodes);
            return answer.exact ? Py_BuildValue("(iK)", answer.score, nodes) : Py_BuildValue("(OK)", Py_None, nodes);
        });
    held(self).busy = false;
    return found;
}

PyObject* strong_value(PyObject* self, PyObject* args) {
    const char* text;
    Py_ssize_t length;
    Position position;
    if (!PyArg_ParseTuple(args, "s#:value", &text, &length) || !is_free(self) || !placed(text, length, position, false)) return nullptr;
    return PyLong_FromLong(held(self).strong->value(position));
}

PyObject* strong_forget(PyObject* self, PyObject*) {
    if (!is_free(self)) return nullptr;
    held(self).strong->forget();
    Py_RETURN_NONE;
}

PyMethodDef strong_methods[] = {
    {"search", called(strong_search), METH_VARARGS | METH_KEYWORDS,
     "search(text, *, seconds, depth, solve, selective): move, score, depth, won_lost, exact, nodes, line."},
    {"solve", called(strong_solve), METH_VARARGS | METH_KEYWORDS, "solve(text, *, seconds): the exact lead (None: no time), nodes."},
    {"value", strong_value, METH_VARARGS, "value(text): what the patterns are worth to the side to move."},
    {"forget", strong_forget, METH_NOARGS, "Forget all positions."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot strong_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make_strong)},
    {Py_tp_dealloc, reinterpret_cast<void*>(free_strong)},
    {Py_tp_methods, strong_methods},
    {Py_tp_doc, const_cast<char*>("The strong search; positions are remembered from move to move.")},
    {0, nullptr},
};
PyType_Spec strong_spec = {"agents.othello._native.Strong", sizeof(StrongObject), 0, Py_TPFLAGS_DEFAULT, strong_slots};
