"""Time controls, from the command line to the players and the stored games."""

import json
import re
from typing import Any

import pytest

from arena.competition.settings import Settings
from arena.errors import BadSettings

WATCHER = """
from agents.base import BaseAgent

class Watcher(BaseAgent):
    def act(self, state):
        print(f"{self.time_left:.0f} {self.increment:g} {self.moves_to_go}")
        return state.legal_moves[0]
"""
HANGING = """
from agents.base import BaseAgent

class Hanging(BaseAgent):
    def act(self, state):
        while True:
            pass
"""


@pytest.mark.parametrize(
    ("given", "told", "stored", "shown"),
    [
        (("--time", "400+50"), ["400 50 None", "450 50 None", "500 50 None"], "400+50", "400 s + 50 s for each move"),
        (("--time", "2/300"), ["300 0 2", "300 0 1", "600 0 2"], "2/300", "300 s for every 2 moves"),
        (("--move-time", "70"), ["70 0 1", "70 0 1", "70 0 1"], "70/move", "70 s for each move"),
    ],
)
def test_an_agent_is_told_its_time_and_the_record_keeps_it(
    arena: Any, given: tuple[str, ...], told: list[str], stored: str, shown: str
) -> None:
    arena.folder.joinpath("watcher.py").write_text(WATCHER)
    assert arena("play", "watcher.py", "first_move", "--turns", "6", *given).code == 0
    record = json.loads(arena("show", "1", "--format", "json").out)
    assert record["output_first"].splitlines() == told
    assert record["control"] == stored
    assert f"(wall) of {shown} each" in arena("show", "1").out


def test_a_league_with_a_time_control_continues_and_refuses_another_one(arena: Any) -> None:
    command = ("league", "random", "first_move", "--turns", "4", "--name", "cup")
    assert arena(*command, "--time", "10+0.1").code == 0
    assert "2 of 2 games were already stored" in arena(*command, "--time", "10+.1").err
    assert "time was 10+0.1, is 40/60" in arena(*command, "--time", "40/60").error
    assert "time was 10+0.1, is none; move-time was none, is 1" in arena(*command, "--move-time", "1").error


def test_a_player_that_thinks_longer_than_its_move_may_take_loses_by_its_time(arena: Any) -> None:
    arena.folder.joinpath("hanging.py").write_text(HANGING)
    assert arena("play", "hanging.py", "random", "--turns", "4", "--move-time", "0.2").code == 0
    record = json.loads(arena("show", "1", "--format", "json").out)
    assert (record["result"], record["fault"]["rule"]) == ("0-1", "time")
    assert "it used up its time (0.2 s for each move) in its 1st move" in arena("why", "1").out


def test_the_forecast_counts_what_is_added_during_a_game(arena: Any) -> None:
    def most(*words: str) -> Any:
        return json.loads(arena("league", "random", "first_move", *words, "--dry-run", "--json").out)["most"]

    assert most("--turns", "40", "--time", "10+0.5", "--workers", "1") == 2 * 2 * (10 + 20 * 0.5)
    assert most("--turns", "50", "--time", "10/60", "--workers", "1") == 2 * 2 * 3 * 60
    assert most("--turns", "50", "--move-time", "2", "--workers", "1") == 2 * 2 * 25 * 2
    assert most("--game", "chess", "--time", "10+0.5") is None
    text = arena("league", "random", "first_move", "--game", "chess", "--time", "10+0.5", "--dry-run").out
    assert "no upper limit, because every move adds time and the game has no turn limit" in text


MISTAKE = "must be a number of seconds above 0, 1000000 at most, or as in 10+0.1 or 40/60"


@pytest.mark.parametrize("given", ["10+", "0+1", "40/", "0/60", "40/60/2", "1/move", "fast", "-5", "nan", -5, True])
def test_a_time_control_that_makes_no_sense_is_refused(given: object) -> None:
    with pytest.raises(BadSettings, match=re.escape(f"time {MISTAKE}, not {given!r}")):
        Settings.of({"time": given})


def test_a_wrong_time_control_on_the_command_line_is_one_clear_line(arena: Any) -> None:
    ran = arena("play", "random", "random", "--time", "10+")
    assert (ran.code, ran.error) == (2, f"Error: Invalid value for '--time': {MISTAKE}, not '10+'")


def test_time_and_move_time_exclude_each_other(arena: Any) -> None:
    ran = arena("play", "random", "random", "--time", "5", "--move-time", "1")
    assert (ran.code, ran.error) == (2, "arena: time and move-time exclude each other; leave one out")
