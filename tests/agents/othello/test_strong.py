"""The strong search: patterns, the search over them, and the exact solver."""

import random

import pytest

from agents.othello import _native
from agents.othello.classic import DISCS, empty_squares
from agents.othello.patterns import DISC, INSTANCES, PATTERNS, PHASES, Weights, bundled, packed, phase, unpacked
from agents.othello.strong import Found, PythonPatternSearch, lead
from games.base import BLACK
from games.othello import START, Othello

INFINITY = float("inf")
WEIGHTS = Weights(bundled())

#: Endings that many programs were measured by: position, best move, lead of the side to move.
KNOWN = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", "a2", 38),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", "g2", 6),
]


@pytest.fixture
def strong():
    return _native.Strong(bundled())


def found(answer):
    return Found(*answer)


def in_full(state):
    """The lead after best play, by a search that leaves out nothing."""
    return _native.minimax(state.text, DISCS.weights, depth=2 * empty_squares(state))[1]


def turned(state, way):
    """The position turned or mirrored in one of eight ways."""
    cells = [state.text[8 * row : 8 * row + 8] for row in range(8)]
    if way & 1:
        cells = [row[::-1] for row in cells]
    if way & 2:
        cells = cells[::-1]
    if way & 4:
        cells = ["".join(column) for column in zip(*cells, strict=True)]
    return Othello().position("".join(cells) + state.text[64:])


def test_the_patterns_lie_on_the_board_in_every_way_once():
    assert len(INSTANCES) == 38
    assert len({frozenset(instance.squares) for instance in INSTANCES}) == 38
    counts = [sum(instance.pattern == index for instance in INSTANCES) for index in range(len(PATTERNS))]
    assert counts == [4, 4, 4, 4, 4, 2, 4, 4, 4, 4]


@pytest.mark.parametrize("pattern", PATTERNS[1:], ids=lambda pattern: pattern.name)
def test_a_mirror_image_of_a_mirror_image_is_the_pattern_and_both_share_a_weight(pattern):
    ranks = pattern.ranks()
    for number in range(0, pattern.numbers, 7):
        assert pattern.mirrored(pattern.mirrored(number)) == number
        assert ranks[number] == ranks[pattern.mirrored(number)]
    assert set(ranks) == set(range(max(ranks) + 1))


def test_the_weights_are_small_and_survive_their_packing():
    assert len(packed(bundled())) < 200_000
    assert unpacked(packed([-128, -1, 0, 127])) == bytes([128, 255, 0, 127])
    with pytest.raises(ValueError, match="there must be 329033 weights, not 3"):
        Weights(b"123")
    with pytest.raises(ValueError, match="there must be 329033 weights"):
        _native.Strong(b"123")


def test_phases_are_ten_discs_long():
    assert [phase(discs) for discs in (4, 13, 14, 53, 54, 64)] == [0, 0, 1, 4, 5, PHASES - 1]


def test_both_forms_give_a_position_the_same_value(strong, positions):
    for state in [Othello().start(), *positions(150, seed=1)]:
        assert WEIGHTS.value(state) == strong.value(state.text)


def test_both_forms_agree_on_any_weights(positions):
    rng = random.Random(5)
    stored = rng.randbytes(329033)
    plain, native = Weights(stored), _native.Strong(stored)
    for state in positions(60, seed=2):
        assert plain.value(state) == native.value(state.text)


def test_a_value_does_not_depend_on_how_the_board_is_turned_nor_on_the_names_of_the_colours(strong, positions):
    for state in positions(20, seed=3):
        value = strong.value(state.text)
        assert {strong.value(turned(state, way).text) for way in range(8)} == {value}
        assert strong.value(state.text.translate(str.maketrans("XO", "OX"))) == value


def test_a_side_without_discs_has_lost(strong):
    nothing = "X" * 5 + "-" * 59
    assert (strong.value(nothing + " X"), strong.value(nothing + " O")) == (64 * DISC, -64 * DISC)
    assert WEIGHTS.value(Othello().position(nothing + " O")) == -64 * DISC


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_without_selection_the_native_search_finds_the_value_of_a_full_one(strong, depth, positions):
    for state in positions(6 if depth == 3 else 12, seed=10 + depth):
        plain = PythonPatternSearch(WEIGHTS).find(state, seconds=INFINITY, depth=depth, solve=0)
        native = found(strong.search(state.text, depth=depth, selective=False))
        assert (native.score, native.depth, native.exact) == (plain.score, plain.depth, plain.exact)


def test_the_table_does_not_change_the_value_of_a_search_without_selection(strong, positions):
    for state in positions(10, seed=4):
        deep = strong.search(state.text, depth=6, selective=False)[1]
        strong.search(state.text, depth=7)
        assert strong.search(state.text, depth=6, selective=False)[1] == deep
        strong.forget()
        assert strong.search(state.text, depth=6, selective=False)[1] == deep


