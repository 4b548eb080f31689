// The methods and computed properties of a native board.
#pragma once

#include "python_board_moves.hpp"
#include "python_board_sides.hpp"

namespace arena::python_board {
namespace {

// Questions about the position.

PyObject* get_turns(PyObject* self, void*) {
    State& board = state(self);
    return is_native(board) ? PyLong_FromLongLong(board.at.turns()) : specified_property(self, "turns");
}

Verdict verdict_of(const State& board) { return verdict_of(board, board.at.count_moves() == 0); }

PyObject* get_ending(PyObject* self, void*) {
    static const char* const reasons[] = {
        "", "checkmate", "insufficient-material", "stalemate", Rules::quiet_reason, "repetition", "turn-limit",
    };
    State& board = state(self);
    if (!is_native(board)) return specified_property(self, "ending");
    const Verdict verdict = verdict_of(board);
    if (verdict == Verdict::none) Py_RETURN_NONE;
    const int lead = board.at.winner(verdict);
    PyObject* winner = lead ? (lead > 0 ? Py_True : Py_False) : Py_None;
    const char* reason = reasons[static_cast<int>(verdict)];
    if (verdict == Verdict::checkmate || !Rules::material_decides) return PyObject_CallFunction(imported.ending, "Os", winner, reason);
    const int white = board.at.material(WHITE), black = board.at.material(BLACK);
    const OwnedRef margin(PyObject_CallFunction(imported.margin, "iis", white, black, "material"));
    return margin ? PyObject_CallFunction(imported.ending, "OsO", winner, reason, margin.get()) : nullptr;
}

PyObject* get_text(PyObject* self, void*) {
    State& board = state(self);
    if (!is_native(board)) return specified_property(self, "text");
    const std::string text = Rules::text(board.at);
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* is_game_over(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    if (count || keywords || !is_native(board)) return call_specified(self, "is_game_over", args, count, keywords);
    return PyBool_FromLong(verdict_of(board) != Verdict::none);
}

PyObject* is_check(PyObject* self, PyObject*) {
    State& board = state(self);
    return is_native(board) ? PyBool_FromLong(board.at.check()) : call_specified(self, "is_check");
}

PyObject* is_checkmate(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!is_native(board)) return call_specified(self, "is_checkmate");
    return PyBool_FromLong(board.at.check() && !board.at.count_moves());
}

PyObject* is_stalemate(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!is_native(board)) return call_specified(self, "is_stalemate");
    return PyBool_FromLong(!board.at.check() && !board.at.count_moves());
}

PyObject* is_insufficient_material(PyObject* self, PyObject*) {
    State& board = state(self);
    return is_native(board) ? PyBool_FromLong(board.at.insufficient()) : call_specified(self, "is_insufficient_material");
}

PyObject* is_repetition(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    int overflow = 0;
    const bool simple = !keywords && (count == 0 || (count == 1 && PyLong_Check(args[0])));
    const long asked = simple && count ? PyLong_AsLongAndOverflow(args[0], &overflow) : 3;
    if (!simple || overflow || !is_native(board)) return call_specified(self, "is_repetition", args, count, keywords);
    return PyBool_FromLong(occurrences_before(board) >= asked - 1);
}

PyObject* is_fivefold_repetition(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!is_native(board)) return call_specified(self, "is_fivefold_repetition");
    return PyBool_FromLong(occurrences_before(board) >= Position::most_repetitions - 1);
}

PyObject* is_legal(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!read_move_to_make(move, code) || !is_native(board)) return call_specified(self, "is_legal", &move, 1);
    return PyBool_FromLong(board.at.legal(board.at.canonical(code)));
}

PyObject* generate_legal_moves(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    if (count || keywords || !is_native(board)) return call_specified(self, "generate_legal_moves", args, count, keywords);
    Move found[Position::max_moves];
    const int size = board.at.moves(found);
    Rules::order_as_generated(board.at, found, size);
    return iterate(found, size);
}

PyObject* parse(PyObject* self, PyObject* text) {
    State& board = state(self);
    if (!PyUnicode_CheckExact(text) || !PyUnicode_IS_COMPACT_ASCII(text) || !is_native(board))
        return call_specified(self, "parse", &text, 1);
    const std::string_view view(static_cast<const char*>(PyUnicode_DATA(text)),
                                static_cast<size_t>(PyUnicode_GET_LENGTH(text)));
    const std::optional<Move> move = Rules::read_move(board.at, view);
    if (!move || verdict_of(board, false) != Verdict::none) return call_specified(self, "parse", &text, 1);
    return Py_XNewRef(move_object(*move));
}

