"""The agents for Mushroom: their moves, their time, the rules."""

import pytest

import games
from agents.mushroom.agent import MushroomAgent, MushroomUCTAgent
from agents.mushroom.board import Board, written
from agents.mushroom.greedy import GreedyAgent
from games.base import BLACK, WHITE

AGENTS = [
    (GreedyAgent, {}),
    (MushroomAgent, {"nodes": 60}),
    (MushroomUCTAgent, {"simulations": 20}),
    (MushroomUCTAgent, {"simulations": 20, "states": "copy"}),
    (MushroomUCTAgent, {"simulations": 20, "states": "rebuild"}),
]


def made(kind, color=WHITE, seed=0, **options):
    player = kind("x", color, **options)
    player.rng.seed(seed)
    return player


@pytest.mark.parametrize(("kind", "options"), AGENTS)
def test_whole_games_are_played_by_legal_moves_on_both_sides(form, kind, options, plays_against_random):
    start = games.load("mushroom:rows=6,columns=9").start(4)
    plays_against_random(start, lambda color: made(kind, color, **options))


@pytest.mark.parametrize(("kind", "options"), AGENTS)
def test_the_given_state_is_not_changed(kind, options):
    state = games.load("mushroom").start(1)
    before = state.text
    made(kind, **options).act(state)
    assert state.text == before


def test_greedy_takes_what_gains_most():
    state = games.load("mushroom:rows=2,columns=5").position("5591B/19999 A 0")
    gains = {written(choice.move): choice.gain for choice in Board.read(state.text).choices()}
    assert gains[made(GreedyAgent).act(state)] == max(gains.values())


def test_greedy_counts_what_the_opponent_loses_twice():
    # Two digits, or two digits with a cell of the opponent between them.
    state = games.load("mushroom:rows=2,columns=5").position("5B599/73999 A 0")
    assert made(GreedyAgent).act(state) == "0 0 0 2"


def test_greedy_passes_only_if_there_is_nothing_to_take():
    state = games.load("mushroom:rows=2,columns=4").position("9999/9999 A 0")
    assert made(GreedyAgent).act(state) == "-1 -1 -1 -1"


def test_the_seed_decides_between_equal_gains():
    state = games.load("mushroom").start(1)
    assert len({made(GreedyAgent, seed=seed).act(state) for seed in range(20)}) > 1
    assert len({made(GreedyAgent, seed=3).act(state) for _ in range(3)}) == 1


def test_the_best_agent_beats_greedy(points):
    won = 0
    for board in range(5):
        for color in (WHITE, BLACK):
            best, greedy = made(MushroomAgent, color, nodes=1500), made(GreedyAgent, not color, seed=board)
            won += points(games.load("mushroom").start(board), color, best, greedy) == 1
    assert won >= 9


@pytest.mark.parametrize(("kind", "options"), AGENTS)
def test_other_games_and_finished_games_are_refused(kind, options):
    with pytest.raises(ValueError, match="plays Mushroom"):
        made(kind, **options).act(games.load("othello").start())
    with pytest.raises(ValueError, match="the game is over"):
        made(kind, **options).act(games.load("mushroom:rows=2,columns=2").position("12/34 A 2"))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (MushroomAgent, {"depth": 0}), (MushroomAgent, {"nodes": 0}),
        (MushroomAgent, {"seconds": -1}), (MushroomUCTAgent, {"simulations": 0}),
        (MushroomUCTAgent, {"states": "keep"}), (MushroomUCTAgent, {"c": -1}), (MushroomAgent, {"show": 2}),
    ],
)  # fmt: skip
def test_a_bad_option_is_refused(kind, options):
    (name,) = options
    with pytest.raises(ValueError, match=f"{name} must be"):
        made(kind, **options)


@pytest.mark.parametrize("kind", [MushroomAgent, MushroomUCTAgent])
@pytest.mark.parametrize("left", [0.05, 0.001, 0.0])
def test_with_hardly_any_time_left_a_legal_move_is_played(form, kind, left):
    state = games.load("mushroom").start(2)
    player = made(kind)
    player.time_left = left
    assert player.act(state) in state.legal_moves


@pytest.mark.parametrize("kind", [MushroomAgent, MushroomUCTAgent])
@pytest.mark.parametrize("total", [2.0, 0.5, 0.1])
def test_the_time_for_a_game_lasts_to_its_end(monkeypatch, fake_clock, kind, total, play):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    # Each call of the clock takes so little time that the calls of a whole game do not use it up.
    clock = fake_clock(0.0002)

    class Timed(kind):
        left = total

        def act(self, state):
            self.time_left, before = self.left, clock.seconds
            move = super().act(state)
            self.left -= clock.seconds - before
            return move

    player = made(Timed)
    player.now = clock
    end = play(games.load("mushroom").start(6), player, made(GreedyAgent, BLACK))
    assert end.is_game_over()
    assert player.left > 0


def test_show_prints_each_move(capsys):
    made(MushroomAgent, depth=1, show=1).act(games.load("mushroom").start(1))
    assert "x, turn 1: " in capsys.readouterr().out
