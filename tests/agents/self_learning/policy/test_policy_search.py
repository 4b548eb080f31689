"""The search with a network: signs, virtual loss, endings, noise."""

import random

import pytest

import games
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings
from agents.self_learning.evaluators import NativeEvaluator
from agents.self_learning.network_search import NetworkPriors

MATES = [
    ("kn1r/p3/b3/2BP/R1NK b Qk - 3 2", "b5c3"),
    ("2b1/pkN1/3B/2nP/2RK w - - 1 6", "c1b1"),
]


@pytest.mark.parametrize(("text", "mate"), MATES)
def test_pitfall_01_a_mate_in_one_gets_the_visits_and_a_value_of_one_for_either_colour(tree, zero_network, text, mate):
    state = games.load("microchess").position(text)
    found = tree(state, zero_network()).run(2000)
    assert found.moves[mate].mean == 1.0
    assert found.moves[mate].visits > 0.9 * 2000
    assert found.value > 0.8
    mirrored = tree(state.mirror(), zero_network()).run(2000)
    visits = sorted(each.visits for each in found.moves.values())
    assert sorted(each.visits for each in mirrored.moves.values())[-1] > 0.9 * 2000
    assert len(visits) == len(mirrored.moves)


def test_pitfall_02_virtual_loss_is_taken_back(tree, random_network):
    state = games.load("microchess").start()
    found = tree(state, random_network()).run(500, leaves=8)
    visits, _depth, value, _line, moves = found.native.told()
    assert sum(move[1] for move in moves) == visits - 1
    assert -1 < value < 1
    assert all(-1 <= move[2] <= 1 for move in moves)
    # Nothing is pending any more: one leaf at a time now goes on as a search without virtual loss does.
    other = tree(state, random_network(), loss=0.0).run(500, leaves=8)
    assert found.native.told() != other.native.told()


def test_pitfall_02_with_one_leaf_at_a_time_virtual_loss_changes_nothing(tree, random_network):
    state = games.load("microchess").start()
    with_loss = tree(state, random_network(), loss=3.0).run(300)
    without = tree(state, random_network(), loss=0.0).run(300)
    assert with_loss.native.told() == without.native.told()


def play_on(state, turns: int, seed: int):
    rng = random.Random(seed)
    for _ in range(turns):
        if state.ending is None:
            state = state.forward(rng.choice(list(state.legal_moves)))
    return state


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("othello", None),
        ("go:size=5,turns=40", "X.X.X/.X.X./X.X.X/..O../O.... X 1"),
        ("mushroom:rows=4,columns=5", None),
        ("microchess", None),
        ("gomoku:size=7", None),
    ],
)
def test_pitfall_03_passes_and_turns_count_for_the_side_that_moves_as_in_the_python_search(
    tree, random_network, game, text
):
    rules = games.load(game)
    file = random_network(game, policy=0.0)
    for seed in range(4):
        state = rules.position(text) if text else play_on(rules.start(seed), 4 * seed + 30 * (game == "othello"), seed)
        if state.ending is not None or len(state.legal_moves) < 2:
            continue
        found = tree(state, file, fpu=0.0, c=1.5).run(120)
        twin = PythonPuct(NetworkPriors(NativeEvaluator(file)), PuctSettings(c=1.5, fpu=0.0))
        result = twin.run(state, simulations=120)
        assert [(each.move, each.visits) for each in result.moves] == [
            (each.move, each.visits) for each in found.moves.values()
        ]
        for one, other in zip(result.moves, found.moves.values(), strict=True):
            assert other.visits == 0 or one.mean == pytest.approx(other.mean, abs=1e-6)


def test_pitfall_03_a_forced_pass_keeps_the_sign(tree, zero_network):
    # Black has no square and must pass; White then takes Black's only disc. Two turns of White follow each other.
    rules, board = games.load("othello"), "OX" + 62 * "-"
    passing = rules.position(f"{board} X")
    assert list(map(str, passing.legal_moves)) == ["pass"]
    assert tree(passing, zero_network("othello")).run(50).value == pytest.approx(-1, abs=0.1)
    assert tree(rules.position(f"{board} O"), zero_network("othello")).run(50).value == pytest.approx(1, abs=0.1)


