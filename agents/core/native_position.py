"""A state as the native searches are told it: text crosses the border, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["NATIVE_POSITIONS", "NativePosition"]


@dataclass(frozen=True, slots=True)
class NativePosition:
    """A state as text: its game with the numbers that belong to it, a position, and the moves made since.

    Where the rules ask for them, also the boards that may not come again, and the turns made before.
    """

    game: str
    numbers: Mapping[str, float]
    text: str
    moves: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    turns: int = 0


def _microchess(state: Any) -> NativePosition:
    # Repetition counts: the whole game is told.
    moves = tuple(move.uci() for move in state.move_stack)
    return NativePosition("microchess", {"limit": state.turn_limit}, state.root().text if moves else state.text, moves)


def _go(state: Any) -> NativePosition:
    seen = tuple(f"{black:x} {white:x}" for black, white in state.seen)
    return NativePosition("go", {"limit": state.limit, "komi": state.komi}, state.text, seen=seen, turns=state.turns)


def _without_history(game: str) -> Callable[[Any], NativePosition]:
    return lambda state: NativePosition(game, {}, state.text)


#: How a state is told, by the module of its class. Not of a base class: who derives from a state may change its rules.
NATIVE_POSITIONS: Final[Mapping[str, Callable[[Any], NativePosition]]] = {
    "games.go": _go,
    "games.gomoku": _without_history("gomoku"),
    "games.microchess": _microchess,
    "games.mushroom": _without_history("mushroom"),
    "games.othello": _without_history("othello"),
}
