"""The inputs of the learned value: the same natively and in Python, and the same for both colours."""

import random

import pytest

import games
from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from agents.self_learning.value_features import feature_set
from games.base import BLACK, WHITE

GAMES = ["chess", "chess:turns=60", "microchess", "microchess:turns=0", "othello", "gomoku", "gomoku:size=6"]


def native(state, weights=b""):
    position = knowledge_of(state).native_position(state)
    module = extension("agents.self_learning._value")
    searcher = module.Searcher(position.game, weights, **position.parameters)
    searcher.set(position.text, position.moves)
    return searcher


def played(name, moves):
    state = games.load(name).start()
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_the_native_features_are_those_of_the_specification(name, states):
    for state in states(name, 120, 5):
        features, searcher = feature_set(state), native(state)
        assert list(searcher.features) == features.active(state)
        assert searcher.sizes[0] == features.size
        assert len(searcher.features) <= features.most_active


def test_the_most_active_features_fit_into_a_row():
    for name in GAMES:
        start = games.load(name).start()
        assert native(start).sizes == (feature_set(start).size, feature_set(start).most_active)


def test_other_games_have_no_features(tic_tac_toe):
    assert feature_set(games.load("go").start()) is None
    assert feature_set(tic_tac_toe.start()) is None


def test_repetitions_are_features():
    back_and_forth = "c1a2 b5d4 a2c1 d4b5"
    found = [set(feature_set(state).active(state)) for state in (
        played("microchess", " ".join([back_and_forth] * times)) for times in range(4)
    )]  # fmt: skip
    pieces, repeated = 240, {242, 243, 244}
    assert [sorted(active & repeated) for active in found] == [[], [242], [242, 243], [242, 243, 244]]
    assert len({frozenset(feature for feature in active if feature < pieces) for active in found}) == 1


# What a position is worth at the end by the rules of the competition: the text, the moves, and who won.
ENDINGS = [
    ("k3/1Q2/1K2/4/4 b - - 0 10", "", WHITE),  # checkmate
    ("4/4/1k2/1q2/K3 w - - 0 10", "", BLACK),
    ("k3/2Q1/1K2/4/4 b - - 0 10", "", WHITE),  # stalemate with a lead is a win
    ("4/4/2k1/1q2/3K w - - 0 10", "", BLACK),
    ("4/4/2k1/q3/3K w - - 0 10", "", None),  # not over: the king may go to c1
    ("k3/4/4/4/3K w - - 0 10", "", None),  # insufficient material, level
    ("k3/4/4/4/2BK w - - 0 10", "", WHITE),  # insufficient material with a lead
    ("kn2/4/4/4/3K b - - 0 10", "", BLACK),
    ("kr2/4/4/4/2RK w - - 50 30", "", None),  # fifty turns, level
    ("kr2/4/4/P3/2RK w - - 50 30", "", WHITE),
    ("kr2/p3/4/4/2RK b - - 50 30", "", BLACK),
    ("kr2/4/4/P3/2RK w - - 0 41", "", WHITE),  # turn 80
    ("kr2/4/4/4/2RK w - - 0 41", "", None),
    ("k3/1Q2/1K2/4/4 b - - 0 40", "", WHITE),  # mate on turn 79
    ("krn1/4/4/4/2RK w - - 0 41", "", BLACK),  # turn 80 with a lead
    ("knbr/p3/4/3P/RBNK w Qk - 0 1", " ".join(["c1a2 b5d4 a2c1 d4b5"] * 4), None),  # repetition, level
]


@pytest.mark.parametrize(("text", "moves", "winner"), ENDINGS)
def test_pitfall_04_the_learned_value_is_asked_only_where_the_game_goes_on(text, moves, winner, value_weights):
    state = games.load("microchess").position(text)
    for move in moves.split():
        state = state.forward(state.parse(move))
    searcher = native(state, value_weights("microchess", 286).to_bytes())
    assert (searcher.features == ()) == state.is_game_over()
    if state.is_game_over():
        assert state.ending.winner == winner
        with pytest.raises(ValueError, match="the game is over"):
            searcher.alphabeta(nodes=100)


def test_pitfall_04_the_end_is_found_in_every_state_of_random_games():
    rng = random.Random(8)
    for name in ("microchess", "othello", "gomoku:size=5"):
        for _ in range(12):
            state = games.load(name).start()
            while not state.is_game_over():
                # An empty board of Gomoku has no features either.
                assert native(state).features or not state.turns
                state = state.forward(rng.choice(list(state.legal_moves)))
            assert native(state).features == ()


def test_pitfall_06_positions_with_other_inputs_have_other_keys():
    rng, seen = random.Random(4), {}
    for _ in range(40):
        state = games.load("microchess").start()
        while not state.is_game_over():
            searcher = native(state)
            assert seen.setdefault((searcher.key, state.turn), searcher.features) == searcher.features
            quiet = [move for move in state.legal_moves if not state.is_capture(move)]
            state = state.forward(rng.choice(quiet or list(state.legal_moves)))
    assert len(seen) > 1000


def test_pitfall_06_repetition_and_turns_left_are_part_of_the_key():
    back_and_forth = "c1a2 b5d4 a2c1 d4b5"
    texts = {}
    for times in range(4):
        state = played("microchess", " ".join([back_and_forth] * times))
        texts[native(state).key] = state.text.split()[0]
    assert len(texts) == 4
    assert len(set(texts.values())) == 1


def turned(state):
    """The state with the colours exchanged and the board turned by 180 degrees."""
    board, side, rights, rest, clock, number = state.text.split()
    board = board[::-1].swapcase()
    rights = "".join(sorted({"Q": "k", "k": "Q"}.get(letter, "") for letter in rights)) or "-"
    number = int(number) + (side == "b")
    text = f"{board} {'b' if side == 'w' else 'w'} {rights} {rest} {clock} {number}"
    # The turned state is one turn later, and so is the end of its game.
    return games.load(f"microchess:turns={state.turn_limit + 1}").position(text)


def test_pitfall_08_a_turned_position_has_the_same_features(states, value_weights):
    weights = value_weights("microchess", 286).to_bytes()
    castling = 0
    for text in (state.text for state in states("microchess", 150, 9)):
        state = games.load("microchess").position(text)
        one, other = native(state, weights), native(turned(state), weights)
        assert one.features == other.features
        assert one.value == other.value
        castling += bool({240, 241} & set(one.features))
    assert castling > 5


def test_pitfall_08_colours_exchanged_have_the_same_features_in_othello_and_gomoku(states):
    for name in ("othello", "gomoku:size=7"):
        for state in states(name, 60, 2):
            other = games.load(name).position(state.text.translate(str.maketrans("XO", "OX")))
            assert native(other).features == native(state).features


def test_symmetries_turn_stones_and_leave_the_rest(states):
    for name in ("othello", "gomoku:size=7"):
        for state in states(name, 30, 6):
            features = feature_set(state)
            active = features.active(state)
            found = [sorted(table[feature] for feature in active) for table in features.symmetries]
            assert found[0] == active
            assert features.active(rotated(name, state)) in found
            assert all(sorted(table) == list(range(features.size + 1)) for table in features.symmetries)
            assert len({tuple(table) for table in features.symmetries}) == 8


def rotated(name, state):
    """The state on a board turned by 90 degrees."""
    board, side = state.text.split()
    rows = board.split("/") if "/" in board else [board[row : row + 8] for row in range(0, 64, 8)]
    lines = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    return games.load(name).position(("/" if "/" in board else "").join(lines) + f" {side}")
