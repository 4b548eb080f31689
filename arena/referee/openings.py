"""Openings: random moves and start positions, so that not all games begin alike."""

import random
from pathlib import Path

from arena.errors import BadSettings
from games.base import Game, State
from games.errors import BadPosition

__all__ = ["open_position", "read", "seeded"]

_TRIES = 1000


def seeded(start: State, *, turns: int, seed: int) -> tuple[str, ...]:
    """Random moves after which the game is not over; the same seed gives the same moves."""
    rng = random.Random(seed)
    for _ in range(_TRIES):
        state = start
        moves: list[str] = []
        while len(moves) < turns and not state.is_game_over():
            move = rng.choice(list(state.legal_moves))
            moves.append(str(move))
            state = state.forward(move)
        if not state.is_game_over():
            return tuple(moves)
    raise BadSettings(f"after {turns} opening turns the game is always over; use fewer")


def read(path: Path, game: Game) -> tuple[str, ...]:
    """Start positions from a file: one a line; blank lines and lines that start with # are ignored."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"cannot read the openings file {path}: {error}") from error
    positions = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                positions.append(open_position(game, line.strip()).text)
            except BadPosition as error:
                raise BadPosition(f"{path}, line {number}: {error}") from error
    if not positions:
        raise BadSettings(f"the openings file {path} has no positions")
    return tuple(positions)


def open_position(game: Game, text: str) -> State:
    """The state of this position, in which the game must not be over."""
    state = game.position(text)
    if state.ending is not None:
        raise BadPosition(f"the game is over in {text!r}: {state.ending.reason}")
    return state
