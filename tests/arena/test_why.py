"""Explanations of how games ended."""

import ast
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.seat import RULES, Answer, Fault
from arena.competition.explanation import REASONS, explain, length, what_happened
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from results.record import FaultRecord, GameRecord, MoveRecord, Phase

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
    """A game that second lost by this fault after three turns, or another number of them."""

    def make(
        rule: str, detail: str, *, phase: Phase = "act", turns: int = 3, evidence: dict[str, str] | None = None
    ) -> GameRecord:
        record = game_of(job, [Fault("exit")])
        turn = turns + 1 if phase == "act" else None
        fault = FaultRecord("second", rule, detail, evidence or {}, phase, turn)
        return replace(record, id=17, moves=(MoveRecord("a1a2"),) * turns, fault=fault)

    return make


def game_of(job: Callable[..., Job], script: list[str | Answer | Exception], **changes: Any) -> GameRecord:
    return play(job(**changes), {"first": ScriptedPlayer(script), "second": ScriptedPlayer()}, Clock(10.0))


def test_a_forbidden_file_is_explained_with_its_move_and_evidence(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(SPY)
    arena("play", "my_bot.py", "random", "--seed", "1", "--json")
    ran = arena("why", "1")
    assert ran.code == 0
    assert ran.out.startswith(
        "my_bot lost record 1 by breaking the rule `file`: it tried to open /etc/passwd for reading in its 3rd move; "
        "it may read only the files of its own folder, as in open('weights.bin').\n"
    )
    assert f"The rule `file` is broken by a player that {RULES['file']}" in ran.out
    assert "CPU time of its process:" in ran.out
    assert "Peak memory:" in ran.out
    assert "What it printed last:\n  move 1\n  move 2\n  move 3\n" in ran.out


def test_json_has_the_same_facts(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(SPY)
    arena("play", "random", "my_bot.py", "--opening-turns", "2", "--seed", "1", "--json")
    told = json.loads(arena("why", "1", "--json").out)
    fault = told["fault"]
    assert (fault["player"], fault["agent"], fault["rule"], fault["phase"]) == ("second", "my_bot", "file", "move")
    assert (fault["move"], fault["turn"]) == (3, 8)
    assert fault["evidence"].keys() >= {"stderr", "cpu", "wall", "peak_memory", "exit"}
    assert "in its 3rd move; it may read only the files of its own folder" in told["summary"]


def test_a_traceback_and_refused_calls_are_shown(arena: Any) -> None:
    (arena.folder / "my_bot.py").write_text(
        SPY.replace('open("/etc/passwd")', "raise ValueError('no idea')").replace(
            'print("move", self.turns)',
            "\n        try:\n            open('/etc/nsswitch.conf')\n        except OSError:\n            pass",
        )
    )
    # A seed of 20 characters repeats the random numbers of all players, so the game lasts until the 3rd move.
    arena("play", "my_bot.py", "random", "--seed", "1" * 20, "--json")
    told = arena("why", "1").out
    assert "in its 3rd move it raised ValueError: no idea." in told
    assert "Traceback:\n  Traceback (most recent call last):" in told
    assert "Refused before that, without a penalty:\n  open /etc/nsswitch.conf for reading\n" in told


def test_a_game_without_fault_is_explained_by_its_ending(arena: Any) -> None:
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
def test_a_usage_error_is_reported_without_a_traceback(arena: Any, words: list[str], code: int) -> None:
    ran = arena("why", *words)
    assert (ran.code, ran.out) == (code, "")
    assert "Traceback" not in ran.err


def test_an_excluded_game_is_explained_as_excluded(arena: Any, faulty: Path) -> None:
    arena("play", f"{faulty}/misbehaving.py:RaisesInAct", "random", "--json")
    assert json.loads(arena("why", "1", "--json").out)["excluded"] is None
    arena("exclude", "1", "--because", "the machine was overloaded")
    told = arena("why", "1").out.splitlines()
    assert told[2] == "The game does not count; it is excluded: the machine was overloaded"
    assert json.loads(arena("why", "1", "--json").out)["excluded"] == "the machine was overloaded"


def test_control_characters_in_the_reason_of_an_exclusion_are_escaped(job: Callable[..., Job]) -> None:
    assert explain(game_of(job, []), excluded="\x1b[31m").excluded == r"\x1b[31m"


def test_a_single_turn_is_written_in_the_singular(job: Callable[..., Job]) -> None:
    record = game_of(job, [])
    assert length(record) == f"{record.turns} turns"
    short = replace(record, moves=record.moves[:1])
    assert explain(short).summary.endswith(" after 1 turn.")


def test_an_unknown_record_is_an_error_that_names_the_known_ones(arena: Any) -> None:
    arena("play", "random", "first_move", "--turns", "4", "--seed", "1", "--json")
    assert arena("why", "9").err == "arena: no record 9; there are 1 to 1\n"


#: Rule, phase, detail, what the explanation says.
SENTENCES: list[tuple[str, Phase, str, str]] = [
    ("time", "act", "no answer in time", "it used up its 10 s in its 2nd move"),
    ("time", "act", "used up its 10 s", "it used up its 10 s in its 2nd move"),
    ("startup", "load", "no answer in time", "it took too long to start (import, constructor and reset together)"),
    ("exception", "act", "ValueError: x", "in its 2nd move it raised ValueError: x"),
    ("exception", "load", "ValueError: x", "while starting it raised ValueError: x"),
    ("exception", "act", "ValueError: (in load)", "in its 2nd move it raised ValueError: (in load)"),
    ("exception", "reset", "ValueError: x", "while starting it raised ValueError: x"),
    ("exit", "act", "exit status 7", "its process ended in its 2nd move (exit status 7)"),
    ("exit", "reset", "signal SIGKILL", "its process ended while starting (it was killed)"),
    ("exit", "act", "closed its connection", "its process ended in its 2nd move (closed its connection)"),
    ("protocol", "act", "sent a message without a request",
     "it sent a message without a request in its 2nd move"),
    ("protocol", "reset", "answered with the wrong kind of message",
     "it answered with the wrong kind of message while starting"),
    ("pondering", "act", "used 30 ms of CPU during the opponent's turn",
     "it used 30 ms of CPU during the opponent's turn, before its 2nd move"),
    ("pondering", "load", "could not be stopped after its answer",
     "it could not be stopped after its answer while starting"),
    ("file", "load", "tried to open /etc/passwd for reading",
     "it tried to open /etc/passwd for reading while starting; it may read only the files of its own folder, as in "
     "open('weights.bin')"),
    ("network", "act", "called socket(2, 1, 0)", "it called socket(2, 1, 0) in its 2nd move"),
    ("process", "act", "called fork()", "it called fork() in its 2nd move"),
    ("threads", "act", "started more than 8 threads", "it started more than 8 threads in its 2nd move"),
    ("tamper", "act", "called kill(1, 9, 0)", "it called kill(1, 9, 0) in its 2nd move"),
    ("memory", "act", "MemoryError", "it asked for more memory than it was given in its 2nd move"),
    ("illegal-move", "act", "'a1a1': 'a1a1' is not a legal move in 8/8",  # as earlier versions stored it
     "its answer in its 2nd move was not a legal move ('a1a1': 'a1a1' is not a legal move in 8/8)"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "phase", "detail", "says"), SENTENCES)
def test_every_fault_becomes_a_sentence(
    faulted: Callable[..., GameRecord], rule: str, phase: Phase, detail: str, says: str
) -> None:
    record = faulted(rule, detail, phase=phase)
    assert what_happened(record) == says
    told = explain(record)
    assert told.summary == f"two lost record 17 by breaking the rule `{rule}`: {says}."
    assert told.text().splitlines()[0] == told.summary


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        ({"answer": "a1a1", "position": "8/8 w"}, "in 8/8 w"),
        ({"answer": "a1a1"}, "(the detail)"),
        ({"answer": "a1a1", "reason": "Not fit"}, "(Not fit)"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_explained_by_its_answer_and_position(
    faulted: Callable[..., GameRecord], evidence: dict[str, str], reason: str
) -> None:
    says = what_happened(faulted("illegal-move", "the detail", evidence=evidence))
    assert says == f"it answered 'a1a1' in its 2nd move, which is not a legal move {reason}"


def test_a_line_that_is_not_a_move_is_quoted_with_what_was_expected(faulted: Callable[..., GameRecord]) -> None:
    evidence = {"answer": "number of valid moves : 62", "expected": "a move of four numbers, r1 c1 r2 c2",
                "reason": "Parse failed"}  # fmt: skip
    assert what_happened(faulted("illegal-move", "'number of valid moves : 62': Parse failed", evidence=evidence)) == (
        "it answered 'number of valid moves : 62' in its 2nd move, where a move of four numbers, r1 c1 r2 c2, was "
        "expected (Parse failed)"
    )


CHATTY = """
import sys

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TIME"):
        print("number of valid moves : 62", flush=True)
        print("-1 -1 -1 -1", flush=True)
"""


def test_why_quotes_the_line_of_a_mushroom_program_and_says_what_was_expected(arena: Any) -> None:
    (arena.folder / "chatty.py").write_text(CHATTY)
    arena("play", 'nypc:command="/usr/bin/python3 chatty.py"', "random", "--game", "mushroom", "--json")
    assert arena("why", "1").out.splitlines()[0] == (
        "chatty lost record 1 by breaking the rule `illegal-move`: it answered 'number of valid moves : 62' in its 1st "
        "move, where a move of four numbers, r1 c1 r2 c2, was expected (Parse failed)."
    )


def test_an_engine_that_refuses_a_legal_move_plays_by_other_rules(faulted: Callable[..., GameRecord]) -> None:
    detail = "refused the move C3 with 'illegal move', although it is legal in go:size=5"
    told = what_happened(faulted("protocol", detail, evidence={"refused": "C3"}))
    assert told == f"in its 2nd move it {detail}: it plays by other rules"


def test_an_agent_that_was_not_found_is_explained_as_such(faulted: Callable[..., GameRecord]) -> None:
    record = faulted("exception", "x.py has no class B", phase="load", evidence={"no_agent": "x.py has no class B"})
    assert what_happened(record) == "there is no agent to start: x.py has no class B"


def test_a_fault_without_its_turn_is_explained_by_the_turns_that_were_played(
    faulted: Callable[..., GameRecord],
) -> None:
    record = faulted("exception", "ValueError")
    assert record.fault is not None
    record = replace(record, fault=replace(record.fault, turn=None))
    assert what_happened(record) == "in its 2nd move it raised ValueError"
    assert (explain(record).move, explain(record).turn) == (2, 4)


def test_a_restart_is_noted_with_its_move(job: Callable[..., Job]) -> None:
    note = FaultRecord("first", "exit", "started again after: exit status 7", {}, "act", 3)
    told = explain(replace(game_of(job, []), notes=(note,)))
    assert told.notes[0] == (
        "Noted, without a penalty: one broke 'exit' (started again after: exit status 7) in its 2nd move."
    )


def test_every_rule_has_a_sentence() -> None:
    assert {rule for rule, *_ in SENTENCES} == RULES.keys()


def test_moves_of_the_opening_are_not_the_players_own(job: Callable[..., Job]) -> None:
    state = job().game.start()
    opening = []
    for _ in range(3):
        opening.append(str(state.legal_moves[0]))
        state = state.forward(state.legal_moves[0])
    record = game_of(job, [Fault("exception", "x")], opening=tuple(opening))
    assert explain(record).move == 1
    assert explain(record).turn == 5


def test_moves_are_counted_from_a_position_where_second_moves_first(job: Callable[..., Job]) -> None:
    record = game_of(job, [Fault("exception", "x")], start="k3/4/4/1R2/3K b - - 0 1")
    assert (explain(record).move, explain(record).turn) == (1, 2)


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
)
def test_moves_are_counted_with_ordinal_numbers(faulted: Callable[..., GameRecord], number: int, word: str) -> None:
    record = faulted("exception", "ValueError", turns=2 * number - 1)
    assert what_happened(record) == f"in its {word} move it raised ValueError"


def test_every_reason_of_the_games_has_a_phrase() -> None:
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


def test_an_unknown_reason_is_quoted(job: Callable[..., Job]) -> None:
    record = replace(game_of(job, []), reason="boredom", detail="", id=3)
    assert "(boredom) after " in explain(record).summary


def test_evidence_that_is_not_a_number_is_not_shown(faulted: Callable[..., GameRecord]) -> None:
    told = explain(faulted("time", "no answer in time", evidence={"cpu": "nan", "peak_memory": "²"}))
    assert "CPU" not in told.text()
    assert "Peak" not in told.text()
