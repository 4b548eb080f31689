// What a native board is asked, and what is done to it.
#pragma once

#include "microchess_attributes.hpp"
#include "microchess_moves.hpp"

namespace arena::microchess {
namespace {

// Questions.

PyObject* get_turns(PyObject* self, void*) {
    State& board = state(self);
    return native(board) ? PyLong_FromLongLong(board.at.turns()) : specified_property(self, "turns");
}

Verdict verdict_of(const State& board) { return ended(board, board.at.count_moves() == 0); }

PyObject* get_ending(PyObject* self, void*) {
    static const char* const reasons[] = {
        "", "checkmate", "insufficient-material", "stalemate", "fifty-turns", "repetition", "turn-limit",
    };
    State& board = state(self);
    if (!native(board)) return specified_property(self, "ending");
    const Verdict verdict = verdict_of(board);
    if (verdict == Verdict::none) Py_RETURN_NONE;
    const int lead = board.at.winner(verdict);
    PyObject* winner = lead ? (lead > 0 ? Py_True : Py_False) : Py_None;
    const char* reason = reasons[static_cast<int>(verdict)];
    if (verdict == Verdict::checkmate) return PyObject_CallFunction(known.ending, "Os", winner, reason);
    const int white = board.at.material(WHITE), black = board.at.material(BLACK);
    const Held margin(PyObject_CallFunction(known.margin, "iis", white, black, "material"));
    return margin ? PyObject_CallFunction(known.ending, "OsO", winner, reason, margin.get()) : nullptr;
}

PyObject* get_text(PyObject* self, void*) {
    State& board = state(self);
    if (!native(board)) return specified_property(self, "text");
    char text[text_room];
    return PyUnicode_FromStringAndSize(text, static_cast<Py_ssize_t>(write(board.at, text)));
}

PyObject* is_game_over(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    if (count || keywords || !native(board)) return specified(self, "is_game_over", args, count, keywords);
    return PyBool_FromLong(verdict_of(board) != Verdict::none);
}

PyObject* is_check(PyObject* self, PyObject*) {
    State& board = state(self);
    return native(board) ? PyBool_FromLong(board.at.check()) : specified(self, "is_check");
}

PyObject* is_checkmate(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!native(board)) return specified(self, "is_checkmate");
    return PyBool_FromLong(board.at.check() && !board.at.count_moves());
}

PyObject* is_stalemate(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!native(board)) return specified(self, "is_stalemate");
    return PyBool_FromLong(!board.at.check() && !board.at.count_moves());
}

PyObject* is_insufficient_material(PyObject* self, PyObject*) {
    State& board = state(self);
    return native(board) ? PyBool_FromLong(board.at.insufficient()) : specified(self, "is_insufficient_material");
}

PyObject* is_repetition(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    int overflow = 0;
    const bool simple = !keywords && (count == 0 || (count == 1 && PyLong_Check(args[0])));
    const long asked = simple && count ? PyLong_AsLongAndOverflow(args[0], &overflow) : 3;
    if (!simple || overflow || !native(board)) return specified(self, "is_repetition", args, count, keywords);
    return PyBool_FromLong(occurrences_before(board) >= asked - 1);
}

PyObject* is_fivefold_repetition(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!native(board)) return specified(self, "is_fivefold_repetition");
    return PyBool_FromLong(occurrences_before(board) >= times - 1);
}

PyObject* is_legal(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!understood(move, code) || !native(board)) return specified(self, "is_legal", &move, 1);
    return PyBool_FromLong(board.at.legal(board.at.canonical(code)));
}

PyObject* generate_legal_moves(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    if (count || keywords || !native(board)) return specified(self, "generate_legal_moves", args, count, keywords);
    Move found[most_moves];
    return walk_over(found, board.at.moves(found));
}

PyObject* material(PyObject* self, PyObject* color) {
    State& board = state(self);
    if (!PyBool_Check(color) || !native(board)) return specified(self, "material", &color, 1);
    return PyLong_FromLong(board.at.material(color == Py_True));
}

PyObject* parse(PyObject* self, PyObject* text) {
    State& board = state(self);
    if (!PyUnicode_CheckExact(text) || !PyUnicode_IS_COMPACT_ASCII(text) || !native(board))
        return specified(self, "parse", &text, 1);
    const std::string_view view(static_cast<const char*>(PyUnicode_DATA(text)),
                                static_cast<size_t>(PyUnicode_GET_LENGTH(text)));
    const std::optional<Move> move = read(board.at, view);
    const bool legal = move && board.at.legal(*move) && ended(board, false) == Verdict::none;
    if (!legal) return specified(self, "parse", &text, 1);
    return Py_XNewRef(shared(*move));
}

