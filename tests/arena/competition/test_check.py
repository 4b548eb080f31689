"""What a check finds."""

import json
from pathlib import Path
from typing import Any

import pytest

AGENT = """
from agents import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        {line}
        return state.legal_moves[0]
"""

#: A line of an agent, and the rule by which it fails its check.
BREACHES = [
    ("raise ValueError('no')", "exception"),
    ("return None", "illegal-move"),
    ("__import__('os')._exit(3)", "exit"),
    ("__import__('socket').socket()", "network"),
    ("__import__('os').fork()", "process"),
    ("__import__('os').kill(__import__('os').getppid(), 0)", "tamper"),
    ("bytearray(64 << 30)", "memory"),
    ("open('/tmp/marker', 'w')", "file"),
]


def write(arena: Any, line: str, *, name: str = "mine.py") -> str:
    (arena.folder / name).write_text(AGENT.format(line=line))
    return f"./{name}"


@pytest.mark.parametrize(("line", "rule"), BREACHES)
def test_a_broken_rule_fails_the_check(arena: Any, line: str, rule: str) -> None:
    ran = arena("check", write(arena, line), "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["passed"]) == (1, False)
    assert [game["fault"]["rule"] for game in report["games"]] == [rule]
    assert [game["fault"]["player"] for game in report["games"]] == ["first"]
    assert f"`{rule}`" in report["why_not"]


def test_an_honest_agent_passes_and_nothing_is_kept(arena: Any) -> None:
    ran = arena("check", write(arena, "print('hello')"))
    assert (ran.code, ran.err) == (0, "")
    assert "verdict    passed" in ran.out
    assert "game       against itself: " in ran.out
    assert "game       against random, as second: " in ran.out
    assert "refused    nothing" in ran.out
    assert not (arena.folder / "home" / "submissions.db").exists()
    assert not (arena.folder / "arena.db").exists()


@pytest.mark.parametrize(
    "agent",
    ["random", "abp_negamax:depth=1", "agents.basic.random_agent.RandomAgent", "mine.Mine", "./folder/", "folder"],
)
def test_whatever_can_be_named_can_be_checked(arena: Any, agent: str) -> None:
    write(arena, "pass")
    (arena.folder / "folder").mkdir()
    write(arena, "pass", name="folder/agent.py")
    report = json.loads(arena("check", agent, "--json").out)
    assert report["passed"], report["why_not"]
    assert 0 < report["startup_seconds"] < 30
    assert [game["against"] for game in report["games"]] == ["itself", "random"]
    assert len(report["hash"]) == 64


def test_a_submitted_agent_is_checked_again_by_its_name(arena: Any) -> None:
    write(arena, "pass")
    arena("submit", "mine.py", "--name", "my_bot")
    assert json.loads(arena("check", "my_bot", "--json").out)["agent"] == "my_bot"


def test_calls_that_are_refused_without_penalty_are_printed(arena: Any) -> None:
    line = "\n        ".join(["try:", "    open('/etc/nsswitch.conf')", "except OSError:", "    pass"])
    ran = arena("check", write(arena, line))
    assert ran.code == 0
    assert ran.out.count("refused    open /etc/nsswitch.conf for reading (not a fault)\n") == 1


def test_a_fault_in_close_is_noted_and_costs_nothing(arena: Any, faulty: Path) -> None:
    ran = arena("check", f"{faulty}/misbehaving.py:RaisesInClose")
    assert ran.code == 0
    assert ran.out.count("noted      after the game, rule 'exception': ValueError: no close for you") == 3


def test_what_does_not_start_says_so_with_its_traceback(arena: Any, faulty: Path) -> None:
    ran = arena("check", str(faulty / "raises_on_import.py"))
    assert ran.code == 1
    assert "start-up   never ready" in ran.out
    assert "while starting" in ran.out
    assert "Traceback (most recent call last)" in ran.out


def test_a_slow_agent_is_not_waited_for_twice(arena: Any, faulty: Path) -> None:
    report = json.loads(arena("check", f"{faulty}/misbehaving.py:Hangs", "--time", "0.3", "--json").out)
    assert [game["fault"]["rule"] for game in report["games"]] == ["time"]
    assert "it used up its 0.3 s in its 1st move, at misbehaving.py:" in report["why_not"]


def test_the_game_is_chosen_and_its_own_turn_limit_kept(arena: Any) -> None:
    def game(name: str) -> Any:
        return json.loads(arena("check", "random", "--game", name, "--json").out)["game"]

    assert game("othello") == "othello"
    assert game("microchess") == "microchess:turns=80"
    assert game("microchess:turns=4") == "microchess:turns=4"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["human"], "a person cannot be checked"),
        (["nobody"], "unknown agent 'nobody'"),
        ([], "name an agent, or several; or a folder of them with --all"),
        (["--all", "nowhere"], "there is no folder 'nowhere'"),
        (["random", "--time", "0"], "--time"),
        (["random", "--game", "checkers"], "no game called"),
    ],
)
def test_a_mistake_gets_clear_words_and_exit_2(arena: Any, words: list[str], says: str) -> None:
    ran = arena("check", *words)
    assert ran.code == 2
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_check_and_submit_take_the_same_words(arena: Any) -> None:
    (arena.folder / "class" / "folder").mkdir(parents=True)
    for name, line in {"a.py": "pass", "b.py": "return None", "folder/agent.py": "pass"}.items():
        (arena.folder / "class" / name).write_text(AGENT.format(line=line))
    words = ["--game", "microchess:turns=4", "--time", "20"]
    for named in (["class/a.py"], ["./class/a.py:Mine"], ["class/folder"], ["class/folder/"]):
        assert [arena(command, *named, *words).code for command in ("check", "submit")] == [0, 0], named
    for named in (["class/a.py", "class/b.py", "class/folder"], ["--all", "class"]):
        checked, submitted = (arena(command, *named, *words) for command in ("check", "submit"))
        assert checked.code == submitted.code == 1
        why = "failed: it breaks the rule `illegal-move`: it answered 'None' in its 1st move"
        for ran in (checked, submitted):
            assert [line.split()[0] for line in ran.out.splitlines()[2:5]] == ["a", "b", "folder"]
            assert why in ran.out
        assert checked.out.endswith("2 of 3 passed\n")
        assert submitted.out.endswith("2 of 3 submitted\n")


def test_several_checks_are_one_list_of_json(arena: Any) -> None:
    ran = arena("check", "random", "nobody", "human", "--game", "microchess:turns=2", "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert [(one["name"], one["passed"]) for one in found] == [("random", True), ("nobody", False), ("human", False)]
    assert found[1]["why_not"].startswith("unknown agent 'nobody'")
    assert found[2]["why_not"] == "a person cannot be checked"
