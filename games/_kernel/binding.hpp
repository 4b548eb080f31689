// Positions as Python values: a C type that derives from the specification's class, a frozen dataclass with slots.
//
// The type does what is asked often; all else, and all that is unusual (subclasses, illegal moves, endings), is left
// to the specification's own methods. States are not changed once they are set up, and are shared freely.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "common.hpp"

namespace arena::binding {

// A reference that is given back at the end of the block.
class Held {
public:
    explicit Held(PyObject* object) : object_(object) {}
    ~Held() { Py_XDECREF(object_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    PyObject* get() const { return object_; }
    PyObject* given() {
        PyObject* object = object_;
        object_ = nullptr;
        return object;
    }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject* object_;
};

// A whole number between the two; false with an exception set for anything else.
inline bool whole(PyObject* object, const char* name, long long lowest, long long highest, long long& into) {
    if (!PyLong_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is a whole number, not %.100s", name, Py_TYPE(object)->tp_name);
        return false;
    }
    int overflow = 0;
    into = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow && into == -1 && PyErr_Occurred()) return false;
    if (overflow || into < lowest || into > highest) {
        PyErr_Format(PyExc_ValueError, "%s is a whole number from %lld to %lld", name, lowest, highest);
        return false;
    }
    return true;
}

// One of `BLACK` and `WHITE`.
inline bool color(PyObject* object, bool& white) {
    if (!PyBool_Check(object)) {
        PyErr_Format(PyExc_TypeError, "turn is a colour, not %.100s", Py_TYPE(object)->tp_name);
        return false;
    }
    white = object == Py_True;
    return true;
}

// A whole number that is not negative, as the bits of `Bytes`; false with an exception set for anything else.
template <typename Bytes>
bool bits(PyObject* object, const char* name, Bytes& into) {
    if (!PyLong_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is a whole number, not %.100s", name, Py_TYPE(object)->tp_name);
        return false;
    }
    const Held bytes(PyObject_CallMethod(
        reinterpret_cast<PyObject*>(&PyLong_Type), "to_bytes", "Ois", object, static_cast<int>(sizeof into), "little"));
    if (bytes && PyBytes_Check(bytes.get()) && PyBytes_GET_SIZE(bytes.get()) == sizeof into) {
        std::memcpy(&into, PyBytes_AS_STRING(bytes.get()), sizeof into);
        return true;
    }
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s has one bit for each of its stones", name);
    return false;
}

// The whole number with these bits.
template <typename Bytes>
PyObject* number(const Bytes& bits) {
    return PyObject_CallMethod(
        reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes", "y#s", reinterpret_cast<const char*>(&bits),
        static_cast<Py_ssize_t>(sizeof bits), "little");
}

// Whether a long calculation may go on: Ctrl-C ends it.
inline bool go_on() { return !PyErr_Occurred() && PyErr_CheckSignals() == 0; }

inline constexpr long long most_turns = 2'000'000'000;

// The Python type over the position of `Rules`, which says:
//   Position                         the position; as made by default it must be harmless
//   fields, name                     of the dataclass; where the type is found, for pickle
//   set_up(self, args, kwargs)       fills `state(self)` from the arguments of the dataclass
//   values(self)                     those arguments again, as a tuple
//   hashed(self)                     those of them that make the hash; if it is not there, all
//   read(object, position)           the position of a state of the specification
//   written(position)                its text
//   same(position, position)
//   names                            the texts of all moves, by move
//   methods, properties              of the type
// and beside `Position` stand `read(position, text)`, `perft` and `playout`.
template <typename Rules>
struct Value {
    using Position = typename Rules::Position;

    struct State {
        PyObject_HEAD
        PyObject* slots[Rules::fields];  // those of the specification; the type below hides most of them
        Position position;
        std::uint32_t turns;
        bool ready;
    };

    static State& state(PyObject* self) { return *reinterpret_cast<State*>(self); }

    // The derived type among the bases of `type`, or null.
    static PyTypeObject* own_type(PyTypeObject* type) {
        while (type && type->tp_dealloc != dealloc) type = type->tp_base;
        return type;
    }
    static bool is_state(PyObject* object) { return own_type(Py_TYPE(object)) != nullptr; }

    // Not a subclass: nothing can have been overridden.
    static bool plain(PyObject* self) { return Py_TYPE(self)->tp_dealloc == dealloc; }

