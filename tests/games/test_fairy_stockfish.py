"""The moves of microchess, compared with those of an engine that was taught the rules from elsewhere."""

import os
import random
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIANT = Path(__file__).parents[2] / "stockfish_bridge" / "microchess.ini"
COUNT = re.compile(rb"^([a-d][1-5][a-d][1-5][nbrq]?): (\d+)$", re.MULTILINE)
SECONDS = 20.0


class FairyStockfish:
    """The engine with our variant loaded."""

    def __init__(self, binary: str) -> None:
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._send(f"load {VARIANT}\nuci\nsetoption name UCI_Variant value arenamicro\nisready")
        self._read_until(b"readyok")

    def perft(self, position: str, turns: int) -> dict[str, int]:
        """For every legal move, how many sequences of so many turns begin with it."""
        self._send(f"position {position}\ngo perft {turns}")
        answer = self._read_until(b"Nodes searched")
        return {move.decode(): int(count) for move, count in COUNT.findall(answer)}

    def _send(self, lines: str) -> None:
        self.process.stdin.write(lines.encode() + b"\n")

    def _read_until(self, end: bytes) -> bytes:
        deadline = time.monotonic() + SECONDS
        answer = b""
        while not re.search(re.escape(end) + rb".*\n", answer):
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(left, 0))
            assert ready, f"no {end!r} from the engine within {SECONDS} s, only {answer[-200:]!r}"
            read = os.read(self.process.stdout.fileno(), 65536)
            assert read, f"the engine ended; its last words: {answer[-200:]!r}"
            answer += read
        return answer


@pytest.fixture(scope="module")
def engine() -> Iterator[FairyStockfish]:
    binary = shutil.which("fairy-stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    assert binary, "fairy-stockfish is not installed; Debian: apt-get install fairy-stockfish"
    engine = FairyStockfish(binary)
    yield engine
    engine.process.kill()
    engine.process.communicate()


@pytest.fixture(scope="module")
def positions(microchess, walk) -> list[str]:
    """Positions of random games, finished ones among them."""
    states = [state.text for seed in range(60) for state in walk(microchess, seed)]
    return random.Random(0).sample(states, 300)


def test_the_engine_counts_the_same_sequences_from_the_start(engine, microchess, perft):
    start = microchess.start()
    expected = {str(move): perft(start.forward(move), 3) for move in start.legal_moves}
    assert sum(expected.values()) == 8450
    assert engine.perft("startpos", 4) == expected


def test_the_engine_finds_the_same_moves_in_random_positions(engine, microchess, positions):
    for text in positions:
        expected = {str(move) for move in microchess.position(text).generate_legal_moves()}
        assert set(engine.perft(f"fen {text}", 1)) == expected, text


@pytest.mark.parametrize(
    "text",
    [
        "k2r/p3/4/3P/R2K w Qk - 0 1",
        "k2r/p3/4/3P/R2K b Qk - 0 1",
        "k2r/p3/4/4/R2K w Qk - 0 1",
        "k1r1/p3/4/3P/R2K w Q - 0 1",
        "kr2/p3/4/3P/R2K w Q - 0 1",
        "k2r/p3/4/3P/1R1K b k - 0 1",
        "k2r/p3/4/3P/2RK b k - 0 1",
        "k2r/2P1/4/4/K3 w - - 0 1",
        "3k/4/4/1p2/R2K b - - 0 1",
        "3k/4/2p1/3P/K3 w - - 0 1",
        "k2r/3p/qQP1/p3/R2K w Qk - 0 1",
    ],
)
def test_the_engine_agrees_about_special_moves(engine, microchess, text):
    assert engine.perft(f"fen {text}", 3) == sequences(microchess.position(text), 3)


def sequences(board, turns):
    """Perft that goes on where our game would be over, as the engine's does."""
    counts = {}
    for move in list(board.generate_legal_moves()):
        board.push(move)
        counts[str(move)] = sum(sequences(board, turns - 1).values()) if turns > 1 else 1
        board.pop()
    return counts
