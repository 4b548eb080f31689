"""`arena engine` as other programs run it: whole games, and every way to end the program."""

import importlib.util
import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import chess.engine
import pytest

from games.base import BLACK, load

GNUGO = ("/usr/games/gnugo", "--mode", "gtp", "--level", "1", "--chinese-rules", "--positional-superko",
         "--seed", "1")  # fmt: skip
REFEREE = Path(__file__).with_name("gtp_referee.py")
LIMIT = chess.engine.Limit(time=20.0)


@pytest.fixture(scope="session")
def referee() -> ModuleType:
    """The GTP referee, which is a program of its own."""
    spec = importlib.util.spec_from_file_location("gtp_referee", REFEREE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gtp_referee"] = module
    spec.loader.exec_module(module)
    return module


def command(protocol: str, agent: str, *more: str) -> list[str]:
    words = ["engine", "--protocol", protocol, "--agent", agent, "--seed", "1", *more]
    return [sys.executable, "-P", "-m", "arena", *words]


class EngineProgram:
    """A running `arena engine`: lines to it and from it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._rest = b""

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def receive(self) -> str:
        """The next line that is not about a search in progress."""
        while (line := self.line()).startswith("info depth"):
            pass
        return line

    def line(self) -> str:
        """The next line."""
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], 600.0)
            chunk = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            assert chunk, "no answer"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()

    def ask(self, line: str) -> str:
        self.send(line)
        return self.receive()

    def end(self) -> tuple[int, str, str]:
        """Close its input; its exit code, the rest of its output, and its stderr."""
        out, err = self.process.communicate(timeout=600)
        lines = (self._rest.decode() + out).splitlines(keepends=True)
        return self.process.returncode, "".join(line for line in lines if not line.startswith("info depth")), err


@pytest.fixture
def talk(arena: Any) -> Iterator[Callable[..., EngineProgram]]:
    """Starts `arena engine` and kills it after the test."""
    programs: list[EngineProgram] = []

    def start(protocol: str, agent: str, *more: str) -> EngineProgram:
        words = command(protocol, agent, *more)[4:]
        programs.append(EngineProgram(arena.start(*words, stdin=subprocess.PIPE)))
        return programs[-1]

    yield start
    for program in programs:
        program.process.kill()
        program.process.wait()
        for stream in (program.process.stdin, program.process.stdout, program.process.stderr):
            assert stream is not None
            stream.close()


@contextmanager
def uci(words: Sequence[str]) -> Iterator[chess.engine.SimpleEngine]:
    engine = chess.engine.SimpleEngine.popen_uci(list(words), timeout=600.0)
    try:
        yield engine
    finally:
        engine.close()


def is_thinking_after(processes: Any, served: EngineProgram, lines: list[str]) -> bool:
    """Whether the agent is frozen (`T`), and runs after these lines were sent."""

    def states() -> set[str]:
        return {player.state for player in processes.confined(served.process.pid)}

    waited = processes.until(lambda: states() == {"T"})
    served.send(*lines)
    return waited and processes.until(lambda: states() in ({"R"}, {"S"}))


@pytest.mark.parametrize("color", [chess.WHITE, chess.BLACK])
@pytest.mark.parametrize("agent", ["random", "alphabeta:depth=2"])
def test_python_chess_plays_a_whole_game_of_chess(agent: str, color: chess.Color) -> None:
    board, rng = chess.Board(), random.Random(3)
    with uci(command("uci", agent)) as engine:
        assert engine.id["name"].startswith(f"arena {agent} ")
        while not board.is_game_over():
            if board.turn == color:
                move = engine.play(board, LIMIT).move
                assert move in board.legal_moves
            else:
                move = rng.choice(list(board.legal_moves))
            board.push(move)
    assert board.outcome() is not None


def test_python_chess_plays_microchess_on_our_boards() -> None:
    state, rng = load("microchess").start(), random.Random(3)
    with uci(command("uci", "one_step_search", "--game", "microchess")) as engine:
        while not state.is_game_over():
            if state.turn == chess.WHITE:
                assert isinstance(state, chess.Board)
                move = engine.play(state, chess.engine.Limit(white_clock=30, black_clock=30)).move
            else:
                move = rng.choice(list(state.legal_moves))
            state = state.forward(move)
    assert state.ending is not None


def test_two_engines_meet_in_python_chess() -> None:
    board = chess.Board()
    limits = {chess.WHITE: LIMIT, chess.BLACK: chess.engine.Limit(nodes=200)}
    with uci(command("uci", "one_step_search")) as ours, uci(["/usr/games/stockfish"]) as stockfish:
        while not board.is_game_over(claim_draw=True):
            engine = ours if board.turn == chess.WHITE else stockfish
            move = engine.play(board, limits[board.turn], game="one").move
            assert move is not None
            board.push(move)
    assert board.result(claim_draw=True) == "0-1"


def test_python_chess_gets_the_fault(faulty: Path) -> None:
    with uci(command("uci", f"{faulty}/misbehaving.py:IllegalMove")) as engine:
        played = engine.play(chess.Board(), LIMIT, info=chess.engine.INFO_ALL)
        assert played.move is None
        assert "illegal-move" in played.info["string"]
        assert engine.play(chess.Board(), LIMIT).move is None


@pytest.mark.parametrize("is_first", [True, False])
def test_a_game_of_go_against_gnugo(referee: ModuleType, is_first: bool) -> None:
    game = load("go:size=9,komi=7")
    ours = referee.GtpEngine(command("gtp", "uct:simulations=50"))
    with ours, referee.GtpEngine(GNUGO) as gnugo:
        first, second = (ours, gnugo) if is_first else (gnugo, ours)
        played = referee.play(game, first, second)
    assert played.state.ending is not None
    assert played.state.ending.reason == "passes"
    assert len(played.moves) > 20


@pytest.mark.parametrize("is_first", [True, False])
def test_a_game_of_othello_against_rhino(referee: ModuleType, is_first: bool) -> None:
    game = load("othello")
    ours = referee.GtpEngine(command("gtp", "greedy", "--game", "othello"))
    with ours, referee.GtpEngine(["/usr/games/gtp-rhino"]) as rhino:
        first, second = (ours, rhino) if is_first else (rhino, ours)
        played = referee.play(game, first, second)
    assert played.state.ending is not None
    margin = played.state.ending.margin
    assert margin is not None
    ahead = margin.first - margin.second
    winner, empty = "B" if ahead > 0 else "W", 64 - margin.first - margin.second
    our_score, score_of_rhino = played.scores if is_first else reversed(played.scores)
    assert our_score == f"{winner}+{abs(ahead):g}"
    assert score_of_rhino == f"{winner}+{abs(ahead) + empty:g}"  # it counts empty squares for the winner


def test_the_gtp_referee_is_a_program(arena: Any) -> None:
    served = " ".join(command("gtp", "first_move", "--game", "othello"))
    words = [sys.executable, "-P", str(REFEREE), "--game", "othello", served, served]
    ran = subprocess.run(words, capture_output=True, text=True, check=True, env=arena.environment)
    assert "scores: " in ran.stdout


def test_a_game_of_gomoku(talk: Callable[..., EngineProgram]) -> None:
    game = talk("gomocup", "uct:simulations=50")
    state, rng = load("gomoku:size=9").start(), random.Random(1)
    assert game.ask("START 9") == "OK"
    line = "INFO timeout_turn 20000\nBEGIN"
    while not state.is_game_over():
        state = state.forward(state.parse(game.ask(line)))
        if not state.is_game_over():
            move = rng.choice([*state.legal_moves])
            state = state.forward(move)
            line = f"TURN {move}"
    assert state.ending is not None
    assert state.ending.winner == BLACK
    game.send("END")
    assert game.end() == (0, "", "")


@pytest.mark.parametrize("seat", ["FIRST", "SECOND"])
def test_a_game_of_mushroom(talk: Callable[..., EngineProgram], seat: str) -> None:
    judge, game = talk("nypc", "uct:simulations=20"), load("mushroom")
    state, rng = game.start(4), random.Random(4)
    assert judge.ask(f"READY {seat}") == "OK"
    judge.send(f"INIT {state.text.split()[0].replace('/', ' ')}")
    while not state.is_game_over():
        if (state.turn == game.first) == (seat == "FIRST"):
            move = judge.ask("TIME 20000 20000")
        else:
            move = str(rng.choice([*state.legal_moves]))
            judge.send(f"OPP {move} 3")
        state = state.forward(state.parse(move))
    judge.send("FINISH")
    assert judge.end() == (0, "", "")


def test_uci_from_beginning_to_end(talk: Callable[..., EngineProgram]) -> None:
    gui = talk("uci", "first_move")
    gui.send("uci")
    lines = [gui.receive()]
    while lines[-1] != "uciok":
        lines.append(gui.receive())
    assert [line.split()[0] for line in lines] == ["id", "id", "option", "option", "option", "uciok"]
    assert gui.ask("isready") == "readyok"
    gui.send("ucinewgame", "setoption name Hash value 16", "nonsense", "debug on", "position startpos moves e2e4")
    assert gui.ask("go wtime 9000 btime 9000") == f"bestmove {chess_first('e2e4')}"
    assert gui.ask("position startpos moves e2e5").startswith("info string 'e2e5' is not a legal move")
    assert gui.ask("isready") == "readyok"
    gui.send("position startpos", "go infinite")
    assert gui.ask("isready") == "readyok"
    assert gui.ask("stop") == f"bestmove {chess_first()}"
    gui.send("quit")
    assert gui.end() == (0, "", "")


@pytest.mark.parametrize("agent", ["puct", "uct", "mcts_dev"])
def test_a_search_without_end_reports_before_it_is_stopped(talk: Callable[..., EngineProgram], agent: str) -> None:
    gui = talk("uci", agent)
    gui.send("position startpos", "go infinite")
    told = [gui.line(), gui.line()]
    assert all(line.startswith("info depth ") and " nodes " in line and " pv " in line for line in told), told
    assert gui.ask("stop").startswith("bestmove ")
    gui.send("quit")
    assert gui.end() == (0, "", "")


def chess_first(*moves: str) -> str:
    state = load("chess").start()
    for move in moves:
        state = state.forward(state.parse(move))
    return str(state.legal_moves[0])


def test_gtp_through_a_pipe(arena: Any) -> None:
    """Every command is answered before the end of the input counts, in its order and with its number."""
    words = "1 name\n2 boardsize 5\n# comment\n3 play b c3\n\n4 genmove w\n5 foo\n6 play w c3\n7 undo\n8 final_score\n"
    ran = arena(*command("gtp", "first_move")[4:], typed=words)
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out == (
        "=1 arena first_move\n\n=2 \n\n=3 \n\n=4 A5\n\n?5 unknown command\n\n?6 illegal move\n\n=7 \n\n=8 B+18\n\n"
    )


@pytest.mark.parametrize(
    ("protocol", "begin", "end"),
    [
        ("uci", ["position startpos", "go wtime 500000 btime 500000"], "quit"),
        ("uci", ["go infinite"], "quit"),
        ("gomocup", ["START 9", "BEGIN"], "END"),
    ],
)
def test_quit_is_obeyed_while_the_agent_thinks(
    talk: Callable[..., EngineProgram], faulty: Path, processes: Any, protocol: str, begin: list[str], end: str
) -> None:
    served = talk(protocol, f"{faulty}/misbehaving.py:Hangs")
    assert is_thinking_after(processes, served, begin)
    served.send(end)
    code, _, err = served.end()
    assert (code, err) == (0, "")
    assert processes.until(lambda: not processes.of_games(served.process.pid))


@pytest.mark.parametrize("go", ["go movetime 900000", "go infinite"])
def test_a_command_before_the_end_of_the_input_is_answered(
    talk: Callable[..., EngineProgram], processes: Any, go: str
) -> None:
    gui = talk("uci", "first_move")
    gui.send("position startpos", go)
    assert gui.end() == (0, "bestmove b1a3\n", "")
    assert processes.until(lambda: not processes.of_games(gui.process.pid))


def test_the_agent_stops_when_the_other_program_has_gone(talk: Callable[..., EngineProgram], faulty: Path) -> None:
    manager = talk("gtp", f"{faulty}/misbehaving.py:Sleeps")
    manager.send("genmove b")
    assert manager.process.stdin is not None
    assert manager.process.stdout is not None
    manager.process.stdout.close()
    manager.process.stdin.close()
    assert manager.process.wait(600) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("begin", [[], ["go movetime 900000"]], ids=["idle", "thinking"])
def test_an_interrupt_ends_the_program_quietly(
    talk: Callable[..., EngineProgram], faulty: Path, processes: Any, number: signal.Signals, begin: list[str]
) -> None:
    gui = talk("uci", f"{faulty}/misbehaving.py:Sleeps")
    assert gui.ask("isready") == "readyok"
    if begin:
        assert is_thinking_after(processes, gui, begin)
    gui.process.send_signal(number)
    gui.process.wait(600)
    assert gui.end() == (130, "", "")
    assert processes.until(lambda: not processes.of_games(gui.process.pid))


@pytest.mark.parametrize("trust", [[], ["--trust-agents"]], ids=["confined", "trusted"])
@pytest.mark.parametrize("begin", [[], ["go movetime 900000"]], ids=["idle", "thinking"])
def test_a_killed_program_leaves_no_process(
    talk: Callable[..., EngineProgram], faulty: Path, processes: Any, begin: list[str], trust: list[str]
) -> None:
    gui = talk("uci", f"{faulty}/misbehaving.py:Sleeps", *trust)
    assert gui.ask("isready") == "readyok"
    gui.send(*begin)
    assert gui.ask("isready") == "readyok"
    assert processes.of_games(gui.process.pid)
    gui.process.kill()
    assert processes.until(lambda: not processes.of_games(gui.process.pid))


def test_prints_of_an_agent_do_not_reach_the_other_program(arena: Any, faulty: Path) -> None:
    ran = arena(*command("gtp", f"{faulty}/honest.py:Prints", "--game", "othello")[4:], typed="genmove b\nquit\n")
    assert ran.out == "= D3\n\n= \n\n"
    assert (ran.code, ran.err) == (0, "")


def test_the_traceback_of_an_agent_is_on_stderr(arena: Any, faulty: Path) -> None:
    ran = arena(*command("gtp", f"{faulty}/misbehaving.py:RaisesInAct")[4:], typed="1 genmove b\n2 name\n")
    assert ran.out == (
        "?1 the agent broke the rule 'exception': ValueError: no move for you\n\n=2 arena RaisesInAct\n\n"
    )
    assert "Traceback (most recent call last)" in ran.err
    assert "about to fail" in ran.err


def test_an_agent_out_of_time_has_no_move(arena: Any, faulty: Path) -> None:
    ran = arena(*command("gtp", f"{faulty}/misbehaving.py:Sleeps", "--time", "0.2")[4:], typed="genmove b\n")
    assert ran.out == "? the agent broke the rule 'time': no answer in time\n\n"


@pytest.mark.parametrize("name", ["RaisesInConstructor", "RaisesInReset"])
def test_an_agent_that_does_not_start_is_reported_in_one_line(arena: Any, faulty: Path, name: str) -> None:
    ran = arena(*command("uci", f"{faulty}/misbehaving.py:{name}")[4:], typed="uci\n")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: the agent does not start: the agent broke the rule 'exception': ValueError: no ")
    assert ran.err.count("\n") == 1


def test_a_judge_that_breaks_the_protocol_is_reported_in_one_line(arena: Any) -> None:
    ran = arena(*command("nypc", "random")[4:], typed="READY FIRST\nhello\n")
    assert (ran.code, ran.out) == (1, "OK\n")
    assert ran.err == "Error: cannot read 'hello'\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (command("uci", "random", "--game", "go"), "arena: uci serves chess and microchess, not go\n"),
        (command("gtp", "random", "--game", "gomoku"), "arena: gtp serves go and othello, not gomoku\n"),
        (command("uci", "human"), "arena: a human cannot be served as an engine; name an agent\n"),
        (
            command("uci", "stockfish"),
            "arena: stockfish is an engine already; other programs can run it directly\n",
        ),
        (command("gtp", "random", "--game", "go:size=99"), "arena: go: size is a whole number from 1 to 19, not 99\n"),
    ],
)
def test_what_cannot_be_served_is_reported_in_one_line(arena: Any, words: list[str], message: str) -> None:
    ran = arena(*words[4:], typed="")
    assert (ran.code, ran.out, ran.err) == (2, "", message)


def test_wrong_options_are_refused(arena: Any) -> None:
    for more in (["--time", "nan"], ["--time", "0"], ["--memory", "x"], ["--clock", "sun"]):
        assert arena(*command("uci", "random", *more)[4:], typed="").code == 2
    assert arena("engine", "--protocol", "xboard", "--agent", "random", typed="").code == 2
    assert arena("engine", "--protocol", "uci", typed="").code == 2


def test_closed_streams_cause_no_traceback(arena: Any) -> None:
    words = " ".join(command("gtp", "random"))
    for streams, code in (("<&-", 0), (">&-", 1), ("<&- >&-", 1)):
        shell = ["sh", "-c", f"{words} {streams}"]
        ran = subprocess.run(
            shell, env=arena.environment, cwd=arena.folder, capture_output=True, text=True, check=False
        )
        assert ran.returncode == code
        assert "Traceback" not in ran.stderr


def test_the_seed_repeats_the_moves(arena: Any) -> None:
    def moves(seed: str) -> str:
        words = "".join(f"genmove {color}\n" for color in "bwbwbw")
        return str(arena("engine", "--protocol", "gtp", "--agent", "random", "--seed", seed, typed=words).out)

    assert moves("a") == moves("a") != moves("b")


def test_a_file_is_served_with_its_options(arena: Any, talk: Callable[..., EngineProgram]) -> None:
    source = "from agents import BaseAgent\n\n\nclass Mine(BaseAgent):\n    def __init__(self, name, color, place=0):\n"
    source += "        super().__init__(name, color)\n        self.place = place\n\n    def act(self, state):\n"
    source += "        assert 0 < self.time_left <= 3\n        return list(state.legal_moves)[self.place]\n"
    (arena.folder / "mine.py").write_text(source)
    gui = talk("uci", "./mine.py:place=1", "--game", "microchess")
    second = str(load("microchess").start().legal_moves[1])
    assert gui.ask("go movetime 3000") == f"bestmove {second}"