    // What the specification's class has under this name.
    static PyObject* of_specification(PyObject* self, const char* name) {
        return PyObject_GetAttrString(reinterpret_cast<PyObject*>(own_type(Py_TYPE(self))->tp_base), name);
    }
    static PyObject* specified(PyObject* self, const char* property) {
        const Held found(of_specification(self, property));
        if (!found) return nullptr;
        const descrgetfunc get = Py_TYPE(found.get())->tp_descr_get;
        if (!get) return Py_NewRef(found.get());
        // The property may have been replaced by the one that asks.
        if (Py_EnterRecursiveCall(" while asking the specification")) return nullptr;
        PyObject* answer = get(found.get(), self, reinterpret_cast<PyObject*>(Py_TYPE(self)));
        Py_LeaveRecursiveCall();
        return answer;
    }
    static PyObject* called(PyObject* self, const char* method, PyObject* argument) {
        const Held found(of_specification(self, method));
        return found ? PyObject_CallFunctionObjArgs(found.get(), self, argument, nullptr) : nullptr;
    }

    // A new state of the same type: `position` is one turn later.
    static PyObject* next(PyObject* self, const Position& position) {
        const State& before = state(self);
        State* after = PyObject_GC_New(State, Py_TYPE(self));
        if (!after) return nullptr;
        bool referring = false;
        for (std::size_t slot = 0; slot < Rules::fields; ++slot) {
            after->slots[slot] = Py_XNewRef(before.slots[slot]);
            referring |= after->slots[slot] != nullptr;
        }
        new (&after->position) Position(position);
        after->turns = before.turns + 1;
        after->ready = true;
        // The collector need not see what refers to nothing.
        if (referring) PyObject_GC_Track(after);
        return reinterpret_cast<PyObject*>(after);
    }

    // The position of any state, of this type or of the specification's.
    static bool position_of(PyObject* object, Position& position) {
        if (!is_state(object)) return Rules::read(object, position);
        position = state(object).position;
        return true;
    }

    static PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
        PyObject* self = type->tp_alloc(type, 0);
        if (self) new (&state(self).position) Position{};
        return self;
    }

    static int set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
        if (state(self).ready) {
            PyErr_SetString(PyExc_TypeError, "a state is set up once");
            return -1;
        }
        if (!Rules::set_up(self, args, kwargs)) return -1;
        state(self).ready = true;
        return 0;
    }

    static bool set_turns(PyObject* self, PyObject* turns) {
        long long number = 0;
        if (turns && !whole(turns, "turns", 0, most_turns, number)) return false;
        state(self).turns = static_cast<std::uint32_t>(number);
        return true;
    }

    static int traverse(PyObject* self, visitproc visit, void* arg) {
        Py_VISIT(Py_TYPE(self));
        for (PyObject* slot : state(self).slots) Py_VISIT(slot);
        return 0;
    }

    static int clear(PyObject* self) {
        for (PyObject*& slot : state(self).slots) Py_CLEAR(slot);
        return 0;
    }

    static void dealloc(PyObject* self) {
        PyObject_GC_UnTrack(self);
        PyTypeObject* type = Py_TYPE(self);
        bool referring = false;
        for (const PyObject* slot : state(self).slots) referring |= slot != nullptr;
        if (referring) {
            // A slot can lead to another state and so on, a million times: not by recursion.
            Py_TRASHCAN_BEGIN(self, dealloc)
            clear(self);
            state(self).position.~Position();
            type->tp_free(self);
            Py_DECREF(type);
            Py_TRASHCAN_END
            return;
        }
        state(self).position.~Position();
        type->tp_free(self);
        Py_DECREF(type);
    }

    // As the specification's, and equal to its states too.
    static PyObject* compared(PyObject* self, PyObject* other, int how) {
        if (how != Py_EQ && how != Py_NE) Py_RETURN_NOTIMPLEMENTED;
        bool equal = false;
        if (Py_TYPE(self) == Py_TYPE(other)) {
            equal = state(self).turns == state(other).turns && Rules::same(state(self).position, state(other).position);
            if (PyErr_Occurred()) return nullptr;
        } else if (plain(self) && Py_TYPE(other) == Py_TYPE(self)->tp_base) {
            Position position;
            const Held turns(PyObject_GetAttrString(other, "turns"));
            const Held own(PyLong_FromUnsignedLong(state(self).turns));
            const int at_once = turns && own ? PyObject_RichCompareBool(own.get(), turns.get(), Py_EQ) : -1;
            equal = at_once == 1 && Rules::read(other, position) && Rules::same(state(self).position, position);
            // A state of the specification may hold anything; what cannot be read is not equal.
            if (PyErr_Occurred()) {
                if (!PyErr_ExceptionMatches(PyExc_Exception)) return nullptr;
                PyErr_Clear();
                equal = false;
            }
        } else {
            Py_RETURN_NOTIMPLEMENTED;
        }
        return PyBool_FromLong(equal == (how == Py_EQ));
    }