#: A position, the last move, why the game ends, and the points of the side that makes the move.
ENDINGS = [
    ("kn1r/p3/b3/2BP/R1NK b Qk - 3 2", "b5c3", "checkmate", 1.0),
    ("2b1/pkN1/3B/2nP/2RK w - - 1 6", "c1b1", "checkmate", 1.0),
    ("4/r3/2k1/4/3K b - - 48 40", "a4a1", "checkmate", 1.0),  # on turn 80
    ("4/k3/4/4/1K1Q b - - 49 36", "a4a3", "fifty-turns", 0.0),
    ("2kB/2n1/4/4/3K b - - 49 37", "c4a5", "fifty-turns", 0.5),
    ("4/1k2/2b1/2R1/1K1B w - - 49 36", "c2c1", "fifty-turns", 1.0),
    ("4/B2K/k3/1R2/4 b - - 8 18", "a3b2", "insufficient-material", 0.0),
    ("2k1/1R2/4/4/3K b - - 11 28", "c5b4", "insufficient-material", 0.5),
    ("4/1k2/3B/1K2/r3 w - - 40 39", "b2a1", "insufficient-material", 1.0),
    ("1k1K/3P/4/4/4 b - - 0 16", "b5b4", "stalemate", 0.0),
    ("2br/Rn1k/3B/N3/1K2 w - - 6 13", "d3b5", "stalemate", 0.5),
    ("2k1/4/3K/1b2/q3 b - - 1 24", "a1c1", "stalemate", 1.0),
    ("1k2/4/4/3R/3K b - - 6 40", "b5c4", "turn-limit", 0.0),
    ("4/N1K1/2b1/4/k3 b - - 48 40", "a1b1", "turn-limit", 0.5),
    ("4/rk2/4/4/3K b - - 35 40", "b4b3", "turn-limit", 1.0),
]


@pytest.mark.parametrize(("text", "move", "reason", "points"), ENDINGS)
def test_pitfall_04_endings_count_as_the_rules_say(tree, random_network, text, move, reason, points):
    state = games.load("microchess").position(text)
    after = state.forward(state.parse(move))
    assert (after.ending.reason, after.ending.points(state.turn)) == (reason, points)
    found = tree(state, random_network(policy=0.0), c=20.0).run(400).moves[move]
    assert found.visits > 0
    assert found.mean == 2 * points - 1


def test_pitfall_04_a_fifth_repetition_ends_the_game_in_the_tree(tree, random_network):
    state = games.load("microchess").start()
    for _ in range(4):
        for move in ("c1d3", "b5d4") if state.turns % 4 == 0 else ("d3c1", "d4b5"):
            state = state.forward(state.parse(move))
    loop = ["c1d3", "b5d4", "d3c1", "d4b5"]
    while state.ending is None:
        before, last = state, loop[state.turns % 4]
        state = state.forward(state.parse(last))
    assert (state.ending.reason, state.ending.winner) == ("repetition", None)
    assert tree(before, random_network(policy=0.0), c=20.0).run(400).moves[last].mean == 0.0


def test_pitfall_12_without_noise_two_searches_are_equal_whatever_the_seed(tree, random_network):
    state = games.load("microchess").start()
    one = tree(state, random_network(), seed=1).run(200)
    assert one.native.told() == tree(state, random_network(), seed=2).run(200).native.told()


def test_pitfall_12_noise_is_at_the_root_only_and_comes_again_when_the_tree_is_kept(tree, random_network):
    state = games.load("microchess").start()
    file = random_network()
    noisy = tree(state, file, epsilon=0.5, alpha=10.0, seed=3).run(300)
    plain = [each.prior for each in noisy.moves.values()]
    _target, priors = noisy.native.target()
    assert sum(priors) == pytest.approx(1)
    assert max(abs(one - other) for one, other in zip(plain, priors, strict=True)) > 0.01
    answers = {move: len(state.forward(state.parse(move)).legal_moves) for move in noisy.moves}
    best = max(noisy.moves.values(), key=lambda each: each.visits * (answers[each.move] > 1))
    after = state.forward(state.parse(best.move))
    noisy.game.set(after)
    assert noisy.native.told()[0] == best.visits  # the tree was kept
    below = [each.prior for each in noisy.moves.values()]
    fresh = tree(after, file).run(1)
    assert below == [each.prior for each in fresh.moves.values()]  # no noise went below the root
    _target, again = noisy.native.target()
    assert max(abs(one - other) for one, other in zip(below, again, strict=True)) > 0.01


def test_the_root_temperature_makes_priors_more_equal(tree, random_network):
    state = games.load("microchess").start()
    found = tree(state, random_network(policy=3.0), root_temperature=2.0).run(5)
    plain = [each.prior for each in found.moves.values()]
    _target, priors = found.native.target()
    assert max(priors) < max(plain)
    assert min(priors) > min(plain)


