// C++ functions and objects as Python functions and objects: arguments, results, exceptions, and searches that run without
// Python's lock.
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

#include "search_result.hpp"
#include "stop_condition.hpp"

namespace arena::python {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// Thrown when a Python exception is set. The call from Python ends with that exception.
struct Raised {};

template <typename... Values>
[[noreturn]] void raise(PyObject* kind, const char* format, Values... values) {
    PyErr_Format(kind, format, values...);
    throw Raised();
}
template <typename... Values>
[[noreturn]] void raise_value_error(const char* format, Values... values) {
    raise(PyExc_ValueError, format, values...);
}

// Call `run`. A C++ exception becomes a Python exception.
template <typename Run>
PyObject* with_python_errors(Run run) {
    try {
        return run();
    } catch (const Raised&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (const std::exception& error) {
        return PyErr_Format(PyExc_RuntimeError, "%s", error.what());
    }
}

// A text. Python keeps it alive.
struct Text {
    const char* letters = nullptr;
    Py_ssize_t size = 0;

    operator std::string_view() const { return {letters, static_cast<std::size_t>(size)}; }
};
using Texts = std::vector<std::string_view>;

// The arguments of a call.
struct Call {
    PyObject *args, *kwargs;

    // Store them through the pointers. The format is that of `PyArg_ParseTupleAndKeywords`.
    template <typename... Into>
    void read(const char* format, std::initializer_list<const char*> keywords, Into... into) const {
        std::vector<char*> names;
        for (const char* keyword : keywords) names.push_back(const_cast<char*>(keyword));
        names.push_back(nullptr);
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names.data(), into...)) throw Raised();
    }
};

// The results of `read` for each item of a tuple.
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

// Put a new reference into a new tuple. If the item is null, the tuple becomes null.
inline void put(PyObject*& tuple, Py_ssize_t index, PyObject* item) {
    if (tuple && item) {
        PyTuple_SET_ITEM(tuple, index, item);
    } else {
        Py_XDECREF(item);
        Py_CLEAR(tuple);
    }
}

// A tuple of the objects that `write` makes of each item.
template <typename Item, typename Write>
PyObject* tuple_of(const std::vector<Item>& all, Write write) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(all.size()));
    for (std::size_t index = 0; tuple && index < all.size(); ++index) put(tuple, static_cast<Py_ssize_t>(index), write(all[index]));
    return tuple;
}

