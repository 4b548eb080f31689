"""The measurement of the ways to keep states: its boards, its table."""

import json

import pytest

from agents.mushroom import measure
from agents.mushroom.uct import STATES, MushroomUctSettings, PythonMushroomUct, mushroom_uct


def test_the_boards_are_those_of_the_earlier_report():
    boards = {name: made().text for name, made in measure.BOARDS.items()}
    assert list(boards) == ["random", "all ones", "all nines", "checkerboard", "gradient"]
    assert boards["all ones"].startswith("1" * 17 + "/")
    assert boards["all nines"].startswith("9" * 17 + "/")
    assert boards["checkerboard"].startswith("1919191919")
    assert boards["checkerboard"].split("/")[1].startswith("9191")
    assert boards["gradient"].startswith("12345678912345678/23456789123456789/")


@pytest.mark.parametrize("states", STATES)
def test_the_pace_is_simulations_by_seconds(states, fake_clock):
    row = measure.measured(
        mushroom_uct(MushroomUctSettings(states=states)), "random", states,
        simulations=50, seconds=0.9, now=fake_clock(1.0),
    )  # fmt: skip
    assert row.form == "kernel"
    assert row.simulations_per_second == 50
    assert row.bytes_per_simulation > 0
    assert (row.cache_hits == "-") == (states != "rebuild")


def test_only_a_search_that_rebuilds_has_a_cache_to_hit(fake_clock):
    uct = PythonMushroomUct(MushroomUctSettings(states="rebuild"))
    row = measure.measured(uct, "gradient", "rebuild", simulations=20, seconds=0.5, now=fake_clock(1.0))
    assert 0 <= row.cache_hits <= 1
    assert row.form == "python"


def test_the_table_is_written_as_json(capsys):
    measure.main(["boards", "--simulations", "5", "--seconds", "0.0001", "--json"])
    table = json.loads(capsys.readouterr().out)
    assert table["columns"] == list(measure.COLUMNS)
    assert len(table["rows"]) == len(measure.BOARDS) * len(STATES)
    assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_the_table_is_written_as_text(capsys):
    measure.main(["boards", "--simulations", "5", "--seconds", "0.0001"])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["board", "states"]
    assert len(lines) == len(measure.BOARDS) * len(STATES)


@pytest.mark.parametrize("arguments", [[], ["cells"], ["boards", "--simulations", "0"], ["boards", "--seconds", "-1"]])
def test_wrong_arguments_are_refused(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        measure.main(arguments)
    assert stopped.value.code == 2
    assert "error" in capsys.readouterr().err
