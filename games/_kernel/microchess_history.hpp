// The history of a native board, in turns or in lists, and whether the kernel may answer for a board.
#pragma once

#include "microchess_python.hpp"

namespace arena::microchess {
namespace {

State* fresh(PyTypeObject* type) { return reinterpret_cast<State*>(type->tp_alloc(type, 0)); }

void put_limits(State& into, PyObject* limit, PyObject* white, PyObject* black) {
    into.limit = Py_NewRef(limit);
    into.seconds[0] = Py_NewRef(black);
    into.seconds[1] = Py_NewRef(white);
}

// The moves of a history, oldest first.
PyObject* moves_of(const Turn* turn) {
    const Held list(PyList_New(depth(turn)));
    for (Py_ssize_t index = depth(turn); list && index-- > 0; turn = turn->parent) {
        PyObject* move = shared(turn->move);
        if (!move) return nullptr;
        PyList_SET_ITEM(list.get(), index, Py_NewRef(move));
    }
    return Py_XNewRef(list.get());
}

// The same positions as python-chess keeps them.
PyObject* states_of(const Turn* turn) {
    const Held list(PyList_New(depth(turn)));
    const Held board(reinterpret_cast<PyObject*>(fresh(known.live)));
    if (!list || !board) return nullptr;
    put_limits(state(board.get()), known.limit, known.seconds[1], known.seconds[0]);
    for (Py_ssize_t index = depth(turn); index-- > 0; turn = turn->parent) {
        state(board.get()).at = turn->before;
        PyObject* one = PyObject_CallOneArg(known.board_state, board.get());
        if (!one) return nullptr;
        PyList_SET_ITEM(list.get(), index, one);
    }
    return Py_NewRef(list.get());
}

// Keep the history as lists from now on.
bool listed(State& board) {
    if (board.states) return true;
    Turn* turn = held(board.turn);
    PyObject* moves = board.moves ? Py_NewRef(board.moves) : moves_of(turn);
    PyObject* states = moves ? states_of(turn) : nullptr;
    released(turn);
    if (!states) {
        Py_XDECREF(moves);
        return false;
    }
    Py_XSETREF(board.moves, moves);
    Py_XSETREF(board.states, states);
    released(std::exchange(board.turn, nullptr));
    board.listed = false;
    return true;
}

// Whether a list of moves that was handed out is still that of the history.
bool unchanged(const State& board) {
    Py_ssize_t index = depth(board.turn);
    if (PyList_GET_SIZE(board.moves) != index) return false;
    for (const Turn* turn = board.turn; index-- > 0; turn = turn->parent)
        if (PyList_GET_ITEM(board.moves, index) != shared_moves[turn->move]) return false;
    return true;
}

bool settled_position(State& board) {
    if (!board.loose) return true;
    if (board.loose->unsound) return false;
    if (!board.loose->read(board.at)) {
        board.loose->unsound = true;
        return false;
    }
    PyMem_Free(board.loose);
    board.loose = nullptr;
    return true;
}

// The lists as turns again; null if they hold what is no position, or no move of this board.
Turn* turns_of(PyObject* moves, PyObject* states) {
    const Held board(reinterpret_cast<PyObject*>(fresh(known.live)));
    if (!board) return nullptr;
    State& scratch = state(board.get());
    put_limits(scratch, known.limit, known.seconds[1], known.seconds[0]);
    Turn* turn = nullptr;
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(moves) && index < PyList_GET_SIZE(states); ++index) {
        const Held move(Py_NewRef(PyList_GET_ITEM(moves, index))), one(Py_NewRef(PyList_GET_ITEM(states, index)));
        Move code = null_move;
        // Exactly these types: no method of anybody else runs here.
        const bool ours = Py_TYPE(move.get()) == known.move &&
                          reinterpret_cast<PyObject*>(Py_TYPE(one.get())) == known.board_state;
        const Held put(ours ? PyObject_CallMethodOneArg(one.get(), known.restore, board.get()) : nullptr);
        if (!put || !settled_position(scratch) || !decoded(move.get(), code) || !shared(code)) {
            released(turn);
            return nullptr;
        }
        Turn* longer = extended(turn, scratch.at, code);
        if (!longer) return nullptr;
        turn = longer;
    }
    return turn;
}

// Whether the history is in turns, if need be after looking through lists.
bool settled_history(State& board) {
    if (!board.moves) return true;
    if (!board.states) {
        if (unchanged(board)) {
            if (Py_REFCNT(board.moves) == 1) Py_CLEAR(board.moves);
            return true;
        }
        if (!listed(board)) {
            PyErr_Clear();
            Py_CLEAR(board.moves);
            return true;
        }
    }
    const Py_ssize_t size = PyList_GET_SIZE(board.moves);
    if (size != PyList_GET_SIZE(board.states)) return false;
    if (size) {
        if (board.listed || Py_REFCNT(board.moves) != 1 || Py_REFCNT(board.states) != 1) return false;
        const Held moves(Py_NewRef(board.moves)), states(Py_NewRef(board.states));
        Turn* turn = turns_of(moves.get(), states.get());
        if (depth(turn) != size || board.moves != moves.get() || board.states != states.get()) {
            PyErr_Clear();
            released(turn);
            board.listed = true;
            return !board.states;
        }
        released(std::exchange(board.turn, turn));
    }
    // Both at once, before anything in them is freed: that may look at this board.
    const Held old_states(std::exchange(board.states, nullptr));
    const Held old_moves(Py_REFCNT(board.moves) == 1 ? std::exchange(board.moves, nullptr) : nullptr);
    return true;
}

bool native_slowly(State& board) {
    if (!board.limited || !plain(Py_TYPE(&board)) || !settled_position(board)) return false;
    // Looking through lists may run finalizers, and those may write to the board again.
    return settled_history(board) && !board.loose && !board.states;
}

// Whether the kernel may answer for this board; if not, the specification does.
inline bool native(State& board) {
    const unsigned version = Py_TYPE(&board)->tp_version_tag;
    const bool known_class = version && version == seen[0].version && seen[0].plain;
    return (known_class && !board.loose && !board.moves && board.limited) || native_slowly(board);
}

Loose* loosened(State& board) {
    if (board.loose) {
        board.loose->unsound = false;
        return board.loose;
    }
    void* room = PyMem_Malloc(sizeof(Loose));
    if (!room) {
        PyErr_NoMemory();
        return nullptr;
    }
    return board.loose = new (room) Loose(board.at);
}

// The board in another position, which need not be sound.
bool put(State& board, const Position& position, bool sound) {
    PyMem_Free(board.loose);
    board.loose = nullptr;
    board.at = position;
    return sound || loosened(board) != nullptr;
}

int occurrences_before(const State& board) {
    int found = 0;
    const Turn* turn = board.turn;
    for (auto left = board.at.clock; left > 0 && turn; --left, turn = turn->parent)
        found += board.at.same(turn->before);
    return found;
}

Verdict ended(const State& board, bool stuck) {
    return board.at.verdict(stuck, board.turn_limit, [&board] {
        return board.at.clock >= times - 1 && occurrences_before(board) >= times - 1;
    });
}

}  // namespace
}  // namespace arena::microchess
