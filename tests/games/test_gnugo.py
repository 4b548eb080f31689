"""The moves and captures of Go, compared with those of GNU Go."""

import os
import random
import select
import shutil
import subprocess
import time
from collections.abc import Iterator

import pytest

from games.base import BLACK, WHITE
from games.go import Go

OPTIONS = ["--mode", "gtp", "--chinese-rules", "--positional-superko"]
#: The options that follow our parameter `suicide`.
SUICIDE = {"yes": ["--allow-all-suicide"], "no": ["--forbid-suicide"]}
SECONDS = 600.0
COLORS = {BLACK: "black", WHITE: "white"}


class GnuGo:
    """The engine as a judge: it lists what is legal and what stands on the board."""

    def __init__(self, binary: str, suicide: str) -> None:
        command = [binary, *OPTIONS, *SUICIDE[suicide]]
        self.suicide = suicide
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def ask(self, command: str) -> list[str]:
        """The words of the answer to a command."""
        self.process.stdin.write(command.encode() + b"\n")
        deadline = time.monotonic() + SECONDS
        answer = b""
        while not answer.endswith(b"\n\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(deadline - time.monotonic(), 0))
            assert ready, f"no answer to {command!r} within {SECONDS} s, only {answer[-200:]!r}"
            read = os.read(self.process.stdout.fileno(), 65536)
            assert read, f"the engine ended; its last words: {answer[-200:]!r}"
            answer += read
        assert answer.startswith(b"="), f"{command}: {answer!r}"
        return answer[1:].decode().split()


@pytest.fixture(scope="module", params=["yes", "no"], ids=["suicide", "no suicide"])
def judge(request) -> Iterator[GnuGo]:
    binary = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    assert binary, "gnugo is not installed; Debian: apt-get install gnugo"
    judge = GnuGo(binary, request.param)
    yield judge
    judge.process.kill()
    judge.process.communicate()


def standing(state):
    """The points with black stones and those with white ones, read from the text."""
    rows = state.text.split()[0].split("/")
    points = {
        f"{'ABCDEFGHJKLMNOPQRST'[column]}{len(rows) - number}": cell
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    }
    return tuple(frozenset(name for name, cell in points.items() if cell == symbol) for symbol in "XO")


def judged(judge):
    return tuple(frozenset(judge.ask(f"list_stones {name}")) for name in ("black", "white"))


def agree(judge, state, boards):
    """The engine knows all our moves; whatever else it allows leads to an earlier board by its own account.

    It overlooks some repetitions, above all that of a single stone which kills itself.
    """
    assert judged(judge) == standing(state), state.text
    name = COLORS[state.turn]
    legal = {move for move in judge.ask(f"all_legal {name}") if move.upper() != "PASS"}
    ours = set(state.legal_moves) - {"pass"}
    assert ours <= legal, state.text
    for move in sorted(legal - ours):
        judge.ask(f"play {name} {move}")
        assert judged(judge) in boards, f"{move} in {state.text}"
        judge.ask("undo")


@pytest.mark.parametrize(("size", "seed"), [(9, 3), (9, 6), (7, 4), (5, 7)])
def test_the_engine_finds_the_same_moves_and_captures_in_random_games(judge, size, seed):
    rng = random.Random(seed)
    state = Go(size=size, suicide=judge.suicide).start()
    judge.ask(f"boardsize {size}")
    judge.ask("clear_board")
    boards = {standing(state)}
    while not state.is_game_over():
        agree(judge, state, boards)
        move = rng.choice(state.legal_moves)
        judge.ask(f"play {COLORS[state.turn]} {move}")
        state = state.forward(move)
        boards.add(standing(state))
    assert judged(judge) == standing(state)
