"""The commands that play games and show results, in real processes."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

KEYS = {
    "id", "game", "parameters", "first", "second", "result", "score_first", "reason", "fault", "turns", "moves",
    "seconds_first", "seconds_second", "seed", "opening", "sandbox",
}  # fmt: skip


def test_play_prints_one_json_object_with_the_documented_keys(arena: Any) -> None:
    ran = arena(
        "play", "agents.basic.random_agent.RandomAgent",
        "agents.search.one_step_search_agent.OneStepSearchAgent", "--json",
    )  # fmt: skip
    assert ran.code == 0
    (game,) = ran.json
    assert game.keys() >= KEYS
    assert game["game"] == "microchess"
    assert game["parameters"] == {"turns": 80}
    assert game["turns"] == len(game["moves"]) > 0
    assert game["result"] in {"1-0", "0-1", "1/2-1/2"}
    assert game["fault"] is None


def test_play_shows_boards_times_and_the_end(arena: Any) -> None:
    ran = arena("play", "first_move", "random", "--turns", "4", "--time", "7", "--seed", "1")
    assert ran.code == 0
    assert ran.out.count("  a b c d") == 5
    assert "turn 1: first_move plays" in ran.out
    assert "random 7.0 s" in ran.out
    assert "reason   turn-limit (material " in ran.out
    assert "turns    4" in ran.out
    assert ran.err == ""


def test_play_is_repeatable_by_its_seed(arena: Any) -> None:
    def moves(seed: str) -> Any:
        return arena("play", "random", "mcts:simulations=5", "--seed", seed, "--json").json[0]["moves"]

    assert moves("a") == moves("a") != moves("b")


def test_play_from_a_position_with_second_to_move(arena: Any) -> None:
    (game,) = arena("play", "random", "random", "--position", "k3/4/4/1R2/3K b - - 0 1", "--json").json
    assert game["moves"][0][:2] == "a5"
    assert game["second"] == "random#2"


def test_play_prints_a_fault_with_its_traceback(arena: Any, faulty: Path) -> None:
    ran = arena("play", f"{faulty}/misbehaving.py:RaisesInAct", "random")
    assert ran.code == 0
    assert (
        "\nRaisesInAct (first) broke the rule 'exception': in its 1st move it raised ValueError: no move for you\n"
        in (ran.out)
    )
    assert "Traceback (most recent call last)" in ran.out
    assert "printed by RaisesInAct (first):\nabout to fail" in ran.out


def test_an_agent_outside_the_repository_plays_and_gets_the_history(arena: Any, faulty: Path) -> None:
    agent = arena.folder / "my_agent.py"
    agent.write_text((faulty / "historian.py").read_text())
    (game,) = arena("play", "my_agent.py", "./my_agent.py", "--json").json
    assert game["fault"] is None
    assert (game["result"], game["reason"], game["turns"]) == ("1/2-1/2", "repetition", 16)


def test_a_league_prints_its_standings_on_stdout_and_its_games_on_stderr(arena: Any) -> None:
    ran = arena("league", "random", "first_move", "one_step_search", "--turns", "10", "--name", "cup")
    assert ran.code == 0
    assert ran.out.startswith("cup: 6 of 6 games\n")
    assert {line.split()[1] for line in ran.out.splitlines()[4:7]} == {"random", "first_move", "one_step_search"}
    assert len(ran.err.splitlines()) == 7
    assert ran.err.startswith("cup: microchess, played with ")
    again = arena("league", "random", "first_move", "one_step_search", "--turns", "10", "--name", "cup")
    assert again.out == ran.out
    assert again.err.endswith("\ncup: 6 of 6 games were already stored\n")


def test_a_league_without_a_name_continues_when_the_command_is_repeated(arena: Any) -> None:
    words = ("league", "random", "first_move", "--turns", "4")
    first, second, other = arena(*words), arena(*words), arena(*words, "--rounds", "2")
    assert "2 of 2 games were already stored" in second.err
    assert first.out == second.out
    assert "stored already" not in other.err


def test_a_league_in_json_is_a_line_for_each_game_and_a_summary(arena: Any) -> None:
    *games, summary = arena("league", "random", "first_move", "--turns", "4", "--json").json
    assert [game.keys() >= KEYS for game in games] == [True, True]
    assert [row["agent"] for row in summary["standings"]]
    assert sum(row["points"] for row in summary["standings"]) == 2.0


def test_leagues_of_several_games(arena: Any) -> None:
    for game in ("chess:turns=8", "othello", "microchess"):
        ran = arena("league", "random", "first_move", "--game", game)
        assert (ran.code, ran.err.count("\n")) == (0, 3)


def test_a_stored_league_is_not_continued_with_different_settings(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    ran = arena("league", "random", "first_move", "--turns", "6", "--name", "cup")
    assert ran.code == 2
    assert ran.err == (
        "arena: league 'cup' is stored with different settings: game was microchess:turns=4, is microchess:turns=6; "
        "choose another name\n"
    )


def test_an_agent_that_faults_does_not_end_a_league(arena: Any, faulty: Path) -> None:
    words = [f"{faulty}/misbehaving.py:{name}" for name in ("Vanishes", "Hangs", "NoMove")]
    *games, summary = arena("league", "random", *words, "--time", "0.3", "--json").json
    assert len(games) == 12
    rows = {row["agent"]: row for row in summary["standings"]}
    assert rows["random"]["points"] == 6.0
    assert sum(row["faults"] for row in rows.values()) == 12
    assert rows["random"]["faults"] == 0


def test_malfunction_loses_every_game_in_which_it_raises(arena: Any) -> None:
    *games, summary = arena("benchmark", "malfunction", "random", "--games", "6", "--json").json
    raised = [game for game in games if game["fault"]]
    assert len(raised) >= 5
    for game in raised:
        loser = game["fault"]["player"]
        assert game[loser] == "malfunction"
        assert game["fault"]["rule"] == "exception"
        assert game["score_first"] == (0.0 if loser == "first" else 1.0)
        shown = json.loads(arena("show", str(game["id"]), "--format", "json").out)
        assert "Traceback" in shown["fault"]["evidence"]["traceback"]
    assert summary["one"] == "malfunction"


def test_a_benchmark_prints_games_on_stderr_and_scores_on_stdout(arena: Any) -> None:
    ran = arena("benchmark", "random", "one_step_search", "--games", "4", "--opening-turns", "2", "--seed", "s")
    games, lines = ran.err.splitlines(), ran.out.splitlines()
    assert ran.code == 0
    assert [line[:5] for line in games] == ["1/4  ", "2/4  ", "3/4  ", "4/4  "]
    assert [line.split()[1:3] for line in games] == [["record", f"{number}:"] for number in range(1, 5)]
    assert sorted(line.split()[3] for line in games) == ["one_step_search"] * 2 + ["random"] * 2
    assert lines[0].startswith("random as first: ")
    score = float(lines[1].split()[1])
    assert lines[1] == f"random: {score:.3f} vs. one_step_search: {1 - score:.3f}"
    assert "4 games, all distinct" in lines[2]
    assert "± " in lines[2]


def test_a_benchmark_counts_distinct_games(arena: Any) -> None:
    ran = arena("benchmark", "first_move", "first_move", "--games", "6")
    assert "6 games, 2 distinct" in ran.out


def test_standings_in_every_format(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    table = arena("standings")
    rows = json.loads(arena("standings", "--league", "cup", "--format", "json").out)
    assert table.out.startswith("cup: 2 games\n")
    assert {row["agent"] for row in rows} == {"random", "first_move"}
    assert rows[0]["rank"] == 1
    read = list(csv.DictReader(io.StringIO(arena("standings", "--format", "csv").out)))
    assert [row["agent"] for row in read] == [row["agent"] for row in rows]
    assert "|" in arena("standings", "--format", "markdown").out
    assert "  x" in arena("standings", "--crosstable").out
    assert arena("standings", "--crosstable", "--format", "csv").code == 2


def test_standings_show_a_league_before_a_later_match(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    arena("play", "random", "first_move", "--turns", "4")
    assert arena("standings").out.startswith("cup:")
    assert arena("standings", "--league", "play-1").out.startswith("play-1:")


def test_show_prints_text_json_and_pgn(arena: Any) -> None:
    arena("play", "random", "first_move", "--turns", "4")
    assert "turn-limit" in arena("show", "1").out
    assert json.loads(arena("show", "1", "--format", "json").out)["move_seconds"]
    assert '[ArenaGame "microchess"]' in arena("show", "1", "--format", "pgn").out
    arena("play", "random", "first_move", "--game", "othello")
    refused = arena("show", "2", "--format", "pgn")
    assert refused.code == 2
    assert "othello" in refused.err


def test_agents_and_games_are_listed(arena: Any) -> None:
    listed = arena("agents").out
    assert "abp_negamax" in listed
    assert "depth=4" in listed
    names = [agent["name"] for agent in json.loads(arena("agents", "--json").out)]
    assert names[:3] == ["human", "malfunction", "first_move"]
    assert "microchess:turns=80" in arena("games").out
    games = json.loads(arena("games", "--json").out)
    assert [game["name"] for game in games] == ["chess", "go", "gomoku", "microchess", "mushroom", "othello"]
    assert games[-1]["first"] == "black"


#: Arguments, exit code, part of the error.
MISTAKES = [
    (["league", "random", "randon"], 2, "unknown agent 'randon'; did you mean 'random'?"),
    (["league", "random"], 2, "a league needs at least two entrants"),
    (["league", "random", "human"], 2, "people play with `arena play`"),
    (["benchmark", "random", "human"], 2, "people play with `arena play`"),
    (["play", "human", "random", "--json"], 2, "a person needs to see the board"),
    (["play", "random", "random", "--game", "checkers"], 2, "no game called 'checkers'; there are chess, go, gomoku"),
    (["play", "random", "random", "--game", "microchess:size=3"], 2, "size"),
    (["play", "random", "random", "--game", "othello", "--turns", "4"], 2, "othello has no turn limit"),
    (["play", "random", "random", "--position", "nonsense"], 2, "a position has six fields"),
    (["play", "random", "random", "--position", "k3/4/4/4/3K w - - 0 1"], 2, "the game is over"),
    (["play", "random", "random", "--time", "0"], 2, "--time"),
    (["play", "random", "abp_negamax:dpeth=3"], 2, "dpeth"),
    (["play", "random", "random", "--openings", "nowhere.txt"], 2, "nowhere.txt"),
    (["standings"], 1, "arena.db"),
    (["show", "1"], 1, "arena.db"),
    (["show", "zero"], 2, "zero"),
    (["lege"], 2, "lege"),
    (["league", "random", "greedy", "--db", "/proc/nowhere/arena.db"], 1, "/proc/nowhere"),
]


@pytest.mark.parametrize(("words", "code", "message"), MISTAKES)
def test_an_error_is_one_line_with_an_exit_code(arena: Any, words: list[str], code: int, message: str) -> None:
    ran = arena(*words)
    assert ran.code == code
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    if ran.err.startswith("arena: "):
        assert ran.err.count("\n") == 1


def test_a_file_that_is_not_a_database_is_not_changed(arena: Any) -> None:
    foreign = arena.folder / "notes.txt"
    foreign.write_text("my notes\n" * 1000)
    ran = arena("league", "random", "greedy", "--db", "notes.txt")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "notes.txt" in ran.err
    assert foreign.read_text() == "my notes\n" * 1000


def test_unknown_records_and_leagues_are_errors(arena: Any) -> None:
    arena("play", "random", "first_move", "--turns", "4")
    assert arena("show", "9").err == "arena: no record 9; there are 1 to 1\n"
    assert "no league called 'x'" in arena("standings", "--league", "x").err


def test_a_failure_of_ours_makes_a_game_void_with_exit_code_1(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = arena.folder / "broken_game.py"
    broken.write_text(
        "import sys\n"
        "from games.microchess import game as real\n"
        "class Broken:\n"
        "    def __init__(self): self._game = real()\n"
        "    def __getattr__(self, name): return getattr(self._game, name)\n"
        "    def position(self, text):\n"
        "        if 'click' in sys.modules: raise RuntimeError('our bug')  # only in the referee\n"
        "        return self._game.position(text)\n"
        "    name = 'pkg.broken_game'\n"
        "def game(**parameters): return Broken()\n"
    )
    package = arena.folder / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    broken.rename(package / "broken_game.py")
    monkeypatch.setenv("PYTHONPATH", str(arena.folder))
    ran = arena("play", "random", "random", "--game", "pkg.broken_game", "--json")
    assert ran.code == 1
    assert ran.json[0]["result"] == "void"
    assert ran.err.count("our bug") == 3
    assert "Traceback" not in ran.err
    assert "Traceback" in arena("-v", "play", "random", "random", "--game", "pkg.broken_game").err


def test_python_rules_mean_searches_in_python_too(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_KERNEL", "python")
    late = "XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOOOXXXOOOOOX-XO-XXX X"
    arena("play", "uct:simulations=5", "random", "--game", "othello", "--position", late)
    (game,) = json.loads(arena("export", "--format", "json").out)
    assert game["rules"] == "python"
    assert "searches in Python" in game["output_first"]
