"""Code under two names that is equal or nearly equal is pointed out; it is only read."""

import shutil
from pathlib import Path

import pytest

from arena.entrants.likeness import alike, fingerprint, shared
from arena.entrants.scaffold import new_agent
from arena.entrants.staging import stage
from arena.entrants.submissions import Submissions

MINE = '''
"""A search of one step."""
from agents import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        best, chosen = -1000, None
        for move in state.legal_moves:  # look at every move
            after = state.forward(move)
            value = 10 * len(list(after.legal_moves)) - after.turns
            if after.ending is not None and after.ending.winner == self.color:
                return move
            if value > best:
                best, chosen = value, move
        return chosen if best > 0 else self.rng.choice(list(state.legal_moves))
'''
RENAMED = (
    MINE.replace("best", "top").replace("value", "score").replace("Mine", "Other").replace("  # look at every move", "")
    .replace("A search of one step", "All my own work")
)  # fmt: skip
DIFFERENT = """
from agents import BaseAgent

class Mine(BaseAgent):
    def __init__(self, name, color, depth=2):
        super().__init__(name, color)
        self.depth = depth

    def act(self, state):
        return max(state.legal_moves, key=lambda move: self.search(state.forward(move), self.depth))

    def search(self, state, depth):
        if depth == 0 or state.ending is not None:
            return -len(list(state.legal_moves))
        return -max(self.search(state.forward(move), depth - 1) for move in state.legal_moves)
"""


@pytest.fixture
def add(tmp_path: Path):
    """Keep agents, each with a name, an owner and its code."""
    home = tmp_path / "home"

    def keep(*given: tuple[str, str, str]) -> list[str]:
        for number, (name, owner, text) in enumerate(given):
            file = tmp_path / f"{name}.py"
            file.write_text(text)
            Submissions(home).add(
                name, stage_hash=stage(file, home=home).hash, entry=file.name, needs=(), owner=owner, about=None,
                date=f"2026-05-01T00:0{number}", report={},
            )  # fmt: skip
        return [str(found) for found in alike(Submissions(home).all_versions(), home=home)]

    return keep


def test_the_same_code_under_another_name_is_equal(add) -> None:
    assert add(("my_bot", "Ada", MINE), ("copycat", "Eve", MINE)) == ["copycat has the same code as my_bot"]


def test_renamed_variables_other_comments_and_layout_are_nearly_equal(add) -> None:
    assert add(("my_bot", "Ada", MINE), ("copycat", "Eve", RENAMED), ("other", "Bob", DIFFERENT)) == [
        "copycat has nearly the same code as my_bot"
    ]


@pytest.mark.parametrize("game", ["microchess", "othello"])
def test_who_starts_from_the_same_scaffold_is_not_suspected(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    for name in ("one", "two"):
        new_agent("my_bot", game=game)
        shutil.move("my_bot", name)  # the same files, byte for byte
    new_agent("three", game=game)
    for name, line in (("four", "0.5"), ("five", "-0.25 + 0")):
        new_agent(name, game=game)
        file = tmp_path / name / "agent.py"
        file.write_text(file.read_text().replace("return 0.0", f"return {line}"))
    for name in ("one", "two", "three", "four", "five"):
        Submissions(home).add(
            name, stage_hash=stage(tmp_path / name, home=home).hash, entry="agent.py", needs=(), owner=None, about=None,
            date="2026-05-01", report={},
        )  # fmt: skip
    assert alike(Submissions(home).all_versions(), home=home) == []


def test_versions_of_one_name_and_agents_of_one_owner_are_not_compared(add) -> None:
    assert add(("my_bot", "Ada", MINE), ("my_bot", "Ada", RENAMED), ("second", "Ada", MINE)) == []


def test_an_old_version_is_compared_too(add) -> None:
    assert add(("my_bot", "", MINE), ("my_bot", "", DIFFERENT), ("copycat", "", MINE)) == [
        "copycat has the same code as my_bot"
    ]


def test_short_programs_are_compared_only_byte_by_byte(add) -> None:
    short = "from agents import BaseAgent\nclass A(BaseAgent):\n    def act(self, state): return state.legal_moves[0]\n"
    assert add(("one", "", short), ("two", "", short.replace("A(", "B("))) == []


@pytest.mark.parametrize(
    "text", ["def (:\n", "'''", "x = (\n" * 2000, "\x00", "\ud800".encode("utf-8", "replace").decode()]
)
def test_code_that_cannot_be_read_is_compared_as_far_as_it_goes(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    found = fingerprint(tmp_path)
    assert shared(found, found) in (0.0, 1.0)


def test_reading_code_runs_none_of_it(add, tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    add(("one", "", trap + MINE), ("two", "", trap + MINE))
    assert not (tmp_path / "ran").exists()


def test_of_a_huge_submission_only_a_part_is_read(tmp_path: Path) -> None:
    for number in range(16):
        (tmp_path / f"m{number}.py").write_text("".join(f"x = {number}{line:05}\n" for line in range(10_000)))
    assert len(fingerprint(tmp_path).runs) < 200_000  # of 640,000
