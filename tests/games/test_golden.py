"""Golden games: the rules, the order of moves and the texts must not change."""

import random
from pathlib import Path

import pytest

import games
from games.base import BLACK, WHITE

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
WINNERS = {"white": WHITE, "black": BLACK, "nobody": None}


@pytest.fixture(params=GAMES, ids=lambda path: path.stem)
def record(request):
    fields = (line.partition(":") for line in request.param.read_text().splitlines())
    return {key: value.strip() for key, _, value in fields}


def moves(record):
    """The texts of the moves; where these hold spaces, semicolons stand between them."""
    separator = "; " if ";" in record["moves"] else " "
    return record["moves"].split(separator)


def test_every_game_has_a_golden_file():
    assert {path.stem.split("-")[0] for path in GAMES} == set(games.names())


def test_the_moves_lead_to_the_same_ending(record):
    state = games.load(record["game"]).start(int(record["seed"]))
    for text in moves(record):
        assert state.ending is None
        state = state.forward(state.parse(text))
    assert state.text == record["text"]
    ending = state.ending
    found = (ending.winner, ending.reason, ending.detail)
    assert found == (WINNERS[record["winner"]], record["reason"], record["detail"])
    assert state.turns == len(moves(record))


def test_the_same_seed_chooses_the_same_moves(record):
    rng = random.Random(int(record["seed"]))
    state = games.load(record["game"]).start(int(record["seed"]))
    made = []
    while legal := list(state.legal_moves):
        made.append(rng.choice(legal))
        state = state.forward(made[-1])
    assert [str(move) for move in made] == moves(record)
