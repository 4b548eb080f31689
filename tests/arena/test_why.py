"""Faults in words."""

import ast
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.seat import RULES, Answer, Fault
from arena.competition.explanation import REASONS, explain, length, what_happened
from arena.referee.clock import Clock
from arena.referee.referee import Job, play
from arena.referee.scripted_player import ScriptedPlayer
from results.record import FaultRecord, GameRecord, MoveRecord

SPY = """
from agents import BaseAgent

class Spy(BaseAgent):
    turns = 0

    def act(self, state):
        self.turns += 1
        print("move", self.turns)
        if self.turns == 3:
            open("/etc/passwd")
        return state.legal_moves[0]
"""


@pytest.fixture
def faulted(job: Callable[..., Job]) -> Callable[..., GameRecord]:
    """A game that second lost by this rule and detail after so many turns: three, unless told."""

    def make(rule: str, detail: str, *, turns: int = 3, evidence: dict[str, str] | None = None) -> GameRecord:
        record = game_of(job, [Fault("exit")])
        moves = (MoveRecord("a1a2"),) * turns
        return replace(record, id=17, moves=moves, fault=FaultRecord("second", rule, detail, evidence or {}))

    return make


def game_of(job: Callable[..., Job], script: list[str | Answer | Exception], **changes: Any) -> GameRecord:
    return play(job(**changes), {"first": ScriptedPlayer(script), "second": ScriptedPlayer()}, Clock(10.0))


