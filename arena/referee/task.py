"""What a league has done for it: its games, and the trial starts of its entrants."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.seat import Player
from arena.entrants.entrant import Entrant
from arena.process.charge import Charge
from arena.referee import openings
from arena.referee.clock import Clock
from arena.referee.player_factory import PlayerFactory
from arena.referee.referee import Job, Turn, play
from games.base import Game
from results.record import GameRecord, Seat

__all__ = ["GameTask", "Rehearsal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTask:
    """One game. A spectator can only watch it in the process that plays it.

    Its job may lack the start and the opening: `prepared` makes them where the game is played, since the rules may be
    slow, and are not always ours.
    """

    job: Job
    first: Entrant
    second: Entrant
    charge: Charge
    start_seed: int = 0
    opening_turns: int = 0
    watch: Callable[[Turn], None] | None = None

    def prepared(self) -> Job:
        """The job with all that its seeds stand for."""
        job = self.job
        if not job.start:
            job = replace(job, start=job.game.start(self.start_seed).text)
        if self.opening_turns:
            state = job.game.position(job.start)
            job = replace(job, opening=openings.seeded(state, turns=self.opening_turns, seed=job.seed))
        return job

    def perform(self, factory: PlayerFactory) -> GameRecord:
        """Play it."""
        players: dict[Seat, Player] = {
            "first": factory.player(self.first, charge=self.charge),
            "second": factory.player(self.second, charge=self.charge),
        }
        clock = Clock(self.job.seconds, charge=self.charge)
        return play(self.prepared(), players, clock, sandbox=factory.level, watch=self.watch)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A start of an agent before the first game."""

    entrant: Entrant
    game: Game

    def perform(self, factory: PlayerFactory) -> str:
        """Empty, or why it does not start."""
        return factory.rehearse(self.entrant, self.game)