def test_the_solver_finds_what_a_full_search_finds(strong, positions):
    for state in positions(50, seed=5, empties=range(8, 11)):
        assert strong.solve(state.text)[0] == in_full(state)


def test_the_search_to_the_end_finds_a_best_move(strong, positions):
    for state in positions(40, seed=6, empties=range(1, 10)):
        answer = found(strong.search(state.text, solve=20))
        assert answer.won_lost
        assert answer.exact
        assert answer.score == DISC * in_full(state)
        after = state.forward(answer.move)
        assert (lead(after) if after.is_game_over() else strong.solve(after.text)[0]) == -in_full(state)


def test_the_solver_in_python_agrees(strong, positions):
    plain = PythonPatternSearch(WEIGHTS)
    for state in positions(12, seed=7, empties=range(4, 8)):
        assert plain.solve(state) == strong.solve(state.text)[0]
        answer = plain.find(state, seconds=INFINITY, depth=60, solve=8)
        assert (answer.score, answer.exact) == (DISC * plain.solve(state), True)


def test_an_ordinary_search_as_deep_as_the_game_is_exact_too(strong, positions):
    for state in positions(12, seed=8, empties=range(4, 10)):
        answer = found(strong.search(state.text, selective=False))
        assert (answer.exact, answer.score) == (True, DISC * in_full(state))


def test_fourteen_empty_squares_are_few(strong, positions):
    nodes = 0
    for state in positions(20, seed=9, empties=range(14, 15)):
        strong.forget()
        value, used = strong.solve(state.text)
        best = max(-strong.solve(state.forward(move).text)[0] for move in state.legal_moves)
        assert value == best
        nodes += used
    assert nodes / 20 < 1_000_000


def test_a_known_ending_is_solved(strong):
    text, move, value = KNOWN[0]
    answer = found(strong.search(text, solve=20))
    assert (answer.move, answer.score, answer.exact) == (move, DISC * value, True)


@pytest.mark.soak
@pytest.mark.parametrize(("text", "move", "value"), KNOWN[1:])
def test_longer_known_endings_are_solved(strong, text, move, value):
    answer = found(strong.search(text, solve=30))
    assert (answer.move, answer.score, answer.exact) == (move, DISC * value, True)


def test_forced_passes_and_finished_games_are_solved(strong):
    # White must pass; Black then takes c1.
    assert strong.solve("XO" + "-" * 62 + " O")[0] == -3
    assert strong.solve("XO" + "-" * 62 + " X")[0] == 3
    assert strong.solve("X" * 40 + "O" * 24 + " O")[0] == -16
    assert strong.solve("X" * 5 + "-" * 59 + " O")[0] == -5
    assert PythonPatternSearch(WEIGHTS).solve(Othello().position("XO" + "-" * 62 + " O")) == -3


def test_a_search_without_time_still_has_a_legal_move(strong, positions):
    for state in positions(20, seed=11):
        assert strong.search(state.text, seconds=0.0, solve=20)[0] in state.legal_moves
        assert strong.search(state.text, seconds=0.0, solve=0)[0] in state.legal_moves
    assert strong.solve(positions(1, seed=12, empties=range(30, 31))[0].text, seconds=0.0)[0] is None


def test_the_line_expected_is_legal(strong, positions):
    for state in positions(10, seed=13, empties=range(12, 50)):
        answer = found(strong.search(state.text, depth=8, solve=14))
        assert answer.line[0] == answer.move
        for move in answer.line:
            state = state.forward(move)


def test_it_first_finds_who_wins_and_then_by_how_much(positions, fake_clock):
    state = positions(1, seed=14, empties=range(6, 7))[0]
    whole = PythonPatternSearch(WEIGHTS).find(state, seconds=INFINITY, depth=60, solve=8)
    seen = set()
    for seconds in range(1, 4000, 40):
        answer = PythonPatternSearch(WEIGHTS, now=fake_clock(tick=1.0)).find(state, seconds=seconds, depth=60, solve=8)
        assert answer.move in state.legal_moves
        seen.add((answer.won_lost, answer.exact))
        if answer.won_lost:
            assert (answer.score > 0) == (whole.score > 0)
    assert seen >= {(False, False), (True, True)}


@pytest.mark.parametrize(
    ("arguments", "message"), [(("?",), "no position of Othello"), (("XO" + "-" * 62 + " O",), "no square to choose")]
)
def test_invalid_arguments_are_refused(strong, arguments, message):
    with pytest.raises(ValueError, match=message):
        strong.search(*arguments)


def test_the_side_to_move_is_the_one_that_leads():
    state = Othello().position(START).forward("d3")
    assert state.turn != BLACK
    assert lead(state) == -3
