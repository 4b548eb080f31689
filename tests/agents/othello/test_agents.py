"""The Othello agents: moves, options, clocks."""

import itertools

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.budget import RESERVE, seconds_for_move
from agents.othello import _native
from agents.othello.alphabeta_agent import OthelloAlphaBetaAgent
from agents.othello.classic import DISCS
from agents.othello.minimax_agent import OthelloMinimaxAgent
from agents.othello.strong_agent import OthelloAgent
from agents.othello.uct import PLAYOUTS
from agents.othello.uct_agent import OthelloUCTAgent
from games.base import BLACK, WHITE
from games.othello import Othello, OthelloState

AGENTS = [
    (OthelloMinimaxAgent, {"depth": 2}),
    (OthelloMinimaxAgent, {"depth": 1, "evaluation": "map_a"}),
    (OthelloAlphaBetaAgent, {"depth": 2}),
    (OthelloAlphaBetaAgent, {"depth": 2, "evaluation": "discs", "ordering": "position"}),
    (OthelloAlphaBetaAgent, {"depth": 2, "ordering": "intuition", "ending": "weights"}),
    *((OthelloUCTAgent, {"simulations": 3, "playout": playout}) for playout in PLAYOUTS),
    (OthelloUCTAgent, {"simulations": 5, "rave": 50}),
    (OthelloAgent, {"depth": 1, "solve": 4}),
]
PATIENT = [
    (OthelloMinimaxAgent, {"depth": 30}),
    (OthelloAlphaBetaAgent, {"depth": 30, "ordering": "position"}),
    (OthelloAlphaBetaAgent, {"seconds": 1000}),
    (OthelloUCTAgent, {"simulations": 10**9}),
    (OthelloUCTAgent, {"seconds": 1000, "playout": "heavy", "rave": 50}),
    (OthelloAgent, {}),
    (OthelloAgent, {"seconds": 1000, "depth": 40}),
]
PASSING = Othello().position("XO" + "-" * 62 + " O")


def named(value):
    return getattr(value, "__name__", "-".join(map(str, value.values())) if isinstance(value, dict) else str(value))


def player(agent, options, color=BLACK, seed=3):
    made = agent("x", color, **options)
    made.rng.seed(seed)
    return made


@pytest.mark.parametrize(("agent", "options"), AGENTS, ids=named)
def test_a_whole_game_by_legal_moves_on_both_sides(form, agent, options, plays_against_random):
    players = {color: player(agent, options, color) for color in (WHITE, BLACK)}
    plays_against_random(Othello().start(), players.__getitem__)
    assert {one.report.form for one in players.values()} == {form}


@pytest.mark.parametrize(("agent", "options"), AGENTS, ids=named)
def test_a_pass_is_answered_at_once_and_a_finished_game_refused(form, agent, options):
    one = player(agent, options, WHITE)
    assert one.act(PASSING) == "pass"
    assert (one.report.nodes, one.report.form) == (0, form)
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        one.act(Othello().position("X" * 64 + " O"))


@pytest.mark.parametrize(("agent", "options"), AGENTS, ids=named)
def test_other_games_are_refused(agent, options):
    with pytest.raises(ValueError, match="x plays Othello only"):
        player(agent, options).act(games.load("gomoku").start())


@pytest.mark.parametrize(("agent", "options"), AGENTS, ids=named)
def test_both_forms_make_the_same_moves(agent, options, positions, monkeypatch):
    if agent is OthelloAgent:
        options = {"depth": 1, "solve": 0}
    states = positions(6, seed=21)
    native = [player(agent, options).act(state) for state in states]
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert [player(agent, options).act(state) for state in states] == native


