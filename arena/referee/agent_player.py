"""The player of a Python agent, which runs in a child process."""

import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from agents.base import OPEN, Limits
from agents.child import DONE, ERROR, MOVE, NO_AGENT, OUT_OF_MEMORY
from agents.external.protocol import centipawns
from agents.seat import Answer, Ended, Fault, History, Late, Phase, Times
from agents.tracebacks import Place, places
from arena.entrants.entrant import Entrant
from arena.errors import Starved
from arena.process.channels import AgentProcess
from arena.process.charge import Charge, charged
from arena.process.child_process import Meter
from arena.process.plain_process import PlainProcess
from arena.process.spawned_process import SpawnedProcess
from arena.referee.reports import AgentReport, read_report
from games.base import Color, Game, join_parameters
from results.text import plain

__all__ = ["CLOSE_SECONDS", "STARTUP_SECONDS", "AgentPlayer", "Patience", "startup_limit"]

#: The most that any player has to start.
STARTUP_SECONDS: Final = 30.0
_LEAST_STARTUP_SECONDS: Final = 3.0
_TORCH_STARTUP_SECONDS: Final = 10.0  # the first use of torch takes long, even if it is loaded
CLOSE_SECONDS: Final = 5.0


def startup_limit(seconds: float, needs: Collection[str]) -> float:
    """How long import, constructor and `reset` may take together before a game with this time budget.

    Start-up is not charged. So it is kept short compared to the budget: a tenth of it, within limits.

    >>> startup_limit(1, ()), startup_limit(1, ["torch"]), startup_limit(60, ()), startup_limit(400, ())
    (3.0, 10.0, 6.0, 30.0)
    """
    least = _TORCH_STARTUP_SECONDS if "torch" in needs else _LEAST_STARTUP_SECONDS
    return min(STARTUP_SECONDS, max(least, seconds / 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long, by the wall clock, somebody waits for one answer, whatever time is left for the game.

    After `slow` seconds `on_slow` hears what the agent is running: text that the agent may have forged. After `most`
    seconds the game is lost.
    """

    slow: float = math.inf
    most: float = math.inf
    on_slow: Callable[[str], None] = lambda _: None


class _Impatient(Late):
    """No answer arrived before the patience ended."""


class AgentPlayer:
    """A `Player` whose agent runs in a new process for every game; its module is found below `stage`.

    `on_report` hears what the search says while it runs; without it the agent is not asked to say anything. `limits`
    are those of the next moves. An answer may come `grace` seconds after the time is used up, or at any time if the
    limits say so.
    """

    def __init__(
        self, entrant: Entrant, start: Callable[[], SpawnedProcess | PlainProcess], *, stage: Path | None = None,
        charge: Charge = "wall", now: Callable[[], float] = time.monotonic, startup: float = STARTUP_SECONDS,
        on_report: Callable[[AgentReport], None] | None = None, grace: float = 0.0, patience: Patience | None = None,
    ) -> None:  # fmt: skip
        self.limits = OPEN
        self._patience = patience or Patience()
        self._on_report = on_report
        self._grace = grace
        self._history: History | None = None
        self._value: float | None = None
        self._entrant = entrant
        self._start = start
        self._stage = stage
        self._charge: Charge = charge
        self._now = now
        self._startup = startup
        self._process: AgentProcess | PlainProcess | None = None
        self._start_cost = 0.0
        self._is_ready = False  # alive, and every request was answered

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Start the process, import and construct the agent, call `reset`."""
        self._process = self._listening(self._start())
        arguments: dict[str, object] = {
            "game": join_parameters(game.name, game.parameters),
            "start": start,
            "agent": self._entrant.path,
            "stage": str(self._stage or ""),
            "name": self._entrant.name,
            "options": dict(self._entrant.options),
            "color": color,
            "seed": seed,
        }
        if self._on_report is not None:
            arguments["reports"] = True
        meter = self._meter()
        try:
            self._request("load", arguments, meter, seconds=self._startup, late="startup")
            self._request("reset", {}, meter, seconds=self._startup, late="startup")
        except Fault:
            self._start_cost = self._now() - meter.began
            raise
        cost = meter.answer("")
        self._start_cost = charged(self._charge, wall=cost.wall, cpu=cost.cpu, wait=cost.wait)

    def ask(self, history: History, times: Times) -> Answer:
        """Request a move from `act` and measure it."""
        arguments: dict[str, object] = {
            "moves": history.moves, "own": _finite(times.own), "opponent": _finite(times.opponent)
        }  # fmt: skip
        if times.increment or times.moves_to_go is not None:
            arguments |= {"increment": times.increment, "moves_to_go": times.moves_to_go}
        if self._on_report is not None:
            arguments["limits"] = _given(self.limits)
        self._history, self._value = history, None
        meter = self._meter()
        seconds = math.inf if self.limits.until_stopped else times.own + self._grace
        answer = meter.answer(self._request("act", arguments, meter, seconds=seconds, late="time"))
        return answer if self._value is None else replace(answer, score=centipawns(self._value))

    def close(self) -> Fault | None:
        """Call the agent's `close`, unless a request failed; end the process."""
        fault = None
        if self._is_ready:
            meter = Meter(self._alive(), "wall", self._now)
            try:
                self._request("close", {}, meter, seconds=CLOSE_SECONDS, late="time")
            except Fault as raised:
                fault = raised
        if self._process is not None:
            self._process.end()
        self._is_ready = False
        return fault

    def start_cost(self) -> float:
        """The seconds that it took to start, counted like those of a move."""
        return self._start_cost

    def output(self) -> str:
        """The end of what the agent printed, raw."""
        return self._process.output() if self._process is not None else ""

    def refused(self) -> str:
        """The system calls that were refused without being a fault, one a line."""
        return self._process.refused() if self._process is not None else ""

    def _hear(self, payload: bytes) -> None:
        if self._on_report is None or self._history is None:
            return
        if (report := read_report(payload, self._history.state)) is not None:
            self._value = report.value if report.value is not None else self._value
            self._on_report(report)

    def _listening(self, started: SpawnedProcess | PlainProcess) -> AgentProcess | PlainProcess:
        """The process that was started; it passes reports on if somebody wants them."""
        hear = self._on_report and self._hear
        if isinstance(started, SpawnedProcess):
            return AgentProcess(started, now=self._now, on_report=hear)
        started.on_report = hear
        return started

    def _alive(self) -> AgentProcess | PlainProcess:
        assert self._process is not None
        return self._process

    def _meter(self) -> Meter:
        return Meter(self._alive(), self._charge, self._now)

    def _request(
        self, phase: Phase, arguments: Mapping[str, object], meter: Meter, *, seconds: float, late: str
    ) -> str:
        """Send a request and return the text of the reply; what goes wrong is a fault of this phase."""
        process = self._alive()
        self._is_ready = False
        try:
            reply = self._reply(process.send(phase, arguments), meter, seconds=seconds)
            text = _checked(phase, *reply)
        except Late as error:
            waited = {"waited": f"{self._patience.most:g}"} if isinstance(error, _Impatient) else {}
            raise self._fault(Fault(late, str(error), waited | self._running()), phase, meter) from None
        except Ended:
            raise self._fault(Fault("exit", process.ended_by_itself()), phase, meter) from None
        except Starved as error:
            raise self._fault(meter.held_up(error), phase, meter) from None
        except Fault as fault:
            raise self._fault(fault, phase, meter) from None
        self._is_ready = True
        return text

    def _reply(self, tag: bytes, meter: Meter, *, seconds: float) -> tuple[bytes, str]:
        """The reply to a request. Raises `Late` if it does not come in time."""
        process, patience = self._alive(), self._patience
        deadline, slow, most = (meter.began + limit for limit in (seconds, patience.slow, patience.most))
        while (reply := process.receive(tag, deadline=min(deadline, slow, most))) is None:
            now = self._now()
            if now >= most:
                raise _Impatient(f"gave no answer for {patience.most:g} s")
            if now >= slow:
                slow = math.inf
                patience.on_slow(self._running().get("line", "a place that cannot be seen"))
            if now >= deadline:
                deadline = meter.deadline(seconds)
        return reply

    def _running(self) -> dict[str, str]:
        """Evidence: the line of the participant's code that runs now, and the stack, as the agent's process says."""
        found = places(self._alive().stack(), stage=str(self._stage or ""))
        if not found:
            return {}
        line = next((place for place in found if place.is_own), found[0])
        return {"line": self._quoted(line), "stack": "\n".join(map(str, found))}

    def _quoted(self, place: Place) -> str:
        """The place with its line of code, as far as it can be read."""
        if self._stage is None or not place.is_own:
            return str(place)
        # Nothing but a file of the stage is opened: the text comes from the agent's process.
        names = (path for path in self._stage.rglob("*.py") if str(path.relative_to(self._stage)) == place.file)
        lines = next((path.read_text("utf-8", "replace").splitlines() for path in names), [])
        code = "".join(lines[place.line - 1 : place.line]).strip() if place.line else ""
        return f"{place}: {code}" if code else str(place)

    def _fault(self, fault: Fault, phase: Phase, meter: Meter) -> Fault:
        """The same fault with its phase and the evidence of the process, which is ended."""
        wall = self._now() - meter.began
        process = self._alive()
        process.end()
        evidence = {**process.evidence(), "wall": f"{wall:.3f}", **fault.evidence}
        return Fault(fault.rule, fault.detail, evidence, phase=phase)


def _finite(seconds: float) -> float | None:
    """The seconds as JSON; None without a limit."""
    return seconds if math.isfinite(seconds) else None


def _given(limits: Limits) -> dict[str, object]:
    """The limits that differ from open ones, as JSON."""
    return {key: value for key, value in asdict(limits).items() if value != getattr(OPEN, key)}


def _checked(phase: Phase, kind: bytes, text: str) -> str:
    """The text of a reply; raises `Fault` if the reply is an error or not of the kind that was requested."""
    if kind in (ERROR, OUT_OF_MEMORY):
        headline, _, traceback = text.partition("\n")
        rule = "memory" if kind == OUT_OF_MEMORY else "exception"
        raise Fault(rule, plain(headline, limit=300), {"traceback": traceback})
    if kind == NO_AGENT and phase == "load":
        raise Fault("exception", plain(text, limit=300), {"no_agent": text})
    if kind != (MOVE if phase == "act" else DONE):
        raise Fault("protocol", "answered with the wrong kind of message")
    return text
