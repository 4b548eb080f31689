"""Tunes the evaluation of chess: games of the search against itself, and weights that predict their results.

python -P -m agents.alphabeta.tune play --games 5000 --seed 1 --out build/tuning.jsonl
python -P -m agents.alphabeta.tune fit build/tuning.jsonl

`play` adds a line for each game; run it again after an interruption and it plays the games that are missing. `fit`
starts from the present weights, and writes `agents/core/chess_weights.json` and `chess_weights.hpp`; then the native
modules have to be built again. The next round plays games with the new weights.
"""

import argparse
import hashlib
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import games
from agents.alphabeta.search import alphabeta_engine
from agents.core.chess_evaluation import WEIGHTS_FILE, WHOLE_PHASE, chess_weights, counts
from agents.core.engine import Limits
from games.base import WHITE, State

__all__ = ["Fitted", "error", "fit", "header", "play", "samples"]

_GAME: Final = "chess:turns=300"
#: Random turns at the start of a game, and the nodes of a search, both drawn anew.
_OPENING, _NODES = (4, 10), (300, 1200)
#: A game ends as won when one side has been that far ahead for so many turns.
_WON, _TURNS_WON = 1000, 6
#: Positions are kept only if the score of the search is within this bound, and then with this probability.
_MOST_SCORE, _KEPT = 1200, 0.5
#: The lead that is worth ten to one, in hundredths of a pawn.
_TEN_TO_ONE: Final = 400
#: The target: this share of the result, the rest of the score of the search.
_RESULT_SHARE: Final = 0.6
#: How strongly weights are held at their former values.
_HOLD: Final = 2e-7
_HEADER: Final = WEIGHTS_FILE.with_suffix(".hpp")


# Games


def play(seed: int) -> dict[str, Any]:
    """One game of the search against itself: White's points, and quiet positions with their scores for White."""
    rng = random.Random(seed)
    state: Any = _opening(rng)
    engine = alphabeta_engine(state)
    kept: list[tuple[str, float]] = []
    leads = [0.0]
    while not state.is_game_over() and not _is_won(leads):
        limits = Limits(nodes=rng.randint(*_NODES), seed=rng.getrandbits(62) | 1)
        report = engine.search(state, limits)
        move, sign = state.parse(report.move), 1 if state.turn == WHITE else -1
        leads.append(sign * report.score)
        quiet = not (state.is_check() or state.is_capture(move) or move.promotion)
        if quiet and abs(report.score) <= _MOST_SCORE and rng.random() < _KEPT:
            kept.append((state.text, leads[-1]))
        state = state.forward(move)
    points = state.ending.points(WHITE) if state.ending else float(leads[-1] > 0)
    return {"seed": seed, "points": points, "positions": kept}


def _opening(rng: random.Random) -> State:
    while True:
        state = games.load(_GAME).start()
        for _ in range(rng.randint(*_OPENING)):
            if state.is_game_over():
                break
            state = state.forward(rng.choice(list(state.legal_moves)))
        if not state.is_game_over():
            return state


def _is_won(leads: Sequence[float]) -> bool:
    last = leads[-_TURNS_WON:]
    return len(last) == _TURNS_WON and (min(last) >= _WON or max(last) <= -_WON)


# Fitting


@dataclass(frozen=True, slots=True)
class Fitted:
    """New weights, and the mean error of the predicted points before and after."""

    weights: Mapping[str, Sequence[tuple[int, int]]]
    before: float
    after: float