// Making moves.

// A new board of the same class with the same attributes, but without position and history.
State* empty_copy(State& board) {
    const OwnedRef own(board.dict && PyDict_GET_SIZE(board.dict) ? Py_NewRef(board.dict) : nullptr);
    PyObject* dict = own ? PyDict_Copy(own.get()) : nullptr;
    if (own && !dict) return nullptr;
    State* other = allocate(Py_TYPE(&board));
    if (!other) {
        Py_XDECREF(dict);
        return nullptr;
    }
    other->dict = dict;
    set_limits(*other, board.limit, board.seconds[1], board.seconds[0]);
    other->turn_limit = board.turn_limit;
    other->limited = board.limited;
    other->chess960 = board.chess960;
    return other;
}

PyObject* forward(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!read_move_to_make(move, code) || !is_native(board)) return call_specified(self, "forward", &move, 1);
    code = board.at.canonical(code);
    if (!board.at.legal(code) || verdict_of(board, false) != Verdict::none) return call_specified(self, "forward", &move, 1);
    const Position position = board.at.after(code);
    Turn* turn = extend(share(board.turn), board.at, code);
    State* after = turn ? empty_copy(board) : nullptr;
    if (!after) {
        release(turn);
        return nullptr;
    }
    after->at = position;
    after->turn = turn;
    return object(*after);
}

PyObject* push(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!read_move_to_make(move, code) || !is_native(board)) return call_specified(self, "push", &move, 1);
    code = board.at.canonical(code);
    const bool passes = code == null_move;
    const bool valid = passes ? !board.at.check() : board.at.legal(code);
    if (!passes && !valid && !board.at.pseudo_legal(code)) return call_specified(self, "push", &move, 1);
    Turn* turn = extend(share(board.turn), board.at, code);
    if (!turn) return nullptr;
    if (board.moves && PyList_Append(board.moves, move_object(code)) < 0) {
        release(turn);
        return nullptr;
    }
    release(std::exchange(board.turn, turn));
    if (!set_position(board, passes ? board.at.passed() : board.at.after(code), valid)) return nullptr;
    Py_RETURN_NONE;
}

PyObject* pop(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!has_turns(board)) return call_specified(self, "pop");
    Turn* turn = board.turn;
    if (!turn) return PyErr_Format(PyExc_IndexError, "pop from empty list");
    PyObject* move = move_object(turn->move);
    if (!move) return nullptr;
    const Py_ssize_t size = depth(turn);
    if (board.moves && PyList_SetSlice(board.moves, size - 1, size, nullptr) < 0) return nullptr;
    set_position(board, turn->before, true);
    board.turn = share(turn->parent);
    release(turn);
    return Py_NewRef(move);
}

PyObject* peek(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!has_turns(board) || !board.turn) return call_specified(self, "peek");
    return Py_XNewRef(move_object(board.turn->move));
}

PyObject* clear_stack(PyObject* self, PyObject*) {
    State& board = state(self);
    const OwnedRef moves(Py_XNewRef(board.moves)), states(Py_XNewRef(board.states));
    release(std::exchange(board.turn, nullptr));
    for (PyObject* list : {moves.get(), states.get()})
        if (list && PyList_SetSlice(list, 0, PyList_GET_SIZE(list), nullptr) < 0) return nullptr;
    Py_RETURN_NONE;
}

// Copies.

// The number of items in the slice of the last `kept` of `size` items. A negative number leaves out the first ones.
Py_ssize_t slice_size(Py_ssize_t size, Py_ssize_t kept) {
    if (kept < 0) return size + kept > 0 ? size + kept : 0;
    return kept < size ? kept : size;
}

