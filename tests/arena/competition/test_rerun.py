"""A stored game and the same game played again, compared."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition.rerun import Rerun, play_again
from arena.entrants.entrant import resolve
from arena.errors import BadSettings, UnknownAgent
from results.league import League
from results.record import FaultRecord, GameRecord, MoveRecord


@pytest.fixture
def record(job: Callable[..., Any], tmp_path: Path) -> GameRecord:
    """A finished game of two seeded agents, written down by hand."""
    entrants = [resolve(name, home=tmp_path / "home").record() for name in ("random", "greedy")]
    made = job(first=entrants[0], second=entrants[1])
    return GameRecord(
        id=7, league=made.league, key=made.key, game="microchess", parameters={"turns": 4}, game_version=1,
        first=made.first, second=made.second, seconds=5.0, start=made.start, opening=(), seed=1, seed_first=2,
        seed_second=3, moves=tuple(map(MoveRecord, ("a2a3", "d4d3", "a3a4"))), result="1-0", reason="turn-limit",
        detail="material 3-2", fault=None, notes=(), output_first="", output_second="", sandbox="full",
        rules="python", host="box", versions={}, started="2026-01-01T00:00:00Z", ended="2026-01-01T00:00:01Z",
    )  # fmt: skip


def league(**settings: Any) -> League:
    return League(
        id=1, name="test", kind="league", created="2026-01-01T00:00:00Z",
        settings={"trust-agents": True} | settings, secret="s", entrants=(),
    )  # fmt: skip


def moves(*texts: str) -> dict[str, Any]:
    return {"moves": tuple(map(MoveRecord, texts))}


FAULT = FaultRecord("second", "time", "over its budget", {})


def test_equal_moves_and_ends_are_identical_whatever_the_clock_said(record: GameRecord) -> None:
    slower = replace(record, moves=tuple(replace(move, wall=9.0) for move in record.moves), started="later")
    again = Rerun(record, slower, ())
    assert (again.is_identical, again.turn) == (True, None)
    assert again.text() == "identical: 3 turns, 1-0 (turn-limit)"


@pytest.mark.parametrize(
    ("changes", "turn", "text"),
    [
        (moves("a2a3", "b4b3", "a3a4"), 2, "differs from turn 2 on: d4d3 then, b4b3 now"),
        (moves("a2a3", "d4d3"), 3, "differs from turn 3 on: a3a4 then, over (1-0 (turn-limit)) now"),
        (moves("a2a3", "d4d3", "a3a4", "c4c3"), 4, "differs from turn 4 on: over (1-0 (turn-limit)) then, c4c3 now"),
        ({"reason": "fault", "fault": FAULT}, None,
         "the same moves, but it ended 1-0 (turn-limit) then and 1-0 (second faulted: time) now"),
        ({"result": "0-1"}, None, "the same moves, but it ended 1-0 (turn-limit) then and 0-1 (turn-limit) now"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told(
    record: GameRecord, changes: dict[str, Any], turn: int | None, text: str
) -> None:  # fmt: skip
    again = Rerun(record, replace(record, **changes), ())
    assert (again.is_identical, again.turn, again.text()) == (False, turn, text)


def test_json_says_both_ends_as_other_commands_say_them(record: GameRecord) -> None:
    again = Rerun(record, replace(record, reason="fault", fault=FAULT), ("the code has changed",))
    assert again.as_dict() == {
        "record": 7,
        "identical": False,
        "turn": None,
        "was": {"result": "1-0", "reason": "turn-limit", "fault": None, "moves": ["a2a3", "d4d3", "a3a4"]},
        "now": {
            "result": "1-0", "reason": "fault", "fault": {"player": "second", "rule": "time"},
            "moves": ["a2a3", "d4d3", "a3a4"],
        },
        "changes": ["the code has changed"],
    }  # fmt: skip


def test_a_game_played_again_has_the_seeds_and_the_opening_of_the_first(record: GameRecord, tmp_path: Path) -> None:
    opened = replace(record, opening=("d2d3",), **moves("d2d3"))
    one, two = (play_again(opened, league(), home=tmp_path / "home", trust_file=True).now for _ in range(2))
    assert [move.text for move in one.moves] == [move.text for move in two.moves]
    assert one.moves[0].text == "d2d3"
    assert (one.turns, one.seed_first, one.seconds, one.sandbox) == (4, 2, 5.0, "none")


def test_what_need_not_be_equal_is_noted(record: GameRecord, tmp_path: Path) -> None:
    older = replace(record, game_version=0, first=replace(record.first, hash="0" * 64))
    assert play_again(older, league(), home=tmp_path / "home", trust_file=True).changes == (
        "the code of random has changed",
        "the rules of microchess have changed from version 0 to 1",
    )


def test_code_that_is_gone_cannot_play(record: GameRecord, tmp_path: Path) -> None:
    gone = replace(record, first=replace(record.first, name="mine", path="mine.py", hash="0" * 64))
    with pytest.raises(UnknownAgent, match="the stored files of 'mine' are missing or changed"):
        play_again(gone, league(), home=tmp_path / "home", trust_file=True)


def test_people_are_not_asked_again(record: GameRecord, tmp_path: Path) -> None:
    human = resolve("human", home=tmp_path / "home").record()
    with pytest.raises(BadSettings, match="a game with a person cannot be played again"):
        play_again(replace(record, second=human), league(), home=tmp_path / "home", trust_file=True)


def test_a_file_does_not_decide_that_agents_play_without_the_sandbox(record: GameRecord, tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"without the sandbox; .* add --trust-file"):
        play_again(record, league(), home=tmp_path / "home")
    again = play_again(record, league(**{"trust-agents": False}), home=tmp_path / "home")
    assert again.now.sandbox != "none"


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        ("protocol:uci", "uci:command=/bin/true"), ("protocol:json", 'json:command="/bin/sh -c id"'),
        ("protocol:stockfish", "stockfish:path=/bin/true"), ("protocol:stockfish", "stockfish:read=/"),
        ("protocol:stockfish", "uci:command=/bin/true"), (r"\x70rotocol:uci", "uci:command=/bin/true"),
    ],
)  # fmt: skip
def test_a_file_does_not_decide_which_programs_run(record: GameRecord, tmp_path: Path, path: str, agent: str) -> None:
    hostile = replace(record, first=replace(record.first, path=path, agent=agent))
    with pytest.raises(BadSettings, match=r"names the program of 'random': .* add --trust-file"):
        play_again(hostile, league(**{"trust-agents": False}), home=tmp_path / "home")


@pytest.mark.parametrize(
    "grants", [{"needs": "antigravity"}, {"memory": 1}, {"memory": 1 << 60}, {"threads": 0}, {"threads": "many"}]
)
def test_grants_of_a_file_are_checked(record: GameRecord, tmp_path: Path, grants: dict[str, Any]) -> None:
    hostile = replace(record, first=replace(record.first, grants=grants))
    with pytest.raises(BadSettings, match="the stored grants of an entrant make no sense"):
        play_again(hostile, league(**{"trust-agents": False}), home=tmp_path / "home")


@pytest.mark.parametrize(
    "settings", [{"needs": ["antigravity"]}, {"memory": -1}, {"clock": "none"}, {"needs": 3}, {"sprt": {"x": 1}}]
)
def test_settings_of_a_file_are_checked(record: GameRecord, tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(BadSettings, match=f"the stored setting {next(iter(settings))} makes no sense"):
        play_again(record, league(**settings), home=tmp_path / "home", trust_file=True)
