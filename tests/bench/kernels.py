"""The speed of the native kernels beside references measured in the same run: medians of CPU time, interleaved."""

import functools
import os
import random
import resource
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np

from agents.alphabeta.search import NativeAlphaBeta, alphabeta_engine
from agents.core.engine import Limits
from agents.othello.measure import endgames
from agents.puct.evaluation import EVALUATORS
from agents.puct.native_search import NativePuct
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings
from agents.self_learning.export import SHIPPED_WEIGHTS
from agents.self_learning.learned_alphabeta import NativeLearnedSearch, native_game
from agents.self_learning.learner import Chunk, Learner
from agents.self_learning.memory import Memory
from agents.self_learning.recipe import Recipe, shipped
from agents.self_learning.trainer import Trainer
from agents.uct.search import NativeUct, UctSettings
from games import _native_chess, _native_go, _native_gomoku, _native_microchess, _native_othello, load
from games.encoding import of
from games.microchess import PythonState

ROOT = Path(__file__).parent.parent.parent
PADDED = "8/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1"
CHESS, MICROCHESS, OTHELLO, MUSHROOM = load("chess"), load("microchess"), load("othello"), load("mushroom")


@functools.cache
def othello_study() -> Any:
    """The module of an earlier study of Othello, which the tests also build."""
    build = runpy.run_path(str(ROOT / "tests" / "games" / "native" / "build.py"))["build"]
    with tempfile.TemporaryDirectory() as folder:
        return build("othello_study", Path(folder))


