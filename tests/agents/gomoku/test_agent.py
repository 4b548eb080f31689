"""The agent `gomoku`: it wins at once, blocks, keeps to its limits and to the rules."""

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.budget import seconds_for_move
from agents.gomoku.agent import GomokuAgent
from games.base import BLACK, WHITE


def agent(color=BLACK, seed=0, **options):
    player = GomokuAgent("gomoku", color, **options)
    player.rng.seed(seed)
    return player


def test_a_five_is_made(form, drawn):
    state = drawn(
        """
        .......
        .OO.O..
        .XX.XX.
        .......
        ...O...
        .......
        ......."""
    )
    player = agent(depth=2)
    assert player.act(state) == "3,2"
    assert player.form == form


def test_a_five_is_made_rather_than_one_stopped(form, drawn):
    state = drawn(
        """
        .......
        OOOO...
        XXXX...
        .......
        .......
        .......
        ......."""
    )
    assert agent(depth=2).act(state) == "4,2"


def test_a_four_is_stopped(form, drawn):
    state = drawn(
        """
        .......
        .......
        OXXXX..
        .......
        ...O...
        ..O....
        .......""",
        "O",
    )
    assert agent(WHITE, depth=2).act(state) == "5,2"


def test_an_open_three_is_stopped(form, drawn):
    state = drawn(
        """
        .........
        .........
        .........
        ...XXX...
        .........
        .........
        .........
        ...O.....
        .......O.""",
        "O",
    )
    assert agent(WHITE, depth=2).act(state) in {"2,3", "6,3"}


def test_an_open_four_is_made_rather_than_a_three_stopped(form, drawn):
    state = drawn(
        """
        .........
        .........
        ..OOO....
        .........
        ...XXX...
        .........
        .........
        .........
        ........."""
    )
    assert agent(depth=2).act(state) in {"2,4", "6,4"}


def test_the_first_stone_stands_in_the_middle(form):
    assert agent(depth=1).act(games.load("gomoku").start()) == "5,5"


def test_the_last_point_is_taken_at_once(form, drawn):
    state = drawn("XXOXO OOXOX XXOXO OOXOX XXOX.")
    player = agent(depth=3)
    assert player.act(state) == "4,4"
    assert player.report.nodes == 0


@pytest.mark.parametrize("size", [5, 6, 9, 11, 20])
def test_whole_games_are_played_by_legal_moves(form, size, play):
    for color in (BLACK, WHITE):
        player, opponent = agent(color, nodes=30 if form == "python" else 300), RandomAgent("y", not color)
        opponent.rng.seed(1)
        white, black = (player, opponent) if color == WHITE else (opponent, player)
        end = play(games.load(f"gomoku:size={size}").start(), white, black).ending
        assert end is not None
        if size > 6:
            assert end.winner == color


def test_equal_seeds_play_equal_games(play):
    start = games.load("gomoku:size=9").start().forward("4,4").forward("2,3")
    ends = {
        play(start, agent(WHITE, seed=seed, nodes=500), agent(BLACK, seed=seed, nodes=500), most=20).text
        for seed in (1, 1, 1)
    }
    assert len(ends) == 1


def test_a_finished_game_is_refused(form, drawn):
    with pytest.raises(ValueError, match="the game is over"):
        agent(depth=1).act(drawn("XXXXX ..... OOOO. ..... .....", "O"))


def test_another_game_is_refused():
    with pytest.raises(ValueError, match="gomoku plays Gomoku only"):
        agent(depth=1).act(games.load("othello").start())


@pytest.mark.parametrize(
    "options", [{"depth": 0}, {"depth": 65}, {"seconds": -1}, {"nodes": 0}, {"show": 2}, {"depth": "deep"}]
)
def test_a_bad_option_is_refused(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"{name} must be"):
        agent(**options)


def test_without_options_a_share_of_the_time_is_spent(monkeypatch, fake_clock):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    state = games.load("gomoku:size=9").start().forward("4,4")
    player = agent(WHITE)
    player.now = clock = fake_clock(0.01)
    player.time_left = 20.0
    before = clock.seconds
    player.act(state)
    assert clock.seconds - before <= seconds_for_move(20.0) + 0.05


@pytest.mark.parametrize("left", [0.05, 0.001, 0.0])
def test_with_hardly_any_time_left_a_legal_move_is_played(form, left, drawn):
    state = games.load("gomoku").start().forward("5,5")
    player = agent(WHITE)
    player.time_left = left
    assert player.act(state) in state.legal_moves


def test_show_prints_each_move(capsys):
    player = agent(WHITE, depth=1, show=1)
    player.act(games.load("gomoku:size=7").start().forward("3,3"))
    assert "gomoku, turn 2: " in capsys.readouterr().out


def test_the_python_form_prints_a_notice(monkeypatch, capsys):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    agent(WHITE, depth=1).act(games.load("gomoku:size=5").start().forward("2,2"))
    assert capsys.readouterr().out == "gomoku searches in Python: this game has no native search here\n"


def test_reset_forgets_the_game_before():
    player = agent(WHITE, depth=1)
    player.act(games.load("gomoku:size=7").start().forward("3,3"))
    player.reset()
    assert player.form is None