    // That of the specification, so that both forms find each other in a dict.
    static Py_hash_t hash(PyObject* self) {
        const Held values([self] {
            if constexpr (requires { Rules::hashed(self); })
                return Rules::hashed(self);
            else
                return Rules::values(self);
        }());
        // A slot may have been made to lead back here.
        if (!values || Py_EnterRecursiveCall(" while hashing a state")) return -1;
        const Py_hash_t found = PyObject_Hash(values.get());
        Py_LeaveRecursiveCall();
        return found;
    }

    // `__setattr__(name, value)` and `__delattr__(name)`. Methods, not a slot of the type: a subclass that sets
    // attributes through `object` may go on to do so.
    static PyObject* refused(PyObject* self, PyObject* args) {
        PyObject *name, *value = nullptr;
        if (!PyArg_UnpackTuple(args, "__setattr__", 1, 2, &name, &value)) return nullptr;
        if (!plain(self)) {
            const Held method(of_specification(self, value ? "__setattr__" : "__delattr__"));
            return method ? PyObject_CallFunctionObjArgs(method.get(), self, name, value, nullptr) : nullptr;
        }
        const Held module(PyImport_ImportModule("dataclasses"));
        const Held error(module ? PyObject_GetAttrString(module.get(), "FrozenInstanceError") : nullptr);
        return error ? PyErr_Format(error.get(), "cannot %s field %R", value ? "assign to" : "delete", name) : nullptr;
    }

    static PyObject* reduced(PyObject* self, PyObject*) {
        return Py_BuildValue("(ON)", Py_TYPE(self), Rules::values(self));
    }

    // The legal move that is written so, or nothing: then the specification decides.
    static auto move_named(PyObject* self, PyObject* object) {
        const Position& position = state(self).position;
        const bool ours = plain(self) && PyUnicode_Check(object) && PyUnicode_IS_COMPACT_ASCII(object);
        if (!ours) return decltype(read(position, std::string_view()))();
        const auto* letters = static_cast<const char*>(PyUnicode_DATA(object));
        return read(position, std::string_view(letters, static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))));
    }

    static PyObject* forward(PyObject* self, PyObject* object) {
        const auto move = move_named(self, object);
        return move ? next(self, state(self).position.after(*move)) : called(self, "forward", object);
    }

    static PyObject* parse(PyObject* self, PyObject* object) {
        const auto move = move_named(self, object);
        return move ? Py_NewRef(Rules::names[*move]) : called(self, "parse", object);
    }

    static PyObject* is_game_over(PyObject* self, PyObject*) {
        return plain(self) ? PyBool_FromLong(state(self).position.over()) : called(self, "is_game_over", nullptr);
    }

    static PyObject* ending(PyObject* self, void*) {
        if (plain(self) && !state(self).position.over()) Py_RETURN_NONE;
        return specified(self, "ending");
    }

    static PyObject* text(PyObject* self, void*) {
        if (!plain(self)) return specified(self, "text");
        try {
            const std::string written = Rules::written(state(self).position);
            return PyUnicode_FromStringAndSize(written.data(), static_cast<Py_ssize_t>(written.size()));
        } catch (const std::bad_alloc&) {
            return PyErr_NoMemory();
        }
    }

    static PyObject* turn(PyObject* self, void*) { return PyBool_FromLong(state(self).position.white); }
    static PyObject* turns(PyObject* self, void*) { return PyLong_FromUnsignedLong(state(self).turns); }

    // Whether these are the slots of a class written in Python, and nothing else: then they may be laid over.
    static bool fits(PyObject* specification) {
        if (!PyType_Check(specification)) return false;
        const Held module(PyImport_ImportModule("games.base"));
        const Held ending(module ? PyObject_GetAttrString(module.get(), "Ending") : nullptr);
        if (!ending || !PyType_Check(ending.get())) return false;
        const auto* type = reinterpret_cast<PyTypeObject*>(specification);
        return type->tp_dealloc == reinterpret_cast<PyTypeObject*>(ending.get())->tp_dealloc &&
               type->tp_base == &PyBaseObject_Type && type->tp_basicsize == offsetof(State, position) &&
               type->tp_itemsize == 0 && type->tp_dictoffset == 0 && type->tp_weaklistoffset == 0 &&
               PyType_HasFeature(const_cast<PyTypeObject*>(type), Py_TPFLAGS_HAVE_GC);
    }

    // The type that derives from the specification's class.
    static PyObject* derived(PyObject*, PyObject* specification) {
        if (!fits(specification)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "derived() takes the specification's class");
            return nullptr;
        }
        PyType_Slot slots[] = {
            {Py_tp_new, reinterpret_cast<void*>(make)},
            {Py_tp_init, reinterpret_cast<void*>(set_up)},
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
            {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
            {Py_tp_clear, reinterpret_cast<void*>(clear)},
            {Py_tp_richcompare, reinterpret_cast<void*>(compared)},
            {Py_tp_hash, reinterpret_cast<void*>(hash)},
            {Py_tp_methods, Rules::methods},
            {Py_tp_getset, Rules::properties},
            {0, nullptr},
        };
        PyType_Spec spec = {
            Rules::name, static_cast<int>(sizeof(State)), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots,
        };
        return PyType_FromSpecWithBases(&spec, specification);
    }
};

