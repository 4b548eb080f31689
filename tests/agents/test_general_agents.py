"""What `alphabeta`, `uct` and `puct` have in common, and the time that searching agents spend."""

from pathlib import Path

import pytest

import games
from agents.alphabeta.agent import AlphaBetaAgent
from agents.budget import seconds_for_move
from agents.othello.alphabeta_agent import OthelloAlphaBetaAgent
from agents.othello.strong_agent import OthelloAgent
from agents.puct.agent import PuctAgent
from agents.search.abp_negamax_search_agent import ABPNegamaxSearchAgent
from agents.search.mcts_agent import MCTSAgent
from agents.uct.agent import UCTAgent
from games.base import BLACK, WHITE

MICROCHESS, OTHELLO = games.load("microchess"), games.load("othello")
GAMES = ["chess:turns=10", "go:size=5,turns=40", "gomoku:size=6", "microchess", "mushroom:rows=4,columns=5", "othello"]
#: The class of an agent and the options of a short search.
SHORT = [(AlphaBetaAgent, {"depth": 1}), (UCTAgent, {"simulations": 20}), (PuctAgent, {"simulations": 20})]
SHORT_IDS = ["alphabeta", "uct", "puct"]


def made(kind, color=WHITE, seed=0, **options):
    agent = kind("agent", color, **options)
    agent.rng.seed(seed)
    return agent


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (AlphaBetaAgent, {"depth": 1}),
        (UCTAgent, {"simulations": 8}),
        (UCTAgent, {"simulations": 8, "depth": 3, "amplify": 1}),
        (UCTAgent, {"simulations": 8, "rave": 50, "playout": "weighted"}),
        (PuctAgent, {"simulations": 6}),
        (PuctAgent, {"simulations": 6, "batch": 4, "epsilon": 0.25, "temperature": 1.0, "evaluator": "lead_look"}),
    ],
)
def test_whole_games_are_played_by_legal_moves(form, name, kind, options, plays_against_random, capsys):
    players = {color: made(kind, color, **options) for color in (WHITE, BLACK)}
    plays_against_random(games.load(name).start(seed=3), players.__getitem__)
    assert {player.form for player in players.values()} == {form}
    capsys.readouterr()


@pytest.mark.parametrize(("kind", "options"), SHORT, ids=SHORT_IDS)
def test_an_only_move_is_played_at_once_and_a_finished_game_refused(form, kind, options, capsys):
    passing = OTHELLO.position("XO" + "-" * 62 + " O")
    agent = made(kind, passing.turn)
    assert agent.act(passing) == "pass"
    assert agent.report.nodes == 0
    with pytest.raises(ValueError, match="there is no move to choose: the game is over"):
        made(kind, BLACK).act(MICROCHESS.position("k3/1Q2/1K2/4/4 b - - 0 1"))
    capsys.readouterr()


@pytest.mark.parametrize(("kind", "options"), SHORT, ids=SHORT_IDS)
def test_only_the_python_form_prints_a_notice_and_only_once(kind, options, monkeypatch, capsys):
    agent = made(kind, **options)
    agent.act(MICROCHESS.start())
    assert (agent.form, capsys.readouterr().out) == ("kernel", "")
    monkeypatch.setenv("ARENA_KERNEL", "python")
    agent = made(kind, **options)
    assert agent.form is None
    agent.act(MICROCHESS.start())
    agent.act(MICROCHESS.start())
    assert agent.form == "python"
    assert capsys.readouterr().out == "agent searches in Python: this game has no native search here\n"


@pytest.mark.parametrize(("kind", "options"), SHORT, ids=SHORT_IDS)
def test_show_prints_the_report_of_each_move(kind, options, capsys):
    agent = made(kind, show=1, **options)
    agent.act(MICROCHESS.start())
    out = capsys.readouterr().out
    assert out == f"agent, turn 1: {agent.report}\n"
    assert f"{agent.report.nodes} nodes, depth {agent.report.depth}, score" in out


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((AlphaBetaAgent, options) for options in (
            {"depth": 0}, {"depth": 65}, {"depth": 1.5}, {"nodes": 0}, {"seconds": -1}, {"seconds": "long"},
            {"show": 2},
        )),
        *((UCTAgent, options) for options in (
            {"simulations": 0}, {"seconds": -1}, {"depth": -1}, {"depth": 10**6}, {"c": -1}, {"amplify": 2},
            {"rave": -1}, {"playout": "clever"}, {"show": 2},
        )),
        *((PuctAgent, options) for options in (
            {"simulations": 0}, {"seconds": -1}, {"evaluator": "clever"}, {"c": -1}, {"fpu": -1}, {"batch": 0},
            {"batch": 10**6}, {"virtual_loss": -1}, {"alpha": 0}, {"alpha": 1e308}, {"epsilon": 2},
            {"temperature": -1}, {"show": 2},
        )),
    ],
)  # fmt: skip
def test_an_invalid_option_is_refused_by_name(kind, options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        made(kind, **options)


@pytest.mark.parametrize(
    ("options", "time_left", "seconds"),
    [
        ({}, 100.0, seconds_for_move(100.0)),
        ({}, float("inf"), 1.0),
        ({"seconds": 2}, float("inf"), 2.0),
        ({"seconds": 2}, 10.0, seconds_for_move(10.0)),
        ({"depth": 3}, float("inf"), float("inf")),
    ],
)
@pytest.mark.parametrize("kind", [AlphaBetaAgent, OthelloAlphaBetaAgent, OthelloAgent])
def test_an_agent_spends_its_seconds_but_not_more_than_the_game_allows(kind, options, time_left, seconds, fake_clock):
    given = []

    class Asked(kind):
        def search(self, engine, state, *, seconds):
            given.append((seconds, self.allowed.depth))
            return super().search(engine, state, seconds=0.0)

    agent = made(Asked, BLACK, **options)
    agent.now, agent.time_left, agent.book = fake_clock(tick=0), time_left, False
    agent.act(OTHELLO.start())
    depth = options.get("depth")
    if kind is OthelloAlphaBetaAgent and "seconds" not in options:
        depth = depth or 6  # its default is a limit
        seconds = float("inf") if time_left == float("inf") else seconds
    assert given == [(pytest.approx(seconds), depth)]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "options", "teacher", "teacher_options", "openings", "least"),
    [
        (AlphaBetaAgent, {"nodes": 100_000}, ABPNegamaxSearchAgent, {"depth": 4}, 10, 15),
        # The simulations that each of them runs in about a tenth of a second.
        (UCTAgent, {"simulations": 80_000}, MCTSAgent, {"simulations": 3_000}, 8, 12),
    ],
)
def test_it_beats_the_teaching_agent_from_fair_openings(
    kind, options, teacher, teacher_options, openings, least, points
):
    texts = (Path(__file__).parent / "microchess_openings.txt").read_text(encoding="ascii").splitlines()
    total = 0.0
    for number, text in enumerate(texts[:openings]):
        for color in (WHITE, BLACK):
            opponent = made(teacher, not color, number, **teacher_options)
            total += points(MICROCHESS.position(text), color, made(kind, color, number, **options), opponent)
    assert total >= least
