// Microchess states for Python: boards of python-chess whose storage, moves and verdicts are native.
//
// `derived(specification)` gives a class that derives from the specification's. Every attribute that python-chess keeps
// on a board is a descriptor over the storage, so all inherited methods work on it. What is asked often is done here;
// whatever is unusual (boards that are no position, overridden methods, foreign objects, illegal moves) is left to the
// specification's own methods.

#include "microchess_state.hpp"

namespace arena::microchess {
namespace {

PyObject* state_new(PyTypeObject* type, PyObject*, PyObject*) {
    const PyTypeObject* base = type;
    while (base && (base == &state_type || base->tp_dealloc != state_type.tp_dealloc)) base = base->tp_base;
    if (!base) return PyErr_Format(PyExc_TypeError, "%.100s is not derived from the specification", type->tp_name);
    State* board = fresh(type);
    if (!board) return nullptr;
    put_limits(*board, known.limit, known.seconds[1], known.seconds[0]);
    set_limit(object(*board), nullptr, nullptr);
    board->at = Position{};
    if (!loosened(*board)) Py_CLEAR(board);
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
    // A board that is taken apart can still be asked: these must never be missing.
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
    released(board.turn);
    PyMem_Free(board.loose);
    type->tp_free(self);
    Py_DECREF(type);
}

bool leads_on(PyObject* value) { return value && PyType_IS_GC(Py_TYPE(value)); }

void state_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    const State& board = state(self);
    if (type->tp_finalize && type->tp_dealloc == state_dealloc && PyObject_CallFinalizerFromDealloc(self) < 0) return;
    PyObject_GC_UnTrack(self);
    const bool alone = !board.dict && !board.moves && !leads_on(board.limit) && !leads_on(board.seconds[0]) &&
                       !leads_on(board.seconds[1]);
    if (alone) return state_free(self);
    // An attribute can lead to another state and so on, a million times: not by recursion.
    Py_TRASHCAN_BEGIN(self, state_dealloc)
    state_free(self);
    Py_TRASHCAN_END
}

template <typename Function>
PyCFunction plainly(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef state_methods[] = {
    {"forward", forward, METH_O, "The state after a legal move; `IllegalMove` for anything else."},
    {"parse", parse, METH_O, "The legal move written `text` in UCI notation; `IllegalMove` if there is none."},
    {"push", push, METH_O,
     "Make a move that is at least pseudo-legal, or a null move; `IllegalMove` leaves the board as it was."},
    {"pop", pop, METH_NOARGS, "Take the last move back and give it."},
    {"peek", peek, METH_NOARGS, "The last move."},
    {"copy", plainly(copy), METH_FASTCALL | METH_KEYWORDS,
     "An independent copy with the whole history, its last `stack` moves, or none of it."},
    {"root", root, METH_NOARGS, "The position at the bottom of the history."},
    {"clear_stack", clear_stack, METH_NOARGS, "Forget the history."},
    {"is_game_over", plainly(is_game_over), METH_FASTCALL | METH_KEYWORDS, "Whether there is an ending."},
    {"is_check", is_check, METH_NOARGS, "Whether the side to move is in check."},
    {"is_checkmate", is_checkmate, METH_NOARGS, "Whether the side to move is mated."},
    {"is_stalemate", is_stalemate, METH_NOARGS, "Whether the side to move has no move and is not in check."},
    {"is_insufficient_material", is_insufficient_material, METH_NOARGS, "Whether neither side could mate any more."},
    {"is_repetition", plainly(is_repetition), METH_FASTCALL | METH_KEYWORDS,
     "Whether this position occurred `count` times since the last capture or pawn move."},
    {"is_fivefold_repetition", is_fivefold_repetition, METH_NOARGS,
     "Whether this position occurred for the fifth time."},
    {"is_legal", is_legal, METH_O,
     "Whether the move is legal in the position, whatever the rules say about the end of the game."},
    {"generate_legal_moves", plainly(generate_legal_moves), METH_FASTCALL | METH_KEYWORDS,
     "All legal moves of the position, whatever the rules say about the end of the game."},
    {"material", material, METH_O, "What the pieces of `color` are worth: K 4, Q 10, R 5, B 3, N 3, P 1."},
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

// The board of a state that the kernel can play on; null with an exception set.
State* playable(PyObject* object) {
    if (!PyObject_TypeCheck(object, &state_type)) {
        PyErr_Format(PyExc_TypeError, "the kernel plays on its own states, not on %.100s", Py_TYPE(object)->tp_name);
        return nullptr;
    }
    if (!native(state(object))) {
        PyErr_SetString(PyExc_ValueError, "the kernel plays on sound positions only");
        return nullptr;
    }
    return &state(object);
}

PyObject* perft_of(PyObject*, PyObject* args) {
    PyObject *asked, *number;
    long long turns = 0;
    if (!PyArg_ParseTuple(args, "OO:perft", &asked, &number) || !whole(number, "depth", 0, 60, turns)) return nullptr;
    State* board = playable(asked);
    if (!board || !turns) return board ? PyLong_FromLong(1) : nullptr;
    Move moves[most_moves];
    const Position position = board->at;
    const int found = position.moves(moves);
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) {
        Py_BEGIN_ALLOW_THREADS
        sum += perft(position.after(moves[index]), static_cast<int>(turns) - 1);
        Py_END_ALLOW_THREADS
        if (!binding::go_on()) return nullptr;
    }
    return PyLong_FromUnsignedLongLong(sum);
}

Recent recent(const State& board) {
    Recent found;
    const Turn* turn = board.turn;
    for (auto left = board.at.clock; left > 0 && turn; --left, turn = turn->parent) found.add(turn->before.hash);
    return found;
}

bool seed_from(PyObject* object, std::uint64_t& seed) {
    if (!PyLong_Check(object)) {
        PyErr_Format(PyExc_TypeError, "seed is a whole number, not %.100s", Py_TYPE(object)->tp_name);
        return false;
    }
    seed = PyLong_AsUnsignedLongLongMask(object);
    return !PyErr_Occurred();
}

PyObject* playout_of(PyObject*, PyObject* args) {
    PyObject *asked, *number;
    std::uint64_t seed = 0;
    if (!PyArg_ParseTuple(args, "OO:playout", &asked, &number) || !seed_from(number, seed)) return nullptr;
    const State* board = playable(asked);
    if (!board) return nullptr;
    Random dice(seed);
    return PyLong_FromLong(playout(board->at, board->turn_limit, recent(*board), dice));
}

PyObject* playouts_of(PyObject*, PyObject* args) {
    PyObject *asked, *number, *started;
    std::uint64_t seed = 0;
    long long games = 0;
    if (!PyArg_ParseTuple(args, "OOO:playouts", &asked, &number, &started)) return nullptr;
    if (!whole(number, "n", 0, 1'000'000'000'000, games) || !seed_from(started, seed)) return nullptr;
    const State* board = playable(asked);
    if (!board) return nullptr;
    Random dice(seed);
    const Position position = board->at;
    const Recent before = recent(*board);
    const long long limit = board->turn_limit;
    unsigned long long results[3] = {0, 0, 0};
    while (games > 0) {
        const long long some = games < 1024 ? games : 1024;
        Py_BEGIN_ALLOW_THREADS
        for (long long game = 0; game < some; ++game) ++results[1 - playout(position, limit, before, dice)];
        Py_END_ALLOW_THREADS
        games -= some;
        if (!binding::go_on()) return nullptr;
    }
    return Py_BuildValue("(KKK)", results[0], results[1], results[2]);
}

PyObject* key_of(PyObject*, PyObject* object) {
    const State* board = playable(object);
    return board ? PyLong_FromUnsignedLongLong(board->at.key()) : nullptr;
}

// What `module.name` is; a reference for good.
PyObject* imported(const char* module, const char* name) {
    const Held found(PyImport_ImportModule(module));
    return found ? PyObject_GetAttrString(found.get(), name) : nullptr;
}

PyTypeObject* imported_type(const char* module, const char* name) {
    PyObject* found = imported(module, name);
    if (found && !PyType_Check(found)) {
        PyErr_Format(PyExc_TypeError, "%s.%s is no class", module, name);
        Py_CLEAR(found);
    }
    return reinterpret_cast<PyTypeObject*>(found);
}

// A class of these two bases, with the second's name.
PyTypeObject* joined(PyTypeObject* storage, PyObject* specification) {
    const Held module(PyObject_GetAttrString(specification, "__module__"));
    const Held name(PyObject_GetAttrString(specification, "__name__"));
    const Held doc(PyObject_GetAttrString(specification, "__doc__"));
    if (!module || !name || !doc) return nullptr;
    auto* type = reinterpret_cast<PyTypeObject*>(PyObject_CallFunction(
        reinterpret_cast<PyObject*>(&PyType_Type), "O(OO){sOsOs()}", name.get(), storage, specification, "__module__",
        module.get(), "__doc__", doc.get(), "__slots__"));
    // The storage has all there is to free, so the general way would only be a detour. As the base of classes in Python
    // it must then give the reference to the class back itself.
    if (type) type->tp_dealloc = storage->tp_dealloc;
    return type;
}

bool import_all() {
    if (known.moves) return true;
    known.listed_moves = imported("games._board", "LegalMoves");
    known.board_state = imported("chess", "_BoardState");
    known.ending = imported("games.base", "Ending");
    known.margin = imported("games.base", "Margin");
    known.new_object = imported("copyreg", "__newobj__");
    known.from_square = PyUnicode_InternFromString("from_square");
    known.to_square = PyUnicode_InternFromString("to_square");
    known.promotion = PyUnicode_InternFromString("promotion");
    known.drop = PyUnicode_InternFromString("drop");
    known.restore = PyUnicode_InternFromString("restore");
    known.canonical = PyUnicode_InternFromString("canonical");
    known.copy = PyUnicode_InternFromString("copy");
    if (PyErr_Occurred()) return false;
    known.move = imported_type("chess", "Move");
    known.board = known.move ? imported_type("chess", "Board") : nullptr;
    if (!known.board) return false;
    // Castling may be written in two ways: the one that is made must be there when the other is asked for.
    for (const Castling& castling : castlings)
        if (!shared(coded(castling.king, castling.king_to))) return false;
    known.moves = joined(&moves_type, known.listed_moves);
    return known.moves != nullptr;
}

PyObject* derived(PyObject*, PyObject* specification) {
    if (known.live && specification == reinterpret_cast<PyObject*>(known.specification))
        return Py_NewRef(reinterpret_cast<PyObject*>(known.live));
    if (!import_all()) return nullptr;
    const int fits = PyType_Check(specification) &&
                     PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(specification), known.board);
    if (!fits) return PyErr_Format(PyExc_TypeError, "derived() takes the specification's class");
    const Held limit(PyObject_GetAttrString(specification, "turn_limit"));
    const Held black(limit ? PyObject_GetAttrString(specification, "black_remain_sec") : nullptr);
    const Held white(black ? PyObject_GetAttrString(specification, "white_remain_sec") : nullptr);
    PyTypeObject* live = white ? joined(&state_type, specification) : nullptr;
    if (!live) return nullptr;
    // A module that is loaded anew derives anew; nothing of the class before may go, its states could still be there.
    known.limit = Py_NewRef(limit.get());
    known.seconds[0] = Py_NewRef(black.get());
    known.seconds[1] = Py_NewRef(white.get());
    known.specification = reinterpret_cast<PyTypeObject*>(Py_NewRef(specification));
    known.live = live;
    return Py_NewRef(reinterpret_cast<PyObject*>(live));
}

PyMethodDef functions[] = {
    {"derived", derived, METH_O, "The native class of states that derives from the specification's."},
    {"perft", perft_of, METH_VARARGS,
     "How many sequences of so many turns there are, whatever the rules say about the end of the game."},
    {"playout", playout_of, METH_VARARGS, "A random game from a state: 1 if White won, -1 if Black, 0 if nobody."},
    {"playouts", playouts_of, METH_VARARGS, "How many of `n` random games White won, nobody won, Black won."},
    {"key", key_of, METH_O, "64 bits that tell positions apart; equal for positions that repeat each other."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "games._native_microchess", "The native kernel of microchess.", -1, functions,
    nullptr, nullptr, nullptr, nullptr,
};

void describe_state() {
    PyTypeObject& type = state_type;
    type.tp_name = "games._native_microchess.Storage";
    type.tp_doc = "The storage of a native state, and what is asked of it often.";
    type.tp_basicsize = sizeof(State);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    type.tp_new = state_new;
    type.tp_dealloc = state_dealloc;
    type.tp_traverse = state_traverse;
    type.tp_clear = state_clear;
    type.tp_dictoffset = offsetof(State, dict);
    type.tp_weaklistoffset = offsetof(State, weak);
    type.tp_methods = state_methods;
    type.tp_getset = state_attributes;
}

void describe_moves() {
    static PySequenceMethods sequence{};
    static PyMappingMethods mapping{};
    static PyNumberMethods number{};
    sequence.sq_length = moves_length;
    sequence.sq_item = moves_item;
    sequence.sq_contains = moves_contains;
    mapping.mp_subscript = moves_get;
    number.nb_bool = moves_bool;
    PyTypeObject& type = moves_type;
    type.tp_name = "games._native_microchess.Moves";
    type.tp_doc = "The legal moves at the moment of asking.";
    type.tp_basicsize = sizeof(Moves);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    type.tp_new = moves_new;
    type.tp_init = moves_init;
    type.tp_dealloc = moves_dealloc;
    type.tp_traverse = moves_traverse;
    type.tp_clear = moves_clear;
    type.tp_dictoffset = offsetof(Moves, dict);
    type.tp_weaklistoffset = offsetof(Moves, weak);
    type.tp_as_sequence = &sequence;
    type.tp_as_mapping = &mapping;
    type.tp_as_number = &number;
    type.tp_iter = moves_iter;
    type.tp_methods = moves_methods;
    type.tp_getset = moves_attributes;
}

void describe_walk() {
    PyTypeObject& type = walk_type;
    type.tp_name = "games._native_microchess.Walk";
    type.tp_doc = "One move after the other.";
    type.tp_basicsize = sizeof(Walk);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_dealloc = walk_dealloc;
    type.tp_iter = PyObject_SelfIter;
    type.tp_iternext = walk_next;
    type.tp_methods = walk_methods;
}

void describe_sides() {
    static PySequenceMethods sequence{};
    static PyMappingMethods mapping{};
    sequence.sq_length = sides_length;
    sequence.sq_item = sides_item;
    sequence.sq_ass_item = sides_put_item;
    mapping.mp_length = sides_length;
    mapping.mp_subscript = sides_get;
    mapping.mp_ass_subscript = sides_put;
    PyTypeObject& type = sides_type;
    type.tp_name = "games._native_microchess.Sides";
    type.tp_doc = "The squares of Black and of White; writing here writes to the board.";
    type.tp_basicsize = sizeof(Sides);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_dealloc = sides_dealloc;
    type.tp_traverse = sides_traverse;
    type.tp_as_sequence = &sequence;
    type.tp_as_mapping = &mapping;
    type.tp_repr = sides_repr;
    type.tp_richcompare = sides_compared;
    type.tp_hash = PyObject_HashNotImplemented;
    type.tp_methods = sides_methods;
}

}  // namespace
}  // namespace arena::microchess

PyMODINIT_FUNC PyInit__native_microchess() {
    using namespace arena::microchess;
    describe_state();
    describe_moves();
    describe_walk();
    describe_sides();
    for (PyTypeObject* type : {&state_type, &moves_type, &walk_type, &sides_type})
        if (PyType_Ready(type) < 0) return nullptr;
    return PyModule_Create(&module);
}
