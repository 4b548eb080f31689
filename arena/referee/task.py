"""The tasks of a league that need players: games, and trial starts of entrants."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.seat import Fault, Player
from arena.entrants.entrant import Entrant
from arena.process.charge import Charge
from arena.referee import openings
from arena.referee.adjudication import NO_ADJUDICATION, Adjudication
from arena.referee.live_sheet import open_sheet
from arena.referee.players import ProcessPlayers
from arena.referee.referee import Clock, Job, Turn, play
from arena.referee.reports import AgentReport, Claims
from games.base import Game
from results.record import GameRecord, Seat
from results.text import plain

__all__ = ["GameTask", "Rehearsal", "Trial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTask:
    """One game. It carries no path: the process that plays it finds the code of the entrants by their hashes.

    The job may lack the start and the opening. `prepared` adds them where the game is played, since the rules may be
    slow, or not ours. A game with `watch` or `hear` must be played in the process that made the task. `results` names
    the results file for those who watch; with `reports`, agents are asked what their search thinks.
    """

    job: Job
    first: Entrant
    second: Entrant
    charge: Charge
    start_seed: int = 0
    opening_turns: int = 0
    adjudication: Adjudication = NO_ADJUDICATION
    watch: Callable[[Turn], None] | None = None
    hear: Callable[[Seat, AgentReport], None] | None = None
    reports: bool = False
    results: str = ""

    def prepared(self) -> Job:
        """The job with its start position and its opening."""
        job = self.job
        if not job.start:
            job = replace(job, start=job.game.start(self.start_seed).text)
        if self.opening_turns:
            state = job.game.position(job.start)
            for text in job.opening:
                state = state.forward(state.parse(text))
            random_moves = openings.seeded(state, turns=self.opening_turns, seed=job.seed)
            job = replace(job, opening=(*job.opening, *random_moves))
        return job

    def perform(self, players: ProcessPlayers) -> GameRecord:
        """Play the game."""
        job, clock = self.prepared(), Clock(self.job.time_control, charge=self.charge)
        claims, made = Claims(turns=len(job.opening)), len(job.opening)
        with open_sheet(job, results=self.results) as sheet:

            def show(turn: Turn) -> None:
                nonlocal made
                made += (turn.move is not None) - turn.taken_back
                claims.made(made)
                sheet.turn(turn)
                if self.watch is not None:
                    self.watch(turn)

            def hear(seat: Seat, report: AgentReport) -> None:
                if not self.reports:  # only the referee wants to know
                    return
                claims.hear(report)
                sheet.report(seat, report)
                if self.hear is not None:
                    self.hear(seat, report)

            judges = self.adjudication.is_on
            make = players.factory(
                self.charge, seconds=job.seconds, on_report=hear if self.reports or judges else None, wants_score=judges
            )
            seats: dict[Seat, Player] = {"first": make(self.first, "first"), "second": make(self.second, "second")}
            record = play(job, seats, clock, sandbox=players.level, watch=show, adjudication=self.adjudication)
            return replace(record, claims=claims.records())


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of a rehearsal: why the entrant does not start, or an empty text.

    `is_misnamed` means that the text that names the entrant is wrong: it has an option that the engine does not have.
    """

    why: str = ""
    is_misnamed: bool = False


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A trial start of an entrant before the first game."""

    entrant: Entrant
    game: Game
    #: The time budget of its games, which decides how long it may take to start.
    seconds: float = math.inf

    def perform(self, players: ProcessPlayers) -> Trial:
        """Start the entrant once."""
        player = players.factory("fair", seconds=self.seconds)(self.entrant, "first")
        try:
            player.open(self.game, self.game.first, start=self.game.start().text, seed=0)
        except Fault as fault:
            return Trial(plain(fault.detail, limit=200), "option" in fault.evidence)
        finally:
            player.close()
        return Trial()
