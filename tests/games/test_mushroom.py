"""Mushroom: rectangles that sum to ten, stealing, passing and counting."""

import copy
import pickle
import random
import statistics

import pytest

import games
from games.base import BLACK, WHITE, Ending, Margin
from games.contract import check
from games.errors import IllegalMove, UnknownGame
from games.mushroom import Mushroom

PASS = "-1 -1 -1 -1"
SMALL = "1234/5678/9123"


def position(*rows, side="A", passes=0):
    game = Mushroom(rows=len(rows), columns=len(rows[0]))
    return game.position(f"{'/'.join(rows)} {side} {passes}")


def after(state, *moves):
    for move in moves:
        state = state.forward(state.parse(move))
    return state


def rectangles(*rows):
    """The legal moves but for the pass."""
    *found, passing = position(*rows).legal_moves
    assert passing == PASS
    return found


def test_the_start_position_is_ten_rows_of_seventeen_digits():
    start = Mushroom().start(5)
    rows, side, passes = start.text.split()
    assert [len(row) for row in rows.split("/")] == [17] * 10
    assert set(rows) <= set("123456789/")
    assert (side, passes) == ("A", "0")
    assert (start.turn, start.turns) == (WHITE, 0)


def test_the_seed_decides_the_digits():
    assert Mushroom().start(1) == Mushroom().start(1) != Mushroom().start(2)


def test_every_digit_is_as_likely_as_the_others():
    cells = "".join(Mushroom().start(seed).text for seed in range(60))
    assert all(1000 < cells.count(digit) < 1270 for digit in "123456789")


def test_a_random_board_has_about_the_known_number_of_rectangles():
    counts = [len(Mushroom().start(seed).legal_moves) - 1 for seed in range(60)]
    assert 50 < statistics.mean(counts) < 58


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["191"], ["0 0 0 1", "0 1 0 2"]),
        (["12", "34"], ["0 0 1 1"]),
        (["55", "55"], ["0 0 0 1", "0 0 1 0", "0 1 1 1", "1 0 1 1"]),
        (["1", "2", "3", "4"], ["0 0 3 0"]),
        (["11", "11"], []),
        (["9"], []),
        (["99", "99"], []),
    ],
)
def test_a_rectangle_sums_to_ten(rows, expected):
    assert rectangles(*rows) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["4A6"], ["0 0 0 2"]),
        (["4AB6"], ["0 0 0 3"]),
        (["A55"], ["0 1 0 2"]),
        (["55A"], ["0 0 0 1"]),
        (["AA", "55"], ["1 0 1 1"]),
        (["55", "BB"], ["0 0 0 1"]),
        (["A5", "5B"], ["0 0 1 1"]),
        (["AA5", "BBB", "5AA"], ["0 0 2 2"]),
        (["A1A", "3A4", "A2A"], ["0 0 2 2"]),
        (["AAA", "A5A", "A5A"], ["1 1 2 1"]),
        (["AB"], []),
    ],
)
def test_owned_cells_count_nothing_and_each_side_needs_a_digit(rows, expected):
    assert rectangles(*rows) == expected


def test_a_rectangle_that_sums_to_ten_with_an_empty_side_is_refused():
    state = position("A55")
    with pytest.raises(IllegalMove):
        state.forward("0 0 0 2")
    with pytest.raises(IllegalMove):
        state.parse("0 0 0 2")


def test_all_cells_of_a_rectangle_become_the_movers():
    assert after(position("123", "346", "777"), "0 0 1 1").text == "AA3/AA6/777 B 0"
    assert after(position("123", "346", "777", side="B"), "0 0 1 1").text == "BB3/BB6/777 A 0"


def test_cells_of_the_opponent_are_stolen():
    state = after(position("1A9", "AAA", "5B5", side="B"), "2 0 2 2")
    assert state.text == "1A9/AAA/BBB A 0"
    state = after(position("1A9", "AAA", "5B5", side="B"), "0 0 0 2")
    assert state.text == "BBB/AAA/5B5 A 0"
    assert state.adjudicate() == Ending(BLACK, "adjudication", Margin(3, 4, "cells"))


def test_moves_may_overlap_what_was_taken_before():
    state = after(position("28", "46"), "0 0 0 1")
    assert state.legal_moves == ("1 0 1 1", PASS)
    state = after(position("282", "464"), "0 0 0 1", "1 0 1 1")
    assert state.text == "AA2/BB4 A 0"


def test_moves_are_ordered_by_their_numbers():
    moves = Mushroom().start(3).legal_moves
    numbers = [tuple(map(int, move.split())) for move in moves[:-1]]
    assert numbers == sorted(numbers)
    assert any(number > 9 for corners in numbers for number in corners)


def fits(rows, top, left, bottom, right):
    """The rule, word by word."""
    cells = {(r, c): int(rows[r][c]) if rows[r][c].isdigit() else 0
             for r in range(top, bottom + 1) for c in range(left, right + 1)}  # fmt: skip
    return (
        sum(cells.values()) == 10
        and any(value for (r, _), value in cells.items() if r == top)
        and any(value for (r, _), value in cells.items() if r == bottom)
        and any(value for (_, c), value in cells.items() if c == left)
        and any(value for (_, c), value in cells.items() if c == right)
    )


def naive(rows):
    return [
        f"{top} {left} {bottom} {right}"
        for top in range(len(rows))
        for left in range(len(rows[0]))
        for bottom in range(top, len(rows))
        for right in range(left, len(rows[0]))
        if fits(rows, top, left, bottom, right)
    ]