def test_a_forbidden_file_is_explained_with_its_move_and_evidence(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(SPY)
    arena("play", "my_bot.py", "random", "--seed", "1", "--json")
    ran = arena("why", "1")
    assert ran.code == 0
    assert ran.out.startswith(
        "my_bot lost record 1 by breaking the rule `file`: it tried to open /etc/passwd for reading in its 3rd move.\n"
    )
    assert f"The rule `file` is broken by a player that {RULES['file']}" in ran.out
    assert "CPU time of its process:" in ran.out
    assert "Peak memory:" in ran.out
    assert "What it printed last:\n  move 1\n  move 2\n  move 3\n" in ran.out


def test_the_same_in_json(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(SPY)
    arena("play", "random", "my_bot.py", "--opening-turns", "2", "--seed", "1", "--json")
    told = json.loads(arena("why", "1", "--json").out)
    fault = told["fault"]
    assert (fault["player"], fault["agent"], fault["rule"], fault["phase"]) == ("second", "my_bot", "file", "move")
    assert (fault["move"], fault["turn"]) == (3, 8)
    assert fault["evidence"].keys() >= {"stderr", "cpu", "wall", "peak_memory", "exit"}
    assert told["summary"].endswith("in its 3rd move.")


def test_a_traceback_and_refused_calls_are_shown(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(
        SPY.replace('open("/etc/passwd")', "raise ValueError('no idea')").replace(
            'print("move", self.turns)',
            "\n        try:\n            open('/etc/nsswitch.conf')\n        except OSError:\n            pass",
        )
    )
    arena("play", "my_bot.py", "random", "--seed", "1", "--json")
    told = arena("why", "1").out
    assert "it raised ValueError: no idea in its 3rd move." in told
    assert "Traceback:\n  Traceback (most recent call last):" in told
    assert "Refused before that, without a penalty:\n  open /etc/nsswitch.conf for reading\n" in told


def test_a_game_without_fault_is_told_as_it_ended(arena: Any) -> None:
    arena("play", "random", "first_move", "--turns", "4", "--seed", "1", "--json")
    told = arena("why", "1").out
    assert told.startswith("Nobody broke a rule in record 1: ")
    assert "because the turn limit was reached (material " in told
    assert told.endswith(" after 4 turns.\n")
    assert json.loads(arena("why", "1", "--json").out)["fault"] is None


def test_a_fault_in_close_is_a_note(arena: Any, faulty: Path) -> None:
    arena("play", f"{faulty}/misbehaving.py:RaisesInClose", "random", "--turns", "4", "--json")
    told = arena("why", "1").out
    assert told.startswith("Nobody broke a rule")
    assert "Noted, without a penalty: RaisesInClose broke 'exception' (ValueError" in told


@pytest.mark.parametrize(("words", "code"), [(["1"], 1), (["zero"], 2), (["0"], 2), ([], 2)])
def test_a_mistake_gets_clear_words(arena: Any, words: list[str], code: int) -> None:
    ran = arena("why", *words)
    assert (ran.code, ran.out) == (code, "")
    assert "Traceback" not in ran.err


def test_a_game_that_does_not_count_is_told_as_such(arena: Any, faulty: Path) -> None:
    arena("play", f"{faulty}/misbehaving.py:RaisesInAct", "random", "--json")
    assert json.loads(arena("why", "1", "--json").out)["excluded"] is None
    arena("exclude", "1", "--because", "the machine was overloaded")
    told = arena("why", "1").out.splitlines()
    assert told[2] == "The game does not count, it is excluded: the machine was overloaded"
    assert json.loads(arena("why", "1", "--json").out)["excluded"] == "the machine was overloaded"


def test_the_reason_of_an_exclusion_is_made_visible(job: Callable[..., Job]) -> None:
    assert explain(game_of(job, []), excluded="\x1b[31m").excluded == r"\x1b[31m"


def test_one_turn_is_no_turns(job: Callable[..., Job]) -> None:
    record = game_of(job, [])
    assert length(record) == f"{record.turns} turns"
    short = replace(record, moves=record.moves[:1])
    assert explain(short).summary.endswith(" after 1 turn.")


def test_an_unknown_record_is_named(arena: Any) -> None:
    arena("play", "random", "first_move", "--turns", "4", "--seed", "1", "--json")
    assert arena("why", "9").err == "arena: no record 9; there are 1 to 1\n"


#: Rule, detail as it is stored, what is said of it.
SENTENCES = [
    ("time", "no answer from act in time", "it used up its 10 s in its 2nd move"),
    ("time", "used up its 10 s", "it used up its 10 s in its 2nd move"),
    ("startup", "no answer from load in time", "it took too long to start (import, constructor and reset together)"),
    ("exception", "ValueError: x (in act)", "it raised ValueError: x in its 2nd move"),
    ("exception", "ValueError: x (in load)", "it raised ValueError: x while starting"),
    ("exception", "ValueError: (in load) (in act)", "it raised ValueError: (in load) in its 2nd move"),
    ("exception", "ValueError: x (in reset)", "it raised ValueError: x while starting"),
    ("exception", "agents.child.NoAgent: x has no class B (in load)", "there is no agent to start: x has no class B"),
    ("exit", "its process ended in act: exit status 7", "its process ended in its 2nd move (exit status 7)"),
    ("exit", "its process ended in reset: signal SIGKILL", "its process ended while starting (it was killed)"),
    ("exit", "its process ended in act: closed its connection",
     "its process ended in its 2nd move (closed its connection)"),
    ("protocol", "sent a message without being asked (in act)",
     "it sent a message without being asked in its 2nd move"),
    ("protocol", "answered reset with the wrong kind of message",
     "it answered reset with the wrong kind of message while starting"),
    ("pondering", "used 30 ms of CPU while it was the opponent's turn (in act)",
     "it used 30 ms of CPU while it was the opponent's turn, before its 2nd move"),
    ("file", "tried to open /etc/passwd for reading (in load)",
     "it tried to open /etc/passwd for reading while starting"),
    ("network", "called socket(2, 1, 0) (in act)", "it called socket(2, 1, 0) in its 2nd move"),
    ("process", "called fork() (in act)", "it called fork() in its 2nd move"),
    ("threads", "started more than 8 threads (in act)", "it started more than 8 threads in its 2nd move"),
    ("tamper", "called kill(1, 9, 0) (in act)", "it called kill(1, 9, 0) in its 2nd move"),
    ("memory", "MemoryError (in act)", "it asked for more memory than it was given in its 2nd move"),
    ("illegal-move", "'a1a1': 'a1a1' is not a legal move in 8/8 w - - 0 1",
     "it answered 'a1a1' in its 2nd move, which is not a legal move in 8/8 w - - 0 1"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "detail", "says"), SENTENCES)
def test_every_fault_becomes_a_sentence(faulted: Callable[..., GameRecord], rule: str, detail: str, says: str) -> None:
    record = faulted(rule, detail)
    assert what_happened(record) == says
    told = explain(record)
    assert told.summary == f"two lost record 17 by breaking the rule `{rule}`: {says}."
    assert told.text().splitlines()[0] == told.summary


def test_no_rule_is_left_without_words() -> None:
    assert {rule for rule, _, _ in SENTENCES} == RULES.keys()


def test_moves_of_the_opening_are_not_the_players_own(job: Callable[..., Job]) -> None:
    state = job().game.start()
    opening = []
    for _ in range(3):
        opening.append(str(state.legal_moves[0]))
        state = state.forward(state.legal_moves[0])
    record = game_of(job, [Fault("exception", "x (in act)")], opening=tuple(opening))
    assert explain(record).move == 1
    assert explain(record).turn == 5


def test_moves_are_counted_from_a_position_where_second_moves_first(job: Callable[..., Job]) -> None:
    record = game_of(job, [Fault("exception", "x (in act)")], start="k3/4/4/1R2/3K b - - 0 1")
    assert (explain(record).move, explain(record).turn) == (1, 2)


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
)
def test_moves_are_counted_as_people_count(faulted: Callable[..., GameRecord], number: int, word: str) -> None:
    record = faulted("exception", "ValueError (in act)", turns=2 * number - 1)
    assert what_happened(record) == f"it raised ValueError in its {word} move"


def test_every_reason_of_the_games_has_words() -> None:
    folder = Path(__file__).parent.parent.parent / "games"
    named = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "_decided":
                named |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "quiet_reason":
                assert isinstance(node.value, ast.Constant)
                named.add(node.value.value)
    assert len(named) >= 6
    assert named <= REASONS.keys()


def test_an_ending_of_a_game_from_outside_keeps_its_own_word(job: Callable[..., Job]) -> None:
    record = replace(game_of(job, []), reason="resignation", detail="", id=3)
    assert "(resignation) after " in explain(record).summary


def test_evidence_that_is_no_number_is_not_shown_as_one(faulted: Callable[..., GameRecord]) -> None:
    told = explain(faulted("time", "no answer from act in time", evidence={"cpu": "nan", "peak_memory": "²"}))
    assert "CPU" not in told.text()
    assert "Peak" not in told.text()
