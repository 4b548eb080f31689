"""Ladders of synthetic agents with known strengths, drawn and rated by the code that real ladders use.

`python -P tests/bench/ladder.py` plays what is missing in results/ladder.json and prints the table of the README. Each
line is one kind of field, one size and one seed. After an interruption it continues with the lines that are missing.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from arena.formats import ladder
from arena.formats.schedule import round_robin
from results.pairing import PairCount
from results.standings.online import OnlineRatings
from results.standings.ratings import rate

_T = TypeVar("_T")

RESULTS: Final = Path(__file__).parent / "results" / "ladder.json"
SPREAD, FIRST_ADVANTAGE, DRAWS, CYCLE = 300.0, 35.0, 0.28, 100.0
_BITS: Final = 20
_MASK: Final = (1 << _BITS) - 1
SEEDS: Final = range(1, 6)
SIZES: Final = (1_000, 10_000)
#: The order is compared with the true one after so many games for each agent of the field.
LOOKS: Final = {"plain": range(100, 141, 10), "cycles": range(130, 201, 10), "newcomers": range(200, 201)}
WANTED: Final = 0.95
FINALISTS, FINAL_GAMES, TOP = 24, 5, 10
#: The share of the agents that is replaced while every agent plays one game on average.
REPLACED: Final = 0.01


@dataclass(frozen=True)
class Line:
    """One simulated ladder. `tau` is Kendall's, by games for each agent; CPU seconds are for a million games."""

    field: str
    agents: int
    seed: int
    games: int
    tau: dict[str, float]
    reached: int | None
    top: int | None
    pairing_cpu: float
    fit_cpu: float


@dataclass
class Field:
    """The agents that play, their true strengths, and all results so far."""

    rng: random.Random
    cycle: float = 0.0
    strengths: dict[int, float] = field(default_factory=dict)
    active: list[int] = field(default_factory=list)
    #: Wins, draws and losses in one number, by both seats in one number: a million small objects would keep Python's
    #: garbage collector busy, and it runs while other code is timed.
    results: dict[int, int] = field(default_factory=dict)
    games: int = 0

    def enter(self) -> int:
        number = len(self.strengths) + 1
        self.strengths[number] = self.rng.gauss(0, SPREAD)
        self.active.append(number)
        return number

    def replace(self, share: float) -> None:
        """Let newcomers take the place of some agents."""
        for place in self.rng.sample(range(len(self.active)), int(share * len(self.active) + self.rng.random())):
            self.enter()
            self.active[place] = self.active.pop()

    def play(self, first: int, second: int) -> float:
        """Play a game; the points of first."""
        # Three kinds of agents, of which each does better against one and worse against another.
        kind = ((0, 1, -1)[(first - second) % 3]) * self.cycle
        ahead = self.strengths[first] - self.strengths[second] + FIRST_ADVANTAGE + kind
        expected = 1 / (1 + 10 ** (-ahead / 400))
        draw = DRAWS * 4 * expected * (1 - expected)
        thrown = self.rng.random()
        outcome = 0 if thrown < expected - draw / 2 else 1 if thrown < expected + draw / 2 else 2
        seats = first << _BITS | second
        self.results[seats] = self.results.get(seats, 0) + (1 << outcome * _BITS)
        self.games += 1
        return (1.0, 0.5, 0.0)[outcome]

    def pairs(self) -> Iterator[PairCount]:
        for seats, counts in self.results.items():
            wins, draws, losses = (counts >> place * _BITS & _MASK for place in range(3))
            yield PairCount(
                first=str(seats >> _BITS), second=str(seats & _MASK), games=wins + draws + losses, wins=wins,
                draws=draws, losses=losses,
            )  # fmt: skip

    def order(self) -> list[int]:
        """The active agents, best first, by the fit that published tables use."""
        ratings = rate([str(number) for number in self.strengths], list(self.pairs()))
        elo = {number: rated.elo for number in self.active if (rated := ratings.of(str(number))) is not None}
        return sorted(elo, key=lambda number: -elo[number])

    def best(self, order: Sequence[int]) -> int:
        """How many of the true best are the best by this order."""
        true = sorted(self.active, key=lambda number: -self.strengths[number])
        return len(set(true[:TOP]) & set(order[:TOP]))


def tau(order: Sequence[int], strengths: dict[int, float]) -> float:
    """Kendall's rank correlation of an order with the true one, by counting inversions in a Fenwick tree."""
    places = {number: place for place, number in enumerate(sorted(order, key=lambda number: -strengths[number]), 1)}
    tree, inversions = [0] * (len(order) + 1), 0
    for seen, number in enumerate(order):
        at, before = places[number], 0
        while at:
            before += tree[at]
            at -= at & -at
        inversions += seen - before
        at = places[number]
        while at < len(tree):
            tree[at] += 1
            at += at & -at
    return 1 - 4 * inversions / (len(order) * (len(order) - 1))