// Making moves.

// A new board of the same class with the same attributes, but for position and history.
State* sibling(State& board) {
    const Held own(board.dict && PyDict_GET_SIZE(board.dict) ? Py_NewRef(board.dict) : nullptr);
    PyObject* dict = own ? PyDict_Copy(own.get()) : nullptr;
    if (own && !dict) return nullptr;
    State* other = fresh(Py_TYPE(&board));
    if (!other) {
        Py_XDECREF(dict);
        return nullptr;
    }
    other->dict = dict;
    put_limits(*other, board.limit, board.seconds[1], board.seconds[0]);
    other->turn_limit = board.turn_limit;
    other->limited = board.limited;
    other->chess960 = board.chess960;
    return other;
}

PyObject* forward(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!understood(move, code) || !native(board)) return specified(self, "forward", &move, 1);
    code = board.at.canonical(code);
    if (!board.at.legal(code) || ended(board, false) != Verdict::none) return specified(self, "forward", &move, 1);
    const Position position = board.at.after(code);
    Turn* turn = extended(held(board.turn), board.at, code);
    State* after = turn ? sibling(board) : nullptr;
    if (!after) {
        released(turn);
        return nullptr;
    }
    after->at = position;
    after->turn = turn;
    return object(*after);
}

PyObject* push(PyObject* self, PyObject* move) {
    State& board = state(self);
    Move code = null_move;
    if (!understood(move, code) || !native(board)) return specified(self, "push", &move, 1);
    code = board.at.canonical(code);
    const bool passes = code == null_move;
    const bool sound = passes ? !board.at.check() : board.at.legal(code);
    if (!passes && !sound && !board.at.pseudo_legal(code)) return specified(self, "push", &move, 1);
    Turn* turn = extended(held(board.turn), board.at, code);
    if (!turn) return nullptr;
    if (board.moves && PyList_Append(board.moves, shared(code)) < 0) {
        released(turn);
        return nullptr;
    }
    released(std::exchange(board.turn, turn));
    if (!put(board, passes ? board.at.passed() : board.at.after(code), sound)) return nullptr;
    Py_RETURN_NONE;
}

PyObject* pop(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!settled_history(board)) return specified(self, "pop");
    Turn* turn = board.turn;
    if (!turn) return PyErr_Format(PyExc_IndexError, "pop from empty list");
    PyObject* move = shared(turn->move);
    if (!move) return nullptr;
    const Py_ssize_t size = depth(turn);
    if (board.moves && PyList_SetSlice(board.moves, size - 1, size, nullptr) < 0) return nullptr;
    put(board, turn->before, true);
    board.turn = held(turn->parent);
    released(turn);
    return Py_NewRef(move);
}

PyObject* peek(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!settled_history(board) || !board.turn) return specified(self, "peek");
    return Py_XNewRef(shared(board.turn->move));
}

PyObject* clear_stack(PyObject* self, PyObject*) {
    State& board = state(self);
    const Held moves(Py_XNewRef(board.moves)), states(Py_XNewRef(board.states));
    released(std::exchange(board.turn, nullptr));
    for (PyObject* list : {moves.get(), states.get()})
        if (list && PyList_SetSlice(list, 0, PyList_GET_SIZE(list), nullptr) < 0) return nullptr;
    Py_RETURN_NONE;
}

// Copies.

// The last `kept` items; all but the first ones if it is below 0, as a slice counts.
Py_ssize_t kept_of(Py_ssize_t size, Py_ssize_t kept) {
    if (kept < 0) return size + kept > 0 ? size + kept : 0;
    return kept < size ? kept : size;
}

