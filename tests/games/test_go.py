"""Go: captures, suicide, ko and superko, area, and counts that are known from elsewhere."""

import copy
import itertools
import pickle

import pytest

import games
from games._grid import grid
from games.base import BLACK, WHITE, Ending, Margin
from games.contract import check
from games.errors import BadPosition, IllegalMove, UnknownGame
from games.go import Go, GoState, LiveState

EMPTY = "...../...../...../...../....."
KO = [".....", ".XO..", "XO.O.", ".XO..", "....."]


def position(*rows, side="X", size=5, komi=7, suicide="yes"):
    """The lower rows of a board; those above are empty."""
    rows = [*["." * size] * (size - len(rows)), *(row.ljust(size, ".") for row in rows)]
    return Go(size=size, komi=komi, suicide=suicide).position(f"{'/'.join(rows)} {side} 0")


def rectangle(rows, columns, form=GoState):
    return form.read("/".join(["." * columns] * rows) + " X 0", grid(rows, columns), komi=0, suicide=True)


def after(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


def rows(state):
    return state.text.split()[0].split("/")


def test_the_start_position():
    start = Go().start()
    assert start.text == "/".join(["." * 9] * 9) + " X 0"
    assert (start.turn, start.turns) == (BLACK, 0)
    assert len(start.legal_moves) == 82


def test_moves_go_row_by_row_from_the_top_left_and_the_pass_is_last():
    moves = Go().start().legal_moves
    assert moves[:10] == ("A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "J9", "A8")
    assert moves[-2:] == ("J1", "pass")


def test_there_is_no_column_i():
    moves = Go(size=19).start().legal_moves
    assert len(moves) == 362
    assert {moves[0], moves[18], moves[360]} == {"A19", "T19", "T1"}
    assert not [move for move in moves if move.startswith("I")]


def test_rows_are_numbered_from_below_and_written_from_above():
    assert rows(after(Go(size=5).start(), "A1 E4")) == [".....", "....O", ".....", ".....", "X...."]


def test_the_board_is_drawn_with_its_coordinates():
    assert str(after(Go(size=5).start(), "A1 E4")).splitlines() == [
        "5 . . . . .",
        "4 . . . . O",
        "3 . . . . .",
        "2 . . . . .",
        "1 X . . . .",
        "  A B C D E",
    ]
    assert str(Go(size=10).start()).splitlines()[-2:] == [" 1 . . . . . . . . . .", "   A B C D E F G H J K"]


CAPTURES = {
    "in the middle": (["..X..", ".XO..", "..X..", "....."], "D3", ["..X..", ".X.X.", "..X..", "....."]),
    "in the corner": (["X....", "O...."], "B1", ["X....", ".X..."]),
    "at the edge": (["X....", "OX...", "....."], "A1", ["X....", ".X...", "X...."]),
    "a group": (["XXX..", "OOO.."], "D1", ["XXX..", "...X."]),
    "two groups at once": (["X.X..", "O.OX."], "B1", ["X.X..", ".X.X."]),
    "by a stone without a liberty": (["OX...", ".OX.."], "A1", ["OX...", "X.X.."]),
}


@pytest.mark.parametrize(("before", "move", "expected"), CAPTURES.values(), ids=CAPTURES)
def test_stones_without_a_liberty_are_captured(before, move, expected):
    assert rows(after(position(*before), move))[-len(expected) :] == expected


@pytest.mark.parametrize(("before", "move", "expected"), CAPTURES.values(), ids=CAPTURES)
def test_white_captures_as_black_does(before, move, expected):
    swap = str.maketrans("XO", "OX")
    state = position(*(row.translate(swap) for row in before), side="O")
    assert rows(after(state, move))[-len(expected) :] == [row.translate(swap) for row in expected]


def test_a_group_with_a_liberty_stays():
    assert rows(after(position("XXX..", "OOO..", side="X"), "E1"))[-2:] == ["XXX..", "OOO.X"]


def test_a_snapback_captures_more_stones_than_it_gives():
    state = position("OOOO.", "XXXO.", "..OO.", side="O")
    state = after(state, "A1 B1")
    assert rows(state)[-3:] == ["OOOO.", "XXXO.", ".XOO."]
    assert rows(after(state, "A1"))[-3:] == ["OOOO.", "...O.", "O.OO."]


@pytest.mark.parametrize("before", [("OO...", "X.O.."), ("OOO..", "X.XO."), ("O....", ".O...")])
def test_suicide_is_not_legal_unless_the_game_allows_it(before):
    assert Go().parameters["suicide"] == "no"
    forbidding, allowing = position(*before, suicide="no"), position(*before)
    point = "A1" if before[0] == "O...." else "B1"
    assert point not in forbidding.legal_moves
    with pytest.raises(IllegalMove):
        forbidding.forward(point)
    with pytest.raises(IllegalMove):
        forbidding.parse(point)
    changes = point != "A1"  # a single stone that kills itself repeats the board
    assert set(allowing.legal_moves) - set(forbidding.legal_moves) == ({point} if changes else set())


def test_a_stone_that_captures_is_not_suicide():
    state = position("OX...", ".OX..", suicide="no")
    assert rows(after(state, "A1"))[-2:] == ["OX...", "X.X.."]


def test_a_group_may_kill_itself_where_suicide_is_legal():
    state = after(position("OO...", "X.O.."), "B1")
    assert rows(state)[-2:] == ["OO...", "..O.."]
    assert state.turn == WHITE


def test_several_groups_may_kill_themselves_at_once():
    assert rows(after(position("OOO..", "X.XO."), "B1"))[-2:] == ["OOO..", "...O."]


def test_a_single_stone_may_not_kill_itself_because_nothing_would_change():
    state = position("O....", ".O...")
    assert "A1" not in state.legal_moves
    with pytest.raises(IllegalMove):
        state.forward("A1")
    assert "A1" in position("O....", ".O...", side="O").legal_moves


def test_a_ko_is_not_retaken_at_once():
    taken = after(position(*KO), "C3")
    assert rows(taken) == [".....", ".XO..", "X.XO.", ".XO..", "....."]
    assert "B3" not in taken.legal_moves
    with pytest.raises(IllegalMove):
        taken.forward("B3")


def test_a_ko_is_retaken_once_the_board_has_changed():
    state = after(position(*KO), "C3 E5 E1 B3")
    assert rows(state) == ["....O", ".XO..", "XO.O.", ".XO..", "....X"]
    assert "C3" not in state.legal_moves


def test_sending_two_and_returning_one_repeats_the_board():
    state = after(position("OOX..", ".X.X."), "A1 C1")
    assert rows(state)[-2:] == ["OOX..", "..OX."]
    # Black moved in the repeated board, and White would: superko compares the stones alone.
    assert "B1" not in state.legal_moves
    assert "B1" in Go(size=5, suicide="yes").position(state.text).legal_moves


def test_the_sixth_move_of_a_triple_ko_repeats_the_board():
    ko = [".XO", "XO.O", ".XO"]
    held = [".XO", "X.XO", ".XO"]
    state = after(position(*ko, *ko, *held, size=9), "C8 B2 C5 B8 C2")
    assert rows(state) == [row.ljust(9, ".") for row in [*ko, *held, *held]]
    assert "B5" not in state.legal_moves
    assert "B5" in Go().position(state.text).legal_moves


def test_a_position_text_does_not_hold_earlier_boards():
    taken = after(position(*KO), "C3")
    assert set(Go(size=5).position(taken.text).legal_moves) - set(taken.legal_moves) == {"B3"}


def test_two_passes_in_a_row_end_the_game():
    state = after(Go(size=5).start(), "C3 pass")
    assert (state.text, state.ending) == ("...../...../..X../...../..... X 1", None)
    over = after(state, "pass")
    assert over.ending == over.adjudicate() == Ending(BLACK, "passes", Margin(25, 7, "points"))
    assert over.is_game_over()
    assert over.legal_moves == ()
    assert Go(size=5).position(over.text).ending == over.ending
    for move in ("pass", "A1"):
        with pytest.raises(IllegalMove):
            over.forward(move)


def test_a_stone_between_two_passes_lets_the_game_go_on():
    state = after(Go(size=5).start(), "pass A1 pass")
    assert (state.passes, state.turns, state.ending) == (1, 3, None)
    assert after(state, "B1").passes == 0


AREAS = {
    "nothing": ([EMPTY], 7, Ending(WHITE, "passes", Margin(0, 7, "points"))),
    "nothing to nothing": ([EMPTY], 0, Ending(None, "passes", Margin(0, 0, "points"))),
    "territory and neutral points": (["..X.O"] * 5, 7, Ending(BLACK, "passes", Margin(15, 12, "points"))),
    "a draw by komi": (["..X.O"] * 5, 10, Ending(None, "passes", Margin(15, 15, "points"))),
    "half a point": (["..X.O"] * 5, 9.5, Ending(BLACK, "passes", Margin(15, 14.5, "points"))),
    "half a point more": (["..X.O"] * 5, 10.5, Ending(WHITE, "passes", Margin(15, 15.5, "points"))),
    "komi for Black": (["O....", ".....", "X...."], -1, Ending(BLACK, "passes", Margin(1, 0, "points"))),
    "one stone owns all": (["....O"], 7, Ending(WHITE, "passes", Margin(0, 32, "points"))),
    "stones that look dead count": (
        ["O....", ".....", "XXXXX", ".....", "OOOOO"], 0, Ending(WHITE, "passes", Margin(5, 6, "points"))
    ),
}  # fmt: skip


@pytest.mark.parametrize(("board", "komi", "ending"), AREAS.values(), ids=AREAS)
def test_area_and_komi_decide(board, komi, ending):
    state = position(*"/".join(board).split("/"), komi=komi)
    assert after(state, "pass pass").ending == ending
    assert state.adjudicate() == Ending(ending.winner, "adjudication", ending.margin)


def test_the_turn_limit_ends_the_game_by_area():
    state = after(Go(size=5, turns=3).start(), "C3 pass A1")
    assert state.ending == Ending(BLACK, "turn-limit", Margin(25, 7, "points"))
    assert state.legal_moves == ()
    assert after(Go(size=5, turns=3).start(), "C3 pass pass").ending.reason == "passes"


COUNTS = {(1, 1): 1, (1, 2): 5, (1, 3): 15, (1, 4): 41, (2, 2): 57, (2, 3): 489, (2, 4): 4125, (3, 3): 12675}


def readable(text, shape):
    try:
        GoState.read(f"{text} X 0", grid(*shape), komi=0)
    except BadPosition:
        return False
    return True


@pytest.mark.parametrize(("shape", "count"), COUNTS.items(), ids=str)
def test_the_number_of_legal_positions_is_the_known_one(shape, count):
    lines = ["".join(cells) for cells in itertools.product(".XO", repeat=shape[1])]
    boards = itertools.product(lines, repeat=shape[0])
    assert sum(readable("/".join(board), shape) for board in boards) == count


def followers(state):
    """The boards after one more stone of either side, which the other side's pass makes possible."""
    sides = (state, state.forward("pass"))
    placed = [side.forward(move) for side in sides for move in side.legal_moves if move != "pass"]
    return {after.stones: after for after in placed}


@pytest.mark.parametrize("shape", [shape for shape in COUNTS if shape[0] * shape[1] < 8], ids=str)
@pytest.mark.parametrize("form", [GoState, LiveState])
def test_every_legal_position_can_be_reached(form, shape):
    found = {(start := rectangle(*shape, form)).stones}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        forgetful = form.read(f"{state.text.split()[0]} X 0", state.board, komi=0, suicide=True)
        fresh = {stones: after for stones, after in followers(forgetful).items() if stones not in found}
        found |= fresh.keys()
        waiting += fresh.values()
    assert len(found) == COUNTS[shape]


def paths(state):
    return 1 + sum(paths(after) for after in followers(state).values())


@pytest.mark.parametrize(("shape", "count"), [((1, 1), 1), ((1, 2), 9), ((1, 3), 907)], ids=str)
@pytest.mark.parametrize("form", [GoState, LiveState])
def test_the_number_of_board_sequences_is_the_known_one(form, shape, count):
    assert paths(rectangle(*shape, form)) == count


def test_lower_case_is_read_and_upper_case_written():
    assert Go().start().parse("d4") == "D4"
    assert Go().start().parse("PASS") == Go().start().parse("Pass") == "pass"


def test_every_text_of_a_game_is_read_back(walk):
    for state in walk(Go(size=5), 9):
        again = Go(size=5).position(state.text)
        assert (again.text, again.turn, again.passes, again.stones) == (
            state.text,
            state.turn,
            state.passes,
            state.stones,
        )
        assert again.adjudicate().detail == state.adjudicate().detail


def test_states_are_values_and_their_history_is_part_of_them():
    state = after(Go(size=5).start(), "C3 D3")
    assert state == after(Go(size=5).start(), "C3 D3")
    assert len({state, copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))}) == 1
    assert after(Go(size=5).start(), "A1 B1 C1 D1") != after(Go(size=5).start(), "C1 B1 A1 D1")