def cpu(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def interleaved(*runs: Callable[[], float], times: int = 7) -> list[float]:
    """Medians of measurements in alternation, so that noise of the machine affects all of them."""
    rounds = [[run() for run in runs] for _ in range(times)]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def row(what: str, figure: str, beside: str = "-", asked: str = "-") -> str:
    return f"| {what} | {figure} | {beside} | {asked} |"


def engine_seconds(engine: str, commands: str, depth: int, count: int) -> float:
    """CPU seconds of an engine for a perft, without its start-up; it must find `count`."""

    def took(more: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        words = [f"/usr/games/{engine}"]
        ran = subprocess.run(words, input=f"{commands}{more}quit\n", text=True, capture_output=True, check=True)
        assert not more or f"Nodes searched: {count}" in ran.stdout
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    return took(f"go perft {depth}\n") - took("")


def chess_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += chess_perft(board, depth - 1)
        board.pop()
    return total


def chess_sequences() -> Iterator[str]:
    """Perft of a middlegame position of chess beside Stockfish and python-chess."""
    text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    state, fewer = CHESS.position(text), 97_862
    nodes = _native_chess.perft(state, 5)
    ours, theirs, plain = interleaved(
        lambda: cpu(lambda: _native_chess.perft(state, 5)) / nodes,
        lambda: engine_seconds("stockfish", f"position fen {text}\n", 5, nodes) / nodes,
        lambda: cpu(lambda: chess_perft(chess.Board(text), 3)) / fewer,
        times=5,
    )
    figure = f"{1e-6 / ours:.0f} M nodes/s"
    yield row("chess perft", figure, f"{theirs / ours:.1f} x Stockfish 15.1", "≥ 0.3 x")
    yield row("chess perft", figure, f"{plain / ours:.0f} x python-chess", "≥ 100 x")


def perft() -> Iterator[str]:
    """Positions counted per second of CPU."""
    yield from chess_sequences()
    start = MICROCHESS.start()
    ours_only = f"setoption name VariantPath value {ROOT}/stockfish_bridge/microchess.ini\n"
    ours_only += "setoption name UCI_Variant value arenamicro\nposition startpos\n"
    nodes, fewer = _native_microchess.perft(start, 7), _native_microchess.perft(start, 6)
    padded = chess_perft(chess.Board(PADDED), 4)
    ours, fairy, plain = interleaved(
        lambda: cpu(lambda: _native_microchess.perft(start, 7)) / nodes,
        lambda: engine_seconds("fairy-stockfish", ours_only, 6, fewer) / fewer,
        lambda: cpu(lambda: chess_perft(chess.Board(PADDED), 4)) / padded,
    )
    figure = f"{1e-6 / ours:.0f} M nodes/s"
    yield row("microchess perft", figure, f"{fairy / ours:.1f} x Fairy-Stockfish", "≥ 10 x")
    yield row("microchess perft", figure, f"{plain / ours:.0f} x python-chess, padded start", "≥ 200 x")
    discs = OTHELLO.start()
    count = _native_othello.perft(discs, 9)
    (took,) = interleaved(lambda: cpu(lambda: _native_othello.perft(discs, 9)) / count)
    yield row("Othello perft", f"{1e-6 / took:.0f} M nodes/s", asked="≥ 120 M")


def from_python() -> Iterator[str]:
    """`legal_moves` and `forward` from Python over one fixed random game, beside python-chess on the same squares."""
    yield from stepping(load("chess:turns=80"), chess.STARTING_FEN, "≥ 40 x")
    yield from stepping(MICROCHESS, PADDED, "≥ 100 x")


def stepping(game: Any, start: str, asked: str) -> Iterator[str]:
    """The rows of one game; `start` is the same position for python-chess."""
    rng, states = random.Random(5), [game.start()]
    while not states[-1].is_game_over():
        states.append(states[-1].forward(rng.choice(list(states[-1].legal_moves))))
    line = [state.move_stack[-1] for state in states[1:]]
    boards = [chess.Board(start)]
    for move in line:
        boards.append(boards[-1].copy(stack=True))
        boards[-1].push(move)
    turns = len(line)

    def walk(made: list[Any], step: Callable[[Any, Any], object], times: int) -> float:
        def steps() -> None:  # the result of a step is freed at once
            for _ in range(times):
                for one, move in zip(made, line, strict=False):
                    step(one, move)

        return cpu(steps) / (times * turns)

    def copied(board: chess.Board, move: chess.Move, *, stack: bool) -> None:
        board.copy(stack=stack).push(move)

    nothing, moves, plain = interleaved(
        lambda: walk(states, lambda *_: None, 200),
        lambda: walk(states, lambda state, _: list(state.legal_moves), 200),
        lambda: walk(boards, lambda board, _: list(board.legal_moves), 5),
    )
    ours = moves - nothing
    yield row(f"`list(state.legal_moves)`, {game.name}, a game of {turns} turns", f"{ours * 1e6:.2f} µs",
              f"{plain / ours:.0f} x python-chess", asked)  # fmt: skip
    nothing, after, whole, bare = interleaved(
        lambda: walk(states, lambda *_: None, 200),
        lambda: walk(states, lambda state, move: state.forward(move), 200),
        lambda: walk(boards, lambda board, move: copied(board, move, stack=True), 5),
        lambda: walk(boards, lambda board, move: copied(board, move, stack=False), 5),
    )
    ours = after - nothing
    yield row(f"`state.forward(move)`, {game.name}", f"{ours * 1e6:.2f} µs",
              f"{whole / ours:.0f} x copy+push with stack, {bare / ours:.0f} x without", "≥ 100 x")  # fmt: skip


def playouts() -> Iterator[str]:
    """Random games to their end."""
    rng, first = random.Random(1), PythonState(None)
    first.reset()

    def specified() -> float:
        def games() -> None:
            for _ in range(3):
                state = first
                while moves := list(state.legal_moves):
                    state = state.forward(rng.choice(moves))

        return cpu(games) / 3

    start = MICROCHESS.start()
    ours, plain = interleaved(lambda: cpu(lambda: _native_microchess.playouts(start, 5000, 1)) / 5000, specified)
    yield row("microchess playouts", f"{1e-3 / ours:.0f} k/s", f"{plain / ours:.0f} x the Python rules", "≥ 100 x")
    for module, text in ((_native_gomoku, "gomoku"), (_native_go, "go"), (_native_go, "go:size=19")):
        state = load(text).start()
        (took,) = interleaved(lambda module=module, state=state: cpu(lambda: module.playouts(state, 500, 1)) / 500)  # type: ignore[misc]
        yield row(f"playouts of {text}", f"{1e-3 / took:.1f} k/s")


def mushroom() -> Iterator[str]:
    """Legal moves and simulations on fresh random boards."""
    boards = [MUSHROOM.start(seed) for seed in range(50)]
    # Making a board takes ten times as long as its moves, so the two are measured in turns, and often.
    took, made = interleaved(
        lambda: cpu(lambda: [len(MUSHROOM.start(seed).legal_moves) for seed in range(50)]) / 50,
        lambda: cpu(lambda: [MUSHROOM.start(seed) for seed in range(50)]) / 50,
        times=61,
    )
    yield row("mushroom `legal_moves`, random boards", f"{(took - made) * 1e6:.1f} µs", asked="≤ 10 µs")
    (took,) = interleaved(
        lambda: cpu(lambda: [simulate(state, 2000, depth=6) for state in boards]) / len(boards) / 2000
    )
    yield row("mushroom heuristic simulations, random boards", f"{1e-3 / took:.0f} k/s", asked="≥ 100 k/s")


def encodings() -> Iterator[str]:
    """Positions of random games written to one array for a learner, beside the same in Python."""
    for text in ("chess", "microchess", "othello", "gomoku", "mushroom", "go"):
        game, rng = load(text), random.Random(3)
        native, python = of(game), of(game, native=False)
        states = [game.start(3)]
        while len(states) < 1000:
            moves = list(states[-1].legal_moves)
            states.append(states[-1].forward(rng.choice(moves)) if moves else game.start(len(states)))
        out = np.empty((len(states), native.inputs), dtype=np.float32)
        ours, plain = interleaved(
            lambda: cpu(lambda: [native.encode(states, out) for _ in range(20)]) / 20 / len(states),  # noqa: B023
            lambda: cpu(lambda: python.encode(states, out)) / len(states),  # noqa: B023
        )
        yield row(f"positions of {text} encoded", f"{1e-3 / ours:.0f} k/s", f"{plain / ours:.0f} x the same in Python")


def simulate(state: Any, number: int, **settings: Any) -> int:
    uct = NativeUct.of(state, UctSettings(**settings))
    assert uct is not None
    return uct.search(state, Limits(simulations=number, seed=1)).nodes


def searches() -> Iterator[str]:
    """The search core."""
    import pyspiel  # the extra `bench`; the other measurements do without it

    study = othello_study().study
    (took,) = interleaved(lambda: cpu(lambda: study(8)), times=3)
    nodes = study(8).nodes
    yield row("Othello alpha-beta, the earlier study at depth 8", f"{nodes / took / 1e6:.0f} M nodes/s", asked="≥ 19 M")
    discs, game = OTHELLO.start(), pyspiel.load_game("othello")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 7), 1.4, 300, 1000, False, 7, False)
    ours, theirs = interleaved(
        lambda: cpu(lambda: simulate(discs, 30_000)) / 30_000,
        lambda: cpu(lambda: bot.mcts_search(game.new_initial_state())) / 300,
    )
    speed = f"{1e-3 / ours:.0f} k simulations/s"
    yield row("Othello UCT, random playouts", speed, f"{theirs / ours:.0f} x OpenSpiel's C++ bot", "≥ 100 x")
    (took,) = interleaved(lambda: cpu(lambda: simulate(MICROCHESS.start(), 50_000, depth=6, amplify=True)) / 50_000)
    yield row("microchess, the earlier recipe (depth 6, amplified)", f"{1e-3 / took:.0f} k simulations/s",
              asked="≥ 100 k/s")  # fmt: skip
    yield from chess_search()
    yield from by_evaluation()


