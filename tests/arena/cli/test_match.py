"""`arena match`: games until a sequential test decides."""

import subprocess
from typing import Any

import pytest

#: Few and short games decide a test with a wide range.
QUICK = ("--opening-turns", "4", "--turns", "30", "--name", "m")


def test_a_match_ends_when_the_test_decides(arena: Any) -> None:
    ran = arena("match", "greedy", "first_move", "--sprt", "0", "200", *QUICK)
    *_, verdict = ran.out.splitlines()
    assert ran.code == 0
    assert verdict.startswith("Decided: greedy is closer to 200 Elo stronger than to 0 Elo (LLR ")
    assert verdict.endswith(", limits ±2.94; logistic Elo 0 and 200)")
    assert "greedy as first: " in ran.out
    played = ran.err.count("/20000  ")
    assert 2 <= played < 200


def test_a_weaker_agent_is_rejected_also_with_negative_elo(arena: Any) -> None:
    ran = arena("match", "first_move", "greedy", "--sprt", "-100", "100", "--model", "normalized", *QUICK)
    assert ran.code == 0
    verdict = ran.out.splitlines()[-1]
    assert verdict.startswith("Decided: first_move is closer to 100 Elo weaker than to 100 Elo stronger (LLR ")
    assert verdict.endswith("; normalized Elo -100 and 100)")


def test_json_is_a_line_for_each_game_and_a_summary_with_the_test(arena: Any) -> None:
    *games, summary = arena("match", "greedy", "first_move", "--sprt", "0", "200", *QUICK, "--json").json
    assert {game["first"] for game in games} == {"greedy", "first_move"}
    assert (summary["league"], summary["one"], summary["two"]) == ("m", "greedy", "first_move")
    test = summary["sprt"]
    assert (test["elo0"], test["elo1"], test["alpha"], test["model"]) == (0.0, 200.0, 0.05, "logistic")
    assert test["verdict"] == "H1"
    assert test["llr"] >= test["upper"] > 0 > test["lower"]


def test_a_decided_match_plays_no_more_games(arena: Any) -> None:
    words = ("match", "greedy", "first_move", "--sprt", "0", "200", *QUICK)
    first, again = arena(*words), arena(*words)
    assert again.code == 0
    assert "games were already stored" in again.err
    assert "/20000  " not in again.err
    assert again.out == first.out


def test_a_match_of_few_games_stays_undecided(arena: Any) -> None:
    ran = arena("match", "random", "first_move", "--sprt", "0", "5", "--games", "4", *QUICK)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("Undecided after 4 games (LLR ")
    assert [line[:5] for line in ran.err.splitlines()] == ["1/4  ", "2/4  ", "3/4  ", "4/4  "]


def test_a_match_prints_the_name_under_which_it_is_stored(arena: Any) -> None:
    ran = arena("match", "random", "first_move", "--sprt", "0", "5", "--games", "2", "--turns", "4")
    assert ran.out.splitlines()[0] == "stored as match-1"
    assert arena("standings", "--league", "match-1").code == 0


def test_a_match_can_be_continued_with_a_larger_number_of_games(arena: Any) -> None:
    words = ("match", "random", "first_move", "--sprt", "0", "5", *QUICK)
    arena(*words, "--games", "4")
    more = arena(*words, "--games", "7")
    assert more.code == 0
    stored, *games = more.err.splitlines()
    assert stored == "m: 4 of 7 games were already stored"
    assert [line[:5] for line in games] == ["5/7  ", "6/7  ", "7/7  "]
    assert more.out.splitlines()[-1].startswith("Undecided after 7 games (LLR ")
    fewer = arena(*words, "--games", "2")
    assert fewer.code == 0
    assert fewer.out.startswith("stored as m\n")  # and nothing more is played
    assert fewer.out.splitlines()[-1].startswith("Undecided after 7 games (LLR ")


