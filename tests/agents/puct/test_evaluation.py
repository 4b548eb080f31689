"""Evaluators: values of states and priors of moves."""

import math

import pytest

import games
from agents.evaluation import signed
from agents.puct.evaluation import EVALUATORS, Cached, Evaluation, Heuristic, checked_evaluations, normalized

GAMES = ["chess", "go:size=5", "gomoku:size=7", "microchess", "mushroom:rows=5,columns=6", "othello"]
MICROCHESS = games.load("microchess")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
def test_every_heuristic_evaluates_every_game(name, evaluator, states):
    for state, found in zip(states(name, 30, 1), evaluator.evaluate(list(states(name, 30, 1))), strict=True):
        assert -1 <= found.value <= 1
        assert len(found.priors) == len(state.legal_moves)
        assert all(0 <= prior <= 1 for prior in found.priors)


@pytest.mark.parametrize("name", GAMES)
def test_material_is_the_signed_evaluation_of_the_side_to_move(name, states):
    for state in states(name, 40, 2):
        assert Heuristic().value(state) == signed(state, state.turn)


def test_a_lead_of_the_scale_is_worth_a_half():
    heuristic = Heuristic(leads=True)
    ahead = MICROCHESS.position("k3/4/4/4/K2R w - - 0 1")
    behind = MICROCHESS.position("k3/4/4/4/K2R b - - 0 1")
    assert heuristic.scale(ahead) == 500.0
    assert heuristic.value(ahead) == pytest.approx(0.5, abs=0.02)
    assert heuristic.value(behind) == pytest.approx(-0.5, abs=0.02)


def test_a_decided_game_is_worth_its_result():
    mated = MICROCHESS.position("k3/1Q2/1K2/4/4 b - - 0 1")
    for heuristic in EVALUATORS.values():
        assert heuristic.value(mated) == -1.0


def test_an_unknown_game_is_worth_nothing_until_it_is_decided(tic_tac_toe):
    for heuristic in EVALUATORS.values():
        assert heuristic.value(tic_tac_toe.start()) == 0.0
    (found,) = EVALUATORS["lead_look"].evaluate([tic_tac_toe.position("XX.OO.... X")])
    assert normalized(found.priors)[0] > 0.99


def test_priors_of_a_look_follow_the_values_one_turn_later():
    state = MICROCHESS.position("k2r/4/4/4/K2R w - - 0 1")
    heuristic = Heuristic(look=0.5)
    (found,) = heuristic.evaluate([state])
    priors = dict(zip(map(str, state.legal_moves), normalized(found.priors), strict=True))
    assert max(priors, key=priors.get) == "d1d5"
    quiet = heuristic.value(state.forward(state.parse("a1a2")))
    taken = heuristic.value(state.forward(state.parse("d1d5")))
    assert priors["d1d5"] / priors["a1a2"] == pytest.approx(math.exp((quiet - taken) / 0.5))


def test_a_look_prefers_moves_that_are_good_for_the_side_to_move():
    state = MICROCHESS.position("k2r/4/4/4/K2R b - - 0 1")
    (found,) = Heuristic(look=0.1).evaluate([state])
    assert str(list(state.legal_moves)[found.priors.index(max(found.priors))]) == "d5d1"


@pytest.mark.parametrize(
    ("priors", "expected"),
    [
        ([1.0, 3.0], [0.25, 0.75]), ([0.0, 0.0], [0.5, 0.5]), ([0.0, 2.0], [0.0, 1.0]), ([-1.0, 1.0], [0.0, 1.0]),
        ([math.nan, 1.0], [0.0, 1.0]), ([math.inf, 1.0], [0.0, 1.0]), ([math.nan] * 4, [0.25] * 4),
        ([1e308, 1e308], [0.5, 0.5]), ([5e-324, 0.0], [1.0, 0.0]), ([1], [1.0]),
    ],
)  # fmt: skip
def test_priors_add_up_to_1_and_are_equal_if_none_counts(priors, expected):
    assert normalized(priors) == expected


@pytest.mark.parametrize(
    ("evaluate_one", "message"),
    [
        (lambda state: Evaluation(2.0, [1.0] * len(state.legal_moves)), "the value 2.0"),
        (lambda state: Evaluation(math.nan, [1.0] * len(state.legal_moves)), "the value nan"),
        (lambda state: Evaluation(0.0, [1.0]), "1 priors for"),
    ],
)
def test_an_invalid_evaluation_is_refused(evaluate_one, message, scripted):
    with pytest.raises(ValueError, match=message):
        checked_evaluations(scripted(evaluate_one), [MICROCHESS.start()])


def test_every_state_must_be_evaluated():
    class Lazy:
        def evaluate(self, states):
            return []

    with pytest.raises(ValueError, match="0 evaluations for 1 states"):
        checked_evaluations(Lazy(), [MICROCHESS.start()])
    assert checked_evaluations(Lazy(), []) == []


def test_a_cached_state_is_not_evaluated_again(scripted):
    evaluator = scripted(lambda state: Evaluation(0.0, [1.0] * len(state.legal_moves)))
    cached = Cached(evaluator, 10)
    start = MICROCHESS.start()
    other = start.forward(start.parse("d1c2"))
    first = cached.evaluate([start])
    assert cached.evaluate([other, start])[1] == first[0]
    assert [len(batch) for batch in evaluator.batches] == [1, 1]
    assert (cached.asked, cached.hits) == (3, 1)
    cached.evaluate([start, other])
    assert len(evaluator.batches) == 2


def test_the_same_state_twice_in_a_batch_is_evaluated_once(scripted):
    evaluator = scripted(lambda state: Evaluation(0.5, [1.0] * len(state.legal_moves)))
    start = MICROCHESS.start()
    one, other = Cached(evaluator, 10).evaluate([start, start])
    assert one is other
    assert [len(batch) for batch in evaluator.batches] == [1]


def test_the_longest_unused_evaluation_is_forgotten_first(scripted, states):
    evaluator = scripted(lambda state: Evaluation(0.0, [1.0] * len(state.legal_moves)))
    cached = Cached(evaluator, 2)
    one, two, three = states("othello", 3)
    for state in (one, two, one, three, one, two):
        cached.evaluate([state])
    assert [batch[0] for batch in evaluator.batches] == [one, two, three, two]


def test_a_board_of_go_with_other_legal_moves_is_another_state():
    ko = games.load("go:size=4").position(".XO./X.XO/.XO./.... O 0")
    taken = ko.forward(ko.parse("B3"))
    free = games.load("go:size=4").position(taken.text)
    cached = Cached(Heuristic(), 10)
    (one,), (other,) = cached.evaluate([taken]), cached.evaluate([free])
    assert len(one.priors) == len(taken.legal_moves)
    assert len(other.priors) == len(free.legal_moves) == len(one.priors) + 1
