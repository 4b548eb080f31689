// The searches as Python sees them: calls, answers, and objects that search without Python's lock.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "watch.hpp"

namespace arena::python {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// An exception of Python is set, with which the call ends.
struct Raised {};

template <typename... Words>
[[noreturn]] void raise(PyObject* kind, const char* format, Words... words) {
    PyErr_Format(kind, format, words...);
    throw Raised();
}
template <typename... Words>
[[noreturn]] void refuse(const char* format, Words... words) {
    raise(PyExc_ValueError, format, words...);
}

// Call `act`; what C++ throws becomes an exception of Python.
template <typename Act>
PyObject* guarded(Act act) {
    try {
        return act();
    } catch (const Raised&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (const std::exception& error) {
        return PyErr_Format(PyExc_RuntimeError, "%s", error.what());
    }
}

// A text that Python keeps alive.
struct Text {
    const char* letters = nullptr;
    Py_ssize_t size = 0;

    operator std::string_view() const { return {letters, static_cast<std::size_t>(size)}; }
};
using Texts = std::vector<std::string_view>;

// The arguments of a call.
struct Call {
    PyObject *args, *kwargs;

    // Put them where the pointers lead; the format is that of `PyArg_ParseTupleAndKeywords`.
    template <typename... Into>
    void read(const char* format, std::initializer_list<const char*> keywords, Into... into) const {
        std::vector<char*> names;
        for (const char* keyword : keywords) names.push_back(const_cast<char*>(keyword));
        names.push_back(nullptr);
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names.data(), into...)) throw Raised();
    }
};

// What `read` makes of each item of a tuple.
template <typename Read>
auto items(PyObject* tuple, Read read) {
    if (!PyTuple_Check(tuple)) raise(PyExc_TypeError, "a tuple is expected");
    std::vector<std::invoke_result_t<Read, PyObject*>> found;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(tuple); ++index) found.push_back(read(PyTuple_GET_ITEM(tuple, index)));
    return found;
}
inline Texts texts(PyObject* tuple) {
    return items(tuple, [](PyObject* item) -> std::string_view {
        Text text;
        text.letters = PyUnicode_AsUTF8AndSize(item, &text.size);
        if (!text.letters) throw Raised();
        return text;
    });
}

// Put a new item into a new tuple, which is given up if there is none.
inline void put(PyObject*& tuple, Py_ssize_t index, PyObject* item) {
    if (tuple && item) {
        PyTuple_SET_ITEM(tuple, index, item);
    } else {
        Py_XDECREF(item);
        Py_CLEAR(tuple);
    }
}

// A tuple of what `write` makes of each item.
template <typename Item, typename Write>
PyObject* listed(const std::vector<Item>& all, Write write) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(all.size()));
    for (std::size_t index = 0; tuple && index < all.size(); ++index) put(tuple, static_cast<Py_ssize_t>(index), write(all[index]));
    return tuple;
}

