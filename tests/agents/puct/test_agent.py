"""The agent `puct`: its options, choice and reports."""

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.core.engine import Report
from agents.puct.agent import PuctAgent
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")


def agent(color=WHITE, seed=0, **options):
    player = PuctAgent("puct", color, **options)
    player.rng.seed(seed)
    return player


def test_it_plays_on_with_hardly_any_time_left(form, play, capsys):
    player, opponent = agent(WHITE), RandomAgent("y", BLACK)
    player.time_left = 0.05
    opponent.rng.seed(5)
    assert play(games.load("othello").start(), player, opponent).is_game_over()
    capsys.readouterr()


def test_the_report_describes_the_search(form, capsys):
    player = agent(simulations=400)
    move = player.act(MICROCHESS.start())
    report = player.report
    assert isinstance(report, Report)
    assert (report.move, report.form, report.nodes) == (str(move), form, 400)
    assert (report.visits[0].move, report.visits[0].mean) == (str(move), report.score)
    assert report.pv[0] == str(move)
    assert sum(visits.visits for visits in report.visits) == 399
    capsys.readouterr()


def test_the_tree_is_kept_from_move_to_move_and_forgotten_after_the_game(form, capsys):
    state = MICROCHESS.start()
    player = agent(simulations=300)
    for move in (str(player.act(state)), player.report.pv[1]):
        state = state.forward(state.parse(move))
    player.act(state)
    assert sum(visits.visits for visits in player.report.visits) > 300
    player.reset()
    player.act(state)
    assert sum(visits.visits for visits in player.report.visits) == 299
    capsys.readouterr()


def test_both_forms_play_the_same_moves(monkeypatch, capsys):
    def moves():
        state, player = games.load("othello").start(), agent(BLACK, 4, simulations=60, epsilon=0.3, temperature=0.5)
        while state.turns < 12:
            state = state.forward(player.act(state))
            yield state.text

    native = list(moves())
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert list(moves()) == native
    capsys.readouterr()


def test_the_seed_matters_only_with_noise_or_temperature():
    start = games.load("othello").start()
    after = start.forward(start.parse("d3"))
    assert len({agent(WHITE, seed, simulations=50).act(after) for seed in range(10)}) == 1
    assert len({agent(WHITE, seed, simulations=50, temperature=1.0).act(after) for seed in range(10)}) > 1
    reports = set()
    for seed in range(5):
        player = agent(WHITE, seed, simulations=50, epsilon=0.5)
        player.act(after)
        reports.add(tuple(player.report.visits))
    assert len(reports) > 1


def test_the_same_seed_plays_the_same():
    def report():
        player = agent(seed=8, simulations=50, epsilon=0.5, temperature=1.0)
        player.act(MICROCHESS.start())
        return player.report

    assert report() == report()


def test_a_move_that_was_drawn_is_reported_as_it_is():
    start = MICROCHESS.start()
    for seed in range(20):
        player = agent(seed=seed, simulations=40, temperature=5.0)
        assert str(player.act(start)) == player.report.move == player.report.pv[0]
        state = start
        for move in player.report.pv:
            state = state.forward(state.parse(move))


def test_seconds_end_a_search_in_python(monkeypatch, fake_clock, capsys):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    player = agent(seconds=1.0)
    player.now = fake_clock(0.01)
    player.act(MICROCHESS.start())
    assert 5 < player.report.nodes < 100
    capsys.readouterr()


@pytest.mark.parametrize(
    ("name", "options", "c"), [("gomoku", {}, 0.4), ("othello", {}, 1.0), ("gomoku", {"c": 2}, 2.0)]
)
def test_the_game_decides_how_much_is_explored_unless_an_option_does(name, options, c):
    assert agent(**options).engine(games.load(name).start()).settings.c == c