PyObject* copied(State& board, Py_ssize_t kept) {
    const Held holder(reinterpret_cast<PyObject*>(sibling(board)));
    if (!holder) return nullptr;
    State& other = state(holder.get());
    other.at = board.at;
    if (board.loose) {
        if (!loosened(other)) return nullptr;
        *other.loose = *board.loose;
    }
    if (settled_history(board)) {
        const Py_ssize_t size = depth(board.turn), rest = kept_of(size, kept);
        other.turn = rest == size ? held(board.turn) : shortened(board.turn, rest);
        return rest && !other.turn ? nullptr : Py_NewRef(holder.get());
    }
    const Held moves(Py_NewRef(board.moves)), states(Py_NewRef(board.states));
    const Py_ssize_t turns = PyList_GET_SIZE(moves.get()), positions = PyList_GET_SIZE(states.get());
    Held last_moves(PyList_GetSlice(moves.get(), turns - kept_of(turns, kept), turns));
    Held last_states(PyList_GetSlice(states.get(), positions - kept_of(positions, kept), positions));
    if (!last_moves || !last_states) return nullptr;
    other.moves = last_moves.given();
    other.states = last_states.given();
    return Py_NewRef(holder.get());
}

// `stack` of `copy()`, as a number; false with an exception set.
bool kept_from(State& board, PyObject* stack, Py_ssize_t& kept) {
    if (stack == Py_True) {
        const bool lists = !settled_history(board);
        kept = lists ? PyList_GET_SIZE(board.moves) : depth(board.turn);
        return true;
    }
    const Held number(PyNumber_Long(stack));
    if (!number) return false;
    kept = PyNumber_AsSsize_t(number.get(), nullptr);  // clipped: no history is that long
    return !PyErr_Occurred();
}

PyObject* copy(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    State& board = state(self);
    PyObject* stack = Py_True;
    if (count) return PyErr_Format(PyExc_TypeError, "copy() takes stack as a keyword only");
    if (keywords && PyTuple_GET_SIZE(keywords)) {
        if (PyTuple_GET_SIZE(keywords) > 1 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "stack"))
            return PyErr_Format(PyExc_TypeError, "copy() takes stack, and no other keyword");
        stack = args[0];
    }
    Py_ssize_t kept = 0;
    return kept_from(board, stack, kept) ? copied(board, kept) : nullptr;
}

PyObject* copy_of(PyObject* self, PyObject*) {
    if (plain(Py_TYPE(self))) return copy(self, nullptr, 0, nullptr);
    return PyObject_CallMethodNoArgs(self, known.copy);
}

PyObject* root(PyObject* self, PyObject*) {
    State& board = state(self);
    if (!settled_history(board)) return specified(self, "root");
    PyObject* bottom = copied(board, 0);
    if (!bottom || !board.turn) return bottom;
    const Turn* turn = board.turn;
    while (turn->parent) turn = turn->parent;
    put(state(bottom), turn->before, true);
    return bottom;
}

// Pickles.

extern PyGetSetDef state_attributes[];

// All attributes as the specification's states have them in their dict, so that either form reads the other's.
PyObject* attributes(State& board) {
    const Held own(Py_XNewRef(board.dict));
    const Held dict(own ? PyDict_Copy(own.get()) : PyDict_New());
    if (!dict) return nullptr;
    for (const PyGetSetDef* one = state_attributes; one->name; ++one) {
        if (!one->set || one->name[1] == '_') continue;
        PyObject* value = nullptr;
        if (one->get == get_stack && !board.states) {
            Turn* turn = held(board.turn);
            value = states_of(turn);
            released(turn);
        } else if (one->get == get_sides) value = both_sides(board);
        else value = one->get(object(board), one->closure);
        const Held held_value(value);
        if (!value || PyDict_SetItemString(dict.get(), one->name, value) < 0) return nullptr;
    }
    return Py_NewRef(dict.get());
}

PyObject* reduce(PyObject* self, PyObject*) {
    settled_history(state(self));
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(self));
    return Py_BuildValue("(O(O)N)", known.new_object, type, attributes(state(self)));
}

PyObject* set_state(PyObject* self, PyObject* dict) {
    if (!PyDict_Check(dict)) return PyErr_Format(PyExc_TypeError, "the attributes of a board are a dict");
    const Held items(PyDict_Items(dict));
    if (!items) return nullptr;
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(items.get()); ++index) {
        PyObject *name, *value;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(items.get(), index), "OO", &name, &value)) return nullptr;
        if (!PyUnicode_Check(name)) return PyErr_Format(PyExc_TypeError, "the names of attributes are texts");
        if (PyObject_GenericSetAttr(self, name, value) < 0) return nullptr;
    }
    Py_RETURN_NONE;
}

}  // namespace
}  // namespace arena::microchess
