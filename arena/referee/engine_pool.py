"""Running engines: started when they are needed, kept between games where the organiser trusts them."""

from collections.abc import Callable
from dataclasses import dataclass

from agents.external.protocol import EngineProtocol
from arena.entrants.engines import dialect
from arena.entrants.entrant import Entrant
from arena.process.engine_process import EngineProcess
from games.base import Game

__all__ = ["EnginePool", "Running"]


@dataclass(frozen=True, slots=True)
class Running:
    """An engine's process and what knows its language."""

    program: EngineProcess
    dialect: EngineProtocol


class EnginePool:
    """The engines of one worker; a kept one is frozen until it is taken again."""

    def __init__(self, game: Game, launch: Callable[[Entrant], EngineProcess]) -> None:
        self._game = game
        self._launch = launch
        self._kept: dict[str, list[Running]] = {}

    def start(self, entrant: Entrant) -> Running:
        """A fresh process."""
        return Running(self._launch(entrant), dialect(entrant, self._game))

    def take(self, entrant: Entrant) -> Running | None:
        """One that was kept, if there is one."""
        kept = self._kept.get(entrant.name)
        return kept.pop() if kept else None

    def keep(self, entrant: Entrant, running: Running) -> None:
        """Keep one for another game."""
        self._kept.setdefault(entrant.name, []).append(running)

    def close(self) -> None:
        """End all that are kept; never raises."""
        for kept in self._kept.values():
            for running in kept:
                running.program.close()
        self._kept.clear()