@pytest.mark.parametrize(("agent", "options"), PATIENT, ids=named)
@pytest.mark.parametrize("time_left", [10.0, 1.0])
def test_a_search_in_python_stops_at_its_seconds(agent, options, time_left, fake_clock, monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    one, clock = player(agent, options), fake_clock(tick=0.001)
    one.now, one.time_left, one.book = clock, time_left, False
    before = clock.seconds
    state = Othello().start()
    assert one.act(state) in state.legal_moves
    assert clock.seconds - before == pytest.approx(seconds_for_move(time_left), abs=0.01)


@pytest.mark.parametrize(("agent", "options"), PATIENT, ids=named)
@pytest.mark.parametrize("time_left", [0.05, 0.001, 0.0, -1.0])
def test_with_hardly_any_time_left_there_is_still_a_legal_move(form, agent, options, time_left, positions):
    one = player(agent, options)
    one.time_left = time_left
    for state in positions(3, seed=22):
        assert one.act(state) in state.legal_moves


def test_a_whole_game_with_little_time_stays_within_it(play, fake_clock, monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    clock = fake_clock(tick=0.001)

    class Charged(OthelloAlphaBetaAgent):
        def act(self, state):
            before = clock.seconds
            move = super().act(state)
            self.time_left -= clock.seconds - before
            return move

    one = player(Charged, {"depth": 20}, BLACK)
    one.now, one.time_left = clock, 2.0
    other = RandomAgent("y", WHITE)
    other.rng.seed(1)
    play(Othello().start(), other, one)
    assert one.time_left > RESERVE


def test_a_depth_that_was_finished_in_time_is_reported():
    one = player(OthelloAlphaBetaAgent, {"seconds": 0.05, "ordering": "position"})
    one.act(Othello().start())
    assert one.report.depth >= 1
    assert one.report.nodes > 0


def test_the_deeper_search_begins_with_the_best_move_of_the_one_before(monkeypatch):
    firsts = []

    class Watched(OthelloAlphaBetaAgent):
        def choose_natively(self, native, state, depth, first, deadline):
            found = super().choose_natively(native, state, depth, first, deadline)
            firsts.append((first, found.move))
            return found

    player(Watched, {"depth": 5}).act(Othello().start().forward("d3"))
    assert len(firsts) == 5
    assert firsts[0][0] is None
    for (_, best), (first, _) in itertools.pairwise(firsts):
        assert first == best


def test_states_with_other_rules_are_searched_by_these_rules():
    class Quick(OthelloState):
        """The game is over after ten turns."""

        @property
        def legal_moves(self):
            return () if self.turns >= 10 else super().legal_moves

        @property
        def ending(self):
            return self.adjudicate() if self.turns >= 10 else super().ending

        def adjudicate(self):
            return self._decided("turns")

    start = Othello().start()
    state = Quick(start.black, start.white, start.turn)
    for agent, options in [(OthelloMinimaxAgent, {"depth": 2}), (OthelloUCTAgent, {"simulations": 20})]:
        one = player(agent, options)
        assert one.act(state) in state.legal_moves
        assert one.report.form == "python"


def test_the_same_seed_gives_the_same_report_and_another_seed_another(form):
    def report(seed):
        one = player(OthelloUCTAgent, {"simulations": 60, "playout": "light"}, seed=seed)
        one.act(Othello().start())
        return one.report

    assert report(1) == report(1)
    assert report(1) != report(2)


def test_the_python_form_prints_a_notice_once_and_reset_forgets_the_game_before(monkeypatch, capsys):
    one = player(OthelloAgent, {"depth": 1})
    one.act(Othello().start())
    assert (one.form, capsys.readouterr().out) == ("kernel", "")
    monkeypatch.setenv("ARENA_KERNEL", "python")
    one.reset()
    assert one.form is None
    one.act(Othello().start())
    one.act(Othello().start())
    assert one.form == "python"
    assert capsys.readouterr().out == "x searches in Python: this game has no native search here\n"


def test_the_strong_agent_loads_its_weights_before_the_game_and_keeps_its_search(positions):
    one = player(OthelloAgent, {"depth": 3})
    one.reset()
    read = one._loaded
    for state in positions(2, seed=5):
        one.act(state)
        assert one._engine.native is read
    one.reset()
    assert one._loaded is not read


def test_the_report_describes_the_search():
    one = player(OthelloAgent, {"depth": 6, "solve": 0})
    move = one.act(Othello().start())
    assert (one.report.move, one.report.depth, one.report.form) == (move, 6, "kernel")
    assert one.report.pv[0] == move
    assert abs(one.report.score) < 20


def test_finished_games_valued_by_weights_throw_away_wins(positions):
    thrown = {"result": 0, "weights": 0}
    for state in positions(40, seed=31, empties=range(6, 9)):
        best = _native.minimax(state.text, DISCS.weights, depth=18)[1]
        for ending in thrown:
            move = player(OthelloAlphaBetaAgent, {"depth": 18, "ending": ending}, state.turn).act(state)
            after = state.forward(move)
            if best > 0 and not after.is_game_over() and after.legal_moves != ("pass",):
                thrown[ending] += -_native.minimax(after.text, DISCS.weights, depth=18)[1] <= 0
    assert thrown["result"] == 0
    assert thrown["weights"] > 0


def test_a_map_of_weights_beats_the_count_of_discs(points):
    total = 0.0
    for color in (WHITE, BLACK):
        for opening in ("d3", "c4"):
            state = Othello().start().forward(opening)
            one = player(OthelloAlphaBetaAgent, {"depth": 4}, color)
            other = player(OthelloMinimaxAgent, {"depth": 4}, not color)
            total += points(state, color, one, other)
    assert total >= 3


def test_the_strong_agent_beats_alpha_beta(points):
    for color in (WHITE, BLACK):
        one = player(OthelloAgent, {"depth": 6, "solve": 12}, color)
        other = player(OthelloAlphaBetaAgent, {"depth": 6}, not color)
        assert points(Othello().start(), color, one, other) == 1


@pytest.mark.parametrize(
    ("agent", "options"),
    [
        (OthelloMinimaxAgent, {"depth": 0}), (OthelloMinimaxAgent, {"depth": 61}),
        (OthelloMinimaxAgent, {"ending": "happy"}), (OthelloMinimaxAgent, {"evaluation": "luck"}),
        (OthelloAlphaBetaAgent, {"ordering": "random"}),
        (OthelloAlphaBetaAgent, {"seconds": -1}), (OthelloAlphaBetaAgent, {"depth": "deep"}),
        (OthelloUCTAgent, {"simulations": 0}), (OthelloUCTAgent, {"playout": "clever"}), (OthelloUCTAgent, {"c": -1}),
        (OthelloUCTAgent, {"rave": -1}), (OthelloAgent, {"solve": -1}), (OthelloAgent, {"depth": 0}),
        (OthelloAgent, {"seconds": "long"}),
    ],
)  # fmt: skip
def test_an_invalid_option_is_refused_by_name(agent, options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        player(agent, options)
