"""The seat of an engine: a program in its lock-down that is spoken to in its own protocol."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from agents.external.protocol import EngineProtocol
from agents.seat import Answer, Channel, Ended, Fault, History, Late, Times
from arena.entrants.entrant import Entrant
from arena.process.charge import Charge, charged
from arena.process.engine_process import EngineProcess
from arena.process.meter import Meter
from arena.referee.agent_player import STARTUP_SECONDS
from arena.referee.engine_pool import EnginePool, Running
from games.base import Color, Game
from games.errors import IllegalMove
from results.text import plain

__all__ = ["RETRIES", "EnginePlayer"]

#: How often a trusted engine that fails is asked again for one move.
RETRIES: Final = 4
_RESTART_SECONDS: Final = 4.0  # with less than this left, nobody who hangs is given up before the end
_FAREWELL_SECONDS: Final = 0.1


class EnginePlayer:
    """A `Player` over a program and a protocol.

    An engine that the organiser trusts and that dies, hangs or talks nonsense is started again and asked again,
    within the same budget; `restarts` keeps what happened. It goes back to its stable after the game.
    """

    def __init__(
        self, entrant: Entrant, stable: EnginePool, *,
        charge: Charge = "wall", now: Callable[[], float] = time.monotonic, startup: float = STARTUP_SECONDS,
    ) -> None:  # fmt: skip
        self._entrant = entrant
        self._stable = stable
        self._is_trusted = entrant.grants.trusted
        self._charge: Charge = charge
        self._now = now
        self._startup = startup
        self._running: Running | None = None
        self._last: Running | None = None
        self._begin: Callable[[EngineProtocol, Channel, float], None] = _nothing
        self._restarts: list[Fault] = []

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:  # noqa: ARG002 - the dialect knows it
        """Start the program, or take one that was kept, and tell it that a game begins."""

        def begin(dialect: EngineProtocol, channel: Channel, deadline: float) -> None:
            dialect.begin(channel, color, start=start, seed=seed, deadline=deadline)

        self._begin = begin
        self._running = self._stable.take(self._entrant) if self._is_trusted else None
        if self._running is not None:
            with contextlib.suppress(Fault):  # it died, or was slow, between two games: a fresh one will do
                self._once(_saying_nothing(begin), self._startup, late="startup")
                return
        self._insist("its start", lambda *_: "", seconds=self._startup, late="startup")

    def ask(self, history: History, times: Times) -> Answer:
        """Ask for a move and measure it."""
        began = self._now()

        def converse(dialect: EngineProtocol, channel: Channel, deadline: float) -> str:
            own = max(0.0, times.own - (self._now() - began))
            text = dialect.ask(channel, history, replace(times, own=own), deadline)
            if self._is_trusted:
                _check(history, text)
            return text

        return self._insist(f"turn {len(history.moves) + 1}", converse, seconds=times.own, late="time")

    def close(self) -> Fault | None:
        """Keep the engine for another game if it is trusted, else end it."""
        running, self._running = self._running, None
        if running is not None and self._is_trusted:
            self._stable.keep(self._entrant, running)
        elif running is not None:
            with contextlib.suppress(Fault, Ended, Late):
                running.program.thaw()
                running.dialect.end(running.program)
                running.program.close(patience=_FAREWELL_SECONDS)
            running.program.close()
        return None

    def engine(self) -> str:
        """What the engine calls itself, raw."""
        return self._last.dialect.name if self._last is not None else ""

    def restarts(self) -> Sequence[Fault]:
        """What a trusted engine was started again for."""
        return tuple(self._restarts)

    def output(self) -> str:
        """The last of what it wrote to its standard error, raw."""
        return self._last.program.output() if self._last is not None else ""

    def refused(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        return self._last.program.refused() if self._last is not None else ""

    def _insist(
        self, what: str, converse: Callable[[EngineProtocol, Channel, float], str], *, seconds: float, late: str
    ) -> Answer:
        """Converse within these seconds, with a new process if need be; a trusted engine gets several chances."""
        spent = Answer("", 0.0, 0.0, 0.0)
        for chances in range(RETRIES if self._is_trusted else 0, -1, -1):
            left = seconds - self._charged(spent)
            # One that hangs leaves time for another try, if that makes sense.
            patience = left / 2 if chances and left > _RESTART_SECONDS else left
            try:
                return _sum(spent, self._once(converse, patience, late=late))
            except _Failure as failure:
                spent = _sum(spent, failure.cost)
                if not chances or self._charged(spent) >= seconds:
                    raise failure.fault from None
                fault = failure.fault
                self._restarts.append(Fault(fault.rule, f"started again in {what}: {fault.detail}", fault.evidence))
        raise AssertionError("the last chance returns or raises")

    def _charged(self, spent: Answer) -> float:
        return charged(self._charge, wall=spent.wall, cpu=spent.cpu, wait=spent.wait)

    def _once(self, converse: Callable[[EngineProtocol, Channel, float], str], seconds: float, *, late: str) -> Answer:
        """One attempt; raises `_Failure` and ends the process if it fails."""
        fresh = self._running is None
        running = self._running = self._last = self._running or self._stable.start(self._entrant)
        program, dialect = running.program, running.dialect
        meter = Meter(program, self._charge, self._now)
        channel = _Patient(program, meter, seconds)
        try:
            program.thaw()
            if fresh:
                dialect.greet(channel, channel.deadline)
                self._begin(dialect, channel, channel.deadline)
            text = converse(dialect, channel, channel.deadline)
            program.freeze()
            return meter.answer(text)
        except (Fault, Late, Ended) as problem:
            cost = meter.answer("")
            self._running = None
            raise _Failure(_fault(problem, program, cost, late=late), cost) from None
        except BaseException:
            self._running = None
            program.close()
            raise


class _Failure(Fault):
    """A fault with what it cost, on its way to be judged."""

    def __init__(self, fault: Fault, cost: Answer) -> None:
        super().__init__(fault.rule, fault.detail, fault.evidence)
        self.fault = fault
        self.cost = cost


class _Patient:
    """A channel whose last deadline is that of the meter: what the machine withheld is not charged."""

    def __init__(self, program: EngineProcess, meter: Meter, seconds: float) -> None:
        self._program = program
        self._meter = meter
        self._seconds = seconds
        self.deadline = meter.began + seconds

    def send(self, line: str) -> None:
        self._program.send(line)

    def receive(self, deadline: float) -> str:
        while True:
            try:
                return self._program.receive(deadline)
            except Late:
                if deadline < self.deadline:  # the protocol's own
                    raise
                deadline = self._meter.deadline(self._seconds)

    def close(self) -> None:
        self._program.close()


def _fault(problem: Exception, program: EngineProcess, cost: Answer, *, late: str) -> Fault:
    """What went wrong as a fault, with the evidence; the process is ended."""
    if isinstance(problem, Fault):
        rule, detail, evidence = problem.rule, problem.detail, dict(problem.evidence)
    elif isinstance(problem, Late):
        rule, detail, evidence = late, "no answer in time", {}
    else:
        rule, detail, evidence = "exit", f"its process ended: {program.ended_by_itself()}", {}
    program.close()
    verb = "load" if late == "startup" else "act"  # as the faults of Python players have it
    return Fault(
        rule, f"{plain(detail, limit=300)} (in {verb})", {**program.evidence(), "wall": f"{cost.wall:.3f}", **evidence}
    )


def _check(history: History, text: str) -> None:
    try:
        history.state.parse(text)
    except IllegalMove as error:
        raise Fault("illegal-move", f"{plain(text, limit=80)!r}: {error}") from error


def _sum(one: Answer, two: Answer) -> Answer:
    return Answer(two.text, one.wall + two.wall, one.cpu + two.cpu, one.wait + two.wait)


def _saying_nothing(
    begin: Callable[[EngineProtocol, Channel, float], None],
) -> Callable[[EngineProtocol, Channel, float], str]:
    def converse(dialect: EngineProtocol, channel: Channel, deadline: float) -> str:
        begin(dialect, channel, deadline)
        return ""

    return converse


def _nothing(dialect: EngineProtocol, channel: Channel, deadline: float) -> None:
    """Before `open` there is no game to begin."""
