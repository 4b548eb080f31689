// The Python type of a game's states. It derives from the specification's class, a frozen dataclass with slots.
//
// The type implements what is called often. Everything else, and every unusual case (subclasses, illegal moves,
// endings), is left to the specification's own methods. A state never changes once it is set up, so states are shared.
#pragma once

#include "python_values.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game_concept.hpp"

namespace arena::python {

// What a game gives to its Python type.
template <typename Binding>
concept StateBinding =
    SelfContainedPosition<typename Binding::Position> && std::default_initializable<typename Binding::Position> &&
    requires(PyObject* self, PyObject** fields, typename Binding::Position& into,
             const typename Binding::Position& position, typename Binding::Position::Move move) {
        { Binding::type_name } -> std::convertible_to<const char*>;         // where pickle finds the type
        { Binding::fields } -> std::convertible_to<std::size_t>;            // number of fields of the dataclass
        { Binding::keywords } -> std::convertible_to<const char* const*>;   // names of the fields, ended by null
        { Binding::format } -> std::convertible_to<const char*>;            // for `PyArg_ParseTupleAndKeywords`
        { Binding::attributes } -> std::convertible_to<PyGetSetDef*>;       // properties of this game only, ended by {}
        { Binding::make_names() } -> std::same_as<bool>;                    // called when the module is loaded
        { Binding::move_name(position, move) } -> std::same_as<PyObject*>;  // its text, a new reference
        { Binding::set_up(self, fields) } -> std::same_as<bool>;            // a field with a default may be null
        { Binding::values(self) } -> std::same_as<PyObject*>;               // the values of the fields, as a tuple
        { Binding::read_fields(fields, into) } -> std::same_as<bool>;       // the position with these values of the fields
    };
// Optional: `hash_values(self)`, the values that make the hash, if not all do; `reduce(self)`, for pickle.

template <StateBinding Binding>
struct StateType {
    using Position = typename Binding::Position;
    using Move = typename Position::Move;

    struct Object {
        PyObject_HEAD
        PyObject* slots[Binding::fields];  // the slots of the specification's class; this type hides most of them
        Position position;
        std::uint32_t turns;
        bool ready;
    };

    static Object& object(PyObject* self) { return *reinterpret_cast<Object*>(self); }
    static Position& position(PyObject* self) { return object(self).position; }

    // The native type among the bases of `type`, or null.
    static PyTypeObject* native_base(PyTypeObject* type) {
        while (type && type->tp_dealloc != dealloc) type = type->tp_base;
        return type;
    }
    static bool is_state(PyObject* object) { return native_base(Py_TYPE(object)) != nullptr; }

    // Whether the object's class is the native type itself. Then no method can have been overridden.
    static bool is_exact(PyObject* self) { return Py_TYPE(self)->tp_dealloc == dealloc; }

    // The attribute `name` of the specification's class.
    static PyObject* of_specification(PyObject* self, const char* name) {
        return PyObject_GetAttrString(reinterpret_cast<PyObject*>(native_base(Py_TYPE(self))->tp_base), name);
    }
    static PyObject* specified_property(PyObject* self, const char* name) {
        const OwnedRef found(of_specification(self, name));
        if (!found) return nullptr;
        const descrgetfunc get = Py_TYPE(found.get())->tp_descr_get;
        if (!get) return Py_NewRef(found.get());
        // Someone may have replaced that property by one that calls this function.
        if (Py_EnterRecursiveCall(" while asking the specification")) return nullptr;
        PyObject* answer = get(found.get(), self, reinterpret_cast<PyObject*>(Py_TYPE(self)));
        Py_LeaveRecursiveCall();
        return answer;
    }
    static PyObject* call_specified(PyObject* self, const char* method, PyObject* argument) {
        const OwnedRef found(of_specification(self, method));
        return found ? PyObject_CallFunctionObjArgs(found.get(), self, argument, nullptr) : nullptr;
    }

