"""Figures of the searches, and weights learned from games."""

import json
import random

import pytest

from agents.othello import _native, learn, measure
from agents.othello.classic import empty_squares
from agents.othello.patterns import Weights, bundled, unpacked
from games.base import BLACK
from games.othello import LiveState, Othello

FIGURES = {3: (45, 19, 1_289, 1_262), 4: (39, 25, 4_631, 4_628), 5: (42, 22, 20_127, 19_892)}


def test_the_figures_of_the_earlier_study_are_reproduced():
    table = measure.selfplay(FIGURES)
    assert {row[0]: tuple(row[1:5]) for row in table.rows} == FIGURES
    assert all(row[5] is True for row in table.rows)
    assert measure.selfplay([1]).rows[0][5] is None


@pytest.mark.soak
def test_the_figures_of_deep_searches_are_reproduced():
    assert all(row[5] is True for row in measure.selfplay([6, 7, 8, 9]).rows)


def test_both_forms_measure_the_same(monkeypatch):
    natively = measure.selfplay([1]), measure.ordering([1], games=2, seed=1)
    monkeypatch.setenv("ARENA_KERNEL", "python")
    assert (measure.selfplay([1]), measure.ordering([1], games=2, seed=1)) == natively


def test_orders_save_nodes_even_with_their_pre_search():
    table = measure.ordering([5, 6], games=2, seed=2026)
    rows = {tuple(row[:3]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert len(rows) == 10
    for (depth, order, where), row in rows.items():
        assert row["nodes"] == row["nodes without pre-search"] or order == "intuition"
        if order != "none":
            assert row["nodes"] < rows[depth, "none", "-"]["nodes"], (depth, order, where)
            assert row["nodes to none"] < 1


@pytest.mark.parametrize("form", ["kernel", "python"])
def test_endings_are_compared_with_a_full_search(form, monkeypatch):
    if form == "python":
        monkeypatch.setenv("ARENA_KERNEL", "python")
    table = measure.endgames(empties=5, positions=3, seed=1)
    for row in (dict(zip(table.columns, row, strict=True)) for row in table.rows):
        assert empty_squares(Othello().position(row["position"])) == 5
        assert row["lead"] == row["full search"]
        assert row["nodes"] > 0


def test_long_endings_are_not_searched_in_full():
    assert [row[5] for row in measure.endgames(empties=12, positions=2, seed=1).rows] == [None, None]


@pytest.mark.parametrize(
    ("arguments", "columns", "rows"),
    [
        (["selfplay", "--depths", "1..3"], 6, 3),
        (["ordering", "--depths", "2,3"], 7, 10),
        (["endgames", "--empties", "6", "--positions", "2"], 6, 2),
    ],
)
def test_the_command_prints_one_object_or_a_table(arguments, columns, rows, capsys):
    measure.main([*arguments, "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert set(printed) == {"columns", "rows"}
    assert [len(row) for row in [printed["columns"], *printed["rows"]]] == [columns] * (rows + 1)
    measure.main(arguments)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == rows + 1
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["selfplay", "--depths", "0"], ["selfplay", "--depths", "61"], ["ordering", "--depths", "x"],
        ["ordering", "--depths", "3..x"], ["ordering", "--games", "0"], ["endgames", "--empties", "70"],
        ["endgames", "--positions", "-1"],
    ],
)  # fmt: skip
def test_invalid_numbers_are_refused_in_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as refused:
        measure.main(arguments)
    assert refused.value.code == 2
    assert "numbers from 1 to" in capsys.readouterr().err.splitlines()[-1]


def test_games_to_learn_from_have_positions_of_both_sides():
    strong = _native.Strong(bundled())
    seen = list(learn.games(strong, 3, 1, random.Random(1)))
    assert len(seen) > 60
    for own, other, lead in seen:
        assert own & other == 0
        assert abs(lead) <= 64
    assert {(own | other).bit_count() for own, other, _ in seen} >= set(range(40, 60))
    assert seen == list(learn.games(_native.Strong(bundled()), 3, 1, random.Random(1)))


def test_weights_learn_what_decides_the_games():
    # Each corner more wins by ten discs.
    rng, corners = random.Random(7), (0, 7, 56, 63)

    def drawn():
        cells = [rng.randrange(3) for _ in range(64)]
        own, other = (sum(1 << at for at in range(64) if cells[at] == side) for side in (1, 2))
        return own, other, 10 * sum((0, 1, -1)[cells[at]] for at in corners)

    weights = Weights(learn.fitted([drawn() for _ in range(4000)], steps=15))
    won, lost = [], []
    for own, other, lead in (drawn() for _ in range(400)):
        if lead:
            (won if lead > 0 else lost).append(weights.value(LiveState(own, other, BLACK)))
    assert sum(won) / len(won) - sum(lost) / len(lost) > 30


@pytest.mark.soak
def test_learning_writes_weights_that_can_be_read(tmp_path, capsys):
    learn.main([str(tmp_path / "weights.bin"), "--scale", "0.0002"])
    stored = unpacked((tmp_path / "weights.bin").read_bytes())
    assert len(stored) == len(bundled())
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["depth 0", "depth 2", "depth 4"]


def test_learning_without_the_native_search_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_KERNEL", "python")
    with pytest.raises(SystemExit, match="build the native search first"):
        learn.main([str(tmp_path / "weights.bin")])