inline PyObject* to_python(PyObject* object) { return object; }
inline PyObject* to_python(const std::string& text) {
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
template <typename Number>
    requires std::is_arithmetic_v<Number>
PyObject* to_python(Number number) {
    if constexpr (std::is_same_v<Number, bool>) return PyBool_FromLong(number);
    else if constexpr (std::is_floating_point_v<Number>) return PyFloat_FromDouble(number);
    else if constexpr (std::is_signed_v<Number>) return PyLong_FromLongLong(number);
    else return PyLong_FromUnsignedLongLong(number);
}
inline PyObject* to_python(const search::Visits& visits);
inline PyObject* to_python(const search::Branch& branch);
template <typename Item>
PyObject* to_python(const std::vector<Item>& all) {
    return tuple_of(all, [](const Item& item) { return to_python(item); });
}

// A tuple of values of any types. It takes over the references to objects.
template <typename... Items>
PyObject* tuple(const Items&... all) {
    PyObject* made = PyTuple_New(sizeof...(all));
    Py_ssize_t index = 0;
    (put(made, index++, to_python(all)), ...);
    return made;
}
inline PyObject* to_python(const search::Visits& visits) { return tuple(visits.move, visits.visits, visits.mean); }
inline PyObject* to_python(const search::Branch& branch) { return tuple(branch.line, branch.visits, branch.mean); }

// Whether the search must stop because of Ctrl-C. Called without Python's lock.
inline bool interrupted() {
    const PyGILState_STATE lock = PyGILState_Ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(lock);
    return stop;
}

// What the module `agents.watch` holds: the byte that asks searches to stop, and the function that hears of their progress.
class Watch {
public:
    Watch() {
        PyObject* module = PyImport_ImportModule("agents.watch");
        PyObject* stop_byte = module ? PyObject_GetAttrString(module, "stop_byte") : nullptr;
        if (stop_byte && stop_byte != Py_None && PyObject_GetBuffer(stop_byte, &view_, PyBUF_SIMPLE) != 0) view_.obj = nullptr;
        progress_ = module ? PyObject_GetAttrString(module, "progress") : nullptr;
        PyObject* cpu_end = module ? PyObject_GetAttrString(module, "cpu_end") : nullptr;
        if (cpu_end) cpu_end_ = PyFloat_AsDouble(cpu_end);
        Py_XDECREF(cpu_end);
        Py_XDECREF(stop_byte);
        Py_XDECREF(module);
        PyErr_Clear();  // a search without the module is not watched
    }
    ~Watch() {
        if (view_.obj) PyBuffer_Release(&view_);
        Py_XDECREF(progress_);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    const volatile unsigned char* request() const { return view_.obj && view_.len ? static_cast<unsigned char*>(view_.buf) : nullptr; }
    bool has_listener() const { return progress_ && progress_ != Py_None; }
    double cpu_end() const { return cpu_end_; }

    // Call the listener. It runs while the search waits, and with Python's lock.
    void tell(const search::SearchResult& found) const {
        const PyGILState_STATE lock = PyGILState_Ensure();
        PyObject* arguments = tuple(found.move, found.nodes, found.depth, found.score, found.line, found.visits, found.tree);
        PyObject* answer = arguments ? PyObject_CallObject(progress_, arguments) : nullptr;
        if (!answer) PyErr_WriteUnraisable(progress_);
        Py_XDECREF(answer);
        Py_XDECREF(arguments);
        PyGILState_Release(lock);
    }

private:
    Py_buffer view_ = {};
    PyObject* progress_ = nullptr;
    double cpu_end_ = unlimited;
};

// Run a search without Python's lock. An exception and Ctrl-C end the call.
template <typename Search>
auto run_search(double seconds, std::uint64_t most_nodes, Search search) {
    std::invoke_result_t<Search, search::StopCondition&> found{};
    std::exception_ptr thrown;
    const Watch watch;
    Py_BEGIN_ALLOW_THREADS
    try {
        search::StopCondition stop(seconds, most_nodes, interrupted);
        stop.limit_cpu(watch.cpu_end());
        stop.watch(watch.request(), watch.has_listener() ? [&](const auto& result) { watch.tell(result); } : search::StopCondition::Listener());
        found = search(stop);
    } catch (...) {
        thrown = std::current_exception();
    }
    Py_END_ALLOW_THREADS
    if (thrown) std::rethrow_exception(thrown);
    if (PyErr_Occurred()) throw Raised();
    return found;
}

// A Python object that owns a C++ object.
template <typename Content>
struct Object {
    PyObject_HEAD
    Content* content;
    bool busy;  // a search is running without Python's lock

    Content& operator*() const { return *content; }
    Content* operator->() const { return content; }

    template <typename Search>
    auto run_search(double seconds, std::uint64_t most_nodes, Search search) {
        struct Busy {
            bool& busy;
            ~Busy() { busy = false; }
        } during{busy = true};
        return python::run_search(seconds, most_nodes, search);
    }

    // The object, unless a search is running: then nothing may touch its content.
    static Object& idle(PyObject* self) {
        auto& object = *reinterpret_cast<Object*>(self);
        if (object.busy) raise(PyExc_RuntimeError, "a search is under way");
        return object;
    }

    template <std::unique_ptr<Content> make(const Call&)>
    static PyObject* create(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
        return with_python_errors([&] {
            std::unique_ptr<Content> content = make({args, kwargs});
            PyObject* self = type->tp_alloc(type, 0);
            if (self) idle(self).content = content.release();
            return self;
        });
    }
    static void dealloc(PyObject* self) {
        PyTypeObject* type = Py_TYPE(self);
        delete reinterpret_cast<Object*>(self)->content;
        type->tp_free(self);
        Py_DECREF(type);
    }

    // The Python type. `make` creates the content from the arguments of the constructor.
    template <std::unique_ptr<Content> make(const Call&)>
    static PyObject* type(const char* name, const char* text, PyMethodDef* methods, PyGetSetDef* properties = no_properties) {
        PyType_Slot slots[] = {
            {Py_tp_new, reinterpret_cast<void*>(create<make>)},
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
            {Py_tp_methods, methods},
            {Py_tp_getset, properties},
            {Py_tp_doc, const_cast<char*>(text)},
            {0, nullptr},
        };
        PyType_Spec spec = {name, sizeof(Object), 0, Py_TPFLAGS_DEFAULT, slots};
        return PyType_FromSpec(&spec);
    }
    static inline PyGetSetDef no_properties[] = {{}};
};

// Calls of methods, properties and module functions, which differ in their parameters.
template <typename Content, typename... Arguments>
PyObject* invoke(PyObject* function(Object<Content>&, Arguments...), PyObject* self, std::type_identity_t<Arguments>... arguments) {
    return with_python_errors([&] { return function(Object<Content>::idle(self), arguments...); });
}
inline PyObject* invoke(PyObject* function(const Call&), PyObject*, const Call& call) {
    return with_python_errors([&] { return function(call); });
}

template <auto function>
PyMethodDef method(const char* name, const char* text) {
    const PyCFunctionWithKeywords call = [](PyObject* self, PyObject* args, PyObject* kwargs) {
        return invoke(function, self, Call{args, kwargs});
    };
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_VARARGS | METH_KEYWORDS, text};
}
// A method without arguments.
template <auto function>
PyMethodDef simple_method(const char* name, const char* text) {
    return {name, [](PyObject* self, PyObject*) { return invoke(function, self); }, METH_NOARGS, text};
}
template <auto function>
PyGetSetDef property(const char* name, const char* text) {
    return {name, [](PyObject* self, void*) { return invoke(function, self); }, nullptr, text, nullptr};
}

// Add an object to a module, which takes over the reference.
inline void add(PyObject* module, const char* name, PyObject* object) {
    const bool failed = PyModule_AddObjectRef(module, name, object) != 0;
    Py_XDECREF(object);
    if (failed) throw Raised();
}

// Add a type to a module, under the last part of its name.
template <PyObject* make_type()>
void add_type(PyObject* module) {
    PyObject* type = make_type();
    const bool failed = !type || PyModule_AddType(module, reinterpret_cast<PyTypeObject*>(type)) != 0;
    Py_XDECREF(type);
    if (failed) throw Raised();
}

// The module. `fill` adds everything but its functions.
template <void fill(PyObject*)>
PyObject* module(const char* name, const char* text, PyMethodDef* functions = nullptr) {
    int (*const execute)(PyObject*) = [](PyObject* made) { return with_python_errors([&] { return fill(made), made; }) ? 0 : -1; };
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)}, {0, nullptr}};
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, name, text, 0, functions, slots, nullptr, nullptr, nullptr};
    return PyModuleDef_Init(&definition);
}

}  // namespace arena::python