    // A new state of the same type, one turn later.
    static PyObject* next_state(PyObject* self, const Position& position) {
        const Object& before = object(self);
        Object* after = PyObject_GC_New(Object, Py_TYPE(self));
        if (!after) return nullptr;
        bool has_references = false;
        for (std::size_t slot = 0; slot < Binding::fields; ++slot) {
            after->slots[slot] = Py_XNewRef(before.slots[slot]);
            has_references |= after->slots[slot] != nullptr;
        }
        new (&after->position) Position(position);
        after->turns = before.turns + 1;
        after->ready = true;
        // The garbage collector need not track an object without references.
        if (has_references) PyObject_GC_Track(after);
        return reinterpret_cast<PyObject*>(after);
    }

    // The position of a state of the specification.
    static bool read_specified(PyObject* state, Position& into) {
        const OwnedRef values(get_attributes(state, Binding::keywords, Binding::fields));
        return values && Binding::read_fields(&PyTuple_GET_ITEM(values.get(), 0), into);
    }

    // The position of a state, native or of the specification.
    static bool read_position(PyObject* state, Position& into) {
        if (!is_state(state)) return read_specified(state, into);
        into = position(state);
        return true;
    }

    static PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
        PyObject* self = type->tp_alloc(type, 0);
        if (self) new (&position(self)) Position{};
        return self;
    }

    static bool check_not_ready(PyObject* self) {
        if (object(self).ready) PyErr_SetString(PyExc_TypeError, "a state is set up once");
        return !object(self).ready;
    }

    // The arguments of the dataclass, by field. A field with a default may stay null.
    static bool read_arguments(PyObject* args, PyObject* kwargs, PyObject* (&into)[Binding::fields]) {
        return [&]<std::size_t... field>(std::index_sequence<field...>) {
            auto** keywords = const_cast<char**>(Binding::keywords);
            return PyArg_ParseTupleAndKeywords(args, kwargs, Binding::format, keywords, &into[field]...) != 0;
        }(std::make_index_sequence<Binding::fields>());
    }

    static int set_up(PyObject* self, PyObject* args, PyObject* kwargs) {
        PyObject* fields[Binding::fields] = {};
        if (!check_not_ready(self) || !read_arguments(args, kwargs, fields) || !Binding::set_up(self, fields)) return -1;
        object(self).ready = true;
        return 0;
    }

    // `turns` may be null: 0.
    static bool set_turns(PyObject* self, PyObject* turns) {
        long long number = 0;
        if (turns && !read_int(turns, "turns", 0, most_turns, number)) return false;
        object(self).turns = static_cast<std::uint32_t>(number);
        return true;
    }

    static int traverse(PyObject* self, visitproc visit, void* arg) {
        Py_VISIT(Py_TYPE(self));
        for (PyObject* slot : object(self).slots) Py_VISIT(slot);
        return 0;
    }

    static int clear(PyObject* self) {
        for (PyObject*& slot : object(self).slots) Py_CLEAR(slot);
        return 0;
    }

    static void free(PyObject* self) {
        PyTypeObject* type = Py_TYPE(self);
        position(self).~Position();
        type->tp_free(self);
        Py_DECREF(type);
    }

    static void dealloc(PyObject* self) {
        PyObject_GC_UnTrack(self);
        bool has_references = false;
        for (const PyObject* slot : object(self).slots) has_references |= slot != nullptr;
        if (!has_references) return free(self);
        // A slot can refer to another state and so on, a million times. The trashcan avoids deep recursion.
        Py_TRASHCAN_BEGIN(self, dealloc)
        clear(self);
        free(self);
        Py_TRASHCAN_END
    }

    // Whether two positions are equal; false with an exception set if there is no memory to compare them.
    static bool equal_positions(const Position& one, const Position& other) {
        try {
            return one == other;
        } catch (const std::bad_alloc&) {
            PyErr_NoMemory();
            return false;
        }
    }

