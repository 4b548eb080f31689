"""Monte Carlo tree search: its tree, its rewards, and what the variant for developers prints."""

import pytest

import games
from agents.search.mcts_agent import MCTSAgent, MCTSAgentDev
from agents.uct.tree import Node
from games.base import BLACK, WHITE


def agent(color=WHITE, seed=0, **options):
    player = MCTSAgent("mcts", color, **options)
    player.rng.seed(seed)
    return player


def nodes(root):
    yield root
    for child in root.children:
        yield from nodes(child)


def test_the_visits_of_the_moves_add_up_to_the_simulations(tic_tac_toe):
    player = agent(simulations=300)
    player.act(tic_tac_toe.start())
    assert player.root.visits == 300
    assert sum(child.visits for child in player.root.children) == 300


def test_without_options_there_are_a_thousand_simulations(tic_tac_toe):
    player = agent()
    player.act(tic_tac_toe.start())
    assert player.root.visits == 1000


def test_the_tree_is_not_deeper_than_the_option(tic_tac_toe):
    player = agent(simulations=400, depth=3)
    player.act(tic_tac_toe.start())
    assert max(node.state.turns for node in nodes(player.root)) == 3


def test_every_node_is_visited_and_has_the_mean_of_its_simulations(tic_tac_toe):
    player = agent(simulations=400)
    player.act(tic_tac_toe.start())
    for node in nodes(player.root):
        assert node.visits > 0
        assert 0 <= node.mean <= 1
        assert node.visits >= sum(child.visits for child in node.children)


def test_the_most_visited_move_is_played(tic_tac_toe):
    player = agent(simulations=200)
    move = player.act(tic_tac_toe.position("XO....... X"))
    visits = {child.move: child.visits for child in player.root.children}
    assert visits[move] == max(visits.values())


@pytest.mark.parametrize("amplify", [0, 1])
@pytest.mark.parametrize("evaluation", ["share", "signed", "outcome"])
def test_it_wins_in_one_and_stops_the_other_side_from_it(tic_tac_toe, amplify, evaluation):
    for seed in range(5):
        options = {"simulations": 300, "amplify": amplify, "evaluation": evaluation, "seed": seed}
        assert agent(WHITE, **options).act(tic_tac_toe.position("XX.OO.... X")) == 2
        assert agent(BLACK, **options).act(tic_tac_toe.position("XX.O..... O")) == 2


def test_one_simulation_is_enough_for_a_legal_move(tic_tac_toe):
    state = tic_tac_toe.start()
    assert agent(simulations=1).act(state) in state.legal_moves


def test_a_tree_that_ends_after_two_turns_is_searched(tic_tac_toe):
    player = agent(BLACK, simulations=100)
    # Two cells are free: 8 draws, 2 leaves White the diagonal. The simulations outnumber the states.
    assert player.act(tic_tac_toe.position("XO.OXXOX. O")) == 8


def test_a_node_without_visits_has_a_mean(tic_tac_toe):
    assert Node(tic_tac_toe.start()).mean == 0.0


@pytest.mark.parametrize(
    ("moves", "reward"),
    [("a4a3 a1a3", 1.0), ("a4a3 a1a2", 0.0)],
)
def test_the_amplified_reward_is_all_or_nothing(moves, reward):
    root = games.load("microchess").position("knbr/p3/4/3P/RBNK b Qk - 0 1")
    state = root
    for text in moves.split():
        state = state.forward(state.parse(text))
    player = agent(WHITE)
    level = player.evaluate(root, WHITE)
    assert player.reward(Node(state), level) == reward


def test_without_amplification_the_reward_is_the_evaluation():
    root = games.load("microchess").position("knbr/p3/4/3P/RBNK b Qk - 0 1")
    state = root.forward(root.parse("a4a3")).forward(root.forward(root.parse("a4a3")).parse("a1a3"))
    player = agent(WHITE, amplify=0)
    assert player.reward(Node(state), 0.5) == pytest.approx(16 / 31)


def test_a_decided_state_counts_as_decided_however_good_the_present_one(tic_tac_toe):
    drawn = tic_tac_toe.position("XOXXOOOXX X")
    lost = tic_tac_toe.position("OOOXX.X.. X")
    player = agent(WHITE)
    assert player.reward(Node(drawn), 0.9) == 0.5
    assert player.reward(Node(drawn), 0.1) == 0.5
    assert player.reward(Node(lost), 0.0) == 0.0


def test_a_forced_pass_is_played_and_passes_are_searched():
    othello = games.load("othello")
    passing = othello.position("XO" + "-" * 62 + " O")
    assert [str(move) for move in passing.legal_moves] == ["pass"]
    player = agent(passing.turn, simulations=50)
    assert str(player.act(passing)) == "pass"


def test_the_variant_for_developers_prints_its_tree_and_decision(tic_tac_toe, capsys):
    player = MCTSAgentDev("dev", WHITE, simulations=500)
    player.rng.seed(1)
    assert player.act(tic_tac_toe.position("XX.OO.... X")) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "dev, turn 5: 500 simulations"
    assert lines[1].split()[:2] == ["2", "visits"]
    assert lines[1].split()[4] == "1.000"
    assert lines[-2:] == ["  line 2", "  plays 2"]
    assert len(lines) == 8


def test_the_variant_for_developers_runs_five_thousand_simulations(tic_tac_toe, capsys):
    player = MCTSAgentDev("dev", WHITE)
    player.act(tic_tac_toe.position("XO.OX.... X"))
    assert player.root.visits == 5000
    assert "5000 simulations" in capsys.readouterr().out


def test_the_ordinary_agent_prints_nothing(tic_tac_toe, capsys):
    agent(simulations=50).act(tic_tac_toe.start())
    assert capsys.readouterr().out == ""
