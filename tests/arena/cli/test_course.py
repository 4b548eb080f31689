"""A course of 30 submitted agents, from the first hand-in to the grades, as its teacher types it."""

import csv
import io
import re
from pathlib import Path
from typing import Any

from results.store.store import Store

AGENT = """
from agents import BaseAgent

class Student(BaseAgent):
    def act(self, state):
        moves = list(state.legal_moves)
        {body}
"""
BODIES = (
    "return moves[{n} % len(moves)]",
    "return sorted(moves, key=str)[-1 - {n} % len(moves)]",
    "return max(moves, key=lambda move: hash(str(move)) % {n})",
    "return self.rng.choice(moves[:{n}])",
)
BROKEN = {
    "b_import.py": "import nothing_of_this_name\n" + AGENT.format(body="return moves[0]"),
    "b_illegal.py": AGENT.format(body="return None"),
    "b_raises.py": AGENT.format(body="return moves[99999]"),
    "b_file.py": AGENT.format(body="return open('/etc/passwd').read()"),
    "b_syntax.py": "class Student(:\n",
}
SHORT = ("--game", "microchess:turns=6")  # the games of a check
WEEK = ("league", "--config", "week.toml", "--name", "week", "--workers", "1")


def body(number: int) -> str:
    return AGENT.format(body=BODIES[number % len(BODIES)].format(n=number + 2))


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def hand_ins(arena: Any) -> list[str]:
    """The folder with 29 files: 23 that work, a copy of one of them, 5 broken ones; returns the names that work."""
    folder = arena.folder / "hand-ins"
    folder.mkdir()
    names = [f"s{number:02}" for number in range(23)]
    for number, name in enumerate(names):
        write(folder, f"{name}.py", body(number))
    write(folder, "zz_copy.py", body(7))
    for name, text in BROKEN.items():
        write(folder, name, text)
    rows = [f"{name},Student {name}" for name in (*names, "zz_copy", "b_raises")]
    write(arena.folder, "owners.csv", "\n".join(["name,owner", *rows]) + "\n")
    return [*names, "zz_copy"]


def versions(arena: Any, name: str) -> list[str]:
    with Store.read(arena.folder / "arena.db") as store:
        return [
            player.version
            for record in store.records("week")
            for player in (record.first, record.second)
            if player.name == name
        ]


def test_a_course_of_30_from_the_first_hand_in_to_the_grades(arena: Any) -> None:
    names = hand_ins(arena)
    handed_in = arena("submit", "--all", "hand-ins", "--owners", "owners.csv", *SHORT)
    assert handed_in.code == 1  # some were refused
    verdicts = {line.split()[0]: re.split(r"\s{2,}", line)[-1] for line in handed_in.out.splitlines()[2:31]}
    assert {name for name, verdict in verdicts.items() if verdict == "passed"} == set(names)
    assert "rule `illegal-move`: it answered 'None'" in verdicts["b_illegal"]
    assert "rule `file`: it tried to open /etc/passwd" in verdicts["b_file"]
    assert "IndexError" in verdicts["b_raises"]
    assert "nothing_of_this_name" in verdicts["b_import"]
    assert "SyntaxError" in verdicts["b_syntax"]
    assert handed_in.out.endswith("24 of 29 submitted\n")
    assert "hint: zz_copy has the same code as s07\n" in handed_in.err
    assert handed_in.err.count("hint: ") == 1

    listed = ", ".join(f'"{name}"' for name in names)
    write(arena.folder, "week.toml", f'entrants = [{listed}]\nformat = "swiss"\nrounds = 2\nturns = 2\n')
    process = arena.start(*WEEK, "--json")
    arena.next_line(process)
    process.kill()
    process.communicate(timeout=600)

    for number in (3, 4, 5):  # handed in again in the middle of the league
        write(arena.folder / "hand-ins", f"s{number:02}.py", body(number + 100))
    again = arena("submit", *(f"hand-ins/s{number:02}.py" for number in (3, 4, 5, 6)), *SHORT)
    assert [line.split()[1:] for line in again.out.splitlines()[2:6]] == [
        ["2", "passed"], ["2", "passed"], ["2", "passed"], ["1", "(no", "change)", "passed"],
    ]  # fmt: skip
    resumed = arena(*WEEK)
    assert resumed.out.startswith("week: 24 of 24 games\n")
    for name in ("s03", "s04", "s05"):
        assert f"week goes on with version 1 of {name}; to bring in version 2: arena replace week {name}" in resumed.err
    assert set(versions(arena, "s03")) == {"1"}

    assert arena("extend", "week", "--rounds", "1").out == "week has 3 rounds now\n"
    assert arena("replace", "week", "s03", "--keep").out.startswith("s03 goes on with version 2 in week")
    write(arena.folder, "late.py", body(50))
    assert arena("submit", "late.py", "--owner", "Late", *SHORT).code == 0
    assert arena("enter", "week", "late").out == "late has entered week\n"
    withdrawn = arena("withdraw", "week", "s10", "--because", "left the course")
    assert withdrawn.out == "s10 has left week; its games still count\n"
    extended = arena(*WEEK)
    assert extended.code == 0, extended.err
    assert (set(versions(arena, "s03")), set(versions(arena, "s04"))) == ({"1", "2"}, {"1"})
    assert versions(arena, "late") == ["1"]

    assert arena("report", "-o", "week.html").code == 0
    page = (arena.folder / "week.html").read_text()
    assert "Student s03" in page
    assert "Withdrawn and suspended" in page
    assert "left the course" in page
    assert arena("report", "--agent", "s03", "-o", "s03.html").code == 0
    assert "version 2, by Student s03" in (arena.folder / "s03.html").read_text()
    grades = {row["name"]: row for row in csv.DictReader(io.StringIO(arena("submissions", "gradebook").out))}
    assert len(grades) == 30
    assert (grades["s03"]["owner"], grades["s03"]["versions"], grades["s03"]["check"]) == ("Student s03", "2", "passed")
    assert {grades[name]["place"] for name in names} <= {str(place) for place in range(1, 26)}
    assert (grades["s10"]["status"], grades["late"]["owner"], grades["late"]["games"]) == ("withdrawn", "Late", "1")
    broken = grades["b_raises"]
    assert (broken["owner"], broken["versions"], broken["place"]) == ("Student b_raises", "0", "")
    assert broken["check"].startswith("failed: it breaks the rule `exception`: in its 1st move it raised IndexError")
