// The Python module of a kernel: the functions that every game offers, and the type of its states.
#pragma once

#include "python_state.hpp"

#include <cstddef>

#include "python_encoding.hpp"

namespace arena::python {

// How many of `games` random games (White won, nobody won, Black won), as a tuple. `play()` plays one game.
template <typename Play>
PyObject* count_playouts(long long games, Play play) {
    unsigned long long results[3] = {0, 0, 0};
    for (long long game = 0; game < games; ++game) {
        if (game % 1024 == 0 && !go_on()) return nullptr;
        ++results[1 - play()];
    }
    return Py_BuildValue("(KKK)", results[0], results[1], results[2]);
}

inline constexpr long long most_games = 1'000'000'000'000;
inline constexpr int deepest_perft = 60;

// The states of a game for `EncodingFunctions`.
template <StateBinding Binding>
struct StateSource {
    using Type = StateType<Binding>;
    using Coding = Encoding<typename Binding::Position>;
    static constexpr int max_moves = Binding::Position::max_moves;

    static bool accepts(PyObject* state) { return Type::is_exact(state) && Type::object(state).ready; }
    static Shape shape(PyObject* state) { return Coding::shape(Type::position(state)); }
    static void encode(PyObject* state, float* out) { Coding::encode(Type::position(state), out); }
    static int legal_actions(PyObject* state, int* into) {
        typename Type::Move moves[max_moves];
        const int found = legal_moves(Type::position(state), moves);
        for (int index = 0; index < found; ++index) into[index] = Coding::action(Type::position(state), moves[index]);
        return found;
    }
    static bool find_action(PyObject* state, PyObject* text, int& index) {
        if (!accepts(state)) return false;
        const auto move = Type::read_argument(state, text);
        if (move) index = Coding::action(Type::position(state), *move);
        return move.has_value();
    }
};

template <StateBinding Binding>
struct KernelFunctions {
    using Position = typename Binding::Position;

    static PyObject* count_sequences(PyObject*, PyObject* args) {
        PyObject *state, *number;
        Position position;
        long long depth = 0;
        if (!PyArg_ParseTuple(args, "OO:perft", &state, &number)) return nullptr;
        if (!StateType<Binding>::read_position(state, position)) return nullptr;
        if (!read_int(number, "depth", 0, deepest_perft, depth)) return nullptr;
        return with_memory_error([&] {
            const std::uint64_t sequences = depth ? perft(position, static_cast<int>(depth), go_on) : 1;
            return PyErr_Occurred() ? nullptr : PyLong_FromUnsignedLongLong(sequences);
        });
    }

    static PyObject* playouts(PyObject*, PyObject* args) {
        PyObject *state, *number, *started;
        Position position;
        long long games = 0;
        std::uint64_t seed = 0;
        if (!PyArg_ParseTuple(args, "OOO:playouts", &state, &number, &started)) return nullptr;
        if (!StateType<Binding>::read_position(state, position)) return nullptr;
        if (!read_int(number, "n", 0, most_games, games) || !read_seed(started, seed)) return nullptr;
        Random random(seed);
        return with_memory_error([&] { return count_playouts(games, [&] { return playout(position, random); }); });
    }

    static PyObject* key(PyObject*, PyObject* state) {
        Position position;
        if (!StateType<Binding>::read_position(state, position)) return nullptr;
        return PyLong_FromUnsignedLongLong(position.key());
    }

    static inline PyMethodDef table[] = {
        {"derived", StateType<Binding>::derived, METH_O, "derived(specification) -> the kernel's class of states"},
        {"key", key, METH_O, "key(state) -> 64 bits that tell positions apart; the history does not count"},
        {"perft", count_sequences, METH_VARARGS, "perft(state, depth) -> how many sequences of turns there are"},
        {"playouts", playouts, METH_VARARGS,
         "playouts(state, n, seed) -> how many random games (White won, nobody won, Black won)"},
        ARENA_ENCODING_FUNCTIONS(EncodingFunctions<StateSource<Binding>>),
        {nullptr, nullptr, 0, nullptr},
    };
};

// Called once, from the module's init function.
template <StateBinding Binding>
PyObject* kernel_module(const char* name, const char* text) {
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, name, text, -1, KernelFunctions<Binding>::table, nullptr, nullptr, nullptr, nullptr,
    };
    return Binding::make_names() ? PyModule_Create(&definition) : nullptr;
}

// Set `name` to an interned text, once. It is kept for ever.
inline bool make_name(PyObject*& name, const char* text) {
    if (!name) name = PyUnicode_InternFromString(text);
    return name != nullptr;
}

}  // namespace arena::python
