"""What a participant is told about the usual mistakes: one table of mistakes and exact messages."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.competition import check as checking
from arena.competition.check import CheckFailed
from arena.competition.events import Event, Notice
from arena.competition.submission import submit

HEAD = "from agents import BaseAgent\n\n\n"
#: The lines of `act` are lines 6 and on.
ACT = HEAD + "class Mine(BaseAgent):\n    def act(self, state):\n        {}\n"
MOVE = "return state.legal_moves[0]"

#: Mistake: the file, and why it is refused.
MISTAKES = {
    "wrong constructor": (
        f"{HEAD}class Mine(BaseAgent):\n    def __init__(self):\n        pass\n\n"
        f"    def act(self, state):\n        {MOVE}\n",
        "it breaks the rule `exception`: there is no agent to start: class Mine must have the method "
        "`def __init__(self, name, color, **options)`; it has `def __init__(self)`",
    ),
    "wrong act": (
        HEAD + f"class Mine(BaseAgent):\n    def act(self):\n        {MOVE}\n",
        "it breaks the rule `exception`: there is no agent to start: class Mine must have the method "
        "`def act(self, state)`; it has `def act(self)`",
    ),
    "no act": (
        HEAD + f"class Mine(BaseAgent):\n    def move(self, state):\n        {MOVE}\n",
        "it breaks the rule `exception`: there is no agent to start: class Mine has no method act(self, state)",
    ),
    "no BaseAgent": (
        f"class Mine:\n    def act(self, state):\n        {MOVE}\n",
        "it breaks the rule `exception`: there is no agent to start: mine.py has no class that is a subclass of "
        "BaseAgent; write `class Mine(BaseAgent):`",
    ),
    "wrong return": (
        ACT.format("return None"),
        "it breaks the rule `illegal-move`: it answered 'None' in its 1st move, which is not a legal move in "
        "knbr/p3/4/3P/RBNK w Qk - 0 1; legal are for example a1a2, a1a3, a1a4",
    ),
    "file access": (
        ACT.format("open('/etc/passwd')"),
        "it breaks the rule `file`: it tried to open /etc/passwd for reading in its 1st move; it may read only the "
        "files of its own folder, as in open('weights.bin')",
    ),
    "missing import": (
        f"import tensorflop\n{ACT.format(MOVE)}",
        "it breaks the rule `exception`: while starting it raised ModuleNotFoundError: No module named 'tensorflop': "
        "it is not installed, and not in the folder of the agent",
    ),
    "exception": (
        ACT.format("return state.legal_move"),
        "it breaks the rule `exception`: in its 1st move it raised AttributeError: 'MicrochessState' object has no "
        "attribute 'legal_move'",
    ),
    "unknown option": (
        HEAD + "class Mine(BaseAgent):\n    def __init__(self, name, color, depth=1):\n"
        f"        super().__init__(name, color)\n\n    def act(self, state):\n        {MOVE}\n",
        "it breaks the rule `exception`: there is no agent to start: class Mine has no option 'dept'; "
        "did you mean 'depth'?",
    ),
    "hang": (
        ACT.format("while True: pass"),
        "it breaks the rule `time`: it gave no answer for 0.4 s in its 1st move, at mine.py:6 in act: while True: pass",
    ),
    "hang in the constructor": (
        f"while True: pass\n{ACT.format(MOVE)}",
        "it breaks the rule `startup`: it took too long to start (import, constructor and reset together), "
        "at mine.py:1 in <module>: while True: pass",
    ),
    "print": (ACT.format(f"print('thinking'); {MOVE}"), ""),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_has_one_clear_message(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    if "hang" in mistake:
        monkeypatch.setattr(checking, "HANG_SECONDS", 0.4)
    source, message = MISTAKES[mistake]
    (tmp_path / "mine.py").write_text(source)
    options = ":dept=2" if mistake == "unknown option" else ""
    report = checking.check(f"{tmp_path}/mine.py{options}", game="microchess:turns=4")
    assert report.why_not == message
    if mistake == "print":
        assert report.trials[0].printed.startswith("thinking\n")


def test_a_slow_agent_is_announced_with_its_line_and_a_hang_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(checking, "SLOW_SECONDS", 0.1)
    monkeypatch.setattr(checking, "HANG_SECONDS", 0.3)
    body = "import re; re.match(r'(a*)*$', 'a' * 40 + 'b')"  # native code, which never returns to Python
    (tmp_path / "mine.py").write_text(ACT.format(body))
    events: list[Event] = []
    report = checking.check(f"{tmp_path}/mine.py", on_event=events.append)
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert notice == f"slow: no answer for 0.1 s; it is at mine.py:6 in act: {body}"
    fault = report.trials[0].fault
    assert fault is not None
    assert fault.evidence["stack"].splitlines()[-1] == "mine.py:6 in act"
    assert "zygote" not in fault.evidence["stack"]


def test_a_submission_that_hangs_is_announced_with_its_line_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(checking, "SLOW_SECONDS", 0.1)
    monkeypatch.setattr(checking, "HANG_SECONDS", 0.3)
    (tmp_path / "mine.py").write_text(ACT.format("while True: pass"))
    events: list[Event] = []
    with pytest.raises(CheckFailed):
        submit(f"{tmp_path}/mine.py", on_event=events.append)
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert notice == "slow: no answer for 0.1 s; it is at mine.py:6 in act: while True: pass"


def test_a_game_that_is_lost_by_time_says_where_the_agent_was(arena: Any) -> None:
    (arena.folder / "mine.py").write_text(ACT.format("while True: pass"))
    ran = arena("play", "./mine.py", "random", "--time", "0.2")
    assert "it used up its 0.2 s in its 1st move, at mine.py:6 in act: while True: pass" in ran.out


def test_an_agent_finds_its_own_files_in_its_working_directory(arena: Any) -> None:
    folder = arena.folder / "mine"
    folder.mkdir()
    (folder / "weights.txt").write_text("0")
    (folder / "agent.py").write_text(ACT.format("return state.legal_moves[int(open('weights.txt').read())]"))
    report = json.loads(arena("check", "mine", "--game", "microchess:turns=4", "--json").out)
    assert report["passed"], report["why_not"]


def test_a_traceback_names_the_participants_file_once_and_nothing_of_ours(arena: Any) -> None:
    folder = arena.folder / "mine"
    folder.mkdir()
    (folder / "helper.py").write_text("raise ValueError('no')\n")
    (folder / "agent.py").write_text("import helper\n" + ACT.format(MOVE))
    ran = arena("check", "mine")
    assert ran.code == 1
    assert ran.out.count("Traceback") == 1
    *_, head, first, _, last, raised, error = ran.out.splitlines()
    assert [line.strip() for line in (head, first, last, raised, error)] == [
        "Traceback (most recent call last):", "mine/agent.py:1 in <module>", "mine/helper.py:1 in <module>",
        "raise ValueError('no')", "ValueError: no",
    ]  # fmt: skip
