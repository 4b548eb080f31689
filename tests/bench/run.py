"""What things cost, each beside a reference measured in the same run: `make bench` prints the table of the README."""

import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import chess

from agents.basic.random_agent import RandomAgent
from agents.seat import Fault, History, Player, Times
from arena.entrants.entrant import resolve, resolve_all
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.referee.reports import Claims
from arena.sandbox.launch import Rules
from games.base import WHITE, Game, load
from results.record import GameRecord, Seat
from results.standings.table import rows, table
from results.store.store import Store
from results.store.tallies import count_games, fill_summaries

CORES = os.sched_getaffinity(0)
HERE = Path(__file__).parent
FAULTY = HERE.parent / "faulty"
GAME = load("microchess")
START = GAME.start().text
HISTORY = History(START, (), GAME.start())
TIMES = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    figure: str
    reference: str = "-"
    asked: str = "-"


@dataclass(frozen=True)
class Bench:
    """What is measured with: a folder for files, confined and unconfined players."""

    home: Path
    confined: ProcessPlayers
    unconfined: ProcessPlayers

    def opened(self, agent: str, *, confined: bool = True) -> Player:
        entrant = resolve(agent, home=self.home)
        if confined:
            player = self.confined.program(entrant, charge="fair")
        else:
            player = self.unconfined.program(entrant, charge="wall")
        player.open(GAME, WHITE, start=START, seed=1)
        return player

    def first_move(self, agent: str, *, confined: bool) -> float:
        """Seconds from nothing to the first move."""
        began = time.perf_counter()
        player = self.opened(agent, confined=confined)
        player.ask(HISTORY, TIMES)
        took = time.perf_counter() - began
        player.close()
        return took

    def game(self, agent: str = "random", seed: int | None = None, *, game: Game = GAME) -> GameRecord:
        entrants = resolve_all([agent, agent], home=self.home)
        job = Job(
            league="bench", key="1:1-2", game=game, first=entrants[0].record(), second=entrants[1].record(),
            seconds=60.0, start=game.start().text, opening=(), seed=1,
            seed_first=seed or random.getrandbits(60), seed_second=2,
        )  # fmt: skip
        make = self.confined.factory("fair")
        seats: dict[Seat, Player] = {"first": make(entrants[0], "first"), "second": make(entrants[1], "second")}
        return play(job, seats, Clock(60.0, charge="fair"))


