"""What all agents share whose search is native or in Python."""

import pytest

import games
from agents.budget import seconds_for_move
from agents.core.limited import LimitedByDepth, LimitedBySimulations
from agents.core.report import Report
from agents.core.searching_agent import SearchingAgent
from games.base import WHITE
from games.othello import OthelloState

OTHELLO = games.load("othello").start()
PASSING = games.load("othello").position("XO" + "-" * 62 + " O")


class Engine:
    """Takes the last move, and as long as it is told to."""

    def __init__(self, form="kernel"):
        self.form = form

    def last(self, state):
        return Report(move=str(state.legal_moves[-1]), form=self.form, nodes=7)


class Agent(SearchingAgent[Engine]):
    """Notes what it is asked for."""

    plays = OthelloState
    limited = False
    searches_in = "kernel"

    def __init__(self, seconds=None, show=0):
        super().__init__("x", WHITE, seconds=seconds, show=show)
        self.asked = []
        self.made = 0

    def engine(self, state):
        self.made += 1
        return Engine(self.searches_in)

    def search(self, engine, state, *, seconds):
        self.asked.append(seconds)
        return engine.last(state)


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


def test_what_the_search_prefers_is_played_and_told():
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


def test_an_agent_of_no_one_game_plays_any():
    class Any(Agent):
        plays = object

    for name in ("gomoku", "microchess", "mushroom"):
        state = games.load(name).start()
        assert Any().act(state) == state.legal_moves[-1]


@pytest.mark.parametrize(
    ("limited", "seconds", "time_left", "told"),
    [
        (False, None, float("inf"), 1.0),
        (True, None, float("inf"), float("inf")),
        (False, 3, float("inf"), 3.0),
        (False, 3, 10.0, seconds_for_move(10.0)),
        (True, 0.1, 10.0, 0.1),
    ],
)
def test_the_least_of_all_limits_counts_and_a_second_if_there_is_none(fake_clock, limited, seconds, time_left, told):
    agent = Agent(seconds)
    agent.limited, agent.time_left, agent.now = limited, time_left, fake_clock(tick=0)
    agent.act(OTHELLO)
    assert agent.asked == [pytest.approx(told)]


def test_what_comes_before_the_search_is_taken_from_its_seconds(fake_clock):
    class Slow(Agent):
        def engine(self, state):
            self.now.seconds += 0.75
            return super().engine(state)

    agent = Slow(2)
    agent.now = fake_clock(tick=0)
    agent.act(OTHELLO)
    agent.act(OTHELLO)
    assert agent.asked == [1.25, 2]


def test_an_agent_may_know_better_what_its_share_of_the_time_is(fake_clock):
    class Thrifty(Agent):
        def share(self, state):
            return super().share(state) / (1 + state.turns)

    agent = Thrifty()
    agent.now, agent.time_left = fake_clock(tick=0), 10.0
    agent.act(OTHELLO)
    agent.act(OTHELLO.forward("d3"))
    assert agent.asked == pytest.approx([seconds_for_move(10.0), seconds_for_move(10.0) / 2])


def test_python_is_told_once_a_game_and_moves_if_asked(capsys):
    agent = Agent(show=1)
    agent.searches_in = "python"
    agent.act(OTHELLO)
    agent.act(OTHELLO.forward("d3"))
    first, *moves = capsys.readouterr().out.splitlines()
    assert first == "x searches in Python: this game has no native search here"
    assert moves[1:] == [f"x, turn 2: {agent.report}"]
    assert len(moves) == 2


def test_seeds_come_from_the_dice_and_are_never_0():
    agent = Agent()
    agent.rng.seed(1)
    drawn = [agent.seed() for _ in range(20)]
    assert len(set(drawn)) == 20
    assert all(seed % 2 for seed in drawn)
    agent.rng.seed(1)
    assert [agent.seed() for _ in range(20)] == drawn


class Deep(LimitedByDepth[Engine]):
    engine = search = None


class Simulating(LimitedBySimulations[Engine]):
    engine = search = None


@pytest.mark.parametrize(("depth", "nodes", "limited"), [(None, None, False), (3, None, True), (None, 5, True)])
def test_a_depth_and_nodes_are_limits(depth, nodes, limited):
    agent = Deep("x", WHITE, depth=depth, seconds=None, nodes=nodes, show=0)
    limits = agent.limits(2.5)
    assert agent.limited is limited
    assert (limits.seconds, limits.depth, limits.nodes) == (2.5, depth or 64, nodes)
    assert limits.seed != agent.limits(2.5).seed


@pytest.mark.parametrize(("simulations", "limited"), [(None, False), (1, True)])
def test_simulations_are_a_limit(simulations, limited):
    assert Simulating("x", WHITE, simulations=simulations, seconds=None).limited is limited
