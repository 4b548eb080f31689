"""The referee: plays one game. It requests a move, charges the clock, checks the move and makes it."""

import itertools
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from agents.seat import Answer, Fault, History, Player, Times
from arena.process.charge import Charge, charged
from arena.referee.adjudication import NO_ADJUDICATION, Adjudged, Adjudication, Adjudicator
from arena.version import version
from games import live
from games.base import Color, Ending, Game, State
from games.errors import ArenaError, IllegalMove
from results.record import Dice, EntrantRecord, FaultRecord, GameRecord, MoveRecord, Result, Seat
from results.store import utc
from results.text import plain
from results.time_control import TimeControl

__all__ = [
    "Clock", "Engine", "Job", "Person", "Printing", "Resigned", "Starting", "TakenBack", "Turn", "illegal_move", "play",
]  # fmt: skip

_DETAIL_CHARACTERS = 500
_EVIDENCE_CHARACTERS = 16_000
_OUTPUT_CHARACTERS = 2_000
_NAME_CHARACTERS = 100
_ANSWER_CHARACTERS = 200
_LEGAL_EXAMPLES = 3

#: By colour: the seconds left, the seconds of the last move, and the number of moves.
_Reading: TypeAlias = tuple[dict[Color, float], dict[Color, float], dict[Color, int]]


class FromPerson(ArenaError):
    """What a person wants instead of a move: the person that is asked for one, or the one in the seat."""

    def __init__(self, seat: Seat | None = None) -> None:
        super().__init__()
        self.seat = seat


class Resigned(FromPerson):
    """A person gives the game up, when somebody is asked for a move."""


class TakenBack(FromPerson):
    """A person takes back its last move and all that came after it, when somebody is asked for a move."""


class Clock:
    """Each player has the time of the time control, or a number of seconds for the whole game.

    Each move is charged to it afterwards. What the time control adds after a move is added then; a player whose time
    is used up gets nothing more.
    """

    def __init__(
        self, time_control: TimeControl | float, *, charge: Charge = "wall", now: Callable[[], float] = time.monotonic
    ) -> None:
        control = time_control if isinstance(time_control, TimeControl) else TimeControl(time_control)
        self.now = now
        self.charge_by = charge
        self._control = control
        self._left = {True: control.seconds, False: control.seconds}
        self._last = {True: 0.0, False: 0.0}
        self._moves = {True: 0, False: 0}

    def times(self, color: Color) -> Times:
        """The times that the player of this colour is sent before its move."""
        return Times(
            own=self._left[color], opponent=self._left[not color], opponent_last_move=self._last[not color],
            increment=self._control.increment, moves_to_go=self._control.moves_to_go(self._moves[color]),
        )  # fmt: skip

    def charge(self, color: Color, answer: Answer) -> bool:
        """Charge a move to its player; False when the player's time is used up."""
        cost = charged(self.charge_by, wall=answer.wall, cpu=answer.cpu, wait=answer.wait)
        self._last[color] = cost
        self._moves[color] += 1
        self._left[color] = self._control.charge(self._left[color], cost, move=self._moves[color])
        return self._left[color] > 0.0

    def reading(self) -> "_Reading":
        """What the clock shows now, for both players."""
        return self._left.copy(), self._last.copy(), self._moves.copy()

    def put_back(self, reading: "_Reading") -> None:
        """Show again what it showed then."""
        left, last, moves = reading
        self._left, self._last, self._moves = left.copy(), last.copy(), moves.copy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Everything that determines one game before it starts."""

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
    #: Where the seeds of the players come from; see `GameRecord`.
    dice: Dice = ""
    #: The time control if it is more than `seconds` for the whole game.
    control: TimeControl | None = None

    @property
    def time_control(self) -> TimeControl:
        """The time of each player."""
        return self.control or TimeControl(self.seconds)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a spectator sees after each move, and once before the first move (then `move` is None).

    If moves were taken back, `move` is None, and `taken_back` is their number.
    """

    state: State
    move: str | None
    times: Mapping[Color, float]
    taken_back: int = 0


@runtime_checkable
class Person(Protocol):
    """A player that may have no clock, and may raise `Resigned` and `TakenBack`."""

    is_timed: bool

    def help_taken(self) -> Mapping[str, str]:
        """What the record notes about it, in half sentences, by their kind (see `FaultRecord.is_help`)."""
        ...