def samples(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The positions of many games as arrays: counts of each weight, share of the middlegame, scale, target."""
    import numpy as np

    place = {weight: index for index, weight in enumerate(_names())}
    rows = [(text, score, line["points"]) for line in lines for text, score in line["positions"]]
    found = np.zeros((len(rows), len(place)), np.float32)
    shares, scales, targets = (np.empty(len(rows), np.float32) for _ in range(3))
    for row, (text, score, points) in enumerate(rows):
        counted = counts(games.load(_GAME).position(text))
        for weight, times in counted.weights.items():
            found[row, place[weight]] = times
        shares[row] = counted.phase / WHOLE_PHASE
        scales[row] = 0.25 if counted.drawish[score > 0] else 1.0
        expected = 1 / (1 + 10 ** (-score / _TEN_TO_ONE))
        targets[row] = _RESULT_SHARE * points + (1 - _RESULT_SHARE) * expected
    return {"counts": found, "shares": shares, "scales": scales, "targets": targets}


def fit(data: Mapping[str, Any], *, steps: int = 400, seed: int = 1) -> Fitted:
    """Weights that predict the targets best, by gradient descent (Adam) from the present ones."""
    import numpy as np

    start = _flat(chess_weights())
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(data["targets"]))
    held_out, taught = order[: len(order) // 10], order[len(order) // 10 :]
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, steps + 1):
        batch = rng.choice(taught, min(len(taught), 16384), replace=False)
        slope = _slope(data, batch, weights) + _HOLD * (weights - start)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        rate = 2.0 * (1 - step / (steps + 1))
        scaled = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        weights = weights - rate * scaled
    rounded = _grouped(weights)
    return Fitted(rounded, error(data, held_out, start), error(data, held_out, _flat(rounded)))


def error(data: Mapping[str, Any], rows: Any, weights: Any) -> float:
    """The mean squared error of the points that these weights predict."""
    return float(((_predicted(data, rows, weights) - data["targets"][rows]) ** 2).mean())


def _predicted(data: Mapping[str, Any], rows: Any, weights: Any) -> Any:
    import numpy as np

    pair = data["counts"][rows] @ weights.astype(np.float32)
    share = data["shares"][rows]
    lead = data["scales"][rows] * (pair[:, 0] * share + pair[:, 1] * (1 - share))
    return 1 / (1 + np.exp(-lead * math.log(10) / _TEN_TO_ONE))


def _slope(data: Mapping[str, Any], rows: Any, weights: Any) -> Any:
    import numpy as np

    wrong = (_predicted(data, rows, weights) - data["targets"][rows]) * data["scales"][rows]
    share = data["shares"][rows]
    both = np.stack([wrong * share, wrong * (1 - share)], axis=1)
    return data["counts"][rows].T @ both * (math.log(10) / _TEN_TO_ONE / len(rows))


def _names() -> list[tuple[str, int]]:
    return [(group, index) for group, pairs in chess_weights().items() for index in range(len(pairs))]


def _flat(weights: Mapping[str, Sequence[tuple[int, int]]]) -> Any:
    import numpy as np

    return np.array([pair for pairs in weights.values() for pair in pairs], np.float64)


def _grouped(flat: Any) -> dict[str, list[tuple[int, int]]]:
    rows = iter(flat.round().astype(int).tolist())
    return {group: [tuple(next(rows)) for _ in pairs] for group, pairs in chess_weights().items()}


# Files


def header(weights: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """The weights for C++."""
    lines = [
        "// The weights of the evaluation of chess, written by agents/alphabeta/tune.py from chess_weights.json.",
        "// Each is for the middlegame and for the endgame, in hundredths of a pawn.",
        "#pragma once", "", '#include "tapered.hpp"', "", "namespace arena::search::weights {", "",
    ]  # fmt: skip
    for group, pairs in weights.items():
        lines.append(f"inline constexpr Tapered {group}[] = {{")
        texts = [f"{{{middle}, {end}}}" for middle, end in pairs]
        lines += [f"    {', '.join(texts[at : at + 8])}," for at in range(0, len(texts), 8)]
        lines.append("};")
    return "\n".join([*lines, "", "}  // namespace arena::search::weights", ""])


def _write(weights: Mapping[str, Sequence[tuple[int, int]]], rounds: Sequence[Mapping[str, Any]]) -> None:
    groups = []
    for group, pairs in weights.items():
        rows = [", ".join(json.dumps(pair) for pair in pairs[at : at + 8]) for at in range(0, len(pairs), 8)]
        groups.append(f'    "{group}": [\n      ' + ",\n      ".join(rows) + "\n    ]")
    told = ",\n    ".join(json.dumps(each) for each in rounds)
    WEIGHTS_FILE.write_text(
        f'{{\n  "rounds": [\n    {told}\n  ],\n  "weights": {{\n' + ",\n".join(groups) + "\n  }\n}\n", encoding="utf-8"
    )
    _HEADER.write_text(header(weights), encoding="utf-8")


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _play(given: argparse.Namespace) -> None:
    done = {line["seed"] for line in _read(given.out)} if given.out.exists() else set()
    seeds = [given.seed * 1_000_000 + number for number in range(given.games)]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with given.out.open("a", encoding="utf-8") as out:
        for seed in seeds:
            if seed not in done:
                out.write(json.dumps(play(seed)) + "\n")
                out.flush()
    sys.stdout.write(f"{given.games} games in {given.out}, {time.process_time():.0f} s of CPU time now\n")


def _fit(given: argparse.Namespace) -> None:
    lines = list(_read(given.file))
    data = samples(lines)
    found = fit(data)
    facts = {
        "games": len(lines), "positions": len(data["targets"]), "seed": lines[0]["seed"] // 1_000_000,
        "sha256": hashlib.sha256(given.file.read_bytes()).hexdigest(), "error_before": round(found.before, 6),
        "error_after": round(found.after, 6), "fit_cpu_seconds": round(time.process_time()),
    }  # fmt: skip
    _write(found.weights, [*json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["rounds"], facts])
    sys.stdout.write(f"{json.dumps(facts)}\n")


def main() -> int:
    """Play games or fit weights; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -P -m agents.alphabeta.tune", description="Tunes the evaluation of chess."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games of the search against itself")
    playing.add_argument("--games", type=int, default=5000)
    playing.add_argument("--seed", type=int, default=1, help="another number plays other games")
    playing.add_argument("--out", type=Path, default=Path("build/tuning.jsonl"))
    fitting = commands.add_parser("fit", help="fit the weights to the results of these games")
    fitting.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        _play(given) if given.command == "play" else _fit(given)
    except (OSError, ValueError, KeyError) as problem:
        sys.stderr.write(f"Error: {problem}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
