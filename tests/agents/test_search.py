"""What the search agents see, and how they choose among equals."""

import pytest

import games
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.base import DeepeningAgent
from agents.search.mcts_agent import MCTSAgent
from agents.search.negamax_search_agent import NegamaxSearchAgent
from agents.search.one_step_search_agent import OneStepSearchAgent
from agents.search.two_step_search_agent import TwoStepSearchAgent
from games.base import WHITE

MICROCHESS = games.load("microchess")

ONE = [(OneStepSearchAgent, {})]
DEEPER = [
    (TwoStepSearchAgent, {}),
    (NegamaxSearchAgent, {"depth": 2}),
    (NegamaxSearchAgent, {}),
    (ABPNegamaxSearchAgent, {}),
]
TREE = [(MCTSAgent, {"simulations": 400})]


def moves(agent, options, position, seeds=5):
    """What the agent plays in a microchess position, with several seeds."""
    state = MICROCHESS.position(position)
    played = set()
    for seed in range(seeds):
        player = agent("x", state.turn, **options)
        player.rng.seed(seed)
        played.add(str(player.act(state)))
    return played


@pytest.mark.parametrize(("agent", "options"), ONE + DEEPER + TREE)
def test_mate_in_one_is_played(agent, options, mate_in_one):
    position, mate = mate_in_one
    assert moves(agent, options, position) == {mate}


@pytest.mark.parametrize(("agent", "options"), ONE + DEEPER)
@pytest.mark.parametrize("evaluation", ["signed", "outcome"])
def test_mate_in_one_is_played_by_other_evaluations_too(agent, options, evaluation):
    position = "k1B1/4/p1N1/2Kn/R2r w - - 4 6"
    assert moves(agent, {**options, "evaluation": evaluation}, position) == {"a1a3"}


@pytest.mark.parametrize(("agent", "options"), DEEPER)
@pytest.mark.parametrize(
    ("position", "safe"),
    [
        ("kn1r/4/bp2/B2P/R2K w Qk - 0 3", {"a1c1", "a2b3"}),
        ("k3/pbB1/n1N1/4/R2K b - - 0 8", {"b4c3", "b4c5"}),
        ("k3/p3/1nKB/1N2/R3 b - - 2 13", {"b3a1", "b3c5"}),
    ],
)
def test_the_opponents_mate_in_one_is_avoided(agent, options, position, safe):
    assert moves(agent, options, position) <= safe


@pytest.mark.parametrize(("agent", "options"), ONE + DEEPER + TREE)
def test_a_hanging_piece_is_taken(agent, options):
    assert moves(agent, options, "k2r/4/4/4/K2R w - - 0 1") == {"d1d5"}
    assert moves(agent, options, "k2r/4/4/4/K2R b - - 0 1") == {"d5d1"}


def test_one_step_does_not_see_that_a_pawn_is_guarded():
    assert moves(OneStepSearchAgent, {}, "1k2/1p2/4/1R2/K3 w - - 0 1") == {"b2b4"}


@pytest.mark.parametrize(("agent", "options"), DEEPER)
def test_a_guarded_pawn_is_left_alone_by_those_who_look_further(agent, options):
    assert "b2b4" not in moves(agent, options, "1k2/1p2/4/1R2/K3 w - - 0 1")


@pytest.mark.parametrize(("agent", "options"), ONE + DEEPER + TREE)
def test_at_the_turn_limit_what_counts_is_to_be_ahead(agent, options):
    # Black has the last turn: taking the twice guarded pawn makes it 8:7, and White cannot take back.
    assert moves(agent, options, "k3/p3/1n2/3P/1N1K b - - 0 40") == {"b3d2"}


@pytest.mark.parametrize(("agent", "options"), ONE + DEEPER + TREE)
def test_the_same_seed_gives_the_same_moves_and_another_seed_others(agent, options, tic_tac_toe):
    def line(seed):
        player = agent("x", WHITE, **options)
        player.rng.seed(seed)
        return [player.act(state) for state in (tic_tac_toe.start(), MICROCHESS.start())]

    assert line(7) == line(7)
    assert len({tuple(line(seed)) for seed in range(4)}) > 1


class Scores(DeepeningAgent):
    """Gives every move the score of a table."""

    def __init__(self, scores):
        super().__init__("x", WHITE, depth=1, evaluation="share")
        self.scores = scores

    def score(self, state, move, *, depth, floor):
        return self.scores[move]


def test_noise_chooses_among_equals_only(tic_tac_toe):
    scores = dict.fromkeys(range(9), 0.5) | {3: 0.5 + 1e-6, 7: 0.5 + 1e-6, 8: 0.5 + 0.9e-6}
    player = Scores(scores)
    assert {player.act(tic_tac_toe.start()) for _ in range(100)} == {3, 7}
