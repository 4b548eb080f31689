"""The loop of a run: self-play, memory, training, gate, checkpoint; generation after generation.

Generation g plays with the weights of generation g - 1 - lag and then trains the net of generation g - 1 to that of g.
Chunks enter the memory in the order of their numbers, and every random number derives from the seed of the run and the
generation. So the number of workers does not matter, and a run that was killed goes on to the same bits.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias

from agents.self_learning import checkpoint as checkpoints
from agents.self_learning.arrays import write_atomic
from agents.self_learning.checkpoint import Checkpoint, Totals
from agents.self_learning.chunks import PlayedChunk, Task, read_chunk, seed_of
from agents.self_learning.export import export
from agents.self_learning.learner import Chunk
from agents.self_learning.memory import Memory
from agents.self_learning.recipe import Recipe
from agents.self_learning.run_folder import RunFolder, key_of, now
from agents.self_learning.trainer import Losses, Trainer, learning_rate
from agents.self_learning.workers import WorkerPool

__all__ = ["Challenge", "Gate", "Report", "Run", "RunOptions", "Verdict"]

#: Receives what happens, as JSON values; the key `event` says what it is.
Report: TypeAlias = Callable[[Mapping[str, object]], None]

_EXAMPLES: Final = 2
_POLL_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How far a run goes and on how many cores. `minutes` is CPU time of self-play and training; None: no limit."""

    minutes: float | None = 60.0
    workers: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Two agent folders that shall play a match: the new net and the one that plays now."""

    generation: int
    candidate: str
    best: str
    kind: str
    score: float
    games: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether the new net plays from now on, and what the match gave."""

    accepted: bool
    score: float
    games: int


class Gate(Protocol):
    """Decides a challenge by a match."""

    def __call__(self, challenge: Challenge, /) -> Verdict:
        """The verdict."""
        ...


@dataclass(slots=True, kw_only=True)
class _Harvest:
    """What the chunks of one generation gave together."""

    done: Totals = field(default_factory=Totals)
    rows: int = 0
    waited: float = 0.0

    def add(self, played: PlayedChunk, *, rows: int) -> None:
        chunk = played.chunk
        self.done += Totals(
            games=chunk.games, positions=chunk.positions, nodes=chunk.nodes, play_seconds=played.seconds
        )
        self.rows += rows
        self.waited += played.waited


