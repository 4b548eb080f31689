"""How microchess grows: counted in two ways."""

import json
import subprocess
import sys

import pytest

from agents.microchess_growth import levels, main
from games.base import State, load


def positions(depth: int) -> list[set[str]]:
    """The positions after each number of turns, by their whole texts without the counters."""
    found: list[set[str]] = []
    edge: dict[str, State] = {"": load("microchess").start()}
    for _ in range(depth):
        after = {}
        for state in edge.values():
            for move in state.legal_moves:
                child = state.forward(move)
                after[" ".join(child.text.split()[:3])] = child
        found.append(set(after))
        edge = after
    return found


def test_the_first_two_turns_have_no_transpositions() -> None:
    assert [level.positions for level in levels(2)] == [12, 110]


def test_every_position_is_counted_once() -> None:
    assert [level.positions for level in levels(4)] == [len(level) for level in positions(4)]


def test_the_decided_ones_are_those_whose_game_is_over() -> None:
    game = load("microchess")
    for level, texts in zip(levels(4), positions(4), strict=True):
        ends = [ending for text in texts if (ending := game.position(f"{text} - 0 1").ending) is not None]
        assert level.decided == len(ends)
        assert level.checkmates == sum(ending.reason == "checkmate" for ending in ends)
        assert level.share == level.decided / level.positions


def test_growth_is_the_number_against_the_level_before() -> None:
    one, two, three = levels(3)
    assert one.growth == 12
    assert two.growth == 110 / 12
    assert three.growth == three.positions / 110


def test_the_table_is_printed_for_people_and_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--depth", "2", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed["columns"] == ["turns", "positions", "growth", "decided", "share decided", "checkmates"]
    assert printed["rows"][1] == [2, 110, 9.167, 1, 0.009091, 1]
    main(["--depth", "2"])
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["turns", "positions", "growth", "decided", "share", "decided", "checkmates"]
    assert rows[1].split() == ["2", "110", "9.167", "1", "0.009091", "1"]


def test_a_depth_beyond_the_memory_of_a_machine_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--depth", "12"])
    assert "invalid choice: 12" in capsys.readouterr().err


def test_the_rules_in_python_count_the_same() -> None:
    command = [sys.executable, "-P", "-m", "agents.microchess_growth", "--depth", "3", "--json"]
    ran = subprocess.run(command, env={"ARENA_KERNEL": "python"}, capture_output=True, text=True, check=True)
    assert [row[1] for row in json.loads(ran.stdout)["rows"]] == [level.positions for level in levels(3)]