def wall(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def interleaved(one: Callable[[], float], two: Callable[[], float], *, times: int) -> tuple[float, float]:
    """Medians of two measurements that take turns, so that a noisy machine is noisy for both."""
    pairs = [(one(), two()) for _ in range(times)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def verdicts(bench: Bench) -> Iterator[Row]:
    """How long after its budget a hanging player has lost, and after its crash a crashing one."""
    for name, budget in (("Hangs", 0.2), ("SleepsThroughSignals", 0.2), ("Vanishes", 0.0), ("RaisesInAct", 0.0)):
        delays = []
        for _ in range(15):
            player = bench.opened(f"{FAULTY}/misbehaving.py:{name}")
            began = time.perf_counter()
            try:
                player.ask(HISTORY, replace(TIMES, own=budget or 60.0))
            except Fault:
                delays.append(time.perf_counter() - began - budget)
            player.close()
        what = f"verdict after {'the budget of' if budget else 'the failure of'} `{name}`"
        yield Row(what, f"{statistics.median(delays) * 1e3:.1f} ms (most {max(delays) * 1e3:.1f})", asked="≤ 50 ms")


def starts(bench: Bench) -> Iterator[Row]:
    """From nothing to the first move, confined and forked from the zygote, beside a plain subprocess."""
    cases = (
        ("chess and numpy", "numpy_mover.py", "≤ 1/8"),
        ("torch", "torch_mover.py:needs=torch,memory=4G", "≤ 1/50"),
    )
    for library, agent, asked in cases:
        bench.first_move(f"{HERE}/{agent}", confined=True)  # the zygote is up before anything is measured
        ours, plain = interleaved(
            lambda agent=agent: bench.first_move(f"{HERE}/{agent}", confined=True),  # type: ignore[misc]
            lambda agent=agent: bench.first_move(f"{HERE}/{agent}", confined=False),  # type: ignore[misc]
            times=9,
        )
        figure = f"{ours * 1e3:.1f} ms"
        yield Row(f"start to first move, {library}", figure, f"1/{plain / ours:.1f} of a plain subprocess", asked)


def call(bench: Bench) -> Iterator[Row]:
    """A referee's question to an instant mover and the answer, freeze and thaw included."""
    frozen, free = bench.opened("first_move"), bench.opened("first_move", confined=False)

    def block(player: Player) -> float:
        return statistics.median(wall(lambda: player.ask(HISTORY, TIMES)) for _ in range(200))

    ours, plain = interleaved(lambda: block(frozen), lambda: block(free), times=15)
    frozen.close()
    free.close()
    reference = f"{ours / plain:.2f} x without confinement"
    yield Row("referee call with freeze, instant mover", f"{ours * 1e6:.0f} µs", reference, "≤ 150 µs")


def reports_off(_: Bench) -> Iterator[Row]:
    """What reports cost in a turn of a game without them: an agent tells, nobody listens, nothing is kept."""
    agent, moves = RandomAgent("teller", WHITE), [str(move) for move in GAME.start().legal_moves]
    visits, policy = dict.fromkeys(moves, 100), dict.fromkeys(moves, 0.1)
    claims, turns = Claims(turns=0), 20_000

    def told() -> float:
        began = time.process_time()
        for turn in range(turns):
            agent.tell(value=0.5, line=moves[:1], visits=visits, policy=policy, nodes=1000, depth=5)
            claims.made(turn)
        return (time.process_time() - began) / turns

    yield Row("a turn's share of reports that are off", f"{statistics.median(told() for _ in range(9)) * 1e6:.2f} µs",
              asked="≤ 50 µs")  # fmt: skip


def whole_game(bench: Bench) -> Iterator[Row]:
    """A game of 80 turns between instant movers, confined, with both starts, beside two starts of a plain Python."""
    seed = next(seed for seed in range(1, 1000) if bench.game(seed=seed).turns == 80)
    ours, plain = interleaved(
        lambda: wall(lambda: bench.game(seed=seed)),
        lambda: 2 * wall(lambda: subprocess.run([sys.executable, "-c", "import chess"], check=True)),
        times=25,
    )
    beside = f"{ours / plain:.2f} x two starts of a plain Python"
    yield Row("game of 80 turns of instant movers with both starts", f"{ours * 1e3:.0f} ms", beside, "≤ 40 ms")


def chess_game(bench: Bench) -> Iterator[Row]:
    """A game of chess of 80 turns between instant movers, beside one of microchess."""
    chess = load("chess:turns=80")
    seeds = [
        next(seed for seed in range(1, 1000) if bench.game(seed=seed, game=game).turns == 80) for game in (chess, GAME)
    ]
    ours, small = interleaved(
        lambda: wall(lambda: bench.game(seed=seeds[0], game=chess)),
        lambda: wall(lambda: bench.game(seed=seeds[1])),
        times=25,
    )
    yield Row("the same game of chess", f"{ours * 1e3:.0f} ms", f"{ours / small:.2f} x microchess", "≤ 1.2 x")


def rules(_: Bench) -> Iterator[Row]:
    """Random turns by `forward`, beside python-chess with a copied stack."""

    def ours() -> float:
        rng, state = random.Random(1), GAME.start()
        began = time.process_time()
        for _ in range(2000):
            state = GAME.start() if state.is_game_over() else state.forward(rng.choice(list(state.legal_moves)))
        return (time.process_time() - began) / 2000

    def plain() -> float:
        rng, board = random.Random(1), chess.Board()
        began = time.process_time()
        for _ in range(500):
            board = chess.Board() if board.is_game_over() or board.ply() >= 80 else board.copy()
            board.push(rng.choice(list(board.legal_moves)))
        return (time.process_time() - began) / 500

    mine, other = interleaved(ours, plain, times=9)
    reference = f"{mine / other:.2f} x chess.Board"
    yield Row("one random microchess turn", f"{mine * 1e6:.0f} µs", reference)


def store(bench: Bench) -> Iterator[Row]:
    """Storing a finished game, durably."""
    record, took = bench.game(), []
    with Store.open(bench.home / "bench.db", create=True) as opened:
        opened.create_league("bench", kind="benchmark", settings={}, secret="s", entrants=[record.first, record.second])
        for number in range(200):
            made = replace(record, key=str(number))
            began = time.perf_counter()
            opened.add(made)
            took.append(time.perf_counter() - began)
    yield Row("storing a game, durable", f"{statistics.median(took) * 1e3:.2f} ms")


def many(bench: Bench) -> Iterator[Row]:
    """Standings and ratings of 100,000 stored games of twenty entrants."""
    record, path = bench.game(), bench.home / "many.db"
    entrants = [replace(record.first, name=f"agent {number}") for number in range(20)]
    with Store.open(path, create=True) as opened:
        league = opened.create_league("many", kind="league", settings={}, secret="s", entrants=entrants)
        opened.add(replace(record, league="many", key="0", first=entrants[0], second=entrants[1]))
    with closing(sqlite3.connect(path)) as connection, connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(record)")]
        given = {"id": "NULL", "key": "i", "first": "1 + i % 20", "second": "1 + (i + 1 + i / 20 % 19) % 20"}
        given["result"] = "CASE abs(random()) % 5 WHEN 0 THEN '1/2-1/2' WHEN 1 THEN '0-1' ELSE '1-0' END"
        values = ", ".join(given.get(column, column) for column in columns)
        connection.execute(
            "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 99999) "
            f"INSERT INTO record SELECT {values} FROM numbers, record WHERE record.id = 1"
        )
        connection.execute("DELETE FROM tally")
        fill_summaries(connection)
        count_games(connection)
    with Store.read(path) as opened:
        took = [wall(lambda: rows(opened, league, opened.pairs("many"))) for _ in range(5)]
        yield Row("standings of 100,000 stored games", f"{statistics.median(took) * 1e3:.0f} ms", asked="< 100 ms")
        took = [wall(lambda: table(opened, league)) for _ in range(5)]
        yield Row("the same with ratings", f"{statistics.median(took) * 1e3:.0f} ms", asked="< 2 s")


def match_of_two(bench: Bench) -> Iterator[Row]:
    """What a match of two games of instant movers costs in all, beyond an empty Python."""
    words = ["benchmark", "random", "first_move", "--games", "2", "--db", str(bench.home / "match.db")]
    mine, other = interleaved(
        lambda: wall(lambda: python("-P", "-m", "arena", *words)),
        lambda: wall(lambda: python("-c", "pass")),
        times=9,
    )
    yield Row("a match of two games, beyond `python -c pass`", f"{(mine - other) * 1e3:.0f} ms", asked="≤ 600 ms")


def workers(bench: Bench) -> Iterator[Row]:
    """Games of instant movers on two workers, beside the same games on one."""
    leagues = iter(range(100))

    def per_game(count: int) -> float:
        """Seconds between two games, from the first to the last that was stored."""
        name = f"workers {next(leagues)}"
        words = ["league", "random", "first_move", "random", "--rounds", "10", "--seed", "s", "--name", name]
        python("-P", "-m", "arena", *words, "--workers", str(count), "--db", str(bench.home / "workers.db"))
        with Store.read(bench.home / "workers.db") as opened:
            ends = sorted(datetime.fromisoformat(record.ended) for record in opened.records(name))
        return (ends[-1] - ends[0]).total_seconds() / (len(ends) - 1)

    two, one = interleaved(lambda: per_game(2), lambda: per_game(1), times=3)
    yield Row(
        "games of instant movers on two workers, games/s", f"{1 / two:.1f}", f"{one / two:.2f} x one worker", "≥ 1.6 x"
    )


def coordinator(bench: Bench) -> Iterator[Row]:
    """The most memory that the coordinator of a league holds, ratings of the final table included."""
    words = ["league", "random", "first_move", "greedy", "--rounds", "5", "--turns", "8", "--db", "memory.db"]
    code = f"from arena.cli import run; run({words}); print(open('/proc/self/status').read())"
    peak = next(line for line in python("-P", "-c", code, cwd=bench.home).splitlines() if line.startswith("VmHWM"))
    yield Row("memory of a league's coordinator, at most", f"{int(peak.split()[1]) / 1024:.0f} MB", asked="< 60 MB")


def class_of_100(bench: Bench) -> Iterator[Row]:
    """What a hand-in of 100 small agents by one command and the schedule of their league cost."""
    folder = bench.home / "class"
    folder.mkdir()
    for number in range(100):
        (folder / f"s{number:03}.py").write_text(
            "from agents import BaseAgent\n\n\nclass Student(BaseAgent):\n    def act(self, state):\n"
            f"        moves = list(state.legal_moves)\n        return moves[{number} % len(moves)]\n"
        )
    environment = {**os.environ, "ARENA_HOME": str(bench.home / "course")}
    names = [f"s{number:03}" for number in range(100)]

    def hand_in_and_schedule() -> None:
        python("-P", "-m", "arena", "submit", "--all", str(folder), env=environment)
        python("-P", "-m", "arena", "league", *names, "--dry-run", env=environment, cwd=bench.home)

    before = sum(os.times()[2:4])
    took = wall(hand_in_and_schedule)
    cpu = sum(os.times()[2:4]) - before
    yield Row("`submit --all` and `--dry-run` of 100 small agents", f"{took:.0f} s", f"{cpu:.0f} s of CPU", "< 60 s")


def python(*words: str, **how: Any) -> str:
    """Run Python on all cores, although we ourselves keep to one; what it printed."""
    ran = subprocess.run(
        [sys.executable, *words], check=True, capture_output=True, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, CORES), **how,
    )  # fmt: skip
    return ran.stdout


def help_text(_: Bench) -> Iterator[Row]:
    """How long a person waits for `arena --help`."""
    words = [sys.executable, "-P", "-m", "arena", "--help"]
    mine, other = interleaved(
        lambda: wall(lambda: subprocess.run(words, check=True, capture_output=True)),
        lambda: wall(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
        times=15,
    )
    yield Row("`arena --help`", f"{mine * 1e3:.0f} ms", f"{mine / other:.1f} x `python -c pass`", "< 300 ms")


def main() -> None:
    """Measure everything, or what is named; print Markdown."""
    everything = (
        verdicts, starts, call, reports_off, whole_game, chess_game, rules, store, many, match_of_two, workers,
        coordinator, help_text,
    )  # fmt: skip
    chosen = [measure for measure in everything if measure.__name__ in sys.argv[1:]] or everything
    print(f"Measured {datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}\n")
    print("| what | median | beside | asked |\n|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPlayers(Setup(GAME, Rules(), home=Path(folder))) as confined,
        ProcessPlayers(Setup(GAME, None, home=Path(folder))) as unconfined,
    ):
        bench = Bench(Path(folder), confined, unconfined)
        for measure in chosen:
            for row in measure(bench):
                print(f"| {row.what} | {row.figure} | {row.reference} | {row.asked} |", flush=True)


if __name__ == "__main__":
    main()