def test_the_parameters_of_the_game():
    game = games.load("go:size=13,komi=5.5")
    assert (game.first, game.seconds) == (BLACK, 400)
    assert game.parameters == {"size": 13, "komi": 5.5, "turns": 0, "suicide": "no"}
    assert games.load("go:suicide=yes").start().suicide
    assert game.version == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size=0", "size is a whole number from 1 to 19, not 0"),
        ("size=20", "size is a whole number"),
        ("size=big", "size is a whole number"),
        ("komi=much", "komi is a number from -400 to 400, not 'much'"),
        ("komi=nan", "komi is a number"),
        ("komi=inf", "komi is a number"),
        ("turns=-1", "turns is a whole number"),
        ("rows=3", "'rows'"),
        ("suicide=maybe", "suicide is yes or no, not 'maybe'"),
    ],
)
def test_a_bad_parameter_is_refused_with_a_reason(text, words):
    with pytest.raises(UnknownGame, match=f"^go.*{words}"):
        games.load(f"go:{text}")


@pytest.mark.parametrize("text", ["size=1", "size=2", "size=5,komi=0.5", "size=5,turns=9", "size=3,suicide=yes"])
def test_other_boards_keep_the_contract(text):
    check(games.load(f"go:{text}"), games=3)


def test_the_picture_has_a_stone_for_each_stone_and_marks_the_last_move():
    svg = after(Go(size=5).start(), "A1 E4").svg("A1")
    assert svg.count("<use") == 2
    assert svg.count('class="last"') == 1
    assert 'class="last" cx="22.5" cy="202.5"' in svg
    assert 'class="last"' not in Go().start().svg("pass")
    assert svg.count("<text") == 10
