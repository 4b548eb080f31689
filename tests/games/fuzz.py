"""Calls the kernel of one game with invalid input for some seconds; it may raise errors but must never crash.

Run by the soak tests, or by hand: python tests/games/fuzz.py go 600
"""

import contextlib
import copy
import pickle
import random
import sys
import time
from typing import Any

import chess
import numpy as np

import games
from games.encoding import of
from games.errors import ArenaError

ALPHABETS = {
    "chess": "kqrbnpKQRBNP12345678/ wb-KQkqACha36 0",
    "microchess": "kqrbnpKQRBNP12345678/ wb-Qk0",
    "othello": "-XO ",
    "gomoku": ".XO/ ",
    "mushroom": "123456789AB/ 0",
    "go": ".XO/ 012",
}
THINGS: list[Any] = [None, 0, -1, 2**64, 2**70, 1.5, "", "pass", b"x", [], {}, object(), chess.Move.null(), "é" * 50]
ATTRIBUTES = (
    "pawns", "kings", "occupied", "occupied_co", "turn", "castling_rights", "halfmove_clock", "fullmove_number",
    "move_stack", "_stack", "turn_limit", "ep_square", "promoted", "white_remain_sec",
    "chess960",
)  # fmt: skip


def mutated(rng: random.Random, text: str, alphabet: str) -> str:
    letters = list(text)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(letters) + 1)
        choice = rng.random()
        if choice < 0.4 and letters:
            letters[at % len(letters)] = rng.choice(alphabet)
        elif choice < 0.6:
            letters.insert(at, rng.choice(alphabet))
        elif choice < 0.8 and letters:
            del letters[at % len(letters)]
        else:
            letters[at:at] = letters[: rng.randrange(40)]
    return "".join(letters)


def poke(rng: random.Random, state: Any, name: str) -> None:
    """Call every method of a state, also with things that are not moves."""
    kernel = sys.modules[f"games._native_{name}"]
    moves = list(state.legal_moves)
    text = str(rng.choice(moves)) if moves else "x"
    for thing in (*rng.sample(THINGS, 4), text, mutated(rng, text, "0123456789abcdexyz -,ABD"), *moves[:1]):
        for ask in (state.forward, state.parse, state.svg, state.legal_moves.__contains__):
            with contextlib.suppress(ArenaError, TypeError, ValueError, AttributeError):
                ask(thing)
    _ = state.ending, state.text, str(state), state.adjudicate(), hash(state.text), copy.copy(state)
    pickle.loads(pickle.dumps(state))
    kernel.key(state)
    kernel.perft(state, 1)
    kernel.playouts(state, 1, rng.getrandbits(60))
    encoding = of(games.load(name))
    assert len(encoding.legal_actions(state)) == len(moves)
    encoding.encode([state, state], np.empty((2, encoding.inputs), dtype=np.float32))


def disturb(rng: random.Random, state: chess.Board, name: str) -> None:
    """Set attributes of a board to invalid values, as python-chess allows."""
    values = (*THINGS, rng.getrandbits(64), rng.getrandbits(40), True, [1, 2])
    for _ in range(3):
        with contextlib.suppress(TypeError, ValueError, AttributeError, OverflowError):
            setattr(state, rng.choice(ATTRIBUTES), rng.choice(values))
    for ask in (state.push, state.is_legal, state.san, state.attackers_mask):
        with contextlib.suppress(Exception):  # python-chess' own, whatever they are
            ask(rng.choice(THINGS))  # type: ignore[call-arg, operator, arg-type]
    encoding = of(games.load(name))
    with contextlib.suppress(Exception):
        encoding.encode([state], np.empty((1, encoding.inputs), dtype=np.float32))
        encoding.move(state, encoding.action(state, rng.choice([*state.legal_moves, *THINGS])))


def main(name: str, seconds: float, seed: int) -> None:
    rng, end, tried = random.Random(seed), time.monotonic() + seconds, 0
    game = games.load(name)
    texts = [game.start(number).text for number in range(3)]
    assert games.live(name) == "kernel"
    while time.monotonic() < end:
        tried += 1
        try:
            state: Any = game.position(mutated(rng, rng.choice(texts), ALPHABETS[name]))
        except ArenaError:
            state = game.start(rng.randrange(100))
        for _ in range(rng.randrange(30)):
            if not (moves := list(state.legal_moves)):
                break
            state = state.forward(rng.choice(moves))
        texts = [*texts[-50:], state.text]
        poke(rng, state, name)
        if isinstance(state, chess.Board):
            disturb(rng, copy.copy(state), name)
    sys.stdout.write(f"{name}: {tried} games with invalid input\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
