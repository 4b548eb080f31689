"""`arena/README.md` lists the files through which one game goes: exactly those that the calls go through."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: The calls to which the way leads. A file is on the way if it is on the call stack of one of them.
STATIONS = (
    ("arena/competition/settings.py", "of"),
    ("arena/entrants/staging.py", "stage"),
    ("arena/competition/plan.py", "make_plan"),
    ("arena/formats/schedule.py", "round_robin"),
    ("arena/sandbox/launch.py", "start"),
    ("arena/process/channels.py", "send"),
    ("arena/process/child_process.py", "freeze"),
    ("results/store/store.py", "add"),
    ("results/standings/table.py", "table"),
    ("results/standings/text_tables.py", "standings_text"),
)
#: Behind the lock-down, where nobody can look: the zygote forks the player, and the player serves requests.
CONFINED = {"arena/sandbox/zygote.py", "agents/child.py"}
#: Imported by every Python process at its start.
TRACER = """
import sys
ROOT, OUT, STATIONS = {root!r}, {out!r}, {stations!r}

def trace(frame, event, _argument):
    code = frame.f_code
    if event != "call" or (code.co_filename.removeprefix(ROOT), code.co_name) not in STATIONS:
        return
    with open(OUT, "a") as out:
        while frame is not None:
            if frame.f_code.co_filename.startswith(ROOT):
                out.write(frame.f_code.co_filename.removeprefix(ROOT) + "\\n")
            frame = frame.f_back

sys.setprofile(trace)
"""


@pytest.fixture
def way() -> list[str]:
    text = (ROOT / "arena" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\d+\. `([^`]+)`", text.partition("## The way of one game")[2].partition("\n## ")[0], re.M)


def test_the_way_of_a_game_is_as_the_readme_lists_it(
    arena: Any, way: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tracer").mkdir()
    out = tmp_path / "stacks"
    tracer = TRACER.format(root=f"{ROOT}/", out=str(out), stations=STATIONS)
    (tmp_path / "tracer" / "sitecustomize.py").write_text(tracer)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "tracer"))
    (tmp_path / "a.py").write_text(
        "from agents import BaseAgent\n\n\nclass A(BaseAgent):\n    def act(self, state):\n"
        "        return self.rng.choice(list(state.legal_moves))\n"
    )
    ran = arena("league", "a.py", "random", "--turns", "4", "--workers", "1")
    assert ran.code == 0, ran.err
    traced = {file for file in out.read_text().split() if file.startswith(("agents/", "arena/", "results/"))}
    assert {file for file, _ in STATIONS} < traced
    assert traced | CONFINED == set(way)


def test_the_way_of_a_game_is_short(way: list[str]) -> None:
    assert len(way) == len(set(way)) <= 25
    assert all((ROOT / file).is_file() for file in way)
