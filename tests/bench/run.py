"""What things cost, each beside a reference measured in the same run: `make bench` prints the table of the README."""

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import chess

from agents.seat import Fault, History, Times
from arena.clock import Clock
from arena.entrants import Entrant, resolve, resolve_all
from arena.referee import Job, play
from arena.seat import AgentPlayer
from games.base import WHITE, load
from results.record import GameRecord, Seat
from results.store import Store

FAULTY = Path(__file__).parent.parent / "faulty"
GAME = load("microchess")
TIMES = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    figure: str
    reference: str
    asked: str


def median(values: list[float]) -> float:
    return statistics.median(values)


def wall(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def interleaved(one: Callable[[], float], two: Callable[[], float], *, times: int) -> tuple[float, float]:
    """Medians of two measurements that take turns, so that a noisy machine is noisy for both."""
    pairs = [(one(), two()) for _ in range(times)]
    return median([pair[0] for pair in pairs]), median([pair[1] for pair in pairs])


def entrant(agent: str, home: Path) -> Entrant:
    return resolve(agent, home=home)


def opened(agent: str, home: Path) -> AgentPlayer:
    player = AgentPlayer(entrant(agent, home))
    player.open(GAME, WHITE, start=GAME.start().text, seed=1)
    return player


def verdicts(home: Path) -> Iterator[Row]:
    """How long after its budget a hanging player has lost, and after its crash a crashing one."""
    history = History(GAME.start().text, (), GAME.start())
    for name, budget in (("Hangs", 0.2), ("SleepsThroughSignals", 0.2), ("Vanishes", 0.0), ("RaisesInAct", 0.0)):
        delays = []
        for _ in range(15):
            player = opened(f"{FAULTY}/misbehaving.py:{name}", home)
            began = time.perf_counter()
            try:
                player.ask(history, Times(own=budget or 60.0, opponent=60.0, opponent_last_move=0.0))
            except Fault:
                delays.append(time.perf_counter() - began - budget)
            player.close()
        what = f"verdict after {'the budget of' if budget else 'the failure of'} `{name}`"
        yield Row(what, f"{median(delays) * 1e3:.1f} ms (most {max(delays) * 1e3:.1f})", "-", "≤ 50 ms")


def start(home: Path) -> Iterator[Row]:
    """From nothing to the first move, beside a plain Python that imports python-chess."""
    history = History(GAME.start().text, (), GAME.start())

    def ours() -> float:
        began = time.perf_counter()
        player = opened("first_move", home)
        player.ask(history, TIMES)
        took = time.perf_counter() - began
        player.close()
        return took

    def plain() -> float:
        return wall(lambda: subprocess.run([sys.executable, "-c", "import chess"], check=True))

    mine, other = interleaved(ours, plain, times=15)
    yield Row("start to first move", f"{mine * 1e3:.0f} ms", f"{mine / other:.2f} x `python -c 'import chess'`", "-")


def call(home: Path) -> Iterator[Row]:
    """A referee's question to an instant mover and the answer."""
    player = opened("first_move", home)
    history = History(GAME.start().text, (), GAME.start())
    took = [player.ask(history, TIMES).wall for _ in range(2000)]
    player.close()
    yield Row("referee call, instant mover", f"{median(took) * 1e6:.0f} µs", "-", "-")


def job(home: Path) -> Job:
    one, two = (entrant.record() for entrant in resolve_all(["random", "random"], home=home))
    return Job(
        league="bench", key="1:1-2", game=GAME, first=one, second=two, seconds=60.0, start=GAME.start().text,
        opening=(), seed=1, seed_first=1, seed_second=2,
    )  # fmt: skip


def instant_game(home: Path) -> GameRecord:
    seats: dict[Seat, AgentPlayer] = {
        "first": AgentPlayer(entrant("random", home)),
        "second": AgentPlayer(entrant("random", home)),
    }
    return play(job(home), seats, Clock(60.0))


def whole_game(home: Path) -> Iterator[Row]:
    """A game of instant movers with both starts, beside the two starts of a plain Python."""
    records: list[GameRecord] = []

    def ours() -> float:
        return wall(lambda: records.append(instant_game(home)))

    def plain() -> float:
        return 2 * wall(lambda: subprocess.run([sys.executable, "-c", "import chess"], check=True))

    mine, other = interleaved(ours, plain, times=15)
    turns = median([record.turns for record in records])
    yield Row(
        f"game of instant movers with both starts, {turns:.0f} turns", f"{mine * 1e3:.0f} ms",
        f"{mine / other:.2f} x two starts of a plain Python", "-",
    )  # fmt: skip


def rules() -> Iterator[Row]:
    """80 random turns by `forward`, beside python-chess with a copied stack."""

    def ours() -> float:
        rng = random.Random(1)
        state = GAME.start()
        began = time.process_time()
        for _ in range(2000):
            state = GAME.start() if state.is_game_over() else state.forward(rng.choice(list(state.legal_moves)))
        return (time.process_time() - began) / 2000

    def plain() -> float:
        rng = random.Random(1)
        board = chess.Board()
        began = time.process_time()
        for _ in range(500):
            if board.is_game_over() or board.ply() >= 80:
                board = chess.Board()
            board = board.copy()
            board.push(rng.choice(list(board.legal_moves)))
        return (time.process_time() - began) / 500

    mine, other = interleaved(ours, plain, times=9)
    yield Row(
        "one random microchess turn (Python rules)", f"{mine * 1e6:.0f} µs", f"{mine / other:.2f} x chess.Board", "-"
    )


def store(home: Path) -> Iterator[Row]:
    """Storing a finished game, durably."""
    record = instant_game(home)
    took = []
    with Store.open(home / "bench.db", create=True) as opened_store:
        opened_store.create_league(
            "bench", kind="benchmark", settings={}, secret="s", entrants=[record.first, record.second]
        )
        for number in range(200):
            began = time.perf_counter()
            opened_store.add(replace(record, key=str(number)))
            took.append(time.perf_counter() - began)
    yield Row("storing a game, durable", f"{median(took) * 1e3:.2f} ms", "-", "-")


def help_text() -> Iterator[Row]:
    """How long a person waits for `arena --help`."""

    def ours() -> float:
        return wall(
            lambda: subprocess.run([sys.executable, "-P", "-m", "arena", "--help"], check=True, capture_output=True)
        )

    def plain() -> float:
        return wall(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))

    mine, other = interleaved(ours, plain, times=15)
    yield Row("`arena --help`", f"{mine * 1e3:.0f} ms", f"{mine / other:.1f} x `python -c pass`", "< 300 ms")


def main() -> None:
    """Measure everything; print Markdown."""
    print(f"Measured {datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}\n")
    print("| what | median | beside | asked |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for measure in (verdicts(home), start(home), call(home), whole_game(home), rules(), store(home), help_text()):
            for row in measure:
                print(f"| {row.what} | {row.figure} | {row.reference} | {row.asked} |", flush=True)


if __name__ == "__main__":
    main()
