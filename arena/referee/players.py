"""Makes the players of entrants, confined as the organiser chose."""

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self, TypeAlias

from agents.seat import Player
from arena.entrants.engines import hash_of, stamp_of
from arena.entrants.entrant import Entrant
from arena.entrants.staging import home, stage_of
from arena.errors import BadSettings, Void
from arena.process.channels import EngineProcess
from arena.process.charge import Charge
from arena.process.plain_process import PlainProcess
from arena.process.spawned_process import Interrupt, SpawnedProcess, start_unconfined_agent, start_unconfined_program
from arena.process.stop_byte import StopByte
from arena.referee.agent_player import STARTUP_SECONDS, AgentPlayer, Patience, startup_limit
from arena.referee.engine_player import EnginePlayer, EnginePool
from arena.referee.reports import AgentReport
from arena.sandbox.launch import ENGINE_THREADS, Rules, Zygote, check_hidden
from arena.sandbox.level import Level, require
from games.base import Game, join_parameters
from results.record import Seat

__all__ = ["PlayerFactory", "ProcessPlayers", "Setup"]

#: Makes the player of an entrant for one game.
PlayerFactory: TypeAlias = Callable[[Entrant, Seat], Player]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process must know to make players.

    Without rules, players are trusted and not confined. The libraries in `needs` are loaded before any player starts.
    Code of entrants is found in `home` by its content hash.
    """

    game: Game
    rules: Rules | None
    needs: tuple[str, ...] = ()
    home: Path = field(default_factory=home)


class ProcessPlayers:
    """Makes players that run in child processes, with one zygote for each set of needed libraries. A context manager.

    `wrap` may replace the players of some entrants: people, for example, do not run in a child process. `interrupt` may
    end the wait for a player.
    """

    def __init__(
        self, setup: Setup, *, wrap: Callable[[PlayerFactory], PlayerFactory] | None = None,
        interrupt: Interrupt | None = None,
    ) -> None:  # fmt: skip
        self._setup = setup
        self._wrap = wrap
        self._interrupt = interrupt
        self._game = join_parameters(setup.game.name, setup.game.parameters)
        self._cores: set[int] = set()  # of this process, before it was kept on one of them
        self._zygotes: dict[tuple[str, ...], Zygote] = {}
        self._stages: dict[str, Path] = {}
        self._programs: dict[Path, tuple[str, str]] = {}  # their stamps and hashes
        self._pool = EnginePool(setup.game, self._launch)
        self.level: Level = "none" if setup.rules is None else require()
        if setup.rules is not None:
            check_hidden({"the folder of agents ($ARENA_HOME)": setup.home}, game=self._game)
            self._cores = os.sched_getaffinity(0)
            # One core for the referee and its players, so that their threads cannot slow another game down.
            os.sched_setaffinity(0, {sorted(self._cores)[os.getpid() % len(self._cores)]})
            self._zygote(())  # it boots while we do other things

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._pool.close()
        for zygote in self._zygotes.values():
            zygote.close()
        if self._cores:
            os.sched_setaffinity(0, self._cores)

    def factory(
        self, charge: Charge, *, seconds: float = math.inf,
        on_report: Callable[[Seat, AgentReport], None] | None = None, wants_score: bool = False,
    ) -> PlayerFactory:  # fmt: skip
        """A factory of players for games with this time budget, whose moves are charged like this.

        `on_report` hears what the agents say about their search; without it they are not asked. With `wants_score`
        engines are asked what they think of the position.
        """

        def make(entrant: Entrant, seat: Seat) -> Player:
            if entrant.is_human:
                raise BadSettings("people can play only with `arena play`")
            hear = None if on_report is None else partial(on_report, seat)
            return self.player(entrant, charge=charge, seconds=seconds, on_report=hear, wants_score=wants_score)

        return make if self._wrap is None else self._wrap(make)

    def player(
        self, entrant: Entrant, *, charge: Charge, seconds: float, patience: Patience | None = None,
        on_report: Callable[[AgentReport], None] | None = None, wants_score: bool = False,
    ) -> AgentPlayer | EnginePlayer:  # fmt: skip
        """The player of an agent or an engine for a game with this time budget, which limits its start-up too."""
        startup = startup_limit(seconds, {*self._setup.needs, *entrant.grants.needs})
        return self.program(
            entrant, charge=charge, startup=startup, patience=patience, on_report=on_report, wants_score=wants_score
        )

    def program(
        self, entrant: Entrant, *, charge: Charge, startup: float = STARTUP_SECONDS, patience: Patience | None = None,
        on_report: Callable[[AgentReport], None] | None = None, wants_score: bool = False,
    ) -> AgentPlayer | EnginePlayer:  # fmt: skip
        """The player of an agent or an engine; `startup` is the number of seconds that it has to start."""
        if entrant.protocol:
            return EnginePlayer(
                entrant, self._pool, charge=charge, startup=startup, wants_score=wants_score, on_report=on_report
            )
        stage = self._stage(entrant)
        return AgentPlayer(
            entrant, lambda: self._start(entrant, stage), stage=stage, charge=charge, startup=startup,
            patience=patience, on_report=on_report,
        )  # fmt: skip

    def served(
        self, entrant: Entrant, *, charge: Charge, on_report: Callable[[AgentReport], None], stop_byte: StopByte,
        grace: float,
    ) -> AgentPlayer:  # fmt: skip
        """The player of an agent that is served to another program, which hears its reports and can stop its search."""
        stage = self._stage(entrant)
        return AgentPlayer(
            entrant, lambda: self._start(entrant, stage, stop_byte=stop_byte.descriptor), stage=stage, charge=charge,
            on_report=on_report, grace=grace,
        )  # fmt: skip

    def _start(
        self, entrant: Entrant, stage: Path | None, *, stop_byte: int | None = None
    ) -> SpawnedProcess | PlainProcess:
        """Start a new process for an agent."""
        if sys.platform != "linux":  # a run has refused there what needs Linux
            return PlainProcess()
        if self._setup.rules is None:
            return replace(start_unconfined_agent(stop_byte=stop_byte), interrupt=self._interrupt)
        grants = entrant.grants
        rules = self._setup.rules.granting(threads=grants.threads, memory=grants.memory)
        started = self._zygote(grants.needs).start(stage, rules, stop_byte=stop_byte)
        return replace(started, interrupt=self._interrupt)

    def _launch(self, entrant: Entrant) -> EngineProcess:
        """Start a new process for an engine, if its program has the bytes that were hashed."""
        self._check_program(entrant)
        if self._setup.rules is None:
            return EngineProcess(replace(start_unconfined_program(entrant.command), interrupt=self._interrupt))
        grants = entrant.grants
        rules = self._setup.rules.granting(threads=grants.threads or ENGINE_THREADS, memory=grants.memory)
        start = self._zygote(()).start_program
        started = start(entrant.command, rules, read=grants.read, trusted=grants.trusted)
        return EngineProcess(replace(started, interrupt=self._interrupt))

    def _check_program(self, entrant: Entrant) -> None:
        program = Path(entrant.command[0])
        try:
            stamp = stamp_of(program)
            if self._programs.get(program) != (stamp, entrant.program_hash):  # hashed once, and again when it changes
                self._programs[program] = stamp, hash_of(program)
        except OSError as error:
            raise Void(f"the program of {entrant.name} cannot be read: {error}") from error
        if self._programs[program][1] != entrant.program_hash:
            raise Void(f"the program of {entrant.name} was changed or replaced after it was hashed")

    def _stage(self, entrant: Entrant) -> Path | None:
        """The folder with the staged code of an agent, checked once against its hash; None for installed agents."""
        if not entrant.is_staged:
            return None
        if entrant.hash not in self._stages:
            found = stage_of(entrant.hash, home=self._setup.home)
            if found is None:
                raise Void(f"the files of {entrant.name} are missing or were changed in {self._setup.home}")
            self._stages[entrant.hash] = found.folder
        return self._stages[entrant.hash]

    def _zygote(self, needs: tuple[str, ...]) -> Zygote:
        needs = tuple(sorted({*self._setup.needs, *needs}))
        if needs not in self._zygotes:
            self._zygotes[needs] = Zygote(self._game, needs=needs)
        return self._zygotes[needs]