inline PyObject* written(PyObject* object) { return object; }
inline PyObject* written(const std::string& text) {
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
template <typename Number>
    requires std::is_arithmetic_v<Number>
PyObject* written(Number number) {
    if constexpr (std::is_same_v<Number, bool>) return PyBool_FromLong(number);
    else if constexpr (std::is_floating_point_v<Number>) return PyFloat_FromDouble(number);
    else if constexpr (std::is_signed_v<Number>) return PyLong_FromLongLong(number);
    else return PyLong_FromUnsignedLongLong(number);
}
inline PyObject* written(const search::Visits& visits);
template <typename Item>
PyObject* written(const std::vector<Item>& all) {
    return listed(all, [](const Item& item) { return written(item); });
}

// A tuple of anything; of objects it takes the references.
template <typename... Items>
PyObject* tuple(const Items&... all) {
    PyObject* made = PyTuple_New(sizeof...(all));
    Py_ssize_t index = 0;
    (put(made, index++, written(all)), ...);
    return made;
}
inline PyObject* written(const search::Visits& visits) { return tuple(visits.move, visits.visits, visits.mean); }

// Whether the search may not go on: Ctrl-C. Asked without Python's lock.
inline bool interrupted() {
    const PyGILState_STATE lock = PyGILState_Ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(lock);
    return stop;
}

// What a search finds without Python's lock; what it throws, and Ctrl-C, ends the call.
template <typename Search>
auto searched(double seconds, std::uint64_t most, Search search) {
    std::invoke_result_t<Search, search::Watch&> found{};
    std::exception_ptr thrown;
    Py_BEGIN_ALLOW_THREADS
    try {
        search::Watch watch(seconds, most, interrupted);
        found = search(watch);
    } catch (...) {
        thrown = std::current_exception();
    }
    Py_END_ALLOW_THREADS
    if (thrown) std::rethrow_exception(thrown);
    if (PyErr_Occurred()) throw Raised();
    return found;
}

// An object of Python that holds one of C++.
template <typename Content>
struct Object {
    PyObject_HEAD
    Content* content;
    bool busy;  // a search runs, without Python's lock

    Content& operator*() const { return *content; }
    Content* operator->() const { return content; }

    template <typename Search>
    auto searched(double seconds, std::uint64_t most, Search search) {
        struct Busy {
            bool& busy;
            ~Busy() { busy = false; }
        } during{busy = true};
        return python::searched(seconds, most, search);
    }

    // Nobody comes near the content while it is searched.
    static Object& at_rest(PyObject* self) {
        auto& object = *reinterpret_cast<Object*>(self);
        if (object.busy) raise(PyExc_RuntimeError, "a search is under way");
        return object;
    }

    template <std::unique_ptr<Content> make(const Call&)>
    static PyObject* created(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
        return guarded([&] {
            std::unique_ptr<Content> content = make({args, kwargs});
            PyObject* self = type->tp_alloc(type, 0);
            if (self) at_rest(self).content = content.release();
            return self;
        });
    }
    static void dealloc(PyObject* self) {
        PyTypeObject* type = Py_TYPE(self);
        delete reinterpret_cast<Object*>(self)->content;
        type->tp_free(self);
        Py_DECREF(type);
    }

    // The type whose objects hold what `make` makes of the arguments.
    template <std::unique_ptr<Content> make(const Call&)>
    static PyObject* type(const char* name, const char* text, PyMethodDef* methods, PyGetSetDef* properties = none) {
        PyType_Slot slots[] = {
            {Py_tp_new, reinterpret_cast<void*>(created<make>)},
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
            {Py_tp_methods, methods},
            {Py_tp_getset, properties},
            {Py_tp_doc, const_cast<char*>(text)},
            {0, nullptr},
        };
        PyType_Spec spec = {name, sizeof(Object), 0, Py_TPFLAGS_DEFAULT, slots};
        return PyType_FromSpec(&spec);
    }
    static inline PyGetSetDef none[] = {{}};
};

// Methods, properties and functions of modules, told apart by what they take.
template <typename Content, typename... Arguments>
PyObject* called(PyObject* function(Object<Content>&, Arguments...), PyObject* self, std::type_identity_t<Arguments>... arguments) {
    return guarded([&] { return function(Object<Content>::at_rest(self), arguments...); });
}
inline PyObject* called(PyObject* function(const Call&), PyObject*, const Call& call) {
    return guarded([&] { return function(call); });
}

template <auto function>
PyMethodDef method(const char* name, const char* text) {
    const PyCFunctionWithKeywords call = [](PyObject* self, PyObject* args, PyObject* kwargs) {
        return called(function, self, Call{args, kwargs});
    };
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_VARARGS | METH_KEYWORDS, text};
}
// A method without arguments.
template <auto function>
PyMethodDef question(const char* name, const char* text) {
    return {name, [](PyObject* self, PyObject*) { return called(function, self); }, METH_NOARGS, text};
}
template <auto function>
PyGetSetDef property(const char* name, const char* text) {
    return {name, [](PyObject* self, void*) { return called(function, self); }, nullptr, text, nullptr};
}

// Add an object, whose reference is taken, to a module.
inline void add(PyObject* module, const char* name, PyObject* object) {
    const bool failed = PyModule_AddObjectRef(module, name, object) != 0;
    Py_XDECREF(object);
    if (failed) throw Raised();
}

// The module to which `fill` adds what it has besides functions.
template <void fill(PyObject*)>
PyObject* module(const char* name, const char* text, PyMethodDef* functions = nullptr) {
    int (*const filled)(PyObject*) = [](PyObject* made) { return guarded([&] { return fill(made), made; }) ? 0 : -1; };
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(filled)}, {0, nullptr}};
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, name, text, 0, functions, slots, nullptr, nullptr, nullptr};
    return PyModuleDef_Init(&definition);
}

}  // namespace arena::python
