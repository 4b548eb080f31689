"""`arena engine` over UCI: the steps of `fastchess --compliance`, and searches that are limited and stopped."""

import os
import select
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

#: Words of an `info` line that are followed by a number.
NUMBERS = {"depth", "seldepth", "time", "nodes", "nps", "hashfull", "tbhits", "multipv"}
FEN = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
BLACK_TO_MOVE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


class Gui:
    """The other program: sends lines, and reads until the line that it waits for."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._rest = b""

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """All lines up to the first that begins with this word."""
        lines: list[str] = []
        while not (lines and lines[-1].split()[:1] == [word]):
            lines.append(self._line())
        return lines

    def _line(self) -> str:
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], 600.0)
            chunk = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            assert chunk, "no answer"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()


@pytest.fixture
def gui(arena: Any) -> Iterator[Callable[..., Gui]]:
    """Starts `arena engine` with an agent, and ends it after the test."""
    started: list[Gui] = []

    def start(agent: str, *more: str) -> Gui:
        words = ["engine", "--protocol", "uci", "--agent", agent, "--seed", "1", *more]
        started.append(Gui(arena.start(*words, stdin=subprocess.PIPE)))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        for stream in (each.process.stdin, each.process.stdout, each.process.stderr):
            assert stream is not None
            stream.close()


def has_valid_form(line: str) -> bool:
    """Whether an `info` line has a score, a number after each word that needs one, and moves last."""
    words = line.split()
    if words[0] != "info" or "score" not in words:
        return False
    at = words.index("score")
    numbers = all(words[place + 1].isdecimal() for place, word in enumerate(words) if word in NUMBERS)
    return numbers and words[at + 1] in ("cp", "mate") and words[at + 2].lstrip("-").isdecimal()


def searched(gui: Gui, *lines: str) -> list[str]:
    gui.send(*lines)
    *before, best = gui.until("bestmove")
    assert best.split()[1] not in ("(none)", "0000")
    infos = [line for line in before if line.startswith("info ") and " string " not in line]
    assert infos, "no info line"
    assert all(map(has_valid_form, infos)), infos
    return infos


@pytest.mark.parametrize("agent", ["alphabeta", "random"])
def test_the_steps_of_a_compliance_check(gui: Callable[..., Gui], agent: str) -> None:
    program = gui(agent)
    program.send("uci")
    hello = program.until("uciok")
    assert any(line.startswith("id name ") for line in hello)
    assert any(line.startswith("id author ") for line in hello)
    offered = {line.split()[2] for line in hello if line.startswith("option name ")}
    assert {"Hash", "Threads"} <= offered
    program.send("setoption name Hash value 64", "setoption name Threads value 2", "isready")
    assert program.until("readyok") == ["readyok"]
    program.send("ucinewgame", "position startpos", "isready")
    assert program.until("readyok") == ["readyok"]
    program.send(f"position fen {FEN}", "isready")
    assert program.until("readyok") == ["readyok"]
    searched(program, "go wtime 100")
    searched(program, f"position fen {BLACK_TO_MOVE}", "go btime 100")
    searched(program, "go wtime 100 winc 100 btime 100 binc 100")
    searched(program, "go btime 100 binc 100 wtime 100 winc 100")
    program.send("ucinewgame")
    searched(program, "position startpos", "go wtime 100 btime 100")
    searched(program, "position startpos moves e2e4 e7e5", "go wtime 100 btime 100")


@pytest.mark.parametrize(
    ("agent", "game"),
    [("alphabeta", "chess"), ("alphabeta", "microchess"), ("uct", "microchess"), ("puct", "microchess"),
     ("self_learning", "microchess"), ("learned_alphabeta", "microchess"), ("mcts", "microchess")],
)  # fmt: skip
def test_a_search_heeds_nodes_and_says_what_it_found(gui: Callable[..., Gui], agent: str, game: str) -> None:
    program = gui(agent, "--game", game)
    *_, last = searched(program, "position startpos", "go nodes 300")
    words = last.split()
    assert int(words[words.index("nodes") + 1]) <= 310
    assert "pv" in words
    assert -200 < int(words[words.index("cp") + 1]) < 200  # an even position


@pytest.mark.parametrize("agent", ["alphabeta", "learned_alphabeta", "negamax"])
def test_a_search_heeds_its_depth(gui: Callable[..., Gui], agent: str) -> None:
    program = gui(agent, "--game", "microchess")
    *_, last = searched(program, "position startpos", "go depth 2")
    words = last.split()
    assert int(words[words.index("depth") + 1]) <= 2


@pytest.mark.parametrize(
    ("agent", "game", "word"),
    [("alphabeta", "microchess", "info"), ("uct", "microchess", "info"), ("alphabeta", "chess", "info"),
     ("puct", "microchess", "readyok"), ("self_learning", "microchess", "readyok")],
)  # fmt: skip
def test_stop_ends_a_search_at_once(gui: Callable[..., Gui], agent: str, game: str, word: str) -> None:
    # Nothing else would end it: there is no clock, no depth and no number of nodes.
    program = gui(agent, "--game", game)
    for _ in range(2):
        program.send("position startpos", "go infinite", "isready")
        program.until(word)
        program.send("isready")
        assert program.until("readyok")[-1] == "readyok"
        program.send("stop")
        assert program.until("bestmove")[-1].split()[1] != "(none)"
