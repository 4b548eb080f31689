"""`python -P -m agents.puct`: one search and its profile."""

import importlib
import json

import pytest

import games
from agents.puct.evaluation import EVALUATORS
from agents.puct.profile import PHASES, profile
from agents.puct.search import PuctSettings

main = importlib.import_module("agents.puct.__main__").main


@pytest.mark.parametrize("evaluator", ["material", "lead_look"])
def test_every_phase_takes_time(form, evaluator):
    found = profile(
        games.load("microchess").start(), EVALUATORS[evaluator], PuctSettings(batch=4), simulations=300, cache=12
    )
    assert (found.form, found.simulations) == (form, 300)
    assert all(getattr(found.figures, phase) > 0 for phase in PHASES)
    assert 0 <= found.figures.hits < found.figures.evaluations
    assert found.memory > 300 * 32
    assert dict(zip(found.columns(), found.row(), strict=True))["simulations"] == 300


@pytest.mark.parametrize("cache", [0, 12])
def test_repeated_states_are_cache_hits(form, cache):
    found = profile(
        games.load("microchess").start(), EVALUATORS["material"], PuctSettings(), simulations=900, cache=cache
    )
    assert (found.figures.hits > 0) == (cache > 0)


def test_a_table_is_printed(form, capsys):
    assert main(["--game", "othello", "--simulations", "200", "--profile", "--batch", "8"]) == 0
    out = capsys.readouterr().out
    for line in ("form", "simulations/s", *PHASES, "cache hits", "bytes/simulation"):
        assert f"\n{line} " in f"\n{out}"
    assert form in out


def test_json_has_columns_and_rows(capsys):
    assert main(["--simulations", "200", "--profile", "--json", "--evaluator", "look"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["rows"]
    assert len(row) == len(found["columns"])
    assert row[found["columns"].index("simulations")] == 200


def test_without_a_profile_the_result_is_printed(capsys):
    position = ["--position", "k2r/4/bpPB/R3/3K w k - 0 5", "--simulations", "300"]
    assert main(position) == 0
    assert capsys.readouterr().out.startswith("a2a3: 300 nodes")
    assert main([*position, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0][0] == "a2a3"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "checkers"], ["--position", "nonsense"], ["--simulations", "0"], ["--batch", "0", "--profile"],
        ["--cache", "99", "--profile"], ["--position", "k3/1Q2/1K2/4/4 b - - 0 1", "--profile"],
    ],
)  # fmt: skip
def test_a_wrong_argument_prints_one_line(arguments, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