// `playouts(state, n, seed)` of a kernel: how many of `n` random games White won, nobody won, Black won.
template <typename Rules>
PyObject* playouts(PyObject*, PyObject* args) {
    PyObject *object, *number, *seed;
    typename Rules::Position position;
    long long games = 0;
    if (!PyArg_ParseTuple(args, "OOO:playouts", &object, &number, &seed)) return nullptr;
    if (!Value<Rules>::position_of(object, position)) return nullptr;
    if (!whole(number, "n", 0, 1'000'000'000'000, games)) return nullptr;
    const unsigned long long mask = PyLong_Check(seed) ? PyLong_AsUnsignedLongLongMask(seed) : 0;
    if (!PyLong_Check(seed)) return PyErr_Format(PyExc_TypeError, "seed is a whole number");
    Random dice(mask);
    unsigned long long results[3] = {0, 0, 0};
    for (long long game = 0; game < games; ++game) {
        if (game % 1024 == 0 && !go_on()) return nullptr;
        ++results[1 - playout(position, dice)];
    }
    return Py_BuildValue("(KKK)", results[0], results[1], results[2]);
}

// `perft(state, depth)` of a kernel: how many sequences of so many turns there are.
template <typename Rules>
PyObject* perft(PyObject*, PyObject* args) {
    PyObject *object, *number;
    typename Rules::Position position;
    long long depth = 0;
    if (!PyArg_ParseTuple(args, "OO:perft", &object, &number)) return nullptr;
    if (!Value<Rules>::position_of(object, position)) return nullptr;
    if (!whole(number, "depth", 0, 60, depth)) return nullptr;
    const std::uint64_t nodes = depth ? perft(position, static_cast<int>(depth), go_on) : 1;
    return PyErr_Occurred() ? nullptr : PyLong_FromUnsignedLongLong(nodes);
}

// `key(state)` of a kernel: 64 bits that tell positions apart.
template <typename Rules>
PyObject* key(PyObject*, PyObject* object) {
    typename Rules::Position position;
    return Value<Rules>::position_of(object, position) ? PyLong_FromUnsignedLongLong(position.key()) : nullptr;
}

// What every kernel offers, beside what is its own: functions of its module, methods of its states.
template <typename Rules>
struct Offered {
    using States = Value<Rules>;
    static constexpr PyMethodDef derived = {
        "derived", States::derived, METH_O, "derived(specification) -> the kernel's class of states"};
    static constexpr PyMethodDef perft = {
        "perft", binding::perft<Rules>, METH_VARARGS, "perft(state, depth) -> how many sequences of turns there are"};
    static constexpr PyMethodDef key = {
        "key", binding::key<Rules>, METH_O, "key(state) -> 64 bits that tell positions apart"};
    static constexpr PyMethodDef playouts = {
        "playouts", binding::playouts<Rules>, METH_VARARGS,
        "playouts(state, n, seed) -> how many random games (White won, nobody won, Black won)"};
    static constexpr PyMethodDef forward = {
        "forward", States::forward, METH_O, "The state after a legal move; `IllegalMove` for anything else."};
    static constexpr PyMethodDef set = {"__setattr__", States::refused, METH_VARARGS, nullptr};
    static constexpr PyMethodDef remove = {"__delattr__", States::refused, METH_VARARGS, nullptr};
    static constexpr PyMethodDef reduce = {"__reduce__", States::reduced, METH_NOARGS, nullptr};
    static constexpr PyMethodDef end = {nullptr, nullptr, 0, nullptr};
};

}  // namespace arena::binding
