"""What a league is to be, and how its games begin."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.competition.seeds import derive
from arena.entrants.engines import fitted
from arena.entrants.entrant import Entrant
from arena.entrants.size import check_memory
from arena.errors import BadSettings
from arena.formats import swiss
from arena.formats.round_robin import Format, Pairing
from arena.process.charge import Charge
from arena.referee import openings
from arena.referee.referee import Job, Turn
from arena.referee.task import GameTask
from arena.sandbox.launch import DEFAULT_MEMORY, Rules
from games.base import Game, join_parameters, load, split_parameters
from results.league import Kind, League

__all__ = ["Options", "Plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a league is to be: everything that shapes its games."""

    kind: Kind
    game: Game
    entrants: tuple[Entrant, ...]
    games: int
    seconds: float
    opening_turns: int = 0
    openings: tuple[str, ...] = ()
    position: str | None = None
    seed: str | None = None
    charge: Charge = "fair"
    rules: Rules | None = field(default_factory=Rules)
    needs: tuple[str, ...] = ()
    format: Format = "match"
    suspend_after: float | None = None
    sprt: Mapping[str, object] | None = None

    def settings(self) -> dict[str, object]:
        """What must stay the same for the league to go on."""
        return {
            "game": self.game.name,
            "game version": self.game.version,
            "parameters": dict(self.game.parameters),
            "format": self.format,
            "rounds": self.games,
            "suspend after": self.suspend_after,
            "time": self.seconds,
            "opening turns": self.opening_turns,
            "openings": list(self.openings),
            "position": self.position,
            "clock": self.charge,
            "confined": self.rules is not None,
            "memory": self.rules.memory if self.rules else None,
            "scratch": self.rules.scratch if self.rules else None,
            "needs": list(self.needs),
            "sprt": self.sprt,
        }

    def task(
        self, league: League, pairing: Pairing, *, first: Entrant, second: Entrant,
        charge: Charge | None = None, watch: Callable[[Turn], None] | None = None,
    ) -> GameTask:  # fmt: skip
        """One of its games, with the dice of this league."""
        job = Job(
            league=league.name, key=pairing.key, game=self.game, seconds=self.seconds,
            first=first.record(), second=second.record(), start=self._start(pairing), opening=(),
            seed=derive(league.secret, "opening", pairing.opening),
            seed_first=derive(league.secret, pairing.key, "first"),
            seed_second=derive(league.secret, pairing.key, "second"),
        )  # fmt: skip
        return GameTask(
            job=job, first=first, second=second, charge=charge or self.charge, watch=watch,
            start_seed=derive(league.secret, "start", pairing.opening), opening_turns=self.opening_turns,
        )  # fmt: skip

    def _start(self, pairing: Pairing) -> str:
        """The position that was asked for; empty for the game's own."""
        if self.openings:  # by round, so that everybody has met from every position when the file is through
            number = pairing.round
            if self.format == "knockout":  # where one round has several pairs of games
                number += int(pairing.opening.rpartition(":")[2])
            return self.openings[number % len(self.openings)]
        return self.position or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options that shape games and how they are run, as people give them; the same in every command."""

    game: str = "microchess"
    time: float | None = None
    turns: int | None = None
    opening_turns: int = 0
    openings: Path | None = None
    position: str | None = None
    seed: str | None = None
    clock: Charge = "fair"
    memory: int = DEFAULT_MEMORY
    scratch: int = 0
    needs: tuple[str, ...] = ()
    trust_agents: bool = False
    format: Format = "match"
    suspend_after: float | None = None
    sprt: Mapping[str, object] | None = None

    def plan(self, kind: Kind, entrants: tuple[Entrant, ...], *, games: int | None = None) -> Plan:
        """A plan with everything read and checked; `games` are the rounds of a league, None for the usual number."""
        game = self._game()
        try:
            check_memory(self.memory)
        except ValueError as error:
            raise BadSettings(str(error)) from error
        start = game.start() if self.position is None else openings.open_position(game, self.position)
        openings.seeded(start, turns=self.opening_turns, seed=0)  # refuses what no game can do
        if self.position is not None and self.openings is not None:
            raise BadSettings("a position and a file of openings exclude each other; leave one out")
        has_positions = self.position is not None or self.openings is not None
        entrants = tuple(
            fitted(entrant, game, opening_turns=self.opening_turns, has_positions=has_positions) for entrant in entrants
        )
        return Plan(
            kind=kind, game=game, entrants=entrants, format=self.format, games=self._rounds(games, len(entrants)),
            suspend_after=self.suspend_after, sprt=self.sprt,
            seconds=game.seconds if self.time is None else self.time, opening_turns=self.opening_turns,
            openings=openings.read(self.openings, game) if self.openings else (),
            position=start.text if self.position is not None else None,
            seed=self.seed, charge=self.clock, needs=self.needs,
            rules=None if self.trust_agents else Rules(memory=self.memory, scratch=self.scratch),
        )  # fmt: skip

    def _game(self) -> Game:
        game = load(self.game)
        if self.turns is None:
            return game
        if "turns" not in game.parameters:
            raise BadSettings(f"{game.name} has no turn limit; leave --turns out")
        name, parameters = split_parameters(self.game)
        return load(join_parameters(name, parameters | {"turns": self.turns}))

    def _rounds(self, given: int | None, entrants: int) -> int:
        if self.format != "swiss":
            return given or 1
        rounds = given or swiss.swiss_rounds(entrants)
        swiss.check_swiss(entrants, rounds)
        return rounds
