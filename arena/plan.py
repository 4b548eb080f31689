"""What a league is to be, and the games that follow from it."""

from dataclasses import dataclass, field
from pathlib import Path

from arena import openings, schedule
from arena.clock import Charge
from arena.entrants import Entrant
from arena.errors import BadSettings
from arena.referee import Job
from arena.sandbox.launch import DEFAULT_MEMORY, Rules
from arena.schedule import Pairing
from arena.seeds import derive
from arena.size import check_memory
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

    def pairings(self) -> list[Pairing]:
        """Every game of it: rounds of a league, games of a match."""
        if self.kind == "league":
            return list(schedule.round_robin(len(self.entrants), rounds=self.games))
        return list(schedule.match(self.games))

    def settings(self) -> dict[str, object]:
        """What must stay the same for the league to go on."""
        return {
            "game": self.game.name,
            "game version": self.game.version,
            "parameters": dict(self.game.parameters),
            "rounds" if self.kind == "league" else "games": self.games,
            "time": self.seconds,
            "opening turns": self.opening_turns,
            "openings": list(self.openings),
            "position": self.position,
            "clock": self.charge,
            "confined": self.rules is not None,
            "memory": self.rules.memory if self.rules else None,
            "scratch": self.rules.scratch if self.rules else None,
        }

    def job(self, league: League, pairing: Pairing) -> Job:
        """One of its games, with the dice of this league."""
        opening = str(pairing.opening)
        start = self._start(pairing, derive(league.secret, "start", opening))
        seed = derive(league.secret, "opening", opening)
        return Job(
            league=league.name, key=pairing.key, game=self.game, seconds=self.seconds,
            first=league.entrants[pairing.first - 1], second=league.entrants[pairing.second - 1],
            start=start, opening=openings.seeded(self.game.position(start), turns=self.opening_turns, seed=seed),
            seed=seed, seed_first=derive(league.secret, pairing.key, "first"),
            seed_second=derive(league.secret, pairing.key, "second"),
        )  # fmt: skip

    def _start(self, pairing: Pairing, seed: int) -> str:
        if self.position is not None:
            return self.position
        if self.openings:  # by round, so that everybody has met from every position when the file is through
            return self.openings[pairing.round % len(self.openings)]
        return self.game.start(seed).text


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

    def plan(self, kind: Kind, entrants: tuple[Entrant, ...], *, games: int) -> Plan:
        """A plan with everything read and checked."""
        game = self._game()
        try:
            check_memory(self.memory)
        except ValueError as error:
            raise BadSettings(str(error)) from error
        start = game.start() if self.position is None else openings.open_position(game, self.position)
        openings.seeded(start, turns=self.opening_turns, seed=0)  # refuses what no game can do
        if self.position is not None and self.openings is not None:
            raise BadSettings("a position and a file of openings exclude each other; leave one out")
        return Plan(
            kind=kind, game=game, entrants=entrants, games=games,
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