class Run:
    """One run in its folder. `gate` is needed if the recipe has one."""

    def __init__(self, folder: RunFolder, options: RunOptions, *, report: Report, gate: Gate | None = None) -> None:
        self._folder = folder
        self._options = options
        self._report = report
        self._gate = gate
        self._recipe = folder.known_recipe()
        self._stored = checkpoints.newest(folder.checkpoints)
        self._state = self._stored or Checkpoint(generation=0, memory=0, validation=0)
        self._is_checked = False
        self._planned_minutes: float | None = None
        self._dispatched: dict[int, list[Task]] = {}
        self._last_seconds = 0.0

    def train(self) -> Checkpoint:
        """Train until the time is used or the generations are done; returns the state at the end."""
        if self._is_over():  # before torch is imported
            return self._state
        self._open()
        with WorkerPool(self._options.workers, log=self._folder.log) as pool:
            while not self._is_over():
                self._generation(pool)
        return self._state

    def _open(self) -> None:
        """Make the net and open the memory, as the last checkpoint left them."""
        folder, state, settings = self._folder, self._state, self._recipe.run
        self._planned_minutes = folder.planned_minutes(self._options.minutes)
        self._trainer = Trainer(self._recipe.make_learner(), settings)
        row, capacity = self._trainer.learner.row, settings.memory
        self._memory = Memory(folder.memory, row=row, capacity=capacity, written=state.memory)
        unseen = max(1, int(capacity * settings.validation))
        self._validation = Memory(folder.validation, row=row, capacity=unseen, written=state.validation)
        if self._stored is not None:
            self._trainer.restore(self._stored.arrays)
        else:
            write_atomic(folder.weights(0), self._trainer.weights())

    def _is_over(self) -> bool:
        coming = self._state.generation + 1
        if coming not in self._dispatched:
            self._take_requests(coming)
        limit = self._folder.recipe_at(coming).run.generations
        minutes = self._options.minutes
        return bool(
            (limit and self._state.generation >= limit)
            or (minutes is not None and self._state.totals.seconds >= 60 * minutes)
        )

    def _generation(self, pool: WorkerPool) -> None:
        began = time.monotonic()
        generation = self._state.generation + 1
        self._dispatch(pool, generation)
        tasks = self._dispatched.pop(generation)
        recipe = self._folder.recipe_at(generation)
        harvest, stages, examples = self._collect(pool, tasks, recipe)
        collected = time.monotonic()
        if not self._is_checked:
            self._memory.check(generation)
            self._is_checked = True
        rate = learning_rate(recipe.run, self._progress(recipe))
        self._trainer.learner, self._trainer.settings = recipe.make_learner(), recipe.run
        losses = self._trainer.train(
            self._memory, self._validation, rows=harvest.rows, rate=rate, between=pool.pump,
            seed=seed_of(recipe.run.seed, "training", generation),
        )  # fmt: skip
        weights = self._trainer.weights()
        write_atomic(self._folder.weights(generation), weights)
        player = self._challenge(recipe, generation)
        self._finish(recipe, generation, harvest, losses, player)
        row = self._row(harvest, losses, stages) | {
            "rate": rate, "player": player, "waited": collected - began, "workers_waited": harvest.waited,
            "wall": time.monotonic() - began, "workers": self._options.workers, "when": now(),
        }  # fmt: skip
        self._folder.notes.write("curve", {key_of(generation): row})
        self._folder.notes.write("examples", {key_of(generation): examples})
        self._save()
        self._report({"event": "generation", **row})

    def _dispatch(self, pool: WorkerPool, generation: int) -> None:
        """Hand out the chunks of this generation, and of the next ones if their weights are there and time is left."""
        minutes, totals = self._options.minutes, self._state.totals
        is_last = minutes is not None and totals.seconds + self._last_seconds >= 60 * minutes
        lag = 0 if is_last else self._recipe.run.lag
        limit = self._folder.recipe_at(generation).run.generations or generation + lag
        for coming in range(generation, min(generation + lag, max(limit, generation)) + 1):
            if coming in self._dispatched:
                continue
            self._take_requests(coming)
            tasks = self._tasks(coming)
            self._dispatched[coming] = tasks
            pool.submit(task for task in tasks if read_chunk(task) is None)

    def _take_requests(self, generation: int) -> None:
        for change in self._folder.take_requests(generation):
            self._report({"event": "changed", **change})

    def _tasks(self, generation: int) -> list[Task]:
        recipe = self._folder.recipe_at(generation)
        player = self._state.players[max(0, generation - 1 - recipe.run.lag)]
        weights = self._folder.weights(player)
        digest = hashlib.sha256(weights.read_bytes()).hexdigest()
        return [
            Task(
                game=recipe.game, learner=recipe.learner, generation=generation, number=number,
                seed=seed_of(recipe.run.seed, "self-play", generation, number), settings=recipe.own.as_dict(),
                weights=str(weights), weights_hash=digest, path=str(self._folder.chunk(generation, number)),
            )
            for number in range(recipe.run.chunks)
        ]  # fmt: skip

    def _collect(
        self, pool: WorkerPool, tasks: list[Task], recipe: Recipe
    ) -> tuple[_Harvest, Counter[str], list[dict[str, object]]]:
        """Put the chunks into the memory, in the order of their numbers."""
        harvest, stages, examples = _Harvest(), Counter[str](), list[dict[str, object]]()
        for task in tasks:
            while (played := read_chunk(task)) is None:
                pool.pump(_POLL_SECONDS)
            rows = played.chunk.rows
            cut = len(rows) - round(len(rows) * recipe.run.validation)
            self._memory.append(rows[:cut], generation=task.generation)
            self._validation.append(rows[cut:], generation=task.generation)
            harvest.add(played, rows=cut)
            stages.update(played.chunk.seconds)
            examples += _examples(played.chunk)[: _EXAMPLES - len(examples)]
            self._report(
                {"event": "chunk", "generation": task.generation, "number": task.number, "of": len(tasks),
                 "games": played.chunk.games, "positions": played.chunk.positions, "seconds": played.seconds}
            )  # fmt: skip
        return harvest, stages, examples

    def _progress(self, recipe: Recipe) -> float:
        """The share of the schedule that is done; more than 1 in a run that goes on for longer than it was meant to.

        Its length is that of the run as it was started, so that more time later does not raise the learning rate again.
        """
        generations = self._recipe.run.generations
        length = recipe.run.schedule_length or generations or self._planned_minutes
        done = self._state.generation if generations else self._state.totals.seconds / 60
        return done / length if length else 0.0

    def _challenge(self, recipe: Recipe, generation: int) -> int:
        """The generation that plays from now on. A verdict is stored, so that it is the same after a kill."""
        best = self._state.players[-1]
        if recipe.run.gate == "none" or self._gate is None:
            return generation
        verdicts = self._folder.notes.read("gates")
        found = verdicts.get(key_of(generation))
        if found is None:
            places = {
                each: export(self._folder, generation=each, target=self._folder.path / "agents" / f"g{each:06}")
                for each in (generation, best)
            }
            challenge = Challenge(
                generation=generation, candidate=str(places[generation]), best=str(places[best]),
                kind=recipe.run.gate, score=recipe.run.gate_score, games=recipe.run.gate_games,
                player=recipe.run.player,
            )  # fmt: skip
            verdict = self._gate(challenge)
            found = {"accepted": verdict.accepted, "score": verdict.score, "games": verdict.games, "best": best}
            self._folder.notes.write("gates", {key_of(generation): found})
        return generation if found["accepted"] else best

    def _finish(self, recipe: Recipe, generation: int, harvest: _Harvest, losses: Losses, player: int) -> None:
        done = harvest.done + Totals(steps=losses.steps, train_seconds=losses.seconds)
        self._last_seconds = done.seconds
        self._state = replace(
            self._state, generation=generation, memory=self._memory.written, validation=self._validation.written,
            totals=self._state.totals + done, players=(*self._state.players, player), settings=recipe.as_dict(),
        )  # fmt: skip

    def _row(self, harvest: _Harvest, losses: Losses, stages: Mapping[str, float]) -> dict[str, Any]:
        totals = self._state.totals
        return {
            "generation": self._state.generation,
            "games": harvest.done.games,
            "positions": harvest.done.positions,
            "nodes": harvest.done.nodes,
            "rows": harvest.rows,
            "steps": losses.steps,
            "play_seconds": harvest.done.play_seconds,
            "train_seconds": losses.seconds,
            "stages": dict(stages),
            "losses": dict(losses.training),
            "validation": dict(losses.validation),
            "memory": len(self._memory),
            "total_games": totals.games,
            "total_positions": totals.positions,
            "total_seconds": totals.seconds,
        }

    def _save(self) -> None:
        """Make the generation durable, then remove the chunks that are in the memory."""
        self._memory.flush()
        self._validation.flush()
        checkpoints.save(self._folder.checkpoints, replace(self._state, arrays=self._trainer.state()))
        for path in (self._folder.path / "chunks").glob("*.chunk"):
            if int(path.name.partition("-")[0]) <= self._state.generation:
                path.unlink(missing_ok=True)


def _examples(chunk: Chunk) -> list[dict[str, object]]:
    """The example games of a chunk as JSON; an empty start is the game's own."""
    starts = chunk.starts or ("",) * len(chunk.examples)
    return [{"start": start, "moves": list(moves)} for start, moves in zip(starts, chunk.examples, strict=True)]
