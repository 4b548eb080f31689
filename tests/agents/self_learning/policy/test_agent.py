"""The agent `self_learning`."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import games
from agents.core.engine import Limits
from agents.puct.search import PuctSettings
from agents.self_learning.agent import SelfLearningAgent, read_network
from agents.self_learning.architecture import NetworkFile
from agents.self_learning.evaluators import NativeEvaluator
from agents.self_learning.network_search import make_search
from games.base import BLACK, WHITE

WEIGHTS = Path(sys.modules[SelfLearningAgent.__module__].__file__ or "").parent / "weights"
#: The games whose networks come with the arena.
SHIPPED = ["microchess", "mushroom"]


@pytest.fixture
def weights(tmp_path: Path, random_network) -> str:
    path = tmp_path / "weights.bin"
    path.write_bytes(random_network().to_bytes())
    return str(path)


def test_it_plays_a_whole_game_and_keeps_its_tree(weights):
    agent = SelfLearningAgent("net", WHITE, simulations=40, weights=weights)
    state = games.load("microchess").start()
    while state.ending is None:
        state = state.forward(agent.act(state))
        assert agent.report is not None
        if agent.report.visits:
            assert sum(each.visits for each in agent.report.visits) >= 39
            assert sum(each.prior for each in agent.report.visits) == pytest.approx(1)
            assert agent.report.nodes == 40
    assert agent.form == "kernel"


@pytest.mark.parametrize("evaluator", ["native", "numpy"])
def test_equal_simulations_give_equal_moves(weights, evaluator):
    state = games.load("microchess").start()
    for _ in range(6):
        moves = {
            str(SelfLearningAgent("net", WHITE, simulations=60, weights=weights, evaluator=evaluator).act(state))
            for _ in range(2)
        }
        assert len(moves) == 1
        state = state.forward(state.parse(moves.pop()))


def test_without_the_native_module_it_searches_in_python(weights, monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    agent = SelfLearningAgent("net", WHITE, simulations=20, weights=weights)
    state = games.load("microchess").start()
    assert agent.act(state) in state.legal_moves
    assert agent.form == "python"


def test_it_stops_in_time(weights):
    agent = SelfLearningAgent("net", WHITE, seconds=0.02, weights=weights, evaluator="numpy")
    state = games.load("microchess").start()
    assert agent.act(state) in state.legal_moves
    assert agent.report is not None
    assert agent.report.nodes >= 1


def test_weights_of_another_game_and_missing_weights_are_refused(weights, tmp_path):
    othello = games.load("othello").start()
    with pytest.raises(ValueError, match=r"weights.bin plays microchess, not othello"):
        SelfLearningAgent("net", WHITE, simulations=5, weights=weights).act(othello)
    with pytest.raises(ValueError, match="there is no trained network for chess"):
        read_network(games.load("chess").start())
    with pytest.raises(ValueError, match=r"cannot read the network none.bin"):
        read_network(othello, tmp_path / "none.bin")
    with pytest.raises(ValueError, match="evaluator must be one of"):
        SelfLearningAgent("net", WHITE, evaluator="gpu")


def test_it_needs_neither_torch_nor_onnxruntime(weights):
    code = f"""
import sys
for name in ("torch", "onnx", "onnxruntime"):
    sys.modules[name] = None
import games
from agents.self_learning.agent import SelfLearningAgent
for evaluator in ("auto", "numpy"):
    agent = SelfLearningAgent("net", True, simulations=10, weights={weights!r}, evaluator=evaluator)
    print(agent.act(games.load("microchess").start()))
"""
    found = subprocess.run([sys.executable, "-P", "-s", "-c", code], capture_output=True, text=True, check=True)
    assert len(found.stdout.split()) == 2


def test_a_network_for_another_size_of_the_board_is_refused(tmp_path, random_network):
    path = tmp_path / "weights.bin"
    path.write_bytes(random_network("gomoku:size=6").to_bytes())
    for evaluator in ("native", "numpy"):
        agent = SelfLearningAgent("net", WHITE, simulations=4, weights=str(path), evaluator=evaluator)
        for size in (5, 7):
            with pytest.raises(ValueError, match=r"weights.bin plays on a board of 6x6, not on this one"):
                agent.act(games.load(f"gomoku:size={size}").start())


def test_with_a_temperature_games_differ(weights):
    state = games.load("microchess").start()
    moves = set()
    for _ in range(20):
        moves.add(str(SelfLearningAgent("net", WHITE, simulations=20, weights=weights, temperature=2.0).act(state)))
    assert len(moves) > 1


def test_pitfall_14_half_precision_plays_as_well():
    openings = (Path(__file__).parents[2] / "microchess_openings.txt").read_text().splitlines()
    starts = [games.load("microchess").position(line) for line in openings if not line.startswith("#")][:12]
    exact = read_network(starts[0])
    files = {True: exact, False: NetworkFile.from_bytes(exact.to_bytes(half=True))}
    points = 0.0
    for state in starts:
        for color in (WHITE, BLACK):
            points += points_of_half_precision(color, state, files)
    assert 0.35 < points / (2 * len(starts)) < 0.65


def points_of_half_precision(color, state, files):
    """A game of the network in half precision, which has this colour, against the exact one."""
    searches = {
        is_exact: make_search(
            state, NativeEvaluator(file), PuctSettings(c=1.5, fpu=0.2), now=time.monotonic, rng=random.Random(0)
        )
        for is_exact, file in files.items()
    }
    while state.ending is None:
        report = searches[state.turn != color].search(state, Limits(simulations=30))
        state = state.forward(state.parse(report.move))
    return state.ending.points(color)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_network_is_small_and_beats_random_moves(name):
    assert (WEIGHTS / f"self_learning-{name}.bin").stat().st_size <= 2_000_000
    rng, points = random.Random(1), 0.0
    for color in (WHITE, BLACK) * 3:
        agent, state = SelfLearningAgent("net", color, simulations=20), games.load(name).start()
        while state.ending is None:
            state = state.forward(agent.act(state) if state.turn == color else rng.choice(list(state.legal_moves)))
        points += state.ending.points(color)
    assert points >= 5


def test_no_networks_are_shipped_that_no_test_knows():
    assert sorted(path.stem for path in WEIGHTS.glob("self_learning-*.bin")) == [
        f"self_learning-{name}" for name in SHIPPED
    ]