PyObject* copy_board(State& board, Py_ssize_t kept) {
    const OwnedRef holder(reinterpret_cast<PyObject*>(empty_copy(board)));
    if (!holder) return nullptr;
    State& other = state(holder.get());
    other.at = board.at;
    if (board.raw) {
        if (!raw_board(other)) return nullptr;
        *other.raw = *board.raw;
    }
    if (has_turns(board)) {
        const Py_ssize_t size = depth(board.turn), rest = slice_size(size, kept);
        other.turn = rest == size ? share(board.turn) : last_turns(board.turn, rest);
        return rest && !other.turn ? nullptr : Py_NewRef(holder.get());
    }
    const OwnedRef moves(Py_NewRef(board.moves)), states(Py_NewRef(board.states));
    const Py_ssize_t turns = PyList_GET_SIZE(moves.get()), positions = PyList_GET_SIZE(states.get());
    OwnedRef last_moves(PyList_GetSlice(moves.get(), turns - slice_size(turns, kept), turns));
    OwnedRef last_states(PyList_GetSlice(states.get(), positions - slice_size(positions, kept), positions));
    if (!last_moves || !last_states) return nullptr;
    other.moves = last_moves.release();
    other.states = last_states.release();
    return Py_NewRef(holder.get());
}

// The argument `stack` of `copy()`, as a number.
bool read_stack(State& board, PyObject* stack, Py_ssize_t& kept) {
    if (stack == Py_True) {
        const bool lists = !has_turns(board);
        kept = lists ? PyList_GET_SIZE(board.moves) : depth(board.turn);
        return true;
    }
    const OwnedRef number(PyNumber_Long(stack));
    if (!number) return false;
    kept = PyNumber_AsSsize_t(number.get(), nullptr);  // clipped to the range: no history is that long
    return !PyErr_Occurred();
}

PyObject* copy(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    PyObject* stack = Py_True;
    if (count) return PyErr_Format(PyExc_TypeError, "copy() takes stack as a keyword only");
    if (keywords && PyTuple_GET_SIZE(keywords)) {
        if (PyTuple_GET_SIZE(keywords) > 1 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "stack"))
            return PyErr_Format(PyExc_TypeError, "copy() takes no keyword but stack");
        stack = args[0];
    }
    Py_ssize_t kept = 0;
    return read_stack(board, stack, kept) ? copy_board(board, kept) : nullptr;
}

PyObject* copy_of(PyObject* self, PyObject*) {
    if (overrides_nothing(Py_TYPE(self))) return copy(self, nullptr, 0, nullptr);
    return PyObject_CallMethodNoArgs(self, imported.copy);
}

PyObject* root(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!has_turns(board)) return call_specified(self, "root");
    PyObject* bottom = copy_board(board, 0);
    if (!bottom || !board.turn) return bottom;
    const Turn* turn = board.turn;
    while (turn->parent) turn = turn->parent;
    set_position(state(bottom), turn->before, true);
    return bottom;
}

// Pickles.

extern PyGetSetDef state_attributes[];

// All attributes as the specification's states have them in their dict: either form can read the other's pickle.
PyObject* attributes(State& board) {
    const OwnedRef own(Py_XNewRef(board.dict));
    const OwnedRef dict(own ? PyDict_Copy(own.get()) : PyDict_New());
    if (!dict) return nullptr;
    for (const PyGetSetDef* one = state_attributes; one->name; ++one) {
        if (!one->set || one->name[1] == '_') continue;
        PyObject* value = nullptr;
        if (one->get == get_stack && !board.states) {
            Turn* turn = share(board.turn);
            value = state_list(turn);
            release(turn);
        } else if (one->get == get_sides) value = both_sides(board);
        else value = one->get(object(board), one->closure);
        const OwnedRef owned(value);
        if (!value || PyDict_SetItemString(dict.get(), one->name, value) < 0) return nullptr;
    }
    return Py_NewRef(dict.get());
}

PyObject* reduce(PyObject* self, PyObject*) {
    has_turns(state(self));
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(self));
    return Py_BuildValue("(O(O)N)", imported.new_object, type, attributes(state(self)));
}

PyObject* set_state(PyObject* self, PyObject* dict) {
    if (!PyDict_Check(dict)) return PyErr_Format(PyExc_TypeError, "the attributes of a board are a dict");
    const OwnedRef items(PyDict_Items(dict));
    if (!items) return nullptr;
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(items.get()); ++index) {
        PyObject *name, *value;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(items.get(), index), "OO", &name, &value)) return nullptr;
        if (!PyUnicode_Check(name)) return PyErr_Format(PyExc_TypeError, "the names of attributes are strings");
        if (PyObject_GenericSetAttr(self, name, value) < 0) return nullptr;
    }
    Py_RETURN_NONE;
}

}  // namespace
}  // namespace arena::python_board
