"""Names in Korean, Chinese, Japanese and with accents: as files, submissions and owners, in tables and files."""

import csv
import io
import json
import unicodedata
from typing import Any

import pytest
from wcwidth import wcswidth

AGENT = "from agents import BaseAgent\n\nclass A(BaseAgent):\n    def act(self, state):\n        {}\n"
#: On a disk of macOS, accents and Korean syllables are written in parts.
ACCENTED = unicodedata.normalize("NFD", "café")
OWNERS = ("김철수", "王小明", "山田 太郎", "Zoë Núñez")
NAMES = ("한국봇", "象棋", "しょうぎ", "café")


def columns_of(text: str) -> list[set[int]]:
    """For each table in a text, found by its line of dashes: the columns in which its lines have a gap or an end."""
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.startswith("-") and set(line) <= {"-", " "}:
            starts = [at for at, char in enumerate(line) if char == "-" and (at == 0 or line[at - 1] == " ")]
            for row in lines[number + 1 :]:
                if not row.strip():
                    break
                found.append({at for at in starts[1:] if cell_before(row, at) == " "} ^ set(starts[1:]))
    return found


def cell_before(row: str, column: int) -> str:
    """The character before a column of a terminal; empty inside a wide character or after the end."""
    for end in range(len(row) + 1):
        if wcswidth(row[:end]) == column:
            return row[end - 1]
    return " " if wcswidth(row) < column else ""


@pytest.fixture
def course(arena: Any) -> Any:
    """A folder with one agent for each name, submitted, and a league of two of them."""
    folder = arena.folder / "hand-ins"
    folder.mkdir()
    for number, name in enumerate(("한국봇", "象棋", "しょうぎ", ACCENTED)):
        (folder / f"{name}.py").write_text(AGENT.format(f"return sorted(state.legal_moves, key=str)[{number} and -1]"))
    rows = [f"{name},{owner}" for name, owner in zip(NAMES, OWNERS, strict=True)]
    (arena.folder / "owners.csv").write_text("\n".join(["name,owner", *rows]) + "\n")
    return arena


def test_a_course_with_such_names_is_aligned_and_readable(course: Any) -> None:
    done = course("submit", "--all", "hand-ins", "--owners", "owners.csv", "--game", "microchess:turns=4")
    assert done.code == 0, done.err
    listed = course("submissions")
    assert "김철수" in listed.out
    assert "café" in listed.out
    assert ACCENTED not in listed.out
    league = course("league", *NAMES[:2], "./hand-ins/しょうぎ.py", "random", "--rounds", "1", "--name", "리그",
                    "--game", "microchess:turns=2", "--workers", "1")  # fmt: skip
    assert league.code == 0, league.err
    assert "record 1: " in league.err
    assert "한국봇 " in league.err
    cross = course("standings", "--crosstable")
    shown = [done.out, listed.out, league.out, cross.out]
    shown += [course(*words).out for words in (("leagues",), ("records",), ("agents",))]
    for text in shown:
        assert columns_of(text), text
        assert not any(columns_of(text)), text
    schedule = course("league", *NAMES, "--rounds", "1", "--dry-run").out
    pairs = [line for line in schedule.splitlines() if " - " in line]
    assert len(pairs) == 12
    assert len({wcswidth(line.partition(" - ")[0]) for line in pairs}) == 1
    files_are_readable(course)


def files_are_readable(course: Any) -> None:
    """Pages, exports and the gradebook hold the names as they are, in files with such names."""
    assert course("report", "--output", "보고서.html").code == 0
    page = (course.folder / "보고서.html").read_text(encoding="utf-8")
    assert all(name in page for name in NAMES[:3])
    assert "김철수" in page
    assert course("show", "1", "--format", "html", "--output", "첫 경기.html").code == 0
    assert "한국봇" in (course.folder / "첫 경기.html").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(course("submissions", "gradebook").out)))
    assert {row["owner"] for row in rows} >= {"김철수", "王小明"}
    assert "象棋" in {game["first"] for game in json.loads(course("export", "--format", "json").out)}


def test_a_name_typed_in_parts_finds_the_submission(course: Any) -> None:
    assert course("submit", "hand-ins/café.py".replace("café", ACCENTED), "--game", "microchess:turns=2").code == 0
    found = course("play", ACCENTED, "café@1", "--game", "microchess:turns=2", "--json")
    assert found.code == 0, found.err
    assert "caf\\u00e9" in found.out or "café" in found.out
