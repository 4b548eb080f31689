"""The seat of a Python agent: it asks a child process and turns what happens there into answers and faults."""

import time
from collections.abc import Callable, Mapping
from typing import Final

from agents.child import DONE, ERROR, MOVE
from agents.seat import Answer, Ended, Fault, History, Late, Times
from arena.entrants import Entrant
from arena.process import Process
from games.base import Color, Game, join_parameters

__all__ = ["CLOSE_SECONDS", "STARTUP_SECONDS", "AgentPlayer"]

STARTUP_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 5.0
_SHORT: Final = 0.005  # seconds; of a shorter move the wait is not worth reading


class AgentPlayer:
    """A `Player` whose agent lives in a fresh process for every game."""

    def __init__(
        self, entrant: Entrant, *, now: Callable[[], float] = time.monotonic, startup: float = STARTUP_SECONDS
    ) -> None:
        self._entrant = entrant
        self._now = now
        self._startup = startup
        self._process: Process | None = None
        self._ready = False  # to be asked: alive, and nothing unanswered

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Start the process, import and construct the agent, call `reset`."""
        self._process = Process(now=self._now)
        began = self._now()
        words = {
            "game": join_parameters(game.name, game.parameters),
            "start": start,
            "agent": self._entrant.path,
            "stage": str(self._entrant.stage or ""),
            "name": self._entrant.name,
            "options": dict(self._entrant.options),
            "color": color,
            "seed": seed,
        }
        self._request("load", words, deadline=began + self._startup, late="startup")
        self._request("reset", {}, deadline=began + self._startup, late="startup")

    def ask(self, history: History, times: Times) -> Answer:
        """Ask `act` for a move and measure it."""
        process = self._process
        assert process is not None
        words = {"moves": history.moves, "own": times.own, "opponent": times.opponent}
        cpu, wait, began = process.cpu(), process.wait(), self._now()
        text = self._request("act", words, deadline=began + times.own, late="time")
        wall = self._now() - began
        waited = process.wait() - wait if wall > _SHORT else 0.0
        return Answer(text, wall, process.cpu() - cpu, max(0.0, waited))

    def close(self) -> Fault | None:
        """Call `close` if the agent still deserves it; end the process."""
        fault = None
        if self._ready:
            try:
                self._request("close", {}, deadline=self._now() + CLOSE_SECONDS, late="time")
            except Fault as raised:
                fault = raised
        if self._process is not None:
            self._process.end()
        self._ready = False
        return fault

    def output(self) -> str:
        """The last of what the agent printed, raw."""
        return self._process.output() if self._process is not None else ""

    def _request(self, verb: str, words: Mapping[str, object], *, deadline: float, late: str) -> str:
        process = self._process
        assert process is not None
        began = self._now()
        expected = MOVE if verb == "act" else DONE
        self._ready = False
        try:
            kind, text = process.request(verb, words, deadline=deadline)
        except Late:
            raise self._fault(late, f"no answer from {verb} in time", began) from None
        except Ended:
            how = process.ended_by_itself()
            raise self._fault("exit", f"its process ended in {verb}: {how}", began) from None
        except Fault as fault:
            raise self._fault(fault.rule, fault.detail, began) from None
        if kind == ERROR:
            last = text.strip().splitlines()[-1:] or [""]
            raise self._fault("exception", f"{last[0]} (in {verb})", began, traceback=text)
        if kind != expected:
            raise self._fault("protocol", f"answered {verb} with the wrong kind of message", began)
        self._ready = True
        return text

    def _fault(self, rule: str, detail: str, began: float, **more: str) -> Fault:
        assert self._process is not None
        wall = self._now() - began
        self._process.end()
        return Fault(rule, detail, {**self._process.evidence(), "wall": f"{wall:.3f}", **more})