@runtime_checkable
class Printing(Protocol):
    """A player that keeps what its process printed."""

    def output(self) -> str:
        """The end of it, raw."""
        ...


@runtime_checkable
class Engine(Protocol):
    """A player that has a name of its own and may have been started again during the game."""

    def engine(self) -> str:
        """The name that it gives itself, raw."""
        ...

    def restarts(self) -> Sequence[Fault]:
        """The faults for which it was started again."""
        ...


class _Faulted(Exception):
    """Ends a game: the fault and the seat of the player that committed it."""

    def __init__(self, seat: Seat, fault: Fault) -> None:
        super().__init__(str(fault))
        self.seat = seat
        self.fault = fault


def play(
    job: Job, players: Mapping[Seat, Player], clock: Clock, *,
    sandbox: str = "none", watch: Callable[[Turn], None] | None = None, adjudication: Adjudication = NO_ADJUDICATION,
) -> GameRecord:  # fmt: skip
    """Play a game to its end and return its record.

    A player that breaks a rule loses the game. Every exception that is raised here is our own failure.
    """
    started = utc.stamp(utc.now())
    adjudicator = Adjudicator(adjudication, first=job.game.first)
    game = _RunningGame(job, players, clock, watch or (lambda _: None), adjudicator)
    ending: Ending | Adjudged | None = None
    faulted: _Faulted | None = None
    try:
        ending = game.play()
    except _Faulted as raised:
        faulted = raised
    finally:
        notes = {seat: player.close() for seat, player in players.items()}
    return _record(job, game, ending, faulted, notes, sandbox=sandbox, started=started)


class _RunningGame:
    """A game in progress."""

    def __init__(
        self, job: Job, players: Mapping[Seat, Player], clock: Clock, watch: Callable[[Turn], None],
        adjudicator: Adjudicator,
    ) -> None:  # fmt: skip
        self.players = players
        self.moves: list[MoveRecord] = []
        self.unanswered = 0.0  # seconds of the last request, if a fault ended it
        self._job = job
        self._clock = clock
        self._watch = watch
        self._adjudicator = adjudicator
        self._readings: dict[int, _Reading] = {}  # the clock before each turn
        self._untimed = {seat for seat, player in players.items() if isinstance(player, Person) and not player.is_timed}
        self._state = job.game.position(job.start)
        self.mover = self._seat()
        for text in job.opening:
            self._forward(MoveRecord(text))

    def play(self) -> Ending | Adjudged:
        self._open("first", self._job.seed_first)
        self._open("second", self._job.seed_second)
        self._show(None)
        ending: Adjudged | None = None
        while (over := self._state.ending or ending) is None:  # what the rules say comes first
            ending = self._turn()
        return over

    def _open(self, seat: Seat, seed: int) -> None:
        try:
            self.players[seat].open(self._job.game, self._color(seat), start=self._job.start, seed=seed)
        except Fault as fault:
            raise _Faulted(seat, fault) from fault

    def _turn(self) -> Adjudged | None:
        """One move; the ending if the players agree that the game is over."""
        color, seat, is_only_move = self._state.turn, self._seat(), len(self._state.legal_moves) == 1
        asked_at = self._clock.now()
        self._readings[len(self.moves)] = self._clock.reading()
        try:
            answer = self._ask(seat, self._clock.times(color))
            if seat not in self._untimed and not self._clock.charge(color, answer):
                raise Fault(
                    "time",
                    f"used up its time ({control.words})"
                    if (control := self._job.control)
                    else f"used up its {self._job.seconds:g} s",
                )
            self._move(answer)
        except Resigned as resigned:
            loser = resigned.seat or seat
            return Adjudged(not self._color(loser), f"{loser} resigned", reason="resignation")
        except TakenBack as taken_back:
            self._take_back(self._color(taken_back.seat or seat))
            return None
        except Fault as fault:
            fault.turn = len(self.moves) + 1
            self.unanswered = self._clock.now() - asked_at
            raise _Faulted(seat, fault) from fault
        return self._adjudicator.take(color, answer.score, turns=len(self.moves), is_only_move=is_only_move)

    def _take_back(self, color: Color) -> None:
        """Go back to the last position in which this player made a move; its opponent begins anew there."""
        played, states = self.moves, [self._job.game.position(self._job.start)]
        for move in played:
            states.append(states[-1].forward(states[-1].parse(move.text)))
        turns = range(len(self._job.opening), len(played))
        kept = max((turn for turn in turns if states[turn].turn == color), default=len(played))
        self.moves, self._state = played[:kept], states[kept]
        self._clock.put_back(self._readings[kept])
        self._adjudicator.forget()
        seat: Seat = "second" if color == self._job.game.first else "first"
        self.players[seat].close()  # it has seen moves that were not made
        self._open(seat, self._job.seed_first if seat == "first" else self._job.seed_second)
        self._show(None, taken_back=len(played) - kept)

    def _color(self, seat: Seat) -> Color:
        return self._job.game.first if seat == "first" else not self._job.game.first

    def _seat(self) -> Seat:
        return "first" if self._state.turn == self._job.game.first else "second"

    def _ask(self, seat: Seat, times: Times) -> Answer:
        history = History(self._job.start, tuple(move.text for move in self.moves), self._state)
        return self.players[seat].ask(history, times)

    def _move(self, answer: Answer) -> None:
        try:
            self._forward(MoveRecord(answer.text, answer.wall, answer.cpu, answer.wait))
        except IllegalMove as error:
            raise illegal_move(self._state, answer.text, error) from error
        self._show(self.moves[-1].text)

    def _forward(self, move: MoveRecord) -> None:
        parsed = self._state.parse(move.text)
        self._state = self._state.forward(parsed)
        self.moves.append(MoveRecord(str(parsed), move.wall, move.cpu, move.wait))

    def _show(self, move: str | None, *, taken_back: int = 0) -> None:
        times = {color: self._clock.times(color).own for color in (True, False)}
        self._watch(Turn(self._state, move, times, taken_back))


