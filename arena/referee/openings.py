"""How games begin when they should not all begin alike."""

import random
from pathlib import Path

from arena.errors import BadSettings
from games.base import Game, State
from games.errors import BadPosition

__all__ = ["open_position", "read", "seeded"]

_TRIES = 1000


def seeded(start: State, *, turns: int, seed: int) -> tuple[str, ...]:
    """A few random moves that never lead into a decided position."""
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
    raise BadSettings(f"no opening of {turns} turns leaves the game open; use fewer")


def read(path: Path, game: Game) -> tuple[str, ...]:
    """Start positions from a file: one a line, blank lines and lines with # in front left out."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"cannot read the openings in {path}: {error}") from error
    positions = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                positions.append(open_position(game, line.strip()).text)
            except BadPosition as error:
                raise BadPosition(f"{path}, line {number}: {error}") from error
    if not positions:
        raise BadSettings(f"{path} holds no positions")
    return tuple(positions)


def open_position(game: Game, text: str) -> State:
    """The position, if a game can go on from it."""
    state = game.position(text)
    if state.ending is not None:
        raise BadPosition(f"the game is over in {text!r}: {state.ending.reason}")
    return state