    // Whether a state of the specification is equal to `self`. It may hold anything; what cannot be read is not equal.
    static bool equals_specified(PyObject* self, PyObject* other) {
        Position found;
        const OwnedRef turns(PyObject_GetAttrString(other, "turns"));
        const OwnedRef own(PyLong_FromUnsignedLong(object(self).turns));
        const int same_turns = turns && own ? PyObject_RichCompareBool(own.get(), turns.get(), Py_EQ) : -1;
        const bool equal = same_turns == 1 && read_specified(other, found) && equal_positions(position(self), found);
        if (!PyErr_Occurred()) return equal;
        if (PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
        return false;
    }

    // As the specification compares, and equal to its states too.
    static PyObject* compare(PyObject* self, PyObject* other, int how) {
        if (how != Py_EQ && how != Py_NE) Py_RETURN_NOTIMPLEMENTED;
        bool equal = false;
        if (Py_TYPE(self) == Py_TYPE(other))
            equal = object(self).turns == object(other).turns && equal_positions(position(self), position(other));
        else if (is_exact(self) && Py_TYPE(other) == Py_TYPE(self)->tp_base)
            equal = equals_specified(self, other);
        else
            Py_RETURN_NOTIMPLEMENTED;
        return PyErr_Occurred() ? nullptr : PyBool_FromLong(equal == (how == Py_EQ));
    }

    // The hash of the specification's state, so that both forms find each other in a dict.
    static Py_hash_t hash(PyObject* self) {
        const OwnedRef values([self] {
            if constexpr (requires { Binding::hash_values(self); })
                return Binding::hash_values(self);
            else
                return Binding::values(self);
        }());
        // A slot may refer back to this state.
        if (!values || Py_EnterRecursiveCall(" while hashing a state")) return -1;
        const Py_hash_t found = PyObject_Hash(values.get());
        Py_LeaveRecursiveCall();
        return found;
    }

    // `__setattr__(name, value)` and `__delattr__(name)` raise. They are methods and not a slot of the type: a subclass
    // may still set attributes through `object`.
    static PyObject* refuse_change(PyObject* self, PyObject* args) {
        PyObject *name, *value = nullptr;
        if (!PyArg_UnpackTuple(args, "__setattr__", 1, 2, &name, &value)) return nullptr;
        if (!is_exact(self)) {
            const OwnedRef method(of_specification(self, value ? "__setattr__" : "__delattr__"));
            return method ? PyObject_CallFunctionObjArgs(method.get(), self, name, value, nullptr) : nullptr;
        }
        const OwnedRef error(import_attribute("dataclasses", "FrozenInstanceError"));
        return error ? PyErr_Format(error.get(), "cannot %s field %R", value ? "assign to" : "delete", name) : nullptr;
    }

    static PyObject* reduce(PyObject* self, PyObject*) {
        if constexpr (requires { Binding::reduce(self); })
            return Binding::reduce(self);
        else
            return Py_BuildValue("(ON)", Py_TYPE(self), Binding::values(self));
    }

    // The legal move with this text. Empty for anything else, and for subclasses: then the specification decides.
    static std::optional<Move> read_argument(PyObject* self, PyObject* text) {
        if (!is_exact(self) || !PyUnicode_Check(text) || !PyUnicode_IS_COMPACT_ASCII(text)) return std::nullopt;
        const auto* letters = static_cast<const char*>(PyUnicode_DATA(text));
        return read_move(position(self), std::string_view(letters, static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))));
    }

    static PyObject* forward(PyObject* self, PyObject* text) {
        return with_memory_error([&] {
            const auto move = read_argument(self, text);
            return move ? next_state(self, position(self).after(*move)) : call_specified(self, "forward", text);
        });
    }

    static PyObject* parse(PyObject* self, PyObject* text) {
        return with_memory_error([&] {
            const auto move = read_argument(self, text);
            return move ? Binding::move_name(position(self), *move) : call_specified(self, "parse", text);
        });
    }

    static PyObject* is_game_over(PyObject* self, PyObject*) {
        return is_exact(self) ? PyBool_FromLong(position(self).over()) : call_specified(self, "is_game_over", nullptr);
    }

    static PyObject* get_legal_moves(PyObject* self, void*) {
        if (!is_exact(self)) return specified_property(self, "legal_moves");
        Move found[Position::max_moves];
        const int size = legal_moves(position(self), found);
        PyObject* names = PyTuple_New(size);
        if (!names) return nullptr;
        PyObject** items = reinterpret_cast<PyTupleObject*>(names)->ob_item;
        for (int index = 0; index < size; ++index)
            if (!(items[index] = Binding::move_name(position(self), found[index]))) {
                Py_DECREF(names);
                return nullptr;
            }
        return names;
    }

    static PyObject* get_ending(PyObject* self, void*) {
        if (is_exact(self) && !position(self).over()) Py_RETURN_NONE;
        return specified_property(self, "ending");
    }

    static PyObject* get_text(PyObject* self, void*) {
        if (!is_exact(self)) return specified_property(self, "text");
        return with_memory_error([&] {
            const std::string text = position_text(position(self));
            return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
        });
    }

    static PyObject* get_turn(PyObject* self, void*) { return PyBool_FromLong(position(self).white); }
    static PyObject* get_turns(PyObject* self, void*) { return PyLong_FromUnsignedLong(object(self).turns); }
    static PyObject* get_passes(PyObject* self, void*) { return PyLong_FromLong(position(self).passes); }

    // All properties of the type: those of every game, then those of this one.
    static PyGetSetDef* properties() {
        static std::vector<PyGetSetDef> all = [] {
            std::vector<PyGetSetDef> found = {
                {"legal_moves", get_legal_moves, nullptr, "All legal moves; empty when the game is over.", nullptr},
                {"ending", get_ending, nullptr, "The verdict; None while the game goes on.", nullptr},
                {"text", get_text, nullptr, "The position in one line.", nullptr},
                {"turn", get_turn, nullptr, "Whose move it is.", nullptr},
                {"turns", get_turns, nullptr, "Moves made since the start.", nullptr},
            };
            const PyGetSetDef* own = Binding::attributes;
            do found.push_back(*own);
            while (own++->name);
            return found;
        }();
        return all.data();
    }

    static inline PyMethodDef methods[] = {
        {"forward", forward, METH_O, "The state after a legal move; `IllegalMove` for anything else."},
        {"is_game_over", is_game_over, METH_NOARGS, "Whether there is an ending."},
        {"parse", parse, METH_O, "The legal move written `text`; `IllegalMove` if there is none."},
        {"__setattr__", refuse_change, METH_VARARGS, nullptr},
        {"__delattr__", refuse_change, METH_VARARGS, nullptr},
        {"__reduce__", reduce, METH_NOARGS, nullptr},
        {nullptr, nullptr, 0, nullptr},
    };

    // Whether a class is written in Python, its bases have no slots, and it has the expected slots and nothing else, so that
    // `Object` may extend it.
    static bool has_expected_layout(PyObject* specification) {
        if (!PyType_Check(specification)) return false;
        const OwnedRef ending(import_attribute("games.base", "Ending"));
        if (!ending || !PyType_Check(ending.get())) return false;
        const auto* type = reinterpret_cast<PyTypeObject*>(specification);
        const destructor python_dealloc = reinterpret_cast<PyTypeObject*>(ending.get())->tp_dealloc;
        const PyTypeObject* base = type->tp_base;
        while (base && base->tp_dealloc == python_dealloc && base->tp_basicsize == PyBaseObject_Type.tp_basicsize)
            base = base->tp_base;
        return base == &PyBaseObject_Type && type->tp_dealloc == python_dealloc &&
               type->tp_basicsize == offsetof(Object, position) && type->tp_itemsize == 0 && type->tp_dictoffset == 0 && type->tp_weaklistoffset == 0 &&
               PyType_HasFeature(const_cast<PyTypeObject*>(type), Py_TPFLAGS_HAVE_GC);
    }

    // Make the native type, which derives from the specification's class.
    static PyObject* derived(PyObject*, PyObject* specification) {
        if (!has_expected_layout(specification)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "derived() takes the specification's class");
            return nullptr;
        }
        PyType_Slot slots[] = {
            {Py_tp_new, reinterpret_cast<void*>(make)},
            {Py_tp_init, reinterpret_cast<void*>(set_up)},
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
            {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
            {Py_tp_clear, reinterpret_cast<void*>(clear)},
            {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
            {Py_tp_hash, reinterpret_cast<void*>(hash)},
            {Py_tp_methods, methods},
            {Py_tp_getset, properties()},
            {0, nullptr},
        };
        PyType_Spec spec = {
            Binding::type_name, static_cast<int>(sizeof(Object)), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots,
        };
        return PyType_FromSpecWithBases(&spec, specification);
    }
};

}  // namespace arena::python