@runtime_checkable
class Starting(Protocol):
    """A player whose process takes time to start."""

    def start_cost(self) -> float:
        """The seconds that it took to start, counted like those of a move."""
        ...


def _start_cost(player: Player) -> float:
    return round(player.start_cost(), 6) if isinstance(player, Starting) else 0.0


def illegal_move(state: State, text: str, error: IllegalMove) -> Fault:
    """The fault of a player whose answer is not a legal move in this state."""
    legal = ", ".join(str(move) for move in itertools.islice(state.legal_moves, _LEGAL_EXAMPLES))
    evidence = {"answer": text[:_ANSWER_CHARACTERS], "position": state.text, "legal": legal}
    return Fault("illegal-move", str(error), evidence)


def _record(
    job: Job, game: _RunningGame, ending: Ending | Adjudged | None, faulted: _Faulted | None,
    notes: Mapping[Seat, Fault | None], *, sandbox: str, started: str,
) -> GameRecord:  # fmt: skip
    fault = _fault_record(faulted.seat, faulted.fault) if faulted else None
    engines = {seat: player for seat, player in game.players.items() if isinstance(player, Engine)}
    noted = [_fault_record(seat, fault) for seat, engine in engines.items() for fault in engine.restarts()]
    noted += [_fault_record(seat, note) for seat, note in notes.items() if note is not None]
    people = {seat: player for seat, player in game.players.items() if isinstance(player, Person)}
    noted += [
        FaultRecord(seat, kind, text, {}) for seat, one in people.items() for kind, text in one.help_taken().items()
    ]
    reported = {
        seat: plain(name, limit=_NAME_CHARACTERS) for seat, engine in engines.items() if (name := engine.engine())
    }
    return GameRecord(
        league=job.league, key=job.key, game=job.game.name, parameters=dict(job.game.parameters),
        game_version=job.game.version, first=job.first, second=job.second, seconds=job.seconds,
        start=job.start, opening=job.opening, seed=job.seed, seed_first=job.seed_first, seed_second=job.seed_second,
        moves=tuple(game.moves), result=_result(job.game.first, ending, fault),
        reason=ending.reason if ending else "fault", detail=ending.detail if ending else "",
        margin=ending.margin if ending else None,
        fault=fault, notes=tuple(noted),
        output_first=_output(game.players["first"]), output_second=_output(game.players["second"]),
        sandbox=sandbox, rules=live(job.game.name), host=platform.node(),
        versions={"arena": version(), "python": platform.python_version(), "system": platform.release()} | reported,
        dice=job.dice, control=job.control,
        startup_first=_start_cost(game.players["first"]), startup_second=_start_cost(game.players["second"]),
        mover=game.mover, unanswered=round(game.unanswered, 6), started=started, ended=utc.stamp(utc.now()),
    )  # fmt: skip


def _result(first: Color, ending: Ending | Adjudged | None, fault: FaultRecord | None) -> Result:
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
