"""Playing one game: ask, charge the clock, check the move, go on."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from agents.seat import Answer, Fault, History, Player, Times
from arena.referee.clock import Clock
from arena.version import version
from games import live
from games.base import Color, Ending, Game, State
from games.errors import IllegalMove
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord, Seat
from results.store import utc
from results.text import plain

__all__ = ["Engine", "Job", "Printing", "Turn", "play"]

_DETAIL_CHARACTERS = 500
_EVIDENCE_CHARACTERS = 16_000
_OUTPUT_CHARACTERS = 2_000
_NAME_CHARACTERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Everything that shapes one game before it starts."""

    league: str
    key: str
    game: Game
    first: EntrantRecord
    second: EntrantRecord
    seconds: float
    start: str
    opening: tuple[str, ...]
    seed: int
    seed_first: int
    seed_second: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What a spectator is shown after each move, and once before the first (`move` is None)."""

    state: State
    move: str | None
    times: Mapping[Color, float]


@runtime_checkable
class Printing(Protocol):
    """A player that remembers what it printed."""

    def output(self) -> str:
        """The last of it, raw."""
        ...


@runtime_checkable
class Engine(Protocol):
    """A player that says what it is, and may have been started again during the game."""

    def engine(self) -> str:
        """What it calls itself, raw."""
        ...

    def restarts(self) -> Sequence[Fault]:
        """Why, each time."""
        ...


class _Foul(Exception):
    """A fault with the seat that committed it, on its way out of the game."""

    def __init__(self, seat: Seat, fault: Fault) -> None:
        super().__init__(str(fault))
        self.seat = seat
        self.fault = fault


def play(
    job: Job, players: Mapping[Seat, Player], clock: Clock, *,
    sandbox: str = "none", watch: Callable[[Turn], None] | None = None,
) -> GameRecord:  # fmt: skip
    """Play a game to its end. A player that breaks a rule loses it; every exception that leaves here is ours."""
    started = utc.stamp(utc.now())
    table = _Table(job, players, clock, watch or (lambda _: None))
    ending: Ending | None = None
    foul: _Foul | None = None
    try:
        ending = table.play()
    except _Foul as raised:
        foul = raised
    finally:
        notes = {seat: player.close() for seat, player in players.items()}
    return _record(job, table, ending, foul, notes, sandbox=sandbox, started=started)


class _Table:
    """A game under way."""

    def __init__(self, job: Job, players: Mapping[Seat, Player], clock: Clock, watch: Callable[[Turn], None]) -> None:
        self.players = players
        self.moves: list[MoveRecord] = []
        self.unanswered = 0.0
        self._job = job
        self._clock = clock
        self._watch = watch
        self._state = job.game.position(job.start)
        self.mover = self._seat()
        for text in job.opening:
            self._forward(MoveRecord(text))

    def play(self) -> Ending:
        self._open("first", self._job.seed_first)
        self._open("second", self._job.seed_second)
        self._show(None)
        while (ending := self._state.ending) is None:
            self._turn()
        return ending

    def _open(self, seat: Seat, seed: int) -> None:
        color = self._job.game.first if seat == "first" else not self._job.game.first
        try:
            self.players[seat].open(self._job.game, color, start=self._job.start, seed=seed)
        except Fault as fault:
            raise _Foul(seat, fault) from fault

    def _turn(self) -> None:
        color, seat = self._state.turn, self._seat()
        asked_at = self._clock.now()
        try:
            answer = self._ask(seat, self._clock.times(color))
            if not self._clock.charge(color, answer):
                raise Fault("time", f"used up its {self._job.seconds:g} s")
            self._move(answer)
        except Fault as fault:
            self.unanswered = self._clock.now() - asked_at
            raise _Foul(seat, fault) from fault

    def _seat(self) -> Seat:
        return "first" if self._state.turn == self._job.game.first else "second"

    def _ask(self, seat: Seat, times: Times) -> Answer:
        history = History(self._job.start, tuple(move.text for move in self.moves), self._state)
        return self.players[seat].ask(history, times)

    def _move(self, answer: Answer) -> None:
        try:
            self._forward(MoveRecord(answer.text, answer.wall, answer.cpu, answer.wait))
        except IllegalMove as error:
            raise Fault("illegal-move", f"{answer.text!r}: {error}", {"answer": answer.text}) from error
        self._show(self.moves[-1].text)

    def _forward(self, move: MoveRecord) -> None:
        parsed = self._state.parse(move.text)
        self._state = self._state.forward(parsed)
        self.moves.append(MoveRecord(str(parsed), move.wall, move.cpu, move.wait))

    def _show(self, move: str | None) -> None:
        times = {color: self._clock.times(color).own for color in (True, False)}
        self._watch(Turn(self._state, move, times))


def _record(
    job: Job, table: _Table, ending: Ending | None, foul: _Foul | None, notes: Mapping[Seat, Fault | None], *,
    sandbox: str, started: str,
) -> GameRecord:  # fmt: skip
    fault = _fault_record(foul.seat, foul.fault) if foul else None
    engines = {seat: player for seat, player in table.players.items() if isinstance(player, Engine)}
    noted = [_fault_record(seat, fault) for seat, engine in engines.items() for fault in engine.restarts()]
    noted += [_fault_record(seat, note) for seat, note in notes.items() if note is not None]
    reported = {
        seat: plain(name, limit=_NAME_CHARACTERS) for seat, engine in engines.items() if (name := engine.engine())
    }
    return GameRecord(
        league=job.league, key=job.key, game=job.game.name, parameters=dict(job.game.parameters),
        game_version=job.game.version, first=job.first, second=job.second, seconds=job.seconds,
        start=job.start, opening=job.opening, seed=job.seed, seed_first=job.seed_first, seed_second=job.seed_second,
        moves=tuple(table.moves), result=_result(job.game.first, ending, fault),
        reason=ending.reason if ending else "fault", detail=ending.detail if ending else "",
        margin=ending.margin if ending else None,
        fault=fault, notes=tuple(noted),
        output_first=_output(table.players["first"]), output_second=_output(table.players["second"]),
        sandbox=sandbox, rules=live(job.game.name), host=platform.node(),
        versions={"arena": version(), "python": platform.python_version(), "system": platform.release()} | reported,
        mover=table.mover, unanswered=round(table.unanswered, 6), started=started, ended=utc.stamp(utc.now()),
    )  # fmt: skip


def _result(first: Color, ending: Ending | None, fault: FaultRecord | None) -> Literal["1-0", "0-1", "1/2-1/2"]:
    if fault is not None:
        return "0-1" if fault.player == "first" else "1-0"
    assert ending is not None
    if ending.winner is None:
        return "1/2-1/2"
    return "1-0" if ending.winner == first else "0-1"


def _fault_record(seat: Seat, fault: Fault) -> FaultRecord:
    evidence = {
        key: plain(text[-_EVIDENCE_CHARACTERS:], limit=_EVIDENCE_CHARACTERS, multiline=True)
        for key, text in fault.evidence.items()
    }
    return FaultRecord(
        seat, fault.rule, plain(fault.detail, limit=_DETAIL_CHARACTERS), evidence, phase=fault.phase, turn=fault.turn
    )


def _output(player: Player) -> str:
    text = player.output() if isinstance(player, Printing) else ""
    return plain(text[-_OUTPUT_CHARACTERS:], limit=_OUTPUT_CHARACTERS, multiline=True)