def chess_search() -> Iterator[str]:
    """Nodes of alpha-beta on two positions of chess, each searched afresh."""
    texts = (chess.STARTING_FEN, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10")
    states = [CHESS.position(text) for text in texts]

    def speed() -> float:
        began = time.process_time()
        nodes = sum(alphabeta_engine(state).search(state, Limits(nodes=1_000_000)).nodes for state in states)
        return nodes / (time.process_time() - began)

    (found,) = interleaved(speed, times=5)
    yield row("chess alpha-beta", f"{found * 1e-6:.1f} M nodes/s", asked="≥ 1.5 M")


def by_evaluation() -> Iterator[str]:
    """PUCT with its simplest evaluator beside PUCT in Python, and endgames of Othello."""
    state, material = MICROCHESS.start(), EVALUATORS["material"]

    def puct() -> None:
        tree = NativePuct.of(state, material, PuctSettings())
        assert tree is not None
        tree.run(state, simulations=100_000)

    ours, plain = interleaved(
        lambda: cpu(puct) / 100_000,
        lambda: cpu(lambda: PythonPuct(material, PuctSettings()).run(state, simulations=500)) / 500,
    )
    yield row("microchess PUCT, evaluated by material", f"{1e-3 / ours:.0f} k simulations/s",
              f"{plain / ours:.0f} x the same in Python", "≥ 100 k/s")  # fmt: skip
    solved = endgames(empties=14, positions=20, seed=2026)
    seconds = statistics.median(float(line[solved.columns.index("CPU seconds")]) for line in solved.rows)
    yield row("Othello, the last 14 empty squares solved", f"{seconds * 1e3:.1f} ms", "-", "exact")


def recipe_of(learner: str) -> tuple[Recipe, bytes]:
    """The shipped recipe of a learner for microchess, and its shipped weights."""
    path = shipped("microchess", learner)
    assert path is not None
    return Recipe.from_file(path), (SHIPPED_WEIGHTS / f"{learner}-microchess.bin").read_bytes()


def played(learner: Learner, weights: bytes, settings: Any) -> tuple[float, Chunk]:
    """CPU seconds of a chunk of self-play, and the chunk."""
    began = time.process_time()
    chunk = learner.play(weights, generation=1, seed=1, settings=settings)
    return time.process_time() - began, chunk


def self_play() -> Iterator[str]:
    """Self-play of microchess by the shipped recipes and weights; with a residual network games end after 24 turns."""
    policy, weights = recipe_of("self_learning")
    value, values = recipe_of("learned_alphabeta")
    wide = policy.changed({"network": "2x32", "evaluator": "onnxruntime", "games": 192, "most_turns": 24})
    learner = wide.make_learner()
    residual = learner.weights(learner.network(1).eval())

    def per_node(recipe: Recipe, weights: bytes) -> float:
        took, chunk = played(recipe.make_learner(), weights, recipe.own)
        return took / chunk.nodes

    ours, theirs = interleaved(lambda: per_node(policy, weights), lambda: per_node(value, values))
    (slow,) = interleaved(lambda: per_node(wide, residual), times=3)
    yield row("PUCT self-play, `mlp-256-128` natively", f"{1e-3 / ours:.0f} k simulations/s", asked="≥ 200 k/s")
    yield row("PUCT self-play, `2x32` by onnxruntime", f"{1e-3 / slow:.0f} k simulations/s", asked="≥ 30 k/s")
    yield row("alpha-beta self-play, learned value", f"{1e-6 / theirs:.1f} M nodes/s", asked="≥ 1.5 M/s")
    yield from learned_leaf(values)
    yield from generation(policy, weights)


def learned_leaf(values: bytes) -> Iterator[str]:
    """Nodes of alpha-beta with the learned value beside those with the hand-made one, from the same positions."""
    lines = (ROOT / "arena" / "training" / "openings" / "microchess.txt").read_text(encoding="utf-8").splitlines()
    states = [MICROCHESS.position(line) for line in lines if not line.startswith("#")][:20]

    def learned() -> NativeLearnedSearch:
        game = native_game(states[0], values)
        assert game is not None
        return NativeLearnedSearch(game)

    def speed(search: Any) -> float:  # of a fresh search: it remembers positions
        began = time.process_time()
        nodes = sum(search.search(state, Limits(nodes=20_000)).nodes for state in states)
        return nodes / (time.process_time() - began)

    ours, theirs = interleaved(lambda: speed(learned()), lambda: speed(alphabeta_engine(states[0])))
    figure = f"{ours * 1e-6:.1f} M nodes/s"
    yield row("alpha-beta, learned value", figure, f"{ours / theirs:.2f} x the hand-made value", "≥ 0.6 x")


def generation(policy: Recipe, weights: bytes) -> Iterator[str]:
    """Games per CPU-hour of a run: self-play and training on its samples."""
    learner = policy.make_learner()
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(learner, replace(policy.run, device="cpu"))
        memory = Memory(Path(folder) / "memory.bin", row=learner.row, capacity=50_000)

        def seconds_per_game() -> float:
            took, chunk = played(learner, weights, policy.own)
            memory.append(chunk.rows, generation=1)
            return (took + trainer.train(memory, memory, rows=len(chunk.rows), rate=1e-4, seed=1).seconds) / chunk.games

        (took,) = interleaved(seconds_per_game, times=5)
    yield row("PUCT self-play and training", f"{3.6 / took:.0f} k games per CPU-hour", asked="≥ 100 k")


def deadlines() -> Iterator[str]:
    """How long after its deadline a search answers."""
    late = []
    for game in (MICROCHESS, OTHELLO, MUSHROOM, load("go"), load("gomoku")):
        state = game.start(3)
        alphabeta, uct = NativeAlphaBeta.of(state), NativeUct.of(state, UctSettings())
        assert alphabeta is not None
        assert uct is not None
        for _ in range(5):
            began = time.perf_counter()
            alphabeta.search(state, Limits(seconds=0.1))
            between = time.perf_counter()
            uct.search(state, Limits(seconds=0.1))
            late += [between - began - 0.1, time.perf_counter() - between - 0.1]
    worst, middle = max(late) * 1e3, statistics.median(late) * 1e3
    yield row("a search answers after its deadline", f"{middle:.1f} ms (most {worst:.1f})", asked="≤ 10 ms")


def python_mcts() -> Iterator[str]:
    """The pure-Python `mcts` on native states, beside the same agent on the Python rules."""
    code = (
        "import time; from agents.search.mcts_agent import MCTSAgent; from games import WHITE, load; "
        "agent = MCTSAgent('a', WHITE, simulations=2000); agent.time_left = 1e6; state = load('microchess').start(); "
        "began = time.process_time(); agent.act(state); print(2000 / (time.process_time() - began))"
    )

    def speed(form: str) -> float:
        words = [sys.executable, "-P", "-c", code]
        ran = subprocess.run(words, env=os.environ | {"ARENA_KERNEL": form}, capture_output=True, text=True, check=True)
        return float(ran.stdout)

    ours, plain = interleaved(lambda: speed(""), lambda: speed("python"), times=5)
    figure, beside = f"{ours / 1e3:.1f} k simulations/s", f"{ours / plain:.1f} x on Python rules"
    yield row("pure-Python `mcts` on microchess", figure, beside, "≥ 5 x")


def imports() -> Iterator[str]:
    """How long the kernels take to load after python-chess and the rules."""
    names = ("chess", "microchess", "othello", "gomoku", "mushroom", "go")
    for name in names:
        code = (
            f"import os; os.environ['ARENA_KERNEL'] = 'python'; import games.{name}, time; "
            f"began = time.perf_counter(); import games._native_{name}; print(time.perf_counter() - began)"
        )
        words = [sys.executable, "-P", "-c", code]
        took = [float(subprocess.run(words, capture_output=True, text=True, check=True).stdout) for _ in range(7)]
        yield row(f"import of the {name} kernel", f"{statistics.median(took) * 1e3:.1f} ms", asked="≤ 5 ms")


def study() -> Iterator[str]:
    """The earlier study of Othello at its highest depth."""
    found = []
    module = othello_study()
    took = cpu(lambda: found.append(module.study(9)))
    result = found[0]
    same = (result.black, result.white, result.nodes_black, result.nodes_white) == (36, 28, 4_475_585, 4_564_706)
    yield row(
        "the earlier Othello study at depth 9", f"{took:.0f} s", "the same" if same else "NOT the same", "the same"
    )


def main() -> None:
    """Measure everything, or only the named functions; print the rows of a table."""
    everything = (
        perft, from_python, playouts, encodings, mushroom, searches, self_play, deadlines, python_mcts, imports, study,
    )  # fmt: skip
    for measure in [measure for measure in everything if measure.__name__ in sys.argv[1:]] or everything:
        for line in measure():
            print(line, flush=True)


if __name__ == "__main__":
    main()