class Clock:
    """CPU seconds of the calls that are timed."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def __call__(self, what: str, call: Callable[[], _T]) -> _T:
        began = time.process_time()
        result = call()
        self.seconds[what] += time.process_time() - began  # type: ignore[assignment]
        return result


def climb(found: Field, ratings: OnlineRatings, rng: random.Random, clock: Clock) -> None:
    """One draw of the ladder and its games."""
    pairs = clock("pairing", lambda: ladder.draw(found.active, ratings, rng))
    played = [(first, second, found.play(first, second)) for pair in pairs for first, second in (pair, pair[::-1])]

    def add() -> None:
        for first, second, points in played:
            ratings.add(first, second, points)

    clock("pairing", add)


def simulate(kind: str, agents: int, seed: int) -> Line:
    """Play one ladder; a plain one ends with the final of its best."""
    found = Field(random.Random(f"{kind} {agents} {seed}"), CYCLE if kind == "cycles" else 0.0)
    for _ in range(agents):
        found.enter()
    ratings, rng, clock = OnlineRatings(), random.Random(f"draws {kind} {agents} {seed}"), Clock()
    taus: dict[str, float] = {}
    reached = order = None
    for look in LOOKS[kind]:
        while found.games < look * agents:
            before = found.games
            climb(found, ratings, rng, clock)
            if kind == "newcomers":
                found.replace(2 * REPLACED * (found.games - before) / agents)
        order = clock("fit", found.order)
        taus[str(look)] = round(tau(order, found.strengths), 4)
        if kind != "newcomers" and taus[str(look)] >= WANTED:
            reached = look
            break
    played = found.games
    top = final(found, order) if kind == "plain" and order else None
    return Line(
        field=kind, agents=agents, seed=seed, games=played, tau=taus, reached=reached, top=top,
        pairing_cpu=round(clock.seconds["pairing"] / played * 1e6, 2),
        fit_cpu=round(clock.seconds["fit"] / len(taus), 2),
    )  # fmt: skip


def final(found: Field, order: Sequence[int]) -> int:
    """The best play a round robin, whose table decides; how many of the true best are then at its top."""
    finalists = list(order[:FINALISTS])
    rounds = max(1, FINAL_GAMES * len(found.active) // (FINALISTS * (FINALISTS - 1)))
    points: Counter[int] = Counter()
    for pairing in round_robin(finalists, rounds=rounds):
        won = found.play(pairing.first, pairing.second)
        points.update({pairing.first: won, pairing.second: 1 - won})  # type: ignore[dict-item]
    return found.best(sorted(finalists, key=lambda number: -points[number]))


def stored() -> list[Line]:
    if not RESULTS.exists():
        return []
    return [Line(**line) for line in json.loads(RESULTS.read_text(encoding="utf-8"))["ladders"]]


def table(lines: Sequence[Line]) -> Iterator[str]:
    """The Markdown table of the README: the lowest and highest of all seeds."""
    yield "| field | agents | seeds | games ÷ agents until tau 0.95 | tau at the end | best ten found | pairing | fit |"
    yield "|---|---|---|---|---|---|---|---|"
    for kind in LOOKS:
        for agents in SIZES:
            chosen = [line for line in lines if (line.field, line.agents) == (kind, agents)]
            if chosen:
                yield f"| {kind} | {agents:,} | {len(chosen)} | {cells(chosen)} |"


def cells(lines: Sequence[Line]) -> str:
    """The figures of one line of the table."""
    reached = [line.reached for line in lines]
    last = [list(line.tau.values())[-1] for line in lines]
    tops = [line.top for line in lines if line.top is not None]
    texts = [
        "-" if None in reached else span([int(one) for one in reached if one]),
        span(last), span(tops) if tops else "-",
        span([line.pairing_cpu for line in lines]), span([line.fit_cpu for line in lines]),
    ]  # fmt: skip
    return " | ".join(texts)


def span(values: Sequence[float]) -> str:
    low, high = (f"{value:.4g}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def main(words: Sequence[str]) -> None:
    """Play what is missing: all, or the kinds and sizes that are named."""
    lines = stored()
    done = {(line.field, line.agents, line.seed) for line in lines}
    for agents in SIZES:
        for kind in LOOKS:
            for seed in SEEDS:
                is_wanted = not words or {kind, str(agents)} <= set(words)
                if not is_wanted or (kind, agents, seed) in done:
                    continue
                line = simulate(kind, agents, seed)
                print(line, file=sys.stderr, flush=True)
                lines.append(line)
                content = {"script": "tests/bench/ladder.py", "ladders": [asdict(one) for one in lines]}
                RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print("\n".join(table(lines)))


if __name__ == "__main__":
    main(sys.argv[1:])
