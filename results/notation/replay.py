"""Replaying a record under the current rules, and the clocks of both players at every turn."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, TypeAlias

from games.base import Move, State, join_parameters, load_stored
from games.errors import ArenaError
from results.record import GameRecord, MoveRecord, Seat
from results.text import plain

__all__ = ["BROKEN", "Clocks", "Cost", "Replay", "clocks", "cost_of", "replay", "seat_of"]

#: The seconds that a move is charged.
Cost: TypeAlias = Callable[[MoveRecord], float]

#: The errors that the code of a changed or foreign game may raise.
BROKEN: Final = (
    ArenaError, ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Replay:
    """The states of a game, from the start on, and the moves between them.

    If the current rules cannot replay the whole game, `broken` is the reason and the states end before the problem.
    """

    states: tuple[State, ...] = ()
    moves: tuple[Move, ...] = ()
    broken: str = ""


def replay(record: GameRecord) -> Replay:
    """Replay a record; never raises."""
    try:
        game = load_stored(join_parameters(record.game, record.parameters))
        state = game.position(record.start)
    except BROKEN as error:
        return Replay(broken=_reason(f"its start cannot be set up: {error}"))
    states: list[State] = [state]
    moves: list[Move] = []
    for number, made in enumerate(record.moves, 1):
        try:
            move = state.parse(made.text)
            state = state.forward(move)
        except BROKEN as error:
            versions = f"it was played with version {record.game_version} of {record.game}, not {game.version}"
            broken = f"turn {number} cannot be replayed: {error}"
            same = game.version == record.game_version
            return Replay(tuple(states), tuple(moves), _reason(broken if same else f"{broken}; {versions}"))
        states.append(state)
        moves.append(move)
    return Replay(tuple(states), tuple(moves))


def _reason(text: str) -> str:
    return plain(text, limit=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The seconds that both players have left, and the seconds charged for the last move."""

    first: float
    second: float
    cost: float = 0.0


def seat_of(record: GameRecord, turn: int) -> Seat:
    """The seat whose turn it is; turns are counted from 1."""
    if turn % 2:
        return record.mover
    return "second" if record.mover == "first" else "first"


def cost_of(clock: object) -> Cost:
    """How a league with this setting `clock` charges a move; by the wall clock if the setting is unknown."""
    costs: dict[object, Cost] = {
        "fair": lambda move: max(move.cpu, move.wall - move.wait),
        "cpu": lambda move: move.cpu,
    }
    return costs.get(clock, attrgetter("wall"))


def clocks(record: GameRecord, cost: Cost = attrgetter("wall")) -> list[Clocks]:
    """Both clocks at the start and after each move; after a fault one more, with the time of the failed request.

    `cost` gives the seconds charged for a move, by default its wall-clock time.
    """
    control = record.time_control
    left: dict[Seat, float] = {"first": control.seconds, "second": control.seconds}
    moves: dict[Seat, int] = {"first": 0, "second": 0}
    shown = [Clocks(first=control.seconds, second=control.seconds)]

    def charge(seat: Seat, seconds: float, *, is_own_move: bool) -> None:
        moves[seat] += is_own_move  # moves of the opening are nobody's
        if is_own_move:
            left[seat] = control.charge(left[seat], seconds, move=moves[seat])
        else:
            left[seat] = max(0.0, left[seat] - seconds)
        shown.append(Clocks(first=left["first"], second=left["second"], cost=seconds))

    for turn, move in enumerate(record.moves, 1):
        charge(seat_of(record, turn), cost(move), is_own_move=turn > len(record.opening))
    if record.fault is not None:
        charge(record.fault.player, record.unanswered, is_own_move=False)
    return shown
