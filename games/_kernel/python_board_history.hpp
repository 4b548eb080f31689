// The history of a native board, as turns or as lists, and whether the kernel may answer for a board.
#pragma once

#include "python_board_objects.hpp"

namespace arena::python_board {
namespace {

State* allocate(PyTypeObject* type) { return reinterpret_cast<State*>(type->tp_alloc(type, 0)); }

void set_limits(State& into, PyObject* limit, PyObject* white, PyObject* black) {
    into.limit = Py_NewRef(limit);
    into.seconds[0] = Py_NewRef(black);
    into.seconds[1] = Py_NewRef(white);
}

// The moves of a history, oldest first.
PyObject* move_list(const Turn* turn) {
    const OwnedRef list(PyList_New(depth(turn)));
    for (Py_ssize_t index = depth(turn); list && index-- > 0; turn = turn->parent) {
        PyObject* move = move_object(turn->move);
        if (!move) return nullptr;
        PyList_SET_ITEM(list.get(), index, Py_NewRef(move));
    }
    return Py_XNewRef(list.get());
}

// The positions of a history as python-chess keeps them, oldest first.
PyObject* state_list(const Turn* turn) {
    const OwnedRef list(PyList_New(depth(turn)));
    const OwnedRef board(reinterpret_cast<PyObject*>(allocate(imported.live)));
    if (!list || !board) return nullptr;
    set_limits(state(board.get()), imported.limit, imported.seconds[1], imported.seconds[0]);
    for (Py_ssize_t index = depth(turn); index-- > 0; turn = turn->parent) {
        state(board.get()).at = turn->before;
        PyObject* one = PyObject_CallOneArg(imported.board_state, board.get());
        if (!one) return nullptr;
        PyList_SET_ITEM(list.get(), index, one);
    }
    return Py_NewRef(list.get());
}

// Keep the history as lists from now on.
bool use_lists(State& board) {
    if (board.states) return true;
    Turn* turn = share(board.turn);
    PyObject* moves = board.moves ? Py_NewRef(board.moves) : move_list(turn);
    PyObject* states = moves ? state_list(turn) : nullptr;
    release(turn);
    if (!states) {
        Py_XDECREF(moves);
        return false;
    }
    Py_XSETREF(board.moves, moves);
    Py_XSETREF(board.states, states);
    release(std::exchange(board.turn, nullptr));
    board.lists_invalid = false;
    return true;
}

// Whether a list of moves that was handed out still has the moves of the history.
bool list_is_unchanged(const State& board) {
    Py_ssize_t index = depth(board.turn);
    if (PyList_GET_SIZE(board.moves) != index) return false;
    for (const Turn* turn = board.turn; index-- > 0; turn = turn->parent)
        if (PyList_GET_ITEM(board.moves, index) != move_objects[turn->move]) return false;
    return true;
}

// Whether the board has a valid position. Converts a raw board if it can.
bool has_position(State& board) {
    if (!board.raw) return true;
    if (board.raw->known_invalid) return false;
    if (!board.raw->read(board.at, board.chess960)) {
        board.raw->known_invalid = true;
        return false;
    }
    PyMem_Free(board.raw);
    board.raw = nullptr;
    return true;
}

// Convert lists to turns; null if they contain an invalid position, or an object that is not a move of this board.
Turn* turns_from_lists(PyObject* moves, PyObject* states, bool chess960) {
    const OwnedRef board(reinterpret_cast<PyObject*>(allocate(imported.live)));
    if (!board) return nullptr;
    State& scratch = state(board.get());
    scratch.chess960 = chess960;
    set_limits(scratch, imported.limit, imported.seconds[1], imported.seconds[0]);
    Turn* turn = nullptr;
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(moves) && index < PyList_GET_SIZE(states); ++index) {
        const OwnedRef move(Py_NewRef(PyList_GET_ITEM(moves, index))), one(Py_NewRef(PyList_GET_ITEM(states, index)));
        Move code = null_move;
        // Exactly these types, so that no foreign method runs here.
        const bool ours = Py_TYPE(move.get()) == imported.move &&
                          reinterpret_cast<PyObject*>(Py_TYPE(one.get())) == imported.board_state;
        const OwnedRef put(ours ? PyObject_CallMethodOneArg(one.get(), imported.restore, board.get()) : nullptr);
        if (!put || !has_position(scratch) || !read_move_object(move.get(), code) || !move_object(code)) {
            release(turn);
            return nullptr;
        }
        Turn* longer = extend(turn, scratch.at, code);
        if (!longer) return nullptr;
        turn = longer;
    }
    return turn;
}

// Whether the history is kept as turns. Converts lists if it can.
bool has_turns(State& board) {
    if (!board.moves) return true;
    if (!board.states) {
        if (list_is_unchanged(board)) {
            if (Py_REFCNT(board.moves) == 1) Py_CLEAR(board.moves);
            return true;
        }
        if (!use_lists(board)) {
            PyErr_Clear();
            Py_CLEAR(board.moves);
            return true;
        }
    }
    const Py_ssize_t size = PyList_GET_SIZE(board.moves);
    if (size != PyList_GET_SIZE(board.states)) return false;
    if (size) {
        if (board.lists_invalid || Py_REFCNT(board.moves) != 1 || Py_REFCNT(board.states) != 1) return false;
        const OwnedRef moves(Py_NewRef(board.moves)), states(Py_NewRef(board.states));
        Turn* turn = turns_from_lists(moves.get(), states.get(), board.chess960);
        if (depth(turn) != size || board.moves != moves.get() || board.states != states.get()) {
            PyErr_Clear();
            release(turn);
            board.lists_invalid = true;
            return !board.states;
        }
        release(std::exchange(board.turn, turn));
    }
    // Detach both before anything in them is freed: freeing may run code that reads this board.
    const OwnedRef old_states(std::exchange(board.states, nullptr));
    const OwnedRef old_moves(Py_REFCNT(board.moves) == 1 ? std::exchange(board.moves, nullptr) : nullptr);
    return true;
}

// The full check of `is_native`.
bool is_native_slowly(State& board) {
    if (!board.limited || !overrides_nothing(Py_TYPE(&board)) || !has_position(board)) return false;
    // Converting lists may run finalizers, and those may write to the board again.
    return has_turns(board) && !board.raw && !board.states;
}

// Whether the kernel may answer for this board. If not, the specification does.
inline bool is_native(State& board) {
    const unsigned version = Py_TYPE(&board)->tp_version_tag;
    const bool known_class = version && version == examined_types[0].version && examined_types[0].overrides_nothing;
    return (known_class && !board.raw && !board.moves && board.limited) || is_native_slowly(board);
}

// The board in raw form, to be written to. Null with an exception if memory is short.
RawBoard* raw_board(State& board) {
    if (board.raw) {
        board.raw->known_invalid = false;
        return board.raw;
    }
    void* room = PyMem_Malloc(sizeof(RawBoard));
    if (!room) {
        PyErr_NoMemory();
        return nullptr;
    }
    return board.raw = new (room) RawBoard(board.at);
}

// Put another position on the board. If it is not `valid`, the board is kept in raw form.
bool set_position(State& board, const Position& position, bool valid) {
    PyMem_Free(board.raw);
    board.raw = nullptr;
    board.at = position;
    return valid || raw_board(board) != nullptr;
}

// How often the position occurred before, since the last move that cannot be undone.
int occurrences_before(const State& board) {
    int found = 0, back = 0;
    for (const Turn* turn = board.turn; turn && Rules::may_return(board.at, ++back, turn->before, turn->move); turn = turn->parent)
        found += board.at.same(turn->before);
    return found;
}

Verdict verdict_of(const State& board, bool no_moves) {
    return board.at.verdict(no_moves, board.turn_limit, [&board] {
        return occurrences_before(board) >= Position::most_repetitions - 1;
    });
}

}  // namespace
}  // namespace arena::python_board
