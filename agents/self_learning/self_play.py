"""Self-play: a chunk of games by one network, natively, many games at once."""

import hashlib
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from agents.self_learning.architecture import NetworkFile
from agents.self_learning.errors import TrainingError
from agents.self_learning.evaluators import Cached, NativeEvaluator, make_evaluator
from agents.self_learning.learner import Chunk
from agents.self_learning.policy_settings import PolicySettings
from agents.self_learning.rows import row_type
from games.base import Game, State

__all__ = ["play_chunk", "policy_width"]

_EXAMPLES: Final = 4
#: Games at once. Natively a few are enough; other evaluators need large batches.
_NATIVE_PARALLEL: Final = 32
_BATCH_PARALLEL: Final = 192
#: Most moves of a position by game, where they are fewer than the actions. The few positions with more moves lose the
#: least likely ones.
_WIDTHS: Final = {"microchess": 64, "othello": 33, "mushroom": 192}
_MOST_WIDTH: Final = 400


def policy_width(game: Game, actions: int, settings: PolicySettings) -> int:
    """The number of moves that a stored policy has room for."""
    return settings.width or min(actions, _WIDTHS.get(game.name, _MOST_WIDTH))


def play_chunk(game: Game, file: NetworkFile, settings: PolicySettings, *, generation: int, seed: int) -> Chunk:
    """Play `settings.games` games. The same arguments give the same rows, to the bit."""
    evaluator = make_evaluator(file, settings.evaluator)
    native = isinstance(evaluator, NativeEvaluator)
    parallel = settings.parallel or (_NATIVE_PARALLEL if native else _BATCH_PARALLEL)
    width = policy_width(game, file.shape.actions, settings)
    starts = _starts(game, settings.games, seed)
    forest = _forest(starts, settings, seed=seed, generation=generation, parallel=parallel, width=width)
    net_seconds = 0.0
    if isinstance(evaluator, NativeEvaluator):
        forest.run(evaluator.perceptron)
    else:
        cached = Cached(evaluator)
        inputs = np.empty((parallel * settings.leaves, file.shape.inputs), np.float32)
        while found := forest.collect(inputs):
            began = time.process_time()
            outputs = cached.evaluate(inputs[:found])
            net_seconds += time.process_time() - began
            forest.expand(outputs.values, outputs.logits)
    games, positions, nodes, size, seconds, examples = forest.figures()
    kind = row_type(file.shape, width)
    assert kind.itemsize == size, "rows.py and samples.hpp differ"
    rows = np.frombuffer(forest.rows(), dtype=kind)
    stages = dict(seconds)
    stages["net"] += net_seconds
    drawn = tuple(state.text for state in starts[: len(examples)]) if len(starts) > 1 else ()
    return Chunk(
        rows=rows, games=games, positions=positions, nodes=nodes, seconds=stages, examples=examples, starts=drawn
    )


def _forest(
    starts: Sequence[State], settings: PolicySettings, *, seed: int, generation: int, parallel: int, width: int
) -> Any:
    module = extension("agents.self_learning._forest")
    write = knowledge_of(starts[0]).native_position
    if module is None or write is None:
        raise TrainingError("self-play needs the native module of the game, which was not built or cannot play it")
    first = write(starts[0])
    return module.Forest(
        first.game, tuple(state.text for state in starts), **first.parameters, games=settings.games, parallel=parallel,
        examples=_EXAMPLES, seed=seed % 2**64, generation=generation, c=settings.c, fpu=settings.fpu,
        loss=settings.virtual_loss, epsilon=settings.noise, alpha=settings.alpha,
        root_temperature=settings.root_temperature, forced=settings.forced, considered=settings.gumbel,
        full=settings.simulations, fast=settings.fast, full_share=settings.full_share,
        record_fast=settings.record_fast, temperature=settings.temperature, temperature_end=settings.temperature_end,
        halflife=settings.halflife, opening=settings.opening, surprise=settings.surprise, leaves=settings.leaves,
        most_turns=settings.most_turns, width=width,
    )  # fmt: skip


def _starts(game: Game, games: int, seed: int) -> list[State]:
    """The start positions: one where it is always the same, else one for each game."""
    first = game.start(_number(seed, 0))
    if game.start(_number(seed, 1)).text == first.text:
        return [first]
    return [first, *(game.start(_number(seed, index)) for index in range(1, games))]


def _number(seed: int, index: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:4], "little")
