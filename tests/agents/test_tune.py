"""The evaluation of chess is tuned by games of the search against itself, and its stored weights are those in use."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

import games
from agents.alphabeta import tune
from agents.core.chess_evaluation import WEIGHTS_FILE, chess_lead, chess_weights, counts
from agents.core.native import extension

CHESS = games.load("chess")


def test_the_native_evaluation_is_the_sum_of_counts_and_weights(states):
    searcher = extension("agents.core._core").Searcher("chess")
    for state in states("chess", 400, seed=21):
        searcher.set(state.text, ())
        assert searcher.value == chess_lead(state), state.text


def test_the_header_has_the_stored_weights():
    assert WEIGHTS_FILE.with_suffix(".hpp").read_text() == tune.header(chess_weights())


def test_the_stored_weights_say_how_they_were_found():
    rounds = json.loads(WEIGHTS_FILE.read_text())["rounds"]
    tuned = [each for each in rounds if "games" in each]
    assert tuned
    for each in tuned:
        assert each["games"] >= 1000
        assert each["error_after"] < each["error_before"]
        assert len(each["sha256"]) == 64


def test_the_same_seed_plays_the_same_game():
    assert tune.play(5) == tune.play(5)
    assert tune.play(5) != tune.play(6)


def test_kept_positions_are_quiet():
    for text, score in tune.play(7)["positions"]:
        assert not CHESS.position(text).is_check()
        assert abs(score) <= 1200


def flat(weights):
    return np.array([pair for pairs in weights.values() for pair in pairs], float)


def examples(*, seed, number):
    """Games whose results depend on the bishop pair alone."""
    rng, lines = random.Random(seed), []
    for game in range(number):
        state = CHESS.start()
        for _ in range(rng.randrange(20, 60)):
            if state.is_game_over():
                break
            state = state.forward(rng.choice(list(state.legal_moves)))
        pair = counts(state).weights.get(("bishop_pair", 0), 0)
        lines.append({"seed": game, "points": (1 + pair) / 2, "positions": [(state.text, 400.0 * pair)]})
    return lines


def test_fitting_finds_what_decides_the_games():
    data = tune.samples(examples(seed=1, number=150))
    found = tune.fit(data, steps=60)
    rows = list(range(150))
    before, after = (tune.error(data, rows, flat(weights)) for weights in (chess_weights(), found.weights))
    assert after < before
    assert sum(found.weights["bishop_pair"][0]) > sum(chess_weights()["bishop_pair"][0]) + 20


def test_a_prediction_is_the_evaluation():
    lines = [{"seed": 1, "points": 1.0, "positions": [(CHESS.start().text, 0.0)]}]
    data = tune.samples(lines)
    lead = chess_lead(CHESS.start())
    expected = 1 / (1 + 10 ** (-lead / 400))
    target = 0.6 + 0.4 * 0.5
    assert tune.error(data, [0], flat(chess_weights())) == pytest.approx((expected - target) ** 2, abs=1e-3)


def test_the_command_goes_on_where_it_was_and_fits(tmp_path):
    def run(*words):
        command = [sys.executable, "-P", "-m", "agents.alphabeta.tune", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    out = str(tmp_path / "games.jsonl")
    assert run("play", "--games", "1", "--out", out).returncode == 0
    assert run("play", "--games", "2", "--out", out).returncode == 0
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2
    missing = run("fit", str(tmp_path / "nothing.jsonl"))
    assert missing.returncode == 2
    assert missing.stderr.startswith("Error: ")
    assert "Traceback" not in missing.stderr
