// The functions of a kernel's module for learners: `shape`, `encode`, `action` and `legal_actions`.
//
// They answer only for the kernel's own states; for any other object they return None or False, and the specification in
// games/encoding answers.
#pragma once

#include "python_values.hpp"

#include <cstring>

#include "encoding.hpp"

namespace arena::python {

// A writable buffer of numbers of 32 bits, without gaps.
class FloatBuffer {
public:
    FloatBuffer() = default;
    FloatBuffer(const FloatBuffer&) = delete;
    FloatBuffer& operator=(const FloatBuffer&) = delete;
    ~FloatBuffer() {
        if (open_) PyBuffer_Release(&view_);
    }

    bool open(PyObject* object) {
        open_ = PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT) == 0;
        if (!open_) return false;
        if (view_.format && !std::strcmp(view_.format, "f") && view_.itemsize == sizeof(float)) return true;
        PyErr_SetString(PyExc_TypeError, "the array is of float32");
        return false;
    }
    float* data() const { return static_cast<float*>(view_.buf); }
    Py_ssize_t size() const { return view_.len / static_cast<Py_ssize_t>(sizeof(float)); }

private:
    Py_buffer view_{};
    bool open_ = false;
};

// What these functions need to know about the states of a game.
template <typename Source>
concept EncodingSource = requires(PyObject* state, PyObject* move, float* out, int* into, int& index) {
    { Source::accepts(state) } -> std::same_as<bool>;                    // whether the kernel may answer for it
    { Source::shape(state) } -> std::same_as<Shape>;                     // these need a state that was just accepted
    { Source::encode(state, out) } -> std::same_as<void>;
    { Source::legal_actions(state, into) } -> std::same_as<int>;         // their number
    { Source::max_moves } -> std::convertible_to<int>;
    { Source::find_action(state, move, index) } -> std::same_as<bool>;   // of any object; false if it is not a legal move
};

template <EncodingSource Source>
struct EncodingFunctions {
    static PyObject* shape(PyObject*, PyObject* state) {
        if (!Source::accepts(state)) Py_RETURN_NONE;
        const auto [planes, height, width, scalars, actions] = Source::shape(state);
        return Py_BuildValue("(iiiii)", planes, height, width, scalars, actions);
    }

    static PyObject* encode(PyObject*, PyObject* args) {
        PyObject *sequence, *array;
        Shape shape;
        FloatBuffer out;
        if (!PyArg_ParseTuple(args, "OO(iiiii):encode", &sequence, &array, &shape.planes, &shape.height, &shape.width,
                              &shape.scalars, &shape.actions) || !out.open(array))
            return nullptr;
        // A tuple of our own: accepting a state may run code that changes a list.
        const OwnedRef states(PySequence_Tuple(sequence));
        if (!states) return nullptr;
        const Py_ssize_t number = PyTuple_GET_SIZE(states.get());
        for (Py_ssize_t index = 0; index < number; ++index) {
            PyObject* state = PyTuple_GET_ITEM(states.get(), index);
            if (!Source::accepts(state)) Py_RETURN_FALSE;
            if (Source::shape(state) != shape) return PyErr_Format(PyExc_ValueError, "a state is of another board size");
            // The shape is that of a state, so its numbers are small.
            const Py_ssize_t inputs = shape.inputs();
            if (out.size() != number * inputs)
                return PyErr_Format(PyExc_ValueError, "the array has %zd numbers, but the states need %zd", out.size(),
                                    number * inputs);
            Source::encode(state, out.data() + index * inputs);
        }
        Py_RETURN_TRUE;
    }

    static PyObject* action(PyObject*, PyObject* args) {
        PyObject *state, *move;
        int index = -1;
        if (!PyArg_ParseTuple(args, "OO:action", &state, &move)) return nullptr;
        const bool found = Source::find_action(state, move, index);
        if (PyErr_Occurred()) return nullptr;
        return found ? PyLong_FromLong(index) : Py_NewRef(Py_None);
    }

    static PyObject* legal_actions(PyObject*, PyObject* state) {
        if (!Source::accepts(state)) Py_RETURN_NONE;
        int actions[Source::max_moves];
        const int size = Source::legal_actions(state, actions);
        OwnedRef list(PyList_New(size));
        for (int index = 0; list && index < size; ++index) {
            PyObject* action = PyLong_FromLong(actions[index]);
            if (!action) return nullptr;
            PyList_SET_ITEM(list.get(), index, action);
        }
        return list.release();
    }
};

// The entries of a module's table of functions.
#define ARENA_ENCODING_FUNCTIONS(Functions) \
    {"shape", Functions::shape, METH_O, \
     "shape(state) -> (planes, height, width, scalars, actions); None if it is not a native state"}, \
    {"encode", Functions::encode, METH_VARARGS, \
     "encode(states, array, shape) -> True; False if one is not a native state, and then the array is not complete"}, \
    {"action", Functions::action, METH_VARARGS, \
     "action(state, move) -> its index; None if it is not a legal move of a native state"}, \
    {"legal_actions", Functions::legal_actions, METH_O, \
     "legal_actions(state) -> the indexes of the legal moves, in their order; None if it is not a native state"}

}  // namespace arena::python
