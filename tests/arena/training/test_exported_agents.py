"""Exported agents of the real learners: they play in the sandbox without torch, and exactly as their trainer plays."""

import math
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import arena
import games
from agents.core.engine import Engine, Limits
from agents.puct.search import PuctSettings
from agents.self_learning import agent
from agents.self_learning.architecture import NetworkFile
from agents.self_learning.evaluators import NativeEvaluator, make_evaluator
from agents.self_learning.export import export
from agents.self_learning.learned_alphabeta import NativeLearnedSearch, native_game
from agents.self_learning.network_search import make_search
from agents.self_learning.policy_learner import PolicyLearner
from agents.self_learning.policy_settings import PolicySettings
from agents.self_learning.recipe import Recipe
from agents.self_learning.run_folder import RunFolder
from games.base import BLACK, WHITE, State
from results.api import Games

WEIGHTS = Path(agent.__file__).parent / "weights"
#: As on a machine without them: importing one of them is an error.
WITHOUT = "import sys\n\nfor missing in ('torch', 'onnx', 'onnxruntime'):\n    sys.modules[missing] = None\n\n"
OPPONENT = "alphabeta:depth=2"


def value_search(weights: bytes, state: State) -> Engine:
    """The search of self-play of `learned_alphabeta`."""
    game = native_game(state, weights)
    assert game is not None
    return NativeLearnedSearch(game)


def policy_search(weights: bytes, state: State) -> Engine:
    """The search of self-play of `self_learning`, without noise."""
    evaluator = make_evaluator(NetworkFile.from_bytes(weights), PolicySettings().evaluator)
    assert isinstance(evaluator, NativeEvaluator)
    settings = PuctSettings(c=PolicySettings().c, fpu=PolicySettings().fpu)
    return make_search(state, evaluator, settings, now=time.monotonic, rng=random.Random(0))


LEARNERS: dict[str, tuple[Callable[[bytes, State], Engine], str, Limits]] = {
    # Self-play has no contempt for draws, and no tables of endings.
    "learned_alphabeta": (value_search, "nodes=300,contempt=0,endings=no", Limits(nodes=300, seconds=math.inf)),
    "self_learning": (policy_search, "simulations=60", Limits(simulations=60, seconds=math.inf)),
}


def exported(learner: str, folder: Path) -> tuple[Path, bytes]:
    """The agent folder of a run whose only weights are the shipped ones, and these weights."""
    run = RunFolder(folder / "run")
    run.create(Recipe.of({"game": "microchess", "learner": learner}))
    weights = (WEIGHTS / f"{learner}-microchess.bin").read_bytes()
    run.weights(0).write_bytes(weights)
    place = export(run, generation=0, target=folder / "exported")
    source = place / "agent.py"
    source.write_text(WITHOUT + source.read_text())
    return place, weights


def play(learner: str, folder: Path, *, number: int) -> tuple[Games, bytes]:
    """Games of the exported agent in the sandbox, and its weights."""
    place, weights = exported(learner, folder)
    one = f"{place}:{LEARNERS[learner][1]}"
    arena.benchmark(
        one, OPPONENT, games=number, game="microchess", seed="1", name="exported", time=600, workers=1, opening_turns=4,
        db=folder / "games.db",
    )  # fmt: skip
    return arena.open(folder / "games.db").games("exported"), weights


def count_equal_moves(found: Games, learner: str, weights: bytes) -> int:
    """See that there is no fault and that a search in this process finds the same moves; returns their number."""
    make, _, limits = LEARNERS[learner]
    compared = 0
    for game in found:
        assert game.fault is None, game.fault
        record, is_first = game.record, game.first.startswith("exported")
        color, seed = (WHITE, record.seed_first) if is_first else (BLACK, record.seed_second)
        rng = random.Random(random.Random(seed).getrandbits(64))  # as the sandbox makes that of an agent
        state, search = games.load("microchess").position(record.start), None
        for number, move in enumerate(record.moves):
            if state.turn is color and number >= len(record.opening):
                search = search or make(weights, state)
                if len(state.legal_moves) > 1:
                    seeded = replace(limits, seed=rng.getrandbits(63) | 1)
                    assert search.search(state, seeded).move == move.text
                    compared += 1
            state = state.forward(state.parse(move.text))
    return compared


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("number", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_an_exported_agent_plays_in_the_sandbox_without_torch_and_as_its_trainer(
    learner: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    found, weights = play(learner, tmp_path, number=number)
    assert len(found) == number
    assert count_equal_moves(found, learner, weights) > 5 * number


@pytest.mark.parametrize("needs", ["", ",needs=onnxruntime"], ids=["numpy", "onnxruntime"])
def test_a_network_with_convolutions_plays_in_the_sandbox(tmp_path: Path, needs: str) -> None:
    learner = PolicyLearner("microchess", PolicySettings(network="2x8"))
    (tmp_path / "agent.py").write_text(learner.agent())
    (tmp_path / "weights.bin").write_bytes(learner.weights(learner.network(1)))
    played = arena.play(
        f"{tmp_path}:simulations=4{needs}", "random", game="microchess:turns=2", db=tmp_path / "games.db"
    )
    assert (played.fault, len(played.record.moves)) == (None, 2)
