"""The player of an engine, a program that is spoken to in its own protocol, and the pool of running engines."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from agents.external.protocol import EngineProtocol, Scoring, Telling
from agents.seat import Answer, Channel, Ended, Fault, History, Late, Times
from arena.entrants.engines import dialect
from arena.entrants.entrant import Entrant
from arena.errors import Starved
from arena.process.channels import EngineProcess
from arena.process.charge import Charge, charged
from arena.process.child_process import Meter
from arena.referee.agent_player import STARTUP_SECONDS
from arena.referee.referee import illegal_move
from arena.referee.reports import AgentReport, EngineReports
from games.base import Color, Game
from games.errors import IllegalMove
from results.text import plain

__all__ = ["RETRIES", "EnginePlayer", "EnginePool"]

#: How often a trusted engine that fails is asked again for one move.
RETRIES: Final = 4
_RESTART_SECONDS: Final = 4.0  # with less time left than this, an engine that hangs is not started again
_FAREWELL_SECONDS: Final = 0.1

#: Speaks with an engine until the deadline and returns its answer, which is empty while it starts.
_Dialogue: TypeAlias = Callable[[EngineProtocol, Channel, float], str]


@dataclass(frozen=True, slots=True)
class _Engine:
    """A running engine: its process and the dialect that it is spoken to in."""

    program: EngineProcess
    dialect: EngineProtocol


class EnginePool:
    """The engines of one worker. A trusted engine is kept between games, frozen until it is taken again."""

    def __init__(self, game: Game, launch: Callable[[Entrant], EngineProcess]) -> None:
        self._game = game
        self._launch = launch
        self._kept: dict[str, list[_Engine]] = {}

    def start(self, entrant: Entrant) -> _Engine:
        """Start a new process."""
        return _Engine(self._launch(entrant), dialect(entrant.protocol, self._game, entrant.options))

    def take(self, entrant: Entrant) -> _Engine | None:
        """Take an engine that was kept, if there is one."""
        kept = self._kept.get(entrant.name)
        return kept.pop() if kept else None

    def keep(self, entrant: Entrant, engine: _Engine) -> None:
        """Keep an engine for another game."""
        self._kept.setdefault(entrant.name, []).append(engine)

    def close(self) -> None:
        """End all engines that are kept; never raises."""
        for kept in self._kept.values():
            for engine in kept:
                engine.program.close()
        self._kept.clear()


class EnginePlayer:
    """A `Player` for a program that speaks a protocol.

    A trusted engine that ends, hangs or sends nonsense is started again and asked again within the same time budget;
    `restarts` keeps the faults. After the game it goes back to the pool. `on_report` hears what the engine says
    while it thinks, if its protocol knows that.
    """

    def __init__(
        self, entrant: Entrant, pool: EnginePool, *,
        charge: Charge = "wall", now: Callable[[], float] = time.monotonic, startup: float = STARTUP_SECONDS,
        wants_score: bool = False, on_report: Callable[[AgentReport], None] | None = None,
    ) -> None:  # fmt: skip
        self._on_report = on_report
        self._entrant = entrant
        self._pool = pool
        self._is_trusted = entrant.grants.trusted
        self._charge: Charge = charge
        self._now = now
        self._startup = startup
        self._wants_score = wants_score
        self._running: _Engine | None = None
        self._last: _Engine | None = None
        self._start_cost = 0.0
        self._begin: _Dialogue = lambda *_: ""
        self._restarts: list[Fault] = []

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:  # noqa: ARG002 - the dialect has the game
        """Start the program, or take one from the pool, and announce the game to it."""

        def begin(dialect: EngineProtocol, channel: Channel, deadline: float) -> str:
            dialect.begin(channel, color, start=start, seed=seed, deadline=deadline)
            return ""

        self._begin = begin
        self._running = self._pool.take(self._entrant) if self._is_trusted else None
        if self._running is not None:
            with contextlib.suppress(Fault):  # it ended or was slow between two games: start another one
                self._start_cost = self._charged(self._once(begin, self._startup, phase="load"))
                return
        self._start_cost = self._charged(self._insist(lambda *_: "", seconds=self._startup, phase="load"))

    def ask(self, history: History, times: Times) -> Answer:
        """Request a move and measure it."""
        began = self._now()

        def converse(dialect: EngineProtocol, channel: Channel, deadline: float) -> str:
            own = max(0.0, times.own - (self._now() - began))
            with self._listening(dialect, history):
                text = dialect.ask(channel, history, replace(times, own=own), deadline)
            if self._is_trusted:
                _check(history, text)
            return text

        return self._insist(converse, seconds=times.own, phase="act", turn=len(history.moves) + 1)

    def close(self) -> Fault | None:
        """Return a trusted engine to the pool; end any other."""
        running, self._running = self._running, None
        if running is not None and self._is_trusted:
            self._pool.keep(self._entrant, running)
        elif running is not None:
            with contextlib.suppress(Fault, Ended, Late):
                running.program.thaw()
                running.dialect.end(running.program)
                running.program.close(patience=_FAREWELL_SECONDS)
            running.program.close()
        return None

    def start_cost(self) -> float:
        """The seconds that it took to start, counted like those of a move."""
        return self._start_cost

    def engine(self) -> str:
        """The name that the engine gave itself, raw."""
        return self._last.dialect.name if self._last is not None else ""

    def restarts(self) -> Sequence[Fault]:
        """The faults for which a trusted engine was started again."""
        return tuple(self._restarts)

    def output(self) -> str:
        """The end of what it wrote to its standard error, raw."""
        return self._last.program.output() if self._last is not None else ""

    def refused(self) -> str:
        """The system calls that were refused without being a fault, one a line."""
        return self._last.program.refused() if self._last is not None else ""

    @contextlib.contextmanager
    def _listening(self, dialect: EngineProtocol, history: History) -> Iterator[None]:
        """Hear what the engine thinks about this move."""
        if self._on_report is None or not isinstance(dialect, Telling):
            yield
            return
        reports = EngineReports(self._on_report, history.state, now=self._now)
        dialect.on_thought = reports.hear
        try:
            yield
        finally:
            dialect.on_thought = None
            reports.flush()

    def _insist(
        self, converse: _Dialogue, *, seconds: float, phase: Literal["load", "act"], turn: int | None = None
    ) -> Answer:
        """Converse within these seconds, with a new process where needed; a trusted engine has several attempts."""
        spent = Answer("", 0.0, 0.0, 0.0)
        for retries in range(RETRIES if self._is_trusted else 0, -1, -1):
            left = seconds - self._charged(spent)
            # An engine that hangs must leave time for another attempt, if an attempt makes sense.
            patience = left / 2 if retries and left > _RESTART_SECONDS else left
            try:
                return _sum(spent, self._once(converse, patience, phase=phase))
            except _Failure as failure:
                spent = _sum(spent, failure.cost)
                fault = failure.fault
                if not retries or self._charged(spent) >= seconds:
                    raise fault from None
                detail = f"started again after: {fault.detail}"
                self._restarts.append(Fault(fault.rule, detail, fault.evidence, phase=phase, turn=turn))
        raise AssertionError("the last attempt returns or raises")

    def _charged(self, spent: Answer) -> float:
        return charged(self._charge, wall=spent.wall, cpu=spent.cpu, wait=spent.wait)

    def _once(self, converse: _Dialogue, seconds: float, *, phase: Literal["load", "act"]) -> Answer:
        """Make one attempt; if it fails, end the process and raise `_Failure`."""
        is_new = self._running is None
        running = self._running = self._last = self._running or self._pool.start(self._entrant)
        program, dialect = running.program, running.dialect
        meter = Meter(program, self._charge, self._now)
        channel = _MeteredChannel(program, meter, seconds)
        try:
            program.thaw()
            if is_new:
                dialect.greet(channel, channel.deadline)
                self._begin(dialect, channel, channel.deadline)
            if isinstance(dialect, Scoring):
                dialect.wants_score = self._wants_score
            text = converse(dialect, channel, channel.deadline)
            try:
                program.freeze()
            except Starved as error:
                raise meter.held_up(error) from None
            score = dialect.score if self._wants_score and isinstance(dialect, Scoring) else None
            return replace(meter.answer(text), score=score)
        except (Fault, Late, Ended) as problem:
            cost = meter.answer("")
            self._running = None
            raise _Failure(_fault(problem, program, cost, phase=phase), cost) from None
        except BaseException:
            self._running = None
            program.close()
            raise


class _Failure(Fault):
    """A failed attempt: its fault and its cost."""

    def __init__(self, fault: Fault, cost: Answer) -> None:
        super().__init__(fault.rule, fault.detail, fault.evidence)
        self.fault = fault
        self.cost = cost


class _MeteredChannel:
    """A channel whose last deadline is that of the meter: time that the machine withheld is not charged."""

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
                if deadline < self.deadline:  # a deadline of the protocol
                    raise
                deadline = self._meter.deadline(self._seconds)

    def close(self) -> None:
        self._program.close()


def _fault(problem: Exception, program: EngineProcess, cost: Answer, *, phase: Literal["load", "act"]) -> Fault:
    """The fault for what went wrong, with the evidence of the process, which is ended."""
    if isinstance(problem, Fault):
        rule, detail, evidence = problem.rule, problem.detail, dict(problem.evidence)
    elif isinstance(problem, Late):
        rule, detail, evidence = "startup" if phase == "load" else "time", "no answer in time", {}
    else:
        rule, detail, evidence = "exit", program.ended_by_itself(), {}
    program.close()
    known = {**program.evidence(), "wall": f"{cost.wall:.3f}", **evidence}
    return Fault(rule, plain(detail, limit=300), known, phase=phase)


def _check(history: History, text: str) -> None:
    try:
        history.state.parse(text)
    except IllegalMove as error:
        raise illegal_move(history.state, text, error) from error


def _sum(one: Answer, two: Answer) -> Answer:
    return Answer(two.text, one.wall + two.wall, one.cpu + two.cpu, one.wait + two.wait, two.score)