def test_games_that_repeat_each_other_are_reported_with_exit_code_1(arena: Any) -> None:
    ran = arena("match", "first_move", "greedy", "--sprt", "-1", "1", "--turns", "6", "--name", "m")
    assert ran.code == 1
    assert ran.err.splitlines()[-1] == (
        "Error: the games repeat each other and decide nothing; try --opening-turns 4"
    )  # fmt: skip
    assert "distinct" in ran.out


def test_an_interrupted_match_prints_how_to_continue(arena: Any) -> None:
    process = arena.start("match", "random", "random", "--sprt", "0", "1", "--turns", "10", "--opening-turns", "2")
    process.stderr.readline()
    process.send_signal(subprocess.signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "of 20000 games are stored; the same command with --name match-1 continues\n" in err


#: Arguments of `arena match`, exit code, start of the error.
TWO = ("random", "first_move")
MISTAKES = [
    (TWO, 2, "Error: Missing option '--sprt'."),
    ((*TWO, "--sprt", "0"), 2, "Error: Option '--sprt' requires 2 arguments."),
    ((*TWO, "--sprt", "5", "5"), 2, "arena: elo0 must be below elo1, both within ±1000, not 5 and 5"),
    ((*TWO, "--sprt", "5", "-5"), 2, "arena: elo0 must be below elo1, both within ±1000, not 5 and -5"),
    ((*TWO, "--sprt", "nan", "5"), 2, "arena: elo0 must be below elo1, both within ±1000, not nan and 5"),
    ((*TWO, "--sprt", "0", "9999"), 2, "arena: elo0 must be below elo1, both within ±1000, not 0 and 9999"),
    ((*TWO, "--sprt", "0", "five"), 2, "Error: Invalid value for '--sprt': 'five' is not a valid float."),
    ((*TWO, "--sprt", "0", "5", "--alpha", "0.7"), 2, "arena: alpha and beta must lie between 0 and 0.5, not 0.7"),
    ((*TWO, "--sprt", "0", "5", "--alpha", "nan"), 2, "arena: alpha and beta must lie between 0 and 0.5, not nan"),
    ((*TWO, "--sprt", "0", "5", "--beta", "0"), 2, "arena: alpha and beta must lie between 0 and 0.5, not 0.05 and 0"),
    ((*TWO, "--sprt", "0", "5", "--model", "bayes"), 2, "Error: Invalid value for '--model': 'bayes' is not one of"),
    ((*TWO, "--sprt", "0", "5", "--games", "1"), 2, "Error: Invalid value for '--games': 1 is not in the range"),
    ((*TWO, "--sprt", "0", "5", "--workers", "99"), 2, "arena: 99 workers on "),
    ((*TWO, "--sprt", "0", "5", "--db", "none/a.db"), 1, "arena: no folder none; make it first or use another file"),
    (("random", "--sprt", "0", "5"), 2, "Error: Missing argument 'B'."),
    (("random", "human", "--sprt", "0", "5"), 2, "arena: people play with `arena play`, not in a match"),
    (("random", "randon", "--sprt", "0", "5"), 2, "arena: unknown agent 'randon'; did you mean 'random'?"),
]


@pytest.mark.parametrize(("words", "code", "line"), MISTAKES)
def test_an_error_is_one_line(arena: Any, words: tuple[str, ...], code: int, line: str) -> None:
    ran = arena("match", *words)
    assert ran.error.startswith(line)
    assert ran.code == code


def test_a_different_test_under_the_same_name_is_refused(arena: Any) -> None:
    words = ("match", "random", "first_move", "--games", "2", *QUICK)
    assert arena(*words, "--sprt", "0", "5").code == 0
    ran = arena(*words, "--sprt", "0", "6")
    assert ran.error.startswith("arena: league 'm' is stored with different settings: sprt was 0 5 (")
    assert ran.code == 2
    ran = arena("league", "random", "first_move", "--name", "m")
    assert ran.error.startswith("arena: league 'm' is stored with different settings: it is a benchmark; ")
