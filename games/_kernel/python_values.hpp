// Python values as C++ values and back. A function that returns false or null has set a Python exception.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstring>
#include <new>

#include "bits.hpp"

namespace arena::python {

// Owns one reference to an object, or null.
class OwnedRef {
public:
    explicit OwnedRef(PyObject* object) : object_(object) {}
    ~OwnedRef() { Py_XDECREF(object_); }
    OwnedRef(const OwnedRef&) = delete;
    OwnedRef& operator=(const OwnedRef&) = delete;

    PyObject* get() const { return object_; }
    // Hand the reference over to the caller.
    PyObject* release() {
        PyObject* object = object_;
        object_ = nullptr;
        return object;
    }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject* object_;
};

// Call `run`. Running out of memory becomes a `MemoryError`.
template <typename Run>
PyObject* with_memory_error(Run run) {
    try {
        return run();
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

// The attribute `name` of the module `module`, a new reference.
inline PyObject* import_attribute(const char* module, const char* name) {
    const OwnedRef found(PyImport_ImportModule(module));
    return found ? PyObject_GetAttrString(found.get(), name) : nullptr;
}

// The attributes of an object with these names, as a tuple.
inline PyObject* get_attributes(PyObject* object, const char* const* names, Py_ssize_t number) {
    OwnedRef values(PyTuple_New(number));
    for (Py_ssize_t index = 0; values && index < number; ++index) {
        PyObject* value = PyObject_GetAttrString(object, names[index]);
        if (!value) return nullptr;
        PyTuple_SET_ITEM(values.get(), index, value);
    }
    return values.release();
}

inline bool check_int(PyObject* object, const char* name) {
    if (PyLong_Check(object)) return true;
    PyErr_Format(PyExc_TypeError, "%s is a whole number, not %.100s", name, Py_TYPE(object)->tp_name);
    return false;
}

// An integer from `lowest` to `highest`.
inline bool read_int(PyObject* object, const char* name, long long lowest, long long highest, long long& into) {
    if (!check_int(object, name)) return false;
    int overflow = 0;
    into = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow && into == -1 && PyErr_Occurred()) return false;
    if (overflow || into < lowest || into > highest) {
        PyErr_Format(PyExc_ValueError, "%s is a whole number from %lld to %lld", name, lowest, highest);
        return false;
    }
    return true;
}

inline bool read_bool(PyObject* object, const char* name, bool& into) {
    if (!PyBool_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is True or False, not %.100s", name, Py_TYPE(object)->tp_name);
        return false;
    }
    into = object == Py_True;
    return true;
}

// `BLACK` or `WHITE`.
inline bool read_color(PyObject* object, bool& white) {
    if (PyBool_Check(object)) return read_bool(object, "turn", white);
    PyErr_Format(PyExc_TypeError, "turn is a colour, not %.100s", Py_TYPE(object)->tp_name);
    return false;
}

// Any integer; only its lowest 64 bits count.
inline bool read_seed(PyObject* object, std::uint64_t& seed) {
    if (!check_int(object, "seed")) return false;
    seed = PyLong_AsUnsignedLongLongMask(object);
    return !PyErr_Occurred();
}

// An integer of at most 64 bits, one for each square. `name` appears in the error.
inline bool read_squares(PyObject* object, const char* name, Bits& into) {
    if (!check_int(object, name)) return false;
    into = PyLong_AsUnsignedLongLong(object);
    if (into != ~Bits{0} || !PyErr_Occurred()) return true;
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s has one bit for each of 64 squares", name);
    return false;
}

// A non-negative integer as the bits of `Bytes`, which may be longer than 64 bits.
template <typename Bytes>
bool read_bits(PyObject* object, const char* name, Bytes& into) {
    if (!check_int(object, name)) return false;
    const OwnedRef bytes(PyObject_CallMethod(
        reinterpret_cast<PyObject*>(&PyLong_Type), "to_bytes", "Ois", object, static_cast<int>(sizeof into), "little"));
    if (bytes && PyBytes_Check(bytes.get()) && PyBytes_GET_SIZE(bytes.get()) == sizeof into) {
        std::memcpy(&into, PyBytes_AS_STRING(bytes.get()), sizeof into);
        return true;
    }
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s has one bit for each of its stones", name);
    return false;
}

// The integer with these bits, a new reference.
template <typename Bytes>
PyObject* int_of_bits(const Bytes& bits) {
    return PyObject_CallMethod(
        reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes", "y#s", reinterpret_cast<const char*>(&bits),
        static_cast<Py_ssize_t>(sizeof bits), "little");
}

// The attribute `rows` or `columns` of a board, from 1 to `largest`.
inline bool read_board_side(PyObject* board, const char* name, int largest, int& into) {
    const OwnedRef length(PyObject_GetAttrString(board, name));
    long long number = 0;
    if (!length || !read_int(length.get(), name, 1, largest, number)) return false;
    into = static_cast<int>(number);
    return true;
}

// Whether a long calculation may go on. False after Ctrl-C or any other exception.
inline bool go_on() { return !PyErr_Occurred() && PyErr_CheckSignals() == 0; }

inline constexpr long long most_turns = 2'000'000'000;

}  // namespace arena::python
