"""The base class of agents whose search is native or in Python."""

import pytest

import games
from agents.budget import seconds_for_move
from agents.core.engine import Limits, Report
from agents.core.searching_agent import SearchingAgent
from games.base import WHITE
from games.othello import OthelloState

OTHELLO = games.load("othello").start()
PASSING = games.load("othello").position("XO" + "-" * 62 + " O")


class LastMove:
    """A search that takes the last move and keeps the limits it was given."""

    def __init__(self, form, asked):
        self.form = form
        self.asked = asked

    def search(self, state, limits):
        self.asked.append(limits)
        return Report(move=str(state.legal_moves[-1]), form=self.form, nodes=7)


class Agent(SearchingAgent):
    """Keeps the limits of all its searches."""

    plays = OthelloState
    searches_in = "kernel"

    def __init__(self, **options):
        super().__init__("x", WHITE, **options)
        self.asked = []
        self.made = 0

    @property
    def seconds(self):
        return [limits.seconds for limits in self.asked]

    def engine(self, state):
        self.made += 1
        return LastMove(self.searches_in, self.asked)


def test_the_searches_are_made_once_a_game():
    agent = Agent()
    assert agent.form is None
    agent.act(OTHELLO)
    agent.act(OTHELLO)
    assert (agent.made, agent.form) == (1, "kernel")
    agent.reset()
    assert agent.form is None
    agent.act(OTHELLO)
    assert agent.made == 2


def test_the_move_of_the_search_is_played_and_reported():
    agent = Agent()
    assert agent.act(OTHELLO) == OTHELLO.legal_moves[-1] == agent.report.move
    assert agent.report.nodes == 7


def test_an_only_move_is_answered_without_a_search():
    agent = Agent()
    assert agent.act(PASSING) == "pass"
    assert agent.asked == []
    assert agent.report == Report(move="pass", form="kernel", pv=("pass",))


def test_other_games_and_finished_ones_are_refused_before_anything_is_made():
    agent = Agent()
    with pytest.raises(ValueError, match="x plays Othello only"):
        agent.act(games.load("gomoku").start())
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        agent.act(games.load("othello").position("X" * 64 + " O"))
    assert agent.made == 0


def test_an_agent_without_a_class_of_states_plays_any_game():
    class Any(Agent):
        plays = object

    for name in ("gomoku", "microchess", "mushroom"):
        state = games.load(name).start()
        assert Any().act(state) == state.legal_moves[-1]


@pytest.mark.parametrize(
    ("depth", "seconds", "time_left", "given"),
    [
        (None, None, float("inf"), 1.0),
        (1, None, float("inf"), float("inf")),
        (None, 3, float("inf"), 3.0),
        (None, 3, 10.0, seconds_for_move(10.0)),
        (1, 0.1, 10.0, 0.1),
    ],
)
def test_the_smallest_limit_counts_and_without_any_it_is_a_second(fake_clock, depth, seconds, time_left, given):
    agent = Agent(seconds=seconds, depth=depth)
    agent.time_left, agent.now = time_left, fake_clock(tick=0)
    agent.act(OTHELLO)
    assert agent.seconds == [pytest.approx(given)]


def test_time_before_the_search_is_taken_from_its_seconds(fake_clock):
    class Slow(Agent):
        def engine(self, state):
            self.now.seconds += 0.75
            return super().engine(state)

    agent = Slow(seconds=2)
    agent.now = fake_clock(tick=0)
    agent.act(OTHELLO)
    agent.act(OTHELLO)
    assert agent.seconds == [1.25, 2]


def test_an_agent_may_override_its_share_of_the_time(fake_clock):
    class Thrifty(Agent):
        def share(self, state):
            return super().share(state) / (1 + state.turns)

    agent = Thrifty()
    agent.now, agent.time_left = fake_clock(tick=0), 10.0
    agent.act(OTHELLO)
    agent.act(OTHELLO.forward("d3"))
    assert agent.seconds == pytest.approx([seconds_for_move(10.0), seconds_for_move(10.0) / 2])


def test_the_python_form_prints_a_notice_once_a_game_and_show_prints_moves(capsys):
    agent = Agent(show=1)
    agent.searches_in = "python"
    agent.act(OTHELLO)
    agent.act(OTHELLO.forward("d3"))
    first, *moves = capsys.readouterr().out.splitlines()
    assert first == "x searches in Python: this game has no native search here"
    assert moves[1:] == [f"x, turn 2: {agent.report}"]
    assert len(moves) == 2


def test_seeds_come_from_rng_and_are_never_0():
    agent = Agent()
    agent.rng.seed(1)
    drawn = [agent.seed() for _ in range(20)]
    assert len(set(drawn)) == 20
    assert all(seed % 2 for seed in drawn)
    agent.rng.seed(1)
    assert [agent.seed() for _ in range(20)] == drawn


@pytest.mark.parametrize(
    ("options", "limited"),
    [({}, False), ({"seconds": 2}, False), ({"depth": 3}, True), ({"nodes": 5}, True), ({"simulations": 1}, True)],
)
def test_depth_nodes_and_simulations_limit_a_search_without_a_clock(options, limited):
    assert Agent(**options).limited is limited


@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"nodes": 5}, {"simulations": 1}, {"depth": 3, "nodes": 5}])
def test_the_options_reach_the_search_with_a_new_seed_each_time(fake_clock, options):
    agent = Agent(seconds=2.5, **options)
    agent.now = fake_clock(tick=0)
    agent.act(OTHELLO)
    agent.act(OTHELLO)
    first, second = agent.asked
    assert first == Limits(seconds=2.5, seed=first.seed, **options)
    assert second == Limits(seconds=2.5, seed=second.seed, **options)
    assert first.seed != second.seed


@pytest.mark.parametrize("options", [{"depth": 65}, {"depth": 0}, {"nodes": 0}, {"simulations": 0}, {"seconds": -1}])
def test_an_invalid_option_is_refused_by_name(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        Agent(**options)
