"""Engines as entrants of leagues and matches, from the command line."""

from pathlib import Path
from typing import Any

import pytest

from results.record import GameRecord
from results.store.store import Store

GNUGO = (
    'gtp:command="gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --never-resign"'
)


def last_records(folder: Path) -> list[GameRecord]:
    with Store.open(folder / "arena.db", create=False) as store:
        return list(store.counted(store.leagues()[-1].name))


def test_a_chess_league_of_three_engines_and_bundled_agents(arena: Any) -> None:
    ran = arena(
        "league", "stockfish:nodes=200", 'uci:command="gnuchess --uci",depth=2', "uci:command=toga2,depth=2", "random",
        "one_step_search", "--game", "chess", "--turns", "16", "--name", "cup",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = last_records(arena.folder)
    assert len(found) == 20
    assert not [record.fault for record in found if record.fault is not None]
    engines = {record.first.name: record.versions["first"].split()[0] for record in found if "first" in record.versions}
    assert engines == {"stockfish:nodes=200": "Stockfish", "gnuchess:depth=2": "GNU", "toga2:depth=2": "Toga"}
    assert "gnuchess:depth=2" in arena("standings", "--league", "cup").out


def test_an_othello_match_against_gtp_rhino(arena: Any) -> None:
    ran = arena("benchmark", "greedy", "gtp:command=gtp-rhino", "--game", "othello", "--games", "2", "--json")
    assert ran.code == 0, ran.err
    found = last_records(arena.folder)
    assert [record.fault for record in found] == [None, None]
    assert {record.reason for record in found} == {"discs"}


def test_a_go_match_against_gnu_go(arena: Any) -> None:
    ran = arena("benchmark", "uct:simulations=20", GNUGO, "--game", "go:size=9", "--turns", "24", "--games", "2")
    assert ran.code == 0, ran.err
    found = last_records(arena.folder)
    assert [record.fault for record in found] == [None, None]
    assert all(record.turns == 24 for record in found)


@pytest.mark.parametrize("words", [("play",), ("benchmark",), ("league",)])
def test_an_option_that_the_engine_does_not_have_is_refused_before_the_game(arena: Any, words: tuple[str, ...]) -> None:
    ran = arena(*words, "uci:command=toga2,Wisdom=3", "random", "--game", "chess", "--turns", "4")
    assert ran.code == 2
    assert ran.err.endswith("uci:command=toga2,Wisdom=3: has no option 'Wisdom'\n")
    with Store.open(arena.folder / "arena.db", create=True) as store:
        assert not list(store.leagues())


BOT = """
import json
import sys

import choice

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready", "name": "Deep bot 2"}), flush=True)
    elif message["type"] == "move":
        print(json.dumps({"move": choice.of(message["legal"])}), flush=True)
"""


def test_a_python_program_of_several_modules_is_an_engine(arena: Any) -> None:
    folder = arena.folder / "deep_bot"
    folder.mkdir()
    (folder / "__main__.py").write_text(BOT)
    (folder / "choice.py").write_text("def of(legal):\n    return legal[0]\n")
    ran = arena("play", 'json:command="/usr/bin/python3 deep_bot/"', "random", "--turns", "8", "--seed", "1")
    assert ran.code == 0, ran.err
    (record,) = last_records(arena.folder)
    assert record.fault is None
    assert (record.first.name, record.versions["first"]) == ("deep_bot", "Deep bot 2")


def test_levels_of_stockfish_are_one_table(arena: Any) -> None:
    words = ("benchmark", "one_step_search", "stockfish:nodes=100", "--levels", "0,20", "--opening-turns", "2",
             "--turns", "20", "--games", "4", "--seed", "3")  # fmt: skip
    ran = arena(*words)
    assert ran.code == 0, ran.err
    assert "score (95 %)" in ran.out
    assert "stockfish:nodes=100,level=0 " in ran.out
    assert "stockfish:nodes=100,level=20 " in ran.out
    *games, summary = arena(*words, "--json").json
    assert len(games) == 8
    assert [level["two"] for level in summary["levels"]] == [
        "stockfish:nodes=100,level=0", "stockfish:nodes=100,level=20",
    ]  # fmt: skip
    assert all(level["games"] == 4 and level["error"] > 0 for level in summary["levels"])
    assert {row["agent"] for row in summary["standings"]} == {level["two"] for level in summary["levels"]} | {
        "one_step_search"
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("benchmark", "random", "greedy", "--levels", "1,2"), "levels need `stockfish`"),
        (("benchmark", "random", "stockfish:level=3", "--levels", "1,2"), "levels need `stockfish` without a level"),
        (("benchmark", "random", "stockfish", "--levels", "1,x"), "must be whole numbers separated by commas"),
        (("benchmark", "random", "stockfish", "--levels", "1,1"), "must name each level only once"),
        (("benchmark", "random", "stockfish", "--levels", "30"), "from 0 to 20"),
        (("benchmark", "random", "stockfish", "--levels", "3", "--games", "3"), "must be even"),
        (("play", "random", "stockfish", "--game", "go"), "plays chess and microchess, not go"),
        (("play", "random", "stockfish:backend=none"), "backend must be fairy or standard"),
        (("play", "random", "uci:command=nothing_here"), "program 'nothing_here' not found"),
        (("play", "random", 'nypc:command="/bin/cat"', "--game", "mushroom", "--opening-turns", "1"), "opening turns"),
    ],
)
def test_what_cannot_be_played_is_reported_in_one_line(arena: Any, words: tuple[str, ...], message: str) -> None:
    ran = arena(*words)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not ran.out


def test_a_missing_stockfish_is_reported_in_one_line(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_FAIRY_STOCKFISH", "/no/such/file")
    ran = arena("play", "stockfish", "random")
    assert ran.code == 2
    assert "'/no/such/file', given by ARENA_FAIRY_STOCKFISH" in ran.err
    assert ran.err.count("\n") == 1


def test_a_program_without_a_protocol_is_reported_before_the_league(arena: Any) -> None:
    ran = arena("league", "uci:command=/bin/echo", "random", "--turns", "4")
    assert "does not start and will lose its games" in ran.err
    assert {record.fault.rule for record in last_records(arena.folder) if record.fault} == {"exit"}


def test_check_plays_an_engine(arena: Any) -> None:
    ran = arena("check", "uci:command=toga2,depth=1", "--game", "chess")
    assert ran.code == 0, ran.out + ran.err
    assert "toga2" in ran.out
