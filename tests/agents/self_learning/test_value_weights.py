"""The file of weights of a learned value: what is written can be read, and nothing else."""

import random
import struct
from array import array
from dataclasses import replace

import pytest

import games
from agents.core.native import extension
from agents.self_learning.value_weights import BadWeights, ValueWeights

HEAD = struct.Struct("<8sI16sIIIiii")
FEATURES = 286


@pytest.fixture
def weights(value_weights):
    return value_weights("microchess", FEATURES, first=32, second=8)


def changed(data, **fields):
    """The file with other numbers in its head."""
    names = ("magic", "version", "game", "features", "first", "second", "scale_1", "scale_2", "scale_3")
    head = dict(zip(names, HEAD.unpack_from(data), strict=True)) | fields
    return HEAD.pack(*head.values()) + data[HEAD.size :]


def native_refusal(data):
    module = extension("agents.self_learning._value")
    try:
        module.Searcher("microchess", data, limit=80).set(games.load("microchess").start().text, ())
    except ValueError as refused:
        return str(refused)
    return "not refused"


def test_what_is_written_can_be_read(weights):
    assert ValueWeights.from_bytes(weights.to_bytes()) == weights
    assert weights.features == FEATURES


def test_the_file_describes_itself(weights):
    data = weights.to_bytes()
    assert HEAD.unpack_from(data) == (b"arenaval", 1, b"microchess" + bytes(6), FEATURES, 32, 8, 508, 64, 256)
    assert len(data) == HEAD.size + 2 * FEATURES * 32 + 2 * 32 + 8 * 32 + 4 * 8 + 2 * 8 + 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"magic": b"arenavax"}, "not a file of weights"),
        ({"version": 2}, "unknown version"),
        ({"features": 0}, "impossible sizes"),
        ({"features": 2**32 - 1}, "impossible sizes"),
        ({"first": 33}, "impossible sizes"),
        ({"first": 0}, "impossible sizes"),
        ({"first": 2**31}, "impossible sizes"),
        ({"second": 72}, "impossible sizes"),
        ({"second": 12}, "impossible sizes"),
        ({"scale_1": 127}, "unknown scales"),
        ({"scale_3": -1}, "unknown scales"),
        ({"first": 64}, "too short"),
        ({"features": FEATURES - 1}, "too long"),
    ],
)
def test_a_hostile_head_is_refused_with_one_line(weights, fields, message):
    data = changed(weights.to_bytes(), **fields)
    with pytest.raises(BadWeights, match=message):
        ValueWeights.from_bytes(data)
    assert message in native_refusal(data)


def test_every_shorter_and_every_longer_file_is_refused(weights):
    data = weights.to_bytes()
    for size in [*range(1, HEAD.size + 2), len(data) // 2, len(data) - 1]:
        with pytest.raises(BadWeights):
            ValueWeights.from_bytes(data[:size])
        assert native_refusal(data[:size]) != "not refused"
    with pytest.raises(BadWeights, match="too long"):
        ValueWeights.from_bytes(data + b"\0")
    assert "too long" in native_refusal(data + b"\0")


def test_numbers_that_could_overflow_a_sum_are_refused(weights):
    for wrong in (
        replace(weights, output=array("h", [1001] + [0] * 7)),
        replace(weights, output=array("h", [-32768] + [0] * 7)),
        replace(weights, second_bias=array("i", [-(2**31)] + [0] * 7)),
    ):
        with pytest.raises(BadWeights, match="out of range"):
            ValueWeights.from_bytes(wrong.to_bytes())
        assert "out of range" in native_refusal(wrong.to_bytes())


def test_weights_for_another_game_or_board_are_refused_by_the_native_search(value_weights):
    assert "these weights are for othello" in native_refusal(value_weights("othello", 173).to_bytes())
    assert "another size of board" in native_refusal(value_weights("microchess", 285).to_bytes())


def test_no_weights_are_no_search():
    module = extension("agents.self_learning._value")
    searcher = module.Searcher("microchess", b"", limit=80)
    searcher.set(games.load("microchess").start().text, ())
    with pytest.raises(ValueError, match="there are no weights"):
        searcher.alphabeta(nodes=10)


def extreme(limit, seed):
    """Weights as large as the file allows, so that the sums of the first layer leave 16 bits."""
    rng = random.Random(seed)
    return ValueWeights(
        game="microchess",
        first=array("h", [rng.choice((-limit, limit - 1)) for _ in range(FEATURES * 32)]),
        first_bias=array("h", [rng.choice((-limit, limit - 1)) for _ in range(32)]),
        second=array("b", [rng.choice((-128, 127)) for _ in range(64 * 32)]),
        second_bias=array("i", [rng.choice((-(2**30), 2**30)) for _ in range(64)]),
        output=array("h", [rng.choice((-1000, 1000)) for _ in range(64)]),
        output_bias=rng.choice((-(2**31), 2**31 - 1)),
    )


@pytest.mark.parametrize("limit", [2**15, 3000])
def test_the_largest_weights_give_the_same_value_everywhere(limit, states):
    module = extension("agents.self_learning._value")
    for seed in range(5):
        weights = extreme(limit, seed)
        searchers = [
            module.Searcher("microchess", weights.to_bytes(), limit=80, plain=plain) for plain in (False, True)
        ]
        for state in states("microchess", 10, seed):
            for searcher in searchers:
                searcher.set(state.text, ())
            assert {searcher.value for searcher in searchers} == {weights.value(searchers[0].features)}