def test_forced_playouts_are_made_and_left_out_of_the_target(tree, random_network):
    state = games.load("microchess").start()
    file = random_network(policy=3.0)
    plain = tree(state, file, epsilon=0.25, seed=1).run(400)
    forced = tree(state, file, epsilon=0.25, forced=2.0, seed=1).run(400)
    visited = sum(each.visits > 0 for each in forced.moves.values())
    assert min(each.visits for each in forced.moves.values() if each.visits) > 0
    target, _priors = forced.native.target()
    assert sum(target) == pytest.approx(1)
    assert sum(share > 0 for share in target) < visited
    best = max(target)
    assert best >= max(each.visits for each in forced.moves.values()) / 400
    assert sum(each.visits for each in plain.moves.values()) == sum(each.visits for each in forced.moves.values())


@pytest.mark.parametrize("simulations", [4, 16, 50, 200])
def test_gumbel_selection_compares_a_few_moves_and_improves_the_policy(tree, random_network, simulations):
    state = games.load("gomoku:size=9").start()
    file = random_network("gomoku:size=9", policy=2.0)
    found = tree(state, file, considered=8, simulations=simulations, seed=5).run(simulations + 1)
    tried = [each for each in found.moves.values() if each.visits]
    assert len(tried) == min(8, simulations)
    assert sum(each.visits for each in tried) == simulations
    target, _priors = found.native.target()
    assert sum(target) == pytest.approx(1)
    priors = [each.prior for each in found.moves.values()]
    value = sum(share * each.mean for share, each in zip(target, found.moves.values(), strict=True))
    assert value >= sum(prior * each.mean for prior, each in zip(priors, found.moves.values(), strict=True)) - 1e-9


def test_gumbel_selection_halves_the_moves_until_two_are_left(tree, random_network):
    state = games.load("gomoku:size=9").start()
    found = tree(state, random_network("gomoku:size=9"), considered=8, simulations=96, seed=5).run(97)
    visits = sorted((each.visits for each in found.moves.values() if each.visits), reverse=True)
    assert visits == [28, 28, 12, 12, 4, 4, 4, 4]


@pytest.mark.parametrize("game", ["microchess", "othello", "gomoku:size=7", "go:size=5,turns=40"])
def test_arrays_and_the_native_network_give_the_same_tree(tree, random_network, game):
    import numpy as np

    state = games.load(game).start()
    native = tree(state, random_network(game)).run(150, leaves=4)
    arrays = tree(state, random_network(game))
    inputs = np.empty((4, arrays.evaluator.file.shape.inputs), np.float32)
    done = 0
    while done < 150:
        made, waiting = arrays.native.collect(inputs, min(4, 150 - done))
        if waiting:
            outputs = arrays.evaluator.evaluate(inputs[:waiting])
            arrays.native.expand(outputs.values, outputs.logits)
        done += made
    assert arrays.native.told() == native.native.told()


def test_pitfall_13_a_finished_game_has_no_move_to_choose(tree, random_network):
    import numpy as np

    state = games.load("microchess").position("1k2/4/4/3R/3K b - - 6 40")
    over = state.forward(state.parse("b5c4"))
    found = tree(state, random_network())
    found.game.set(over)
    with pytest.raises(ValueError, match="the game is over"):
        found.native.run(found.evaluator.perceptron, simulations=5)
    with pytest.raises(ValueError, match="the game is over"):
        found.native.collect(np.empty((1, 284), np.float32), 1)


def test_a_network_of_another_game_and_arrays_that_do_not_fit_are_refused(tree, random_network):
    import numpy as np

    from agents.self_learning import _forest

    found = tree(games.load("microchess").start(), random_network("othello"))
    with pytest.raises(ValueError, match="the network has 258 inputs and 65 actions, the game 284 and 328"):
        found.native.run(found.evaluator.perceptron, simulations=5)
    with pytest.raises(TypeError, match="a Perceptron is expected"):
        found.native.run(object(), simulations=5)
    with pytest.raises(ValueError, match="no room for 3 leaves"):
        found.native.collect(np.empty(10, np.float32), 3)
    with pytest.raises(ValueError, match="a value and a row of logits"):
        found.native.expand(np.empty(10, np.float32), np.empty(10, np.float32))
    with pytest.raises(ValueError, match="a network of this shape has"):
        _forest.Perceptron(np.zeros(5, np.float32), 4, (8,), 3)
    with pytest.raises(ValueError, match="hidden layer"):
        _forest.Perceptron(np.zeros(5, np.float32), 4, (), 3)