@pytest.mark.parametrize("owned", [0, 5, 20, 100])
def test_no_rectangle_is_missed_and_none_is_invented_on_small_boards(owned):
    rng = random.Random(owned)
    for _ in range(100):
        height, width = rng.randint(1, 6), rng.randint(1, 6)
        rows = ["".join(rng.choices("123456789" + "AB" * owned, k=width)) for _ in range(height)]
        assert rectangles(*rows) == naive(rows), rows


def test_no_rectangle_is_missed_and_none_is_invented_in_a_game(walk):
    states = list(walk(Mushroom(), 4))
    for state in states[:-1:10]:
        assert list(state.legal_moves[:-1]) == naive(state.rows), state.text


def test_exactly_the_listed_moves_are_accepted():
    rng = random.Random(6)
    state = position(*("".join(rng.choices("12345AB", k=6)) for _ in range(5)))
    texts = [f"{a} {b} {c} {d}" for a in range(6) for b in range(7) for c in range(6) for d in range(7)]
    assert [text for text in texts if state._allows(text)] == list(state.legal_moves[:-1])


def test_passing_is_always_legal():
    assert position("55").legal_moves == ("0 0 0 1", PASS)
    assert position("AB").legal_moves == (PASS,)


def test_two_passes_in_a_row_end_the_game():
    state = after(position("55A"), PASS)
    assert (state.text, state.turn, state.turns, state.ending) == ("55A B 1", BLACK, 1, None)
    over = after(state, PASS)
    assert over.ending == over.adjudicate() == Ending(WHITE, "passes", Margin(1, 0, "cells"))
    assert over.is_game_over()
    assert over.legal_moves == ()
    for move in (PASS, "0 0 0 1"):
        with pytest.raises(IllegalMove):
            over.forward(move)
    assert position("55A", passes=2).ending == over.ending


def test_a_move_between_two_passes_lets_the_game_go_on():
    state = after(position("5537"), PASS, "0 0 0 1", PASS)
    assert (state.passes, state.ending) == (1, None)
    assert after(state, "0 2 0 3", PASS).ending is None


def test_having_no_rectangle_left_does_not_end_the_game():
    state = after(position("55"), "0 0 0 1")
    assert (state.ending, state.legal_moves) == (None, (PASS,))
    assert after(state, PASS, PASS).ending == Ending(WHITE, "passes", Margin(2, 0, "cells"))


@pytest.mark.parametrize(
    ("row", "ending"),
    [
        ("AAB", Ending(WHITE, "passes", Margin(2, 1, "cells"))),
        ("ABB", Ending(BLACK, "passes", Margin(1, 2, "cells"))),
        ("A9B", Ending(None, "passes", Margin(1, 1, "cells"))),
    ],
)
def test_more_cells_win(row, ending):
    assert after(position(row), PASS, PASS).ending == ending


def test_a_game_that_must_stop_is_decided_by_cells():
    assert position("AAB5").adjudicate() == Ending(WHITE, "adjudication", Margin(2, 1, "cells"))


@pytest.mark.parametrize(
    "text",
    [
        "", "pass", "0 0 0", "0 0 0 1 ", " 0 0 0 1", "0  0 0 1", "00 0 0 1", "0,0,0,1", "0 1 0 0", "0 0 0 2",
        "-1 -1 -1", "0 0 1 1", "0 0 0 99", "0 0 0 \u0661", "0 0 0 1\n",
    ],
)  # fmt: skip
def test_a_text_that_is_not_a_legal_move_is_refused(text):
    state = position("55")
    assert "0 0 0 1" in state.legal_moves
    with pytest.raises(IllegalMove):
        state.parse(text)


@pytest.mark.parametrize("thing", [None, 0, (0, 0, 0, 1), ["0 0 0 1"], b"0 0 0 1", object()])
def test_forward_refuses_anything_that_is_not_a_legal_move(thing):
    with pytest.raises(IllegalMove):
        position("55").forward(thing)


def test_the_board_is_drawn_with_its_coordinates():
    assert str(position("12A", "B45")).splitlines() == ["  0 1 2", "0 1 2 A", "1 B 4 5"]
    assert str(Mushroom().start()).splitlines()[0] == "   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16"


def test_states_are_values():
    state = after(position("55", "19"), "0 0 0 1")
    assert state == after(position("55", "19"), "0 0 0 1")
    assert len({state, copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))}) == 1


def test_the_usual_budget_is_ten_seconds():
    game = games.load("mushroom")
    assert (game.first, game.seconds, game.parameters) == (WHITE, 10, {"rows": 10, "columns": 17})


@pytest.mark.parametrize("text", ["rows=0", "columns=31", "rows=many", "columns=2.5"])
def test_a_board_of_another_shape_is_refused_with_a_reason(text):
    with pytest.raises(UnknownGame, match=r"mushroom: (rows|columns) is a whole number from 1 to 30"):
        games.load(f"mushroom:{text}")


@pytest.mark.parametrize("text", ["rows=1,columns=1", "rows=1,columns=9", "rows=4,columns=3"])
def test_small_boards_keep_the_contract(text):
    check(games.load(f"mushroom:{text}"), games=5)


def test_the_picture_shows_digits_and_owners_and_marks_the_last_move():
    svg = after(position("12A", "34B"), "0 0 1 1").svg("0 0 1 1")
    assert svg.count('href="#arena-first"') == 5
    assert svg.count('href="#arena-second"') == 1
    assert svg.count('class="last"') == 4
    assert 'class="last"' not in position("12A").svg(PASS)
    assert position("12A").svg().count("<text") == 2 + 3 + 1
