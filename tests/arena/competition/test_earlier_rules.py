"""Leagues and games that were stored under an earlier version of a game's rules."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from games.base import upgraded
from results.notation.replay import replay
from results.store.store import Store

WORDS = ("league", "random", "first_move", "--game", "go:size=5,komi=3", "--turns", "40", "--seed", "earlier")


def make_earlier(folder: Path) -> None:
    """Rewrite the file as version 1 of Go stored it: without the parameter `suicide`, which was always legal."""
    with sqlite3.connect(folder / "arena.db") as file:
        for number, text in file.execute("SELECT id, settings FROM league").fetchall():
            settings = json.loads(text)
            assert settings["game-version"] == 2
            settings["game-version"] = 1
            settings["game"] = settings["game"].replace(",suicide=yes", "")
            file.execute("UPDATE league SET settings = ? WHERE id = ?", (json.dumps(settings), number))
        for number, text in file.execute("SELECT id, parameters FROM record").fetchall():
            parameters = json.loads(text)
            del parameters["suicide"]
            row = (json.dumps(parameters), number)
            file.execute("UPDATE record SET parameters = ?, game_version = 1 WHERE id = ?", row)
        file.execute("DELETE FROM record WHERE id = (SELECT max(id) FROM record)")


def test_a_league_of_version_1_goes_on_with_suicide(arena: Any) -> None:
    first = (*WORDS[:4], "go:size=5,komi=3,suicide=yes", *WORDS[5:], "--name", "old", "--rounds", "2")
    assert arena(*first).code == 0
    make_earlier(arena.folder)
    ran = arena(*WORDS, "--name", "old", "--rounds", "2")
    assert ran.code == 0, ran.err
    assert "old: 3 of 4 games were already stored" in ran.err
    with Store.read(arena.folder / "arena.db") as store:
        records = list(store.records("old"))
    assert [record.parameters["suicide"] for record in records] == ["yes"] * 4
    assert {record.game_version for record in records} == {2}
    assert not [record.fault for record in records if record.fault is not None]
    assert not [broken for record in records if (broken := replay(record).broken)]


def test_a_league_without_a_name_is_found_again(arena: Any) -> None:
    assert arena(*WORDS[:4], "go:size=5,komi=3,suicide=yes", *WORDS[5:]).code == 0
    make_earlier(arena.folder)
    ran = arena(*WORDS)
    assert ran.code == 0, ran.err
    assert "1 of 2 games were already stored" in ran.err


def test_a_parameter_that_is_given_is_not_changed(arena: Any) -> None:
    assert arena(*WORDS[:4], "go:size=5,komi=3,suicide=yes", *WORDS[5:], "--name", "old").code == 0
    make_earlier(arena.folder)
    ran = arena(*WORDS[:4], "go:size=5,komi=3,suicide=no", *WORDS[5:], "--name", "old")
    assert ran.code == 2
    assert "game was go:size=5,komi=3,turns=40,suicide=yes, is go:size=5,komi=3,turns=40,suicide=no" in ran.err


def test_a_game_of_version_1_is_shown_and_played_again(arena: Any) -> None:
    assert arena(*WORDS[:4], "go:size=5,komi=3,suicide=yes", *WORDS[5:], "--name", "old").code == 0
    make_earlier(arena.folder)
    for words in (("show", "1"), ("show", "1", "--format", "sgf"), ("show", "1", "--format", "html"), ("why", "1")):
        assert arena(*words).code == 0, words
    ran = arena("rerun", "1")
    assert (ran.code, "identical" in ran.out) == (0, True), ran.err + ran.out


def test_only_games_with_an_earlier_version_change() -> None:
    assert upgraded("go", {"size": 9}, 2) == ({"size": 9}, 2)
    assert upgraded("gomoku", {"size": 9}, 1) == ({"size": 9}, 1)
    assert upgraded("go", {"suicide": "no"}, 1) == ({"suicide": "no"}, 2)
