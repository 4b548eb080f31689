"""Both learners train on chess, and what is learned beats what it began with."""

import numpy as np
import pytest
import torch

import games
from agents.core.engine import Limits
from agents.self_learning.learned_alphabeta import NativeLearnedSearch, native_game
from agents.self_learning.recipe import Recipe, shipped
from games.base import BLACK, WHITE

TURNS = 90


def recipe(learner, **settings):
    return Recipe.of({"game": f"chess:turns={TURNS}", "learner": learner, **settings})


def trained(learner, chunks, *, steps, batch):
    """A net after some steps on these chunks, and its mean loss at the start and at the end."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng, net = np.random.default_rng(1), learner.network(1)
    rows, losses = np.concatenate([chunk.rows for chunk in chunks]), []
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for _ in range(steps):
        loss, _parts = learner.loss(net, rows[rng.integers(len(rows), size=batch)])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return net, np.mean(losses[:5]), np.mean(losses[-5:])


def score(one, two, *, openings, nodes):
    """The points per game of `one`, each opening with both colours; a lead of three pawns at the end wins."""
    total = 0.0
    for seed in range(openings):
        rng = np.random.default_rng(seed)
        start = games.load(f"chess:turns={TURNS}").start()
        for _ in range(6):
            start = start.forward(rng.choice(np.array(list(start.legal_moves), dtype=object)))
        for color in (WHITE, BLACK):
            searches = {color: one, not color: two}
            players = {side: NativeLearnedSearch(native_game(start, searches[side])) for side in (WHITE, BLACK)}
            state = start
            while state.ending is None:
                report = players[state.turn].search(state, Limits(nodes=nodes, seed=seed + 1))
                state = state.forward(state.parse(report.move))
            total += state.ending.points(color) if state.ending.winner is not None else 0.5 + lead(state, color) / 2
    return total / (2 * openings)


def lead(state, color):
    worth = dict(zip("pnbrq", (1, 3, 3, 5, 9), strict=True))
    text = state.text.split()[0]
    white = sum(worth.get(letter.lower(), 0) * (1 if letter.isupper() else -1) for letter in text)
    return int(np.clip((white if color == WHITE else -white) // 3, -1, 1))


def test_a_short_run_of_learned_alphabeta_beats_its_own_start():
    made = recipe("learned_alphabeta", games=60, least_nodes=40, most_nodes=120, most_opening=6)
    learner = made.make_learner()
    beginning = learner.weights(learner.network(1))
    chunks = [learner.play(beginning, generation=0, seed=seed, settings=made.own) for seed in (1, 2)]
    net, first, last = trained(learner, chunks, steps=150, batch=256)
    assert last < 0.95 * first
    assert score(learner.weights(net), beginning, openings=6, nodes=150) >= 0.6


def test_self_learning_plays_and_learns_chess():
    made = recipe("self_learning", games=8, simulations=24, fast=8, width=128, network="mlp-64-32")
    learner = made.make_learner()
    chunk = learner.play(learner.weights(learner.network(1)), generation=0, seed=1, settings=made.own)
    assert chunk.games >= 8
    _net, first, last = trained(learner, [chunk], steps=30, batch=128)
    assert last < first


@pytest.mark.parametrize("learner", ["learned_alphabeta", "self_learning"])
def test_chess_has_a_recipe(learner):
    path = shipped("chess", learner)
    assert path is not None
    assert Recipe.from_file(path).game == "chess"
