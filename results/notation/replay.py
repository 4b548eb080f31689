"""A record played again under today's rules, as far as they lead."""

from dataclasses import dataclass
from typing import Final

from games.base import Move, State, join_parameters, load
from games.errors import ArenaError
from results.record import GameRecord
from results.text import plain

__all__ = ["BROKEN", "Replay", "replay"]

#: What the code of a game that was changed, or is not ours, may raise.
BROKEN: Final = (
    ArenaError, ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Replay:
    """The states of a game, its start included, and the moves between them; `broken` says why there are no more."""

    states: tuple[State, ...] = ()
    moves: tuple[Move, ...] = ()
    broken: str = ""


def replay(record: GameRecord) -> Replay:
    """Play a record again; never raises."""
    try:
        game = load(join_parameters(record.game, record.parameters))
        state = game.position(record.start)
    except BROKEN as error:
        return Replay(broken=_words(f"its start cannot be set up: {error}"))
    states: list[State] = [state]
    moves: list[Move] = []
    for number, made in enumerate(record.moves, 1):
        try:
            move = state.parse(made.text)
            state = state.forward(move)
        except BROKEN as error:
            versions = f"it was played under version {record.game_version} of {record.game}, this is {game.version}"
            broken = f"turn {number} cannot be played again: {error}"
            same = game.version == record.game_version
            return Replay(tuple(states), tuple(moves), _words(broken if same else f"{broken}; {versions}"))
        states.append(state)
        moves.append(move)
    return Replay(tuple(states), tuple(moves))


def _words(text: str) -> str:
    return plain(text, limit=500)
