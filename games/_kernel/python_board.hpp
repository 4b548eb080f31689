// States of chess and microchess for Python: boards of python-chess whose storage, moves and verdicts are native.
//
// `derived(specification)` returns a class that derives from the specification's class. Every attribute that python-chess
// keeps on a board is a descriptor over the native storage, so all inherited methods work. What is called often is native.
// Unusual cases (invalid positions, overridden methods, foreign objects, illegal moves) are left to the specification's
// own methods.

#pragma once

#include "python_board_methods.hpp"

#include <vector>

#include "python_encoding.hpp"

namespace arena::python_board {
namespace {

PyObject* state_new(PyTypeObject* type, PyObject*, PyObject*) {
    const PyTypeObject* base = type;
    while (base && (base == &state_type || base->tp_dealloc != state_type.tp_dealloc)) base = base->tp_base;
    if (!base) return PyErr_Format(PyExc_TypeError, "%.100s is not derived from the specification", type->tp_name);
    State* board = allocate(type);
    if (!board) return nullptr;
    set_limits(*board, imported.limit, imported.seconds[1], imported.seconds[0]);
    set_limit(object(*board), nullptr, nullptr);
    board->at = Position{};
    if (!raw_board(*board)) Py_CLEAR(board);
    return reinterpret_cast<PyObject*>(board);
}

int state_traverse(PyObject* self, visitproc visit, void* arg) {
    const State& board = state(self);
    Py_VISIT(board.dict);
    Py_VISIT(board.moves);
    Py_VISIT(board.states);
    Py_VISIT(board.limit);
    Py_VISIT(board.seconds[0]);
    Py_VISIT(board.seconds[1]);
    return 0;
}

int state_clear(PyObject* self) {
    State& board = state(self);
    Py_CLEAR(board.dict);
    // A board that the garbage collector has cleared can still be used: these attributes must exist.
    Py_CLEAR(board.states);
    Py_CLEAR(board.moves);
    set_limit(self, nullptr, nullptr);
    for (int color = 0; color < 2; ++color) set_seconds(self, nullptr, closure(color));
    return 0;
}

void state_free(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    State& board = state(self);
    if (board.weak) PyObject_ClearWeakRefs(self);
    Py_CLEAR(board.dict);
    Py_CLEAR(board.states);
    Py_CLEAR(board.moves);
    Py_CLEAR(board.limit);
    Py_CLEAR(board.seconds[0]);
    Py_CLEAR(board.seconds[1]);
    release(board.turn);
    PyMem_Free(board.raw);
    type->tp_free(self);
    Py_DECREF(type);
}

bool may_refer(PyObject* value) { return value && PyType_IS_GC(Py_TYPE(value)); }

void state_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    const State& board = state(self);
    if (type->tp_finalize && type->tp_dealloc == state_dealloc && PyObject_CallFinalizerFromDealloc(self) < 0) return;
    PyObject_GC_UnTrack(self);
    const bool has_no_references = !board.dict && !board.moves && !may_refer(board.limit) && !may_refer(board.seconds[0]) &&
                       !may_refer(board.seconds[1]);
    if (has_no_references) return state_free(self);
    // An attribute can refer to another state and so on, a million times. The trashcan avoids deep recursion.
    Py_TRASHCAN_BEGIN(self, state_dealloc)
    state_free(self);
    Py_TRASHCAN_END
}

template <typename Function>
PyCFunction as_function(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef state_methods[] = {
    {"forward", forward, METH_O, "The state after a legal move; `IllegalMove` for anything else."},
    {"parse", parse, METH_O, "The legal move written `text` in UCI notation; `IllegalMove` if there is none."},
    {"push", push, METH_O,
     "Make a move that is at least pseudo-legal, or a null move; `IllegalMove` leaves the board as it was."},
    {"pop", pop, METH_NOARGS, "Take the last move back and give it."},
    {"peek", peek, METH_NOARGS, "The last move."},
    {"copy", as_function(copy), METH_FASTCALL | METH_KEYWORDS,
     "An independent copy with the whole history, its last `stack` moves, or none of it."},
    {"root", root, METH_NOARGS, "The position at the bottom of the history."},
    {"clear_stack", clear_stack, METH_NOARGS, "Forget the history."},
    {"is_game_over", as_function(is_game_over), METH_FASTCALL | METH_KEYWORDS, "Whether there is an ending."},
    {"is_check", is_check, METH_NOARGS, "Whether the side to move is in check."},
    {"is_checkmate", is_checkmate, METH_NOARGS, "Whether the side to move is mated."},
    {"is_stalemate", is_stalemate, METH_NOARGS, "Whether the side to move has no move and is not in check."},
    {"is_insufficient_material", is_insufficient_material, METH_NOARGS, "Whether neither side could mate any more."},
    {"is_repetition", as_function(is_repetition), METH_FASTCALL | METH_KEYWORDS,
     "Whether this position occurred `count` times since the last capture or pawn move."},
    {"is_fivefold_repetition", is_fivefold_repetition, METH_NOARGS,
     "Whether this position occurred for the fifth time."},
    {"is_legal", is_legal, METH_O,
     "Whether the move is legal in the position, whatever the rules say about the end of the game."},
    {"generate_legal_moves", as_function(generate_legal_moves), METH_FASTCALL | METH_KEYWORDS,
     "All legal moves of the position, whatever the rules say about the end of the game."},
    {"__copy__", copy_of, METH_NOARGS, nullptr},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__reduce_ex__", reduce, METH_O, nullptr},
    {"__setstate__", set_state, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef state_attributes[] = {
    {"pawns", get_mask, set_mask, nullptr, closure(PAWN)},
    {"knights", get_mask, set_mask, nullptr, closure(KNIGHT)},
    {"bishops", get_mask, set_mask, nullptr, closure(BISHOP)},
    {"rooks", get_mask, set_mask, nullptr, closure(ROOK)},
    {"queens", get_mask, set_mask, nullptr, closure(QUEEN)},
    {"kings", get_mask, set_mask, nullptr, closure(KING)},
    {"promoted", get_mask, set_mask, nullptr, closure(NOTHING)},
    {"occupied", get_mask, set_mask, nullptr, closure(OCCUPIED)},
    {"castling_rights", get_mask, set_mask, nullptr, closure(CASTLING)},
    {"occupied_co", get_sides, set_sides, nullptr, nullptr},
    {"turn", get_turn, set_turn, "Whose move it is.", nullptr},
    {"ep_square", get_en_passant, set_en_passant, nullptr, nullptr},
    {"halfmove_clock", get_counter, set_counter, nullptr, closure(0)},
    {"fullmove_number", get_counter, set_counter, nullptr, closure(1)},
    {"chess960", get_chess960, set_chess960, nullptr, nullptr},
    {"move_stack", get_move_stack, set_list, "The moves of the history.", closure(0)},
    {"_stack", get_stack, set_list, nullptr, closure(1)},
    {"turn_limit", get_limit, set_limit, nullptr, nullptr},
    {"white_remain_sec", get_seconds, set_seconds, nullptr, closure(1)},
    {"black_remain_sec", get_seconds, set_seconds, nullptr, closure(0)},
    {"turns", get_turns, nullptr, "Turns made since the start, as the move number tells.", nullptr},
    {"legal_moves", get_legal_moves, nullptr, "All legal moves; none when the game is over.", nullptr},
    {"ending", get_ending, nullptr, "The verdict, None while the game goes on.", nullptr},
    {"text", get_text, nullptr, "The position as 4x5 FEN; `fen()` gives the same padded to 8x8.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// The native board of a state; null with an exception if the kernel cannot play on it.
State* playable(PyObject* object) {
    if (!PyObject_TypeCheck(object, &state_type)) {
        PyErr_Format(PyExc_TypeError, "the kernel plays on its own states, not on %.100s", Py_TYPE(object)->tp_name);
        return nullptr;
    }
    if (!is_native(state(object))) {
        PyErr_SetString(PyExc_ValueError, "the kernel plays on valid positions only");
        return nullptr;
    }
    return &state(object);
}

PyObject* perft_of(PyObject*, PyObject* args) {
    PyObject *object, *number;
    long long turns = 0;
    if (!PyArg_ParseTuple(args, "OO:perft", &object, &number) || !read_int(number, "depth", 0, 60, turns)) return nullptr;
    State* board = playable(object);
    if (!board || !turns) return board ? PyLong_FromLong(1) : nullptr;
    Move moves[Position::max_moves];
    const Position position = board->at;
    const int found = position.moves(moves);
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) {
        Py_BEGIN_ALLOW_THREADS
        sum += boards::perft(position.after(moves[index]), static_cast<int>(turns) - 1);
        Py_END_ALLOW_THREADS
        if (!python::go_on()) return nullptr;
    }
    return PyLong_FromUnsignedLongLong(sum);
}

// The keys of the positions since the last capture or pawn move.
boards::RecentKeys<Position> recent(const State& board) {
    boards::RecentKeys<Position> found;
    const Turn* turn = board.turn;
    for (auto left = board.at.clock; left > 0 && turn; --left, turn = turn->parent) found.add(turn->before.hash);
    return found;
}

PyObject* playout_of(PyObject*, PyObject* args) {
    PyObject *object, *number;
    std::uint64_t seed = 0;
    if (!PyArg_ParseTuple(args, "OO:playout", &object, &number) || !python::read_seed(number, seed)) return nullptr;
    const State* board = playable(object);
    if (!board) return nullptr;
    Random random(seed);
    return PyLong_FromLong(boards::playout(board->at, board->turn_limit, recent(*board), random));
}

PyObject* playouts_of(PyObject*, PyObject* args) {
    PyObject *object, *number, *started;
    std::uint64_t seed = 0;
    long long games = 0;
    if (!PyArg_ParseTuple(args, "OOO:playouts", &object, &number, &started)) return nullptr;
    if (!read_int(number, "n", 0, 1'000'000'000'000, games) || !python::read_seed(started, seed)) return nullptr;
    const State* board = playable(object);
    if (!board) return nullptr;
    Random random(seed);
    const Position position = board->at;
    const auto before = recent(*board);
    const long long limit = board->turn_limit;
    unsigned long long results[3] = {0, 0, 0};
    while (games > 0) {
        const long long some = games < 1024 ? games : 1024;
        Py_BEGIN_ALLOW_THREADS
        for (long long game = 0; game < some; ++game) ++results[1 - boards::playout(position, limit, before, random)];
        Py_END_ALLOW_THREADS
        games -= some;
        if (!python::go_on()) return nullptr;
    }
    return Py_BuildValue("(KKK)", results[0], results[1], results[2]);
}

PyObject* key_of(PyObject*, PyObject* object) {
    const State* board = playable(object);
    return board ? PyLong_FromUnsignedLongLong(board->at.key()) : nullptr;
}

// The states for `EncodingFunctions`.
struct Source {
    static constexpr int max_moves = Position::max_moves;

    static bool accepts(PyObject* object) { return PyObject_TypeCheck(object, &state_type) && is_native(state(object)); }
    static Shape shape(PyObject*) { return Rules::shape; }
    static void encode(PyObject* object, float* out) {
        const State& board = state(object);
        std::fill_n(out, Rules::shape.inputs(), 0.0F);
        Rules::each_input(board.at, occurrences_before(board) + 1, board.turn_limit,
                   [out](int index, float value) { out[index] = value; });
    }
    static int legal_actions(PyObject* object, int* into) {
        const State& board = state(object);
        Move moves[max_moves];
        const int found = board.at.moves(moves);
        if (!found || verdict_of(board, false) != Verdict::none) return 0;
        for (int index = 0; index < found; ++index) into[index] = Rules::action(board.at, moves[index]);
        return found;
    }
    static bool find_action(PyObject* object, PyObject* move, int& index) {
        // The move is read first: reading it may run code that changes the board.
        Move code = null_move;
        if (!imported.move || !read_move_object(move, code) || !accepts(object)) return false;
        const State& board = state(object);
        code = board.at.canonical(code);
        if (!board.at.legal(code) || verdict_of(board, false) != Verdict::none) return false;
        index = Rules::action(board.at, code);
        return true;
    }
};

PyTypeObject* import_type(const char* module, const char* name) {
    PyObject* found = import_attribute(module, name);
    if (found && !PyType_Check(found)) {
        PyErr_Format(PyExc_TypeError, "%s.%s is not a class", module, name);
        Py_CLEAR(found);
    }
    return reinterpret_cast<PyTypeObject*>(found);
}

// A class with these two bases and the name of the second.
PyTypeObject* derive_type(PyTypeObject* storage, PyObject* specification) {
    const OwnedRef module(PyObject_GetAttrString(specification, "__module__"));
    const OwnedRef name(PyObject_GetAttrString(specification, "__name__"));
    const OwnedRef doc(PyObject_GetAttrString(specification, "__doc__"));
    if (!module || !name || !doc) return nullptr;
    auto* type = reinterpret_cast<PyTypeObject*>(PyObject_CallFunction(
        reinterpret_cast<PyObject*>(&PyType_Type), "O(OO){sOsOs()}", name.get(), storage, specification, "__module__",
        module.get(), "__doc__", doc.get(), "__slots__"));
    // The storage frees everything, so the general deallocator would only cost time. As the base of Python classes the
    // storage must then release the reference to the class itself.
    if (type) type->tp_dealloc = storage->tp_dealloc;
    return type;
}

bool import_objects() {
    if (imported.moves) return true;
    imported.listed_moves = import_attribute("games._board", "LegalMoves");
    imported.board_state = import_attribute("chess", "_BoardState");
    imported.ending = import_attribute("games.base", "Ending");
    imported.margin = import_attribute("games.base", "Margin");
    imported.new_object = import_attribute("copyreg", "__newobj__");
    imported.from_square = PyUnicode_InternFromString("from_square");
    imported.to_square = PyUnicode_InternFromString("to_square");
    imported.promotion = PyUnicode_InternFromString("promotion");
    imported.drop = PyUnicode_InternFromString("drop");
    imported.restore = PyUnicode_InternFromString("restore");
    imported.canonical = PyUnicode_InternFromString("canonical");
    imported.copy = PyUnicode_InternFromString("copy");
    if (PyErr_Occurred()) return false;
    imported.move = import_type("chess", "Move");
    imported.board = imported.move ? import_type("chess", "Board") : nullptr;
    if (!imported.board) return false;
    // Castling has two notations. The object of the canonical move must exist when the other one is looked up.
    for (const Move castling : Rules::castlings)
        if (!move_object(castling)) return false;
    imported.moves = derive_type(&moves_type, imported.listed_moves);
    return imported.moves != nullptr;
}

PyObject* derived(PyObject*, PyObject* specification) {
    if (imported.live && specification == reinterpret_cast<PyObject*>(imported.specification))
        return Py_NewRef(reinterpret_cast<PyObject*>(imported.live));
    if (!import_objects()) return nullptr;
    const bool is_board = PyType_Check(specification) &&
                     PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(specification), imported.board);
    if (!is_board) return PyErr_Format(PyExc_TypeError, "derived() takes the specification's class");
    const OwnedRef limit(PyObject_GetAttrString(specification, "turn_limit"));
    const OwnedRef black(limit ? PyObject_GetAttrString(specification, "black_remain_sec") : nullptr);
    const OwnedRef white(black ? PyObject_GetAttrString(specification, "white_remain_sec") : nullptr);
    PyTypeObject* live = white ? derive_type(&state_type, specification) : nullptr;
    if (!live) return nullptr;
    // A reloaded module derives again. The objects of the earlier class are kept: states of it may still exist.
    imported.limit = Py_NewRef(limit.get());
    imported.seconds[0] = Py_NewRef(black.get());
    imported.seconds[1] = Py_NewRef(white.get());
    imported.specification = reinterpret_cast<PyTypeObject*>(Py_NewRef(specification));
    imported.live = live;
    return Py_NewRef(reinterpret_cast<PyObject*>(live));
}

PyMethodDef functions[] = {
    {"derived", derived, METH_O, "The native class of states that derives from the specification's."},
    {"perft", perft_of, METH_VARARGS,
     "The number of sequences of so many turns. The rules for the end of a game do not apply."},
    {"playout", playout_of, METH_VARARGS, "A random game from a state: 1 if White won, -1 if Black won, 0 if nobody won."},
    {"playouts", playouts_of, METH_VARARGS, "How many of `n` random games White won, nobody won, Black won."},
    ARENA_ENCODING_FUNCTIONS(python::EncodingFunctions<Source>),
    {"key", key_of, METH_O, "64 bits that tell positions apart; equal for positions that repeat each other."},
    {nullptr, nullptr, 0, nullptr},
};

void describe_state(PyMethodDef* methods) {
    PyTypeObject& type = state_type;
    describe_type<State>(type, "Storage", "The storage of a native state and its native methods.",
        Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC);
    type.tp_new = state_new;
    type.tp_dealloc = state_dealloc;
    type.tp_traverse = state_traverse;
    type.tp_clear = state_clear;
    type.tp_dictoffset = offsetof(State, dict);
    type.tp_weaklistoffset = offsetof(State, weak);
    type.tp_methods = methods;
    type.tp_getset = state_attributes;
}

// The module; `methods` are those that only the boards of this game have, ended by {}.
PyObject* make_module(const char* doc, const PyMethodDef* methods) {
    static std::vector<PyMethodDef> all_methods;
    all_methods.assign(std::begin(state_methods), std::end(state_methods) - 1);
    do all_methods.push_back(*methods);
    while (methods++->ml_name);
    static PyModuleDef module = {PyModuleDef_HEAD_INIT, Rules::module, doc, -1, functions, nullptr, nullptr, nullptr, nullptr};
    describe_state(all_methods.data());
    describe_moves();
    describe_iterator();
    describe_sides();
    for (PyTypeObject* type : {&state_type, &moves_type, &iterator_type, &sides_type})
        if (PyType_Ready(type) < 0) return nullptr;
    return PyModule_Create(&module);
}

}  // namespace
}  // namespace arena::python_board

