"""Who sits where: the players of a league's entrants, confined as its organiser chose."""

import os
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from agents.seat import Fault, Player
from arena.entrants.engines import stamp_of
from arena.entrants.entrant import Entrant
from arena.errors import Void
from arena.process.charge import Charge
from arena.process.engine_process import EngineProcess
from arena.process.spawned_process import SpawnedProcess, start_plain, start_plain_program
from arena.referee.agent_player import AgentPlayer
from arena.referee.engine_player import EnginePlayer, EnginePool
from arena.referee.human_player import HumanPlayer
from arena.sandbox.launch import ENGINE_THREADS, Rules, Zygote
from arena.sandbox.level import Level, require
from games.base import Game, join_parameters
from results.league import League
from results.text import plain

__all__ = ["PlayerFactory"]


class PlayerFactory:
    """Makes players; keeps a zygote for each set of libraries that entrants need. A context manager."""

    def __init__(self, game: Game, rules: Rules | None, *, needs: tuple[str, ...] = ()) -> None:
        """Without rules, players are trusted and not confined."""
        self._game = join_parameters(game.name, game.parameters)
        self._rules = rules
        self._needs = needs
        self._cores = os.sched_getaffinity(0)
        self._zygotes: dict[tuple[str, ...], Zygote] = {}
        self._pool = EnginePool(game, self._launch)
        self.level: Level = "none" if rules is None else require()
        if rules is not None:
            # One core for referee and players: no thread of theirs can then slow another game down.
            os.sched_setaffinity(0, {sorted(self._cores)[os.getpid() % len(self._cores)]})
            self._zygote(())  # boots while we do other things

    @classmethod
    def of(cls, league: League, game: Game) -> Self:
        """As the organiser of a stored league chose."""
        settings = league.settings
        given = {key: settings[key] for key in ("memory", "scratch") if isinstance(settings.get(key), int)}
        rules = Rules(**cast(dict[str, int], given)) if settings.get("confined", True) else None  # type: ignore[arg-type]
        return cls(game, rules, needs=tuple(cast(list[str], settings.get("needs", []))))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close()
        for zygote in self._zygotes.values():
            zygote.close()
        os.sched_setaffinity(0, self._cores)

    def player(self, entrant: Entrant, *, charge: Charge) -> Player:
        """A player for one game."""
        return HumanPlayer() if entrant.is_human else self.program(entrant, charge=charge)

    def program(self, entrant: Entrant, *, charge: Charge) -> AgentPlayer | EnginePlayer:
        """A player that is not a person."""
        if entrant.protocol:
            return EnginePlayer(entrant, self._pool, charge=charge)
        return AgentPlayer(entrant, self.start, charge=charge)

    def start(self, entrant: Entrant) -> SpawnedProcess:
        """A fresh process for this entrant."""
        if self._rules is None:
            return start_plain()
        grants = entrant.grants
        rules = self._rules.granting(threads=grants.threads, memory=grants.memory)
        return self._zygote(grants.needs).start(entrant.stage, rules)

    def rehearse(self, entrant: Entrant, game: Game) -> str:
        """Start an agent once, before a league: empty, or why it does not start."""
        player = self.program(entrant, charge="wall")
        try:
            player.open(game, game.first, start=game.start().text, seed=0)
        except Fault as fault:
            return plain(fault.detail, limit=200)
        finally:
            player.close()
        return ""

    def _launch(self, entrant: Entrant) -> EngineProcess:
        """A fresh process for this engine, if its program is still the one that the records will name."""
        if stamp_of(Path(entrant.command[0])) != entrant.stamp:
            raise Void(f"the program of {entrant.name} was changed or replaced since its hash was taken")
        if self._rules is None:
            return EngineProcess(start_plain_program(entrant.command))
        grants = entrant.grants
        rules = self._rules.granting(threads=grants.threads or ENGINE_THREADS, memory=grants.memory)
        start = self._zygote(()).start_program
        return EngineProcess(start(entrant.command, rules, read=grants.read, trusted=grants.trusted))

    def _zygote(self, needs: tuple[str, ...]) -> Zygote:
        needs = tuple(sorted({*self._needs, *needs}))
        if needs not in self._zygotes:
            self._zygotes[needs] = Zygote(self._game, needs=needs)
        return self._zygotes[needs]
