"""Search agents stop in time, on a clock that moves only when it is looked at."""

import pytest

from agents.budget import RESERVE, seconds_for_move
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.mcts_agent import MCTSAgent, MCTSAgentDev
from agents.search.negamax_search_agent import NegamaxSearchAgent
from agents.search.one_step_search_agent import OneStepSearchAgent
from agents.search.two_step_search_agent import TwoStepSearchAgent
from games.base import BLACK, WHITE

PATIENT = [
    (NegamaxSearchAgent, {"depth": 9}),
    (ABPNegamaxSearchAgent, {"depth": 9}),
    (MCTSAgent, {"simulations": 10**9}),
    (MCTSAgentDev, {"simulations": 10**9}),
]
QUICK = [(OneStepSearchAgent, {}), (TwoStepSearchAgent, {})]


def started(agent, options, clock, time_left, color=WHITE):
    player = agent("x", color, **options)
    player.rng.seed(3)
    player.now = clock
    player.time_left = time_left
    return player


@pytest.mark.parametrize(("agent", "options"), PATIENT)
@pytest.mark.parametrize("time_left", [10.0, 1.0])
def test_a_search_stops_at_the_first_look_at_the_clock_after_its_seconds(
    tic_tac_toe, fake_clock, agent, options, time_left
):
    clock = fake_clock(tick=0.001)
    player = started(agent, options, clock, time_left)
    before = clock.seconds
    state = tic_tac_toe.start()
    assert player.act(state) in state.legal_moves
    assert clock.seconds - before == pytest.approx(seconds_for_move(time_left), abs=0.0021)


@pytest.mark.parametrize(("agent", "options"), PATIENT + QUICK)
def test_a_whole_game_stays_within_its_budget(tic_tac_toe, fake_clock, play, agent, options):
    clock = fake_clock(tick=0.001)
    player = started(agent, options, clock, 1.0)

    class Charged(type(player)):
        def act(self, state):
            before = clock.seconds
            move = super().act(state)
            # A scheduler that takes 30 ms from every move.
            self.time_left -= clock.seconds - before + 0.03
            return move

    player.__class__ = Charged
    play(tic_tac_toe.start(), player, OneStepSearchAgent("y", BLACK))
    assert player.time_left > RESERVE


@pytest.mark.parametrize(("agent", "options"), PATIENT + QUICK)
@pytest.mark.parametrize("time_left", [0.1, 0.01, 0.0, -1.0])
def test_with_hardly_any_time_left_the_answer_comes_at_once(tic_tac_toe, fake_clock, agent, options, time_left):
    clock = fake_clock(tick=0.001)
    player = started(agent, options, clock, time_left)
    before = clock.seconds
    state = tic_tac_toe.start()
    assert player.act(state) in state.legal_moves
    assert clock.seconds - before < 0.003


@pytest.mark.parametrize(("agent", "options"), PATIENT + QUICK)
def test_an_only_move_is_played_without_a_search(tic_tac_toe, fake_clock, agent, options):
    player = started(agent, options, fake_clock(tick=0.0), float("inf"))
    assert player.act(tic_tac_toe.position("XOXXOOOX. X")) == 8
    assert player.nodes == 0


@pytest.mark.parametrize(("agent", "options"), PATIENT + QUICK)
def test_a_finished_game_has_no_move(tic_tac_toe, agent, options):
    with pytest.raises(ValueError, match="the game is over"):
        agent("x", WHITE, **options).act(tic_tac_toe.position("XXXOO.... O"))


def test_an_unfinished_first_look_plays_the_best_move_seen(tic_tac_toe, fake_clock):
    # X wins on 2. There is time for two of the five moves: the lucky one and the first.
    for seed in range(20):
        player = started(OneStepSearchAgent, {}, fake_clock(tick=1.0), 1.0)
        player.rng.seed(seed)
        player.seconds = lambda: 2.5
        assert player.act(tic_tac_toe.position("XX.O.O... X")) == 2
        assert player.nodes == 2


def test_a_deeper_search_that_is_broken_off_keeps_the_finished_one(tic_tac_toe, fake_clock):
    # Depth 1 sees the win on 8 by its ninth look at the clock; depth 2 and 3 are never finished.
    state = tic_tac_toe.position("X.O.X.O.. X")
    for allowed in range(6, 12):
        player = started(ABPNegamaxSearchAgent, {"depth": 5}, fake_clock(tick=1.0), 1000.0)
        player.seconds = lambda allowed=allowed: allowed + 0.5
        assert player.act(state) == 8


@pytest.mark.parametrize(
    ("agent", "options"), [(ABPNegamaxSearchAgent, {"depth": 3}), (MCTSAgent, {"simulations": 50})]
)
def test_without_pressure_the_move_does_not_depend_on_speed(tic_tac_toe, fake_clock, agent, options):
    def move(tick, seed):
        player = started(agent, options, fake_clock(tick), 1e6)
        player.rng.seed(seed)
        return player.act(tic_tac_toe.start())

    moves = [(move(0.0, seed), move(0.5, seed)) for seed in range(10)]
    assert all(slow == fast for slow, fast in moves)
    assert len(set(moves)) > 1


def test_mcts_takes_the_seconds_it_is_given_but_not_more_than_the_game_allows(tic_tac_toe, fake_clock):
    for seconds, time_left, spent in [(2.0, 1e6, 2.0), (2.0, 10.0, seconds_for_move(10.0))]:
        clock = fake_clock(tick=0.001)
        player = started(MCTSAgent, {"seconds": seconds}, clock, time_left)
        before = clock.seconds
        player.act(tic_tac_toe.start())
        assert clock.seconds - before == pytest.approx(spent, abs=0.01)
